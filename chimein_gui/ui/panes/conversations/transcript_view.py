"""The transcript: stays at the newest message, loads older ones on the way up, copies what is selected."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QAction, QGuiApplication, QKeyEvent, QKeySequence, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QListView, QMenu

from chimein_gui.ui.panes.conversations.transcript_delegate import TranscriptDelegate
from chimein_gui.ui.widgets.opaque_ground import fill, make_opaque
from chimein_gui.ui.widgets.pane import PaneContext
from chimein_gui.viewmodels.message_words import message_words
from chimein_gui.viewmodels.roles import ItemRole
from chimein_gui.viewmodels.transcript import TranscriptRow

_NEAR_PX = 120
"""So close to the top, the next page is fetched."""


class TranscriptView(QListView):
    """A list that is anchored at its foot.

    Attributes:
        contents_height_changed: How high all rows are together.
    """

    contents_height_changed = Signal(int)

    def __init__(self, context: PaneContext) -> None:
        super().__init__()
        self._transcript = context.models.transcript
        self._at_foot = True
        self._from_foot: int | None = None
        self._contents_height = -1
        self.setModel(self._transcript)
        self._delegate = TranscriptDelegate(context, self)
        self.setItemDelegate(self._delegate)
        self.setAccessibleName(self.tr("Messages"))
        self.setObjectName("transcript")
        self.setFrameShape(QListView.Shape.NoFrame)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self._show_menu)
        bar = self.verticalScrollBar()
        bar.setSingleStep(28)
        bar.rangeChanged.connect(self._keep_place)
        bar.valueChanged.connect(self._scrolled)
        self._transcript.rowsAboutToBeInserted.connect(self._before_insert)
        self._transcript.dataChanged.connect(self._check_heights)
        self._transcript.opened.connect(self.go_to_foot)
        context.theme.changed.connect(self.viewport().update)
        self._theme = context.theme
        make_opaque(self)

    def go_to_foot(self) -> None:
        """Show the newest message."""
        self._at_foot = True
        self._transcript.load_newest()
        self.scrollToBottom()

    def selected_text(self) -> str:
        """Return the selected messages as text, oldest first."""
        rows = [index.data(ItemRole) for index in sorted(self.selectedIndexes(), key=lambda index: index.row())]
        return "\n".join(message_words(row.message) for row in rows if isinstance(row, TranscriptRow))

    def copy(self) -> None:
        """Put the selected messages on the clipboard."""
        if text := self.selected_text():
            QGuiApplication.clipboard().setText(text)

    def paintEvent(self, event: QPaintEvent) -> None:
        fill(self, event, self._theme, "chat")
        super().paintEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
            return
        super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.oldSize().width() != event.size().width():
            self.scheduleDelayedItemsLayout()
        if self._at_foot:
            self.scrollToBottom()

    def updateGeometries(self) -> None:
        super().updateGeometries()
        height = self.contentsSize().height()
        if height != self._contents_height:
            self._contents_height = height
            self.contents_height_changed.emit(height)

    def _show_menu(self, place: QPoint) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        copy = QAction(self.tr("Copy"), menu)
        copy.setEnabled(bool(self.selectedIndexes()))
        copy.triggered.connect(self.copy)
        menu.addAction(copy)
        menu.popup(self.viewport().mapToGlobal(place))

    def _check_heights(self, first: QModelIndex, last: QModelIndex) -> None:
        """Lay out only where a message needs another height; Qt itself repaints those that changed."""
        if any(self._delegate.grows(row) for row in range(first.row(), last.row() + 1)):
            self.scheduleDelayedItemsLayout()

    def _before_insert(self, parent: QModelIndex, first: int, last: int) -> None:
        if first == 0 and self._transcript.rowCount() and not self._at_foot:
            bar = self.verticalScrollBar()
            self._from_foot = bar.maximum() - bar.value()

    def _keep_place(self, least: int, most: int) -> None:
        bar = self.verticalScrollBar()
        if self._at_foot:
            bar.setValue(most)
        elif self._from_foot is not None:
            bar.setValue(most - self._from_foot)
            self._from_foot = None

    def _scrolled(self, value: int) -> None:
        bar = self.verticalScrollBar()
        self._at_foot = value >= bar.maximum() - 4
        if value < _NEAR_PX and bar.maximum() > 0:
            self._transcript.load_older()
        if self._at_foot and not self._transcript.at_newest:
            self._transcript.load_newest()
