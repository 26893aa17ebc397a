"""The list of pages: icon and title. The current page is marked; pages without search results are dimmed."""

from __future__ import annotations

from math import ceil

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QAbstractItemView, QListView, QStyledItemDelegate, QStyleOptionViewItem

from chimein_gui.ui.widgets.controls.spoken_role import make_selected_current, speak_rows_only
from chimein_gui.ui.widgets.rows.row_states import SELECTED
from chimein_gui.ui.widgets.rows.spoken_views import SpokenListView
from chimein_gui.ui.widgets.theme import icons, marks
from chimein_gui.ui.widgets.theme.control_colours import Role, colours_of, draw_tile, row_state
from chimein_gui.ui.widgets.theme.mirror import mirror
from chimein_gui.ui.widgets.theme.theme import Face, Theme
from chimein_gui.viewmodels.preferences.catalogue import ICONS, Page, title_of

ROW = 34
_TILE, _WORDS, _END = 8, 36, 6
_AROUND = 2 * _TILE + _WORDS + _END
"""Width of everything beside the title, px: margins, icon and trailing space."""
_PAGE = Qt.ItemDataRole.UserRole + 1


class _PageDelegate(QStyledItemDelegate):
    def __init__(self, theme: Theme, view: QListView) -> None:
        super().__init__(view)
        self._theme, self._view = theme, view

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        words = self._theme.metrics(Face.STRONG).horizontalAdvance(str(index.data() or ""))
        return QSize(ceil(words) + _AROUND, max(ROW, round(self._theme.metrics(Face.BODY).height() + 16)))

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        theme, rect = self._theme, QRectF(option.rect)
        page = Page(str(index.data(_PAGE)))
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._view.isRightToLeft():
            mirror(painter, rect)
        chosen = bool(option.state.value & SELECTED)
        tile = rect.adjusted(_TILE, 1, -_TILE, -1)
        state = row_state(option.state.value, focused=chosen and self._view.hasFocus())
        state = state._replace(enabled=bool(index.flags() & Qt.ItemFlag.ItemIsEnabled))
        colours = colours_of(theme, Role.RAIL, state)
        draw_tile(painter, colours, tile)
        icons.draw(painter, ICONS[page], colours.ink, QRectF(tile.left() + 10, rect.center().y() - 8, 16, 16))
        painter.setFont(theme.font(Face.STRONG if chosen else Face.BODY))
        painter.setPen(colours_of(theme, Role.WORDS, state).ink)
        marks.draw_words(painter, tile.adjusted(_WORDS, 0, -_END, 0), str(index.data() or ""))
        painter.restore()


class PageList(SpokenListView):
    """Arrow keys select a page, Return focuses its contents.

    Attributes:
        page_chosen: Another page was selected.
        page_entered: The page's contents shall get the focus.
    """

    page_chosen = Signal(object)
    page_entered = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        speak_rows_only(self)
        self._items = QStandardItemModel(self)
        for page in Page:
            item = QStandardItem(title_of(page))
            item.setData(page.value, _PAGE)
            item.setData(title_of(page), Qt.ItemDataRole.AccessibleTextRole)
            self._items.appendRow(item)
        self.setModel(self._items)
        make_selected_current(self)
        self.setItemDelegate(_PageDelegate(theme, self))
        self.setAccessibleName(self.tr("Pages of the preferences"))
        self.setFrameShape(QListView.Shape.NoFrame)
        self.setMouseTracking(True)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setCurrentIndex(self._items.index(0, 0))
        self.selectionModel().currentChanged.connect(lambda _now, _before: self._tell())
        self.clicked.connect(lambda _index: self._tell())
        self.activated.connect(lambda _index: self.page_entered.emit(self.page()))
        theme.changed.connect(self.viewport().update)
        theme.fonts_changed.connect(self.scheduleDelayedItemsLayout)

    def wanted_width(self) -> int:
        """Return the width that the longest title needs, px."""
        return self.sizeHintForColumn(0)

    def page(self) -> Page:
        """Return the selected page."""
        return Page(str(self.currentIndex().data(_PAGE)))

    def mark(self, page: Page) -> None:
        """Select a page without a signal."""
        blocked = self.selectionModel().blockSignals(True)
        self.setCurrentIndex(self._items.index(list(Page).index(page), 0))
        self.selectionModel().blockSignals(blocked)
        self.viewport().update()

    def leave(self, pages: frozenset[Page]) -> None:
        """Enable only these pages: the others have no search results."""
        for place, page in enumerate(Page):
            self._items.item(place).setEnabled(page in pages)

    def _tell(self) -> None:
        self.page_chosen.emit(self.page())
