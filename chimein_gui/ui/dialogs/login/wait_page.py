"""The page for a rate limit of Telegram: how long it still lasts."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from chimein_gui.domain.accounts.sign_in import LoginState, LoginStep
from chimein_gui.ui.dialogs.login.page import SIDE, Page, larger
from chimein_gui.ui.widgets.controls.spoken_role import speak_as_words
from chimein_gui.ui.widgets.text.labels import PlainLabel
from chimein_gui.ui.widgets.theme import icons
from chimein_gui.ui.widgets.theme.mirror import follow_layout, set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import Face, Theme
from chimein_gui.viewmodels.accounts.login import LoginModel

RING = 124
_LINE = 9
_WHOLE = 360 * 16


class WaitRing(QWidget):
    """The remaining time, as an arc and in words."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._left = self._until = ""
        self._share = 1.0
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        speak_as_words(self)
        theme.changed.connect(self.update)

    def show_left(self, left: str, until: str, share: float) -> None:
        """Show the remaining time, the time of day when it ends, and the remaining share from 0 to 1."""
        self._left, self._until, self._share = left, self.tr("until {time}").format(time=until), share
        self.setAccessibleName(self.tr("{left} left, {until}").format(left=left, until=self._until))
        self.update()

    def sizeHint(self) -> QSize:
        side = round(RING * self._theme.percent / 100)
        return QSize(side, side)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ring = QRectF(self.rect()).adjusted(_LINE, _LINE, -_LINE, -_LINE)
        painter.setPen(QPen(self._theme.color("track"), _LINE))
        painter.drawEllipse(ring)
        pen = QPen(self._theme.color("info"), _LINE)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        painter.setPen(pen)
        painter.drawArc(ring, 90 * 16, -round(_WHOLE * self._share))
        middle = ring.center().y()
        painter.setPen(self._theme.color("text1"))
        painter.setFont(larger(self._theme, Face.TITLE, 20 / 15))
        centre = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(QRectF(ring.left(), middle - 24, ring.width(), 28), centre, self._left)
        painter.setPen(self._theme.color("text2"))
        painter.setFont(self._theme.font(Face.SMALL))
        painter.drawText(QRectF(ring.left(), middle + 6, ring.width(), 18), centre, self._until)
        painter.end()


class _Ticked(QWidget):
    """A check mark and a sentence."""

    def __init__(self, theme: Theme, words: str) -> None:
        super().__init__()
        self._theme = theme
        label = PlainLabel(theme, words)
        label.setWordWrap(True)
        row = QHBoxLayout(self)
        set_rtl_margins(row, 22, 0, 0, 0)
        row.addWidget(label)
        theme.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        follow_layout(painter, self)
        at = QPointF(0, 2)
        icons.draw(painter, "check", self._theme.color("ok"), QRectF(at.x(), at.y(), 14, 14))
        painter.end()


class WaitPage(Page):
    """Shows the rate limit. It has no button to retry, because the login goes on by itself."""

    def __init__(self, theme: Theme, model: LoginModel) -> None:
        super().__init__(theme, model)
        self.ring = WaitRing(theme)
        words = QVBoxLayout()
        words.setSpacing(12)
        words.addWidget(_Ticked(theme, self.tr("When the time is up, the login continues automatically.")))
        words.addWidget(_Ticked(theme, self.tr("You can close this and log in later.")))
        words.addStretch(1)
        row = QHBoxLayout()
        row.setSpacing(28)
        row.addWidget(self.ring, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(words, 1)
        set_rtl_margins(self.column, 36, 32, SIDE, 12)
        self.column.addLayout(row)
        self.column.addStretch(1)

    def show_state(self, state: LoginState) -> None:
        self.show_times()

    def show_times(self) -> None:
        self.ring.show_left(*self.model.wait_left())

    def other(self, state: LoginState) -> str:
        if state.back_to in (LoginStep.PHONE, LoginStep.CODE):
            return self.tr("Use QR instead")
        return self.tr("Use phone number") if state.back_to is LoginStep.QR else ""

    def press_other(self) -> None:
        state = self.model.state
        if state is not None and state.back_to is LoginStep.QR:
            self.model.use_phone()
        else:
            self.model.use_qr()
