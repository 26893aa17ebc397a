"""The drafts of the open chat, at the foot of its transcript, and above them what else it asks of the operator."""

from __future__ import annotations

from collections.abc import Hashable

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from chimein_gui.domain.approvals import Approval
from chimein_gui.domain.chats import Chat
from chimein_gui.domain.ids import ApprovalId, ChatId
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.ui.panes.conversations.ask_line import AskLine
from chimein_gui.ui.panes.conversations.asks import asks_of, may_plan_now
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
        self._asks: dict[Hashable, AskLine] = {}
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
        models.asides.changed.connect(self._follow)
        models.waits.changed.connect(self.refresh)
        models.kept_edits.changed.connect(self.refresh)
        models.actions.acknowledgement_changed.connect(self.refresh)
        models.actions.decision_answered.connect(self.refresh)
        models.transcript.opened.connect(self.refresh)
        models.holds.changed.connect(self.refresh)
        self.hide()

    def set_chat(self, chat: Chat | None) -> None:
        """Show this chat's drafts."""
        known, self._chat = self._chat, chat
        if _plan_of(known) != _plan_of(chat):
            self.refresh()

    def _follow(self, chats: frozenset[ChatId]) -> None:
        if self._chat is not None and self._chat.chat_id in chats:
            self.refresh()

    def bubbles(self) -> tuple[DraftBubble, ...]:
        """Return the drafts in sight, oldest first."""
        return tuple(self._bubbles.values())

    def asks(self) -> tuple[AskLine, ...]:
        """Return the lines above the drafts, the most urgent first."""
        return tuple(self._asks.values())

    def refresh(self) -> None:
        """Bring lines and bubbles in step with the models."""
        self._refresh_asks()
        drafts = self._context.models.approvals.of_chat(self._chat.chat_id) if self._chat is not None else ()
        for approval_id in set(self._bubbles) - {draft.approval_id for draft in drafts}:
            self._remove(self._bubbles.pop(approval_id))
        for draft in drafts:
            if draft.approval_id not in self._bubbles:
                self._add(draft)
            self._bubbles[draft.approval_id].show_approval(draft)
        self.setVisible(bool(drafts) or bool(self._asks))
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def sizeHint(self) -> QSize:
        return QSize(300, self._wanted_height())

    def _wanted_height(self) -> int:
        width = max(200, self.width())
        margins = self._column.contentsMargins()
        items: tuple[QWidget, ...] = (*self._asks.values(), *self._bubbles.values())
        heights = [item.heightForWidth(min(width - 40, round(bubble.MAX_WIDTH))) for item in items]
        return sum(heights) + 8 * max(0, len(heights) - 1) + margins.top() + margins.bottom()

    def _fit(self) -> None:
        parent = self.parentWidget()
        most = round(parent.height() * 0.62) if parent is not None else 400
        wanted, most = self._wanted_height(), max(160, most)
        # A bar that comes and goes would change the width, and with it the height that it depends on.
        policy = Qt.ScrollBarPolicy.ScrollBarAlwaysOn if wanted > most else Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        self.setVerticalScrollBarPolicy(policy)
        self.setFixedHeight(min(wanted, most))

    def _refresh_asks(self) -> None:
        asks = {ask.key: ask for ask in asks_of(self._context.models, self._chat)}
        for key in set(self._asks) - set(asks):
            self._remove(self._asks.pop(key))
        known, self._asks = self._asks, {}
        for place, (key, ask) in enumerate(asks.items()):
            line = known.get(key)
            if line is None:
                line = AskLine(self._context)
                line.setMaximumWidth(round(bubble.MAX_WIDTH))
            if self._column.indexOf(line) != place:
                self._column.insertWidget(place, line)
            line.show_ask(ask)
            self._asks[key] = line

    def _remove(self, gone: QWidget) -> None:
        self._column.removeWidget(gone)
        gone.hide()
        gone.deleteLater()

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


def _plan_of(chat: Chat | None) -> tuple[object, ...]:
    """Return what of a chat the lines depend on."""
    return () if chat is None else (chat.chat_id, chat.planning_problem, may_plan_now(chat))


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
