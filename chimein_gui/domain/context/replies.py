"""What a reply says of possible worlds: in which of them the anchor's conversation is that of its people (SPEC §4)."""

from __future__ import annotations

import numpy as np

from chimein_gui.domain.context.people import COLUMNS, NAMED
from chimein_gui.domain.context.table import Floats, Ints

MARKS = ("of_trigger_sender", "of_anchor_sender", "names_trigger_sender", "names_anchor_sender", "of_named")
"""Kinds of rows that are counted inside and outside of the anchor's conversation."""

REPLY = ("fit", *(f"{mark}_inside" for mark in MARKS), *(f"{mark}_outside" for mark in MARKS), "size", "size_for_chat")
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


def world_signals(shared: Floats, fit: Floats, starts: float, people: Ints, anchor: int) -> Floats:
    """Compute what speaks for each world, given that a trigger replies to a row.

    Args:
        shared: For each row before the trigger and each world: it is in the anchor's conversation, 1 or 0.
        fit: Of each world, the share of the trigger's other links that leads into that conversation.
        starts: Conversations that start here, a row.
        people: Of each row, and last of the trigger, one number for each of `people.COLUMNS`.
        anchor: The row that the trigger replies to.

    Returns:
        One column a world [REPLY, worlds].
    """
    begin = first_counted(len(shared), anchor)
    counted = shared[begin:]
    marks = _marks(people[begin:], anchor - begin)
    inside = marks @ counted
    outside = marks.sum(axis=1, keepdims=True) - inside
    size = np.log1p(counted.sum(axis=0))
    # Where little starts, conversations are long: what is a long one depends on the chat.
    sizes = np.array((size, size * np.log(starts + _RARELY)), dtype=np.float32)
    found: Floats = np.concatenate((np.log(fit + _FLOOR)[None], np.log1p(inside), np.log1p(outside), sizes))
    return found


def _marks(people: Ints, anchor: int) -> Floats:
    """Tell of each row but the last, the trigger, which marks it bears [MARKS, rows]."""
    senders, named = people[:-1, _SENDER], people[:-1, _NAMED : _NAMED + NAMED]
    me, it = people[-1, _SENDER], senders[anchor]
    mine = people[-1, _NAMED : _NAMED + NAMED]
    of_named = np.isin(senders, mine[mine >= 0])
    names_me, names_it = ((named == who).any(axis=1) for who in (me, it))
    return np.array((senders == me, senders == it, names_me, names_it, of_named), dtype=np.float32)
