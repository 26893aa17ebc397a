"""What was claimed goes out part by part; whatever the answer is, it is recorded, and nothing leaves twice."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from chimein_gui.domain.approvals import AskReason, Reject
from chimein_gui.domain.chats import TrustLevel
from chimein_gui.domain.errors import (
    AccountLimitedError,
    NotConnectedError,
    OutcomeUnknownError,
    RateLimitedError,
    SendRefusedError,
)
from chimein_gui.domain.failpoints import Failpoint
from chimein_gui.domain.ids import PeerId
from chimein_gui.domain.notes import Note, NoteKind
from chimein_gui.domain.tasks import LedgerState, TaskStatus
from chimein_gui.engine.ports import Transaction
from chimein_gui.viewmodels.note_words import note_words
from tests.fakes.telegram import ACCOUNT, HANG, LOSE, MARTA
from tests.support.send_room import SendRoom, send_room

D = TaskStatus.DONE
LONG = "\n\n".join(letter * 3000 for letter in "abc")
"""A text of three parts."""


async def test_an_approved_send_leaves_once_and_is_recorded(room: SendRoom) -> None:
    chat = await room.chat()
    (draft,) = await room.plan(chat, "**hi** there")
    await room.carry_out(draft)
    done = await room.get(draft)
    assert done.task_status is D
    assert room.texts() == ["hi there"]
    assert [entity.kind for entity in room.telegram.requests[0].entities] == ["bold"]
    (row,) = await room.rows(draft)
    assert (row.state, row.message_id) == (LedgerState.SENT, done.message_id)
    kept = await room.store.read(lambda tx: tx.chats.get(chat))
    assert kept.planned_up_to == kept.newest_in_id == draft.covers_up_to
    assert kept.unread == 0
    assert room.telegram.read == [(MARTA, draft.covers_up_to)]


async def test_a_long_text_leaves_in_parts_each_with_a_row_and_a_number_of_its_own(room: SendRoom) -> None:
    (draft,) = await room.plan(await room.chat(), LONG)
    await room.carry_out(draft)
    assert [text[0] for text in room.texts()] == ["a", "b", "c"]
    rows = await room.rows(draft)
    assert [(row.part, row.state) for row in rows] == [(part, LedgerState.SENT) for part in range(3)]
    assert len({row.random_id for row in rows}) == 3
    done = await room.get(draft)
    assert done.task_status is D
    assert [part.message_id for part in done.parts] == [row.message_id for row in rows]


async def test_part_2_of_3_unknown_blocks_part_3_until_it_is_found_out(room: SendRoom) -> None:
    draft, after = await room.plan(await room.chat(), LONG, "after it")
    room.telegram.script.extend(["", LOSE])
    await room.carry_out(draft, after)
    await room.pass_time(20)
    unknown = await room.get(draft)
    assert unknown.task_status is TaskStatus.UNKNOWN
    assert [part.state for part in unknown.parts] == [LedgerState.SENT, LedgerState.UNKNOWN, LedgerState.PREPARED]
    assert len(room.telegram.requests) == 2, "nothing overtakes what is unknown"
    assert not room.telegram.is_heard(), "the connection is dropped, so that nothing queued leaves"
    await room.connect()
    await room.worked_off()
    await room.pass_time(3)
    assert [text[0] for text in room.texts()] == ["a", "b", "c", "a"]
    first, again = room.telegram.requests[1:3]
    assert first.random_id == again.random_id
    assert await room.status(draft, after) == [D, D]


@pytest.mark.parametrize(("seconds", "goes_on"), [(60, True), (61, False)])
async def test_the_conversation_is_looked_at_again_when_60_s_passed_since_part_1(
    tmp_path: Path, seconds: int, goes_on: bool
) -> None:
    def go_on_talking(tx: Transaction) -> None:
        (approval,) = tx.approvals.waiting()
        tx.approvals.save(replace(approval, changed_at=tx.revision))

    def reach(point: Failpoint) -> None:
        if point is Failpoint.CONFIRMATION_COMMITTED and len(room.telegram.requests) == 1:
            room.store.submit(go_on_talking)
            room.clock.advance(seconds)

    async with send_room(tmp_path, reach=reach) as room:
        (draft,) = await room.plan(await room.chat(), LONG)
        await room.carry_out(draft)
        now = await room.get(draft)
        if goes_on:
            assert (now.task_status, len(room.texts())) == (D, 3)
        else:
            assert (now.task_status, len(room.texts())) == (TaskStatus.AWAITING_DECISION, 1)
            assert {AskReason.PARTLY_SENT, AskReason.CHANGED} <= set(now.reasons)


async def test_a_connection_lost_before_the_hand_over_puts_the_send_back(room: SendRoom) -> None:
    (draft,) = await room.plan(await room.chat(), "hi")
    room.telegram.script.append(NotConnectedError("gone"))
    await room.carry_out(draft)
    back = await room.get(draft)
    assert (back.task_status, back.note) == (TaskStatus.APPROVED, Note(NoteKind.WAITS_FOR_TELEGRAM))
    await room.pass_time(2)
    first, second = room.telegram.requests
    assert first.random_id == second.random_id
    assert await room.status(draft) == [D]
    assert (await room.get(draft)).note is None


async def test_a_refused_send_fails_with_words_and_takes_its_followers_along(room: SendRoom) -> None:
    one, two = await room.plan(await room.chat(), "one", "two")
    room.telegram.script.append(SendRefusedError("Marta has blocked this account", "USER_IS_BLOCKED"))
    await room.carry_out(one, two)
    assert await room.status(one, two) == [TaskStatus.FAILED, TaskStatus.CANCELLED]
    assert (await room.get(one)).note == Note(NoteKind.REFUSED, "USER_IS_BLOCKED")
    assert note_words((await room.get(one)).note) == "The partner has blocked this account."
    assert room.texts() == []


async def test_a_refused_part_2_says_that_part_1_was_sent(room: SendRoom) -> None:
    (draft,) = await room.plan(await room.chat(), LONG)
    room.telegram.script.extend(["", SendRefusedError("no more", "CHAT_RESTRICTED")])
    await room.carry_out(draft)
    failed = await room.get(draft)
    assert failed.task_status is TaskStatus.FAILED
    assert "Part 2 was refused" in note_words(failed.note)
    assert [row.state for row in await room.rows(draft)] == [LedgerState.SENT], "the third part will not leave"


async def test_a_limited_account_sends_the_card_back_and_its_automatic_ones_to_review(room: SendRoom) -> None:
    quiet, other = await room.chat(), await room.chat(PeerId(MARTA + 1), trust=TrustLevel.AUTO)
    (draft,) = await room.plan(quiet, "hi")
    room.telegram.script.append(AccountLimitedError("Telegram limits this account", "PEER_FLOOD"))
    await room.carry_out(draft)
    back = await room.get(draft)
    assert back.task_status is TaskStatus.AWAITING_DECISION
    assert AskReason.LIMITED in back.reasons
    assert await room.store.read(lambda tx: tx.accounts.limited(ACCOUNT)) == "PEER_FLOOD"
    assert back.note == Note(NoteKind.LIMITED, "PEER_FLOOD")
    (automatic,) = await room.plan(other, "by itself")
    await room.worked_off()
    assert await room.status(automatic) == [TaskStatus.AWAITING_DECISION]
    await room.carry_out(draft)
    assert room.texts() == ["hi"]


@pytest.mark.parametrize("answer", [HANG, LOSE, OutcomeUnknownError("connection lost")])
async def test_without_an_answer_within_20_s_it_is_unknown_and_the_connection_is_dropped(
    room: SendRoom, answer: str | Exception
) -> None:
    (draft,) = await room.plan(await room.chat(), "hi")
    room.telegram.script.append(answer)
    await room.carry_out(draft)
    if isinstance(answer, str):
        await room.pass_time(19)
        assert await room.status(draft) == [TaskStatus.SENDING]
        await room.pass_time(1)
    assert await room.status(draft) == [TaskStatus.UNKNOWN]
    assert not room.telegram.is_heard()


async def test_a_cancelled_hand_over_is_unknown(room: SendRoom) -> None:
    (draft,) = await room.plan(await room.chat(), "hi")
    room.telegram.script.append(LOSE)
    await room.carry_out(draft)
    assert await room.status(draft) == [TaskStatus.SENDING]
    await room.jobs.aclose()
    await room.worked_off()
    assert await room.status(draft) == [TaskStatus.UNKNOWN]


async def test_a_rejected_rest_leaves_what_was_sent(room: SendRoom) -> None:
    chat = await room.chat()
    (draft,) = await room.plan(chat, LONG)
    room.telegram.script.extend(["", RateLimitedError("FLOOD_WAIT", 30, "send_text")])
    await room.carry_out(draft)
    await room.partner_writes(chat, "stop")
    await room.pass_time(31)
    back = await room.get(draft)
    assert AskReason.PARTLY_SENT in back.reasons
    await room.decide(draft, Reject())
    await room.pass_time(5)
    assert await room.status(draft) == [TaskStatus.SKIPPED]
    assert len(room.texts()) == 1
