"""The columns of the Context pane, from the leading edge."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from chimein_gui.ui.widgets.rows.column_heads import Head
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.context.words import in_or_out, missed_word, percent_words

if TYPE_CHECKING:
    from chimein_gui.ui.widgets.theme.theme import Theme

translate = QCoreApplication.translate

NARROW = 760
"""Width of the list in px below which arcs and names get less room."""


PIN = 22
"""Width of the column of pins, px."""


@dataclass(frozen=True, slots=True)
class Columns:
    """Where the columns of a row begin, px.

    Attributes:
        rule, rule_width: What the time-gap rule says.
        lane: Where the room for arcs begins; it ends at the dot.
        dot: Centre of the dot that says in or out.
        state: The word that says it.
        bar, bar_width: The probability as a bar.
        percent_end: Where the percentage ends.
        time, avatar, name, name_width, text: Further columns.
        end: Where the reasons end; the pins follow.
    """

    rule: float
    rule_width: float
    lane: float
    dot: float
    state: float
    bar: float
    bar_width: float
    percent_end: float
    time: float
    avatar: float
    name: float
    name_width: float
    text: float
    end: float


def columns_of(theme: Theme, width: float) -> Columns:
    """Return the columns for a list of some width."""
    meta, small = theme.metrics(Face.META), theme.metrics(Face.SMALL)
    narrow = width < NARROW * theme.percent / 100
    rule_width = max(30.0, meta.horizontalAdvance(missed_word()) + 6)
    lane = 10 + rule_width + 6
    dot = lane + (56 if narrow else 116)
    words = max(meta.horizontalAdvance(in_or_out(included=True)), meta.horizontalAdvance(in_or_out(included=False)))
    bar = dot + 12 + words + 8
    bar_width = 0.0 if narrow else 28.0
    percent_end = bar + bar_width + 6 + small.horizontalAdvance(percent_words(100))
    time = percent_end + 10
    avatar = time + small.horizontalAdvance("00:00") + 8
    name = avatar + 24
    name_width = (70 if narrow else 104) * theme.percent / 100
    return Columns(
        10,
        rule_width,
        lane,
        dot,
        dot + 12,
        bar,
        bar_width,
        percent_end,
        time,
        avatar,
        name,
        name_width,
        name + name_width + 8,
        width - 12 - PIN,
    )


def heads_of(theme: Theme, columns: Columns) -> tuple[Head, ...]:
    """Return the names of the columns."""
    reason = translate("ContextColumns", "Reason")
    end = columns.end - theme.metrics(Face.META_STRONG).horizontalAdvance(reason)
    return (
        Head(columns.rule, translate("ContextColumns", "60 min"), columns.rule_width + 8, "attention"),
        Head(columns.lane + 10, translate("ContextColumns", "Links"), columns.dot - columns.lane - 10),
        Head(columns.dot - 5, translate("ContextColumns", "Chance"), columns.percent_end - columns.dot + 5),
        Head(columns.time, translate("ContextColumns", "Time"), columns.name - columns.time - 4),
        Head(columns.name, translate("ContextColumns", "Message"), max(0.0, end - columns.name - 10)),
        Head(end, reason, 1e6),
    )
