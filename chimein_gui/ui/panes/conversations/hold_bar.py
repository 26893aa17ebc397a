"""This chat, or its account, is held: nothing leaves here, and the way back."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from chimein_gui.domain.chats import Chat
from chimein_gui.domain.holds import Hold, HoldScope
from chimein_gui.ui.pane import PaneContext
from chimein_gui.ui.widgets.controls.verb_button import VerbButton
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.labels import ElidedLabel
from chimein_gui.ui.widgets.theme.mirror import set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import Face


class HoldBar(QWidget):
    """Stands below the head while a brake of its own is on; that of everything has a bar across the window."""

    def __init__(self, context: PaneContext) -> None:
        super().__init__()
        self._context, self._theme = context, context.theme
        self._chat: Chat | None = None
        self._hold: Hold | None = None
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._words = ElidedLabel(context.theme, "", Face.SMALL_STRONG, "attention")
        self.release = VerbButton(context.theme, self.tr("Release…"), icon="play")
        self.release.clicked.connect(self._release)
        row = QHBoxLayout(self)
        set_rtl_margins(row, 18, 5, 16, 5)
        row.setSpacing(10)
        row.addWidget(self._words, 1)
        row.addWidget(self.release, 0, Qt.AlignmentFlag.AlignVCenter)
        context.models.holds.changed.connect(self._look)
        context.theme.changed.connect(self.update)
        self.hide()

    def set_chat(self, chat: Chat | None) -> None:
        """Show whether a chat is held."""
        self._chat = chat
        self._look()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.color("attention_soft"))
        painter.end()

    def _look(self) -> None:
        chat, models = self._chat, self._context.models
        fitting = [hold for hold in models.holds.holds if hold.scope is not HoldScope.ALL]
        mine = [hold for hold in fitting if chat and hold.covers(chat.info.account_id, chat.chat_id)]
        self._hold = mine[0] if mine else None
        self.setVisible(self._hold is not None)
        if chat is None or self._hold is None:
            return
        agent = models.chats.agent(chat.agent_id)
        name = foreign_text.isolated(agent.spec.name) if agent is not None else ""
        words = self.tr("You hold this chat: nothing is sent, plans are still made")
        if self._hold.scope is HoldScope.ACCOUNT:
            words = self.tr("You hold {agent}: nothing is sent, plans are still made").format(agent=name)
        reason = f" ({foreign_text.line(self._hold.reason, 80)})" if self._hold.reason else ""
        self._words.setText(words + reason)
        self.setAccessibleName(words + reason)
        self.release.setAccessibleName(self.tr("Release: nothing is sent by this"))

    def _release(self) -> None:
        if self._hold is not None:
            self._context.models.holds.release(self._hold.scope, self._hold.target)
