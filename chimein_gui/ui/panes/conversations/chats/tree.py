"""The tree of agents and chats."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING

from PySide6.QtCore import QItemSelection, QModelIndex, QPersistentModelIndex, QPoint, Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QTreeView

from chimein_gui.domain.chats import Chat
from chimein_gui.domain.ids import AgentId, ChatId
from chimein_gui.ui.pane import PaneContext
from chimein_gui.ui.panes.conversations.chats.delegate import ChatDelegate
from chimein_gui.ui.panes.conversations.chats.looks import chat_look
from chimein_gui.ui.panes.conversations.chats.update_throttle import UpdateThrottle
from chimein_gui.ui.panes.conversations.chats.window import TreeWindow
from chimein_gui.ui.widgets.controls.spoken_role import speak_rows_only
from chimein_gui.ui.widgets.rows.clocked_rows import ClockedRows
from chimein_gui.ui.widgets.rows.opaque_ground import fill
from chimein_gui.ui.widgets.rows.paint_budget import take_turns
from chimein_gui.ui.widgets.rows.spoken_views import SpokenTree, SpokenTreeView
from chimein_gui.ui.widgets.surfaces.health import agent_label
from chimein_gui.viewmodels.core.roles import Index, ItemRole

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent, QMouseEvent, QPaintEvent


MANY = 100
"""From this number of changed chats on, repainting all visible rows costs less than looking up each chat."""


class ChatTree(SpokenTreeView):
    """Agents, all expanded at first, with their chats.

    Attributes:
        chat_chosen: A chat became current; carries its snapshot.
        entered: Return was pressed on a chat: its contents shall get the focus.
        cancelled: Escape was pressed: the search shall end.
    """

    chat_chosen = Signal(object)
    entered = Signal()
    cancelled = Signal()

    def __init__(self, context: PaneContext) -> None:
        super().__init__()
        self._throttle: UpdateThrottle | None = None
        self._chats = context.models.chats
        self._context, self._theme = context, context.theme
        self.setModel(self._chats)
        self._delegate = ChatDelegate(context, self)
        self.setItemDelegate(self._delegate)
        self.setAccessibleName(self.tr("Agents and chats"))
        self.setHeaderHidden(True)
        # A screen reader selects a cell; where rows are selected, Qt takes its row below the agent for one of the tree.
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectItems)
        self.setRootIsDecorated(False)
        self.setIndentation(0)
        self.setExpandsOnDoubleClick(False)
        self.setAnimated(False)
        self.setMouseTracking(True)
        self.setFrameShape(QTreeView.Shape.NoFrame)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setUniformRowHeights(False)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self._show_menu)
        self.clicked.connect(self._toggle)
        self._reported: ChatId | None = None
        self._closed: set[AgentId] = set()
        self.expanded.connect(lambda index: self._closed.discard(self._agent_id(index)))
        self.collapsed.connect(lambda index: self._closed.add(self._agent_id(index)))
        self._chats.rowsInserted.connect(self._open_new_branch)
        self._chats.modelReset.connect(self._come_back)
        self._chats.moves.listed_changed.connect(self._hide_empty_agents)
        context.models.approvals.chats_changed.connect(self._show_drafts)
        ClockedRows(self, context.models.clock, self._times_of, context.models.approvals.send_status.words_changed)
        context.models.holds.changed.connect(self.viewport().update)
        context.models.composer.changed.connect(lambda chat_id: self._show_drafts(frozenset({chat_id})))
        TreeWindow(self, self._chats)
        self._throttle = UpdateThrottle(self, self._chats)
        self._spoken = SpokenTree(self)
        self._chats.moves.reordered.connect(self._spoken.look_again)
        context.theme.changed.connect(self.viewport().update)
        take_turns(self)
        speak_rows_only(self)
        self.expandAll()

    def select_chat(self, chat_id: object) -> bool:
        """Make a chat current, even if the filter hides it; False if it does not exist yet."""
        if self._chats.chat(chat_id) is not None:  # type: ignore[arg-type]
            self._chats.moves.keep(chat_id)  # type: ignore[arg-type]
        self._chats.reveal_chat(chat_id)  # type: ignore[arg-type]
        index = self._chats.index_of_chat(chat_id)  # type: ignore[arg-type]
        if not index.isValid():
            return False
        self.setCurrentIndex(index)
        self.scrollTo(index)
        return True

    def selectionChanged(self, selected: QItemSelection, deselected: QItemSelection) -> None:
        """Open the selected chat: screen readers select a row without making it current."""
        super().selectionChanged(selected, deselected)
        chosen = selected.indexes()
        if chosen and chosen[0] != self.currentIndex():
            self.setCurrentIndex(chosen[0])

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        item = current.data(ItemRole) if current.isValid() else None
        if isinstance(item, Chat):
            self._chats.moves.keep(item.chat_id)
            if item.chat_id != self._reported:
                self._reported = item.chat_id
                self.chat_chosen.emit(item)

    def _show_drafts(self, chats: frozenset[ChatId]) -> None:
        """Update the previews of chats, which show their newest drafts."""
        if len(chats) > MANY:
            self.viewport().update()
            return
        for chat_id in chats:
            index = self._chats.index_of_chat(chat_id)
            if index.isValid():
                self.update(index)

    def _times_of(self, index: QModelIndex) -> tuple[Hashable, Hashable]:
        item, models = self._chats.item(index), self._context.models
        if isinstance(item, Chat):
            return item.chat_id, chat_look(models, item, selected=False, hovered=False)
        agent_id = item.agent_id if item is not None else 0
        return -agent_id, agent_label(item, models.holds, models.clock) if item is not None else None

    def doItemsLayout(self) -> None:
        if self._throttle is None:
            super().doItemsLayout()
        else:
            self._throttle.lay_out(super().doItemsLayout)

    def paintEvent(self, event: QPaintEvent) -> None:
        fill(self, event, self._theme, "pane")
        super().paintEvent(event)

    def drawBranches(self, *_args: object) -> None:
        """Draw nothing: the delegate paints the carets, and the background over the whole width."""

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Make a chat current only with the left button; the right one opens the menu of a row."""
        if event.button() is Qt.MouseButton.LeftButton:
            super().mousePressEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        index = self.currentIndex()
        on_agent = index.isValid() and not index.parent().isValid()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space) and index.isValid():
            if on_agent:
                self._toggle(index)
            else:
                self.entered.emit()
            return
        item = self._chats.item(index)
        if event.modifiers() is Qt.KeyboardModifier.AltModifier and isinstance(item, Chat):
            marks = self._chats.marks
            actions = {
                Qt.Key.Key_R: marks.read.emit,
                Qt.Key.Key_P: marks.toggle_pinned,
                Qt.Key.Key_M: marks.toggle_muted,
            }
            do = actions.get(Qt.Key(event.key()))
            if do is not None:
                do(item.chat_id)
                return
        if event.key() == Qt.Key.Key_Escape:
            self.cancelled.emit()
            return
        super().keyPressEvent(event)

    def _show_menu(self, place: QPoint) -> None:
        from chimein_gui.ui.panes.conversations.chats.menu import open_agent_menu, open_chat_menu

        # The menu key opens the menu of the current row, wherever the pointer is.
        index = self.indexAt(place)
        if not index.isValid() or not self.viewport().rect().contains(place):
            index = self.currentIndex()
            place = self.visualRect(index).bottomLeft()
        item, where = self._chats.item(index), self.viewport().mapToGlobal(place)
        if item is None or self._throttle is None:
            return
        self._delegate.menu_row = QPersistentModelIndex(index)
        if isinstance(item, Chat):
            menu = open_chat_menu(self._context, item, self, where)
        else:
            menu = open_agent_menu(self._context, item, self, where)
        self._throttle.hold_for(menu)
        menu.aboutToHide.connect(self._unmark)
        self.viewport().update()

    def _unmark(self) -> None:
        self._delegate.menu_row = QPersistentModelIndex()
        self.viewport().update()

    def _toggle(self, index: QModelIndex) -> None:
        if not index.parent().isValid():
            self.setExpanded(index, not self.isExpanded(index))

    def _agent_id(self, index: QModelIndex) -> AgentId:
        item = self._chats.item(index)
        return item.agent_id if item is not None else AgentId(0)

    def _open_new_branch(self, parent: QModelIndex, first: int, last: int) -> None:
        if parent.isValid():
            if self._agent_id(parent) not in self._closed:
                self.expand(parent)
            return
        for row in range(first, last + 1):
            self.expand(self._chats.index(row, 0))
        self._hide_empty_agents()

    def _come_back(self) -> None:
        """After a change of the filter, restore what was expanded, and make the open chat current if it is listed."""
        for row in range(self._chats.rowCount()):
            index = self._chats.index(row, 0)
            self.setExpanded(index, self._agent_id(index) not in self._closed)
        self._hide_empty_agents()
        index = self._chats.index_of_chat(self._reported) if self._reported is not None else QModelIndex()
        if index.isValid():
            self.setCurrentIndex(index)

    def _hide_empty_agents(self) -> None:
        """Hide agents that have no chats under the filter."""
        everything = self._chats.asked.is_open
        for row in range(self._chats.rowCount()):
            hidden = not everything and self._chats.listed(row) == 0
            if self.isRowHidden(row, QModelIndex()) != hidden:
                self.setRowHidden(row, QModelIndex(), hidden)
                self._spoken.look_again()
