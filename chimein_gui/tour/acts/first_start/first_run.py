"""A run of its own for the first start: nobody is there, and in six steps a persona is logged in.

The window is that of a live run; what answers it is the sandbox.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QLineEdit, QWidget

from chimein_gui import ui_driver as hand
from chimein_gui.program import RunMode
from chimein_gui.tour.driver import press, schemes, still
from chimein_gui.ui.dialogs.document import DocumentDialog
from chimein_gui.ui.dialogs.first_run.wizard import FirstRunDialog

if TYPE_CHECKING:
    from contextlib import AsyncExitStack

    from chimein_gui.app import Backends
    from chimein_gui.directories import Directories
    from chimein_gui.program import Program
    from chimein_gui.tour.report import Tour

NAME, PHONE = "Zora Rand", "+9996622001"
"""One of the two accounts of the sandbox that wait for a log-in; this one has no password."""

APPLICATION = ("12345", "0123456789abcdef0123456789abcdef")


async def _compose(directories: Directories, stack: AsyncExitStack) -> Backends:
    from chimein_gui.app import sandbox_backends

    outside = await sandbox_backends(directories, stack)
    return replace(outside, sandbox=None)


FIRST_RUN = RunMode("first run", _compose, is_sandbox=False)


async def play_first_run(tour: Tour, program: Program) -> None:
    """Do it step by step."""
    window = program.window
    async with tour.step("a window without an account offers three ways on"):
        await hand.until("the ways", lambda: hand.button(window, "Try the sandbox"))
        for look in schemes(tour, program):
            await still(window)
            tour.picture(window, f"first-run-nobody-{look}")
    async with tour.step("what everybody should know first, and the whole text of it"):
        await press(window, "Set up your first persona")
        wizard = await hand.until("the first run", lambda: _wizard(program))
        await _pictures(tour, program, "safety")
        await press(wizard, "Read all of it…")
        document = await hand.until("the text", lambda: wizard.findChild(DocumentDialog))
        tour.picture(document, "first-run-safety-text-light")
        document.reject()
        await hand.until("its end", lambda: wizard.findChild(DocumentDialog) is None)
        await press(wizard, "Next: First persona")
    await _persona(tour, program)
    await _keys(tour, program)
    await _log_in(tour, program)


async def _persona(tour: Tour, program: Program) -> None:
    wizard = _wizard(program)
    assert wizard is not None
    async with tour.step("a persona is written, and its file is there"):
        _write(wizard, "Name", NAME)
        _write(wizard, "Phone number", "12")
        await _pictures(tour, program, "persona")
        _write(wizard, "Phone number", PHONE)
        await press(wizard, "Next: Folders")
        await hand.until("the next step", lambda: wizard.steps[wizard.current()] is wizard.directories)
        assert (program.directories.config[0] / "agents" / f"{NAME}.md").is_file()
        await _pictures(tour, program, "directories")
        await press(wizard, "Next: Keys")


async def _keys(tour: Tour, program: Program) -> None:
    wizard = _wizard(program)
    assert wizard is not None
    async with tour.step("the keys, with what is wrong at its field"):
        _write(wizard, "API hash", "0123456789")
        await _pictures(tour, program, "keys")
        _write(wizard, "API hash", APPLICATION[1])
        _write(wizard, "API ID", APPLICATION[0])
        await press(wizard, "Skip for now")
        await hand.until("the next step", lambda: wizard.steps[wizard.current()] is wizard.login)
        await _pictures(tour, program, "log-in")


async def _log_in(tour: Tour, program: Program) -> None:
    wizard, models = _wizard(program), program.window.models
    assert wizard is not None
    async with tour.step("its account is logged in from here, and everything begins in review"):
        await press(wizard, f"Log {NAME} in")
        dialog = await hand.until("the log-in", lambda: program.window.lazy.logins.dialog)
        await hand.until("a picture to scan", lambda: (state := models.logins.state) is not None and state.qr)
        tour.picture(dialog, "first-run-log-in-dialog-light")
        dialog.reject()
        await hand.until("its end", lambda: program.window.lazy.logins.dialog is None)
        await press(wizard, "Skip for now")
        await _pictures(tour, program, "trust")
        await press(wizard, "Finish")
        await hand.until("the window alone", lambda: _wizard(program) is None)
        assert [agent.spec.name for agent in models.agents.items()] == [NAME]


def _wizard(program: Program) -> FirstRunDialog | None:
    return next((one for one in program.window.findChildren(FirstRunDialog) if one.isVisible()), None)


def _write(root: QWidget, name: str, text: str) -> None:
    field = next(one for one in root.findChildren(QLineEdit) if hand.begins(one.accessibleName(), name))
    field.clear()
    field.insert(text)
    field.textEdited.emit(text)


async def _pictures(tour: Tour, program: Program, name: str) -> None:
    wizard = _wizard(program)
    assert wizard is not None
    for look in schemes(tour, program):
        await still(wizard)
        tour.picture(wizard, f"first-run-{name}-{look}")
