"""The scroll position of a transcript: at the bottom, further up, or at a message that is being loaded."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QEvent, QModelIndex, Qt, QTimer, Signal
from PySide6.QtWidgets import QAbstractItemView, QListView

from chimein_gui.ui.messages.picture_sweep import PictureSweep
from chimein_gui.ui.pane import PaneContext
from chimein_gui.ui.panes.conversations.transcript.delegate import TranscriptDelegate
from chimein_gui.ui.panes.conversations.transcript.motion import StickerMotion
from chimein_gui.ui.panes.conversations.transcript.newest import NewestButton, SoftEdge
from chimein_gui.ui.widgets.controls.spoken_role import speak_rows_only
from chimein_gui.ui.widgets.rows.arrivals import RowArrivals
from chimein_gui.ui.widgets.rows.clocked_rows import rows_in_sight
from chimein_gui.ui.widgets.rows.scroll_anchor import ScrollAnchor
from chimein_gui.ui.widgets.rows.spoken_views import SpokenListView

if TYPE_CHECKING:
    from PySide6.QtGui import QHideEvent, QMoveEvent, QResizeEvent, QShowEvent

    from chimein_gui.domain.messages import Message
    from chimein_gui.viewmodels.transcript.window import Key

_NEAR_PX = 900
"""Distance from an end at which the next page is loaded, px: a screen ahead, so that nobody has to wait."""

FLASH_MS = 1600
"""How long a row is highlighted after going to it, ms."""


class TranscriptScroll(SpokenListView):
    """A list that stays at the bottom if it is there, and otherwise keeps the visible rows in place.

    Attributes:
        contents_height_changed: The height of all rows has changed, px.
    """

    contents_height_changed = Signal(int)

    def __init__(self, context: PaneContext) -> None:
        super().__init__()
        self._context, self._theme = context, context.theme
        self._transcript = context.models.transcript
        self._at_foot, self._contents_height = True, -1
        self._way_back: tuple[int, int] | None = None
        self.setModel(self._transcript.rows)
        self._delegate = TranscriptDelegate(context, self)
        self.setItemDelegate(self._delegate)
        self.arrivals = RowArrivals(context.theme, self, lambda key: self._index_of(cast("Key", key)))
        self._delegate.arrivals = self.arrivals
        self._anchor = ScrollAnchor(self, self._key_of, self._index_of)
        PictureSweep(self, context.models.pictures)
        self.motion = StickerMotion(self, self._delegate, self._transcript)
        self.edge = SoftEdge(context.theme, self)
        speak_rows_only(self)
        self.newest = NewestButton(context.theme, self)
        self.newest.clicked.connect(self.go_to_foot)
        self._flash = QTimer(self)
        self._flash.setSingleShot(True)
        self._flash.timeout.connect(self._end_flash)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        bar, model = self.verticalScrollBar(), self._transcript
        bar.setSingleStep(28)
        bar.rangeChanged.connect(self._stay_at_foot)
        bar.valueChanged.connect(self._scrolled)
        model.rows.rowsAboutToBeInserted.connect(self._before_change)
        model.rows.rowsAboutToBeRemoved.connect(self._before_change)
        model.rows.dataChanged.connect(self._check_heights)
        self._theme.fonts_changed.connect(self._measure_anew)
        self._theme.motion_changed.connect(self.viewport().update)
        model.opened.connect(self._show_foot)
        model.jumped.connect(self.show_message)
        model.missed.connect(self._tell_missing)
        model.arrived.connect(self._count_new)

    def go_to_foot(self) -> None:
        """Scroll to the newest message."""
        self._anchor.forget()
        self._transcript.load_newest()
        self._show_foot()

    def _show_foot(self) -> None:
        if self._transcript.rows.at_newest:
            self._at_foot = True
            self.newest.set_count(0)
            self._anchor.forget()
            self.scrollToBottom()
        self._show_newest_button()
        self._tell_what_is_read()

    def place(self) -> tuple[int, int] | None:
        """Return the id of the first visible message and its top in px; None at the bottom."""
        if not self._at_foot:
            for index in rows_in_sight(self):
                message_id, is_step, *_rest = self._key_of(index)
                if not is_step:
                    return message_id, self.visualRect(index).top()
        return None

    def come_back(self, message_id: int, top: int) -> None:
        """Let the next `show_message` of this message restore a position from `place`."""
        self._way_back = message_id, top

    def show_message(self, message_id: object) -> None:
        """Scroll to a loaded message, make it current, and highlight it for a moment."""
        row = self._transcript.rows.row_of(message_id) if isinstance(message_id, int) else -1
        if row < 0:
            return
        way_back, self._way_back = self._way_back, None
        if way_back is not None and way_back[0] == message_id:
            self._at_foot = False
            self._anchor.hold(self._transcript.rows.key_at(row), way_back[1])
            self.scheduleDelayedItemsLayout()
            self._show_newest_button()
            self._tell_what_is_read()
            return
        self._anchor.forget()
        self._at_foot = False
        self._tell_what_is_read()
        index = self._transcript.rows.index(row, 0)
        self.setCurrentIndex(index)
        hint = QAbstractItemView.ScrollHint
        is_high = self._delegate.height_of(row) > self.viewport().height()
        self.scrollTo(index, hint.PositionAtTop if is_high else hint.PositionAtCenter)
        self._delegate.flashed = self._transcript.rows.key_at(row)
        self._flash.start(FLASH_MS)
        self.viewport().update()

    def _end_flash(self) -> None:
        self._delegate.flashed = None
        self.viewport().update()

    def _tell_missing(self, message_id: object) -> None:
        way_back, self._way_back = self._way_back, None
        if way_back is None or way_back[0] != message_id:
            self._context.models.toasts.show(self.tr("This message is not stored here"))

    def _count_new(self, message: Message) -> None:
        row = self._transcript.rows.row_of(message.key.message_id)
        if not self._at_foot:
            self.newest.set_count(self.newest.count + 1)
        elif row >= 0:
            self.arrivals.begin(self._transcript.rows.key_at(row))

    def _key_of(self, index: QModelIndex) -> Key:
        return self._transcript.rows.key_at(index.row())

    def _index_of(self, key: Key) -> QModelIndex:
        return self._transcript.rows.index(self._transcript.rows.row_of_key(key), 0)

    def _before_change(self, *_where: object) -> None:
        if not self._at_foot:
            self._anchor.remember(rows_in_sight(self))

    def _check_heights(self, first: QModelIndex, last: QModelIndex) -> None:
        """Schedule a layout if a row's height has changed; Qt itself repaints changed rows."""
        if any(self._delegate.grows(row) for row in range(first.row(), last.row() + 1)):
            self._before_change()
            self.scheduleDelayedItemsLayout()

    def _measure_anew(self) -> None:
        """Measure all rows again: the text size has changed."""
        self._before_change()
        self._delegate.measure_anew()
        self.scheduleDelayedItemsLayout()

    def doItemsLayout(self) -> None:
        super().doItemsLayout()
        if not self._at_foot:
            self._anchor.restore()
        if self._transcript.rows.rowCount() and self.verticalScrollBar().value() < _NEAR_PX:
            self._transcript.load_older()

    def _stay_at_foot(self, _least: int, most: int) -> None:
        if self._at_foot:
            self.verticalScrollBar().setValue(most)

    def _scrolled(self, value: int) -> None:
        bar = self.verticalScrollBar()
        self._at_foot = self._transcript.rows.at_newest and value >= bar.maximum() - 4
        if self._at_foot:
            self.newest.set_count(0)
        if bar.maximum() > 0 and value < _NEAR_PX:
            self._transcript.load_older()
        elif value > bar.maximum() - _NEAR_PX:
            self._transcript.load_newer()
        self._show_newest_button()
        self._tell_what_is_read()

    def _show_newest_button(self) -> None:
        for part in (self.edge, self.newest):
            part.setVisible(not self._at_foot and self._transcript.rows.rowCount() > 0)

    def _tell_what_is_read(self) -> None:
        """Report whether the newest messages are being read: the list is at the bottom of an active window."""
        chat = self._transcript.chat
        reads = chat is not None and self._at_foot and self.isVisible() and self.isActiveWindow()
        self._context.models.chats.feed.set_reading(chat.chat_id if chat is not None and reads else None)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange:
            self._tell_what_is_read()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._tell_what_is_read()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._tell_what_is_read()

    def resizeEvent(self, event: QResizeEvent) -> None:
        if event.oldSize().width() != event.size().width():
            self._before_change()
        super().resizeEvent(event)
        if event.oldSize().width() != event.size().width():
            self.scheduleDelayedItemsLayout()
        if self._at_foot:
            self.scrollToBottom()
        self.edge.place(self.viewport().geometry())
        self.newest.place()

    def moveEvent(self, event: QMoveEvent) -> None:
        super().moveEvent(event)
        self.newest.place()

    def updateGeometries(self) -> None:
        super().updateGeometries()
        height = self.contentsSize().height()
        if height != self._contents_height:
            self._contents_height = height
            self.contents_height_changed.emit(height)
