"""Weighs possible worlds by an explicit reply: whether the anchor's conversation fits the people involved."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from chimein_gui.domain.context.people import COLUMNS, NAMED
from chimein_gui.domain.context.table import Floats, Ints, matrix_products

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
"""Length of the anchor's conversation, multiplied by factors that predict a long or a short one."""

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
"""Signals of a world, in the order of the weights."""

LOOKBACK = 100
"""Number of newest rows that are counted; rows since the anchor are counted, too."""

_FLOOR = 0.05
"""Smallest fit of a world to the trigger's links, because the reply itself is evidence for it."""

_RARELY = 0.005
"""Smallest assumed number of conversations that start per row."""

_AT = {name: place for place, name in enumerate(REPLY)}
_OUTSIDE, _WORDS, _SCALED = 1 + len(MARKS), 1 + 2 * len(MARKS), len(REPLY) - len(SCALES)
_OF_TWO, _ALL, _PEOPLE = range(len(MARKS) + 2, len(MARKS) + 5)
"""Indexes of the rows of sums after marks and words."""

_SENDER, _NAMED = COLUMNS.index("sender"), COLUMNS.index("named0")


def first_counted(rows: int, anchor: int) -> int:
    """Return the first row that is counted, given the number of rows before the trigger."""
    return max(0, min(rows - LOOKBACK, anchor))


@dataclass(frozen=True, slots=True)
class Reply:
    """The explicit reply of a trigger.

    Attributes:
        anchor: The row that it replies to.
        people: `people.COLUMNS` for each row before the trigger, and last for the trigger.
        words: Overlap of each row before the trigger with the trigger, and with the anchor [2, rows].
        weights: Weight of each signal of a world, from the model [REPLY].
    """

    anchor: int
    people: Ints
    words: Floats
    weights: Floats


@matrix_products
def world_signals(reply: Reply, shared: Floats, fit: Floats, starts: float, linked: float) -> Floats:
    """Compute the signals of each world, given that a trigger replies to a row.

    Args:
        reply: The explicit reply.
        shared: For each row before the trigger and each world: 1 if it is in the anchor's conversation, else 0.
        fit: For each world, the share of the trigger's other links that leads into that conversation.
        starts: Conversations that start here, per row.
        linked: Probability that the trigger would continue the anchor without the explicit reply.

    Returns:
        One column per world [REPLY, worlds].
    """
    begin = first_counted(len(shared), reply.anchor)
    counted, people, anchor = shared[begin:], reply.people[begin:], reply.anchor - begin
    rows = _weighed_rows(people, anchor, reply.words[:, begin:])
    sums = rows @ counted  # one product for all that is counted
    inside, sizes = sums[: len(MARKS)], sums[_ALL]
    first = counted.argmax(axis=0)
    scales = _scales(people, anchor, len(rows) - _PEOPLE, starts, linked)
    found = np.zeros((len(REPLY), shared.shape[1]), np.float32)
    found[0] = np.log(fit + _FLOOR)
    found[1:_OUTSIDE] = inside
    np.subtract(rows[: len(MARKS)].sum(axis=1, keepdims=True), inside, out=found[_OUTSIDE:_WORDS])
    found[_WORDS : _WORDS + 2] = sums[len(MARKS) : _OF_TWO]
    found[_AT["people_inside"]] = np.count_nonzero(sums[_PEOPLE:], axis=0)
    np.subtract(sizes, sums[_OF_TWO], out=found[_AT["others_of_two_inside"]])
    found[_AT["since_start"]] = anchor - np.minimum(first, anchor)
    found[_SCALED - 1] = sizes
    np.log1p(found[1:_SCALED], out=found[1:_SCALED])
    size = found[_SCALED - 1].copy()
    found[_AT["others_of_two_inside"]] *= scales[SCALES.index("size_of_two")]
    found[_AT["trigger_sender_inside"]] = inside[0] > 0
    found[_AT["anchor_starts_it"]] = first == anchor
    found[_SCALED - 1] *= size
    np.multiply.outer(scales, size, out=found[_SCALED:])
    return found


def _weighed_rows(people: Ints, anchor: int, words: Floats) -> Floats:
    """Return the counts of each row except the trigger's [MARKS, words, of the two, all, people present]."""
    senders, named = people[:-1, _SENDER], people[:-1, _NAMED : _NAMED + NAMED]
    present = sorted(set(senders.tolist()))
    two = np.array((people[-1, _SENDER], senders[anchor]))
    found = np.empty((_PEOPLE + len(present), len(senders)), np.float32)
    found[:2] = senders == two[:, None]
    found[2:4] = (named == two[:, None, None]).any(axis=2)
    found[4] = (senders == people[-1, _NAMED : _NAMED + NAMED, None]).any(axis=0)
    found[len(MARKS) : _OF_TWO] = words
    np.maximum(found[0], found[1], out=found[_OF_TWO])
    found[_ALL] = 1.0
    found[_PEOPLE:] = senders == np.array(present)[:, None]
    return found


def _scales(people: Ints, anchor: int, present: int, starts: float, linked: float) -> Floats:
    """Return the predictors of a long conversation [SCALES]: few starts, few people, who speaks to whom."""
    me, it = int(people[-1, _SENDER]), int(people[anchor, _SENDER])
    mine = people[-1, _NAMED : _NAMED + NAMED].tolist()
    its = people[anchor, _NAMED : _NAMED + NAMED].tolist()
    since = len(people) - 1 - anchor
    logs = np.log((starts + _RARELY, present, since + 1)).tolist()
    return np.array((1.0, *logs, linked, me != it, mine[0] >= 0, it in mine, me in its), dtype=np.float32)
