"""Rows that are fetched once and followed by events: what an event brings about must not lose the others."""

from __future__ import annotations

from chimein_gui.domain.events import FaultReported
from chimein_gui.domain.ids import Revision
from chimein_gui.domain.loaded import Loaded
from chimein_gui.viewmodels.live_rows import LiveRows
from tests.fakes.console import run_now
from tests.support.bridge import drain


def _event(number: int) -> FaultReported:
    return FaultReported(f"place {number}", "cause", "remedy", Revision(number))


def _fetch(rows: LiveRows, revision: int) -> None:
    async def load() -> Loaded[object]:
        return Loaded((), Revision(revision))

    rows.fetch(run_now, load, lambda _rows: None, name="load")


def test_events_behind_one_that_makes_the_rows_fetched_again_are_kept_for_the_fetch(room):
    room.attach()
    applied: list[int] = []

    def apply(event):
        applied.append(int(event.revision))
        if event.revision == 1:
            _fetch(rows, 2)  # installed only when the bridge is drained again

    rows = LiveRows(room.models.bridge, apply, room.models)
    _fetch(rows, 1)
    drain(room.models.bridge)
    for number in (1, 2, 3):
        room.console.publish(_event(number))
    room.settle()
    assert applied == [1, 2, 3]


def test_events_behind_one_that_forgets_the_rows_are_no_longer_applied(room):
    room.attach()
    applied: list[int] = []

    def apply(event):
        applied.append(int(event.revision))
        rows.forget()

    rows = LiveRows(room.models.bridge, apply, room.models)
    _fetch(rows, 1)
    drain(room.models.bridge)
    for number in (1, 2):
        room.console.publish(_event(number))
    room.settle()
    assert applied == [1]
