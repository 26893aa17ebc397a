"""Many planned sends at start: read once, put in order by slices, shown at once; what happens meanwhile counts."""

from __future__ import annotations

import asyncio
import random
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from chimein_gui.domain.approvals import Rule
from chimein_gui.domain.errors import StoreWriteError
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.faults import FaultReason
from chimein_gui.domain.tasks import ApprovalState, TaskStatus
from chimein_gui.engine.core.jobs import JobRunner
from chimein_gui.viewmodels import window as window_models
from chimein_gui.viewmodels.approvals import send_status as send_status
from chimein_gui.viewmodels.approvals import store as approvals
from chimein_gui.viewmodels.approvals.queue import CardSort
from chimein_gui.viewmodels.approvals.store import OPERATOR
from chimein_gui.viewmodels.core import live_query
from tests.fakes.engine_api import BIG, NOON, FakeQueries, approval, chat, run_now

MANY = 60
AT_ONCE = 7
STATES: tuple[dict[str, Any], ...] = (
    {},
    {"task_status": TaskStatus.APPROVED, "decided_by": OPERATOR, "due_at": NOON + timedelta(seconds=5)},
    {"task_status": TaskStatus.APPROVED, "decided_by": Rule.COUNTDOWN_TRUST, "due_at": NOON + timedelta(seconds=9)},
    {"task_status": TaskStatus.APPROVED, "decided_by": Rule.AUTO_TRUST},
    {"postponed_until": NOON + timedelta(hours=1)},
    {"task_status": TaskStatus.FAILED},
    {"task_status": TaskStatus.CANCELLED},
    {"task_status": TaskStatus.DONE},
)


def draft(number, **changes):
    made = approval(number, f"Draft {number}", chat_id=1 + number % 5, graph_id=number)
    return replace(made, created_at=NOON + timedelta(seconds=number % 11), **changes)


def wait_together(api, count=MANY):
    """Many planned sends of a few chats; as the engine tells them, the oldest first."""
    for number in range(1, 6):
        api.chats[number] = chat(number, f"Partner {number}")
    made = [draft(number, **STATES[number % len(STATES) if number % 2 else 0]) for number in range(1, count + 1)]
    for one in sorted(made, key=approvals.order_of):
        api.approvals[one.approval_id] = one


def turn(room):
    """Let the bridge hand over what waits, for one turn of the loop."""
    room.models.bridge._timer.stop()
    room.models.bridge._drain()
    room.models.bridge._timer.stop()


def state(room):
    """All that anybody can ask."""
    model, queue = room.models.approvals, room.of_approvals.queue
    return (
        model.loaded,
        model.items(),
        [model.item_at(row) for row in range(model.rowCount())],
        [model.row_of(item.approval_id) for item in model.items()],
        model.waiting_count,
        model.waiting_since,
        [model.of_chat(number) for number in range(1, 7)],
        model.send_status.running(),
        queue.items(),
        queue.arrivals,
        room.models.approvals.leaving.next(),
    )


@pytest.fixture
def sliced(room, monkeypatch):
    monkeypatch.setattr(approvals, "PREPARED_AT_ONCE", AT_ONCE)
    wait_together(room.api)
    room.models.attach(room.api, run_now)
    return room


def test_until_all_are_in_order_nothing_is_told_and_then_everything(sliced):
    model, counts, shown, turns = sliced.models.approvals, [], [], 0
    model.waiting_changed.connect(lambda: counts.append((model.waiting_count, model.total())))
    model.rowsInserted.connect(lambda _parent, first, last: shown.append((first, last)))
    while not model.loaded:
        assert (model.waiting_count, model.total(), model.of_chat(1), model.find(BIG + 2)) == (0, 0, (), None)
        assert sliced.of_approvals.queue.total() == 0
        turn(sliced)
        turns += 1
    assert turns > MANY / AT_ONCE
    listed = [one for one in sliced.api.approvals.values() if model.find(one.approval_id)]
    assert model.items() == tuple(listed)
    assert shown == [(0, len(listed) - 1)]
    assert set(counts) == {(sum(map(approvals.needs_operator, listed)), len(listed))}


def test_another_order_asked_for_in_between_counts(sliced):
    sliced.models.approvals.prepared.connect(lambda _read: sliced.of_approvals.queue.arrange(sort_by=CardSort.NEWEST))
    while not sliced.models.approvals.loaded:
        turn(sliced)
    numbers = [item.created_at for item in sliced.of_approvals.queue.items() if item.due_at is None]
    assert numbers == sorted(numbers, reverse=True)


def one_more_thing(api, rng, number):
    """A plan comes, is approved, rejected, overtaken or sent."""
    if rng.random() < 0.3:
        api.put_approval(draft(number, **rng.choice(STATES)))
        return
    known = rng.choice(list(api.approvals.values()))
    overtaken = {"task_status": TaskStatus.CANCELLED, "state": ApprovalState.SUPERSEDED}
    changes = rng.choice((*STATES, overtaken, {"text": f"Other words {number}"}))
    api.put_approval(replace(known, version=known.version + 1, **changes))


@pytest.mark.parametrize("seed", range(20))
def test_slices_end_where_one_go_ends(make_room, monkeypatch, seed):
    ends = []
    for at_once in (AT_ONCE, 10_000):
        monkeypatch.setattr(approvals, "PREPARED_AT_ONCE", at_once)
        room, rng = make_room(), random.Random(seed)
        wait_together(room.api)
        room.models.attach(room.api, run_now)
        for number in range(30):
            one_more_thing(room.api, rng, MANY + 1 + number)
            turn(room)
        room.settle()
        ends.append(state(room))
    assert ends[0] == ends[1]
    assert ends[0][1]


def test_what_is_decided_while_slices_are_put_in_order_is_not_listed_as_it_was(sliced):
    turn(sliced)
    first, last = (sliced.api.approvals[BIG + number] for number in (2, MANY))
    sliced.api.put_approval(replace(first, version=2, task_status=TaskStatus.CANCELLED))
    sliced.api.put_approval(replace(last, version=2, text="Other words"))
    assert not sliced.models.approvals.loaded
    sliced.settle()
    model = sliced.models.approvals
    assert (model.find(first.approval_id), model.find(last.approval_id).text) == (None, "Other words")


def test_rows_that_are_read_a_second_time_keep_their_places(room):
    wait_together(room.api)
    room.attach()
    before, shown = state(room), []
    room.models.approvals.rowsInserted.connect(lambda *_what: shown.append("inserted"))
    room.models.approvals.rowsRemoved.connect(lambda *_what: shown.append("removed"))
    room.api.approvals.pop(BIG + 2)
    room.attach()
    assert shown == ["removed"]
    room.put_approval(draft(2))
    assert state(room) == before


def test_an_outcome_that_comes_after_the_end_of_its_card_does_not_bring_it_back(room):
    room.api.approvals[BIG + 1] = before = approval(text="old")
    room.attach()
    store = room.models.approvals
    room.put_approval(replace(before, task_status=TaskStatus.CANCELLED))
    store.take(before)
    assert store.items() == ()
    room.put_approval(failed := replace(before, task_status=TaskStatus.FAILED))
    store.take(before)
    assert store.items() == (failed,)
    store.take(newer := replace(failed, version=failed.version + 1))
    assert store.items() == (newer,)


def test_what_waits_is_read_once_for_all_who_ask(room, monkeypatch):
    reads, plain = [], FakeQueries.approvals
    closed, decided = [], FakeQueries.recent_decisions

    async def load(api):
        reads.append(api)
        return await plain(api)

    async def load_closed(api, *, limit):
        closed.append(limit)
        return await decided(api, limit=limit)

    monkeypatch.setattr(FakeQueries, "approvals", load)
    monkeypatch.setattr(FakeQueries, "recent_decisions", load_closed)
    approved = draft(1, task_status=TaskStatus.APPROVED, due_at=NOON + timedelta(seconds=5))
    room.api.approvals[approved.approval_id] = approved
    room.attach()
    assert (len(reads), len(closed)) == (1, 1)
    assert room.models.approvals.leaving.next() == room.models.approvals.items() == (approved,)
    room.attach()
    assert len(reads) == 2


def test_a_send_is_followed_without_a_look_at_all_others(room, monkeypatch):
    due = {"task_status": TaskStatus.APPROVED, "due_at": NOON - timedelta(seconds=60), "decided_at": NOON}
    for number in range(1, MANY + 1):
        room.api.approvals[BIG + number] = draft(number, **due)
    room.attach()
    looks, plain = [], send_status.SendStatus.share_left

    def look(self, item):
        looks.append(item)
        return plain(self, item)

    monkeypatch.setattr(send_status.SendStatus, "share_left", look)
    for number in range(1, MANY + 1):
        room.api.put_approval(draft(number, version=2, **due))
        room.api.put_approval(draft(MANY + number))
    room.settle()
    assert len(looks) <= 3 * MANY


def test_what_could_not_be_read_is_read_again_by_itself(room, monkeypatch, qtbot):
    reads, plain = [], FakeQueries.approvals
    told: list[str] = []

    async def load(api):
        reads.append(api)
        if len(reads) == 1:
            raise StoreWriteError(Note(FaultReason.SYSTEM, "The database is locked"))
        return await plain(api)

    monkeypatch.setattr(FakeQueries, "approvals", load)
    monkeypatch.setattr(live_query, "AGAIN_S", 0)
    wait_together(room.api)
    model = room.models.approvals
    model.failed.connect(told.append)
    with qtbot.waitSignal(model.recovered):
        room.models.attach(room.api, run_now)
        room.settle()
        room.api.put_approval(draft(MANY + 1, text="Came meanwhile"))
    room.settle()
    assert told == ["The database is locked."]
    assert model.loaded
    assert model.find(BIG + MANY + 1).text == "Came meanwhile"
    assert model.total() > MANY / 2


def test_nothing_is_read_again_for_a_window_that_closes(room, monkeypatch):
    async def load(_api):
        raise StoreWriteError("The database is closed.")

    monkeypatch.setattr(FakeQueries, "approvals", load)
    room.models.attach(room.api, run_now)
    room.models.approvals.detach()
    room.settle()
    assert not room.models.approvals._again.waits


@pytest.mark.parametrize("many", [MANY - 1, MANY])
async def test_the_chats_are_read_once_many_planned_sends_are_shown(room, monkeypatch, many):
    monkeypatch.setattr(approvals, "PREPARED_AT_ONCE", AT_ONCE)
    monkeypatch.setattr(window_models, "PREPARED_AT_ONCE", many)
    wait_together(room.api)
    jobs, read, real = JobRunner(), [], room.api.queries.chats

    async def load_chats():
        read.append(room.models.approvals.loaded)
        return await real()

    monkeypatch.setattr(room.api.queries, "chats", load_chats)
    room.models.attach(room.api, jobs.spawn)
    async with asyncio.timeout(20):
        while room.models.chats.chat(1) is None:
            turn(room)
            await asyncio.sleep(0)
    assert read == [many < MANY]
    await jobs.aclose()


def test_a_fault_of_the_planned_sends_keeps_no_chat_waiting(room, monkeypatch):
    async def load_approvals():
        raise StoreWriteError("The disk can't be read.")

    monkeypatch.setattr(window_models, "PREPARED_AT_ONCE", 0)
    monkeypatch.setattr(room.api.queries, "approvals", load_approvals)
    room.api.chats[1] = chat(1)
    room.models.attach(room.api, run_now)
    room.settle()
    assert room.models.chats.chat(1) is not None
