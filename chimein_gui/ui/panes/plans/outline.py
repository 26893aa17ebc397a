"""The plan as a list: the form of it for keys and screen readers."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import (
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QDragEnterEvent,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from chimein_gui.domain.ids import TaskId
from chimein_gui.domain.tasks import TaskKind
from chimein_gui.ui.widgets.controls.spoken_role import make_selected_current
from chimein_gui.ui.widgets.rows.spoken_views import SpokenListView
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.elision import elided
from chimein_gui.ui.widgets.theme import icons, marks
from chimein_gui.ui.widgets.theme.theme import Face, Theme
from chimein_gui.viewmodels.core.roles import ItemRole, KeyRole
from chimein_gui.viewmodels.plans.outline import dragged_step

if TYPE_CHECKING:
    from chimein_gui.viewmodels.plans.outline import OutlineModel
    from chimein_gui.viewmodels.plans.step_view import StepView

ROW, INDENT, PAD, ICON = 30, 18, 10, 15
LEAST = 90
"""Width of a row below which the list is scrolled sideways, px; above it the title is elided."""


class Drop(NamedTuple):
    """Where a dragged step would be put.

    Attributes:
        row: The row beside which it is put.
        other: The step of that row.
        is_before: It is put before that step.
        why_not: Why it can't stand there; empty if it can.
    """

    row: int
    other: TaskId
    is_before: bool
    why_not: str


class _StepRows(QStyledItemDelegate):
    """Paints a step: icon, title, text, and its state at the trailing edge."""

    def __init__(self, theme: Theme, outline: OutlineList) -> None:
        super().__init__(outline)
        self._theme, self._outline = theme, outline

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(LEAST, max(ROW, round(self._theme.metrics(Face.SMALL).height()) + 14))

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


class OutlineList(SpokenListView):
    """One row a step.

    Attributes:
        chosen: Another step is current; carries its id.
        moved: Alt with an arrow key: move the current step; carries -1 for up, 1 for down.
        keyed: Another key that may be an action; carries the key event.
        dropped: A step was dragged beside another; carries both ids, and whether it was put before that one.
        refused: A step was dropped where it can't stand; carries the reason.
    """

    chosen = Signal(object)
    moved = Signal(int)
    keyed = Signal(object)
    dropped = Signal(object, object, bool)
    refused = Signal(str)

    def __init__(self, theme: Theme, model: OutlineModel) -> None:
        super().__init__()
        self._theme = theme
        self._drop: Drop | None = None
        self._outline = model
        self.setModel(model)
        make_selected_current(self)
        self.setItemDelegate(_StepRows(theme, self))
        self.setAccessibleName(self.tr("Steps of the plan"))
        self.setUniformItemSizes(True)
        self.setFrameShape(QListView.Shape.NoFrame)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setDragEnabled(True)
        self.setAcceptDrops(True)
        self.setDropIndicatorShown(False)  # ours also says why a place is refused
        theme.changed.connect(self.viewport().update)
        theme.fonts_changed.connect(self.scheduleDelayedItemsLayout)

    def depth_of(self, task_id: TaskId) -> int:
        """Return how far a step is indented."""
        return self._outline.depth_of(task_id)

    def select_step(self, task_id: TaskId | None) -> None:
        """Make a step current."""
        row = self._outline.row_of(task_id)
        self.setCurrentIndex(self._outline.index(row) if row >= 0 else QModelIndex())

    # --- dragging -------------------------------------------------------------------------------------------------

    @property
    def drop(self) -> Drop | None:
        """Where the dragged step would be put; None while none is over a row."""
        return self._drop

    def startDrag(self, supportedActions: Qt.DropAction) -> None:
        self._drop = None
        super().startDrag(supportedActions)
        refused, self._drop = self._drop, None  # a drop that was done has cleared it
        self.viewport().update()
        if refused is not None and refused.why_not:
            self.refused.emit(refused.why_not)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if dragged_step(event.mimeData()) is not None:
            event.acceptProposedAction()
        else:
            event.ignore()

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        super().dragMoveEvent(event)  # it scrolls near the edges
        step = dragged_step(event.mimeData())
        self._drop = self._place_of(step, event.position().toPoint()) if step is not None else None
        self.viewport().update()
        if self._drop is not None and not self._drop.why_not:
            event.setDropAction(Qt.DropAction.MoveAction)
            event.accept()
        else:
            event.ignore()  # the cursor says that it can't be dropped here

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        super().dragLeaveEvent(event)
        self._drop = None
        self.viewport().update()

    def dropEvent(self, event: QDropEvent) -> None:
        step, place = dragged_step(event.mimeData()), self._drop
        self._drop = None
        self.viewport().update()
        if step is not None and place is not None and not place.why_not:
            event.setDropAction(Qt.DropAction.CopyAction)  # the engine moves it, not the list
            event.accept()
            self.dropped.emit(step, place.other, place.is_before)
        else:
            event.ignore()

    def _place_of(self, step: TaskId, at: QPoint) -> Drop | None:
        count = self._outline.rowCount()
        index = self.indexAt(at)
        row = index.row() if index.isValid() else count - 1
        if row < 0:
            return None
        is_before = index.isValid() and at.y() < self.visualRect(index).center().y()
        other: StepView = self._outline.index(row).data(ItemRole)
        is_before = is_before and other.step.kind is not TaskKind.RECEIVED  # nothing comes before it
        return Drop(row, other.task_id, is_before, self._outline.move_refusal(step, other, is_before=is_before))

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._drop is not None:
            painter = QPainter(self.viewport())
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._paint_drop(painter, self._drop)
            painter.end()

    def _paint_drop(self, painter: QPainter, drop: Drop) -> None:
        """Paint a line where the step would be put, and why it can't be."""
        rect, theme = self.visualRect(self._outline.index(drop.row)), self._theme
        y = rect.top() if drop.is_before else rect.bottom()
        token = "danger" if drop.why_not else "accent"
        pen = QPen(theme.color(token), 2, Qt.PenStyle.DashLine if drop.why_not else Qt.PenStyle.SolidLine)
        painter.setPen(pen)
        painter.drawLine(rect.left() + PAD, y, rect.right() - PAD, y)
        if not drop.why_not:
            painter.setBrush(theme.color(token))
            painter.drawEllipse(QPointF(rect.left() + PAD, y), 3, 3)
            return
        words = elided(theme.metrics(Face.SMALL), drop.why_not, rect.width() - 6 * PAD)
        box = QRectF(0, 0, theme.metrics(Face.SMALL).horizontalAdvance(words) + 2 * PAD, rect.height() - 6)
        box.moveCenter(QPointF(rect.center()))
        painter.setPen(QPen(theme.color(token), 1))
        painter.setBrush(theme.color("card"))
        painter.drawRoundedRect(box, 6, 6)
        at = QPointF(box.left() + PAD, box.center().y())
        marks.draw_line(painter, theme.font(Face.SMALL), theme.color(token), at, words, box.width())

    def currentChanged(
        self, current: QModelIndex | QPersistentModelIndex, previous: QModelIndex | QPersistentModelIndex
    ) -> None:
        super().currentChanged(current, previous)
        if current.isValid():
            self.chosen.emit(current.data(KeyRole))

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
