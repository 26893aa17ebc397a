"""A program whose display server dies ends by itself and leaves its state to the next one."""

from __future__ import annotations

import signal
import time
from pathlib import Path

import pytest

from chimein_gui.runtime.state_lock import EXIT_FAILED
from tests.support.accessibility_bus import bus_screen

pytestmark = pytest.mark.campaign

ENDS_S = 10.0
READY_S = 90.0


@pytest.mark.parametrize("asked_to_end", [False, True], ids=["alone", "SIGTERM"])
def test_a_program_without_its_display_ends_and_frees_its_state(tmp_path: Path, asked_to_end: bool) -> None:
    with bus_screen(tmp_path) as place:
        program = place.start("-m", "chimein_gui", "sandbox")
        place.screen.kill()
        began = time.monotonic()
        if asked_to_end:
            program.send_signal(signal.SIGTERM)
        assert program.wait(READY_S) in ((0, EXIT_FAILED) if asked_to_end else (EXIT_FAILED,))
        assert time.monotonic() - began < ENDS_S
    (tmp_path / "runtime").rename(tmp_path / "runtime before")
    with bus_screen(tmp_path) as place:
        place.start("-m", "chimein_gui", "sandbox")  # says that it is ready: it holds the same state now
