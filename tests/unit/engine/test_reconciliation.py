"""Requests without an answer that are found: by an update, or in the chat."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from chimein_gui.domain.approvals import ApproveEdited, Reject
from chimein_gui.domain.events import EngineEvent
from chimein_gui.domain.holds import HoldScope
from chimein_gui.domain.ids import MessageId, PeerId
from chimein_gui.domain.plans.planned_steps import PlannedStep
from chimein_gui.domain.tasks import CancelReason, TaskKind, TaskStatus
from chimein_gui.engine.ports import Transaction
from chimein_gui.engine.sending.reconciliation import PAGE, find_delivered, match_late_delivery
from chimein_gui.engine.tasks.transitions import cancel_planned
from tests.fakes.telegram import HANG, LOSE, Unreachable
from tests.support.send_room import QUICK, SendRoom, send_room

D = TaskStatus.DONE
REVIEW = TaskStatus.AWAITING_DECISION
UNKNOWN = TaskStatus.UNKNOWN


# --- (1) an update or the ledger names the message


async def test_an_update_with_the_same_text_confirms_what_is_unknown(room: SendRoom) -> None:
    chat = await room.chat()
    draft = await room.cut_off(chat, HANG)
    message = room.telegram.messages[-1]
    assert await room.hear(chat, message)
    done = await room.get(draft)
    assert (done.task_status, done.message_id) == (D, message.key.message_id)
    assert await room.hear(chat, message), "told twice, it is still ours"
    await room.back_online()
    assert len(room.telegram.requests) == 1


@pytest.mark.parametrize(
    "changes",
    [{"text": "something else"}, {"reply_to_id": MessageId(2)}, {"media_kind": "photo"}, {"is_service": True}],
)
async def test_an_update_that_does_not_fit_is_the_operators_own(room: SendRoom, changes: dict[str, object]) -> None:
    chat = await room.chat()
    draft = await room.cut_off(chat)
    other = replace(room.telegram.store("hi", out=True), **changes)  # type: ignore[arg-type]
    assert not await room.hear(chat, other)
    assert await room.status(draft) == [UNKNOWN]


@pytest.mark.parametrize(
    ("sent", "kept"),
    [("one\r\ntwo", "one\ntwo"), ("to the \u202bright\u202c", "to the right"), ("blanks  here", "blanks here")],
)
async def test_a_text_that_telegram_has_tidied_is_recognised(room: SendRoom, sent: str, kept: str) -> None:
    chat = await room.chat()
    draft = await room.cut_off(chat, text=sent)
    assert await room.hear(chat, room.telegram.store(kept, out=True))
    assert await room.status(draft) == [D]


async def test_an_update_overtakes_the_answer_of_a_send(room: SendRoom) -> None:
    chat = await room.chat()
    one, two = await room.plan(chat, "one", "two")
    room.telegram.script.append(HANG)
    await room.execute(one, two)
    assert await room.status(one) == [TaskStatus.SENDING]
    assert await room.hear(chat, room.telegram.messages[-1])
    await room.pass_time(25)
    assert await room.status(one) == [D]


async def test_a_late_update_confirms_even_what_was_rejected_meanwhile(room: SendRoom) -> None:
    chat = await room.chat()
    draft = await room.cut_off(chat)
    room.clock.advance(600)
    await room.back_online()
    await room.decide(draft, Reject())
    assert await room.hear(chat, room.telegram.store("hi", out=True)), "not the operator's own message"
    assert await room.status(draft) == [TaskStatus.SKIPPED]


async def test_a_duplicate_random_id_counts_as_sent_and_its_message_is_found(room: SendRoom) -> None:
    chat = await room.chat()
    (draft,) = await room.plan(chat, "hi")
    await room.approve(draft)
    (row,) = await room.rows(draft)
    delivered = room.telegram.store("hi", out=True)
    room.telegram.random_ids[row.random_id] = delivered.key.message_id
    await room.worked_off()
    done = await room.get(draft)
    assert (done.task_status, done.message_id) == (D, delivered.key.message_id)


async def test_a_duplicate_random_id_counts_as_sent_even_if_its_message_is_found_only_later(tmp_path: Path) -> None:
    async with send_room(tmp_path, online=False) as room:
        room.telegram.make = Unreachable
        await room.connect()
        (draft,) = await room.plan(await room.chat(), "hi")
        await room.approve(draft)
        (row,) = await room.rows(draft)
        delivered = room.telegram.store("hi", out=True)
        room.telegram.random_ids[row.random_id] = delivered.key.message_id
        await room.worked_off()
        done = await room.get(draft)
        assert (done.task_status, done.message_id) == (D, None)
        await busy_elsewhere(room, PAGE + 1)
        assert await room.hear(draft.chat_id, delivered), "it is ours, not the operator's own"
        assert (await room.get(draft)).message_id == delivered.key.message_id
        assert not await room.hear(draft.chat_id, room.telegram.store("hi", out=True))


async def busy_elsewhere(room: SendRoom, count: int) -> None:
    """Plans of another chat are made and replaced, one after the other."""
    chat = await room.chat(PeerId(7_000_005_002))
    drafts = await room.plan(chat, *(f"draft {number}" for number in range(count)))

    def supersede(tx: Transaction) -> None:
        for draft in drafts:
            cancel_planned(tx, tx.tasks.get(draft.task_id), CancelReason.SUPERSEDED)

    await room.store.transact(supersede)


async def test_a_message_that_arrives_late_is_ours_however_much_is_decided_elsewhere(room: SendRoom) -> None:
    chat = await room.chat()
    draft = await room.cut_off(chat)
    late = room.telegram.store("hi", out=True)
    room.clock.advance(60)
    await room.partner_writes(chat, "are you there?")
    room.telegram.delete(lambda message: message.key == late.key)  # Telegram shows it only later
    await room.back_online()
    back = await room.get(draft)
    assert back.task_status is REVIEW
    await room.decide(back, ApproveEdited("in other words"))
    await room.worked_off()
    assert await room.status(draft) == [D]
    await busy_elsewhere(room, PAGE + 1)

    def arrive(tx: Transaction) -> list[EngineEvent] | None:
        return match_late_delivery(tx, tx.chats.get(chat), late, room.environment)

    assert await room.store.transact(arrive) is not None, "it is ours, not the operator's own"
    assert await room.store.transact(arrive) is None, "each is claimed once"


async def test_of_two_that_were_given_up_the_one_that_has_not_left_is_told_of_the_late_message(room: SendRoom) -> None:
    chat = await room.chat()
    drafts = []
    for text in ("first", "second"):
        drafts.append(await room.cut_off(chat))
        room.clock.advance(60)
        await room.partner_writes(chat, "are you there?")
        await room.back_online()
        assert await room.status(drafts[-1]) == [REVIEW]
        undo_s = 60 if text == "second" else 0
        room.environment.live.change(replace(QUICK, undo_s=undo_s))
        await room.decide(drafts[-1], ApproveEdited(text))
        await room.worked_off()
    assert await room.status(*drafts) == [D, TaskStatus.APPROVED]
    late = room.telegram.store("hi", out=True)

    def arrive(tx: Transaction) -> list[EngineEvent] | None:
        return match_late_delivery(tx, tx.chats.get(chat), late, room.environment)

    assert await room.store.transact(arrive)
    assert await room.status(*drafts) == [D, REVIEW]


# --- (2) one unclaimed message since claimed_at − 60 s


@pytest.mark.parametrize("meanwhile", ["nothing", "a newer message", "a hold"])
async def test_what_was_executed_is_found_in_the_chat_and_not_sent_again(room: SendRoom, meanwhile: str) -> None:
    chat = await room.chat()
    draft = await room.cut_off(chat, HANG)
    sent = room.telegram.messages[-1]
    if meanwhile == "a newer message":
        await room.partner_writes(chat, "thanks!")
    elif meanwhile == "a hold":
        await room.holds.hold(HoldScope.ALL)
    await room.back_online()
    done = await room.get(draft)
    assert (done.task_status, done.message_id) == (D, sent.key.message_id)
    assert len(room.telegram.requests) == 1


@pytest.mark.parametrize(("age_s", "found"), [(60, True), (61, False)])
async def test_only_messages_since_60_s_before_the_claim_count(room: SendRoom, age_s: int, found: bool) -> None:
    chat = await room.chat()
    room.telegram.store("hi", out=True)
    room.clock.advance(age_s)
    (draft,) = await room.plan(chat, "hi")
    room.telegram.script.append(LOSE)
    await room.execute(draft)
    await room.lose_connection()
    await room.back_online()
    assert await room.status(draft) == [D]
    assert len(room.telegram.requests) == (1 if found else 2)


async def test_two_equal_sends_claim_two_equal_messages_the_oldest_first(room: SendRoom) -> None:
    chat = await room.chat()
    first = await room.cut_off(chat, LOSE, "ok")
    room.clock.advance(600)
    await room.back_online()
    assert await room.status(first) == [REVIEW]
    second = await room.cut_off(chat, LOSE, "ok")
    messages = [room.telegram.store("ok", out=True), room.telegram.store("ok", out=True)]
    assert await room.hear(chat, messages[0])
    assert await room.status(first, second) == [REVIEW, D], "what is on its way now comes first"
    assert await room.hear(chat, messages[1])
    named = [(await room.get(one)).message_id for one in (second, first)]
    assert named == [message.key.message_id for message in messages]
    assert not await room.hear(chat, room.telegram.store("ok", out=True)), "each message is claimed once"


async def test_equal_parts_of_one_text_claim_a_message_each(room: SendRoom) -> None:
    (draft,) = await room.plan(await room.chat(), f"{'a' * 4000}\n\n{'a' * 4000}")
    room.telegram.script.extend(["", LOSE])
    await room.approve(draft)
    await room.pass_time(20)
    await room.back_online()
    assert await room.status(draft) == [D]
    first, second = await room.rows(draft)
    assert first.message_id != second.message_id
    assert len(room.texts()) == 2


async def test_a_sticker_without_an_answer_is_found_by_its_file(room: SendRoom) -> None:
    chat = await room.chat()
    cat, dog = room.telegram.put_sticker("pets", "😺"), room.telegram.put_sticker("pets", "🐶")
    (draft,) = await room.plan(chat, PlannedStep(TaskKind.STICKER, "😺", sticker=cat))
    room.telegram.script.append(HANG)
    await room.execute(draft)
    await room.lose_connection()
    (row,) = await room.rows(draft)
    sent = room.telegram.messages[-1]
    other = replace(sent, document_id=dog.document_id)
    read = room.store.read
    assert await read(lambda tx: find_delivered(tx, draft, row, [other])) is None
    assert await read(lambda tx: find_delivered(tx, draft, row, [other, sent])) == sent
    await room.back_online()
    assert await room.status(draft) == [D]
    assert len(room.telegram.sticker_requests) == 1
