"""The list of agent files and prompts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRectF, QSize, QSortFilterProxyModel, Qt
from PySide6.QtWidgets import QAbstractItemView, QListView

from chimein_gui.domain.agent_files.sources import SourceKind
from chimein_gui.ui.widgets.controls.spoken_role import make_selected_current, speak_rows_only
from chimein_gui.ui.widgets.rows.painted_rows import PaintedRows, two_lines
from chimein_gui.ui.widgets.rows.spoken_views import SpokenListView
from chimein_gui.ui.widgets.surfaces.health import health_look
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.theme import marks
from chimein_gui.ui.widgets.theme.control_colours import Role, colours_of, draw_row, row_state
from chimein_gui.ui.widgets.theme.marks import IconLabel
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.core.roles import ItemRole
from chimein_gui.viewmodels.sources.list import SourceListModel, SourceRow, state_words

if TYPE_CHECKING:
    from PySide6.QtGui import QPainter
    from PySide6.QtWidgets import QStyleOptionViewItem

    from chimein_gui.ui.widgets.theme.theme import Theme
    from chimein_gui.viewmodels.core.roles import Index

PAD = 12.0


def state_label(row: SourceRow) -> IconLabel:
    """Return the mark of a row."""
    words = foreign_text.line(state_words(row))
    if row.file.is_archived:
        return IconLabel("disk", words, "text2")
    if row.is_edited:
        return IconLabel("pencil", words, "attention")
    if row.problems:
        return IconLabel("alert", words, "danger")
    if row.health is not None:
        icon, token = health_look(row.health)
        return IconLabel(icon, words, token)
    return IconLabel("agents" if row.file.kind is SourceKind.AGENT else "quotes", words, "text2")


class SourceDelegate(PaintedRows[SourceRow]):
    """One file: its name, and below it its state and whose it is."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return self.height_of(Face.BODY, 2.4, 10, least=48)

    def draw(self, painter: QPainter, rect: QRectF, row: SourceRow, state: int) -> None:
        theme, (upper, lower) = self._theme, two_lines(rect)
        draw_row(painter, colours_of(theme, Role.ROW, row_state(state)), rect)
        left, right = rect.left() + PAD, rect.right() - PAD
        ink = theme.color("text2" if row.file.is_archived else "text1")
        own = foreign_text.name(row.file.agent)
        if own:
            width = theme.metrics(Face.SMALL).horizontalAdvance(own)
            marks.draw_line(painter, theme.font(Face.SMALL), theme.color("text2"), QPointF(right - width, upper), own)
            right -= width + 8
        name = foreign_text.name(row.file.name)
        marks.draw_line(painter, theme.font(Face.STRONG), ink, QPointF(left, upper), name, right - left)
        label = state_label(row)
        ink = theme.color(label.token)
        marks.draw_mark(painter, theme, QPointF(left, lower), IconLabel(label.icon, "", label.token), ink, Face.SMALL)
        at = QPointF(left + marks.MARK_ICON + marks.MARK_GAP, lower)
        marks.draw_line(painter, theme.font(Face.SMALL), ink, at, label.word, rect.right() - PAD - at.x())


class _Filter(QSortFilterProxyModel):
    """Keeps the files with the searched words in their name."""

    words = ""

    def filterAcceptsRow(self, source_row: int, source_parent: Index) -> bool:
        row = self.sourceModel().index(source_row, 0).data(ItemRole)
        return isinstance(row, SourceRow) and self.words in f"{row.file.name} {row.file.agent}".casefold()


class SourceList(SpokenListView):
    """The list; its current row is the shown file."""

    def __init__(self, theme: Theme, model: SourceListModel) -> None:
        super().__init__()
        speak_rows_only(self)
        self._filter = _Filter(self)
        self._filter.setSourceModel(model)
        self.setModel(self._filter)
        make_selected_current(self)
        self.setItemDelegate(SourceDelegate(theme, self))
        self.setAccessibleName(self.tr("Agent files and prompts"))
        self.setFrameShape(QListView.Shape.NoFrame)
        self.setMouseTracking(True)
        self.setUniformItemSizes(True)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        theme.changed.connect(self.viewport().update)
        theme.fonts_changed.connect(self.scheduleDelayedItemsLayout)

    @property
    def current(self) -> SourceRow | None:
        """The current row."""
        row = self.currentIndex().data(ItemRole) if self.currentIndex().isValid() else None
        return row if isinstance(row, SourceRow) else None

    def search(self, words: str) -> None:
        """Show only the files with these words in their name."""
        self._filter.words = words.strip().casefold()
        self._filter.invalidate()

    def select(self, path: str) -> None:
        """Make a file the current row, if it is listed."""
        for place in range(self._filter.rowCount()):
            index = self._filter.index(place, 0)
            row = index.data(ItemRole)
            if isinstance(row, SourceRow) and row.file.path == path:
                if self.currentIndex() != index:
                    self.setCurrentIndex(index)
                self.scrollTo(index)
                return
