"""Paints the links between messages as arcs, and the span that the time-gap rule would take."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPainterPath, QPen

from chimein_gui.viewmodels.context.rows import RowKind

if TYPE_CHECKING:
    from chimein_gui.domain.ids import MessageId
    from chimein_gui.ui.panes.context.columns import Columns
    from chimein_gui.ui.widgets.theme.theme import Theme
    from chimein_gui.viewmodels.context.rows import ContextRows

DEPTH, DEPTH_A_ROW = 16, 9
OUTSIDE = 0.35
"""Opacity of links of messages that are left out."""


@dataclass(frozen=True, slots=True)
class Arc:
    """One link.

    Attributes:
        child, parent: Rows; the parent is above.
        message_id: The child's message.
        is_reply: An explicit reply.
        from_trigger: The link of the trigger to its anchor.
        included: The child is in the prompt.
    """

    child: int
    parent: int
    message_id: MessageId
    is_reply: bool
    from_trigger: bool
    included: bool


class Arcs:
    """The arcs of all rows, and the rows of the time-gap rule.

    Attributes:
        session: First and last row that the rule would take; None if it takes none.
    """

    def __init__(self, rows: ContextRows) -> None:
        self._rows = rows
        self._arcs: list[Arc] = []
        self._children: list[int] = []
        self.session: tuple[int, int] | None = None

    def arrange(self) -> None:
        """Find the rows of all links anew."""
        arcs, places, session = [], self._rows.places, []
        for place, row in enumerate(self._rows.rows):
            one = row.one
            if one is None:
                continue
            if one.in_session or (row.folded and row.folded[-1].in_session):
                session.append(place)
            if row.kind is not RowKind.MESSAGE:
                continue
            if one.parent is None:
                continue
            parent = places.get(one.parent, place)
            if parent < place:
                is_trigger = one.reason == "trigger"
                arcs.append(Arc(place, parent, one.message_id, one.is_reply, is_trigger and one.is_reply, one.included))
        self._arcs, self._children = arcs, [arc.child for arc in arcs]
        self.session = (session[0], session[-1]) if session else None

    def near(self, first: int, last: int, strip: tuple[int, int]) -> list[Arc]:
        """Return the arcs that begin in some rows or at most as many below, and cross a strip of these rows."""
        reach = last - first + 1
        begin = bisect_left(self._children, first)
        end = bisect_left(self._children, last + reach)
        found = [arc for arc in self._arcs[begin:end] if arc.parent <= strip[1] and arc.child >= strip[0]]
        found.sort(key=lambda arc: arc.included)
        return found


def paint_arcs(
    painter: QPainter,
    theme: Theme,
    columns: Columns,
    arcs: list[Arc],
    middle_of: tuple[float, float],
    path_ids: frozenset[MessageId],
) -> None:
    """Paint arcs that curve towards the leading edge.

    Args:
        painter: Already mirrored in a right-to-left layout.
        theme: Colours.
        columns: Where the dots are.
        arcs: From `Arcs.near`.
        middle_of: The vertical middle of row 0, and the height of a row, px.
        path_ids: Messages on the path from the chosen one up.
    """
    top, height = middle_of
    most = columns.dot - columns.lane - 8
    painter.setBrush(Qt.BrushStyle.NoBrush)
    pens: dict[tuple[bool, bool, bool], QPen] = {}
    chosen: list[QPainterPath] = []
    for arc in arcs:
        child, parent = top + arc.child * height, top + arc.parent * height
        side = columns.dot - min(most, DEPTH + DEPTH_A_ROW * (arc.child - arc.parent)) * 4 / 3
        line = QPainterPath(QPointF(columns.dot - 5, child))
        line.cubicTo(QPointF(side, child), QPointF(side, parent), QPointF(columns.dot - 5, parent))
        if arc.message_id in path_ids:
            chosen.append(line)
            continue
        look = (arc.from_trigger, arc.is_reply, arc.included)
        if look not in pens:
            pens[look] = _pen(theme, *look)
        painter.setPen(pens[look])
        painter.drawPath(line)
    pen = QPen(theme.color("accent"), 2.2)
    painter.setPen(pen)
    for line in chosen:
        painter.drawPath(line)


def _pen(theme: Theme, from_trigger: bool, is_reply: bool, included: bool) -> QPen:
    color = QColor(theme.color("info" if is_reply else "text3"))
    if not included:
        color.setAlphaF(OUTSIDE)
    # Lines of up to 1 px are drawn ten times as fast as wider ones.
    pen = QPen(color, 2.4 if from_trigger else 1.6 if is_reply and included else 1.0)
    if not is_reply:
        pen.setDashPattern([3, 2.4])
    return pen


def paint_session(painter: QPainter, theme: Theme, columns: Columns, top: float, bottom: float) -> None:
    """Paint the hatched frame around the rows that the time-gap rule would take."""
    frame = QRectF(columns.rule, top + 2, columns.rule_width, bottom - top - 4)
    tint = QColor(theme.color("attention_line"))
    tint.setAlphaF(0.22)
    pen = QPen(theme.color("attention_line"), 1)
    pen.setDashPattern([3, 2.5])
    painter.setPen(pen)
    painter.setBrush(QBrush(tint, Qt.BrushStyle.BDiagPattern))
    painter.drawRoundedRect(frame, 3, 3)
