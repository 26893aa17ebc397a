"""Editing and deleting what was sent."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from chimein_gui.domain.approvals import Approval, Approve, ApproveEdited, AskReason
from chimein_gui.domain.errors import (
    GatewayError,
    NotConnectedError,
    OutcomeUnknownError,
    RateLimitedError,
    SendRefusedError,
)
from chimein_gui.domain.events import MessageStored
from chimein_gui.domain.ids import MessageId
from chimein_gui.domain.messages import Message
from chimein_gui.domain.notes import Note, NoteKind
from chimein_gui.domain.notes.faults import FaultReason
from chimein_gui.domain.notes.reasons import Reason
from chimein_gui.domain.tasks import LedgerState, TaskStatus
from chimein_gui.engine.operator.sent_messages import NOT_OURS, _Sent
from chimein_gui.engine.sending.claim_checks import DELETED_NOTE
from chimein_gui.engine.sending.reconciliation import EARLIER_CAME
from chimein_gui.viewmodels.words.notes import note_words
from tests.fakes.telegram import LOSE, FakeGateway, FakeTelegram, Unaddressable
from tests.support.engine_room import QUICK, Room, engine_room

FULL = Note(FaultReason.FREE_SPACE)


async def sent(room: Room, text: str = "answer") -> Approval:
    """Have one message sent, and return its card."""
    draft = await room.drafted()
    await room.decide(draft, ApproveEdited(text))
    return await room.approval(TaskStatus.DONE)


async def stored(room: Room, approval: Approval, message_id: int | None = None) -> Message:
    rows = (await room.engine.transcripts.before(approval.chat_id, None, 100)).rows
    wanted = message_id or approval.message_id
    return next(message for message in rows if message.key.message_id == wanted)


async def edit(room: Room, card: Approval, text: str = "other words") -> Note | None:
    assert card.message_id is not None
    return await room.engine.sent.edit(card.chat_id, card.message_id, text)


async def delete(room: Room, card: Approval) -> Note | None:
    assert card.message_id is not None
    return await room.engine.sent.delete(card.chat_id, card.message_id)


async def change(room: Room, card: Approval, method: str) -> Note | None:
    return await (edit(room, card) if method == "edit" else delete(room, card))


async def lost(room: Room, method: str) -> tuple[FakeGateway, Approval, asyncio.Task[None], list[Exception]]:
    """Begin a change that gets no answer; returns its connection, its card, its job and what it fails with."""
    card = await sent(room)
    room.telegram.script.append(LOSE)
    errors: list[Exception] = []

    async def fail() -> None:
        try:
            await change(room, card, method)
        except (GatewayError, TimeoutError) as error:
            errors.append(error)

    gateway = room.telegram.gateway
    assert gateway is not None
    job = room.jobs.spawn(fail(), name="change")
    await room.worked_off()
    assert gateway.is_up()
    return gateway, card, job, errors


async def test_an_edit_arrives_and_is_stored_because_nobody_tells_us(room: Room) -> None:
    card = await sent(room)
    assert await edit(room, card, "in **other** words") is None
    assert room.telegram.delivered() == ["in other words"]
    message = await stored(room, card)
    assert (message.text, message.edited_at) == ("in other words", room.clock.now())
    assert [entity.kind for entity in message.entities] == ["bold"]
    assert any(isinstance(e, MessageStored) and e.message == message for e in room.events)


async def test_what_cannot_be_sent_and_after_48_hours_everything_is_refused(room: Room) -> None:
    card = await sent(room)
    refused = {"x" * 4097: Reason.LONGER_THAN_ONE, " ": Reason.NOTHING_TO_SEND, "a\x00": Reason.BAD_CHARACTERS}
    for text, reason in refused.items():
        assert await edit(room, card, text) == Note(reason)
    assert room.telegram.actions == []
    room.clock.advance(48 * 3600 - 1)
    assert await edit(room, card, "still") is None
    room.clock.advance(1)
    assert await edit(room, card, "too late") == Note(Reason.TOO_OLD_TO_EDIT)
    assert room.telegram.delivered() == ["still"]


async def test_only_our_own_texts_can_be_edited(room: Room) -> None:
    card = await sent(room)
    assert await room.engine.sent.edit(card.chat_id, MessageId(1), "hers") == NOT_OURS
    assert await room.engine.sent.edit(card.chat_id, MessageId(99), "nobody's") == NOT_OURS
    picture = await stored(room, card)
    await room.store.transact(lambda tx: tx.messages.mark_deleted(card.account_id, None, (picture.key.message_id,)))
    assert await edit(room, card, "gone") == NOT_OURS
    assert await room.engine.sent.delete(card.chat_id, MessageId(1)) == NOT_OURS


async def test_all_parts_of_a_split_message_are_deleted_for_everyone(room: Room) -> None:
    card = await sent(room, "\n\n".join(["word " * 500] * 3))
    parts = [part.message_id for part in card.parts]
    assert len(parts) > 1
    assert await delete(room, card) is None
    assert room.telegram.actions == [("delete_messages", card.peer_id, tuple(parts), True)]
    for part in parts:
        assert (await stored(room, card, part)).deleted
    assert room.newest(card).note == DELETED_NOTE
    assert "may have seen it" in note_words(DELETED_NOTE)


@asynccontextmanager
async def arrived_late(folder: Path, *, undo_s: float = 0) -> AsyncIterator[tuple[Room, Approval, Message]]:
    """Lose a send, have it edited and so sent as another, and let the lost one arrive after all."""
    telegram = FakeTelegram(make=Unaddressable)
    slow = replace(QUICK, undo_s=undo_s)
    async with engine_room(folder, telegram=telegram, preferences=slow) as room:
        telegram.script.append(LOSE)
        await room.approved()
        await room.reach(lambda: room.find(TaskStatus.SENDING))
        room.clock.advance(20)
        back = await room.reach(lambda: room.find(TaskStatus.AWAITING_DECISION))
        await room.decide(back, ApproveEdited("in other words"))
        if not undo_s:
            await room.approval(TaskStatus.DONE)
        late = telegram.operator_writes("answer 1")
        await room.until(lambda: room.newest(back).note == EARLIER_CAME)
        await room.stored(late)
        assert (await room.engine.queries.chats()).rows[0].takeover_until is None, "it is ours, not the operator's own"
        yield room, room.newest(back), late


async def test_a_lost_message_that_arrived_late_is_edited_and_deleted_alone(tmp_path: Path) -> None:
    async with arrived_late(tmp_path) as (room, card, late):
        stray = late.key.message_id
        assert card.message_id not in {None, stray}
        assert await room.engine.sent.edit(card.chat_id, stray, "never mind") is None
        assert room.telegram.delivered() == ["in other words", "never mind"]
        assert (await stored(room, card, stray)).text == "never mind"
        assert (await stored(room, card)).text == "in other words"
        room.telegram.actions.clear()
        assert await room.engine.sent.delete(card.chat_id, stray) is None
        assert room.telegram.actions == [("delete_messages", card.peer_id, (stray,), True)]
        assert (await stored(room, card, stray)).deleted
        assert not (await stored(room, card)).deleted
        assert room.newest(card).note == EARLIER_CAME, "what was sent in its place is still there"
        assert await delete(room, card) is None
        assert room.telegram.actions[1:] == [("delete_messages", card.peer_id, (card.message_id,), True)]
        assert room.newest(card).note == DELETED_NOTE


async def test_a_lost_message_that_arrived_late_is_deleted_before_what_replaces_it_leaves(tmp_path: Path) -> None:
    async with arrived_late(tmp_path, undo_s=60) as (room, card, late):
        stray = late.key.message_id
        assert card.task_status is TaskStatus.AWAITING_DECISION
        await room.decide(card, Approve(), seen_up_to=card.changed_at)
        assert await room.engine.sent.delete(card.chat_id, stray) is None
        assert room.telegram.actions == [("delete_messages", card.peer_id, (stray,), True)]
        await room.pass_time(62)
        assert room.newest(card).task_status is TaskStatus.DONE, "the operator wants this one instead"
        assert room.telegram.delivered()[-1] == "in other words"


async def test_under_hold_and_offline_nothing_is_changed(room: Room) -> None:
    card = await sent(room)
    await room.engine.holds.hold(reason="lunch")
    assert await edit(room, card, "held") == Note(NoteKind.HELD, "lunch")
    assert await delete(room, card) == Note(NoteKind.HELD, "lunch")
    await room.engine.holds.release()
    await room.engine.accounts.stop(card.agent_id)
    with pytest.raises(NotConnectedError):
        await edit(room, card, "offline")
    assert room.telegram.actions == []


async def test_what_telegram_refuses_changes_nothing_here(room: Room) -> None:
    card = await sent(room)
    room.telegram.script.append(SendRefusedError("The message cannot be edited any more", "MESSAGE_EDIT_TIME_EXPIRED"))
    with pytest.raises(SendRefusedError):
        await edit(room, card, "other")
    assert (await stored(room, card)).text == "answer"


@pytest.mark.parametrize("method", ["edit", "delete"])
async def test_without_an_answer_the_connection_is_dropped(room: Room, method: str) -> None:
    before, card, job, errors = await lost(room, method)
    room.clock.advance(20)
    await job
    assert [type(error) for error in errors] == [TimeoutError]
    await room.worked_off()
    assert not before.is_up()  # whatever was queued in it does not leave any more
    assert (await stored(room, card)).text == "answer"


@pytest.mark.parametrize("method", ["edit", "delete"])
async def test_a_hold_drops_a_change_that_has_no_answer(room: Room, method: str) -> None:
    before, _, job, errors = await lost(room, method)
    holding = room.jobs.spawn(room.engine.holds.hold(reason="lunch"), name="press")
    await room.worked_off()
    assert not holding.done()
    room.clock.advance(3)
    await holding
    assert not before.is_up()
    await job
    assert [type(error) for error in errors] == [OutcomeUnknownError]


@pytest.mark.parametrize("method", ["edit", "delete"])
async def test_a_hold_that_comes_just_before_the_request_keeps_it_back(room: Room, method: str) -> None:
    card = await sent(room)
    read = room.store.read

    async def read_and_hold(work: Any) -> Any:
        found = await read(work)
        if isinstance(found, _Sent):
            room.engine._services.in_memory_hold.begin(FULL)
        return found

    room.store.read = read_and_hold  # type: ignore[method-assign]
    assert await change(room, card, method) == Note(NoteKind.HELD, cause=FULL)
    assert room.telegram.actions == []


async def test_with_a_part_deleted_for_everyone_the_rest_does_not_follow_by_itself(room: Room) -> None:
    room.model.script.append("# «send»\n" + "\n\n".join(["word " * 500] * 3))
    room.telegram.partner_writes("hello")
    room.telegram.script.extend(["", RateLimitedError("FLOOD_WAIT", 30, "send_text")])
    await room.decide(await room.approval(TaskStatus.AWAITING_DECISION), Approve())
    await room.worked_off()
    card = await room.approval(TaskStatus.APPROVED)
    first = card.parts[0]
    assert (first.state, card.parts[1].state) == (LedgerState.SENT, LedgerState.PREPARED)
    assert first.message_id is not None
    assert await room.engine.sent.delete(card.chat_id, first.message_id) is None
    await room.pass_time(60)
    assert [one.text for one in room.telegram.messages if one.out and not one.deleted] == []
    card = room.newest(card)
    assert (card.task_status, card.note) == (TaskStatus.AWAITING_DECISION, DELETED_NOTE)
    assert AskReason.PARTLY_SENT in card.reasons
