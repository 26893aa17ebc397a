"""The head of the login dialog: the agent, and the progress."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from chimein_gui.domain.accounts.sign_in import LoginState, LoginStep
from chimein_gui.ui.dialogs.login.page import larger
from chimein_gui.ui.widgets.text.labels import ElidedLabel
from chimein_gui.ui.widgets.theme import icons, marks
from chimein_gui.ui.widgets.theme.mirror import follow_layout, set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import FACE_OF, Face, Theme
from chimein_gui.viewmodels.accounts.login_words import STEPS, subtitle_of, title_of

if TYPE_CHECKING:
    from chimein_gui.domain.agents import Agent

HEIGHT = 80
_STRIPE, _SQUARE = 3, 36
_MARK, _MARKS, _MARK_GAP = 22, 3, 4
_ICONS = {LoginStep.WAIT: ("hourglass", "info"), LoginStep.DONE: ("ok-circle", "ok")}


class Head(QWidget):
    """The agent's avatar and colour, the title, and how many of the three steps are done."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._name, self._identity, self._step = "", 0, LoginStep.CLOSED
        self.title = ElidedLabel(theme, "", Face.TITLE)
        self.subtitle = ElidedLabel(theme, "", Face.SMALL, "text2")
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addStretch(1)
        words.addWidget(self.title)
        below = QHBoxLayout()
        below.addWidget(self.subtitle)
        below.addSpacing(_MARKS * (_MARK + _MARK_GAP))
        words.addLayout(below)
        words.addStretch(1)
        row = QHBoxLayout(self)
        set_rtl_margins(row, 20 + _SQUARE + 12, _STRIPE, 20, 0)
        row.addLayout(words)
        self.fit()
        theme.changed.connect(self.update)

    def fit(self) -> None:
        """Adapt the height to the text size."""
        self.title.setProperty(FACE_OF, None)  # else the next change of colours gives it the face's own size again
        self.title.setFont(larger(self._theme, Face.TITLE, 17 / 15))
        self._theme.apply(self.subtitle, Face.SMALL)
        self.setFixedHeight(round(HEIGHT * self._theme.percent / 100))

    def show_state(self, state: LoginState, agent: Agent | None) -> None:
        """Show the title and progress of a state."""
        self._name, self._step = state.name, state.step
        self._identity = agent.identity if agent is not None else 0
        self.title.setText(title_of(state))
        self.subtitle.setText(subtitle_of(state, agent))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        theme = self._theme
        painter.fillRect(QRectF(0, 0, self.width(), _STRIPE), theme.identity(self._identity))
        painter.fillRect(QRectF(0, self.height() - 1, self.width(), 1), theme.color("line"))
        follow_layout(painter, self)
        square = QRectF(20, (self.height() + _STRIPE - _SQUARE) / 2, _SQUARE, _SQUARE)
        icon = _ICONS.get(self._step)
        if icon is None and self._name:
            marks.draw_square(painter, theme, square, self._name, self._identity)
        elif icon is not None:
            icons.draw(painter, icon[0], theme.color(icon[1]), square.adjusted(6, 6, -6, -6))
        self._paint_marks(painter)
        painter.end()

    def _paint_marks(self, painter: QPainter) -> None:
        done = STEPS.get(self._step, 0)
        if not done:
            return
        painter.setPen(Qt.PenStyle.NoPen)
        left = self.width() - 20 - _MARKS * _MARK - (_MARKS - 1) * _MARK_GAP
        top = self.subtitle.geometry().center().y() - 1
        for place in range(_MARKS):
            painter.setBrush(self._theme.color("accent" if place < done else "track"))
            painter.drawRoundedRect(QRectF(left + place * (_MARK + _MARK_GAP), top, _MARK, 4), 2, 2)
