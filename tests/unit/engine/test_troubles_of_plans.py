"""Plans when things go wrong: the disk, the model, the operator's own phone, a text that changes meanwhile.

A trigger is neither lost nor answered twice, whatever happens while its plan is made.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from chimein_gui.adapters.store.rows.messages import SqliteMessageRows
from chimein_gui.domain.approvals import Approval, Approve, Verdict
from chimein_gui.domain.errors import ModelKeyError, StoreWriteError
from chimein_gui.domain.events import FaultReported, StepChanged
from chimein_gui.domain.ids import ChatId
from chimein_gui.domain.messages import Message
from chimein_gui.domain.notes import Note, NoteKind
from chimein_gui.domain.settings.preferences import Preferences
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.viewmodels.words.notes import note_sentence, problem_words
from tests.fakes.telegram import FakeTelegram
from tests.support.engine_room import QUICK, Room, engine_room
from tests.support.log_guard import ExpectedLogs

if TYPE_CHECKING:
    import pytest


async def test_a_plan_survives_one_failed_commit(room: Room) -> None:
    troubles = [StoreWriteError("disk full for a moment")]

    async def fail_once() -> None:
        if troubles:
            raise troubles.pop()

    room.before_each("Planner._commit", fail_once)
    room.telegram.partner_writes("hello")
    await room.reach(lambda: room.find(TaskStatus.AWAITING_DECISION))
    faults = [note_sentence(e.cause) for e in room.events if isinstance(e, FaultReported) and e.key == "outbox"]
    assert faults[0].startswith("The outcome of a send could not be stored.")
    assert faults[1:] == [""]
    assert len(room.model.prompts) == 1


async def test_an_older_message_of_the_operator_does_not_cancel_a_newer_trigger(tmp_path: Path) -> None:
    preferences = replace(QUICK, debounce_s=5, takeover_s=0)
    async with engine_room(tmp_path, preferences=preferences) as room:
        own = room.telegram.store("from my phone, reported late", out=True)
        await room.stored(room.telegram.partner_writes("and now?"))
        room.telegram.report(own)
        await room.stored(own)
        room.clock.advance(5)
        approval = await room.approval(TaskStatus.AWAITING_DECISION)
        assert approval.covers_up_to == 2
        assert not approval.is_stale


async def test_a_message_that_could_not_be_stored_is_found_at_the_next_connect_even_after_a_restart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, expected_logs: ExpectedLogs
) -> None:
    expected_logs(r"ERROR chimein_gui\.engine\.ingest\.ingest: A message could not be stored")
    telegram = FakeTelegram()
    real = SqliteMessageRows.put

    def poisoned(rows: SqliteMessageRows, chat_id: ChatId, message: Message) -> bool:
        if message.text == "poison":
            raise RuntimeError("a bug")
        return real(rows, chat_id, message)

    async with engine_room(tmp_path, telegram=telegram) as room:
        await room.stored(telegram.partner_writes("before it"))
        with monkeypatch.context() as patch:
            patch.setattr(SqliteMessageRows, "put", poisoned)
            telegram.partner_writes("poison")
            await room.stored(telegram.partner_writes("behind it"))
        told = [event for event in room.events if isinstance(event, FaultReported) and event.key == "ingest"]
        assert [note_sentence(event.cause) for event in told] == [
            "An update from Telegram could not be stored (RuntimeError)."
        ]
        assert await room.transcript() == ["before it", "behind it"]
    async with engine_room(tmp_path, telegram=telegram) as room:
        await room.worked_off()
        assert await room.transcript() == ["before it", "poison", "behind it"]
        assert await room.store.read(lambda tx: tx.accounts.to_compare()) == frozenset()


async def test_crash_with_a_model_call_open(tmp_path: Path) -> None:
    async with engine_room(tmp_path) as room:
        room.model.gate = asyncio.Event()
        await room.stored(room.telegram.partner_writes("hello"))
        await room.model.asked(1)
        room.pull_the_plug()
    async with engine_room(tmp_path, telegram=room.telegram) as room:
        approval = await room.approval(TaskStatus.AWAITING_DECISION)
        assert approval.covers_up_to == 1
        await room.worked_off()
        assert len(room.model.prompts) == 1
        done = [e for e in room.events if isinstance(e, StepChanged) and e.status is TaskStatus.DONE]
        assert [step.reason for step in done] == [Note(NoteKind.DONE_AFTER_RETRY, number=2)]


async def test_a_bad_key_stops_all_plans_and_a_new_start_tries_again(tmp_path: Path) -> None:
    async with engine_room(tmp_path) as room:
        room.model.script.append(ModelKeyError("Gemini does not accept the API key."))
        room.telegram.partner_writes("hello")
        await room.chat(lambda chat: "does not accept" in problem_words(chat.planning_problem))
        await room.stored(room.telegram.partner_writes("hello?"))
        await room.pass_time(120, step_s=20)
        assert len(room.model.prompts) == 1
    async with engine_room(tmp_path, telegram=room.telegram) as room:
        approval = await room.approval(TaskStatus.AWAITING_DECISION)
        assert approval.covers_up_to == 2


HALVES = "# «send»\nfirst half\n# «send»\nsecond half"


async def acknowledge(room: Room, approval: Approval) -> None:
    """The operator looks at what has changed, and approves the draft all the same."""
    card = room.newest(approval)
    outcome = await room.decide(card, Approve(), seen_up_to=card.changed_at)
    assert outcome.verdict is Verdict.ACCEPTED


@asynccontextmanager
async def halves(folder: Path, debounce_s: float, typing_s: float) -> AsyncIterator[tuple[Room, Approval, Approval]]:
    """A plan of two messages, in whose chat the partner wrote again."""
    preferences = Preferences(debounce_s=debounce_s, undo_s=0, typing_base_s=typing_s, typing_s_per_60=0)
    async with engine_room(folder, preferences=preferences) as room:
        room.model.script.append(HALVES)
        await room.stored(room.telegram.partner_writes("hello"))
        room.clock.advance(debounce_s)
        one = await room.approval(TaskStatus.AWAITING_DECISION, "first half")
        two = await room.approval(TaskStatus.AWAITING_DECISION, "second half")
        room.telegram.partner_writes("😀")
        await room.chat(lambda chat: chat.unread == 2)
        yield room, one, two
        await room.pass_time(30)
        assert len(room.model.prompts) == 1


async def test_an_approved_second_half_leaves_although_the_partner_wrote_again(tmp_path: Path) -> None:
    async with halves(tmp_path, 8, 3) as (room, one, two):
        await acknowledge(room, one)
        await acknowledge(room, two)
        await room.reach(lambda: room.find(TaskStatus.DONE, "second half"), step_s=0.5)
        assert room.telegram.delivered() == ["first half", "second half"]


async def test_an_open_second_half_stays_open_although_the_partner_wrote_again(tmp_path: Path) -> None:
    async with halves(tmp_path, 14, 0) as (room, one, two):
        await acknowledge(room, one)
        await room.approval(TaskStatus.DONE, "first half")
        await room.pass_time(30)
        assert room.newest(two).task_status is TaskStatus.AWAITING_DECISION
