"""The cards of one side, and the field in which one of them is written in place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QListView

from chimein_gui.ui.panes.memory.files.card import CardDelegate, CardView
from chimein_gui.ui.widgets.controls.spoken_role import make_selected_current, speak_rows_only

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent, QMouseEvent, QResizeEvent
    from PySide6.QtWidgets import QWidget

    from chimein_gui.ui.widgets.theme.theme import Theme
    from chimein_gui.viewmodels.memory.cards import Card, EntriesModel


class EntryList(CardView):
    """The cards.

    Attributes:
        rows: The entries.
        pressed_key: A key for the side was pressed; carries it.
        searched: The slash was pressed.
        opened: The link to the message of a card was clicked; carries the card.
        place_changed: The card that is written in has another place.
    """

    pressed_key = Signal(str)
    searched = Signal()
    opened = Signal(object)
    place_changed = Signal()

    def __init__(self, theme: Theme, rows: EntriesModel, name: str) -> None:
        super().__init__()
        self.rows = rows
        self._written: tuple[object, int] | None = None
        """Key of the card that is written in, and the height of the field, px."""
        speak_rows_only(self)
        self.setModel(rows)
        make_selected_current(self)
        self._delegate = CardDelegate(theme, self)
        self.setItemDelegate(self._delegate)
        self.setAccessibleName(name)
        self.setFrameShape(QListView.Shape.NoFrame)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._kept: object = None
        rows.modelAboutToBeReset.connect(self._keep_current)
        rows.modelReset.connect(self._restore_current)
        rows.dataChanged.connect(lambda *_what: self.scheduleDelayedItemsLayout())
        theme.changed.connect(self.viewport().update)
        theme.fonts_changed.connect(self.scheduleDelayedItemsLayout)

    @property
    def current(self) -> Card | None:
        """The current card."""
        return self.rows.card_at(self.currentIndex().row())

    @property
    def next_card(self) -> Card | None:
        """The card below the current one, else the one above it, of the same file."""
        row, here = self.currentIndex().row(), self.current
        for other in (self.rows.card_at(row + 1), self.rows.card_at(row - 1)):
            if here is not None and other is not None and other.file == here.file:
                return other
        return None

    def is_recalled(self, score: float) -> bool:
        return any(card.score == score and any(mark.rank for mark in card.marks) for card in self.rows.cards)

    def step(self, by: int) -> None:
        """Go to the next entry, or the one before."""
        row = min(max(self.currentIndex().row() + by, 0), self.rows.rowCount() - 1)
        if row >= 0:
            self.setCurrentIndex(self.rows.index(row, 0))

    # --- the field in place ---------------------------------------------------------------------------------------

    def field_height(self, card: Card) -> int:
        return self._written[1] if self._written is not None and self._written[0] == card.key else 0

    def write_in(self, card: Card | None, height: int = 0) -> None:
        """Make room for the field in a card; None closes it."""
        self._written = None if card is None else (card.key, height)
        self.scheduleDelayedItemsLayout()

    def place_field(self, field: QWidget, card: Card) -> bool:
        """Put a field over a card; returns False if the card is gone."""
        row = self.rows.row_of(card.key)
        holder = field.parentWidget()
        if row < 0 or holder is None:
            return False
        self.executeDelayedItemsLayout()
        place = self.visualRect(self.rows.index(row, 0)).adjusted(4, 2, -4, -2)
        area = self.viewport().rect()
        place.moveTop(min(max(place.top(), area.top()), max(area.top(), area.bottom() - place.height())))
        place.moveTopLeft(self.viewport().mapTo(holder, place.topLeft()))
        field.setGeometry(place)
        return True

    def updateGeometries(self) -> None:
        super().updateGeometries()
        self.place_changed.emit()

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        super().scrollContentsBy(dx, dy)
        self.place_changed.emit()

    def _keep_current(self) -> None:
        card = self.current
        self._kept = (card.key, self.currentIndex().row()) if card is not None else None

    def _restore_current(self) -> None:
        if isinstance(self._kept, tuple):
            key, before = self._kept
            row = self.rows.row_of(key)
            row = row if row >= 0 else min(before, self.rows.rowCount() - 1)
            if row >= 0:
                self.setCurrentIndex(self.rows.index(row, 0))

    # --- input ----------------------------------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.scheduleDelayedItemsLayout()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        index = self.indexAt(event.position().toPoint())
        card = self.rows.card_at(index.row())
        is_left = event.button() is Qt.MouseButton.LeftButton
        if card is not None and is_left and self.link_rect(card).contains(event.position()):
            self.opened.emit(card)

    def link_rect(self, card: Card) -> QRectF:
        """Return where the link to the message of a card is, in the viewport; empty without one."""
        index = self.rows.index(self.rows.row_of(card.key), 0)
        return self._delegate.link_rect(QRectF(self.visualRect(index)), card)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        keys = {
            Qt.Key.Key_Return: "edit",
            Qt.Key.Key_Enter: "edit",
            Qt.Key.Key_Delete: "delete",
        }
        wanted = keys.get(Qt.Key(event.key()))
        if wanted is not None:
            self.pressed_key.emit(wanted)
        elif event.text() == "/":
            self.searched.emit()
        else:
            super().keyPressEvent(event)
