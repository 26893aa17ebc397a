"""The drafts of the open chat, at the foot of its transcript, and what the planner is doing."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from chimein_gui.domain.approvals import Approval
from chimein_gui.domain.chats import Chat
from chimein_gui.domain.ids import ApprovalId, ChatId
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.ui.panes.conversations.draft import DraftBubble
from chimein_gui.ui.widgets import bubble
from chimein_gui.ui.widgets.pane import PaneContext


class DraftStrip(QScrollArea):
    """Real widgets, kept by id, so that a change moves no focus."""

    def __init__(self, context: PaneContext) -> None:
        super().__init__()
        self._context = context
        self._chat: Chat | None = None
        self._bubbles: dict[ApprovalId, DraftBubble] = {}
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setObjectName("drafts")
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self._inside = _Ground(context)
        self._column = QVBoxLayout(self._inside)
        self._column.setContentsMargins(20, 6, 20, 12)
        self._column.setSpacing(8)
        self.setWidget(self._inside)
        models = context.models
        models.approvals.chats_changed.connect(self._follow)
        models.actions.acknowledgement_changed.connect(self.refresh)
        models.actions.decision_answered.connect(self.refresh)
        models.transcript.opened.connect(self.refresh)
        self.hide()

    def set_chat(self, chat: Chat | None) -> None:
        """Show this chat's drafts."""
        known, self._chat = self._chat, chat
        if (known and known.chat_id) != (chat and chat.chat_id):
            self.refresh()

    def _follow(self, chats: frozenset[ChatId]) -> None:
        if self._chat is not None and self._chat.chat_id in chats:
            self.refresh()

    def bubbles(self) -> tuple[DraftBubble, ...]:
        """Return the drafts in sight, oldest first."""
        return tuple(self._bubbles.values())

    def refresh(self) -> None:
        """Bring the bubbles in step with the model."""
        drafts = self._context.models.approvals.of_chat(self._chat.chat_id) if self._chat is not None else ()
        for approval_id in set(self._bubbles) - {draft.approval_id for draft in drafts}:
            gone = self._bubbles.pop(approval_id)
            self._column.removeWidget(gone)
            gone.hide()
            gone.deleteLater()
        for draft in drafts:
            if draft.approval_id not in self._bubbles:
                self._add(draft)
            self._bubbles[draft.approval_id].show_approval(draft)
        self.setVisible(bool(drafts))
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def sizeHint(self) -> QSize:
        return QSize(300, self._wanted_height())

    def _wanted_height(self) -> int:
        width = max(200, self.width())
        margins = self._column.contentsMargins()
        heights = [item.heightForWidth(min(width - 40, round(bubble.MAX_WIDTH))) for item in self._bubbles.values()]
        return sum(heights) + 8 * max(0, len(heights) - 1) + margins.top() + margins.bottom()

    def _fit(self) -> None:
        parent = self.parentWidget()
        most = round(parent.height() * 0.62) if parent is not None else 400
        wanted, most = self._wanted_height(), max(160, most)
        # A bar that comes and goes would change the width, and with it the height that it depends on.
        policy = Qt.ScrollBarPolicy.ScrollBarAlwaysOn if wanted > most else Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        self.setVerticalScrollBarPolicy(policy)
        self.setFixedHeight(min(wanted, most))

    def _add(self, draft: Approval) -> None:
        made = DraftBubble(self._context)
        made.setMaximumWidth(round(bubble.MAX_WIDTH))
        made.verb_pressed.connect(self._do)
        self._bubbles[draft.approval_id] = made
        self._column.addWidget(made)
        self._column.setAlignment(made, Qt.AlignmentFlag(0))

    def _do(self, verb: str, approval: Approval) -> None:
        models, intents = self._context.models, self._context.intents
        intents.select_draft.emit(approval.approval_id)
        if verb == "A":
            models.actions.approve(approval)
        elif verb == "E":
            intents.edit_draft.emit(approval.approval_id)
        elif verb == "R":
            intents.reject_draft.emit(approval.approval_id)
        elif approval.task_status is TaskStatus.APPROVED:
            models.actions.undo(approval)


class _Ground(QWidget):
    """The transcript's ground, with bubbles at the right."""

    def __init__(self, context: PaneContext) -> None:
        super().__init__()
        self._theme = context.theme
        self._theme.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.color("chat"))
        painter.end()

    def resizeEvent(self, event: QResizeEvent) -> None:
        column = self.layout()
        if column is not None:
            surplus = max(20, self.width() - 20 - round(bubble.MAX_WIDTH))
            column.setContentsMargins(surplus, 6, 20, 12)
        super().resizeEvent(event)
