"""What a reply says of possible worlds: in which of them the anchor's conversation is that of its people (SPEC §4)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from chimein_gui.domain.context.people import COLUMNS, NAMED
from chimein_gui.domain.context.table import Floats, Ints

MARKS = ("of_trigger_sender", "of_anchor_sender", "names_trigger_sender", "names_anchor_sender", "of_named")
"""Kinds of rows that are counted inside and outside of the anchor's conversation."""

SCALES = (
    "size",
    "size_for_chat",
    "size_for_people",
    "size_for_distance",
    "size_for_link",
    "size_of_two",
    "size_where_named",
    "size_where_anchor_sender_named",
    "size_where_trigger_sender_named",
)
"""How long the anchor's conversation is, next to what lets expect a long one or a short one."""

REPLY = (
    "fit",
    *(f"{mark}_inside" for mark in MARKS),
    *(f"{mark}_outside" for mark in MARKS),
    "words_of_trigger_inside",
    "words_of_anchor_inside",
    "people_inside",
    "others_of_two_inside",
    "trigger_sender_inside",
    "anchor_starts_it",
    "since_start",
    "size_squared",
    *SCALES,
)
"""Signals of a world, in the order in which the weights know them."""

LOOKBACK = 100
"""The newest rows, which are counted, and those since the anchor."""

_FLOOR = 0.05
"""How well a world fits the trigger's links at the least: the reply itself speaks for it."""

_RARELY = 0.005
"""Conversations that start a row, at the least."""

_SENDER, _NAMED = COLUMNS.index("sender"), COLUMNS.index("named0")


def first_counted(rows: int, anchor: int) -> int:
    """Return the first of the rows that are counted, of so many before the trigger."""
    return max(0, min(rows - LOOKBACK, anchor))


@dataclass(frozen=True, slots=True)
class Reply:
    """What a trigger replies to.

    Attributes:
        anchor: The row that it replies to.
        people: Of each row before the trigger, and last of the trigger, one number for each of `people.COLUMNS`.
        words: What each row before the trigger has in common with the trigger, and with the anchor after it [2, rows].
        weights: What each signal of a world counts, from the model [REPLY].
    """

    anchor: int
    people: Ints
    words: Floats
    weights: Floats


def world_signals(reply: Reply, shared: Floats, fit: Floats, starts: float, linked: float) -> Floats:
    """Compute what speaks for each world, given that a trigger replies to a row.

    Args:
        reply: That row, and who speaks.
        shared: For each row before the trigger and each world: it is in the anchor's conversation, 1 or 0.
        fit: Of each world, the share of the trigger's other links that leads into that conversation.
        starts: Conversations that start here, a row.
        linked: How likely the trigger would continue the anchor if it replied to nothing.

    Returns:
        One column a world [REPLY, worlds].
    """
    begin = first_counted(len(shared), reply.anchor)
    counted, people, anchor = shared[begin:], reply.people[begin:], reply.anchor - begin
    marks = _marks(people, anchor)
    inside = marks @ counted
    outside = marks.sum(axis=1, keepdims=True) - inside
    sizes = counted.sum(axis=0)
    size = np.log1p(sizes)
    scales = _scales(people, anchor, starts, linked)
    first = counted.argmax(axis=0)
    apart = scales[SCALES.index("size_of_two")]
    of_both = np.maximum(marks[0], marks[1]) @ counted
    return np.concatenate(
        (
            np.log(fit + _FLOOR)[None],
            np.log1p(np.concatenate((inside, outside, reply.words[:, begin:] @ counted))),
            np.log1p((_present(people) @ counted > 0).sum(axis=0))[None],
            (apart * np.log1p(sizes - of_both))[None],
            np.array((inside[0] > 0, first == anchor, np.log1p(anchor - np.minimum(first, anchor)), size * size)),
            np.multiply.outer(scales, size),
        ),
        dtype=np.float32,
    )


def _present(people: Ints) -> Floats:
    """Tell who of those present wrote each row [people, rows]."""
    senders = people[:-1, _SENDER]
    found: Floats = (np.unique(senders)[:, None] == senders).astype(np.float32)
    return found


def _marks(people: Ints, anchor: int) -> Floats:
    """Tell of each row but the last, the trigger, which marks it bears [MARKS, rows]."""
    senders, named = people[:-1, _SENDER], people[:-1, _NAMED : _NAMED + NAMED]
    me, it = people[-1, _SENDER], senders[anchor]
    mine = people[-1, _NAMED : _NAMED + NAMED]
    of_named = np.isin(senders, mine[mine >= 0])
    names_me, names_it = ((named == who).any(axis=1) for who in (me, it))
    return np.array((senders == me, senders == it, names_me, names_it, of_named), dtype=np.float32)


def _scales(people: Ints, anchor: int, starts: float, linked: float) -> Floats:
    """Tell what lets expect a long conversation [SCALES]: few starts, few people, who speaks to whom."""
    me, it = int(people[-1, _SENDER]), int(people[anchor, _SENDER])
    mine = people[-1, _NAMED : _NAMED + NAMED].tolist()
    its = people[anchor, _NAMED : _NAMED + NAMED].tolist()
    present = len(set(people[:-1, _SENDER].tolist()))
    since = len(people) - 1 - anchor
    logs = np.log((starts + _RARELY, present, since + 1)).tolist()
    return np.array((1.0, *logs, linked, me != it, mine[0] >= 0, it in mine, me in its), dtype=np.float32)
