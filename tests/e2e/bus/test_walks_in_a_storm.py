"""A reader walks the whole tree again and again and asks of every event, while Busy Friday plays at 20 times its speed.

CHIMEIN_CAMPAIGN_STORM_S says how long (600 s), CHIMEIN_CAMPAIGN_STORM_READERS how many readers there are (1, as on
a real desktop). What one answer may take is for a machine that does nothing else; what the program itself computed is
told beside it, and what the same storm costs without a reader. The sandbox is a process of its own: a server keeps
every message, and would be counted with the program.
"""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.bus.door import Door
from tests.support.accessibility_bus import PYTHON, BusScreen, bus_screen

pytestmark = pytest.mark.campaign

SECONDS = float(os.environ.get("CHIMEIN_CAMPAIGN_STORM_S", "600"))
READERS = int(os.environ.get("CHIMEIN_CAMPAIGN_STORM_READERS", "1"))
SCENARIO, SPEED = "busy-friday", 20.0
ANSWER_MS = 150
ALONE_S = SECONDS / 4
"""As long the storm rages without a reader: its messages take memory themselves, read or not."""

MARGIN_MIB = 24
"""What the reading may add to that, once: interfaces of what is shown, and the heap between them."""

LOOK_S = 1.0
WALK = Path(__file__).parents[1] / "bus_walk.py"


def rss_mib(process: int) -> float:
    """The memory of a process."""
    pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


@dataclass
class Stretch:
    """A stretch of the storm.

    Attributes:
        at: When each look was taken, in seconds from its begin.
        mib: The memory at each look.
        own_ms: The longest that the loop itself computed at a time.
        wall_ms: The longest between two turns of the loop by the clock, waiting for other programs included.
        cpu_s: What the program computed in all.
        plays: How often the scenario was begun.
    """

    at: list[float] = field(default_factory=list)
    mib: list[float] = field(default_factory=list)
    own_ms: float = 0.0
    wall_ms: float = 0.0
    cpu_s: float = 0.0
    plays: int = 0

    def follow(self, door: Door, process: int, looks: Iterator[object]) -> None:
        """Keep the storm raging and look at the program until there are no more looks."""
        first, began = door.ask("stalls"), time.monotonic()
        now: dict[str, Any] = first
        for _ in looks:
            self.plays += door.ask("storm", scenario=SCENARIO, speed=SPEED)
            now = door.ask("stalls")
            self.own_ms, self.wall_ms = max(self.own_ms, now["own_ms"]), max(self.wall_ms, now["wall_ms"])
            self.at.append(time.monotonic() - began)
            self.mib.append(rss_mib(process))
        self.cpu_s = now["cpu_s"] - first["cpu_s"]

    def growth(self) -> float:
        """How much it grew per play in its second half: by then everything that is kept once is there."""
        half = len(self.mib) // 2
        return (self.mib[-1] - self.mib[half]) / max(1.0, self.plays / 2)

    def __str__(self) -> str:
        memory = " → ".join(f"{self.mib[place]:.0f}" for place in (0, len(self.mib) // 2, -1))
        return (
            f"{self.at[-1]:.0f} s, played {self.plays} times: the loop computed {self.own_ms:.0f} ms at most at a time"
            f" ({self.wall_ms:.0f} ms by the clock), {100 * self.cpu_s / self.at[-1]:.0f} % of a core;"
            f" memory at begin, middle and end {memory} MiB, {self.growth():.1f} MiB a play in the second half"
        )


def looks(seconds: float) -> Iterator[object]:
    """A look each second."""
    ends = time.monotonic() + seconds
    while (left := ends - time.monotonic()) > 0:
        yield left
        time.sleep(min(left, LOOK_S))  # the storm itself is what is waited for


def looks_while(walkers: list[subprocess.Popen[str]]) -> Iterator[object]:
    """A look each second until all have walked enough."""
    for walker in walkers:
        while walker.poll() is None:
            yield walker
            try:
                walker.wait(LOOK_S)
            except subprocess.TimeoutExpired:
                continue


def walk(place: BusScreen, seconds: float) -> subprocess.Popen[str]:
    command = [PYTHON, "-W", "ignore", str(WALK), str(seconds)]
    return subprocess.Popen(command, env=place.environment, stdout=subprocess.PIPE, text=True)


def test_walks_in_a_storm_meet_no_crash_no_wait_and_no_leak(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    alone, read = Stretch(), Stretch()
    with bus_screen(tmp_path) as place:
        program = place.start("-m", "tests.e2e.bus.program", str(tmp_path / "state"), str(tmp_path / "door"), "apart")
        assert program.stdout is not None
        assert program.stdout.readline() == "open\n"
        door = Door(tmp_path / "door")
        alone.follow(door, program.pid, looks(ALONE_S))
        walkers = [walk(place, SECONDS) for _ in range(READERS)]
        read.follow(door, program.pid, looks_while(walkers))
        told = [json.loads(walker.communicate()[0]) for walker in walkers]
        door.close()
        assert program.wait(60) == 0
    answers = sum(one["answers"] for one in told)
    own_ms = 1000 * (read.cpu_s - alone.cpu_s / alone.at[-1] * read.at[-1]) / answers
    with capsys.disabled():
        print(  # noqa: T201 - the report to quote
            f"\n{SCENARIO} at {SPEED:.0f}x, load {os.getloadavg()[1]:.1f} on {os.cpu_count()} cores\n"
            f"unread: {alone}\nread by {READERS}: {read}\n{told}\n"
            f"slowest answer {max(one['longest_ms'] for one in told):.0f} ms, the slowest of a hundred"
            f" {max(one['p99_ms'] for one in told):.1f} ms; an answer costs the program {own_ms:.2f} ms"
        )
    assert min(one["walks"] for one in told) > 0
    assert read.plays > 0
    assert read.mib[-1] - read.mib[len(read.mib) // 3] < MARGIN_MIB + max(0.0, alone.growth()) * read.plays
    assert [one for one in told if one["longest_ms"] > ANSWER_MS] == []
