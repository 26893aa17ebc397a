"""The columns of the Log pane, and their names above the list."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QSize
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget

from chimein_gui.ui.widgets.theme.marks import draw_line
from chimein_gui.ui.widgets.theme.mirror import follow_layout
from chimein_gui.ui.widgets.theme.theme import Face

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QPaintEvent

    from chimein_gui.ui.widgets.theme.theme import Theme

LEAD, GAP = 16.0, 14.0
NARROW = 760
"""Width in px below which the part has no column of its own."""


@dataclass(frozen=True, slots=True)
class Columns:
    """Where the columns begin, px from the leading edge.

    Attributes:
        time, level, part, agent, message: Beginnings; the part has no width in a narrow list.
        end: Where the link ends.
        link_width: Room for the link.
    """

    time: float
    level: float
    part: float
    agent: float
    message: float
    end: float
    link_width: float

    @property
    def part_room(self) -> float:
        """Room for the part, px."""
        return self.agent - self.part - 8


def columns_of(theme: Theme, width: float) -> Columns:
    """Return the columns for a list of some width."""
    scale = theme.percent / 100
    small = theme.metrics(Face.SMALL)
    level = LEAD + small.horizontalAdvance("00:00:00.000") + 1.5 * GAP
    part = level + 58 * scale + GAP
    agent = part + (0.0 if width < NARROW * scale else 72 * scale + GAP)
    message = agent + 84 * scale + GAP
    return Columns(LEAD, level, part, agent, message, width - LEAD, 96 * scale)


class ColumnHeads(QWidget):
    """The names of the columns; screen readers hear them with each row."""

    def __init__(self, theme: Theme, columns: Callable[[], Columns]) -> None:
        super().__init__()
        self._theme, self._columns = theme, columns
        theme.changed.connect(self.update)
        theme.fonts_changed.connect(self.updateGeometry)

    def sizeHint(self) -> QSize:
        return QSize(200, round(self._theme.metrics(Face.META_STRONG).height()) + 10)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        theme, columns, middle = self._theme, self._columns(), self.height() / 2 - 0.5
        painter.fillRect(self.rect(), theme.color("pane"))
        painter.fillRect(0, self.height() - 1, self.width(), 1, theme.color("line"))
        follow_layout(painter, self)
        font, ink = theme.font(Face.META_STRONG), theme.color("text3")
        belongs = self.tr("Belongs to")
        end = columns.end - min(theme.metrics(Face.META_STRONG).horizontalAdvance(belongs), columns.link_width)
        heads = [
            (columns.time, self.tr("Time"), columns.level),
            (columns.level, self.tr("Level"), columns.part),
            (columns.agent, self.tr("Agent"), columns.message),
            (columns.message, self.tr("Message"), end),
            (end, belongs, columns.end + 8),
        ]
        if columns.agent > columns.part:
            heads.append((columns.part, self.tr("Part"), columns.agent))
        for left, words, right in heads:
            draw_line(painter, font, ink, QPointF(left, middle), words, right - left - 4)
        painter.end()
