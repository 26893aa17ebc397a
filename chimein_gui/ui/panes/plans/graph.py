"""The steps of a plan as boxes with arrows, in layers from top to bottom; branches stand side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPointF, Qt, Signal
from PySide6.QtGui import (
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPen,
    QPolygonF,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import (
    QGraphicsPathItem,
    QGraphicsScene,
    QGraphicsView,
)

from chimein_gui.domain.tasks import TaskKind, TaskStatus
from chimein_gui.ui.panes.plans.step_item import WIDTH, StepItem, StepLooks, height_of
from chimein_gui.ui.widgets.theme.theme import Theme
from chimein_gui.viewmodels.plans.layers import cells_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from chimein_gui.domain.ids import TaskId
    from chimein_gui.viewmodels.plans.layers import Cell
    from chimein_gui.viewmodels.plans.step_view import StepView

GAP_X, GAP_Y = 40.0, 26.0
SMALLEST, LARGEST, STEP = 0.3, 2.0, 1.15
"""Zoom: smallest, largest, and the factor of one step."""

SMALLEST_BY_ITSELF = 0.65
"""A wide plan is made smaller down to this; then it is scrolled."""

_RUNS = frozenset({TaskStatus.RUNNING, TaskStatus.SENDING, TaskStatus.WAITING, TaskStatus.UNKNOWN})


class PlanGraph(QGraphicsView):
    """Shows the plan; the arrow keys walk along the arrows.

    Attributes:
        chosen: A step was chosen; carries its id.
        opened: A step was double-clicked, or Enter was pressed; carries its id.
    """

    chosen = Signal(object)
    opened = Signal(object)

    def __init__(self, theme: Theme, looks: StepLooks) -> None:
        super().__init__()
        self._theme, self._looks = theme, looks
        self._scene = QGraphicsScene(self)
        self.setScene(self._scene)
        self.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.setTransformationAnchor(QGraphicsView.ViewportAnchor.AnchorUnderMouse)
        self.setAccessibleName(self.tr("Plan as a picture"))
        self.setFrameShape(QGraphicsView.Shape.NoFrame)
        self.setAlignment(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
        self.items_of: dict[TaskId, StepItem] = {}
        self.cells: dict[TaskId, Cell] = {}
        self._views: Sequence[StepView] = ()
        self._current: TaskId | None = None
        self._arrows: QGraphicsPathItem | None = None
        self.follows = True
        self._is_zoomed = False
        theme.changed.connect(self._repaint)
        theme.fonts_changed.connect(lambda: self.show_steps(self._views))
        self._repaint()

    # --- contents -------------------------------------------------------------------------------------------------

    def show_steps(self, views: Sequence[StepView]) -> None:
        """Show the steps of a plan; those that were shown before keep the zoom and the selection."""
        self._views = views
        self._scene.clear()
        self.items_of, self._arrows = {}, None
        self.cells = cells_of([one.task_id for one in views], {one.task_id: one.step.depends_on for one in views})
        tops, heights = self._rows()
        for view in views:
            cell = self.cells[view.task_id]
            item = StepItem(self._theme, view, self._looks)
            item.setPos(
                cell.column * (WIDTH + GAP_X), tops[cell.row] + (heights[cell.row] - height_of(self._theme, view)) / 2
            )
            self._scene.addItem(item)
            self.items_of[view.task_id] = item
        self._draw_arrows()
        bounds = self._scene.itemsBoundingRect()
        self._scene.setSceneRect(bounds.adjusted(-24, -20, 24, 20))
        self._fit_width()
        if self._current not in self.items_of:
            self._current = None
        self.select(self._current)

    def update_steps(self, views: Sequence[StepView], changed: Iterable[TaskId]) -> None:
        """Repaint steps whose state changed; follow the one that runs, if the operator wants that."""
        self._views = views
        wanted = set(changed)
        for view in views:
            if view.task_id in wanted and view.task_id in self.items_of:
                self.items_of[view.task_id].show_view(view)
        if self.follows:
            self.show_running()

    def _rows(self) -> tuple[list[float], list[float]]:
        heights: list[float] = [0.0] * (max((cell.row for cell in self.cells.values()), default=-1) + 1)
        for view in self._views:
            row = self.cells[view.task_id].row
            heights[row] = max(heights[row], height_of(self._theme, view))
        tops, top = [], 0.0
        for height in heights:
            tops.append(top)
            top += height + GAP_Y
        return tops, heights

    def _draw_arrows(self) -> None:
        path = QPainterPath()
        for view in self._views:
            for earlier in view.step.depends_on:
                if earlier in self.items_of:
                    self._arrow(path, self.items_of[earlier], self.items_of[view.task_id])
        self._arrows = self._scene.addPath(path, QPen(self._theme.color("line_strong"), 1.5))
        self._arrows.setBrush(self._theme.color("line_strong"))
        self._arrows.setZValue(-1)

    @staticmethod
    def _arrow(path: QPainterPath, above: StepItem, below: StepItem) -> None:
        begin = above.mapToScene(QPointF(WIDTH / 2, above.box().height()))
        end = below.mapToScene(QPointF(WIDTH / 2, 0))
        line = QPainterPath(begin)
        bend = end.y() - GAP_Y / 2
        for point in (QPointF(begin.x(), bend), QPointF(end.x(), bend), end):
            line.lineTo(point)
        for point in (QPointF(end.x(), bend), QPointF(begin.x(), bend), begin):
            line.lineTo(point)  # back on the same way, so that the brush fills nothing
        path.addPath(line)
        path.addPolygon(QPolygonF([end, end + QPointF(-4, -7), end + QPointF(4, -7), end]))

    # --- selection ------------------------------------------------------------------------------------------------

    @property
    def current(self) -> TaskId | None:
        """The chosen step."""
        return self._current

    def select(self, task_id: TaskId | None, *, scroll: bool = False) -> None:
        """Choose a step without telling anybody."""
        self._current = task_id
        for one, item in self.items_of.items():
            item.mark(current=one == task_id)
        if scroll and task_id in self.items_of:
            self.ensureVisible(self.items_of[task_id], 24, 24)

    def follow(self, *, follows: bool) -> None:
        """Follow the step that runs from now on, or no longer."""
        self.follows = follows
        if follows:
            self.show_running()

    def tick(self) -> None:
        """Repaint the steps whose time runs."""
        for item in self.items_of.values():
            if item.view.until is not None and not item.view.is_over:
                item.update()

    def repaint_stickers(self) -> None:
        """Repaint the stickers: a picture has come."""
        for item in self.items_of.values():
            if item.view.step.kind is TaskKind.STICKER:
                item.update()

    def show_running(self) -> None:
        """Scroll to the step that runs."""
        running = next((one for one in self._views if one.step.status in _RUNS), None)
        if running is not None and running.task_id in self.items_of:
            self.ensureVisible(self.items_of[running.task_id], 24, 24)

    def _choose(self, task_id: TaskId) -> None:
        self.select(task_id, scroll=True)
        self.chosen.emit(task_id)

    # --- keys, wheel and mouse --------------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        moves = {Qt.Key.Key_Up: (-1, 0), Qt.Key.Key_Down: (1, 0), Qt.Key.Key_Left: (0, -1), Qt.Key.Key_Right: (0, 1)}
        key = Qt.Key(event.key())
        if key in moves:
            self._walk(*moves[key])
        elif key in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and self._current is not None:
            self.opened.emit(self._current)
        elif key in {Qt.Key.Key_Plus, Qt.Key.Key_Minus}:
            self.zoom(STEP if key is Qt.Key.Key_Plus else 1 / STEP)
        elif key is Qt.Key.Key_0:
            self.fit()
        else:
            event.ignore()

    def _walk(self, rows: int, columns: int) -> None:
        """Choose the nearest step in a direction."""
        if self._current not in self.cells:
            if self._views:
                self._choose(self._views[0].task_id)
            return
        here = self.cells[self._current]
        if columns and self.isRightToLeft():
            columns = -columns

        def ahead(cell: Cell) -> int:
            return (cell.row - here.row) * rows + (cell.column - here.column) * columns

        def aside(cell: Cell) -> int:
            return abs(cell.column - here.column) if rows else abs(cell.row - here.row)

        found = [(aside(cell), ahead(cell), one) for one, cell in self.cells.items() if ahead(cell) > 0]
        if columns:
            found = [one for one in found if one[1] > 0 and self.cells[one[2]].column != here.column]
        if found:
            self._choose(min(found, key=lambda one: (one[1] if rows else one[0], one[0], one[1]))[2])

    def wheelEvent(self, event: QWheelEvent) -> None:
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.zoom(STEP if event.angleDelta().y() > 0 else 1 / STEP)
            event.accept()
        else:
            super().wheelEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        item = self.itemAt(event.position().toPoint())
        if isinstance(item, StepItem):
            self._choose(item.view.task_id)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        item = self.itemAt(event.position().toPoint())
        if isinstance(item, StepItem):
            self.opened.emit(item.view.task_id)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_width()
        if self._current in self.items_of:
            self.ensureVisible(self.items_of[self._current], 24, 24)

    def _fit_width(self) -> None:
        """Show all branches, as long as their words stay legible; a zoom of the operator's is left alone."""
        if self._is_zoomed or not self.items_of:
            return
        factor = self.viewport().width() / self._scene.sceneRect().width()
        self.resetTransform()
        self.scale(*(2 * [max(SMALLEST_BY_ITSELF, min(1.0, factor))]))

    def zoom(self, factor: float) -> None:
        """Zoom in or out, within limits."""
        self._is_zoomed = True
        now = self.transform().m11()
        factor = max(SMALLEST, min(LARGEST, now * factor)) / now
        self.scale(factor, factor)

    def fit(self) -> None:
        """Show the whole plan, but no larger than life."""
        self._is_zoomed = True
        self.fitInView(self._scene.sceneRect(), Qt.AspectRatioMode.KeepAspectRatio)
        if self.transform().m11() > 1.0:
            self.resetTransform()
        elif self.transform().m11() < SMALLEST:
            self.zoom(SMALLEST / self.transform().m11())

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.LayoutDirectionChange:
            self.viewport().update()

    def _repaint(self) -> None:
        self.setBackgroundBrush(self._theme.color("chat"))
        if self._arrows is not None:
            self._arrows.setPen(QPen(self._theme.color("line_strong"), 1.5))
            self._arrows.setBrush(self._theme.color("line_strong"))
        for item in self.items_of.values():
            item.update()
