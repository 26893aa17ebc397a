"""An operator before the log-in dialog of a live run: presses and types, and reads what is shown."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog

from chimein_gui import ui_driver as hand
from chimein_gui.domain.accounts.sign_in import LoginStep
from chimein_gui.engine.core.clock import SystemClock
from chimein_gui.sandbox_api import FaultKind, FaultRule
from chimein_gui.tour.driver import press
from chimein_gui.ui.dialogs.question import QuestionDialog

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractAsyncContextManager

    from PySide6.QtWidgets import QAbstractButton, QWidget

    from chimein_gui.program import Program
    from chimein_gui.ui.dialogs.login.dialog import LoginDialog
    from chimein_gui.ui.dialogs.login.page import Page
    from tests.e2e.live_alike import Outdoors

PLAIN, GUARDED, STRANGER, MADE_TO_WAIT = "+9996622001", "+9996622002", "+9996629999", "+9996629998"
PASSWORD, HINT = "three herons", "birds, and how many"


class HurriedClock(SystemClock):
    """The machine's clock, whose waits can be made shorter and whose hands can be moved.

    Attributes:
        share: How long a wait really takes, of what was asked for.
        ahead: How far its hands were moved.
    """

    share = 1.0
    ahead = timedelta()

    def now(self) -> datetime:
        return super().now() + self.ahead

    def timeout(self, seconds: float) -> AbstractAsyncContextManager[object]:
        return super().timeout(seconds * self.share)


class Screen:
    """What is in sight."""

    def __init__(self, program: Program, outdoors: Outdoors) -> None:
        self.program, self.outdoors, self.console = program, outdoors, outdoors.console
        self.clock = HurriedClock()
        logins = program.running.engine.logins
        assert logins._room is not None
        logins._room = replace(logins._room, clock=self.clock)

    @property
    def agents(self) -> QWidget:
        return self.program.window.pane("agents")

    def dialog(self) -> LoginDialog | None:
        return self.program.window.lazy.logins.dialog

    @property
    def open_dialog(self) -> LoginDialog:
        found = self.dialog()
        assert found is not None
        return found

    @property
    def page(self) -> Page:
        return self.open_dialog.page

    async def choose(self, name: str, health: str) -> None:
        """Wait for an agent to be well or not, and choose it."""
        self.program.window.show_pane("agents")
        agents = self.agents.list  # type: ignore[attr-defined]
        found = await hand.until(f"{name}, {health}", lambda: hand.row_with(agents, f"{name}, {health}"))
        agents.setCurrentIndex(QModelIndex(found))

    async def question(self) -> QuestionDialog:
        window = self.program.window
        return await hand.until(
            "a question", lambda: next((q for q in window.findChildren(QuestionDialog) if q.isVisible()), None)
        )

    async def at(self, step: LoginStep) -> None:
        """Wait for a page on which it is the operator's turn."""

        def there() -> bool:
            dialog, state = self.dialog(), self.program.window.models.logins.state
            shown = dialog is not None and dialog.page is dialog.pages[step] and dialog.page.isVisible()
            return shown and state is not None and state.step is step and not state.busy

        await self._until(f"the page {step}", there)

    async def told(self, words: str) -> None:
        """Wait for what did not work, in words under the field."""

        def said() -> bool:
            dialog, state = self.dialog(), self.program.window.models.logins.state
            if dialog is None or state is None or state.busy:
                return False
            line = dialog.page.trouble
            return line.isVisible() and words in line.words()

        await self._until(f"the words {words!r}", said)

    async def _until(self, what: str, condition: Callable[[], bool]) -> None:
        try:
            await hand.until(what, condition)
        except hand.NotSeenError as error:
            raise hand.NotSeenError(f"{error}; {self.program.window.models.logins.state}") from None

    async def picture(self) -> str:
        """Wait for a picture; returns what is in it."""
        models = self.program.window.models

        def shown() -> str:
            state, page = models.logins.state, self.open_dialog.pages[LoginStep.QR]
            is_drawn = page.isVisible() and page.picture.squares  # type: ignore[attr-defined]
            return state.qr.url if is_drawn and state is not None and state.qr is not None else ""

        return await hand.until("a picture", shown)

    async def closed(self) -> None:
        await hand.until("the dialog gone", lambda: self.dialog() is None)

    def left_over(self) -> list[str]:
        """Return what log-ins have left in the state directory."""
        return sorted(str(file) for file in self.program.directories.state.glob("*/login-*"))

    async def nothing_left(self) -> None:
        """Wait until a log-in that was left is taken back: the dialog does not wait for that."""
        await hand.until("nothing left", lambda: not self.left_over())


class Hands(Screen):
    """What the operator does."""

    async def open(self, name: str, health: str = "Logged out") -> None:
        """Press the pane's button."""
        await self.choose(name, health)

        def offered() -> QAbstractButton | None:
            return hand.button(self.agents, f"Log in {name}") or hand.button(self.agents, f"Log in again {name}")

        (await hand.until("its button", offered)).click()
        await hand.until("the dialog", self.dialog)

    async def log_out(self, name: str) -> None:
        """Log an agent out, with its question."""
        await self.choose(name, "Online")
        await press(self.agents, f"Log {name} out")
        (await self.question()).action.click()
        await self.choose(name, "Logged out")

    async def press(self, words: str) -> None:
        await press(self.open_dialog, words)

    def type(self, text: str) -> None:
        """Replace what stands in the field that has the focus."""
        field = self.open_dialog.focusWidget()
        assert field is not None
        QTest.keyClick(field, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
        QTest.keyClicks(field, text)

    def enter(self, text: str = "") -> None:
        """Type, where there is something to type, and press Return."""
        if text:
            self.type(text)
        QTest.keyClick(self.open_dialog.focusWidget() or self.open_dialog, Qt.Key.Key_Return)

    def escape(self) -> None:
        QTest.keyClick(self.open_dialog.focusWidget() or self.open_dialog, Qt.Key.Key_Escape)

    async def cancel(self) -> None:
        """Leave, whatever it takes."""
        self.open_dialog.leave.click()
        window = self.program.window
        asks = [one for one in window.findChildren(QuestionDialog) if one.isVisible()]
        for question in asks:
            question.action.click()
        await self.closed()

    async def to_phone(self, name: str, health: str = "Logged out") -> None:
        await self.open(name, health)
        await self.picture()
        await self.press("Use phone number")
        await self.at(LoginStep.PHONE)

    async def to_code(self, name: str, phone: str, health: str = "Logged out") -> str:
        """Let a code be sent; returns it."""
        await self.to_phone(name, health)
        self.enter(phone)
        await self.at(LoginStep.CODE)
        return await self.code(phone)

    async def code(self, phone: str) -> str:
        return next(one.code for one in await self.console.login_codes() if one.phone == phone)

    async def done(self, name: str) -> None:
        """Wait for the end of it, read it, and close it."""
        await self.at(LoginStep.DONE)
        assert hand.seen(self.open_dialog.windowTitle()) == f"{name} is logged in"
        self.enter()
        await self.closed()
        await self.choose(name, "Online")

    async def strike(self, kind: FaultKind, method: str = "", **more: object) -> int:
        return await self.console.inject(FaultRule(kind, method, **more))  # type: ignore[arg-type]

    async def tidy(self) -> None:
        """Make way for the next branch, whatever became of this one."""
        self.clock.share, self.clock.ahead = 1.0, timedelta()
        await self.console.clear_faults()
        if self.dialog() is not None:
            await self.cancel()
        for other in self.program.window.findChildren(QDialog):
            if other.isVisible():
                other.reject()


def wrong(code: str) -> str:
    """Return another code."""
    return "".join(str((int(digit) + 1) % 10) for digit in code)
