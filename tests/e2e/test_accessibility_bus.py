"""A minute of traffic while another process reads the window over a real accessibility bus: lists and trees agree.

Who asks over the bus is always a little behind: what is gone by then is answered with an error, and Qt warns. Those
are counted. They are a fault if a list or tree still tells of such a row. A list of Qt's own brings
more for each row: whoever was told of a row just before it went asks several things of it, and Qt warns of each.

CHIMEIN_CAMPAIGN_BUS_S says how long (60 s).
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.support.accessibility_bus import PYTHON, skip_where_missing

SECONDS = float(os.environ.get("CHIMEIN_CAMPAIGN_BUS_S", "60"))
CLOSING_S = 120
"""Start, the end of a walk, and the end, beside the traffic itself."""

NO_BUS_ADDRESS = (
    'qt.accessibility.atspi: AtSpiAdaptor::applicationInterface does not implement "GetApplicationBusAddress"'
)
"""Each screen reader asks that once of every Qt program."""


PLAIN_S = 20
"""How long a list of Qt's own is read."""


def run_on_bus(tmp_path: Path, *command: str, seconds: float) -> list[dict[str, Any]]:
    """Run a program on a screen and an accessibility bus of its own; returns the lines of JSON that it told."""
    skip_where_missing()
    runtime = tmp_path / "runtime"
    runtime.mkdir(mode=0o700)
    environment = {
        **os.environ,
        "QT_QPA_PLATFORM": "xcb",
        "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1",
        "XDG_RUNTIME_DIR": str(runtime),
    }
    screen = ["dbus-run-session", "--", "xvfb-run", "-a", "-s", "-screen 0 1600x1000x24"]
    done = subprocess.run(
        [*screen, sys.executable, "-m", *command],
        env=environment,
        capture_output=True,
        text=True,
        timeout=seconds + CLOSING_S,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-4000:]
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


@pytest.fixture
def plain(tmp_path: Path) -> float:
    """How often Qt warns for each row that goes from a list of its own."""
    place = tmp_path / "plain"
    place.mkdir()
    [count] = run_on_bus(place, "tests.e2e.plain_rows", str(PLAIN_S), PYTHON, seconds=PLAIN_S)
    return float(count["gone"] / count["went"])


@pytest.mark.campaign
def test_what_is_read_over_the_bus_is_what_is_shown(
    tmp_path: Path, plain: float, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = run_on_bus(tmp_path, "tests.e2e.spoken_run", str(tmp_path / "state"), str(SECONDS), PYTHON, seconds=SECONDS)
    told = Counter(line["kind"] for line in lines)
    [walked] = [line["words"] for line in lines if line["kind"] == "walked"]
    with capsys.disabled():
        in_vain, compared = told["gone"] + told["too far"], told["compared"]
        of_row = told["gone"] / walked["went"]
        print(  # noqa: T201 - the report to quote
            f"\nover the bus: {walked}, asked for when it was gone: {in_vain}, views compared: {compared};"
            f" warnings for each row that went: {of_row:.1f}, of a plain list: {plain:.1f}"
        )
    assert min(walked["walks"], walked["nodes"], walked["heard"], told["compared"], plain) > 0
    assert of_row <= plain
    assert [line["words"] for line in lines if line["kind"] == "wrong"] == []
    warnings = {line["words"] for line in lines if line["kind"] == "qt"}
    assert [words for words in sorted(warnings) if NO_BUS_ADDRESS not in words] == []
