"""Who one talks with, as whom, and how much leaves by itself."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from chimein_gui.domain.chats import Chat, ChatKind
from chimein_gui.engine.trust import trust_now
from chimein_gui.ui.panes.conversations.trust_menu import open_trust_menu, trust_sign
from chimein_gui.ui.widgets import foreign_text, marks
from chimein_gui.ui.widgets.pane import PaneContext
from chimein_gui.ui.widgets.theme import Face
from chimein_gui.ui.widgets.verb_button import Kind, VerbButton


class ChatHeader(QWidget):
    """Painted in one go, but for the trust level, which is a button; a screen reader gets it as one sentence."""

    def __init__(self, context: PaneContext) -> None:
        super().__init__()
        self._context, self._theme = context, context.theme
        self._chat: Chat | None = None
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.trust = VerbButton(self._theme, "", icon="shield", kind=Kind.QUIET)
        self.trust.setParent(self)
        self.trust.clicked.connect(self._offer_trust)
        self.trust.hide()
        context.models.clock.ticked.connect(self._show_trust)
        context.theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        title = QFontMetricsF(self._theme.font(Face.TITLE)).height()
        small = QFontMetricsF(self._theme.font(Face.SMALL)).height()
        return QSize(300, max(56, round(title + small + 18)))

    def set_chat(self, chat: Chat | None) -> None:
        """Show a chat."""
        self._chat = chat
        if chat is not None:
            agent = self._context.models.chats.agent(chat.agent_id)
            self.setAccessibleName(
                self.tr("{who}, as {agent}, trust {trust}").format(
                    who=foreign_text.name(chat.info.title),
                    agent=foreign_text.name(agent.spec.name) if agent else "",
                    trust=trust_now(chat, self._context.models.clock.now()).value,
                )
            )
            self._show_trust()
        self.trust.setVisible(chat is not None)
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_trust()

    def _show_trust(self) -> None:
        """A time-boxed level ends by itself."""
        if self._chat is None:
            return
        sign = trust_sign(trust_now(self._chat, self._context.models.clock.now()))
        if sign.word != self.trust.text():
            self.trust.set_look(sign.word, icon=sign.icon, kind=Kind.QUIET)
            self.trust.setAccessibleName(self.tr("Trust: {level}. Change").format(level=sign.word))
            self._place_trust()
            self.update()

    def _place_trust(self) -> None:
        size = self.trust.sizeHint()
        self.trust.setGeometry(
            self.width() - size.width() - 8, (self.height() - size.height()) // 2, size.width(), size.height()
        )

    def _offer_trust(self) -> None:
        if self._chat is not None:
            below = self.trust.mapToGlobal(self.trust.rect().bottomLeft())
            open_trust_menu(self._chat, self._context.models.chat_verbs, self, below)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.rect(), self._theme.color("pane"))
        painter.setPen(QPen(self._theme.color("line"), 1))
        painter.drawLine(QPointF(0, self.height() - 0.5), QPointF(self.width(), self.height() - 0.5))
        if self._chat is not None:
            self._paint_chat(painter, self._chat)
        painter.end()

    def _paint_chat(self, painter: QPainter, chat: Chat) -> None:
        theme, middle = self._theme, self.height() / 2
        title = foreign_text.name(chat.info.title)
        circle = QRectF(16, middle - 18, 36, 36)
        marks.draw_circle(painter, theme, circle, chat.info.title, group=chat.info.kind is not ChatKind.DM)
        right = self._paint_identity(painter, chat)
        left, width = 62.0, right - 62 - 14
        sub, token = self._sub_line(chat)
        height = QFontMetricsF(theme.font(Face.TITLE)).height()
        small = QFontMetricsF(theme.font(Face.SMALL)).height()
        top = middle - (small + 1) / 2 if sub else middle
        marks.draw_line(painter, theme.font(Face.TITLE), theme.color("text1"), QPointF(left, top), title, width)
        if sub:
            below = QPointF(left, top + height / 2 + small / 2 + 1)
            marks.draw_line(painter, theme.font(Face.SMALL), theme.color(token), below, sub, width)

    def _sub_line(self, chat: Chat) -> tuple[str, str]:
        if self._context.models.chats.is_typing(chat.chat_id):
            return self.tr("typing…"), "accent_text"
        if chat.info.username:
            return "@" + foreign_text.name(chat.info.username), "text3"
        return "", "text3"

    def _paint_identity(self, painter: QPainter, chat: Chat) -> float:
        """Paint "as [N] Nora Vale" beside the trust level; return where that begins."""
        theme, middle = self._theme, self.height() / 2
        agent = self._context.models.chats.agent(chat.agent_id)
        right = self.trust.geometry().left() - 10.0
        if agent is None or self.width() < 430:
            return right
        name = foreign_text.name(agent.spec.name)
        font = theme.font(Face.STRONG)
        width = min(QFontMetricsF(font).horizontalAdvance(name), self.width() * 0.26)
        marks.draw_line(painter, font, theme.color("text1"), QPointF(right - width, middle), name, width + 1)
        right -= width + 7 + 20
        marks.draw_square(painter, theme, QRectF(right, middle - 10, 20, 20), agent.spec.name, agent.identity)
        word = self.tr("as")
        width = QFontMetricsF(theme.font(Face.SMALL)).horizontalAdvance(word)
        right -= width + 8
        marks.draw_line(painter, theme.font(Face.SMALL), theme.color("text2"), QPointF(right, middle), word)
        return right
