"""The signals between a row and each row it may continue, as one block of numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from chimein_gui.domain.context.links.scene import AT, FACT, Bools, Places, Scene, scene_of
from chimein_gui.domain.context.links.signal_names import CANDIDATES, NEAR, PAIR, ROW, START
from chimein_gui.domain.context.people import ABSENT, NAMED, NOBODY, PRESENT
from chimein_gui.domain.context.table import Floats, Indices, Table, Times

Wide = npt.NDArray[np.floating[Any]]
_MINUTE = 45.0
_LONG = np.array((3600.0, 43200.0))[:, None, None]
_FIRST_STEPS = np.arange(1, 4)[:, None, None]
_LEADS = np.array((PRESENT, ABSENT))[:, None]
_SCALES = np.array((1, 2, 3))[:, None]
_NEAR_BY = 20
_AT_PAIR = {name: place for place, name in enumerate(PAIR)}
_PEOPLE = slice(FACT["named0"], FACT["partner2"] + 1)
_PARTNERS = slice(FACT["partner0"], FACT["partner2"] + 1)
_PREVIOUS = slice(AT["prev_same"], AT["named_last"] + 1)


@dataclass(frozen=True, slots=True)
class Signals:
    """All signals of some rows.

    Attributes:
        later: Positions of the rows [rows].
        places: Candidates of each row, -1 for none [rows, candidates].
        pair: [PAIR, rows * candidates].
        row: Of every row of the table [all rows, ROW].
        start: [rows, START].
        common: Overlap of each row of the table with the last of the rows [all rows].
    """

    later: Indices
    places: Places
    pair: Floats
    row: Floats
    start: Floats
    common: Floats


def signals(table: Table, begin: int) -> Signals:
    """Compute the signals of the rows from `begin` on, with `CANDIDATES` for each."""
    return signals_of(table, np.arange(begin, len(table.rows)), CANDIDATES)


def signals_of(table: Table, later: Indices, width: int | None = None) -> Signals:
    """Compute the signals of some rows; each depends only on the rows before it.

    Args:
        table: The chat.
        later: Positions of the rows, ascending.
        width: Candidates of each row; None for as many as the row with the most candidates has.
    """
    scene = scene_of(table, later, width)
    pair = np.empty((len(PAIR), *scene.places.shape), np.float32)
    distance = np.maximum(later[:, None] - scene.earlier, 1).astype(np.float32)
    _distances(scene, distance, pair)
    known = _names(scene, pair)
    since = _since(scene)
    _turns(scene, since, pair)
    _partners(scene, distance, known, pair)
    common = _words(scene, known.same, pair)
    starts = _starts(scene, known, since, common, pair)
    return Signals(later, scene.places, pair.reshape(len(PAIR), -1), scene.arrays.row, starts, scene.overlap.total[-1])


def _distances(scene: Scene, distance: Floats, pair: Floats) -> None:
    log_distance = np.log(distance, out=pair[_AT_PAIR["distance"]])
    first, times = _AT_PAIR["next_to"], scene.arrays.times
    pair[first : first + 3] = distance == _FIRST_STEPS
    pair[first + 3] = np.maximum(distance - NEAR, 0) / 64
    gap = np.maximum(times.take(scene.later)[:, None] - times.take(scene.earlier), 0.0).astype(np.float32)
    log_gap = np.log1p(gap)
    relative = log_gap - scene.arrays.rhythm.astype(np.float32).take(scene.later)[:, None]
    first = _AT_PAIR["gap"]
    np.divide(log_gap, 4, out=pair[first])
    np.divide(_within(relative, -4), 4, out=pair[first + 1])
    np.divide(_within(relative - log_distance, 0), 3, out=pair[first + 2])
    pair[first + 3] = gap < _MINUTE
    pair[first + 4 : first + 6] = gap > _LONG


@dataclass(frozen=True, slots=True)
class _Known:
    """Relations of a pair: `same` sender, the later row `names` the earlier's sender, or the reverse, `named_by`."""

    same: Bools
    names: Bools
    named_by: Bools
    partners: Bools
    its_partners: Bools


def _names(scene: Scene, pair: Floats) -> _Known:
    mine, its = scene.mine, scene.its
    me, it = mine[FACT["sender"]], its[FACT["sender"]]
    same, hits, backs = it == me, it == mine[_PEOPLE], its[_PEOPLE] == me
    names, named_by = hits[0] | hits[1] | hits[2], backs[0] | backs[1] | backs[2]
    leads, it_leads = mine[FACT["leads"]], its[FACT["leads"]] > 0
    anyone, its_anyone = mine[FACT["named0"]] >= 0, its[FACT["named0"]] >= 0
    quiet = leads == 0
    first = _AT_PAIR["same_sender"]
    found = np.empty((_AT_PAIR["own_neither_leads"] + 1 - first, *same.shape), np.bool_)
    found[0] = same
    np.logical_and(hits[0], ~quiet, out=found[1])
    np.greater(names, found[1], out=found[2])  # of truths, "greater" is "and not"
    np.greater(leads == PRESENT, names, out=found[3])
    found[4] = leads == ABSENT
    np.greater(anyone & quiet, names, out=found[5])
    np.logical_and(backs[0], it_leads, out=found[6])
    np.greater(named_by, found[6], out=found[7])
    np.greater(it_leads, named_by, out=found[8])
    np.greater(its_anyone, it_leads | named_by, out=found[9])
    second = mine[FACT["named1"]]
    meets = its[FACT["named0"] : FACT["named0"] + 2] == mine[FACT["named0"]]
    np.logical_and(its[FACT["named0"]] == second, second >= 0, out=found[10])
    found[10] |= meets[0]
    found[10] |= meets[1]
    found[10] &= anyone
    np.greater(quiet, it_leads, out=found[12])
    np.logical_and(found[10:13:2], same, out=found[11:14:2])
    pair[first : first + len(found)] = found
    return _Known(same, names, named_by, hits[NAMED:], backs[NAMED:])


def _turns(scene: Scene, since: Times, pair: Floats) -> None:
    earlier, later = scene.earlier.astype(np.int32), scene.later[:, None]
    previous = scene.mine[_PREVIOUS]
    first = _AT_PAIR["its_senders_last"]
    pair[first] = scene.its[FACT["next_same"]] >= later
    pair[first + 1 : first + 4] = earlier == previous
    pair[first + 4 : first + 6] = earlier < previous[:2]
    pair[first + 6] = since[0][:, None]
    pair[first + 7] = previous[1] > previous[0]


def _partners(scene: Scene, distance: Floats, known: _Known, pair: Floats) -> None:
    mine, its = scene.mine, scene.its
    it, partners = its[FACT["sender"]], mine[_PARTNERS]
    first = _AT_PAIR["it_is_answered"]
    found = np.empty((_AT_PAIR["answered_next"] + 1 - first, *it.shape), np.bool_)
    np.less(its[FACT["next_named"]], scene.later[:, None], out=found[0])
    np.greater(found[0], known.names | known.named_by | known.same, out=found[1])
    found[2:5] = known.partners
    np.logical_or.reduce(known.its_partners, axis=0, out=found[5])
    np.greater(its[FACT["partner0"]] >= 0, known.its_partners[0], out=found[6])
    np.greater(partners[0] >= 0, known.partners[0], out=found[7])
    # Nobody is no partner, even of those who name nobody.
    target = its[FACT["named0"]]
    np.logical_or.reduce(target == np.where(partners < 0, NOBODY - 1, partners), axis=0, out=found[8])
    found[9] = its[FACT["goes_on"]]
    after, has_after = its[FACT["next_sender"]], distance > 1
    np.logical_and(after == it, has_after, out=found[10])
    np.logical_and(after == mine[FACT["sender"]], has_after, out=found[11])
    pair[first : first + len(found)] = found
    first, turns = _AT_PAIR["turns"], mine[FACT["spoken"]]
    changes = (scene.changes[:, None] - its[FACT["changes"]]).astype(np.float32)
    np.divide(np.log1p(changes), 2, out=pair[first])
    pair[first + 1] = np.minimum(turns, 3) / 3
    pair[first + 2] = turns == 0
    pair[first + 3] = its[FACT["spoken"]] == 0
    _people_between(scene, pair)


def _people_between(scene: Scene, pair: Floats) -> None:
    """Distinct senders among the near rows down to each (logarithm)."""
    people = pair[_AT_PAIR["people_between"]]
    # A sender is new where he speaks for the last time before the later row.
    fresh = pair[_AT_PAIR["its_senders_last"], :, :NEAR] * scene.valid[:, :NEAR]
    np.log1p(np.cumsum(fresh, axis=1), out=people[:, :NEAR])
    people[:, :NEAR] /= 2
    people[:, NEAR:] = people[:, NEAR - 1 : NEAR]


def _words(scene: Scene, same: Bools, pair: Floats) -> Floats:
    total, first = scene.overlap.total, _AT_PAIR["common"]
    common = total.take(scene.earlier + np.arange(0, total.size, total.shape[1])[:, None])
    common *= scene.valid
    norm = scene.overlap.norm[:, None] + 1
    most, in_all = common.max(axis=1, keepdims=True), common.sum(axis=1, keepdims=True)
    np.log1p(common, out=pair[first])
    length = scene.its[FACT["length"]].astype(np.float32)
    np.divide(common, np.sqrt(norm * (3 * length + 1)), out=pair[first + 1])
    pair[first + 2] = (common >= most - 1e-4) & (most > 1)
    np.divide(common, in_all + 2, out=pair[first + 3])
    np.divide(np.log1p(np.maximum(in_all - common, 0)), 3, out=pair[first + 4])
    asked = scene.its[FACT["question"]] > 0
    asks = scene.arrays.row[:, ROW.index("question_mark")].take(scene.later)[:, None] > 0
    pair[first + 5] = asked > (asks | same)
    pair[first + 6] = asked & same
    return common


def _starts(scene: Scene, known: _Known, since: Times, common: Floats, pair: Floats) -> Floats:
    later, mine, norm = scene.later, scene.mine[:, :, 0], scene.overlap.norm
    most = common.max(axis=1)
    found = np.empty((len(START), len(later)), np.float32)
    found[: len(ROW)] = scene.arrays.row.take(later, axis=0).T
    rest = found[len(ROW) :]
    rest[:2] = mine[AT["leads"]] == _LEADS
    rest[2] = mine[AT["named0"]] != NOBODY
    rest[3:5] = pair[_AT_PAIR["turns_taken"] : _AT_PAIR["first_turn"] + 1, :, 0]
    rest[5:7] = since
    rest[7] = later - mine[AT["prev_same"]] == 1
    rest[8] = mine[AT["prev_named"]] > mine[AT["prev_same"]]
    np.log1p((most, common.sum(axis=1), norm), out=rest[9:12])
    rest[9:12] /= _SCALES
    np.divide(most, norm + 1, out=rest[12])
    rest[13:15] = pair[_AT_PAIR["gap"] : _AT_PAIR["gap_for_chat"] + 1, :, 0]
    rest[15] = scene.arrays.rhythm.take(later) / 4
    rest[16] = np.minimum(later, 40) / 40
    rest[17] = mine[AT["partner0"]] >= 0
    rest[18] = (known.names & scene.valid).any(axis=1)
    rest[19] = (known.named_by & scene.valid)[:, : _NEAR_BY - 1].any(axis=1)
    rest[20] = pair[_AT_PAIR["people_between"], :, -1]
    return found.T


def _within(values: Wide, least: float) -> Wide:
    found: Wide = np.minimum(np.maximum(values, least), 12.0)
    return found


def _since(scene: Scene) -> Times:
    """Rows since the own last one, and since the last that names the sender (logarithm) [2, rows]."""
    places = scene.mine[_PREVIOUS][:2, :, 0]
    found: Times = np.where(places >= 0, np.log(np.maximum(scene.later - places, 1)), 6.0) / 3
    return found
