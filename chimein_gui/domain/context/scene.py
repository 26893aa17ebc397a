"""The arrays that all signals of some rows are made of, and which rows each may continue."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from chimein_gui.domain.context.digest import FLAGS
from chimein_gui.domain.context.people import COLUMNS, FAR
from chimein_gui.domain.context.signal_names import NEAR, RARE, ROW
from chimein_gui.domain.context.table import Arrays, Floats, Table
from chimein_gui.domain.context.words import Overlap, overlap

Places = npt.NDArray[np.int32]
Bools = npt.NDArray[np.bool_]

_AT = {name: place for place, name in enumerate(COLUMNS)}
_RARE_ENOUGH = 3.0


@dataclass(frozen=True, slots=True)
class Scene:
    """Arrays that the groups of signals share; `later` [rows, 1] and `earlier` [rows, CANDIDATES] are positions."""

    arrays: Arrays
    begin: int
    later: Places
    earlier: Places
    valid: Bools
    distance: Floats
    rhythm: Floats
    next_same: Places
    next_named: Places
    row: Floats
    overlap: Overlap

    def of_later(self, name: str) -> Places:
        """A column of the later rows [rows, 1]."""
        return self.arrays.columns[self.begin :, _AT[name], None]

    def column(self, name: str) -> Places:
        """A column of all rows."""
        return self.arrays.columns[:, _AT[name]]


def scene_of(table: Table, begin: int) -> Scene:
    """Collect what the signals of the rows from `begin` on need."""
    arrays = table.arrays()
    common = overlap(table, begin)
    later = np.arange(begin, len(table.rows), dtype=np.int32)[:, None]
    places = candidates(arrays.columns, common.total, begin)
    earlier = np.maximum(places, 0)
    return Scene(
        arrays,
        begin,
        later,
        earlier,
        places >= 0,
        np.maximum(later - earlier, 1).astype(np.float32),
        arrays.rhythm.astype(np.float32),
        np.array(table.people.next_same, dtype=np.int32),
        np.array(table.people.next_named, dtype=np.int32),
        _row_signals(arrays),
        common,
    )


def candidates(columns: Places, total: Floats, begin: int) -> Places:
    """Choose what each row from `begin` on may continue: the near rows, those of its people, those with rare words."""
    n = len(columns)
    later = np.arange(begin, n, dtype=np.int32)[:, None]
    near = later - np.arange(1, NEAR + 1, dtype=np.int32)[None, :]
    far = np.full((n - begin, FAR + RARE), -1, np.int32)
    far[:, :FAR] = columns[begin:, _AT["far0"] :]
    if n > NEAR:
        remote = np.where(np.arange(n, dtype=np.int32)[None, :] < later - NEAR, total, 0.0)
        rows = np.arange(n - begin)
        for place in range(RARE):
            best = remote.argmax(axis=1)
            far[:, FAR + place] = np.where(remote[rows, best] > _RARE_ENOUGH, best, -1)
            remote[rows, best] = 0.0
    far[far >= later - NEAR] = -1
    far.sort(axis=1)
    far[:, 1:][far[:, 1:] == far[:, :-1]] = -1
    return np.maximum(np.concatenate((near, far), axis=1), -1)


_SHIFTS = np.arange(len(FLAGS), dtype=np.int32)


def _row_signals(arrays: Arrays) -> Floats:
    """Compute what each row says by itself [rows, ROW]."""
    bits = arrays.flags[:, None] >> _SHIFTS
    row = np.empty((len(bits), len(ROW)), np.float32)
    row[:, :-1] = bits & 1
    row[:, -1] = np.log1p(arrays.lengths.astype(np.float64)) / 3
    return row
