"""The quiet window, and what a trigger does to a model call."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from chimein_gui.domain.approvals import AskReason
from chimein_gui.domain.chats import TrustLevel
from chimein_gui.domain.costs import CallEnd
from chimein_gui.domain.errors import ModelTransientError
from chimein_gui.domain.notes import Note, NoteKind
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.engine.triggers.triggers import extend_for_typing, open_window, unanswered
from tests.support.planning_room import PlanningRoom

S = TaskStatus


async def due_in(room: PlanningRoom) -> float:
    received = await room.due_plan()
    assert received.due_at is not None
    return (received.due_at - room.room.clock.now()).total_seconds()


async def partner_types(room: PlanningRoom) -> None:
    await room.room.do(lambda tx: extend_for_typing(tx, tx.chats.get(room.room.chat_id), room.room.environment))


async def test_two_messages_within_the_quiet_window_cost_one_model_call(room: PlanningRoom) -> None:
    await room.trigger("hello")
    await room.later(1.4)
    await room.trigger("are you there?")
    await room.later(1.4)
    assert room.model.prompts == []
    await room.later(0.1)
    assert len(room.model.prompts) == 1
    assert len((await room.graph()).trigger_ids) == 2
    assert "Still unanswered before it: 11." in room.model.prompts[0].last_block


async def test_neither_a_message_nor_typing_cuts_a_429_short(room: PlanningRoom) -> None:
    room.model.script.append(ModelTransientError("quota", 3600))
    await room.plan()
    await room.trigger("hello?")
    await partner_types(room)
    assert await due_in(room) == 3600
    assert len((await room.due_plan()).trigger_ids) == 2


async def interrupted(room: PlanningRoom, calls: int) -> None:
    """Let the call begin that is due, and let the partner write during it."""
    room.room.clock.advance(2)
    plan = await room.asking(calls)
    await room.trigger(f"wait {calls}")
    await plan


async def test_a_trigger_cancels_the_call_books_it_and_starts_the_window_again(room: PlanningRoom) -> None:
    room.close_gate()
    await room.trigger()
    await interrupted(room, 1)
    received = await room.due_plan()
    assert (received.status, received.restarts, received.attempts) == (S.WAITING, 1, 0)
    assert received.window_began_at == room.room.clock.now()
    assert await due_in(room) == 1.5
    assert [call.end for call in await room.booked()] == [CallEnd.CANCELLED]
    assert len(received.trigger_ids) == 2


async def test_at_most_two_calls_are_cancelled_then_one_finishes_and_the_next_trigger_replans(
    room: PlanningRoom,
) -> None:
    gate = room.close_gate()
    await room.trigger()
    await interrupted(room, 1)
    await interrupted(room, 2)
    room.room.clock.advance(2)
    plan = await room.asking(3)
    await room.trigger("wait 3")
    gate.set()
    await plan
    assert [call.end for call in await room.booked()] == [CallEnd.CANCELLED] * 2 + [CallEnd.ANSWERED]
    (draft,) = await room.drafts()
    assert AskReason.CHANGED in draft.reasons
    following = await room.due_plan()
    assert (following.status, following.restarts) == (S.WAITING, 0)
    assert len(following.trigger_ids) == 4


async def test_a_trigger_the_planner_was_not_told_of_in_time_is_seen_at_the_end(room: PlanningRoom) -> None:
    gate = room.close_gate()
    await room.due()
    plan = await room.asking(1)
    await room.write("one more")

    def note(tx):
        chat = tx.chats.get(room.room.chat_id)
        open_window(tx, chat, unanswered(tx, chat), room.room.environment)

    await room.room.do(note)
    gate.set()
    await plan
    received = await room.due_plan()
    assert (received.status, received.restarts) == (S.WAITING, 1)
    assert await room.room.do(lambda tx: tx.graphs.current_of(room.room.chat_id)) is None


async def test_an_own_send_confirmed_meanwhile_rebuilds_the_prompt(room: PlanningRoom) -> None:
    beside = await room.room.beside("by the way")
    beside = (await room.room.press(beside)).approval
    claimed = await room.room.claim(beside)
    assert claimed.claim is not None
    gate = room.close_gate()
    await room.due()
    plan = await room.asking(1)
    await room.confirm(beside, claimed.claim.row.ledger_id)
    gate.set()
    await plan
    received = await room.due_plan()
    assert (received.status, received.restarts, received.reason) == (S.WAITING, 0, Note(NoteKind.SENT_MEANWHILE))
    await room.planner.plan(room.room.chat_id)
    assert any("by the way" in turn.parts for turn in room.model.prompts[1].turns)
    (draft,) = await room.drafts()
    assert not draft.is_stale


async def test_the_operators_own_answer_during_the_call_makes_the_plan_needless(room: PlanningRoom) -> None:
    (old,) = await room.planned()
    gate = room.close_gate()
    await room.due("shall we meet at five?")
    plan = await room.asking(2)
    own = await room.write("yes, at five", out=True)
    await room.room.do(lambda tx: tx.chats.set_planned_up_to(room.room.chat_id, own.key.message_id))
    gate.set()
    await plan
    assert await room.received() is None
    assert [draft.approval_id for draft in await room.drafts(S.AWAITING_DECISION)] == [old.approval_id]


async def test_what_waited_for_its_turn_is_not_planned_in_a_takeover_or_where_trust_is_off(room: PlanningRoom) -> None:
    await room.due()
    chat_id, until = room.room.chat_id, room.room.clock.now() + timedelta(minutes=30)
    await room.room.do(lambda tx: tx.chats.set_takeover(chat_id, until))
    await room.run()
    await room.room.do(lambda tx: tx.chats.set_takeover(chat_id, None))
    await room.room.trust(TrustLevel.OFF)
    await room.run()
    assert room.model.prompts == []
    await room.room.trust(TrustLevel.REVIEW)
    await room.run()
    assert len(room.model.prompts) == 1


async def test_an_edit_of_the_prompt_during_the_call_is_on_the_card(room: PlanningRoom) -> None:
    from chimein_gui.engine.triggers.staleness import message_changed

    gate = room.close_gate()
    message = await room.due("meet at five")
    plan = await room.asking(1)
    edited = replace(message, text="meet at SIX", edited_at=room.room.clock.now())

    def edit(tx):
        tx.messages.edit(edited)
        return message_changed(tx, tx.chats.get(room.room.chat_id), edited)

    await room.room.do(edit)
    gate.set()
    await plan
    (draft,) = await room.drafts()
    assert AskReason.CHANGED in draft.reasons
    assert draft.is_stale
