"""The log-in by the real window: every key a real one, the real client, the sandbox at the other end (SPEC §10)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from chimein_gui import operator_hand as hand
from chimein_gui.directories import Directories
from chimein_gui.domain.preferences import Preferences
from chimein_gui.domain.sign_in import LoginStep
from chimein_gui.engine.sandbox_port import SandboxConsole
from chimein_gui.program import SANDBOX, Program, live
from chimein_gui.tour.stagehand import press
from chimein_gui.ui.dialogs.login.dialog import LoginDialog
from chimein_gui.ui.dialogs.question import QuestionDialog
from tests.e2e.log_ins import GUARDED, NAME, PASSWORD, write_agent

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

pytestmark = [
    pytest.mark.qt_loop,
    pytest.mark.gate_slow,
    pytest.mark.qt_log_ignore("plugin does not support"),  # a dialog is a window of its own
]

Key = Qt.Key


class Hands:
    """An operator before the dialog."""

    def __init__(self, program: Program) -> None:
        self.program = program
        assert program.running.sandbox is not None
        self.sandbox: SandboxConsole = program.running.sandbox

    @property
    def agents(self) -> QWidget:
        return self.program.window.panes["agents"]

    def dialog(self) -> LoginDialog | None:
        return self.program.window.late.logins.dialog

    async def open(self) -> None:
        """Press the pane's button as soon as it is offered."""
        self.program.window.show_pane("agents")
        found = await hand.until(
            "the log-in", lambda: hand.button(self.agents, "Log in ") or hand.button(self.agents, "Log in again ")
        )
        found.click()
        await hand.until("the dialog", self.dialog)

    async def at(self, step: LoginStep) -> None:
        def there() -> bool:
            state = self.program.window.models.logins.state
            return state is not None and state.step is step and not state.busy

        await hand.until(f"the page {step}", there)

    def type(self, text: str) -> None:
        """Type into what has the focus of the dialog."""
        QTest.keyClicks(self._focus(), text)

    def press(self, key: Qt.Key) -> None:
        QTest.keyClick(self._focus(), key)

    async def page(self, beginning: str) -> None:
        dialog = self.dialog()
        assert dialog is not None
        await press(dialog, beginning)

    async def picture(self) -> str:
        await hand.until("a picture", lambda: (state := self.program.window.models.logins.state) and state.qr)
        state = self.program.window.models.logins.state
        assert state is not None
        assert state.qr is not None
        return state.qr.url

    async def is_online(self) -> None:
        agents = self.agents.list  # type: ignore[attr-defined]
        await hand.until("it online", lambda: hand.row_with(agents, f"{NAME}, Online"))

    def _focus(self) -> QWidget:
        dialog = self.dialog()
        assert dialog is not None
        return dialog.focusWidget() or dialog


async def run(folder: Path, journey: Callable[[Hands], Awaitable[None]]) -> None:
    async def script(program: Program) -> int:
        program.window.activateWindow()
        await journey(Hands(program))
        return 0

    directories = Directories((write_agent(folder, GUARDED),), folder / "state")
    assert await live(SANDBOX, directories, script, Preferences()) == 0


async def test_number_code_and_password_by_the_keyboard(tmp_path: Path) -> None:
    async def journey(hands: Hands) -> None:
        await hands.open()
        await hands.picture()
        await hands.page("Use phone number")
        await hands.at(LoginStep.PHONE)
        hands.press(Key.Key_Return)  # the file's number stands there
        await hands.at(LoginStep.CODE)
        hands.press(Key.Key_Escape)
        question = await hand.until(
            "the question", lambda: next(iter(hands.program.window.findChildren(QuestionDialog)), None)
        )
        question.leave.click()
        code = (await hands.sandbox.login_codes())[0].code
        hands.type(code)
        await hands.at(LoginStep.PASSWORD)
        hands.type("four herons")
        hands.press(Key.Key_Return)
        state = hands.program.window.models.logins
        await hand.until("the refusal", lambda: state.state is not None and state.state.trouble)
        await hands.at(LoginStep.PASSWORD)
        hands.type(PASSWORD)
        hands.press(Key.Key_Return)
        await hands.at(LoginStep.DONE)
        await hands.is_online()
        hands.press(Key.Key_Return)
        await hand.until("the end", lambda: hands.dialog() is None)

    await run(tmp_path, journey)


async def test_a_picture_is_scanned_and_cancelled_before_it_leaves_nothing(tmp_path: Path) -> None:
    async def journey(hands: Hands) -> None:
        await hands.open()
        await hands.picture()
        hands.press(Key.Key_Escape)
        await hand.until("the end", lambda: hands.dialog() is None)
        await hands.open()
        await hands.sandbox.scan_login(await hands.picture(), GUARDED)
        await hands.at(LoginStep.PASSWORD)
        hands.type(PASSWORD)
        hands.press(Key.Key_Return)
        await hands.at(LoginStep.DONE)
        await hands.is_online()
        home = hands.program.directories.session(NAME).parent
        assert not list(home.glob("login-*"))
        hands.press(Key.Key_Escape)
        await hand.until("the end", lambda: hands.dialog() is None)

    await run(tmp_path, journey)


async def test_the_program_ends_in_the_middle_of_a_log_in(tmp_path: Path) -> None:
    async def journey(hands: Hands) -> None:
        await hands.open()
        await hands.picture()

    await run(tmp_path, journey)
    assert not list((tmp_path / "state" / NAME).glob("login-*"))
