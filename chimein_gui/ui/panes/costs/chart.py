"""Stacked bars, one a day, with the cap as a dashed line. The table says the same in words."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from chimein_gui.ui.panes.costs.cap_line import CapLine
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.elision import elided
from chimein_gui.ui.widgets.theme import marks
from chimein_gui.ui.widgets.theme.control_colours import Role, colours_of, draw_ring, state_of
from chimein_gui.ui.widgets.theme.mirror import follow_layout
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.core.numbers import day_words, dollars_words, short_day_words
from chimein_gui.viewmodels.costs.words import money, tokens_mark, tokens_words

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import date

    from chimein_gui.domain.spending.sums import GroupKey
    from chimein_gui.ui.panes.costs.cap_line import Lines
    from chimein_gui.ui.widgets.theme.theme import Theme

Legend = tuple[tuple["GroupKey", str, int], ...]

_HEAD, _FOOT, _SIDE, _PAD = 34.0, 22.0, 62.0, 14.0
_STEPS = ((1, 4), (1.2, 4), (1.5, 3), (2, 4), (2.5, 5), (3, 3), (4, 4), (5, 5), (6, 3), (8, 4), (10, 5))
"""First digits of the end of an axis, and in how many parts each is divided: bars fill most of the height."""
_MOST_DIGITS = 6
_HUES = 8
_WIDEST_BAR, _WIDEST_BOX, _LEAST_NAME = 34.0, 260.0, 60.0
_LEAST_BAR = 2.0
"""Height of the bar of a day that cost next to nothing, px: what has a cost has a bar."""
_SWATCH = 32.0
"""Width of a swatch with the gaps around it, px."""


def nice_axis(most: float) -> tuple[float, int]:
    """Return the end of an axis, a round number that is not below `most`, and in how many parts it is divided."""
    if most <= 0:
        return 1.0, 4
    size: float = 10.0 ** math.floor(math.log10(most))
    return next((first * size, parts) for first, parts in _STEPS if first * size >= most * 0.999)


def digits_of(step: float) -> int:
    """Return with how many digits after the point the marks of an axis differ, at least two."""
    return next(
        (number for number in range(2, _MOST_DIGITS) if abs(round(step, number) - step) < step / 1_000), _MOST_DIGITS
    )


class CostChart(QWidget):
    """Days are chosen with the arrow keys or a click.

    Attributes:
        stepped: An arrow key was pressed; carries -1 or 1.
        chosen: A day was clicked; carries it.
        left: Escape was pressed: all days are to be shown.
        entered: Return was pressed.
    """

    stepped = Signal(int)
    chosen = Signal(object)
    left = Signal()
    entered = Signal()

    def __init__(self, theme: Theme, more_of: Callable[[date], str] = lambda _day: "") -> None:
        """`more_of` returns what else there is to say of a day."""
        super().__init__()
        self._theme, self._more_of = theme, more_of
        self._days: tuple[date, ...] = ()
        self._legend: Legend = ()
        self._values: Mapping[date, Mapping[GroupKey, float]] = {}
        self._totals: Mapping[date, float] = {}
        self.cap = CapLine(theme)
        self._day: date | None = None
        self._is_tokens = False
        self._title = ""
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumHeight(130)
        self.setAccessibleName(self.tr("Costs by day"))
        theme.changed.connect(self.update)
        theme.fonts_changed.connect(self.update)

    def show_days(
        self,
        days: tuple[date, ...],
        legend: Legend,
        values: Mapping[date, Mapping[GroupKey, float]],
        *,
        caps: tuple[float | None, float | None],
        day: date | None,
        is_tokens: bool,
        title: str,
    ) -> None:
        """Set what is shown.

        Args:
            days: The days, oldest first.
            legend: The groups in their order from below, with names and colours.
            values: What each group used on a day.
            caps: The cap for everything in US dollars a day, and what may be spent on the last day; None for none,
                and for a cap that is lifted until midnight.
            day: The chosen day, or None.
            is_tokens: The values are tokens, not US dollars.
            title: What stands before the legend; a screen reader hears it as the name.
        """
        if title != self._title:
            self._title = title
            self.setAccessibleName(self.tr("Costs: {title}").format(title=title))
            self.update()
        shown = (days, legend, values, (None, None) if is_tokens else caps, day, is_tokens)
        known = (self.cap.usd, self.cap.today_usd)
        if shown == (self._days, self._legend, self._values, known, self._day, self._is_tokens):
            return
        self._days, self._legend, self._values, known, self._day, self._is_tokens = shown
        self.cap.usd, self.cap.today_usd = known
        # Each bar and each mark of the axis asks for the highest of them.
        self._totals = {one: sum(of_groups.values()) for one, of_groups in self._values.items()}
        self.setAccessibleDescription(self._spoken())
        self.update()

    def amount(self, value: float) -> str:
        """Return a value in words."""
        return tokens_words(round(value)) if self._is_tokens else money(value)

    def mark_of(self, top: float, parts: int, step: int) -> str:
        """Return what stands at a mark of the axis, counted from 0."""
        value = top * step / parts
        return tokens_mark(value, top) if self._is_tokens else dollars_words(value, digits_of(top / parts))

    def total_of(self, day: date) -> float:
        """Return the value of a day."""
        return self._totals.get(day, 0.0)

    def color_of(self, identity: int) -> QColor:
        """Return the colour of a group."""
        return self._theme.color("text3") if identity < 0 else self._theme.identity(identity % _HUES)

    def _spoken(self) -> str:
        if not self._days:
            return ""
        if self._day is not None:
            return ". ".join(part for part in self._both_of(self._day) if part)
        dearest = max(self._days, key=self.total_of)
        words = self.tr("{first} to {last}; most on {day}: {amount}").format(
            first=day_words(self._days[0]),
            last=day_words(self._days[-1]),
            day=day_words(dearest),
            amount=self.amount(self.total_of(dearest)),
        )
        return ", ".join(part for part in (words, self.cap.words()) if part)

    def _words_of(self, day: date) -> str:
        return f"{day_words(day)} · {self.amount(self.total_of(day))}"

    def _both_of(self, day: date) -> tuple[str, str]:
        return self._words_of(day), self._more_of(day)

    # --- places -------------------------------------------------------------------------------------------------------

    def _plot(self) -> QRectF:
        return QRectF(self.rect()).adjusted(_SIDE, _HEAD, -_PAD, -_FOOT)

    def _axis(self) -> tuple[float, int]:
        highest = max(map(self.total_of, self._days), default=0.0)
        return nice_axis(max(highest, self.cap.least_axis(self._plot().height())))

    def cap_lines(self) -> Lines:
        """Return the lines of the cap."""
        return self.cap.lines(self._plot(), self._axis()[0], len(self._days))

    def bar_of(self, day: date) -> QRectF:
        """Return the place of a day's column."""
        plot = self._plot()
        slot = plot.width() / max(1, len(self._days))
        width = min(_WIDEST_BAR, slot * 0.7)
        left = plot.left() + slot * self._days.index(day) + (slot - width) / 2
        total = self.total_of(day)
        height = max(_LEAST_BAR if total > 0 else 0.0, plot.height() * total / self._axis()[0])
        return QRectF(left, plot.bottom() - height, width, height)

    def day_at(self, x: float) -> date | None:
        """Return the day at a place, or None."""
        plot = self._plot()
        if not self._days or not plot.left() <= x <= plot.right():
            return None
        slot = plot.width() / len(self._days)
        return self._days[min(int((x - plot.left()) / slot), len(self._days) - 1)]

    # --- painting -----------------------------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        theme = self._theme
        painter.setPen(theme.color("line"))
        painter.setBrush(theme.color("card"))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 8, 8)
        follow_layout(painter, self)
        if self._days:
            self._paint_legend(painter)
            self._paint_axis(painter)
            self._paint_bars(painter)
            self.cap.paint(painter, self._plot(), self.cap_lines())
            self._paint_day(painter)
        painter.resetTransform()
        ring = colours_of(theme, Role.BARE, state_of(self))
        draw_ring(painter, ring, QRectF(self.rect()).adjusted(1, 1, -1, -1), 8, 2)
        painter.end()

    def _paint_legend(self, painter: QPainter) -> None:
        theme, x, middle = self._theme, _PAD, _HEAD / 2
        metrics = theme.metrics(Face.SMALL)
        at, room = QPointF(x, middle), self.width() - 2 * _PAD
        x += 20 + marks.draw_line(painter, theme.font(Face.SMALL_STRONG), theme.color("text1"), at, self._title, room)
        for words, identity in self.legend_words(self.width() - x - _PAD):
            width = metrics.horizontalAdvance(words)
            if x + 16 + width > self.width() - _PAD:
                break
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self.color_of(identity))
            painter.drawRoundedRect(QRectF(x, middle - 5, 10, 10), 3, 3)
            at = QPointF(x + 16, middle)
            x += 16 + 16 + marks.draw_line(painter, theme.font(Face.SMALL), theme.color("text2"), at, words)

    def legend_words(self, room: float) -> tuple[tuple[str, int], ...]:
        """Return names and colours of the groups; names are elided only where all together have no room, px."""
        metrics = self._theme.metrics(Face.SMALL)
        names = [(foreign_text.line(name, 60), identity) for _, name, identity in self._legend]
        wanted = sum(_SWATCH + metrics.horizontalAdvance(name) for name, _ in names)
        if wanted <= room:
            return tuple(names)
        share = max(_LEAST_NAME, room / len(names) - _SWATCH)
        return tuple((elided(metrics, name, share), identity) for name, identity in names)

    def _paint_axis(self, painter: QPainter) -> None:
        theme, plot, (top, parts) = self._theme, self._plot(), self._axis()
        for step in range(parts + 1):
            y = plot.bottom() - plot.height() * step / parts
            painter.setPen(theme.color("line"))
            painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y))
            words = self.mark_of(top, parts, step)
            width = theme.metrics(Face.META).horizontalAdvance(words)
            at = QPointF(plot.left() - 8 - width, y)
            marks.draw_line(painter, theme.font(Face.META), theme.color("text3"), at, words)
        every = max(1, math.ceil(len(self._days) / max(1.0, plot.width() / 80)))
        for place, day in enumerate(reversed(self._days)):
            if place % every == 0:
                words = self.tr("today") if place == 0 else short_day_words(day)
                width = theme.metrics(Face.META).horizontalAdvance(words)
                at = QPointF(self.bar_of(day).center().x() - width / 2, plot.bottom() + _FOOT / 2)
                face, token = (Face.META_STRONG, "text1") if place == 0 else (Face.META, "text3")
                marks.draw_line(painter, theme.font(face), theme.color(token), at, words)

    def _paint_bars(self, painter: QPainter) -> None:
        plot, (top, _) = self._plot(), self._axis()
        painter.setPen(Qt.PenStyle.NoPen)
        for day in self._days:
            values, column = self._values.get(day, {}), self.bar_of(day)
            y, whole = plot.bottom(), plot.height() * self.total_of(day) / top
            scale = column.height() / whole if whole > 0 else 1.0
            for key, _, identity in self._legend:
                height = plot.height() * values.get(key, 0.0) / top * scale
                if height <= 0:
                    continue
                gap = 1.0 if height > 3 else 0.0
                color = QColor(self.color_of(identity))
                if self._day is not None and day != self._day:
                    color.setAlphaF(0.45)
                painter.setBrush(color)
                painter.drawRect(QRectF(column.left(), y - height + gap, column.width(), height - gap))
                y -= height

    def _paint_day(self, painter: QPainter) -> None:
        if self._day not in self._days or self._day is None:
            return
        theme, column, (words, more) = self._theme, self.bar_of(self._day), self._both_of(self._day)
        more = elided(theme.metrics(Face.SMALL), more, _WIDEST_BOX)
        height = theme.metrics(Face.SMALL_STRONG).height()
        widths = (theme.metrics(Face.SMALL_STRONG), words), (theme.metrics(Face.SMALL), more)
        width = max(metrics.horizontalAdvance(one) for metrics, one in widths) + 20
        left = column.right() + 8
        if left + width > self.width() - _PAD:
            left = column.left() - 8 - width
        tall = (2 * height + 18) if more else height + 12
        top = max(_HEAD, min(column.top() - 4, self.height() - _FOOT - tall))
        box = QRectF(left, top, width, tall)
        painter.setPen(theme.color("text3"))
        painter.setBrush(theme.color("raised"))
        painter.drawRoundedRect(box, 6, 6)
        at = QPointF(box.left() + 10, box.top() + 6 + height / 2)
        marks.draw_line(painter, theme.font(Face.SMALL_STRONG), theme.color("text1"), at, words)
        if more:
            at = QPointF(box.left() + 10, box.bottom() - 6 - height / 2)
            marks.draw_line(painter, theme.font(Face.SMALL), theme.color("text2"), at, more)

    # --- input --------------------------------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
        key = Qt.Key(event.key())
        if key in steps:
            self.stepped.emit(-steps[key] if self.isRightToLeft() else steps[key])
        elif key == Qt.Key.Key_Escape and self._day is not None:
            self.left.emit()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.entered.emit()
        else:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            words = self.words_at(event.pos().x())
            self.setToolTip(foreign_text.tool_tip(words) if words else "")
        return super().event(event)

    def words_at(self, x: float) -> str:
        """Return the tool tip at a place: the day, what it cost and why; empty beside the bars."""
        day = self.day_at(self.width() - x if self.isRightToLeft() else x)
        return " · ".join(part for part in self._both_of(day) if part) if day is not None else ""

    def mousePressEvent(self, event: QMouseEvent) -> None:
        x = event.position().x()
        day = self.day_at(self.width() - x if self.isRightToLeft() else x)
        self.chosen.emit(None if day == self._day else day)

    def sizeHint(self) -> QSize:
        return QSize(600, 240)
