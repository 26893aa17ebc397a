"""The list of faults, grouped under headings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QAbstractItemView, QListView, QStyledItemDelegate

from chimein_gui.sandbox_api import FaultOffer
from chimein_gui.ui.widgets.controls.spoken_role import make_selected_current, speak_rows_only
from chimein_gui.ui.widgets.rows.row_states import SELECTED
from chimein_gui.ui.widgets.rows.spoken_views import SpokenListView
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.theme import marks
from chimein_gui.ui.widgets.theme.control_colours import Role, colours_of, draw_tile, row_state
from chimein_gui.ui.widgets.theme.mirror import mirror
from chimein_gui.ui.widgets.theme.theme import Face, Theme
from chimein_gui.viewmodels.core.roles import Index
from chimein_gui.viewmodels.rehearsal.fault_offers import FaultOfferModel
from chimein_gui.viewmodels.rehearsal.fault_words import FaultGroup, group_words

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent, QResizeEvent
    from PySide6.QtWidgets import QStyleOptionViewItem

    from chimein_gui.viewmodels.rehearsal.rehearsal import RehearsalModel

SIDE = 14.0


class OfferDelegate(QStyledItemDelegate):
    """Paints a heading, or a fault with title and one line."""

    def __init__(self, theme: Theme, offers: FaultOfferModel, view: QListView) -> None:
        super().__init__(view)
        self._theme, self._offers, self._view = theme, offers, view

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        width = self._view.viewport().width()
        if isinstance(self._offers.row_at(index.row()), FaultGroup):
            return QSize(width, round(self._theme.metrics(Face.META_STRONG).height() + 15))
        lines = self._theme.metrics(Face.BODY).height() + self._theme.metrics(Face.SMALL).height()
        return QSize(width, round(lines + 2 + 12))

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        item, rect = self._offers.row_at(index.row()), QRectF(option.rect)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._view.isRightToLeft():
            mirror(painter, rect)
        if isinstance(item, FaultGroup):
            theme = self._theme
            middle = rect.bottom() - theme.metrics(Face.META_STRONG).height() / 2 - 4
            place = QPointF(rect.left() + SIDE, middle)
            marks.draw_line(painter, theme.font(Face.META_STRONG), theme.color("text3"), place, group_words(item))
        elif isinstance(item, FaultOffer):
            self._paint_offer(painter, rect, item, option.state.value)
        painter.restore()

    def _paint_offer(self, painter: QPainter, rect: QRectF, offer: FaultOffer, state: int) -> None:
        theme, tile = self._theme, rect.adjusted(6, 0, -6, 0)
        has_ring = bool(state & SELECTED) and self._view.hasFocus()
        draw_tile(painter, colours_of(theme, Role.ROW, row_state(state, focused=has_ring)), tile)
        left, width = rect.left() + SIDE, rect.width() - 2 * SIDE
        body, small = theme.metrics(Face.BODY).height(), theme.metrics(Face.SMALL).height()
        face = Face.STRONG if state & SELECTED else Face.BODY
        place = QPointF(left, rect.top() + 6 + body / 2)
        title = foreign_text.name(offer.title)
        marks.draw_line(painter, theme.font(face), theme.color("text1"), place, title, width)
        place = QPointF(left, place.y() + body / 2 + 2 + small / 2)
        summary = foreign_text.line(offer.summary)
        marks.draw_line(painter, theme.font(Face.SMALL), theme.color("text2"), place, summary, width)


class OfferList(SpokenListView):
    """The list of faults.

    Attributes:
        offer_chosen: Another fault is selected; carries it, or None.
        entered: Return or a double click: the form shall get the focus.
    """

    offer_chosen = Signal(object)
    entered = Signal()

    def __init__(self, theme: Theme, rehearsal: RehearsalModel) -> None:
        super().__init__()
        speak_rows_only(self)
        self.offers = FaultOfferModel(rehearsal, self)
        self.setModel(self.offers)
        make_selected_current(self)
        self.setItemDelegate(OfferDelegate(theme, self.offers, self))
        self.setAccessibleName(self.tr("Faults to pick"))
        self.setFrameShape(QListView.Shape.NoFrame)
        self.setMouseTracking(True)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setMinimumHeight(52)
        self.doubleClicked.connect(lambda _index: self.entered.emit())
        theme.changed.connect(self.viewport().update)

    def chosen(self) -> FaultOffer | None:
        """Return the selected fault, or None."""
        item = self.offers.row_at(self.currentIndex().row())
        return item if isinstance(item, FaultOffer) else None

    def choose(self, name: str) -> bool:
        """Select a fault by name; False if it is not listed."""
        index = self.offers.index_of(name)
        if index.isValid():
            self.setCurrentIndex(index)
            self.scrollTo(index)
        return index.isValid()

    def choose_first(self) -> None:
        """Select the first listed fault."""
        index = self.offers.first_offer()
        if index.isValid():
            self.setCurrentIndex(index)

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        self.offer_chosen.emit(self.chosen())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.currentIndex().isValid():  # the form has made the list smaller
            self.scrollTo(self.currentIndex())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            if self.chosen() is not None:
                self.entered.emit()
            return
        super().keyPressEvent(event)
