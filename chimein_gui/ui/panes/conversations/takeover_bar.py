"""The agent pauses in this chat because the operator writes himself: how long, and the way back."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from chimein_gui.domain.chats import Chat
from chimein_gui.ui.pane import PaneContext
from chimein_gui.ui.widgets.controls.verb_button import VerbButton
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.labels import ElidedLabel
from chimein_gui.ui.widgets.theme.mirror import set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import Face


class TakeoverBar(QWidget):
    """Stands below the header while the pause lasts."""

    def __init__(self, context: PaneContext) -> None:
        super().__init__()
        self._context, self._theme = context, context.theme
        self._chat: Chat | None = None
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._words = ElidedLabel(context.theme, "", Face.SMALL_STRONG, "info")
        self.resume = VerbButton(context.theme, self.tr("Resume"), icon="play")
        self.resume.clicked.connect(self._resume)
        row = QHBoxLayout(self)
        set_rtl_margins(row, 18, 5, 16, 5)
        row.setSpacing(10)
        row.addWidget(self._words, 1)
        row.addWidget(self.resume, 0, Qt.AlignmentFlag.AlignVCenter)
        context.models.clock.ticked.connect(self._tick)
        context.theme.changed.connect(self.update)
        self.hide()

    def set_chat(self, chat: Chat | None) -> None:
        """Show whether a chat is paused."""
        self._chat = chat
        self._tick()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.color("info_soft"))
        painter.end()

    def _tick(self) -> None:
        chat, clock = self._chat, self._context.models.clock
        until = chat.takeover_until if chat is not None else None
        paused = until is not None and until > clock.now()
        self.setVisible(paused)
        if chat is None or until is None or not paused:
            return
        agent = self._context.models.chats.agent(chat.agent_id)
        name = foreign_text.isolated(agent.spec.name) if agent is not None else ""
        words = self.tr("You took over: {agent} pauses, {time} left").format(agent=name, time=clock.left(until))
        self._words.setText(words)
        self.setAccessibleName(words)
        self.resume.setAccessibleName(self.tr("Resume {agent}").format(agent=name))

    def _resume(self) -> None:
        if self._chat is not None:
            self._context.models.chat_commands.resume(self._chat.chat_id)
