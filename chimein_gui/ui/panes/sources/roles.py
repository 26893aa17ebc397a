"""The role prompts of an agent as rows that can be moved, removed and opened."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QAbstractItemView, QFrame, QListWidgetItem, QStyledItemDelegate

from chimein_gui.ui.widgets.controls.spoken_role import make_selected_current, speak_rows_only
from chimein_gui.ui.widgets.rows.spoken_views import SpokenListWidget
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.theme import marks
from chimein_gui.ui.widgets.theme.control_colours import Role, colours_of, draw_row, row_state
from chimein_gui.ui.widgets.theme.marks import IconLabel
from chimein_gui.ui.widgets.theme.mirror import mirror
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.sources.words import field_label

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from PySide6.QtGui import QDropEvent, QKeyEvent
    from PySide6.QtWidgets import QStyleOptionViewItem

    from chimein_gui.ui.widgets.theme.theme import Theme

WRITTEN = Qt.ItemDataRole.UserRole
"""Role of a line as it is written in the file."""

PAD = 10.0
NUMBER_WIDTH = 20.0
MOST_ROWS = 8


class _Delegate(QStyledItemDelegate):
    """Number and name; at the end the file, or that there is none."""

    def __init__(self, theme: Theme, view: RoleList) -> None:
        super().__init__(view)
        self._theme, self._view = theme, view

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(120, self._view.row_height())

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        rect, theme = QRectF(option.rect), self._theme
        name, place = self._view.name_of(index.row()), self._view.place_of(index.row())
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._view.isRightToLeft():
            mirror(painter, rect)
        focused = self._view.hasFocus()
        draw_row(painter, colours_of(theme, Role.ROW, row_state(option.state.value, focused=focused)), rect)
        middle, right = rect.center().y(), rect.right() - PAD
        quiet = theme.color("text2")
        at = QPointF(rect.left() + PAD, middle)
        marks.draw_line(painter, theme.font(Face.SMALL), quiet, at, str(index.row() + 1))
        left = rect.left() + PAD + NUMBER_WIDTH
        if place:
            shown = foreign_text.line(place, 300)
            width = min(theme.metrics(Face.SMALL).horizontalAdvance(shown), rect.width() / 2)
            marks.draw_line(painter, theme.font(Face.SMALL), quiet, QPointF(right - width, middle), shown, width)
        else:
            label = IconLabel("alert", self.tr("missing"), "danger")
            width = marks.MARK_ICON + marks.MARK_GAP + theme.metrics(Face.SMALL_STRONG).horizontalAdvance(label.word)
            marks.draw_mark(painter, theme, QPointF(right - width, middle), label, theme.color("danger"))
        ink = theme.color("text1" if place else "danger")
        room = right - width - left - 8
        marks.draw_line(painter, theme.font(Face.STRONG), ink, QPointF(left, middle), foreign_text.line(name), room)
        painter.restore()


class RoleList(SpokenListWidget):
    """Alt and an arrow moves a row, Delete removes it, Return opens its file; rows can be dragged.

    Attributes:
        moved: The order has changed, or a row was removed.
        opened: The file of a prompt is to be opened; carries its name.
    """

    moved = Signal()
    opened = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        speak_rows_only(self)
        make_selected_current(self)
        self._theme = theme
        self._places: Mapping[str, str] = {}
        self.is_open = True
        self.setItemDelegate(_Delegate(theme, self))
        self.setAccessibleName(field_label("Role Prompt"))
        self.setAccessibleDescription(self.tr("Alt and an arrow key moves a row, Delete removes it, Return opens it"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setDragDropMode(QAbstractItemView.DragDropMode.InternalMove)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.itemDoubleClicked.connect(lambda item: self.opened.emit(_bare(item)))
        theme.changed.connect(self.viewport().update)
        theme.fonts_changed.connect(self._fit)
        self._fit()

    def row_height(self) -> int:
        """Return the height of a row, px."""
        return max(28, round(1.8 * self._theme.metrics(Face.BODY).height()))

    def name_of(self, row: int) -> str:
        """Return the name of a prompt."""
        return _bare(self.item(row))

    def place_of(self, row: int) -> str:
        """Return where the file of a prompt is; empty if there is none."""
        return self._places.get(self.name_of(row), "")

    def lines(self) -> list[str]:
        """Return the lines as they are written, in order."""
        return [str(self.item(row).data(WRITTEN)) for row in range(self.count())]

    def show_lines(self, lines: list[str]) -> None:
        """Show these prompts; the current row stays."""
        if lines != self.lines():
            current = self.currentRow()
            self.clear()
            for line in lines:
                item = QListWidgetItem()
                item.setData(WRITTEN, line)
                self.addItem(item)
            self.setCurrentRow(max(0, min(current, len(lines) - 1)))
            self._fit()
        self._name_rows()

    def show_places(self, places: Mapping[str, str]) -> None:
        """Show where each prompt is."""
        if places != self._places:
            self._places = places
            self._name_rows()
            self.viewport().update()

    def _name_rows(self) -> None:
        for row in range(self.count()):
            place = self.place_of(row) or self.tr("missing")
            self.item(row).setData(Qt.ItemDataRole.AccessibleTextRole, f"{self.name_of(row)}, {place}")

    def _fit(self) -> None:
        self.setFixedHeight(self.row_height() * max(1, min(MOST_ROWS, self.count())) + 2)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        row, is_alt = self.currentRow(), event.modifiers() == Qt.KeyboardModifier.AltModifier
        steps = {int(Qt.Key.Key_Up): -1, int(Qt.Key.Key_Down): 1}
        if is_alt and event.key() in steps:
            self._move(row, row + steps[event.key()])
        elif event.key() == Qt.Key.Key_Delete and row >= 0 and self.is_open:
            self.takeItem(row)
            self._fit()
            self.moved.emit()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and row >= 0:
            self.opened.emit(self.name_of(row))
        else:
            super().keyPressEvent(event)

    def _move(self, row: int, to: int) -> None:
        if self.is_open and row >= 0 and 0 <= to < self.count():
            item = self.takeItem(row)
            self.insertItem(to, item)
            self.setCurrentRow(to)
            self.moved.emit()

    def dropEvent(self, event: QDropEvent) -> None:
        super().dropEvent(event)
        self.moved.emit()


class RolesControl:
    """The field of the role prompts."""

    def __init__(self, theme: Theme, changed: Callable[[str], object]) -> None:
        self.widget = self.list = RoleList(theme)
        self.list.moved.connect(lambda: changed("\n".join(self.list.lines())))

    def show_value(self, value: str) -> None:
        self.list.show_lines([line.strip() for line in value.split("\n") if line.strip()])

    def allow(self, *, allowed: bool) -> None:
        self.list.is_open = allowed
        self.list.setDragEnabled(allowed)


def _bare(item: QListWidgetItem) -> str:
    return str(item.data(WRITTEN)).removesuffix(".md")
