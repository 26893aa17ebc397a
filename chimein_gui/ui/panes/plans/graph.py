"""The steps of a plan as boxes with arrows, in layers from top to bottom; branches stand side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
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
    QGraphicsItem,
    QGraphicsPathItem,
    QGraphicsScene,
    QGraphicsView,
    QStyleOptionGraphicsItem,
    QWidget,
)

from chimein_gui.domain.tasks import TaskKind, TaskStatus
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.elision import elided
from chimein_gui.ui.widgets.theme import icons
from chimein_gui.ui.widgets.theme.theme import Face, Theme
from chimein_gui.viewmodels.plans.layers import cells_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from chimein_gui.domain.ids import TaskId
    from chimein_gui.viewmodels.plans.layers import Cell
    from chimein_gui.viewmodels.plans.step_view import StepView

WIDTH, GAP_X, GAP_Y, PAD = 300.0, 40.0, 26.0, 12.0
ICON_BOX, ICON, MARK = 34.0, 18.0, 15.0
SMALLEST, LARGEST, STEP = 0.3, 2.0, 1.15
"""Zoom: smallest, largest, and the factor of one step."""

SMALLEST_BY_ITSELF = 0.7
"""A wide plan is made smaller down to this; then it is scrolled."""

_RUNS = frozenset({TaskStatus.RUNNING, TaskStatus.SENDING, TaskStatus.WAITING, TaskStatus.UNKNOWN})


class StepItem(QGraphicsItem):
    """One step: icon, title and text on the left, state in words and icon on the right."""

    def __init__(self, theme: Theme, view: StepView, height: float) -> None:
        super().__init__()
        self._theme, self._height = theme, height
        self.view = view
        self.is_current = False
        self.setCacheMode(QGraphicsItem.CacheMode.DeviceCoordinateCache)
        self.setToolTip(foreign_text.line(view.sentence, 400))

    def show_view(self, view: StepView) -> None:
        """Show another state of the same step."""
        if view != self.view:
            self.view = view
            self.setToolTip(foreign_text.line(view.sentence, 400))
            self.update()

    def mark(self, *, current: bool) -> None:
        """Draw it as the selected step, or not."""
        if current is not self.is_current:
            self.is_current = current
            self.update()

    def boundingRect(self) -> QRectF:
        return QRectF(-3, -3, WIDTH + 6, self._height + 6)

    def box(self) -> QRectF:
        """Return the box without its selection frame."""
        return QRectF(0, 0, WIDTH, self._height)

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        theme, view, box = self._theme, self.view, self.box()
        asks = view.tone == "attention"
        frame = theme.color("attention_line" if asks else "line_strong")
        pen = QPen(
            frame, 1, Qt.PenStyle.DashLine if view.step.status is TaskStatus.CANCELLED else Qt.PenStyle.SolidLine
        )
        painter.setPen(pen)
        painter.setBrush(theme.color("draft" if asks else "pane" if view.is_over else "card"))
        painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 10, 10)
        if self.is_current:
            painter.setPen(QPen(theme.color("accent"), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(box.adjusted(-2, -2, 2, 2), 12, 12)
        self._paint_words(painter, box)

    def _paint_words(self, painter: QPainter, box: QRectF) -> None:
        theme, view = self._theme, self.view
        left, middle = box.left() + PAD, box.center().y()
        painter.setPen(Qt.PenStyle.NoPen)
        if view.text:
            painter.setBrush(theme.color("raised"))
            painter.drawRoundedRect(QRectF(left, middle - ICON_BOX / 2, ICON_BOX, ICON_BOX), 8, 8)
        icon = QRectF(left + (ICON_BOX - ICON) / 2, middle - ICON / 2, ICON, ICON)
        icons.draw(painter, view.icon, theme.color("text3" if view.is_over else "text2"), icon)
        left += ICON_BOX + PAD - 2
        line = theme.metrics(Face.SMALL).height()
        upper = middle - (line * 0.5 + 1 if view.text else -line * 0.3)
        state = theme.metrics(Face.SMALL_STRONG).horizontalAdvance(view.state)
        right = box.right() - PAD
        self._draw(
            painter, Face.SMALL_STRONG, theme.color(view.tone), QPointF(right - state, upper), view.state, state + 2
        )
        icons.draw(
            painter,
            view.status_icon,
            theme.color(view.tone),
            QRectF(right - state - MARK - 5, upper - line * 0.3 - MARK / 2, MARK, MARK),
        )
        ink = theme.color("text2" if view.is_over else "text1")
        self._draw(painter, Face.SMALL_STRONG, ink, QPointF(left, upper), view.title, right - state - MARK - 14 - left)
        if view.text:
            below = QPointF(left, middle + line * 0.75)
            words = foreign_text.line(view.text, 120)
            more = view.attempts
            room = theme.metrics(Face.META).horizontalAdvance(more) + 8 if more else 0.0
            self._draw(painter, Face.SMALL, theme.color("text2"), below, words, right - left - room)
            if more:
                spot = QPointF(right - room + 8, below.y())
                self._draw(painter, Face.META, theme.color("text3"), spot, more, room)

    def _draw(self, painter: QPainter, face: Face, color: QColor, at: QPointF, text: str, room: float) -> None:
        painter.setFont(self._theme.font(face))
        painter.setPen(color)
        painter.drawText(at, elided(self._theme.metrics(face), text, room))


class PlanGraph(QGraphicsView):
    """Shows the plan; the arrow keys walk along the arrows.

    Attributes:
        chosen: A step was chosen; carries its id.
        opened: A step was double-clicked, or Enter was pressed; carries its id.
    """

    chosen = Signal(object)
    opened = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._scene = QGraphicsScene(self)
        self.setScene(self._scene)
        self.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.setTransformationAnchor(QGraphicsView.ViewportAnchor.AnchorUnderMouse)
        self.setAccessibleName(self.tr("Plan as a picture"))
        self.setFrameShape(QGraphicsView.Shape.NoFrame)
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
            item = StepItem(self._theme, view, self._height(view))
            item.setPos(cell.column * (WIDTH + GAP_X), tops[cell.row] + (heights[cell.row] - self._height(view)) / 2)
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

    def _height(self, view: StepView) -> float:
        line = self._theme.metrics(Face.SMALL).height()
        is_small = view.step.kind is TaskKind.WAIT or not view.text
        return float(round(line + 18)) if is_small else float(round(2 * line + 24))

    def _rows(self) -> tuple[list[float], list[float]]:
        heights: list[float] = [0.0] * (max((cell.row for cell in self.cells.values()), default=-1) + 1)
        for view in self._views:
            row = self.cells[view.task_id].row
            heights[row] = max(heights[row], self._height(view))
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
