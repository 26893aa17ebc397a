"""The operator writes as the agent: ledger, takeover, hold."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from chimein_gui.domain.approvals import ApproveEdited, AskReason, Edit, Undo
from chimein_gui.domain.chats import Chat, Unsent
from chimein_gui.domain.errors import SendRefusedError
from chimein_gui.domain.holds import HoldScope
from chimein_gui.domain.ids import MessageId
from chimein_gui.domain.notes import Note, NoteKind
from chimein_gui.domain.notes.reasons import Reason
from chimein_gui.domain.settings.preferences import Preferences
from chimein_gui.domain.tasks import LedgerState, Origin, TaskStatus
from tests.fakes.telegram import LOSE
from tests.support.engine_room import Room, engine_room

TYPED = Preferences(debounce_s=0, undo_s=1, typing_base_s=2, typing_s_per_60=1)


async def the_chat(room: Room) -> Chat:
    """Let the partner write, so that there is a chat with a draft, and return it."""
    await room.drafted()
    return (await room.engine.queries.chats()).rows[0]


async def test_it_leaves_without_a_decision_and_the_agent_pauses(room: Room) -> None:
    chat = await the_chat(room)
    draft = room.approvals()[0]
    written = await room.engine.composer.write(chat.chat_id, "**Marta**, it's me", client_id="a")
    assert written.approval is not None
    assert (written.approval.origin, written.asks, written.explanation) == (Origin.OPERATOR, False, None)
    await room.approval(TaskStatus.DONE)
    assert room.telegram.delivered() == ["Marta, it's me"]
    assert [entity.kind for entity in room.telegram.requests[0].entities] == ["bold"]
    now = (await room.engine.queries.chats()).rows[0]
    assert now.takeover_until == room.clock.now() + timedelta(minutes=30)
    assert now.planned_up_to == 1
    assert AskReason.CHANGED in room.newest(draft).reasons
    assert room.newest(draft).task_status is TaskStatus.AWAITING_DECISION
    approval_id = written.approval.approval_id
    row = await room.store.read(lambda tx: tx.ledger.of_approval(approval_id)[0])
    assert (row.state, row.origin) == (LedgerState.SENT, Origin.OPERATOR)


async def test_it_can_be_taken_back_before_it_leaves(tmp_path: Path) -> None:
    slow = Preferences(debounce_s=0, undo_s=5, typing_base_s=0, typing_s_per_60=0)
    async with engine_room(tmp_path, preferences=slow) as room:
        chat = await the_chat(room)
        written = await room.engine.composer.write(chat.chat_id, "mine", client_id="a")
        assert written.approval is not None
        await room.decide(written.approval, Undo())
        await room.pass_time(10)
        assert room.telegram.requests == []
        assert (await room.engine.queries.chats()).rows[0].planned_up_to == 0


async def test_a_press_counts_once(room: Room) -> None:
    chat = await the_chat(room)
    first = await room.engine.composer.write(chat.chat_id, "mine", client_id="a")
    again = await room.engine.composer.write(chat.chat_id, "mine", client_id="a")
    assert first.approval is not None
    assert again.approval is not None
    assert again.approval.approval_id == first.approval.approval_id
    await room.approval(TaskStatus.DONE)
    await room.worked_off()
    assert room.telegram.delivered() == ["mine"]


async def test_under_hold_it_asks_once_and_then_waits_for_the_release(room: Room) -> None:
    chat = await the_chat(room)
    await room.engine.holds.hold(HoldScope.ALL, reason="lunch")
    asked = await room.engine.composer.write(chat.chat_id, "mine", client_id="a")
    assert (asked.approval, asked.asks) == (None, True)
    assert asked.explanation == Note(Reason.HELD_PRESS_AGAIN, cause=Note(NoteKind.HELD, "lunch"))
    kept = await room.engine.composer.write(chat.chat_id, "mine", client_id="a", confirm=True)
    assert kept.approval is not None
    assert kept.approval.task_status is TaskStatus.APPROVED
    assert kept.explanation == Note(Reason.AFTER_RELEASE, cause=Note(NoteKind.HELD, "lunch"))
    await room.pass_time(30)
    assert room.telegram.requests == []
    backlog = await room.engine.holds.release()
    ticked = [item.approval for item in backlog.items if item.ticked]
    assert [approval.text for approval in ticked] == ["mine"]
    await room.pass_time(5)
    assert room.telegram.requests == []
    await room.engine.backlog.confirm(chat.info.account_id, ticked, client_id="b")
    await room.approval(TaskStatus.DONE)
    assert room.telegram.delivered() == ["mine"]


@pytest.mark.parametrize("text", ["", " \n", "a\x00b", "a\ud800b"])
async def test_what_cannot_be_sent_is_refused_with_words(room: Room, text: str) -> None:
    chat = await the_chat(room)
    written = await room.engine.composer.write(chat.chat_id, text, client_id="a")
    assert written.approval is None
    assert written.explanation
    assert (await room.engine.queries.chats()).rows[0].takeover_until is None


async def test_a_chat_that_took_no_messages_asks_and_is_tried_again(room: Room) -> None:
    chat = await the_chat(room)
    await room.store.transact(lambda tx: tx.chats.set_may_write(chat.chat_id, may_write=False))
    written = await room.engine.composer.write(chat.chat_id, "mine", client_id="a")
    assert (written.approval, written.explanation, written.asks) == (None, Note(Reason.NOT_WRITABLE), True)
    assert (await room.engine.queries.chats()).rows[0].takeover_until is None
    await room.engine.composer.write(chat.chat_id, "mine", client_id="a", confirm=True)
    await room.approval(TaskStatus.DONE)
    assert room.telegram.delivered() == ["mine"]
    assert (await room.engine.queries.chats()).rows[0].may_write


async def test_a_long_text_is_split_and_answers_a_known_message(room: Room) -> None:
    chat = await the_chat(room)
    text = "\n\n".join(["word " * 500] * 3)
    await room.engine.composer.write(chat.chat_id, text, client_id="a", reply_to_id=MessageId(1))
    await room.approval(TaskStatus.DONE)
    assert len(room.telegram.requests) > 1
    assert room.telegram.requests[0].reply_to_id == 1
    await room.engine.composer.write(chat.chat_id, "to nobody", client_id="b", reply_to_id=MessageId(99))
    await room.approval(TaskStatus.DONE, "to nobody")
    assert room.telegram.requests[-1].reply_to_id is None


async def test_one_that_was_cut_off_is_not_taken_for_a_message_from_the_phone(room: Room) -> None:
    chat = await the_chat(room)
    room.telegram.script.append(LOSE)
    written = await room.engine.composer.write(chat.chat_id, "mine", client_id="a")
    assert written.approval is not None
    await room.approval(TaskStatus.SENDING)
    room.clock.advance(20)
    await room.approval(TaskStatus.UNKNOWN)
    await room.reach(lambda: room.find(TaskStatus.DONE))
    first, second = room.telegram.requests
    assert first.random_id == second.random_id
    assert room.telegram.delivered() == ["mine"]


async def test_what_could_not_leave_because_the_account_was_away_comes_to_review(room: Room) -> None:
    chat = await the_chat(room)
    await room.engine.accounts.stop(chat.agent_id)
    await room.engine.composer.write(chat.chat_id, "mine", client_id="a")
    await room.pass_time(5)
    assert room.find(TaskStatus.APPROVED, "mine") is not None
    await room.pass_time(14 * 60, 60)
    assert room.find(TaskStatus.AWAITING_DECISION, "mine") is None
    await room.pass_time(2 * 60, 60)
    asks = await room.approval(TaskStatus.AWAITING_DECISION, "mine")
    assert AskReason.OVERDUE in asks.reasons
    assert room.telegram.requests == []


async def test_what_is_typed_survives_a_restart_in_its_own_chat_and_is_forgotten_once_it_is_sent(
    tmp_path: Path,
) -> None:
    async with engine_room(tmp_path) as room:
        chat = await the_chat(room)
        await room.engine.composer.keep(Unsent(chat.chat_id, "half a", MessageId(1)))
        await room.engine.composer.keep(Unsent(chat.chat_id, "half a thou", MessageId(1)))
    async with engine_room(tmp_path) as room:
        assert await room.engine.composer.load_kept() == (Unsent(chat.chat_id, "half a thou", MessageId(1)),)
        await room.engine.composer.write(chat.chat_id, "half a thought", client_id="a")
        assert await room.engine.composer.load_kept() == ()


async def test_the_operators_messages_leave_in_the_order_he_wrote_them(tmp_path: Path) -> None:
    async with engine_room(tmp_path, preferences=TYPED) as room:
        draft = await room.drafted()
        long = "a long story " * 60
        await room.engine.composer.write(draft.chat_id, long, client_id="a")
        await room.pass_time(1)
        await room.engine.composer.write(draft.chat_id, "the end", client_id="b")
        await room.pass_time(60)
        assert room.telegram.delivered() == [long.strip(), "the end"]


async def test_a_saved_edit_used_twice_is_one_message(room: Room) -> None:
    draft = await room.drafted()
    await room.decide(draft, Edit("mine"))
    room.model.script.append("# «think»\nbetter not")
    room.telegram.partner_writes("and another thing")
    await room.approval(TaskStatus.CANCELLED, "mine")
    (edit,) = (await room.engine.saved_edits.load(draft.chat_id)).rows
    use = room.engine.saved_edits.use_as_message
    await asyncio.gather(
        use(edit.saved_edit_id, client_id="a"), use(edit.saved_edit_id, client_id="b"), return_exceptions=True
    )
    await room.worked_off()
    assert room.telegram.delivered() == ["mine"]


async def test_an_edit_behind_a_step_that_failed_is_kept(room: Room) -> None:
    room.model.script.append("# «send»\none\n# «send»\ntwo")
    two = await room.drafted("hello", "two")
    one = await room.approval(TaskStatus.AWAITING_DECISION, "one")
    await room.decide(two, ApproveEdited("my two"))
    room.telegram.script.append(SendRefusedError("CHAT_WRITE_FORBIDDEN", "CHAT_WRITE_FORBIDDEN"))
    await room.decide(one, ApproveEdited("my one"))
    await room.approval(TaskStatus.FAILED)
    await room.approval(TaskStatus.CANCELLED)
    rows = (await room.engine.saved_edits.load(two.chat_id)).rows
    assert [(edit.base, edit.mine) for edit in rows] == [("two", "my two")]


async def test_back_online_the_operators_messages_still_leave_in_his_order(tmp_path: Path) -> None:
    async with engine_room(tmp_path, preferences=replace(TYPED, undo_s=5)) as room:
        draft = await room.drafted()
        await room.engine.composer.write(draft.chat_id, "short", client_id="a")
        long = "a long story " * 60
        await room.engine.composer.write(draft.chat_id, long, client_id="b")
        await room.engine.accounts.stop(draft.agent_id)
        await room.pass_time(120, 10)
        assert room.telegram.delivered() == []
        room.engine.accounts.start(draft.agent_id)
        await room.pass_time(60)
        assert room.telegram.delivered() == ["short", long.strip()]
