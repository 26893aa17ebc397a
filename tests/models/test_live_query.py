"""Live queries: read once, kept right by events, and never reset."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

from PySide6.QtCore import QPersistentModelIndex, Qt

from chimein_gui.domain import events as ev
from chimein_gui.domain.agents import FileProblem, Health
from chimein_gui.domain.errors import StoreWriteError
from chimein_gui.domain.events import FaultReported
from chimein_gui.domain.ids import AgentId, Revision
from chimein_gui.domain.loaded import Loaded
from chimein_gui.domain.notes import Note, NoteKind
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.viewmodels.core.live_query import LiveQuery, ReadOnce
from chimein_gui.viewmodels.core.roles import ItemRole, KeyRole
from tests.fakes.engine_api import BIG, NOON, agent, approval, chat, message, run_now, worded
from tests.support.bridge import drain


def _event(number: int) -> FaultReported:
    return FaultReported(f"place {number}", worded("cause"), worded("remedy"), Revision(number))


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
        room.api.publish(_event(number))
    room.settle()
    assert applied == [1, 2, 3]


def test_a_query_passes_over_events_of_other_kinds_and_batches_of_them_alone(room):
    room.attach()
    applied: list[str] = []
    settled: list[int] = []

    def settle() -> None:
        settled.append(len(applied))

    kinds = frozenset({FaultReported})
    rows = LiveQuery(room.models.bridge, lambda e: applied.append(type(e).__name__), room.models, settle, kinds)
    _fetch(rows, 1)
    drain(room.models.bridge)
    settled.clear()
    room.api.publish(ev.AgentChanged(agent(), Revision(2)))
    room.settle()
    assert (applied, settled) == ([], [])
    room.api.publish(ev.AgentChanged(agent(), Revision(3)))
    room.api.publish(_event(4))
    room.settle()
    assert (applied, settled) == (["FaultReported"], [1])


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
        room.api.publish(_event(number))
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
    room.api.publish(_event(9))
    fetch(5)
    assert not rows.loaded
    room.settle()
    assert done == ["slice 1", "slice 5", "slice 6", "installed (5, 6)", "event 9"]


async def test_who_waits_for_rows_whose_first_read_failed_waits_for_the_next(room):
    room.attach()
    rows = LiveQuery(room.models.bridge, lambda _event: None, room.models)

    async def fail() -> Loaded[object]:
        raise StoreWriteError("Disk gone")

    rows.fetch(run_now, fail, lambda _rows: None, name="load")
    drain(room.models.bridge)
    async with asyncio.timeout(1), asyncio.TaskGroup() as waiting:
        waiting.create_task(rows.installed())
        await asyncio.sleep(0)
        _fetch(rows, 1)
        drain(room.models.bridge)


Accessible = Qt.ItemDataRole.AccessibleTextRole


def no_resets(model):
    resets = []
    model.modelReset.connect(lambda: resets.append(1))
    return resets


def titles(room):
    tree = room.models.chats
    top = tree.index(0, 0)
    return [tree.index(row, 0, top).data(ItemRole).info.title for row in range(tree.rowCount(top))]


def test_agents_are_upserted_and_never_reset(room, qtmodeltester):
    room.attach()
    model = room.models.agents
    resets = no_resets(model)
    room.api.put_agent(agent(2, "Jonas"))
    room.put_agent(agent(1, health=Health.WAITING))
    assert [item.spec.name for item in model.items()] == ["Nora Vale", "Jonas"]
    assert model.counts() == (1, 2)
    assert model.index(0, 0).data(Accessible) == "Nora Vale, Waits, +9996600001"
    assert not resets
    qtmodeltester.check(model)


def test_events_that_came_before_the_rows_are_applied_only_if_newer(room):
    api, models = room.api, room.models
    api.revision = 10
    models.attach(api, run_now)
    api.publish(ev.ChatChanged(chat(title="stale"), Revision(9)))
    api.publish(ev.ChatChanged(chat(2, "newer"), Revision(11)))
    room.settle()
    assert titles(room) == ["Marta Oliveira", "newer"]


def test_chats_move_to_the_top_and_the_selection_goes_along(room, qtmodeltester):
    for number in (2, 3, 4):
        room.api.chats[number] = chat(number, f"P{number}")
    room.attach()
    tree = room.models.chats
    resets = no_resets(tree)
    selected = QPersistentModelIndex(tree.index_of_chat(4))
    room.put_chat(replace(room.api.chats[4], last_at=NOON, unread=1))
    assert titles(room) == ["P4", "Marta Oliveira", "P2", "P3"]
    assert selected.isValid()
    assert selected.data(KeyRole) == 4
    room.put_chat(replace(room.api.chats[4], last_at=NOON - timedelta(hours=1)))
    assert titles(room) == ["P4", "Marta Oliveira", "P2", "P3"]  # not twice within a quarter of a second
    assert tree.moves._arranging.isActive()
    tree.moves._arrange_again()
    assert titles(room) == ["Marta Oliveira", "P2", "P3", "P4"]
    assert selected.data(KeyRole) == 4
    assert not resets
    qtmodeltester.check(tree)


def test_a_chat_may_come_before_its_agent(room):
    room.attach()
    room.put_chat(chat(9, "Early", 5))
    assert not room.models.chats.index_of_chat(9).isValid()
    room.put_agent(agent(5, "Late"))
    assert room.models.chats.index_of_chat(9).isValid()


def test_the_sentence_of_a_chat_says_everything_that_its_marks_say(room):
    room.api.chats[1] = chat(pending=2, unread=3, last_text="hi", last_out=True, planning=True)
    room.attach()
    said = room.models.chats.index_of_chat(1).data(Accessible)
    for words in ("Marta Oliveira", "2 planned", "3 unread", "planning a reply", "trust Review", "you: hi", "14:29"):
        assert words in said


def test_typing_ends_by_itself(room):
    room.attach()
    room.api.put_typing(1, 5)
    room.settle()
    assert room.models.chats.is_typing(1)
    room.time += timedelta(seconds=6)
    room.models.chats.typing.look_again()
    assert not room.models.chats.is_typing(1)


def fill(room, count):
    room.api.messages[1] = {number: message(number, f"m{number}") for number in range(1, count + 1)}


def texts(room):
    model = room.models.transcript
    return [model.rows.index(row, 0).data(ItemRole).message.text for row in range(model.rows.rowCount())]


def test_appends_edits_deletions_and_ticks_arrive_in_place(room):
    fill(room, 3)
    room.api.messages[1][3] = message(3, "mine", out=True, reply_to_id=1)
    room.attach()
    model = room.models.transcript
    model.open(room.api.chats[1], "Nora Vale")
    room.settle()
    changed = []
    model.rows.dataChanged.connect(lambda first, last: changed.append((first.row(), last.row())))
    room.api.put_message(1, replace(message(2, "m2"), text="better", edited_at=NOON))
    room.api.put_message(1, message(1, "m1", deleted=True))
    room.api.put_message(1, message(4, "last"))
    room.api.put_message(2, message(9, "another chat", chat_number=2))
    room.put_chat(replace(room.api.chats[1], partner_read_up_to=3))
    assert texts(room) == ["m1", "better", "mine", "last"]
    row = model.rows.index(2, 0).data(ItemRole)
    assert row.read
    assert row.reply_to.text == "m1"
    assert changed
    said = [model.rows.index(number, 0).data(Accessible) for number in range(4)]
    assert "Deleted message" in said[0]
    assert "edited" in said[1]
    assert "in reply to Deleted message" in said[2]
    assert said[2].endswith("read")


def test_a_slow_answer_for_the_chat_before_is_not_shown(room):
    fill(room, 2)
    room.api.messages[2] = {5: message(5, "other", chat_number=2)}
    room.attach()
    model = room.models.transcript
    model.open(chat(1), "Nora Vale")
    model.open(chat(2), "Nora Vale")
    room.settle()
    assert texts(room) == ["other"]


def test_day_lines_stand_where_a_day_begins(room):
    room.api.messages[1] = {
        1: message(1, "a", minutes_ago=60 * 24),
        2: message(2, "b", minutes_ago=60 * 24 - 1),
        3: message(3, "c", minutes_ago=1),
    }
    room.attach()
    room.models.transcript.open(chat(), "Nora Vale")
    room.settle()
    rows = [room.models.transcript.rows.index(row, 0).data(ItemRole) for row in range(3)]
    assert [row.day for row in rows] == ["Yesterday", "", "Today"]


def test_approvals_keep_their_order_and_leave_when_they_are_final(room, qtmodeltester):
    for number in (1, 2, 3):
        room.api.approvals[BIG + number] = approval(number, created_at=NOON - timedelta(minutes=9 - number))
    room.attach()
    model = room.models.approvals
    resets = no_resets(model)
    room.api.put_approval(replace(room.api.approvals[BIG + 1], version=7, text="new text"))
    room.put_approval(replace(room.api.approvals[BIG + 2], task_status=TaskStatus.CANCELLED))
    assert [item.approval_id - BIG for item in model.items()] == [1, 3]
    assert model.find(BIG + 1).text == "new text"
    assert model.index(0, 0).data(KeyRole) == BIG + 1
    assert "Nora Vale to Marta Oliveira, Waits for you" in model.index(0, 0).data(Accessible)
    assert not resets
    qtmodeltester.check(model)


def test_what_was_sent_stays_in_sight_for_ten_seconds(room):
    room.api.approvals[BIG + 1] = approval()
    room.attach()
    model = room.models.approvals
    room.put_approval(replace(approval(), task_status=TaskStatus.SENDING))
    assert model.status_words_of(model.find(BIG + 1)) == "Sending…"
    room.put_approval(replace(approval(), task_status=TaskStatus.DONE))
    assert model.status_words_of(model.find(BIG + 1)) == "Sent"
    room.time += timedelta(seconds=11)
    model._sweep()
    model._sweeper.stop()
    assert model.rowCount() == 0


def test_an_agent_that_is_removed_leaves_the_list_and_the_tree(room, qtmodeltester):
    room.attach()
    room.put_agent(agent(2, "Jonas"))
    room.api.agents.pop(2)
    room.api.publish(ev.AgentRemoved(AgentId(2), room.api._next()))
    room.api.publish(ev.AgentRemoved(AgentId(9), room.api._next()))
    room.settle()
    assert [item.spec.name for item in room.models.agents.items()] == ["Nora Vale"]
    assert [room.models.chats.index(row, 0).data(KeyRole) for row in range(room.models.chats.rowCount())] == [1]
    room.api.publish(ev.AgentRemoved(AgentId(1), room.api._next()))
    room.settle()
    assert (room.models.chats.rowCount(), room.models.chats.chat(1), room.models.agents.counts()) == (0, None, (0, 0))
    qtmodeltester.check(room.models.chats)
    room.put_agent(agent(1))
    assert room.models.chats.rowCount() == 1


def test_a_file_whose_last_good_version_is_in_use_says_so(room):
    room.attach()
    room.put_problems(FileProblem("agents/Nora.md", 3, Note(NoteKind.OTHER, "Write it so."), last_good=True))
    [bar] = [bar for bar in room.models.bars.bars if bar.key.startswith("file ")]
    assert "The previous version is in use" in bar.cause
