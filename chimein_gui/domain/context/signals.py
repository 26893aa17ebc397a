"""The signals between a row and each row it may continue, as one block of numbers (SPEC §4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from chimein_gui.domain.context.digest import FLAGS
from chimein_gui.domain.context.people import ABSENT, NAMED, NOBODY, PARTNERS, PRESENT
from chimein_gui.domain.context.scene import Places, Scene, scene_of
from chimein_gui.domain.context.signal_names import NEAR, PAIR, ROW, START
from chimein_gui.domain.context.table import Floats, Table

Wide = npt.NDArray[np.floating[Any]]
_MINUTE, _HOUR, _HALF_DAY = 45.0, 3600.0, 43200.0
_NEAR_BY = 20
_PLACE = {name: place for place, name in enumerate(PAIR)}


@dataclass(frozen=True, slots=True)
class Signals:
    """All signals of some rows.

    Attributes:
        places: Candidates of each row, -1 for none [rows, CANDIDATES].
        pair: [PAIR, rows * CANDIDATES].
        row: Of every row of the table [all rows, ROW].
        start: [rows, START].
    """

    places: Places
    pair: Floats
    row: Floats
    start: Floats


def signals(table: Table, begin: int) -> Signals:
    """Compute the signals of the rows from `begin` on; each depends on rows before it alone."""
    scene = scene_of(table, begin)
    block = _Block(scene)
    _distances(scene, block)
    _names(scene, block)
    _turns(scene, block)
    _partners(scene, block)
    common = _words(scene, block)
    places = np.where(scene.valid, scene.earlier, -1)
    return Signals(places, block.done(), scene.row, _starts(scene, block, common))


class _Block:
    """Is filled signal by signal, in the order of `PAIR`."""

    def __init__(self, scene: Scene) -> None:
        self._shape = scene.earlier.shape
        self._pair = np.empty((len(PAIR), *self._shape), np.float32)
        self._filled = 0

    def add(self, *signals: npt.NDArray[np.generic]) -> None:
        """Take the next signals; what fits the shape by broadcasting is fine."""
        for one in signals:
            self._pair[self._filled] = one
            self._filled += 1

    def __getitem__(self, name: str) -> Floats:
        found: Floats = self._pair[_PLACE[name]]
        return found

    def done(self) -> Floats:
        """Return the whole block."""
        if self._filled != len(PAIR):
            raise AssertionError(f"{self._filled} signals of {len(PAIR)}")
        return self._pair.reshape(len(PAIR), -1)


def _distances(scene: Scene, block: _Block) -> None:
    distance = scene.distance
    log_distance = np.log(distance)
    block.add(log_distance, *(distance == step for step in (1, 2, 3)), np.maximum(distance - NEAR, 0) / 64)
    gap = np.maximum(scene.arrays.times[scene.later] - scene.arrays.times[scene.earlier], 0.0).astype(np.float32)
    log_gap = np.log1p(gap)
    relative = log_gap - scene.rhythm[scene.later]
    block.add(log_gap / 4, _within(relative, -4) / 4, _within(relative - log_distance, 0) / 3)
    block.add(gap < _MINUTE, gap > _HOUR, gap > _HALF_DAY)


def _names(scene: Scene, block: _Block) -> None:
    earlier = scene.earlier
    senders = scene.column("sender")
    me, it = scene.of_later("sender"), senders[earlier]
    same = it == me
    mine = [scene.of_later(f"named{n}") for n in range(NAMED)]
    its = [scene.column(f"named{n}")[earlier] for n in range(NAMED)]
    leads, it_leads = scene.of_later("leads"), scene.column("leads")[earlier]
    names = (mine[0] == it) | (mine[1] == it) | (mine[2] == it)
    leads_to = (mine[0] == it) & (leads > 0)
    told = (its[0] == me) | (its[1] == me) | (its[2] == me)
    told_first = (its[0] == me) & (it_leads > 0)
    block.add(same, leads_to, names & ~leads_to, (leads == PRESENT) & ~names, leads == ABSENT)
    block.add((mine[0] >= 0) & (leads == 0) & ~names)
    block.add(told_first, told & ~told_first, (it_leads > 0) & ~told, (its[0] >= 0) & (it_leads == 0) & ~told)
    both = (mine[0] >= 0) & ((mine[0] == its[0]) | (mine[0] == its[1]) | (mine[1] == its[0]) & (mine[1] >= 0))
    neither = (leads == 0) & (it_leads == 0)
    block.add(both, both & same, neither, neither & same)


def _turns(scene: Scene, block: _Block) -> None:
    later, earlier = scene.later, scene.earlier
    own, told = scene.of_later("prev_same"), scene.of_later("prev_named")
    block.add(
        scene.next_same[earlier] >= later, earlier == own, earlier == told, earlier == scene.of_later("named_last")
    )
    block.add(earlier < own, earlier < told)
    since = np.where(own >= 0, np.log(np.maximum(later - own, 1)), 6.0) / 3
    block.add(since, told > own)


def _partners(scene: Scene, block: _Block) -> None:
    later, earlier, senders = scene.later, scene.earlier, scene.column("sender")
    me, it = scene.of_later("sender"), senders[earlier]
    answered = scene.next_named[earlier] < later
    mine = [scene.of_later(f"partner{n}") for n in range(PARTNERS)]
    its = [scene.column(f"partner{n}")[earlier] for n in range(PARTNERS)]
    elsewhere = (
        block["it_leads_here"]
        + block["it_names_here"]
        + block["leads_to_it"]
        + block["names_it"]
        + block["same_sender"]
    )
    block.add(answered, answered & (elsewhere == 0), mine[0] == it, mine[1] == it, mine[2] == it)
    block.add(
        (its[0] == me) | (its[1] == me) | (its[2] == me),
        (its[0] >= 0) & (its[0] != me),
        (mine[0] >= 0) & (mine[0] != it),
    )
    target = scene.column("named0")[earlier]
    block.add((target >= 0) & ((target == mine[0]) | (target == mine[1]) | (target == mine[2])))
    after = senders[np.minimum(earlier + 1, later)]
    has_after = earlier + 1 < later
    block.add(senders[np.maximum(earlier - 1, 0)] == it, has_after & (after == it), has_after & (after == me))
    changes = np.concatenate(([0], np.cumsum(senders[1:] != senders[:-1]))).astype(np.float32)
    turns = scene.column("spoken")
    block.add(np.log1p(changes[later] - changes[earlier]) / 2, np.minimum(turns[later], 3) / 3, turns[later] == 0)
    block.add(turns[earlier] == 0, _people_between(scene, it))


def _people_between(scene: Scene, senders: Places) -> Floats:
    """Distinct senders among the near rows down to each (logarithm)."""
    near = scene.earlier[:, :NEAR]
    # A sender is new where he speaks for the last time before the later row.
    fresh = (scene.next_same[near] >= scene.later) & scene.valid[:, :NEAR]
    people = np.empty(senders.shape, np.float32)
    people[:, :NEAR] = np.log1p(np.cumsum(fresh, axis=1, dtype=np.float32)) / 2
    people[:, NEAR:] = people[:, NEAR - 1 : NEAR]
    return people


def _words(scene: Scene, block: _Block) -> Floats:
    common = scene.overlap.total[scene.later - scene.begin, scene.earlier] * scene.valid
    norm, length = scene.overlap.norm[:, None] + 1, scene.arrays.lengths.astype(np.float32)
    most, in_all = common.max(axis=1, keepdims=True), common.sum(axis=1, keepdims=True)
    block.add(np.log1p(common), common / np.sqrt(norm * (3 * length[scene.earlier] + 1)))
    block.add((common >= most - 1e-4) & (most > 1), common / (in_all + 2), np.log1p(np.maximum(in_all - common, 0)) / 3)
    question = scene.row[:, FLAGS.index("question_mark")]
    same = block["same_sender"]
    its = question[scene.earlier]
    block.add(its * (1 - question[scene.later]) * (1 - same), its * same)
    return common


def _starts(scene: Scene, block: _Block, common: Floats) -> Floats:
    later = scene.later[:, 0]
    own, told = scene.of_later("prev_same")[:, 0], scene.of_later("prev_named")[:, 0]
    leads, named = scene.of_later("leads")[:, 0], scene.of_later("named0")[:, 0]
    turns, norm = scene.of_later("spoken")[:, 0], scene.overlap.norm
    most, in_all = common.max(axis=1), common.sum(axis=1)
    gap = np.log1p(np.maximum(scene.arrays.times[later] - scene.arrays.times[np.maximum(later - 1, 0)], 0.0))
    rhythm = scene.rhythm[later]
    near = scene.valid & (scene.distance < _NEAR_BY)
    signals = (
        leads == PRESENT,
        leads == ABSENT,
        named != NOBODY,
        np.minimum(turns, 3) / 3,
        turns == 0,
        _since(later, own),
        _since(later, told),
        later - own == 1,
        told > own,
        np.log1p(most),
        np.log1p(in_all) / 2,
        np.log1p(norm) / 3,
        most / (norm + 1),
        gap / 4,
        _within(gap - rhythm, -4) / 4,
        rhythm / 4,
        np.minimum(later, 40) / 40,
        scene.of_later("partner0")[:, 0] >= 0,
        (((block["names_it"] + block["leads_to_it"]) > 0) & scene.valid).any(axis=1),
        (((block["it_names_here"] + block["it_leads_here"]) > 0) & near).any(axis=1),
        block["people_between"][:, -1],
    )
    start = np.empty((len(later), len(START)), np.float32)
    start[:, : len(ROW)] = scene.row[later]
    for place, one in enumerate(signals, len(ROW)):
        start[:, place] = one
    return start


def _within(values: Wide, least: float) -> Wide:
    found: Wide = np.minimum(np.maximum(values, least), 12.0)
    return found


def _since(later: Places, place: Places) -> npt.NDArray[np.float64]:
    found: npt.NDArray[np.float64] = np.where(place >= 0, np.log(np.maximum(later - place, 1)), 6.0) / 3
    return found
