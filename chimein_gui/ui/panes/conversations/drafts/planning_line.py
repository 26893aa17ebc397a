"""Says that a plan is being made for this chat, since when, and lets it be given up.

Why a plan could not be made stands above the drafts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from chimein_gui.domain.chats import Chat
from chimein_gui.ui.pane import PaneContext
from chimein_gui.ui.widgets.controls.verb_button import Kind, VerbButton
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.elision import elided
from chimein_gui.ui.widgets.theme import icons, marks
from chimein_gui.ui.widgets.theme.mirror import follow_layout, leading_edge
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.drafts.plan_chain import duration

if TYPE_CHECKING:
    from datetime import datetime

    from chimein_gui.domain.ids import ChatId

_ICON = 15.0


class PlanningLine(QWidget):
    """One line on the transcript's ground, hidden while there is nothing to say."""

    def __init__(self, context: PaneContext) -> None:
        super().__init__()
        self._context, self._theme = context, context.theme
        self._chat: Chat | None = None
        self._since: dict[ChatId, datetime] = {}
        self._words = ""
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.cancel = VerbButton(self._theme, self.tr("Cancel"), icon="x", kind=Kind.QUIET)
        self.cancel.clicked.connect(context.models.waits.cancel_planning)
        row = QHBoxLayout(self)
        row.setContentsMargins(20, 2, 20, 2)
        row.addStretch(1)
        row.addWidget(self.cancel)
        context.models.chats.chats_changed.connect(self._note)
        context.models.waits.steps_changed.connect(self._tick)
        context.models.clock.ticked.connect(self._tick)
        context.theme.changed.connect(self.update)
        self.hide()

    def sizeHint(self) -> QSize:
        return QSize(200, max(super().sizeHint().height(), round(self._theme.metrics(Face.SMALL).height() + 16)))

    def minimumSizeHint(self) -> QSize:
        return QSize(120, self.sizeHint().height())

    def set_chat(self, chat: Chat | None) -> None:
        """Say what goes on in a chat."""
        self._chat = chat
        if chat is not None:
            self._note(frozenset({chat.chat_id}))
        self._tick()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = QPainter(self), self._theme
        painter.fillRect(self.rect(), theme.color("chat"))
        font, color, middle = Face.SMALL_STRONG, theme.color("info"), self.height() / 2
        follow_layout(painter, self)
        room = leading_edge(self.cancel) - 28.0 if not self.cancel.isHidden() else self.width() - 44.0
        words = elided(theme.metrics(font), self._words, room - _ICON - 26)
        right = room + 22
        left = right - theme.metrics(font).horizontalAdvance(words) - 6
        marks.draw_line(painter, theme.font(font), color, QPointF(left, middle), words)
        icons.draw(painter, "spinner", color, QRectF(left - _ICON - 6, middle - _ICON / 2, _ICON, _ICON))
        painter.end()

    def _note(self, changed: frozenset[ChatId]) -> None:
        """Remember since when each chat is planned for: nobody tells."""
        chats, now = self._context.models.chats, self._context.models.clock.now()
        for chat_id in changed:
            chat = chats.chat(chat_id)
            if chat is not None and chat.planning:
                self._since.setdefault(chat_id, now)
            else:
                self._since.pop(chat_id, None)

    def _tick(self) -> None:
        chat, models = self._chat, self._context.models
        self.setVisible(chat is not None and chat.planning)
        if chat is None or not chat.planning:
            self.setAccessibleName("")
            return
        agent = models.chats.agent(chat.agent_id)
        name = foreign_text.isolated(agent.spec.name) if agent else ""
        since = self._since.get(chat.chat_id)
        seconds = (models.clock.now() - since).total_seconds() if since is not None else 0.0
        words = self.tr("{agent} is planning…").format(agent=name)
        self._words = f"{words} {duration(seconds)}" if seconds >= 1 else words
        self.cancel.setVisible(models.waits.in_the_making() is not None)
        self.cancel.setAccessibleName(self.tr("Cancel this plan; its messages count as answered"))
        self.setAccessibleName(words)
        self.update()
