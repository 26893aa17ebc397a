"""The columns of the Log pane, and their names above the list."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from chimein_gui.ui.widgets.rows.column_heads import Head
from chimein_gui.ui.widgets.theme.theme import Face

if TYPE_CHECKING:
    from chimein_gui.ui.widgets.theme.theme import Theme

translate = QCoreApplication.translate

LEAD, GAP = 16.0, 14.0
NARROW = 760
"""Width in px below which the part has no column of its own."""
WIDE = 1_100
"""Width in px from which on there is room for first and last names."""


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
    level = LEAD + theme.metrics(Face.MONO).horizontalAdvance("00:00:00.000") + 1.5 * GAP
    part = level + 58 * scale + GAP
    agent = part + (0.0 if width < NARROW * scale else 72 * scale + GAP)
    message = agent + (84 if width < WIDE * scale else 128) * scale + GAP
    return Columns(LEAD, level, part, agent, message, width - LEAD, 96 * scale)


def heads_of(theme: Theme, columns: Columns) -> tuple[Head, ...]:
    """Return the names of the columns."""
    belongs = translate("LogColumns", "Belongs to")
    end = columns.end - min(theme.metrics(Face.META_STRONG).horizontalAdvance(belongs), columns.link_width)
    heads = [
        (columns.time, translate("LogColumns", "Time"), columns.level),
        (columns.level, translate("LogColumns", "Level"), columns.part),
        (columns.agent, translate("LogColumns", "Agent"), columns.message),
        (columns.message, translate("LogColumns", "Message"), end),
        (end, belongs, columns.end + 8),
    ]
    if columns.agent > columns.part:
        heads.append((columns.part, translate("LogColumns", "Part"), columns.agent))
    return tuple(Head(left, words, right - left - 4) for left, words, right in heads)
