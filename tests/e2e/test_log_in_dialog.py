"""The program ends while its log-in dialog is open; the dialog's ways and troubles have tests of their own."""

from __future__ import annotations

from pathlib import Path

import pytest

from chimein_gui import ui_driver as hand
from chimein_gui.directories import Directories
from chimein_gui.domain.settings.preferences import Preferences
from chimein_gui.program import SANDBOX, Program, live
from tests.e2e.log_ins import GUARDED, NAME, write_agent

pytestmark = [
    pytest.mark.qt_loop,
    pytest.mark.gate_slow,
    pytest.mark.qt_log_ignore("plugin does not support"),  # a dialog is a window of its own
]


async def show_the_picture(program: Program) -> int:
    window = program.window
    window.activateWindow()
    window.show_pane("agents")
    (await hand.until("the log-in", lambda: hand.button(window.pane("agents"), "Log in "))).click()
    await hand.until("a picture", lambda: (state := window.models.logins.state) and state.qr)
    return 0


async def test_the_program_ends_in_the_middle_of_a_log_in(tmp_path: Path) -> None:
    write_agent(tmp_path / "config", NAME, GUARDED)
    directories = Directories((tmp_path / "config",), tmp_path / "state")
    assert await live(SANDBOX, directories, show_the_picture, Preferences()) == 0
    assert not list((tmp_path / "state" / NAME).glob("login-*"))
