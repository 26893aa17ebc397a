"""A placeholder below the messages while the agent is planning or typing.

Why a plan failed is shown above the drafts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, QTimer
from PySide6.QtGui import QColor, QHideEvent, QPainter, QPaintEvent, QPen, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from chimein_gui.domain.chats import Chat
from chimein_gui.ui.pane import PaneContext
from chimein_gui.ui.widgets.controls.action_button import ActionButton, Kind
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.elision import elided
from chimein_gui.ui.widgets.theme import marks
from chimein_gui.ui.widgets.theme.mirror import follow_layout, leading_edge
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.drafts.plan_chain import duration

if TYPE_CHECKING:
    from datetime import datetime

    from chimein_gui.domain.ids import ChatId

_STEP_MS = 400
"""How long each of the three dots is highlighted, ms."""

_PAD = 13.0
_DOTS = 20.0
_STRIPE = 4.0
_EDGE = 20


class Ghost(QWidget):
    """A dashed outline with three dots and one line; hidden while the agent does neither.

    Attributes:
        cancel: The button that cancels planning.
        motion: Timer of the dots; runs only while they are visible, and not with reduced motion.
    """

    def __init__(self, context: PaneContext) -> None:
        super().__init__()
        self._context, self._theme = context, context.theme
        self._chat: Chat | None = None
        self._since: dict[ChatId, datetime] = {}
        self._words, self._identity, self._bright = "", 0, 0
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.cancel = ActionButton(self._theme, self.tr("Cancel"), icon="x", kind=Kind.QUIET)
        self.cancel.clicked.connect(context.models.waits.cancel_planning)
        self.motion = QTimer(self)
        self.motion.setInterval(_STEP_MS)
        self.motion.timeout.connect(self._step)
        row = QHBoxLayout(self)
        row.setContentsMargins(_EDGE + 6, 0, _EDGE + 6, 8)
        row.addStretch(1)
        row.addWidget(self.cancel)
        models = context.models
        models.chats.feed.chats_changed.connect(self._note)
        models.waits.steps_changed.connect(self._show_state)
        models.approvals.chats_changed.connect(self._follow)
        models.approvals.send_status.words_changed.connect(self._show_state)
        models.clock.ticked.connect(self._show_state)
        self._theme.changed.connect(self.update)
        self._theme.motion_changed.connect(self._move)
        self.hide()

    @property
    def words(self) -> str:
        """The shown text."""
        return self._words

    def sizeHint(self) -> QSize:
        return QSize(200, max(super().sizeHint().height(), round(self._theme.metrics(Face.SMALL).height() + 28)))

    def minimumSizeHint(self) -> QSize:
        return QSize(120, self.sizeHint().height())

    def set_chat(self, chat: Chat | None) -> None:
        """Show what the agent does in a chat; hidden for None."""
        self._chat = chat
        if chat is not None:
            self._note(frozenset({chat.chat_id}))
        self._show_state()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._move()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._move()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = QPainter(self), self._theme
        painter.fillRect(self.rect(), theme.color("chat"))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        follow_layout(painter, self)
        right = self.width() - _EDGE - 0.5
        words_end = leading_edge(self.cancel) - 4 if not self.cancel.isHidden() else right - _PAD
        lead = _STRIPE + _PAD + _DOTS + 8
        metrics = theme.metrics(Face.SMALL_STRONG)
        words = elided(metrics, self._words, max(40.0, words_end - lead - _EDGE))
        start = words_end - metrics.horizontalAdvance(words)
        frame = QRectF(start - lead, 0.5, right - start + lead, self.height() - 9)
        middle = frame.center().y()
        stripe = QRectF(frame.left() + 6, middle - 9, _STRIPE - 1, 18)
        painter.fillRect(stripe, theme.identity(self._identity))
        pen = QPen(theme.color("info"), 1)
        pen.setDashPattern([4, 3])
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(frame, 10, 10)
        self._paint_dots(painter, QPointF(start - _DOTS - 8, middle))
        marks.draw_line(
            painter,
            theme.font(Face.SMALL_STRONG),
            theme.color("info"),
            QPointF(start, middle),
            words,
            words_end - start,
        )
        painter.end()

    def _paint_dots(self, painter: QPainter, start: QPointF) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        for number in range(3):
            color = QColor(self._theme.color("info"))  # a copy, because the theme's colour object is shared
            color.setAlphaF(1.0 if self._theme.reduced_motion or number == self._bright else 0.4)
            painter.setBrush(color)
            painter.drawEllipse(QPointF(start.x() + 3 + 7 * number, start.y()), 2.5, 2.5)

    def _step(self) -> None:
        self._bright = (self._bright + 1) % 3
        self.update()

    def _move(self) -> None:
        if self.isVisible() and not self._theme.reduced_motion:
            self.motion.start()
        else:
            self.motion.stop()
        self.update()

    def _note(self, changed: frozenset[ChatId]) -> None:
        """Remember since when each chat is being planned, because no event contains that."""
        chats, now = self._context.models.chats, self._context.models.clock.now()
        for chat_id in changed:
            chat = chats.chat(chat_id)
            if chat is not None and chat.planning:
                self._since.setdefault(chat_id, now)
            else:
                self._since.pop(chat_id, None)

    def _follow(self, changed: frozenset[ChatId]) -> None:
        if self._chat is not None and self._chat.chat_id in changed:
            self._show_state()

    def _show_state(self) -> None:
        chat, models = self._chat, self._context.models
        drafts = models.approvals.of_chat(chat.chat_id) if chat is not None else ()
        is_typing = any(map(models.approvals.send_status.is_typing, drafts))
        self.setVisible(chat is not None and (chat.planning or is_typing))
        if chat is None or not (chat.planning or is_typing):
            self.setAccessibleName("")
            return
        agent = models.chats.agent(chat.agent_id)
        name = foreign_text.isolated(agent.spec.name) if agent else ""
        self._identity = models.agents.identity_of(chat.agent_id)
        spoken = (self.tr("{agent} is typing…") if is_typing else self.tr("{agent} is planning…")).format(agent=name)
        since = self._since.get(chat.chat_id)
        seconds = (models.clock.now() - since).total_seconds() if since is not None and not is_typing else 0.0
        self._words = f"{spoken} {duration(seconds)}" if seconds >= 1 else spoken
        self.cancel.setVisible(chat.planning and models.waits.in_the_making() is not None)
        self.cancel.setAccessibleName(self.tr("Cancel this plan; its messages count as answered"))
        self.setAccessibleName(spoken)
        self.update()
