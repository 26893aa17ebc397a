"""The arrays that the signals of some rows are computed from, and the candidates of each row."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from chimein_gui.domain.context.digest import FLAGS
from chimein_gui.domain.context.links.signal_names import CANDIDATES, NEAR, RARE
from chimein_gui.domain.context.people import COLUMNS, FAR
from chimein_gui.domain.context.table import Arrays, Floats, Indices, Ints, Table
from chimein_gui.domain.context.words import Overlap, overlap

Places = npt.NDArray[np.int32]
Bools = npt.NDArray[np.bool_]

AT = {name: place for place, name in enumerate(COLUMNS)}
_KEPT = AT["spoken"] + 1
_OF_SENDERS = ("sender", "changes", "next_sender", "goes_on")
FACT = {
    name: place
    for place, name in enumerate((*COLUMNS[:_KEPT], "next_same", "next_named", *_OF_SENDERS[1:], "length", "question"))
}
"""Facts of earlier rows: some of `COLUMNS`, and more; `goes_on` is 1 if the previous row has the same sender."""

_STEPS = np.arange(1, NEAR + 1, dtype=np.int32)
_RARE_ENOUGH = 3.0
_QUESTION = FLAGS.index("question_mark")


@dataclass(frozen=True, slots=True)
class Scene:
    """Data that the groups of signals share.

    Attributes:
        arrays: Of the table.
        later: Positions of the examined rows [rows].
        places: Positions of their candidates, -1 for none [rows, candidates].
        earlier: The same, 0 for none.
        valid: Which candidates exist.
        mine: Of the rows, for each of `COLUMNS` [columns, rows, 1].
        its: Of the candidates, for each of `FACT` [facts, rows, candidates].
        changes: How often the sender changed before each of the rows [rows].
        overlap: Words in common.
    """

    arrays: Arrays
    later: Indices
    places: Places
    earlier: Indices
    valid: Bools
    mine: Ints
    its: Ints
    changes: Ints
    overlap: Overlap


def scene_of(table: Table, later: Indices, width: int | None = None) -> Scene:
    """Collect the data for the signals of some rows.

    Args:
        table: The chat.
        later: Positions of the rows, ascending.
        width: Candidates of each row; None for as many as the row with the most candidates has.
    """
    arrays = table.arrays()
    common = overlap(table, later)
    mine = arrays.columns.take(later, axis=0)
    places = candidates(mine, common.total, later, width)
    earlier = np.maximum(places, 0).astype(np.intp)
    facts = _facts(table, arrays)
    changes = facts[FACT["changes"]].take(later)
    its = facts.take(earlier, axis=1)
    return Scene(arrays, later, places, earlier, places >= 0, mine.T[:, :, None], its, changes, common)


def candidates(mine: Ints, total: Floats, later: Indices, width: int | None = None) -> Places:
    """Choose the candidates of each row: the nearest rows, rows of its people, and rows with rare common words."""
    if len(later) == 1:
        return _candidates_of_one(mine[0, AT["far0"] :].tolist(), total[0], int(later[0]), width)
    last = later.astype(np.int32)[:, None]
    found = np.empty((len(later), CANDIDATES), np.int32)
    np.subtract(last, _STEPS, out=found[:, :NEAR])
    far = found[:, NEAR:]
    far[:, :FAR] = mine[:, AT["far0"] :]
    far[:, FAR:] = -1
    _find_rare(total, later, far[:, FAR:])
    np.copyto(far, -1, where=far >= last - NEAR)
    far.sort(axis=1)
    np.copyto(far[:, 1:], -1, where=far[:, 1:] == far[:, :-1])
    far.sort(axis=1)
    most = width - NEAR if width else int(np.count_nonzero(far >= 0, axis=1).max(initial=0))
    if most < FAR + RARE:
        found = np.concatenate((found[:, :NEAR], far[:, FAR + RARE - most :]), axis=1)
    return np.maximum(found, -1)


def _candidates_of_one(far: list[int], total: Floats, last: int, width: int | None) -> Places:
    """Do the same for one row, in fewer steps."""
    end = last - NEAR
    others = {place for place in far if 0 <= place < end}
    if end > 0:
        remote = total[:end].copy()
        for _ in range(RARE):
            best = int(remote.argmax())
            if remote[best] <= _RARE_ENOUGH:
                break
            others.add(best)
            remote[best] = 0.0
    none = width - NEAR - len(others) if width else 0
    near = range(last - 1, max(end, 0) - 1, -1)
    found = [*near, *[-1] * (NEAR - len(near) + none), *sorted(others)]
    return np.array([found], dtype=np.int32)


def _find_rare(total: Floats, later: Indices, found: Places) -> None:
    """Find the rows before the near ones with the rarest common words; of equals, the oldest."""
    first, end = (int(later[at]) - NEAR for at in (0, -1))
    if end <= 0:
        return
    remote = total[:, :end].copy()
    if first < end:
        near = remote[:, max(first, 0) :]
        np.copyto(near, 0.0, where=np.arange(max(first, 0), end) >= later[:, None] - NEAR)
    flat, starts = remote.ravel(), np.arange(0, remote.size, end)
    for place in range(RARE):
        best = remote.argmax(axis=1)
        at = starts + best
        found[:, place] = np.where(flat.take(at) > _RARE_ENOUGH, best, -1)
        flat[at] = 0.0


def _facts(table: Table, arrays: Arrays) -> Ints:
    """Return the facts of each row of the table [facts, all rows]."""
    facts = np.empty((len(FACT), len(table.rows)), np.int32)
    facts[:_KEPT] = arrays.columns[:, :_KEPT].T
    senders, changes, next_sender, goes_on = (facts[FACT[name]] for name in _OF_SENDERS)
    facts[FACT["next_same"]] = table.people.next_same
    facts[FACT["next_named"]] = table.people.next_named
    np.equal(senders[1:], senders[:-1], out=goes_on[1:])
    goes_on[0] = 1
    np.cumsum(1 - goes_on, out=changes)
    next_sender[:-1] = senders[1:]
    next_sender[-1] = -1
    facts[FACT["length"]] = arrays.lengths
    facts[FACT["question"]] = arrays.row[:, _QUESTION]
    return facts
