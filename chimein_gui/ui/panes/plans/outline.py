"""The plan as a list: the form of it for keys and screen readers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QItemSelection, QModelIndex, QPersistentModelIndex, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPen
from PySide6.QtWidgets import QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.theme import icons, marks
from chimein_gui.ui.widgets.theme.theme import Face, Theme
from chimein_gui.viewmodels.core.roles import ItemRole, KeyRole

if TYPE_CHECKING:
    from chimein_gui.domain.ids import TaskId
    from chimein_gui.viewmodels.plans.outline import OutlineModel
    from chimein_gui.viewmodels.plans.step_view import StepView

ROW, INDENT, PAD, ICON = 30, 18, 10, 15


class _StepRows(QStyledItemDelegate):
    """Paints a step: icon, title, text, and its state at the trailing edge."""

    def __init__(self, theme: Theme, outline: OutlineList) -> None:
        super().__init__(outline)
        self._theme, self._outline = theme, outline

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(200, max(ROW, round(self._theme.metrics(Face.SMALL).height()) + 14))

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        view: StepView = index.data(ItemRole)
        theme, rect = self._theme, QRect(option.rect)
        state = option.state
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, theme.color("accent_soft"))
            if state & QStyle.StateFlag.State_HasFocus:
                painter.fillRect(QRect(rect.left(), rect.top(), 3, rect.height()), theme.color("accent"))
        left = float(rect.left() + PAD + INDENT * self._outline.depth_of(view.task_id))
        middle = rect.center().y() + 0.5
        icons.draw(painter, view.icon, theme.color("text2"), QRectF(left, middle - ICON / 2, ICON, ICON))
        left += ICON + 8
        words = theme.metrics(Face.SMALL_STRONG).horizontalAdvance(view.state)
        right = rect.right() - PAD - words
        tone = theme.color(view.tone)
        marks.draw_line(painter, theme.font(Face.SMALL_STRONG), tone, QPointF(right, middle), view.state, words + 2)
        icons.draw(painter, view.status_icon, tone, QRectF(right - ICON - 5, middle - ICON / 2, ICON, ICON))
        room = right - ICON - 14 - left
        ink = theme.color("text2" if view.is_over else "text1")
        title = theme.metrics(Face.SMALL_STRONG).horizontalAdvance(view.title)
        marks.draw_line(painter, theme.font(Face.SMALL_STRONG), ink, QPointF(left, middle), view.title, room)
        if view.text and room > title + 40:
            spot = QPointF(left + title + 10, middle)
            text = foreign_text.line(view.text, 200)
            marks.draw_line(painter, theme.font(Face.SMALL), theme.color("text2"), spot, text, room - title - 10)
        painter.setPen(QPen(theme.color("line"), 1))
        painter.drawLine(rect.bottomLeft(), rect.bottomRight())
        painter.restore()


class OutlineList(QListView):
    """One row a step.

    Attributes:
        chosen: Another step is current; carries its id.
        moved: Alt with an arrow key: move the current step; carries -1 for up, 1 for down.
        keyed: Another key that may be a verb; carries the key event.
    """

    chosen = Signal(object)
    moved = Signal(int)
    keyed = Signal(object)

    def __init__(self, theme: Theme, model: OutlineModel) -> None:
        super().__init__()
        self._outline = model
        self.setModel(model)
        self.setItemDelegate(_StepRows(theme, self))
        self.setAccessibleName(self.tr("Steps of the plan"))
        self.setUniformItemSizes(True)
        self.setFrameShape(QListView.Shape.NoFrame)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        theme.changed.connect(self.viewport().update)
        theme.fonts_changed.connect(self.scheduleDelayedItemsLayout)

    def depth_of(self, task_id: TaskId) -> int:
        """Return how far a step is indented."""
        return self._outline.depth_of(task_id)

    def select_step(self, task_id: TaskId | None) -> None:
        """Make a step current."""
        row = self._outline.row_of(task_id)
        self.setCurrentIndex(self._outline.index(row) if row >= 0 else QModelIndex())

    def currentChanged(
        self, current: QModelIndex | QPersistentModelIndex, previous: QModelIndex | QPersistentModelIndex
    ) -> None:
        super().currentChanged(current, previous)
        if current.isValid():
            self.chosen.emit(current.data(KeyRole))

    def selectionChanged(self, selected: QItemSelection, deselected: QItemSelection) -> None:
        super().selectionChanged(selected, deselected)
        if selected.indexes() and selected.indexes()[0] != self.currentIndex():
            self.setCurrentIndex(selected.indexes()[0])  # a screen reader selects without making a row current

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if event.modifiers() & Qt.KeyboardModifier.AltModifier and key in {Qt.Key.Key_Up, Qt.Key.Key_Down}:
            self.moved.emit(-1 if key is Qt.Key.Key_Up else 1)
            return
        if key in {
            Qt.Key.Key_Up,
            Qt.Key.Key_Down,
            Qt.Key.Key_Home,
            Qt.Key.Key_End,
            Qt.Key.Key_PageUp,
            Qt.Key.Key_PageDown,
        }:
            super().keyPressEvent(event)
            return
        event.ignore()
        self.keyed.emit(event)
