"""The list of the Context pane: rows painted by a delegate, links painted by the view."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QRectF, QSortFilterProxyModel, Qt, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QAbstractItemView, QListView

from chimein_gui.domain.chats import PinKind
from chimein_gui.ui.panes.context.arcs import Arcs, paint_arcs, paint_session
from chimein_gui.ui.panes.context.columns import Columns, columns_of
from chimein_gui.ui.panes.context.rows import ContextDelegate, row_height
from chimein_gui.ui.widgets.controls.spoken_role import speak_rows_only
from chimein_gui.ui.widgets.rows.opaque_ground import fill
from chimein_gui.ui.widgets.rows.paint_budget import take_turns
from chimein_gui.ui.widgets.rows.single_key_shortcuts import SingleKeyShortcuts
from chimein_gui.ui.widgets.rows.spoken_views import SpokenListView
from chimein_gui.ui.widgets.theme.mirror import mirror
from chimein_gui.viewmodels.context.rows import RowKind
from chimein_gui.viewmodels.traces.words import TRACE_KEY

if TYPE_CHECKING:
    from PySide6.QtCore import QItemSelection
    from PySide6.QtGui import QKeyEvent, QMouseEvent, QPaintEvent

    from chimein_gui.domain.ids import MessageId
    from chimein_gui.domain.prompt.considered import ConsideredMessage
    from chimein_gui.ui.pane import PaneContext
    from chimein_gui.viewmodels.context import ContextModel


class ContextList(SpokenListView):
    """Any number of candidates; only what is in sight is painted.

    A native Qt model is between the view and the rows, because the view asks its model about every row.

    Attributes:
        picked: Another message is current, or none; carries it.
        entered: Return was pressed on a message, or it was double-clicked; carries it.
        trace_wanted: The trace of the plan is wanted.
    """

    picked = Signal(object)
    entered = Signal(object)
    trace_wanted = Signal()

    def __init__(self, context: PaneContext, model: ContextModel) -> None:
        super().__init__()
        self._theme, self.context_model = context.theme, model
        self._context = context
        self._rows = model.rows
        self._arcs = Arcs(model.rows)
        self._kept: MessageId | None = None
        self._path: frozenset[MessageId] = frozenset()
        self._columns: tuple[float, Columns] | None = None
        speak_rows_only(self)
        take_turns(self)
        self.setItemDelegate(
            ContextDelegate(context, self, lambda: self.columns, self._identity, lambda: model.rows.pins)
        )
        self.setAccessibleName(self.tr("Messages considered"))
        self.setFrameShape(QListView.Shape.NoFrame)
        self.setMouseTracking(True)
        self.setUniformItemSizes(True)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        proxy = QSortFilterProxyModel(self)
        proxy.setSourceModel(model.rows)
        proxy.modelAboutToBeReset.connect(self._remember)
        proxy.modelReset.connect(self._rearrange)
        self.setModel(proxy)
        self._arcs.arrange()
        keys = SingleKeyShortcuts(
            {
                "J": lambda: self.step(1),
                "K": lambda: self.step(-1),
                "←": self.go_to_parent,
                "P": lambda: self.pin(PinKind.IN),
                "O": lambda: self.pin(PinKind.OUT),
                "I": lambda: self.pin(PinKind.ONCE),
                "U": lambda: self.pin(None),
                "Z": model.pins.undo,
                TRACE_KEY: self.trace_wanted.emit,
            },
            self,
            context.models.single_keys,
        )
        keys.watch(self)
        self.clicked.connect(self._open_fold)
        self.doubleClicked.connect(lambda _index: self._enter())
        context.theme.changed.connect(self.viewport().update)
        context.theme.fonts_changed.connect(self._measure)

    @property
    def columns(self) -> Columns:
        """The columns for the present width."""
        width = float(self.viewport().width())
        if self._columns is None or self._columns[0] != width:
            self._columns = width, columns_of(self._theme, width)
        return self._columns[1]

    @property
    def current(self) -> ConsideredMessage | None:
        """The chosen message."""
        row = self.currentIndex().row()
        found = self._rows.rows[row] if 0 <= row < len(self._rows.rows) else None
        return found.one if found is not None and found.kind is RowKind.MESSAGE else None

    def choose(self, message_id: MessageId | None) -> None:
        """Choose a message and bring it into view, even if it is folded."""
        row = -1 if message_id is None else self._rows.reveal(message_id)
        if row >= 0:
            index = self.model().index(row, 0)
            self.setCurrentIndex(index)
            self.scrollTo(index)

    def step(self, by: int) -> None:
        """Choose the next row that can be chosen, `by` rows further down."""
        rows, row = self._rows.rows, self.currentIndex().row() + by
        while 0 <= row < len(rows) and rows[row].kind in (RowKind.DAY, RowKind.GAP):
            row += by
        if 0 <= row < len(rows):
            self.setCurrentIndex(self.model().index(row, 0))

    def go_to_parent(self) -> None:
        """Choose the message that the chosen one answers."""
        one = self.current
        if one is not None and one.parent is not None:
            self.choose(one.parent)

    def pin(self, kind: PinKind | None) -> None:
        """Pin the chosen message in or out for later plans, or in for the next one; None removes the pin."""
        one = self.current
        if one is not None and one.reason != "trigger" and not self.context_model.why_no_pins:
            self.context_model.pins.pin(one.message_id, kind)

    def _enter(self) -> None:
        if self.current is not None:
            self.entered.emit(self.current)

    def _open_fold(self, index: QModelIndex) -> None:
        row = self._rows.rows[index.row()] if 0 <= index.row() < len(self._rows.rows) else None
        if row is not None and row.kind is RowKind.FOLD and row.one is not None:
            self.choose(row.one.message_id)

    def _identity(self) -> int:
        models, chat_id = self._context.models, self.context_model.chat_id
        chat = models.chats.chat(chat_id) if chat_id is not None else None
        return models.agents.identity_of(chat.agent_id) if chat is not None else 0

    def _remember(self) -> None:
        self._kept = self.current.message_id if self.current is not None else self._kept

    def _rearrange(self) -> None:
        """Find the links of other rows; the chosen message stays chosen if it is among them."""
        self._arcs.arrange()
        row = self._rows.place_of(self._kept)
        if row >= 0 and self._rows.rows[row].kind is RowKind.MESSAGE:
            self.setCurrentIndex(self.model().index(row, 0))
        else:
            self._path = frozenset()
            self.picked.emit(None)

    def _measure(self) -> None:
        self._columns = None
        self.scheduleDelayedItemsLayout()

    def selectionChanged(self, selected: QItemSelection, deselected: QItemSelection) -> None:
        super().selectionChanged(selected, deselected)
        one = self.current
        self._path = frozenset(each.message_id for each in self.context_model.chain_of(one))
        self.viewport().update()
        self.picked.emit(one)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._open_fold(self.currentIndex())
            self._enter()
        elif key in (Qt.Key.Key_Down, Qt.Key.Key_Up) and not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            self.step(1 if key == Qt.Key.Key_Down else -1)
        else:
            super().keyPressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            super().mouseDoubleClickEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        fill(self, event, self._theme, "pane")
        if self._rows.rows:
            painter = QPainter(self.viewport())
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setClipRect(event.rect())
            if self.isRightToLeft():
                mirror(painter, QRectF(self.viewport().rect()))
            self._paint_links(painter, event.rect().top(), event.rect().bottom())
            painter.end()
        super().paintEvent(event)

    def _paint_links(self, painter: QPainter, top: int, bottom: int) -> None:
        height = row_height(self._context)
        shift = -self.verticalOffset()
        first, last = max(0, (top - shift) // height), (bottom - shift) // height
        session = self._arcs.session
        if session is not None and session[0] <= last and session[1] >= first:
            paint_session(
                painter, self._theme, self.columns, shift + session[0] * height, shift + (session[1] + 1) * height
            )
        # The same arcs for a strip as for the whole viewport.
        seen = (self.viewport().height() // height) + 1
        begin = max(0, -shift // height)
        arcs = self._arcs.near(begin, begin + seen, (first, last))
        paint_arcs(painter, self._theme, self.columns, arcs, (shift + height / 2, height), self._path)

    def scroll_to_trigger(self) -> None:
        """Bring the message that is answered to the lower end of the view."""
        trigger = self.context_model.trigger
        row = self._rows.place_of(trigger.message_id) if trigger is not None else -1
        if row >= 0:
            self.scrollTo(self.model().index(row, 0), QAbstractItemView.ScrollHint.PositionAtBottom)
