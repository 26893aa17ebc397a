"""Today's figures of the selected agent: messages sent for it, and the cost of its model calls."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal

from chimein_gui.domain.events import ModelCallBooked, TaskStatusChanged
from chimein_gui.viewmodels.core.commands import CommandRunner
from chimein_gui.viewmodels.engine_api.costs import CostsApi

if TYPE_CHECKING:
    from datetime import datetime

    from PySide6.QtCore import QObject

    from chimein_gui.domain.costs import AgentDay
    from chimein_gui.domain.events import EngineEvent
    from chimein_gui.domain.ids import AgentId
    from chimein_gui.engine.ports import Spawn
    from chimein_gui.viewmodels.core.bridge import EngineBridge
    from chimein_gui.viewmodels.core.clock import ClockFace
    from chimein_gui.viewmodels.core.feed import Feed

_OF_A_DAY = frozenset({ModelCallBooked, TaskStatusChanged})

LEAST_BETWEEN = timedelta(seconds=5)
"""Shortest time between two fetches while sends or booked calls arrive."""

MOST_BETWEEN = timedelta(minutes=1)
"""Longest time between two fetches: the day may have ended."""


def make_agent_day(feed: Feed) -> AgentDayModel:
    """Return the model, registered with the engine."""
    model = AgentDayModel(feed.bridge, feed.clock, feed.bridge)
    feed.register(model)
    return model


class AgentDayModel(CommandRunner[CostsApi]):
    """Fetches the figures of the watched agent, and again some seconds after a send or a booked call.

    Attributes:
        changed: `day` changed.
        day: Figures of the watched agent; None while they are unknown.
    """

    changed = Signal()

    def __init__(self, bridge: EngineBridge, clock: ClockFace, parent: QObject | None = None) -> None:
        super().__init__(bridge, parent)
        self.day: AgentDay | None = None
        self._clock = clock
        self._watched: AgentId | None = None
        self._asked_at: datetime | None = None
        self._is_old = False
        bridge.batch_ready.connect(self._receive)
        clock.ticked.connect(self._tick)

    def attach(self, api: CostsApi, spawn: Spawn) -> None:
        """Keep the engine to query, and fetch the figures of an agent that is already watched."""
        super().attach(api, spawn)
        self._ask()

    def watch(self, agent_id: AgentId | None) -> None:
        """Watch another agent; None watches none."""
        if agent_id == self._watched:
            return
        self._watched, self.day = agent_id, None
        self.changed.emit()
        self._ask()

    def _ask(self) -> None:
        if self._api is not None and self._watched is not None:
            self._asked_at, self._is_old = self._clock.now(), False
            self._send(self._fetch(self._api, self._watched), f"load the day of {self._watched}")

    async def _fetch(self, api: CostsApi, agent_id: AgentId) -> None:
        day = await api.costs.agent_today(agent_id)
        self._bridge.deliver(lambda: self._install(agent_id, day))

    def _install(self, agent_id: AgentId, day: AgentDay) -> None:
        if agent_id == self._watched and day != self.day:
            self.day = day
            self.changed.emit()

    def _receive(self, events: tuple[EngineEvent, ...]) -> None:
        self._is_old = self._is_old or not _OF_A_DAY.isdisjoint(map(type, events))

    def _tick(self) -> None:
        if self._asked_at is not None:
            age = self._clock.now() - self._asked_at
            if age >= (LEAST_BETWEEN if self._is_old else MOST_BETWEEN):
                self._ask()
