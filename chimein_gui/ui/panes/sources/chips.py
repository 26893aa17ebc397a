"""A field of short entries as chips: sticker sets, and single stickers."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QModelIndex, QPersistentModelIndex, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QFrame, QListView, QListWidgetItem, QStyledItemDelegate, QVBoxLayout, QWidget

from chimein_gui.ui.widgets.controls.form_fields import LineField
from chimein_gui.ui.widgets.controls.spoken_role import make_selected_current, speak_rows_only
from chimein_gui.ui.widgets.rows.spoken_views import SpokenListWidget
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.labels import PlainLabel
from chimein_gui.ui.widgets.theme import marks
from chimein_gui.ui.widgets.theme.control_colours import Role, colours_of, draw_row, row_state
from chimein_gui.ui.widgets.theme.mirror import mirror
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.sources.words import field_label

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtCore import QEvent
    from PySide6.QtGui import QKeyEvent, QMouseEvent, QResizeEvent
    from PySide6.QtWidgets import QStyleOptionViewItem

    from chimein_gui.ui.widgets.theme.theme import Theme

WRITTEN = Qt.ItemDataRole.UserRole
"""Role of an entry as it is written in the file."""

PAD, CLOSE, RADIUS, GAP = 8.0, 12.0, 4.0, 3
MOST_WIDTH = 220.0
MOST_TYPED = 200


class _Delegate(QStyledItemDelegate):
    """One chip: its words, and a cross that removes it."""

    def __init__(self, theme: Theme, view: ChipList) -> None:
        super().__init__(view)
        self._theme, self._view = theme, view

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        words = self._theme.metrics(Face.SMALL_STRONG).horizontalAdvance(_words(str(index.data(WRITTEN))))
        wide = min(words + 2, MOST_WIDTH) + 2 * PAD + self._view.room_of_cross() + 2 * GAP
        return QSize(math.ceil(wide), self._view.row_height())

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        theme, view = self._theme, self._view
        rect = QRectF(option.rect).adjusted(GAP, GAP, -GAP, -GAP)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if view.isRightToLeft():
            mirror(painter, rect)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("raised"))
        painter.drawRoundedRect(rect, RADIUS, RADIUS)
        focused = view.hasFocus()
        draw_row(painter, colours_of(theme, Role.ROW, row_state(option.state.value, focused=focused)), rect)
        middle = rect.center().y()
        room = rect.width() - 2 * PAD - view.room_of_cross()
        words = _words(str(index.data(WRITTEN)))
        left = QPointF(rect.left() + PAD, middle)
        marks.draw_line(painter, theme.font(Face.SMALL_STRONG), theme.color("text1"), left, words, room)
        if view.is_open:
            pen = QPen(theme.color("text2"), 1.4)
            painter.setPen(pen)
            x, half = rect.right() - PAD - CLOSE / 2, 3.5
            painter.drawLine(QPointF(x - half, middle - half), QPointF(x + half, middle + half))
            painter.drawLine(QPointF(x - half, middle + half), QPointF(x + half, middle - half))
        painter.restore()

    def editorEvent(
        self,
        event: QEvent,
        model: object,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> bool:
        return False


class ChipList(SpokenListWidget):
    """The chips; Delete, or the cross, removes one.

    Attributes:
        removed: A chip was removed.
    """

    removed = Signal()

    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__()
        speak_rows_only(self)
        make_selected_current(self)
        self._theme, self.is_open = theme, True
        self.setFlow(QListView.Flow.LeftToRight)
        self.setWrapping(True)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setItemDelegate(_Delegate(theme, self))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setAccessibleName(name)
        self.setAccessibleDescription(self.tr("Delete removes an entry"))
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        theme.changed.connect(self.viewport().update)
        theme.fonts_changed.connect(self.fit)

    def row_height(self) -> int:
        """Return the height of a line of chips, px."""
        return max(22, round(self._theme.metrics(Face.SMALL_STRONG).height()) + 6) + 2 * GAP

    def room_of_cross(self) -> float:
        """Return the width of the cross that removes a chip, px; 0 where none can be removed."""
        return CLOSE + 4 if self.is_open else 0.0

    def lines(self) -> list[str]:
        """Return the entries as they are written, in order."""
        return [str(self.item(row).data(WRITTEN)) for row in range(self.count())]

    def show_lines(self, lines: list[str]) -> None:
        """Show these entries; the current one stays."""
        if lines != self.lines():
            current = self.currentRow()
            self.clear()
            for line in lines:
                item = QListWidgetItem()
                item.setData(WRITTEN, line)
                item.setData(Qt.ItemDataRole.AccessibleTextRole, _words(line))
                self.addItem(item)
            self.setCurrentRow(min(current, len(lines) - 1))
        self.fit()

    def fit(self) -> None:
        """Be as high as the lines of chips, and not there without any."""
        self.setVisible(self.count() > 0)
        self.doItemsLayout()
        last = self.visualItemRect(self.item(self.count() - 1)) if self.count() else None
        height = last.bottom() + 1 + self.verticalOffset() if last is not None else 0
        self.setFixedHeight(max(self.row_height(), height))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.oldSize().width() != event.size().width():
            self.fit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace) and self.currentRow() >= 0:
            self._remove(self.currentRow())
        else:
            super().keyPressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        item = self.itemAt(event.position().toPoint())
        if item is not None:
            rect, x = self.visualItemRect(item), event.position().x()
            reach = PAD + CLOSE + GAP
            if x < rect.left() + reach if self.isRightToLeft() else x > rect.right() - reach:
                self._remove(self.row(item))

    def _remove(self, row: int) -> None:
        if self.is_open:
            self.takeItem(row)
            self.setCurrentRow(min(row, self.count() - 1))
            self.fit()
            self.removed.emit()


class ChipsControl:
    """The field: its entries as chips, and a line in which another one is written."""

    def __init__(self, theme: Theme, name: str, changed: Callable[[str], object], hint: str) -> None:
        label = field_label(name)
        self.widget = QWidget()
        self.list = ChipList(theme, label)
        self.line = LineField(theme, label, hint=hint)
        self.line.setMaxLength(MOST_TYPED)
        column = QVBoxLayout(self.widget)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addWidget(self.list)
        column.addWidget(self.line)
        self.none = PlainLabel(theme, QCoreApplication.translate("ChipsControl", "none"), Face.BODY, "text2")
        self.none.setContentsMargins(0, 5, 0, 0)  # in line with the name of the field
        self.none.hide()
        column.addWidget(self.none)
        self.widget.setFocusProxy(self.line)
        self._changed = changed
        self.list.removed.connect(self._tell)
        self.line.returnPressed.connect(self._add)

    def show_value(self, value: str) -> None:
        self.list.show_lines([line.strip() for line in value.split("\n") if line.strip()])
        self._tell_none()

    def allow(self, *, allowed: bool) -> None:
        self.list.is_open = allowed
        self.line.setVisible(allowed)
        self.list.scheduleDelayedItemsLayout()
        self.list.fit()
        self._tell_none()

    def _tell_none(self) -> None:
        """Say that there are no entries where none can be added."""
        self.none.setVisible(not self.list.is_open and not self.list.count())

    def _add(self) -> None:
        words = " ".join(self.line.text().split())
        if words and words not in self.list.lines():
            self.list.show_lines([*self.list.lines(), words])
            self._tell()
        self.line.clear()

    def _tell(self) -> None:
        self._changed("\n".join(self.list.lines()))


def _words(line: str) -> str:
    return foreign_text.line(line, 120)
