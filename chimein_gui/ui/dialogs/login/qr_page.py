"""The page with a QR code, which makes a code unnecessary."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from chimein_gui.domain.accounts.sign_in import LoginState, SignInTrouble
from chimein_gui.ui.dialogs.login.page import Page
from chimein_gui.ui.dialogs.login.qr_picture import QrPicture
from chimein_gui.ui.dialogs.login.time_line import TimeLine
from chimein_gui.ui.widgets.text.labels import PlainLabel
from chimein_gui.ui.widgets.theme.mirror import from_leading_edge, set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import Face, Theme
from chimein_gui.viewmodels.accounts.login import LoginModel
from chimein_gui.viewmodels.accounts.login_words import picture_steps, work_words

_DISC = 20


class _Step(QWidget):
    """A numbered instruction."""

    def __init__(self, theme: Theme, number: int, words: str) -> None:
        super().__init__()
        self._theme, self._number = theme, number
        label = PlainLabel(theme, words, Face.BODY)
        label.setWordWrap(True)
        row = QHBoxLayout(self)
        set_rtl_margins(row, _DISC + 10, 0, 0, 0)
        row.addWidget(label)
        theme.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        disc = from_leading_edge(self, 0, 0, _DISC, _DISC)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color("raised"))
        painter.drawEllipse(disc)
        painter.setPen(self._theme.color("text2"))
        painter.setFont(self._theme.font(Face.SMALL_STRONG))
        painter.drawText(disc, Qt.AlignmentFlag.AlignCenter, str(self._number))
        painter.end()


class QrPage(Page):
    """The QR code at the leading edge, and the instructions beside it; an error replaces the instructions."""

    def __init__(self, theme: Theme, model: LoginModel) -> None:
        super().__init__(theme, model)
        self.picture = QrPicture(theme)
        self.picture.setAccessibleName(self.tr("QR code to scan with the phone of this account"))
        spoken = (f"{place}. {words}." for place, words in enumerate(picture_steps(), 1))
        self.picture.setAccessibleDescription(" ".join(spoken))
        self.steps = QWidget()
        steps = QVBoxLayout(self.steps)
        steps.setContentsMargins(0, 4, 0, 0)
        steps.setSpacing(12)
        for place, words in enumerate(picture_steps(), 1):
            steps.addWidget(_Step(theme, place, words))
        self.time = TimeLine(theme)
        side = QVBoxLayout()
        side.setSpacing(8)
        side.addWidget(self.steps)
        side.addWidget(self.trouble)
        side.addStretch(1)
        side.addWidget(self.time)
        row = QHBoxLayout()
        row.setSpacing(20)
        row.addWidget(self.picture, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(side, 1)
        set_rtl_margins(self.column, 24, 16, 20, 12)
        self.column.addLayout(row, 1)

    def show_state(self, state: LoginState) -> None:
        super().show_state(state)
        failed = state.trouble is not None and not state.busy
        self.picture.show_text(state.qr.url if state.qr is not None else "", failed=failed)
        self.steps.setVisible(state.trouble is None)
        self.show_times()

    def show_times(self) -> None:
        left = self.model.picture_left()
        state = self.model.state
        doing = work_words(state.busy if state is not None else None)
        self.time.say(self.tr("New code in {time}").format(time=left) if left else doing)

    def left(self) -> None:
        self.picture.show_text("")

    def primary(self, state: LoginState) -> str:
        if state.trouble is None or state.busy:
            return ""
        if self.model.can_save_again():
            return self.tr("Save again")
        expired = state.trouble in (SignInTrouble.QR_EXPIRED, SignInTrouble.OTHER_ACCOUNT_HERE)
        return self.tr("Show a new code") if expired else self.tr("Try again")

    def press(self) -> None:
        self.model.try_again()

    def other(self, state: LoginState) -> str:
        return self.tr("Use phone number")

    def press_other(self) -> None:
        self.model.use_phone()
