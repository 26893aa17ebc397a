"""The differences of two prompts as a list: heads of parts, and lines with their numbers and a sign."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QKeySequence, QPainter, QTextLayout, QTextOption
from PySide6.QtWidgets import QAbstractItemView, QListView, QStyledItemDelegate

from chimein_gui.domain.text.word_changes import Piece, WordChange
from chimein_gui.ui.panes.prompt.copying import copy_text
from chimein_gui.ui.panes.prompt.part_list import color_of
from chimein_gui.ui.widgets.controls.spoken_role import make_selected_current, speak_rows_only
from chimein_gui.ui.widgets.rows.spoken_views import SpokenListView
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.text_block import runs_right_to_left
from chimein_gui.ui.widgets.text.word_diff import change_formats
from chimein_gui.ui.widgets.theme import icons, marks
from chimein_gui.ui.widgets.theme.control_colours import NONE, Role, colours_of, draw_row, row_state
from chimein_gui.ui.widgets.theme.mirror import mirror
from chimein_gui.ui.widgets.theme.theme import Face, blend
from chimein_gui.viewmodels.core.roles import ItemRole
from chimein_gui.viewmodels.core.sanitize import sanitize
from chimein_gui.viewmodels.prompt.differences import DiffKind, DiffRow, by_words, state_words
from chimein_gui.viewmodels.prompt.sections import source_words

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent, QResizeEvent
    from PySide6.QtWidgets import QStyleOptionViewItem

    from chimein_gui.domain.text.line_changes import LineChange
    from chimein_gui.ui.widgets.theme.theme import Theme
    from chimein_gui.viewmodels.prompt.differences import DiffModel, PartDiff

PAD, NUMBER, SIGN = 8.0, 34.0, 16.0
"""Widths: beside a row, of a line number, and of the sign, px."""

TEXT_LEFT, SIDE_LEFT = PAD + 2 * NUMBER + SIGN, PAD + NUMBER + SIGN
"""Where a line begins, and where it begins on a side of its own, px."""

_SIGNS = {WordChange.REMOVED: "−", WordChange.ADDED: "+", WordChange.SAME: ""}
_GROUNDS = {WordChange.REMOVED: "diff_removed", WordChange.ADDED: "diff_added"}
_SHORT = 400
"""Longest line, in characters, that one look at its width can place on one line."""


class DiffDelegate(QStyledItemDelegate):
    """Paints the rows. Lines wrap; what was measured is kept until the width or the font changes."""

    def __init__(self, theme: Theme, view: QListView) -> None:
        super().__init__(view)
        self._theme, self._view = theme, view
        self.forget()

    def forget(self) -> None:
        """Measure everything again."""
        self._font = self._theme.fixed_font()
        self._metrics = QFontMetricsF(self._font)
        self._line = round(self._metrics.height() * 1.3)
        self._heights: dict[tuple[str, int], int] = {}

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        row = index.data(ItemRole)
        if not isinstance(row, DiffRow) or row.line is None:
            least = 38 if isinstance(row, DiffRow) and row.kind is DiffKind.HEAD else 30
            return QSize(120, max(least, round(self._theme.metrics(Face.BODY).height() * 1.8)))
        width = self._view.viewport().width()
        if not self._model.is_beside:
            return QSize(120, self._known_height(row.line, round(width - TEXT_LEFT - PAD)))
        room = round(width / 2 - SIDE_LEFT - PAD)
        return QSize(120, max(self._known_height(side, room) for side in row.sides if side is not None))

    def _known_height(self, line: LineChange, room: int) -> int:
        known = self._heights.get((line.text, room))
        if known is None:
            known = self._heights[line.text, room] = self._height(line, room)
        return known

    def _height(self, line: LineChange, room: int) -> int:
        text = line.text
        if len(text) <= _SHORT and self._metrics.horizontalAdvance(text) < room:
            return self._line
        return self._line * max(1, self._laid_out(line, room).lineCount())

    def _laid_out(self, line: LineChange, room: float) -> QTextLayout:
        pieces = [Piece(one.change, sanitize(one.text, keep_breaks=False)) for one in line.pieces]
        text = "".join(one.text for one in pieces)
        layout = QTextLayout(text, self._font)
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        is_turned = runs_right_to_left(text)
        option.setTextDirection(Qt.LayoutDirection.RightToLeft if is_turned else Qt.LayoutDirection.LeftToRight)
        layout.setTextOption(option)
        if len(pieces) > 1:
            layout.setFormats(change_formats(self._theme, pieces))
        layout.beginLayout()
        top = (self._line - self._metrics.height()) / 2
        while (made := layout.createLine()).isValid():
            made.setLineWidth(max(20.0, room))
            made.setPosition(QPointF(0, top))
            top += self._line
        layout.endLayout()
        return layout

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        row = index.data(ItemRole)
        if not isinstance(row, DiffRow):
            return
        rect = QRectF(option.rect)
        painter.save()
        if self._view.isRightToLeft():
            mirror(painter, rect)
        if self._model.is_beside and row.line is not None:
            self._paint_sides(painter, rect, row)
        elif row.line is not None:
            self._paint_line(painter, rect, row.line)
        focused = self._view.hasFocus()
        colours = colours_of(self._theme, Role.ROW, row_state(option.state.value, focused=focused))
        if row.line is None:
            draw_row(painter, colours if focused else colours._replace(edge=NONE), rect)
        elif index.row() == self._view.currentIndex().row():
            painter.fillRect(QRectF(rect.left(), rect.top(), 3, rect.height()), self._theme.color("accent"))
        if row.kind is DiffKind.HEAD:
            self._paint_head(painter, rect, row)
        elif row.line is None:
            self._paint_fold(painter, rect, row)
        painter.restore()

    def _paint_sides(self, painter: QPainter, rect: QRectF, row: DiffRow) -> None:
        """Paint the older line in the first half, and the newer one in the second."""
        half = rect.width() / 2
        for place, line in enumerate(row.sides):
            side = QRectF(rect.left() + place * half, rect.top(), half, rect.height())
            if line is None:
                painter.fillRect(side, self._theme.color("raised"))
                continue
            self._paint_ground(painter, side, line)
            number = line.new if place else line.old
            self._paint_numbers(painter, side, ((number, PAD + NUMBER - 6),), line, PAD + NUMBER)
            self._paint_words(painter, side, line, SIDE_LEFT)
        painter.fillRect(QRectF(rect.left() + half, rect.top(), 1, rect.height()), self._theme.color("line"))

    def _paint_line(self, painter: QPainter, rect: QRectF, line: LineChange) -> None:
        self._paint_ground(painter, rect, line)
        numbers = ((line.old, PAD + NUMBER - 6), (line.new, PAD + 2 * NUMBER - 6))
        self._paint_numbers(painter, rect, numbers, line, PAD + 2 * NUMBER)
        self._paint_words(painter, rect, line, TEXT_LEFT)

    def _paint_ground(self, painter: QPainter, rect: QRectF, line: LineChange) -> None:
        ground = _GROUNDS.get(line.change)
        if ground is not None:
            painter.fillRect(rect, blend(self._theme.color(ground), self._theme.color("card"), 0.55))

    def _paint_numbers(
        self,
        painter: QPainter,
        rect: QRectF,
        numbers: tuple[tuple[int, float], ...],
        line: LineChange,
        sign_left: float,
    ) -> None:
        """Paint line numbers, each with its right edge, and the sign."""
        theme, middle = self._theme, rect.top() + self._line / 2
        for number, right in numbers:
            if number:
                words = str(number)
                at = QPointF(rect.left() + right - self._metrics.horizontalAdvance(words), middle)
                marks.draw_line(painter, self._font, theme.color("text2"), at, words)
        ground = _GROUNDS.get(line.change)
        ink = theme.color(f"{ground}_text") if ground is not None else theme.color("text1")
        marks.draw_line(painter, self._font, ink, QPointF(rect.left() + sign_left, middle), _SIGNS[line.change])

    def _paint_words(self, painter: QPainter, rect: QRectF, line: LineChange, left: float) -> None:
        room = rect.width() - left - PAD
        place = QRectF(rect.left() + left, rect.top(), room, rect.height())
        if self._view.isRightToLeft():
            mirror(painter, place)
        painter.setPen(self._theme.color("text1"))
        self._laid_out(line, room).draw(painter, place.topLeft())
        if self._view.isRightToLeft():
            mirror(painter, place)

    def _paint_head(self, painter: QPainter, rect: QRectF, row: DiffRow) -> None:
        theme, part = self._theme, self._part_of(row)
        middle = rect.center().y()
        painter.fillRect(QRectF(rect.left() + PAD, rect.top(), rect.width() - 2 * PAD, 1), theme.color("line"))
        quiet = theme.color("text2")
        icon = QRectF(rect.left() + PAD, middle - 7, 14, 14)
        icons.draw(painter, "caret-down" if row.is_open else "caret-right", quiet, icon)
        left = rect.left() + PAD + 20
        painter.fillRect(QRectF(left, middle - 5, 10, 10), color_of(theme, part.row))
        left += 18
        right = rect.right() - PAD
        by = by_words(part.by)
        ink = theme.color("diff_removed_text" if part.by < 0 else "diff_added_text")
        right -= theme.metrics(Face.STRONG).horizontalAdvance(by)
        marks.draw_line(painter, theme.font(Face.STRONG), ink, QPointF(right, middle), by)
        state = state_words(part)
        right -= theme.metrics(Face.SMALL).horizontalAdvance(state) + 10
        marks.draw_line(painter, theme.font(Face.SMALL), quiet, QPointF(right, middle), state)
        title, room = foreign_text.line(part.row.title), right - left - 10
        left += marks.draw_line(
            painter, theme.font(Face.STRONG), theme.color("text1"), QPointF(left, middle), title, room
        )
        source = foreign_text.line(source_words(part.row), 400)
        room = right - left - 20
        if room > 40:
            marks.draw_line(painter, theme.font(Face.META), quiet, QPointF(left + 10, middle), source, room)

    def _paint_fold(self, painter: QPainter, rect: QRectF, row: DiffRow) -> None:
        theme, middle = self._theme, rect.center().y()
        quiet = theme.color("text2")
        left = rect.left() + (TEXT_LEFT if row.kind is DiffKind.GAP else PAD)
        icon = QRectF(left, middle - 7, 14, 14)
        icons.draw(painter, "caret-down" if row.is_open else "caret-right", quiet, icon)
        words = foreign_text.line(self._model.fold_words(row), 400)
        marks.draw_line(
            painter, theme.font(Face.SMALL), quiet, QPointF(left + 20, middle), words, rect.right() - left - 28
        )

    @property
    def _model(self) -> DiffModel:
        return cast("DiffModel", self._view.model())

    def _part_of(self, row: DiffRow) -> PartDiff:
        return self._model.diff.parts[row.part]


class DiffList(SpokenListView):
    """The list of differences.

    Attributes:
        entered: Return was pressed on a row; carries the `PartRow` and the line in its text as it is now, or 0.
        reached: Another row is current; carries its `PartRow`.
    """

    entered = Signal(object, int)
    reached = Signal(object)

    def __init__(self, theme: Theme, rows: DiffModel) -> None:
        super().__init__()
        self._rows = rows
        self._delegate = DiffDelegate(theme, self)
        speak_rows_only(self)
        self.setModel(rows)
        make_selected_current(self)
        self.setItemDelegate(self._delegate)
        self.setAccessibleName(self.tr("Differences"))
        self.setFrameShape(QListView.Shape.NoFrame)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setLayoutMode(QListView.LayoutMode.Batched)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.clicked.connect(self._turn_clicked)
        self.selectionModel().currentChanged.connect(lambda now, _before: self.reached.emit(rows.part_row(now.row())))
        theme.changed.connect(self.viewport().update)
        theme.fonts_changed.connect(self._measure_again)

    @property
    def current(self) -> DiffRow | None:
        """The current row."""
        row = self.currentIndex().data(ItemRole) if self.currentIndex().isValid() else None
        return row if isinstance(row, DiffRow) else None

    def show_beside(self, *, beside: bool) -> None:
        """Show both sides beside each other, or below; the current line stays in sight."""
        row = self.current
        self._rows.show_beside(beside=beside)
        if row is not None:
            self._go(self._rows.row_like(row))

    def show_change(self, by: int) -> None:
        """Go to the next change, with 1, or to the one before, with -1."""
        self._go(self._rows.next_change(self.currentIndex().row(), by))

    def show_part(self, part: int) -> None:
        """Go to the head of a part."""
        self._go(self._rows.row_of(part), QAbstractItemView.ScrollHint.PositionAtTop)

    def turn(self) -> None:
        """Open or close what the current row folds."""
        row = self.current
        if row is None:
            return
        number = self.currentIndex().row()
        self._rows.toggle(number)
        if row.kind is DiffKind.LINE:
            number = self._rows.row_of(row.part)
        self._go(number)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        row = self.current
        if event.key() == Qt.Key.Key_Space:
            self.turn()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and row is not None:
            if row.kind in {DiffKind.FOLD, DiffKind.GAP}:
                self.turn()
            else:
                self.entered.emit(self._rows.part_row(self.currentIndex().row()), row.newer_line)
        elif event.matches(QKeySequence.StandardKey.Copy) and row is not None and row.line is not None:
            copy_text("\n".join(dict.fromkeys(side.text for side in row.sides if side is not None)))
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.scheduleDelayedItemsLayout()

    def _go(self, number: int, hint: QAbstractItemView.ScrollHint = QAbstractItemView.ScrollHint.EnsureVisible) -> None:
        if number >= 0:
            self.setCurrentIndex(self._rows.index(number))
            self.scrollTo(self._rows.index(number), hint)

    def _turn_clicked(self, index: QModelIndex) -> None:
        row = index.data(ItemRole)
        if isinstance(row, DiffRow) and row.line is None:
            self.turn()

    def _measure_again(self) -> None:
        self._delegate.forget()
        self.scheduleDelayedItemsLayout()
