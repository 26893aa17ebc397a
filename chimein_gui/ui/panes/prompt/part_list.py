"""The parts of a prompt: as a bar of their shares, and as a list with file, lines and tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen
from PySide6.QtWidgets import QAbstractItemView, QListView, QSizePolicy, QStyledItemDelegate, QWidget

from chimein_gui.ui.widgets.controls.spoken_role import make_selected_current, speak_rows_only
from chimein_gui.ui.widgets.rows.spoken_views import SpokenListView
from chimein_gui.ui.widgets.rows.whole_rows import fit_rows
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.theme import marks
from chimein_gui.ui.widgets.theme.control_colours import NONE, Role, colours_of, draw_row, row_state
from chimein_gui.ui.widgets.theme.mirror import follow_layout, mirror
from chimein_gui.ui.widgets.theme.theme import Face, blend
from chimein_gui.viewmodels.core.roles import ItemRole
from chimein_gui.viewmodels.prompt.sections import PartRow, PromptParts, RowKind, figure_words, source_words

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent, QPaintEvent, QResizeEvent
    from PySide6.QtWidgets import QStyleOptionViewItem

    from chimein_gui.ui.widgets.theme.theme import Theme
    from chimein_gui.viewmodels.prompt.sections import PartsModel

PAD, SWATCH, NUMBER_LEFT, TEXT_LEFT, ENTRY_INDENT = 12.0, 10.0, 28.0, 50.0, 12.0
BAR_HEIGHT = 12
_ROLE = "Role: "
_HUES = {"Model prompt": 0, "Instructions": 5, "Stickers": 1}
_CONTENTS, _TOOLS, _OF_ROLES, _OURS = 6, 4, 7, 2


def color_of(theme: Theme, row: PartRow) -> QColor:
    """Return the colour of a part; parts of one kind share a hue."""
    if row.kind is RowKind.CONTENTS:
        return theme.identity(_CONTENTS)
    if row.kind is RowKind.TOOLS:
        return theme.identity(_TOOLS)
    if row.kind is RowKind.OVERHEAD:
        return theme.color("line_strong")
    # In the dark scheme the card would make a part as dark as the ground below it.
    lighter = theme.color("text1" if theme.tokens.dark else "card")
    if row.title.startswith(_ROLE):
        return blend(theme.identity(_OF_ROLES), lighter, 0.14 * (row.number % 4))
    if row.title in _HUES:
        return theme.identity(_HUES[row.title])
    return blend(theme.identity(_OURS), lighter, 0.12 * (row.number % 4))


class PartBar(QWidget):
    """The shares of the parts, in their order. The list says the same to screen readers."""

    pressed = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme, self._parts, self._chosen = theme, PromptParts(), ""
        self.setFixedHeight(BAR_HEIGHT + 6)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def show_parts(self, parts: PromptParts, chosen: str) -> None:
        """Show the shares; the part with the title `chosen` is underlined."""
        self._parts, self._chosen = parts, chosen
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        follow_layout(painter, self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        whole = QRectF(0, 0, self.width(), BAR_HEIGHT)
        clip = QPainterPath()
        clip.addRoundedRect(whole, 4, 4)
        total = sum(row.tokens for row in self._parts.in_bar)
        left = 0.0
        for row in self._parts.in_bar:
            width = whole.width() * row.tokens / total if total else 0.0
            painter.setClipPath(clip)
            painter.fillRect(QRectF(left, 0, max(1.0, width - 1), BAR_HEIGHT), color_of(self._theme, row))
            painter.setClipping(False)
            if row.title == self._chosen:
                painter.fillRect(QRectF(left, BAR_HEIGHT + 3, max(2.0, width - 1), 2), self._theme.color("accent"))
            left += width
        painter.end()


class PartDelegate(QStyledItemDelegate):
    """One part: swatch, number, title and tokens; below them its source and its share."""

    def __init__(self, theme: Theme, view: QListView, parts: PartsModel) -> None:
        super().__init__(view)
        self._theme, self._view, self._parts = theme, view, parts

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(120, self.row_height())

    def row_height(self) -> int:
        """Return the height of every row, px."""
        return max(42, round(2.1 * self._theme.metrics(Face.BODY).height() + 8))

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        row = index.data(ItemRole)
        if not isinstance(row, PartRow):
            return
        rect, theme = QRectF(option.rect), self._theme
        painter.save()
        if self._view.isRightToLeft():
            mirror(painter, rect)
        focused = self._view.hasFocus()
        colours = colours_of(theme, Role.ROW, row_state(option.state.value, focused=focused))
        draw_row(painter, colours if focused else colours._replace(edge=NONE), rect)
        upper, lower = rect.top() + rect.height() * 0.31, rect.top() + rect.height() * 0.71
        is_out, is_total = row.kind is RowKind.LEFT_OUT, row.kind is RowKind.TOTAL
        if is_total:
            painter.fillRect(QRectF(rect.left() + PAD, rect.top(), rect.width() - 2 * PAD, 1), theme.color("line"))
        self._draw_swatch(painter, QRectF(rect.left() + PAD, rect.center().y() - 13, SWATCH, 26), row)
        number = str(row.number) if row.number else {RowKind.CONTENTS: "C", RowKind.TOOLS: "T"}.get(row.kind, "")
        quiet = theme.color("text2")
        marks.draw_line(painter, theme.font(Face.SMALL), quiet, QPointF(rect.left() + NUMBER_LEFT, upper), number)
        right = rect.right() - PAD
        is_entry = row.kind in {RowKind.ENTRY, RowKind.PAGE}
        is_page = row.kind is RowKind.PAGE  # it has the whole line for its address, and its length below
        figure = self.tr("left out") if is_out else figure_words(row)
        figure = "" if is_page else figure
        face = Face.SMALL if is_out or is_entry else Face.STRONG
        advance = theme.metrics(face).horizontalAdvance(figure)
        ink = quiet if is_out else theme.color("text1")
        marks.draw_line(painter, theme.font(face), ink, QPointF(right - advance, upper), figure)
        left = rect.left() + TEXT_LEFT + (ENTRY_INDENT if is_entry else 0)
        title_face = Face.STRONG if is_total or option.state.value & 0x8000 else Face.BODY
        title, room = foreign_text.line(row.title), right - advance - left - 8
        if is_page:  # the end of an address tells as much as its host
            title = title.partition("://")[2] or title
            title = theme.metrics(title_face).elidedText(title, Qt.TextElideMode.ElideMiddle, room - 2)
        marks.draw_line(painter, theme.font(title_face), ink, QPointF(left, upper), title, room)
        share = self._parts.figure_of(row)
        advance = theme.metrics(Face.META).horizontalAdvance(share)
        marks.draw_line(painter, theme.font(Face.META), quiet, QPointF(right - advance, lower), share)
        below = row.figure if is_page else source_words(row)
        words, room = foreign_text.line(below, 400), right - advance - left - 8
        metrics = self._theme.metrics(Face.META)
        if row.source and row.kind in {RowKind.SECTION, RowKind.ENTRY, RowKind.PAGE}:
            words = metrics.elidedText(words, Qt.TextElideMode.ElideLeft, room)
        marks.draw_line(painter, theme.font(Face.META), quiet, QPointF(left, lower), words, room)
        painter.restore()

    def _draw_swatch(self, painter: QPainter, place: QRectF, row: PartRow) -> None:
        if row.kind in {RowKind.TOTAL, RowKind.ENTRY, RowKind.PAGE}:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if row.kind in {RowKind.LEFT_OUT, RowKind.OVERHEAD}:
            pen = QPen(self._theme.color("text3"), 1)
            pen.setStyle(Qt.PenStyle.DashLine if row.kind is RowKind.LEFT_OUT else Qt.PenStyle.SolidLine)
            painter.setPen(pen)
            painter.setBrush(Qt.BrushStyle.NoBrush)
        else:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(color_of(self._theme, row))
        painter.drawRoundedRect(place, 2, 2)


class PartList(SpokenListView):
    """The list of parts.

    Attributes:
        chosen: Another row is current; carries the `PartRow` or None.
        copied: The current part is to be copied.
        searched: The search field is to get the focus.
        entered: Return was pressed, or a row was double-clicked.
    """

    chosen = Signal(object)
    copied = Signal()
    searched = Signal()
    entered = Signal()

    def __init__(self, theme: Theme, parts: PartsModel) -> None:
        super().__init__()
        speak_rows_only(self)
        self.setModel(parts)
        make_selected_current(self)
        self._rows = PartDelegate(theme, self, parts)
        self.setItemDelegate(self._rows)
        self.setAccessibleName(self.tr("Parts of the prompt"))
        self.setFrameShape(QListView.Shape.NoFrame)
        self.setMouseTracking(True)
        self.setUniformItemSizes(True)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.doubleClicked.connect(lambda _index: self.entered.emit())
        self.selectionModel().currentChanged.connect(lambda _now, _before: self.chosen.emit(self.current))
        theme.changed.connect(self.viewport().update)
        theme.fonts_changed.connect(self._measure)

    def _measure(self) -> None:
        fit_rows(self, self._rows.row_height())
        self.scheduleDelayedItemsLayout()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        fit_rows(self, self._rows.row_height())

    @property
    def current(self) -> PartRow | None:
        """The current row."""
        row = self.currentIndex().data(ItemRole) if self.currentIndex().isValid() else None
        return row if isinstance(row, PartRow) else None

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.entered.emit()
        elif event.key() == Qt.Key.Key_C and event.modifiers() == Qt.KeyboardModifier.ControlModifier:
            self.copied.emit()
        elif event.text() == "/":
            self.searched.emit()
        else:
            super().keyPressEvent(event)
