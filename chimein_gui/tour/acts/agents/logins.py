"""A run of its own for the log-in: an agent whose account waits for one, through every page of the dialog."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QLineEdit

from chimein_gui import ui_driver as hand
from chimein_gui.domain.accounts.sign_in import LoginStep
from chimein_gui.domain.events import LoginChanged
from chimein_gui.domain.ids import Revision
from chimein_gui.sandbox_api import FaultKind, FaultRule
from chimein_gui.tour.driver import day_of, panes_of, press, schemes
from chimein_gui.ui.dialogs.question import QuestionDialog

if TYPE_CHECKING:
    from pathlib import Path

    from chimein_gui.program import Program
    from chimein_gui.sandbox_api import SandboxConsole
    from chimein_gui.tour.report import Tour
    from chimein_gui.ui.dialogs.login.dialog import LoginDialog

NAME, PHONE, PASSWORD = "Hanno Brügge", "+9996622002", "three herons"
"""One of the two accounts of the sandbox that wait for a log-in; this one has a password."""

_FIELDS = {
    "Agent Name": NAME,
    "Agent Phone": PHONE,
    "Role Prompt": "Person",
    "Agent Instructions": "You run a ferry that nobody needs any more, and you like it that way.",
}
_FLOOD_S = 6


def write_agent(directory: Path) -> None:
    """Write a config directory with the agent that is logged in here."""
    agents = directory / "agents"
    agents.mkdir(parents=True)
    text = "\n\n".join(f"# {heading}\n{value}" for heading, value in _FIELDS.items())
    (agents / f"{NAME}.md").write_text(f"{text}\n", encoding="utf-8")


async def play_logins(tour: Tour, program: Program) -> None:
    """Log in, page by page, and ask to log out again."""
    assert program.running.sandbox is not None
    await _open(tour, program)
    await _number(tour, program, program.running.sandbox)
    await _code_and_password(tour, program, program.running.sandbox)
    await _log_out(tour, program)


async def _open(tour: Tour, program: Program) -> None:
    window, pane = program.window, panes_of(program).agents
    async with tour.step("an account that is not logged in offers its log-in, and the picture to scan comes first"):
        window.show_pane("agents")
        index = await hand.until("the agent", lambda: hand.row_with(pane.list, f"{NAME}, Logged out"))
        pane.list.setCurrentIndex(index)
        await day_of(panes_of(program))
        for look in schemes(tour, program):
            tour.picture(pane, f"login-agents-{look}")
        await press(pane, f"Log in {NAME}")
        dialog = await hand.until("the dialog", lambda: window.lazy.logins.dialog)
        await hand.until("a picture", lambda: (state := window.models.logins.state) is not None and state.qr)
        _pictures(tour, program, dialog, "qr")
    async with tour.step("without API id and hash they are asked for"):
        shown = window.models.logins.state
        assert shown is not None
        # The sandbox has them: the page is shown with a state of our own, and put away again.
        for state in (replace(shown, step=LoginStep.APPLICATION, qr=None), shown):
            window.models.bridge.push(LoginChanged(state, Revision(0)))
            await _at(program, state.step)
            if state is not shown:
                _pictures(tour, program, dialog, "application")


async def _number(tour: Tour, program: Program, sandbox: SandboxConsole) -> None:
    dialog = _dialog(program)
    async with tour.step("the number, a wait that Telegram asks for, and back by itself"):
        await press(dialog, "Use phone number")
        await _at(program, LoginStep.PHONE)
        _pictures(tour, program, dialog, "phone")
        await sandbox.inject(FaultRule(FaultKind.FLOOD_WAIT, "auth.sendCode", seconds=_FLOOD_S, times=1))
        await press(dialog, "Send code")
        await _at(program, LoginStep.WAIT)
        _pictures(tour, program, dialog, "wait")
        await _at(program, LoginStep.PHONE)


async def _code_and_password(tour: Tour, program: Program, sandbox: SandboxConsole) -> None:
    dialog = _dialog(program)
    async with tour.step("a wrong code, the right one, a wrong password, the right one"):
        await press(dialog, "Send code")
        await _at(program, LoginStep.CODE)
        code = (await sandbox.login_codes())[0].code
        _pictures(tour, program, dialog, "code")
        _write(dialog, "".join(str((int(digit) + 1) % 10) for digit in code))
        await _wrong(program)
        _pictures(tour, program, dialog, "code-wrong")
        _write(dialog, code)
        await _at(program, LoginStep.PASSWORD)
        _write(dialog, "four herons")
        await press(dialog, "Log in")
        await _wrong(program)
        _pictures(tour, program, dialog, "password-wrong")
        _write(dialog, PASSWORD)
        await press(dialog, "Log in")
        await hand.until("its chats", lambda: _has_chats(program))
        _pictures(tour, program, dialog, "done")
        await press(dialog, "Done")
        await hand.until("the end of the dialog", lambda: program.window.lazy.logins.dialog is None)
        pane = panes_of(program).agents
        await hand.until("it online", lambda: hand.row_with(pane.list, f"{NAME}, Online"))


async def _log_out(tour: Tour, program: Program) -> None:
    window, pane = program.window, panes_of(program).agents
    async with tour.step("logging out asks first; afterwards the account can be logged in again"):
        await press(pane, f"Log {NAME} out")
        question = await hand.until("the question", lambda: _question(program))
        _pictures(tour, program, question, "log-out")
        await press(question, "Log out")
        await hand.until("its end", lambda: hand.row_with(pane.list, f"{NAME}, Logged out"))
        await hand.until("the way back", lambda: hand.button(pane, f"Log in again {NAME}"))
        for look in schemes(tour, program):
            tour.picture(window, f"login-logged-out-{look}")


def _question(program: Program) -> QuestionDialog | None:
    return next((one for one in program.window.findChildren(QuestionDialog) if one.isVisible()), None)


def _dialog(program: Program) -> LoginDialog:
    dialog = program.window.lazy.logins.dialog
    assert dialog is not None
    return dialog


async def _at(program: Program, step: LoginStep) -> None:
    def there() -> bool:
        state = program.window.models.logins.state
        return state is not None and state.step is step and not state.busy

    await hand.until(f"the page {step}", there)


async def _wrong(program: Program) -> None:
    def is_shown() -> bool:
        state = program.window.models.logins.state
        return state is not None and state.trouble is not None and not state.busy

    await hand.until("what is wrong", is_shown)


def _write(dialog: LoginDialog, words: str) -> None:
    """Write into the page's field as a person would: letter by letter."""
    field = dialog.page.focus_place()
    assert isinstance(field, QLineEdit)
    field.selectAll()
    field.insert(words)
    field.textEdited.emit(field.text())


def _pictures(tour: Tour, program: Program, widget: LoginDialog | QuestionDialog, name: str) -> None:
    for look in schemes(tour, program):
        tour.picture(widget, f"login-{name}-{look}")


def _has_chats(program: Program) -> bool:
    state = program.window.models.logins.state
    return state is not None and state.signed_in is not None and bool(state.signed_in.chats)
