"""The waterfall: the steps of a trace as a tree, each with its bar on the axis of active time."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import QAbstractItemView, QStyledItemDelegate, QToolTip, QTreeView, QWidget

from chimein_gui.domain.traces.steps import StepKind, StepState, TraceStep, is_failure
from chimein_gui.ui.panes.traces.looks import bar_color, step_icon
from chimein_gui.ui.widgets.controls.spoken_role import make_selected_current, speak_rows_only
from chimein_gui.ui.widgets.rows.row_states import SELECTED
from chimein_gui.ui.widgets.rows.scroll_anchor import CurrentInSight
from chimein_gui.ui.widgets.rows.spoken_views import SpokenTree, SpokenTreeView
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.theme import icons, marks
from chimein_gui.ui.widgets.theme.control_colours import Role, colours_of, draw_tile, row_state
from chimein_gui.ui.widgets.theme.mirror import follow_layout, mirror
from chimein_gui.ui.widgets.theme.theme import Face, contrast
from chimein_gui.viewmodels.core.roles import ItemRole
from chimein_gui.viewmodels.traces.step_words import cost_words, step_name, step_note, tokens_words, took_words
from chimein_gui.viewmodels.traces.words import NOTHING, mark_words

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QHelpEvent, QKeyEvent, QPaintEvent, QResizeEvent
    from PySide6.QtWidgets import QStyleOptionViewItem

    from chimein_gui.ui.pane import PaneContext
    from chimein_gui.ui.widgets.theme.theme import Theme
    from chimein_gui.viewmodels.core.roles import Index
    from chimein_gui.viewmodels.traces.steps import StepTreeModel

LEAD, ICON, INDENT = 16.0, 14.0, 20.0
BAR, LEAST = 11.0, 3.0
INSET = 8.0
"""Of a note inside its bar, px."""
GROUND = 4.0
"""Plain ground at both sides of a note inside a hatched bar, px."""
APART = 10.0
"""Between a note and the name or the time of its step, px."""
COST_WIDTH, TOKENS_WIDTH = 84, 118
"""Of the columns, px: the longest figures of a call and some room between them."""
NARROW = 720
"""Width in px below which names get less room."""

NOTES_FROM = 300
"""Width of the axis in px from which notes stand beside the bars."""

WAITING = frozenset({StepKind.DEBOUNCE, StepKind.APPROVAL, StepKind.NEXT_TRY})
"""Steps with a hatched bar: nothing works meanwhile."""


@dataclass(frozen=True, slots=True)
class Lanes:
    """Where the columns are, px.

    Attributes:
        name: Beginning of the names.
        first, last: The axis.
        time, tokens, cost: Ends of the figures.
    """

    name: float
    first: float
    last: float
    time: float
    tokens: float
    cost: float

    def x_of(self, at: float, length: float) -> float:
        """Return the place of a moment on an axis of some length, seconds."""
        return self.first + (self.last - self.first) * min(1.0, max(0.0, at / max(length, 0.001)))


def lanes_of(theme: Theme, width: float) -> Lanes:
    """Return the columns for a width."""
    scale = theme.percent / 100
    name = (180 if width < NARROW * scale else 264) * scale
    cost = width - 14
    tokens = cost - COST_WIDTH * scale
    time = tokens - TOKENS_WIDTH * scale
    return Lanes(LEAD + 22, name, max(name + 60, time - 84 * scale), time, tokens, cost)


class TimeAxis(QWidget):
    """The names of the columns and the marks of the axis; screen readers hear the times with each step."""

    def __init__(self, theme: Theme, model: StepTreeModel, lanes: Callable[[], Lanes]) -> None:
        super().__init__()
        self._theme, self._model, self._lanes = theme, model, lanes
        theme.changed.connect(self.update)
        theme.fonts_changed.connect(self.updateGeometry)
        model.modelReset.connect(self.update)
        model.dataChanged.connect(lambda *_where: self.update())

    def sizeHint(self) -> QSize:
        return QSize(200, round(self._theme.metrics(Face.META_STRONG).height()) + 8)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        theme, lanes, middle = self._theme, self._lanes(), self.height() / 2 - 0.5
        painter.fillRect(self.rect(), theme.color("pane"))
        for top in (0, self.height() - 1):
            painter.fillRect(0, top, self.width(), 1, theme.color("line"))
        follow_layout(painter, self)
        strong, plain, ink = theme.font(Face.META_STRONG), theme.font(Face.META), theme.color("text3")
        metrics = theme.metrics(Face.META_STRONG)
        marks.draw_line(painter, strong, ink, QPointF(LEAD, middle), self.tr("Step"), lanes.first - LEAD - 8)
        for end, words in (
            (lanes.time, self.tr("Time")),
            (lanes.tokens, self.tr("Tokens")),
            (lanes.cost, self.tr("Cost $")),
        ):
            marks.draw_line(painter, strong, ink, QPointF(end - metrics.horizontalAdvance(words), middle), words)
        trace = self._model.trace
        taken = 0.0
        for mark in self._model.marks if trace is not None else ():
            x = lanes.x_of(mark.at, trace.axis_s if trace is not None else 1)
            words = "//" if mark.elapsed_s is None else mark_words(mark.elapsed_s)
            width = theme.metrics(Face.META).horizontalAdvance(words)
            left = max(lanes.first, x - width / 2)
            if left > taken and left + width < lanes.last + 20:
                taken = left + width + 6
                color = theme.color("text1" if mark.elapsed_s is None else "text3")
                marks.draw_line(
                    painter, strong if mark.elapsed_s is None else plain, color, QPointF(left, middle), words
                )
        painter.end()


class StepDelegate(QStyledItemDelegate):
    """One row: name, bar with its note, time, tokens, cost."""

    def __init__(self, theme: Theme, view: Waterfall, model: StepTreeModel) -> None:
        super().__init__(view)
        self._theme, self._view, self._model = theme, view, model
        self._ground = QColor()
        """Of the row that is painted, over that of the pane."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(120, self._view.row_height)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        step = index.data(ItemRole)
        if not isinstance(step, TraceStep):
            return
        rect = QRectF(0, option.rect.top(), self._view.viewport().width(), option.rect.height())
        state = option.state.value
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._view.isRightToLeft():
            mirror(painter, rect)
        lanes = self._view.lanes
        focused = self._view.hasFocus() and bool(state & SELECTED)
        colours = colours_of(self._theme, Role.ROW, row_state(state, focused=focused))
        self._ground = colours.fill
        draw_tile(painter, colours, rect.adjusted(6, 1, -6, -1))
        self._paint_grid(painter, rect, lanes)
        self._paint_name(painter, rect, lanes, step)
        self._paint_bar(painter, rect, lanes, step)
        self._paint_figures(painter, rect, lanes, step)
        painter.restore()

    def _paint_grid(self, painter: QPainter, rect: QRectF, lanes: Lanes) -> None:
        trace = self._model.trace
        for mark in self._model.marks if trace is not None else ():
            if mark.elapsed_s is not None and trace is not None:
                x = lanes.x_of(mark.at, trace.axis_s)
                painter.fillRect(QRectF(x, rect.top(), 1, rect.height()), self._theme.color("line"))

    def _paint_name(self, painter: QPainter, rect: QRectF, lanes: Lanes, step: TraceStep) -> None:
        theme, middle = self._theme, rect.center().y() + 0.5
        bad, part = is_failure(step), step.parent_id is not None
        ink = theme.color("danger" if bad else "text2" if part else "text1")
        left = lanes.name
        if part:
            left += INDENT - 8
            painter.setPen(QPen(theme.color("line_strong"), 1))
            painter.drawLine(QPointF(LEAD + 7.5, rect.top()), QPointF(LEAD + 7.5, middle))
            painter.drawLine(QPointF(LEAD + 7.5, middle), QPointF(LEAD + 18, middle))
        else:
            spot = QRectF(LEAD, middle - ICON / 2, ICON, ICON)
            icons.draw(painter, step_icon(step), theme.color("danger" if bad else "text2"), spot)
        name = _shown_name(step)
        face = Face.SMALL if part else Face.BODY
        room = lanes.first - left - 10
        if part:  # the end of an address tells as much as its host
            name = theme.metrics(face).elidedText(name, Qt.TextElideMode.ElideMiddle, room)
        marks.draw_line(painter, theme.font(face), ink, QPointF(left, middle), name, room)

    def _paint_bar(self, painter: QPainter, rect: QRectF, lanes: Lanes, step: TraceStep) -> None:
        trace, theme = self._model.trace, self._theme
        if trace is None:
            return
        middle = rect.center().y() + 0.5
        left = lanes.x_of(step.offset_s, trace.axis_s)
        right = max(left + LEAST, lanes.x_of(step.offset_s + step.shown_s, trace.axis_s))
        if right > lanes.last:
            left, right = min(left, lanes.last - LEAST), lanes.last
        color, note = bar_color(theme, step), self._note_of(step)
        is_wait = step.kind in WAITING or step.state is StepState.OPEN
        edges = self._edges_of(step, lanes)
        place = place_of(theme.metrics(Face.SMALL).horizontalAdvance(note), left, right, edges)
        is_inside = bool(note) and place is NotePlace.INSIDE
        height = theme.metrics(Face.SMALL).height() + 3 if is_inside else BAR
        bar = QRectF(left, middle - height / 2, right - left, height)
        if is_wait:
            painter.setPen(QPen(color, 1))
            soft = QColor(color)
            soft.setAlphaF(0.12)
            painter.setBrush(soft)
            painter.drawRoundedRect(bar.adjusted(0.5, 0.5, -0.5, -0.5), 2.5, 2.5)
            painter.fillRect(bar.adjusted(1, 1, -1, -1), _hatched(color))
            if is_inside:
                self._clear_for(painter, bar, note)
        else:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(color)
            painter.drawRoundedRect(bar, 2.5, 2.5)
        if step.is_cut:
            self._paint_cut(painter, bar, lanes, step)
        if note:
            ink = theme.color("danger" if is_failure(step) else "text2")
            if is_inside and not is_wait:
                ink = ink_on(color)
            self._paint_note(painter, bar, place, (note, ink), edges)

    def _clear_for(self, painter: QPainter, bar: QRectF, note: str) -> None:
        """Paint the plain ground for a note inside a hatched bar: neither hatch nor grid runs through its words."""
        width = min(self._theme.metrics(Face.SMALL).horizontalAdvance(note), _room_inside(bar.left(), bar.right()))
        spot = QRectF(bar.left() + INSET - GROUND, bar.top() + 1, width + 2 * GROUND, bar.height() - 2)
        for ground in (self._theme.color("pane"), self._ground):
            painter.fillRect(spot, ground)

    def _paint_cut(self, painter: QPainter, bar: QRectF, lanes: Lanes, step: TraceStep) -> None:
        trace = self._model.trace
        if trace is None:
            return
        for cut in trace.cuts:
            if step.offset_s <= cut.offset_s <= step.offset_s + step.shown_s:
                x = lanes.x_of(cut.offset_s, trace.axis_s)
                for ground, by in itertools.product((self._theme.color("pane"), self._ground), (-2.5, 2.5)):
                    painter.setPen(QPen(ground, 2))
                    painter.drawLine(QPointF(x + by - 2, bar.bottom() + 1), QPointF(x + by + 2, bar.top() - 1))

    def _note_of(self, step: TraceStep) -> str:
        return (
            foreign_text.line(step_note(step, self._model.parts_of(step)), 200)
            if self._view.shows_notes or is_failure(step)
            else ""
        )

    def _edges_of(self, step: TraceStep, lanes: Lanes) -> Edges:
        """Return what a note of a step has to leave free: its name at one side, its time at the other."""
        part, metrics = step.parent_id is not None, self._theme.metrics(Face.SMALL)
        name = self._theme.metrics(Face.SMALL if part else Face.BODY).horizontalAdvance(_shown_name(step))
        begin = lanes.name + (INDENT - 8 if part else 0)
        end = lanes.time - metrics.horizontalAdvance(took_words(step))
        return Edges(min(begin + name, lanes.first - 10) + APART, lanes.first, end - APART)

    def _paint_note(
        self, painter: QPainter, bar: QRectF, place: NotePlace, note: tuple[str, QColor], edges: Edges
    ) -> None:
        """Paint the note of a step, given with its colour; what has no room there is in the tool tip."""
        theme, (words, ink) = self._theme, note
        width, middle = theme.metrics(Face.SMALL).horizontalAdvance(words), bar.center().y()
        if place is NotePlace.INSIDE:
            at, room = QPointF(bar.left() + INSET, middle), _room_inside(bar.left(), bar.right()) + 1
        elif place is NotePlace.BEHIND:
            at, room = QPointF(bar.right() + 7, middle), _room_behind(bar.right(), edges)
        else:
            first = edges.first if width <= _room_before(bar.left(), edges) else edges.name
            at, room = QPointF(max(first, bar.left() - 7 - width), middle), bar.left() - first - 7
        if room > 30:
            marks.draw_line(painter, theme.font(Face.SMALL), ink, at, words, room)

    def _paint_figures(self, painter: QPainter, rect: QRectF, lanes: Lanes, step: TraceStep) -> None:
        theme, middle = self._theme, rect.center().y() + 0.5
        font, metrics = theme.font(Face.SMALL), theme.metrics(Face.SMALL)
        cost = cost_words(step, self._model.digits) or (NOTHING if step.usd is not None else "")
        tokens = tokens_words(step) or (NOTHING if step.tokens_in is not None else "")
        for end, words, token in (
            (lanes.time, took_words(step), "text1" if step.took_s >= 1 else "text2"),
            (lanes.tokens, tokens, "text1"),
            (lanes.cost, cost, "text1"),
        ):
            if words:
                at = QPointF(end - metrics.horizontalAdvance(words), middle)
                marks.draw_line(painter, font, theme.color(token), at, words)


class NotePlace(Enum):
    """Where the note of a step stands."""

    BEHIND = auto()
    BEFORE = auto()
    INSIDE = auto()


class Edges(NamedTuple):
    """What the note of a step has to leave free, px.

    Attributes:
        name: Where the name of the step has ended.
        first: Where the axis begins.
        last: Where its time begins.
    """

    name: float
    first: float
    last: float


def place_of(width: float, left: float, right: float, edges: Edges) -> NotePlace:
    """Return the place with room for a note: behind its bar, else before, else inside.

    If none has, it may begin before the axis, where its name leaves room; else it has the widest place.
    """
    rooms = {
        NotePlace.BEHIND: _room_behind(right, edges),
        NotePlace.BEFORE: _room_before(left, edges),
        NotePlace.INSIDE: _room_inside(left, right),
    }
    fits = (place for place, room in rooms.items() if width <= room)
    widest = max(rooms, key=lambda place: rooms[place])
    return next(fits, NotePlace.BEFORE if width <= left - edges.name - 7 else widest)


def ink_on(ground: QColor) -> QColor:
    """Return the colour of words on a filled bar: black or white, whichever stands out more; one always does."""
    return max(map(QColor, ("#FFFFFF", "#000000")), key=lambda ink: contrast(ink.name(), ground.name()))


def _room_behind(right: float, edges: Edges) -> float:
    return edges.last - right - 7


def _room_before(left: float, edges: Edges) -> float:
    return left - edges.first - 8


def _shown_name(step: TraceStep) -> str:
    return foreign_text.line(step_name(step), 200)


def _room_inside(left: float, right: float) -> float:
    return right - left - 2 * INSET


def _hatched(color: QColor) -> object:
    from PySide6.QtGui import QBrush

    soft = QColor(color)
    soft.setAlphaF(0.55)
    return QBrush(soft, Qt.BrushStyle.BDiagPattern)


LEAST_ROWS = 2
"""In sight, if there are so many: the box below them must not be squeezed."""


class Waterfall(SpokenTreeView):
    """The keys of a tree work; Escape leads back to the list.

    Attributes:
        notes_turned: Notes begin to stand beside the bars, or no longer do.
        picked: Another step is current, or none; carries it.
        entered: Return was pressed on a step.
        left: Escape was pressed.
    """

    notes_turned = Signal()
    picked = Signal(object)
    entered = Signal()
    left = Signal()

    def __init__(self, context: PaneContext, model: StepTreeModel) -> None:
        super().__init__()
        self._theme, self._steps = context.theme, model
        self._had_notes = False
        speak_rows_only(self)
        self.setModel(model)
        self.setItemDelegate(StepDelegate(context.theme, self, model))
        self.setAccessibleName(self.tr("Steps of the plan"))
        self.setHeaderHidden(True)
        self.setRootIsDecorated(False)
        self.setIndentation(0)
        self.setUniformRowHeights(True)
        self.setMouseTracking(True)
        self.setFrameShape(QTreeView.Shape.NoFrame)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerItem)  # the first row in sight is a whole one
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        model.modelReset.connect(self.expandAll)
        self._spoken = SpokenTree(self)
        make_selected_current(self)
        CurrentInSight(self)
        context.theme.changed.connect(self.viewport().update)
        context.theme.fonts_changed.connect(self.scheduleDelayedItemsLayout)

    @property
    def lanes(self) -> Lanes:
        """The columns for the present width."""
        return lanes_of(self._theme, float(self.viewport().width()))

    @property
    def shows_notes(self) -> bool:
        """Whether notes stand beside the bars; else only those of what failed do, and the tool tip has all."""
        lanes = self.lanes
        return lanes.last - lanes.first >= NOTES_FROM * self._theme.percent / 100

    @property
    def row_height(self) -> int:
        """The height of each row, px."""
        return max(24, round(self._theme.metrics(Face.BODY).height() * 1.45))

    @property
    def row_count(self) -> int:
        """How many rows there are with the opened ones."""
        return max(1, self._steps.shown_rows(self.isExpanded))

    @property
    def current(self) -> TraceStep | None:
        """The chosen step."""
        return self._steps.step_of(self.currentIndex())

    def choose(self, step_id: int) -> None:
        """Choose a step and bring it into view."""
        index = self._steps.index_of(step_id)
        if index.isValid():
            self.setCurrentIndex(index)
            self.scrollTo(index)

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        self.picked.emit(self.current)

    def drawBranches(self, *_args: object) -> None:
        """Paint no branches: the delegate paints an elbow."""

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.shows_notes is not self._had_notes:
            self._had_notes = self.shows_notes
            self.notes_turned.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.entered.emit()
        elif event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip:
            helps: QHelpEvent = event  # type: ignore[assignment]
            step = self._steps.step_of(self.indexAt(helps.pos()))
            words = f"{step_name(step)}\n{step_note(step, self._steps.parts_of(step))}" if step is not None else ""
            QToolTip.showText(helps.globalPos(), foreign_text.tool_tip(words) if words else "", self)
            return True
        return super().viewportEvent(event)
