"""The table of costs: the accessible form of the chart, with each row's cap."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QAbstractListModel, QCoreApplication, QModelIndex, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QListView, QVBoxLayout

from chimein_gui.ui.widgets.controls.spoken_role import speak_as_words, speak_rows_only
from chimein_gui.ui.widgets.rows.opaque_ground import fill
from chimein_gui.ui.widgets.rows.paint_budget import take_turns
from chimein_gui.ui.widgets.rows.painted_rows import PaintedRows
from chimein_gui.ui.widgets.rows.row_states import SELECTED
from chimein_gui.ui.widgets.rows.single_key_shortcuts import SingleKeyShortcuts
from chimein_gui.ui.widgets.rows.spoken_views import SpokenListView
from chimein_gui.ui.widgets.surfaces.surface import Card, Surface
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.elision import elided
from chimein_gui.ui.widgets.theme import marks
from chimein_gui.ui.widgets.theme.control_colours import Role, colours_of, draw_tile, row_state
from chimein_gui.ui.widgets.theme.mirror import follow_layout
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.core.numbers import count_words
from chimein_gui.viewmodels.core.roles import Index, ItemRole
from chimein_gui.viewmodels.core.sanitize import spoken
from chimein_gui.viewmodels.costs.pane import CostLine
from chimein_gui.viewmodels.costs.words import cap_words, money, percent_words
from chimein_gui.viewmodels.traces.words import TRACE_KEY

if TYPE_CHECKING:
    from PySide6.QtCore import QPoint, SignalInstance
    from PySide6.QtGui import QPainter, QPaintEvent

    from chimein_gui.ui.widgets.theme.theme import Theme
    from chimein_gui.viewmodels.preferences.single_keys import SingleKeys

translate = QCoreApplication.translate

_PAD, _BAR, _FIGURE, _CAP = 14.0, 80.0, 84.0, 250.0
_MOST_NAME = 120

CORNER = 8
"""Room below the list, px: it would cover the round corners of the card."""


def heads() -> tuple[str, ...]:
    """Return the heads of the figures."""
    return (
        translate("CostTable", "Calls"),
        translate("CostTable", "In"),
        translate("CostTable", "Cached"),
        translate("CostTable", "Out"),
        translate("CostTable", "Thinking"),
        translate("CostTable", "Cost"),
    )


def figures_of(line: CostLine) -> tuple[str, ...]:
    """Return the figures of a row, in the order of `heads`."""
    sums = line.sums
    return (
        count_words(sums.calls),
        count_words(sums.prompt_tokens),
        percent_words(sums.cached_share),
        count_words(sums.reply_tokens + sums.thinking_tokens),
        percent_words(sums.thinking_share),
        money(sums.usd) if sums.unpriced < sums.calls else "–",
    )


class CostLines(QAbstractListModel):
    """One row a group; its text says everything that the row shows."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: tuple[CostLine, ...] = ()

    def put(self, lines: tuple[CostLine, ...]) -> None:
        """Set the rows; rows with the same keys in the same order only change."""
        if lines == self.lines:
            return
        if [one.key for one in lines] == [one.key for one in self.lines]:
            changed = [row for row, (one, old) in enumerate(zip(lines, self.lines, strict=True)) if one != old]
            self.lines = lines
            for row in changed:
                self.dataChanged.emit(self.index(row), self.index(row))
            return
        self.beginResetModel()
        self.lines = lines
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else len(self.lines)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        line = self.lines[index.row()]
        if role == ItemRole:
            return line
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return sentence_of(line)
        return None


def kind_of(line: CostLine) -> str:
    """Return the word for the kind of a row's chat; empty if it is no chat."""
    if line.is_group is None:
        return ""
    return translate("CostTable", "group") if line.is_group else translate("CostTable", "DM")


def sentence_of(line: CostLine) -> str:
    """Return a row as one sentence."""
    figures = ", ".join(f"{head} {figure}" for head, figure in zip(heads(), figures_of(line), strict=True))
    parts = [one for one in (spoken(line.name), kind_of(line), figures) if one]
    if line.cap is not None:
        parts.append(translate("CostTable", "today {cap}").format(cap=cap_words(line.cap)))
        if line.cap.is_reached:
            parts.append(translate("CostTable", "cap reached"))
        elif line.cap.is_marked:
            parts.append(translate("CostTable", "cap nearly reached"))
    unpriced, estimated = line.sums.unpriced, line.sums.estimated
    if unpriced:
        parts.append(translate("CostTable", "%n call(s) without a price", "", unpriced))
    if estimated:
        parts.append(translate("CostTable", "%n call(s) estimated", "", estimated))
    return ", ".join(parts)


class _Rows(PaintedRows[CostLine]):
    def sizeHint(self, _option: object, _index: object) -> QSize:
        return self.height_of(Face.BODY, 1, 16, 33)

    def _draw_ground(self, painter: QPainter, rect: QRectF, *, is_reached: bool) -> None:
        theme = self._theme
        if is_reached:
            painter.fillRect(rect, theme.color("attention_soft"))
        painter.setPen(theme.color("line"))
        painter.drawLine(QPointF(rect.left() + _PAD, rect.bottom()), QPointF(rect.right() - _PAD, rect.bottom()))

    def draw(self, painter: QPainter, rect: QRectF, row: CostLine, state: int) -> None:
        theme, line = self._theme, row
        is_reached = line.cap is not None and line.cap.is_reached
        is_selected = bool(state & SELECTED)
        if not is_selected:  # it would be a second edge under the round corners
            self._draw_ground(painter, rect, is_reached=is_reached)
        focused = is_selected and self._view.hasFocus()
        draw_tile(painter, colours_of(theme, Role.ROW, row_state(state, focused=focused)), rect.adjusted(4, 1, -4, -1))
        painter.setPen(Qt.PenStyle.NoPen)
        if is_reached:  # also within the tile of the chosen row
            painter.setBrush(theme.color("attention_soft"))
            painter.drawRoundedRect(rect.adjusted(9, 4, -9, -4), 4, 4)
        painter.setBrush(theme.identity(line.identity % 8))
        painter.drawRoundedRect(QRectF(rect.left() + _PAD, rect.top() + 8, 3, rect.height() - 16), 1.5, 1.5)
        scale, middle = theme.percent / 100, rect.center().y()
        cap_left = rect.right() - _CAP * scale
        right = cap_left - 16
        for place, words in enumerate(reversed(figures_of(line))):
            face = Face.STRONG if place == 0 else Face.BODY
            width = theme.metrics(face).horizontalAdvance(words)
            at = QPointF(right - place * _FIGURE * scale - width, middle)
            marks.draw_line(painter, theme.font(face), theme.color("text1"), at, words)
        name = foreign_text.line(line.name, _MOST_NAME)
        room = right - len(heads()) * _FIGURE * scale - rect.left() - _PAD - 22
        at = QPointF(rect.left() + _PAD + 12, middle)
        kind = kind_of(line)
        beside = theme.metrics(Face.SMALL).horizontalAdvance(kind) + 8 if kind else 0
        drawn = marks.draw_line(
            painter, theme.font(Face.BODY), theme.color("text1"), at, name, max(40.0, room - beside)
        )
        if kind:
            at = QPointF(at.x() + drawn + 8, middle)
            marks.draw_line(painter, theme.font(Face.SMALL), theme.color("text3"), at, kind)
        if line.cap is not None:
            self._draw_cap(painter, line, QRectF(cap_left, rect.top(), rect.right() - cap_left - 8, rect.height()))

    def _draw_cap(self, painter: QPainter, line: CostLine, place: QRectF) -> None:
        theme, cap = self._theme, line.cap
        if cap is None:
            return
        token = "attention" if cap.is_marked else "accent"
        track = QRectF(place.left(), place.center().y() - 2, _BAR, 4)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("track"))
        painter.drawRoundedRect(track, 2, 2)
        painter.setBrush(theme.color(token))
        painter.drawRoundedRect(QRectF(track.left(), track.top(), _BAR * min(1.0, cap.share), 4), 2, 2)
        ink = theme.color("attention" if cap.is_marked else "text2")
        at = QPointF(track.right() + 10, place.center().y())
        room = place.right() - track.right() - 10
        marks.draw_line(painter, theme.font(Face.SMALL), ink, at, cap_words(cap), room)


class _Head(Surface):
    """The heads of the columns."""

    def __init__(self, theme: Theme, view: SpokenListView) -> None:
        super().__init__(theme, bottom_line="line")
        self._view = view
        view.verticalScrollBar().rangeChanged.connect(lambda _least, _most: self.update())
        self._name, self._has_caps = "", False
        speak_as_words(self)

    def call(self, name: str, *, has_caps: bool) -> None:
        """Set the head of the names, and whether caps stand in the last column."""
        if (name, has_caps) == (self._name, self._has_caps):
            return
        self._name, self._has_caps = name, has_caps
        caps = (self.tr("Today against its cap"),) if has_caps else ()
        self.setAccessibleName(", ".join((name, *heads(), *caps)))
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(300, max(28, round(self._theme.metrics(Face.META_STRONG).height() * 2)))

    def paint_contents(self, painter: QPainter) -> None:
        theme, middle, scale = self._theme, self.height() / 2, self._theme.percent / 100
        follow_layout(painter, self)
        font, ink, metrics = theme.font(Face.META_STRONG), theme.color("text3"), theme.metrics(Face.META_STRONG)
        cap_left = self._view.viewport().width() - _CAP * scale  # a scroll bar moves the figures below
        for place, words in enumerate(reversed(heads())):
            shown = elided(metrics, words, _FIGURE * scale - 8)
            right = cap_left - 16 - place * _FIGURE * scale - metrics.horizontalAdvance(shown)
            marks.draw_line(painter, font, ink, QPointF(right, middle), shown)
        if self._has_caps:
            at = QPointF(cap_left, middle)
            marks.draw_line(painter, font, ink, at, self.tr("Today against its cap"), _CAP * scale - 8)
        marks.draw_line(painter, font, ink, QPointF(_PAD, middle), self._name)


class _View(SpokenListView):
    """The rows on the ground of the card."""

    pressed_return = Signal()
    menu_wanted = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        take_turns(self)

    def paintEvent(self, event: QPaintEvent) -> None:
        fill(self, event, self._theme, "card")
        super().paintEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        plain = not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if plain and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.pressed_return.emit()
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Ask for the menu of the row under the pointer, or by the keyboard for that of the current one."""
        by_keys = event.reason() is QContextMenuEvent.Reason.Keyboard
        index = self.currentIndex() if by_keys else self.indexAt(event.pos())
        if index.isValid():
            self.setCurrentIndex(index)
            middle = self.viewport().mapToGlobal(self.visualRect(index).center())
            self.menu_wanted.emit(middle if by_keys else event.globalPos())


class CostTable(Card):
    """The rows of the chart's groups.

    Attributes:
        entered: Return or a double click on a row; carries its `CostLine`.
        capped: C on a row; carries its `CostLine`.
        traced: T on a row; carries its `CostLine`.
        menu_asked: The menu of a row is wanted; carries its `CostLine` and a position on the screen.
    """

    entered = Signal(object)
    capped = Signal(object)
    traced = Signal(object)
    menu_asked = Signal(object, object)

    def __init__(self, theme: Theme, single_keys: SingleKeys) -> None:
        super().__init__(theme)
        self.model = CostLines()
        self.list = view = _View(theme)
        self._head = _Head(theme, view)
        speak_rows_only(view)
        view.setModel(self.model)
        view.setItemDelegate(_Rows(theme, view))
        view.setFrameShape(QListView.Shape.NoFrame)
        view.setUniformItemSizes(True)
        view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        view.pressed_return.connect(lambda: self._tell(self.entered))
        letters = {"C": lambda: self._tell(self.capped), TRACE_KEY: lambda: self._tell(self.traced)}
        SingleKeyShortcuts(letters, self, single_keys).watch(view)
        view.doubleClicked.connect(lambda _index: self._tell(self.entered))
        view.menu_wanted.connect(self._ask_menu)
        column = QVBoxLayout(self)
        column.setContentsMargins(1, 4, 1, CORNER)
        column.setSpacing(0)
        column.addWidget(self._head)
        column.addWidget(view, 1)
        theme.changed.connect(view.viewport().update)
        theme.fonts_changed.connect(view.scheduleDelayedItemsLayout)

    def show_lines(self, name: str, lines: tuple[CostLine, ...]) -> None:
        """Set the rows, and what they are."""
        self._head.call(name, has_caps=any(one.cap is not None for one in lines))
        self.list.setAccessibleName(self.tr("Costs by {what}").format(what=name))
        chosen = self.current()
        self.model.put(lines)
        if lines and not self.list.currentIndex().isValid():
            places = [place for place, one in enumerate(lines) if chosen is not None and one.key == chosen.key]
            self.list.setCurrentIndex(self.model.index(places[0] if places else 0))

    def current(self) -> CostLine | None:
        """Return the current row, or None."""
        line = self.list.currentIndex().data(ItemRole)
        return line if isinstance(line, CostLine) else None

    def _tell(self, signal: SignalInstance) -> None:
        line = self.current()
        if line is not None:
            signal.emit(line)

    def _ask_menu(self, place: QPoint) -> None:
        line = self.current()
        if line is not None:
            self.menu_asked.emit(line, place)
