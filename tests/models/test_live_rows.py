"""Rows that are fetched once and followed by events: what an event brings about must not lose the others."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

from chimein_gui.domain.errors import StoreWriteError
from chimein_gui.domain.events import FaultReported
from chimein_gui.domain.ids import Revision
from chimein_gui.domain.loaded import Loaded
from chimein_gui.viewmodels.core.live_query import LiveQuery, ReadOnce
from tests.fakes.console import run_now
from tests.support.bridge import drain


def _event(number: int) -> FaultReported:
    return FaultReported(f"place {number}", "cause", "remedy", Revision(number))


def _fetch(rows: LiveQuery, revision: int) -> None:
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

    rows = LiveQuery(room.models.bridge, apply, room.models)
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

    rows = LiveQuery(room.models.bridge, apply, room.models)
    _fetch(rows, 1)
    drain(room.models.bridge)
    for number in (1, 2):
        room.console.publish(_event(number))
    room.settle()
    assert applied == [1]


async def test_one_read_serves_all_who_ask_at_the_same_time():
    reads, may_go_on = [], asyncio.Event()

    async def load() -> Loaded[object]:
        reads.append("read")
        await may_go_on.wait()
        return Loaded((7,), Revision(1))

    once = ReadOnce(load)
    async with asyncio.TaskGroup() as asking:
        asked = [asking.create_task(once()) for _ in range(3)]
        asking.create_task(asyncio.to_thread(may_go_on.is_set)).add_done_callback(lambda _task: may_go_on.set())
    assert {one.result().rows for one in asked} == {(7,)}
    assert reads == ["read"]


async def test_who_asks_behind_a_read_that_failed_or_was_given_up_reads_again():
    outcomes: list[object] = [StoreWriteError("Disk gone"), asyncio.CancelledError(), Loaded((7,), Revision(1))]

    async def load() -> Loaded[object]:
        outcome = outcomes.pop(0)
        if isinstance(outcome, BaseException):
            raise outcome
        assert isinstance(outcome, Loaded)
        return outcome

    once = ReadOnce(load)
    asked = await asyncio.gather(once(), once(), once(), return_exceptions=True)
    assert [type(one) for one in asked] == [StoreWriteError, asyncio.CancelledError, Loaded]


def test_rows_are_installed_when_all_slices_are_done_and_those_of_an_overtaken_fetch_never(room):
    room.attach()
    done: list[str] = []

    def prepare(rows: tuple[object, ...]) -> Iterator[None]:
        for row in rows:
            done.append(f"slice {row}")
            yield

    def fetch(first: int) -> None:
        async def load() -> Loaded[object]:
            return Loaded((first, first + 1), Revision(first))

        rows.fetch(run_now, load, lambda taken: done.append(f"installed {taken}"), name="load", prepare=prepare)

    rows = LiveQuery(room.models.bridge, lambda event: done.append(f"event {event.revision}"), room.models)
    fetch(1)
    room.models.bridge._drain()
    room.console.publish(_event(9))
    fetch(5)
    assert not rows.loaded
    room.settle()
    assert done == ["slice 1", "slice 5", "slice 6", "installed (5, 6)", "event 9"]
