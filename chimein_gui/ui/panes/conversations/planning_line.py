"""Says that a plan is being made for this chat; why one could not be made stands above the drafts."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from chimein_gui.domain.chats import Chat
from chimein_gui.ui.widgets import foreign_text, marks
from chimein_gui.ui.widgets.marks import Sign
from chimein_gui.ui.widgets.pane import PaneContext
from chimein_gui.ui.widgets.theme import Face


class PlanningLine(QWidget):
    """One line on the transcript's ground, hidden while there is nothing to say."""

    def __init__(self, context: PaneContext) -> None:
        super().__init__()
        self._context, self._theme = context, context.theme
        self._sign: Sign | None = None
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        context.theme.changed.connect(self.update)
        self.hide()

    def sizeHint(self) -> QSize:
        return QSize(200, round(QFontMetricsF(self._theme.font(Face.SMALL)).height() + 16))

    def set_chat(self, chat: Chat | None) -> None:
        """Say what goes on in a chat."""
        self._sign = None
        if chat is not None and chat.planning:
            agent = self._context.models.chats.agent(chat.agent_id)
            name = foreign_text.isolated(agent.spec.name) if agent else ""
            self._sign = Sign("spinner", self.tr("{agent} is planning…").format(agent=name), "info")
        self.setVisible(self._sign is not None)
        self.setAccessibleName(self._sign.word if self._sign is not None else "")
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.color("chat"))
        if self._sign is not None:
            font = self._theme.font(Face.SMALL_STRONG)
            room = self.width() - 60.0
            word = QFontMetricsF(font).elidedText(self._sign.word, Qt.TextElideMode.ElideRight, room)
            sign = Sign(self._sign.icon, word, self._sign.token)
            width = marks.mark_width(self._theme, word, Face.SMALL_STRONG)
            place = QPointF(self.width() - 22 - width, self.height() / 2)
            marks.draw_mark(painter, self._theme, place, sign, self._theme.color(sign.token), Face.SMALL_STRONG)
        painter.end()
