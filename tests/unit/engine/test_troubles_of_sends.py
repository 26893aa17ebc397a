"""Approved sends when things go wrong: in the plan's order, only on a decision that still holds, never twice."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest  # noqa: TC002 - which room a test gets is read from its annotations

from chimein_gui.domain.approvals import Approve, AskReason, Reject
from chimein_gui.domain.chats import ChatSettings, TrustLevel
from chimein_gui.domain.errors import NotConnectedError, SendRefusedError
from chimein_gui.domain.ids import ChatId
from chimein_gui.domain.preferences import Preferences
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.engine.commits import Commits
from chimein_gui.viewmodels.note_words import note_words
from tests.fakes.telegram import LOSE
from tests.support.engine_room import Room, engine_room
from tests.support.log_guard import ExpectedLogs

THREE = "# «send»\none\n# «send»\ntwo\n# «send»\nthree"
ROUNDS_OF_60_S = 100
"""Waiting for quiet commits some nine times a step itself."""
UNDO_10 = Preferences(debounce_s=0, undo_s=10, typing_base_s=0, typing_s_per_60=0)


async def test_a_failed_first_cancels_the_third_behind_a_rejected_second(room: Room) -> None:
    room.model.script.append(THREE)
    room.telegram.script.append(SendRefusedError("Marta has blocked this account", "USER_IS_BLOCKED"))
    one = await room.drafted("hello", "one")
    two = await room.approval(TaskStatus.AWAITING_DECISION, "two")
    await room.decide(two, Reject())
    await room.decide(one, Approve())
    await room.approval(TaskStatus.FAILED, "one")
    await room.approval(TaskStatus.CANCELLED, "three")


async def test_turning_auto_off_takes_back_what_auto_approved(tmp_path: Path) -> None:
    preferences = Preferences(debounce_s=0, undo_s=0, typing_base_s=20, typing_s_per_60=0)
    async with engine_room(tmp_path, preferences=preferences) as room:
        first = await room.drafted()
        await trust(room, first.chat_id, TrustLevel.AUTO)
        await room.decide(first, Approve())
        await room.reach(lambda: room.find(TaskStatus.DONE, "answer 1"))
        room.telegram.partner_writes("more?")
        await room.approval(TaskStatus.APPROVED, "answer 2")
        await trust(room, first.chat_id, TrustLevel.REVIEW)
        back = await room.reach(lambda: room.find(TaskStatus.AWAITING_DECISION, "answer 2"))
        assert "no longer holds" in note_words(back.note)
        assert room.telegram.delivered() == ["answer 1"]


async def test_the_operators_own_answer_after_the_approval_brings_the_draft_back(tmp_path: Path) -> None:
    async with engine_room(tmp_path, preferences=UNDO_10) as room:
        await room.approved("shall we meet at five?")
        own = room.telegram.operator_writes("no, I can't today")
        back = await room.reach(lambda: room.find(TaskStatus.AWAITING_DECISION))
        assert AskReason.CHANGED in back.reasons
        await room.pass_time(20)
        assert room.telegram.delivered() == [own.text]


async def test_an_edit_of_the_trigger_after_the_approval_brings_the_draft_back(tmp_path: Path) -> None:
    async with engine_room(tmp_path, preferences=UNDO_10) as room:
        message = room.telegram.partner_writes("meet at five")
        draft = await room.approval(TaskStatus.AWAITING_DECISION)
        await room.decide(draft, Approve())
        room.telegram.partner_edits(message, "meet at SIX")
        back = await room.reach(lambda: room.find(TaskStatus.AWAITING_DECISION))
        assert AskReason.CHANGED in back.reasons
        await room.pass_time(20)
        assert room.telegram.requests == []


async def test_an_outcome_nobody_foresaw_is_unknown_and_looked_up(room: Room, expected_logs: ExpectedLogs) -> None:
    expected_logs(r"ERROR chimein_gui\.engine\.hand_over: A send failed in a way nobody foresaw")
    room.telegram.script.append(ValueError("an answer that cannot be read"))
    await room.approved()
    await room.approval(TaskStatus.UNKNOWN)
    await room.reach(lambda: room.find(TaskStatus.DONE))
    first, second = room.telegram.requests
    assert first.random_id == second.random_id
    assert room.telegram.delivered() == ["answer 1"]


async def test_an_outcome_that_cannot_be_recorded_is_looked_up_like_any_unknown(
    room: Room, expected_logs: ExpectedLogs
) -> None:
    expected_logs(r"ERROR chimein_gui\.engine\.chat_steps: A step of chat 1 failed")

    async def lose_the_outcome() -> None:
        raise RuntimeError("the outcome is not stored")

    room.before_each("HandOver._commit", lose_the_outcome)
    await room.approved()
    done = await room.reach(lambda: room.find(TaskStatus.DONE))
    assert done.message_id is not None
    assert len(room.telegram.requests) == 1


async def test_its_chat_looks_round_only_once_the_send_is_known_to_be_in_doubt(
    room: Room, expected_logs: ExpectedLogs, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A store that is slow to note it must not let the chat's next look pass: there would be no other."""
    expected_logs(r"ERROR chimein_gui\.engine\.chat_steps: A step of chat 1 failed")
    plain = Commits.submit
    late: list[tuple[Commits, Any]] = []
    monkeypatch.setattr(Commits, "submit", lambda commits, work: late.append((commits, work)))

    async def lose_the_outcome() -> None:
        raise RuntimeError("the outcome is not stored")

    room.before_each("HandOver._commit", lose_the_outcome)
    await room.approved()
    await room.pass_time(20, 1)
    for commits, work in late:
        plain(commits, work)
    await room.pass_time(20, 1)
    assert room.find(TaskStatus.DONE) is not None


async def test_a_chat_whose_send_is_unknown_neither_claims_nor_spins(room: Room) -> None:
    room.telegram.script.append(LOSE)
    await room.send_off()
    room.telegram.refuse_connect = NotConnectedError("no way to the server")
    room.clock.advance(20)
    await room.approval(TaskStatus.UNKNOWN)
    before = await room.store.transact(lambda tx: tx.revision)
    await room.pass_time(60, 10)
    after = await room.store.transact(lambda tx: tx.revision)
    assert len(room.telegram.requests) == 1
    assert after - before < ROUNDS_OF_60_S, "nothing is stored over and over"


async def trust(room: Room, chat_id: ChatId, level: TrustLevel) -> None:
    """Set a chat's trust level."""
    await room.store.transact(lambda tx: tx.chats.set_settings(chat_id, ChatSettings(trust=level)))
