"""The login dialog: head, the page of the current step, buttons. It shows only the engine's state."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLayout, QLineEdit, QStackedWidget, QVBoxLayout, QWidget

from chimein_gui.domain.accounts.sign_in import LoginState, LoginStep
from chimein_gui.ui.dialogs.login.application_page import ApplicationPage
from chimein_gui.ui.dialogs.login.busy_line import BusyLine
from chimein_gui.ui.dialogs.login.code_page import CodePage
from chimein_gui.ui.dialogs.login.done_page import DonePage
from chimein_gui.ui.dialogs.login.head import Head
from chimein_gui.ui.dialogs.login.password_page import PasswordPage
from chimein_gui.ui.dialogs.login.phone_page import PhonePage
from chimein_gui.ui.dialogs.login.qr_page import QrPage
from chimein_gui.ui.dialogs.login.wait_page import WaitPage
from chimein_gui.ui.dialogs.question import QuestionDialog
from chimein_gui.ui.widgets.controls.action_button import ActionButton, Kind
from chimein_gui.ui.widgets.controls.spoken_role import announce
from chimein_gui.ui.widgets.surfaces.surface import Surface
from chimein_gui.ui.widgets.text.labels import ElidedLabel
from chimein_gui.ui.widgets.theme.mirror import set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import GROUND, Face, Theme
from chimein_gui.viewmodels.accounts.login_words import work_words

if TYPE_CHECKING:
    from chimein_gui.ui.dialogs.login.page import Page
    from chimein_gui.viewmodels.accounts.agents import AgentListModel
    from chimein_gui.viewmodels.accounts.login import LoginModel

WIDTH, HEIGHT = 448, 396
FOOT = 56
_LINE, _LINES = 15.125, 12
"""Line height in px for which HEIGHT was designed, and the number of lines on the fullest page."""

translate = QCoreApplication.translate


class LoginDialog(QDialog):
    """Closes when the engine reports that the login is over. Open it with open().

    Attributes:
        pages: One page for each step.
    """

    _answered = Signal()

    def __init__(self, theme: Theme, model: LoginModel, agents: AgentListModel, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme, self._model, self._agents = theme, model, agents
        self._step: LoginStep | None = None
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setModal(True)
        self.setProperty(GROUND, "card")
        self._done = DonePage(theme, model, agents)
        self.head, self.busy = Head(theme), BusyLine(theme)
        self.pages: dict[LoginStep, Page] = {
            LoginStep.APPLICATION: ApplicationPage(theme, model),
            LoginStep.QR: QrPage(theme, model),
            LoginStep.PHONE: PhonePage(theme, model),
            LoginStep.CODE: CodePage(theme, model),
            LoginStep.PASSWORD: PasswordPage(theme, model),
            LoginStep.WAIT: WaitPage(theme, model),
            LoginStep.DONE: self._done,
        }
        self.stack = QStackedWidget()
        self.stack.setAccessibleName(translate("Login", "Step"))
        self.stack.addWidget(QWidget())  # shown until the engine reports a state
        for page in self.pages.values():
            self.stack.addWidget(page)
            for field in page.findChildren(QLineEdit):
                field.textChanged.connect(self._look)
        self._build()
        model.changed.connect(self._show)
        model.ticked.connect(self._show_times)
        model.ended.connect(self._end)
        model.failed.connect(self._fail)
        theme.fonts_changed.connect(self._fit)
        self._fit()
        self._name(translate("Login", "Log in"))
        self._show_nothing_yet()

    @property
    def page(self) -> Page:
        """The current page."""
        return self.pages[self._step or LoginStep.QR]

    @property
    def opens_chats(self) -> bool:
        """Whether the operator wants to see the account's chats next."""
        return self._done.opens_chats

    def reject(self) -> None:
        """Cancel the login, after a confirmation if a code would be lost.

        Escape, Cancel and the close button call this.
        """
        if not self._model.asks_before_leaving():
            self._model.cancel()
            return
        words = translate("Login", "The code you received will no longer work.")
        question = QuestionDialog(
            self._theme, translate("Login", "Stop logging in?"), words, translate("Login", "Stop"), self, icon="x"
        )
        question.agreed.connect(self._model.cancel)
        self._answered.connect(question.reject)
        question.open()

    def _build(self) -> None:
        theme = self._theme
        self.other = ActionButton(theme, "", kind=Kind.LINK)
        self.doing = ElidedLabel(theme, "", Face.SMALL, "text2")
        self.leave = ActionButton(theme, translate("Login", "Cancel"))
        self.go = ActionButton(theme, "", key="↵", kind=Kind.PRIMARY)
        self.go.setDefault(True)
        self.other.clicked.connect(lambda _checked=False: self.page.press_other())
        self.leave.clicked.connect(lambda _checked=False: self.reject())
        self.go.clicked.connect(lambda _checked=False: self.page.press())
        self._foot = Surface(theme, top_line="line")
        foot = QHBoxLayout(self._foot)
        set_rtl_margins(foot, 14, 0, 20, 0)
        foot.setSpacing(8)
        foot.addWidget(self.other)
        foot.addWidget(self.doing, 1)
        foot.addStretch(0)
        foot.addWidget(self.leave)
        foot.addWidget(self.go)
        column = QVBoxLayout(self)
        column.setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)  # the size is fixed, see _fit
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for part in (self.head, self.busy):
            column.addWidget(part)
        column.addWidget(self.stack, 1)
        column.addWidget(self._foot)
        self.setTabOrder(self.go, self.leave)
        self.setTabOrder(self.leave, self.other)

    def _show(self) -> None:
        state = self._model.state
        if state is None or state.step not in self.pages:
            return
        self.head.show_state(state, self._agents.find(state.agent_id))
        page = self.pages[state.step]
        page.show_state(state)
        page.setAccessibleName(", ".join(filter(None, (self.head.title.text(), self.head.subtitle.text()))))
        if not self._model.asks_before_leaving():
            self._answered.emit()  # the question is obsolete: the login is done
        if state.step is not self._step:
            self._turn_to(state.step, page)
        self.busy.say(work_words(state.busy))
        self.doing.setText(work_words(state.busy))
        self._look()
        if state.step is LoginStep.DONE and page.hasFocus():
            self.go.setFocus()  # nothing is lost by the next Return

    def _show_nothing_yet(self) -> None:
        """Show that the login is starting: the engine may still be ending a former login of this agent."""
        self.go.hide()
        self.other.hide()
        self.busy.say(translate("Login", "One moment…"))
        self.doing.setText(translate("Login", "One moment…"))
        self.leave.setFocus()

    def _turn_to(self, step: LoginStep, page: Page) -> None:
        self._step = step
        self.stack.setCurrentWidget(page)
        announce(page)
        page.entered()
        if step is not LoginStep.WAIT:
            # A rate limit is temporary: the inputs are still needed when it ends.
            for other in self.pages.values():
                if other is not page:
                    other.left()
        self._name(self.head.title.text())

    def _show_times(self) -> None:
        self.page.show_times()

    def _look(self) -> None:
        """Update the buttons for the current state."""
        state = self._model.state
        if state is None or self._step is None:
            return
        self._show_foot(state, self.page)

    def _show_foot(self, state: LoginState, page: Page) -> None:
        word, other = page.primary(state), page.other(state)
        if self.go.hasFocus() and (state.busy or not word):
            page.focus_place().setFocus()  # else Cancel gets the focus, and the next Return ends the login
        self.go.setVisible(bool(word))
        if word:
            self.go.set_look(word, kind=Kind.PRIMARY)
            self.go.allow(work_words(state.busy) or page.why_not())
        may_leave = bool(other) and (not state.busy or state.step is LoginStep.QR)
        self.other.setVisible(may_leave)
        self.other.setText(other)
        self.other.updateGeometry()
        self.doing.setVisible(not may_leave)
        self.leave.setVisible(state.step is not LoginStep.DONE)
        self.leave.set_look(
            translate("Login", "Close") if state.step is LoginStep.WAIT else translate("Login", "Cancel")
        )

    def _name(self, words: str) -> None:
        self.setWindowTitle(words)
        self.setAccessibleName(words)

    def _end(self) -> None:
        for page in self.pages.values():
            page.left()
        self.accept()

    def _fail(self, _reason: str) -> None:
        if self._model.state is None:
            self._end()  # the login did not start; a bar in the window says why

    def _fit(self) -> None:
        share = self._theme.percent / 100
        self.head.fit()
        self._foot.setFixedHeight(round(FOOT * share))
        # Some fonts have higher lines. The size never depends on the texts, as some are foreign.
        higher = max(0.0, self._theme.metrics(Face.BODY).height() - _LINE * share)
        self.setFixedSize(round(WIDTH * share), round(HEIGHT * share + _LINES * higher))
