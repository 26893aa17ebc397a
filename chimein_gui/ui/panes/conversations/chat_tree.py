"""The tree of agents and chats."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QTreeView

from chimein_gui.domain.chats import Chat
from chimein_gui.domain.ids import ChatId
from chimein_gui.ui.panes.conversations.chat_delegate import ChatDelegate
from chimein_gui.ui.panes.conversations.tree_window import TreeWindow
from chimein_gui.ui.widgets.clocked_rows import ClockedRows
from chimein_gui.ui.widgets.health import health_sign
from chimein_gui.ui.widgets.opaque_ground import fill, make_opaque
from chimein_gui.ui.widgets.pane import PaneContext
from chimein_gui.viewmodels.roles import Index, ItemRole

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent, QPaintEvent


class ChatTree(QTreeView):
    """Agents, each open, with their chats.

    Attributes:
        chat_chosen: The operator went to a chat; carries its snapshot.
    """

    chat_chosen = Signal(object)

    def __init__(self, context: PaneContext) -> None:
        super().__init__()
        self._chats = context.models.chats
        self._theme = context.theme
        self.setModel(self._chats)
        self.setItemDelegate(ChatDelegate(context, self))
        self.setAccessibleName(self.tr("Agents and chats"))
        self.setHeaderHidden(True)
        self.setRootIsDecorated(False)
        self.setIndentation(0)
        self.setExpandsOnDoubleClick(False)
        self.setAnimated(False)
        self.setMouseTracking(True)
        self.setFrameShape(QTreeView.Shape.NoFrame)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setUniformRowHeights(False)
        self.clicked.connect(self._toggle)
        self._chats.rowsInserted.connect(self._open_new_branch)
        context.models.approvals.chats_changed.connect(self._show_drafts)
        self._clock = context.models.clock
        ClockedRows(self, self._clock, self._times_of)
        TreeWindow(self, self._chats)
        context.theme.changed.connect(self.viewport().update)
        make_opaque(self)
        self.expandAll()

    def select_chat(self, chat_id: object) -> bool:
        """Put the cursor on a chat; False when it is not there yet."""
        self._chats.reveal_chat(chat_id)  # type: ignore[arg-type]
        index = self._chats.index_of_chat(chat_id)  # type: ignore[arg-type]
        if not index.isValid():
            return False
        self.setCurrentIndex(index)
        self.scrollTo(index)
        return True

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        item = current.data(ItemRole) if current.isValid() else None
        if isinstance(item, Chat):
            self.chat_chosen.emit(item)

    def _show_drafts(self, chats: frozenset[ChatId]) -> None:
        """A chat's preview shows its newest draft."""
        for chat_id in chats:
            index = self._chats.index_of_chat(chat_id)
            if index.isValid():
                self.update(index)

    def _times_of(self, index: QModelIndex) -> tuple[Hashable, Hashable]:
        item = self._chats.item(index)
        if isinstance(item, Chat):
            taken_over = item.takeover_until is not None and item.takeover_until > self._clock.now()
            return item.chat_id, (self._clock.stamp(item.last_at) if item.last_at is not None else "", taken_over)
        agent_id = item.agent_id if item is not None else 0
        return -agent_id, health_sign(item, self._clock) if item is not None else None

    def paintEvent(self, event: QPaintEvent) -> None:
        fill(self, event, self._theme, "pane")
        super().paintEvent(event)

    def drawBranches(self, *_args: object) -> None:
        """The delegate paints its own carets, and the ground from edge to edge."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        index = self.currentIndex()
        on_agent = index.isValid() and not index.parent().isValid()
        if on_agent and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self._toggle(index)
            return
        super().keyPressEvent(event)

    def _toggle(self, index: QModelIndex) -> None:
        if not index.parent().isValid():
            self.setExpanded(index, not self.isExpanded(index))

    def _open_new_branch(self, parent: QModelIndex, first: int, last: int) -> None:
        if parent.isValid():
            self.expand(parent)
            return
        for row in range(first, last + 1):
            self.expand(self._chats.index(row, 0))
