"""Several readers walk the whole tree again and again while Busy Friday plays at twenty times its speed.

CHIMEIN_CAMPAIGN_STORM_S says how long (600 s). What one answer may take is for a machine that does nothing else.
"""

from __future__ import annotations

import json
import os
import subprocess
import time
from pathlib import Path

import pytest

from tests.e2e.bus.door import Door
from tests.support.accessibility_bus import PYTHON, bus_screen

pytestmark = pytest.mark.campaign

SECONDS = float(os.environ.get("CHIMEIN_CAMPAIGN_STORM_S", "600"))
READERS = 3
SCENARIO, SPEED = "busy-friday", 20.0
ANSWER_MS = 150
WARM_S = SECONDS / 3
"""Until then caches fill."""

GROWTH_MIB = 24
"""What the messages of the storm themselves take, and a margin; a leak of a kilobyte for each answer is far more."""

LOOK_S = 1.0
WALK = Path(__file__).parents[1] / "bus_walk.py"


def rss_mib(process: int) -> float:
    """The memory of a process."""
    pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def test_walks_in_a_storm_meet_no_crash_no_wait_and_no_leak(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with bus_screen(tmp_path) as place:
        program = place.start("-m", "tests.e2e.bus.program", str(tmp_path / "state"), str(tmp_path / "door"))
        assert program.stdout is not None
        assert program.stdout.readline() == "open\n"
        door = Door(tmp_path / "door")
        walkers = [
            subprocess.Popen(
                [PYTHON, str(WALK), str(SECONDS)], env=place.environment, stdout=subprocess.PIPE, text=True
            )
            for _ in range(READERS)
        ]
        samples: list[tuple[float, float]] = []
        began, plays = time.monotonic(), 0
        for walker in walkers:
            while walker.poll() is None:
                plays += door.ask("storm", scenario=SCENARIO, speed=SPEED)
                samples.append((time.monotonic() - began, rss_mib(program.pid)))
                try:
                    walker.wait(LOOK_S)
                except subprocess.TimeoutExpired:
                    continue
        told = [json.loads(walker.communicate()[0]) for walker in walkers]
        door.close()
        assert program.wait(60) == 0
    warm = max(mib for at, mib in samples if at <= WARM_S)
    last = max(mib for at, mib in samples if at > WARM_S)
    with capsys.disabled():
        print(  # noqa: T201 - the report to quote
            f"\n{SECONDS:.0f} s of {SCENARIO} at {SPEED:.0f}x, played {plays} times, read by {READERS}: {told};"
            f" memory {samples[0][1]:.0f} MiB at first, {warm:.0f} after {WARM_S:.0f} s, {last:.0f} at most later;"
            f" load {os.getloadavg()[1]:.1f} on {os.cpu_count()} cores"
        )
    assert min(one["walks"] for one in told) > 0
    assert plays > 0
    assert last - warm < GROWTH_MIB
    assert [one for one in told if one["longest_ms"] > ANSWER_MS] == []
