"""A stage whose time the test moves, on a real server's world."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from chimein_gui.resource_files import resource_path
from chimein_gui.sandbox.faults.checks import check
from chimein_gui.sandbox.faults.injector import read_offers
from chimein_gui.sandbox.scenes.library import SceneLibrary
from chimein_gui.sandbox.scenes.runner import ScenarioRunner
from chimein_gui.sandbox.scenes.stage import SceneFaults
from chimein_gui.sandbox.timekeeping import wall_clock
from chimein_gui.sandbox_api import FaultRule

if TYPE_CHECKING:
    from chimein_gui.sandbox.server import SandboxServer

CATALOGUE = {offer.name: offer.rule for offer in read_offers()}
SCENES = resource_path("sandbox", "scenarios")
MOST_TURNS = 100_000


class Alarm:
    """A call that has been asked for."""

    def __init__(self, callback: Callable[[], None]) -> None:
        self.callback: Callable[[], None] | None = callback

    def cancel(self) -> None:
        self.callback = None


class VirtualLoop:
    """The clock of an event loop that stands still until it is moved."""

    def __init__(self) -> None:
        self._now = 1000.0
        self._calls: list[tuple[float, int, Alarm]] = []
        self._order = count()

    def time(self) -> float:
        return self._now

    def call_later(self, delay: float, callback: Callable[[], None], /) -> Alarm:
        alarm = Alarm(callback)
        heapq.heappush(self._calls, (self._now + delay, next(self._order), alarm))
        return alarm

    def waits(self) -> bool:
        return any(alarm.callback for _, _, alarm in self._calls)

    def advance(self, seconds: float) -> None:
        """Let time pass; whatever becomes due is called at its moment."""
        end = self._now + seconds
        for _ in range(MOST_TURNS):
            if not self._calls or self._calls[0][0] > end:
                self._now = end
                return
            moment, _order, alarm = heapq.heappop(self._calls)
            self._now = max(self._now, moment)
            if alarm.callback:
                alarm.callback()
        raise AssertionError("it never comes to rest")


@dataclass
class Injector:
    """Checks and records the faults of a scene."""

    begun: list[FaultRule] = field(default_factory=list)
    active: dict[int, FaultRule] = field(default_factory=dict)

    def begin(self, rule: FaultRule) -> int:
        check(rule)
        self.begun.append(rule)
        self.active[len(self.begun)] = rule
        return len(self.begun)

    def remove(self, fault_id: int) -> None:
        del self.active[fault_id]


@dataclass
class Theatre:
    """A stage with its own clock; `injector` takes the faults."""

    runner: ScenarioRunner
    clock: VirtualLoop
    injector: Injector
    changes: list[int] = field(default_factory=list)

    def play_to_the_end(self, name: str, seconds: float = 3600) -> None:
        self.runner.start(name)
        self.clock.advance(seconds)


def theatre(server: SandboxServer, directory: Path = SCENES, faults: SceneFaults | None = None) -> Theatre:
    """Build a stage on the server's world, with scenes of `directory`; its faults are real ones if `faults` are."""
    around = server._around
    clock, injector = VirtualLoop(), Injector()
    library = SceneLibrary(directory, CATALOGUE)
    runner = ScenarioRunner(
        around.world, around.hub, faults or injector, server.model, library, around.media.named, clock
    )
    made = Theatre(runner, clock, injector)
    runner.changed = lambda: made.changes.append(1)
    return made


class Watch:
    """A server clock that a test can put forward."""

    def __init__(self) -> None:
        self.ahead_s = 0.0

    def __call__(self) -> float:
        return wall_clock() + self.ahead_s
