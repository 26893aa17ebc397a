""" "Send anyway" and "send this one": a new planned send that waits for a decision."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from pathlib import Path

import pytest

from chimein_gui.domain.approvals import Approval, Approve, AskReason, Edit, Postpone, Reject, Verdict, may_be_resent
from chimein_gui.domain.chats import TrustLevel
from chimein_gui.domain.errors import SendRefusedError
from chimein_gui.domain.notes import Note
from chimein_gui.domain.settings.preferences import Preferences
from chimein_gui.domain.tasks import CancelReason, TaskStatus
from tests.support.engine_room import Room, engine_room

SLOW = Preferences(debounce_s=0, undo_s=5, typing_base_s=0, typing_s_per_60=0)


async def superseded(room: Room) -> Approval:
    """Have an approved draft replaced before it left."""
    await room.approved()
    room.telegram.partner_writes("and another thing")
    old = await room.approval(TaskStatus.CANCELLED, "answer 1")
    await room.approval(TaskStatus.AWAITING_DECISION, "answer 2")
    return old


async def observed(room: Room) -> Approval:
    room.telegram.operator_writes("me, on the phone")
    await room.worked_off()
    chat_id = (await room.engine.queries.chats()).rows[0].chat_id
    await room.engine.takeovers.resume(chat_id)
    await room.engine.chat_settings.set_trust(chat_id, TrustLevel.OBSERVE)
    room.telegram.partner_writes("hello")
    return await room.approval(TaskStatus.OBSERVED)


async def test_what_was_superseded_after_its_approval_can_be_sent_anyway(tmp_path: Path) -> None:
    async with engine_room(tmp_path, preferences=SLOW) as room:
        old = await superseded(room)
        assert old.note == Note(CancelReason.SUPERSEDED_AFTER_APPROVAL)
        card = await room.engine.resend.ask(old.approval_id, client_id="a")
        assert card is not None
        assert card.task_status is TaskStatus.AWAITING_DECISION
        assert AskReason.SENT_ANYWAY in card.reasons
        assert await room.engine.resend.ask(old.approval_id, client_id="a") == card
        assert await room.engine.resend.ask(old.approval_id, client_id="b") is None, "it is sent again once"
        assert not may_be_resent(room.newest(old))
        await room.drafted("more", "answer 3")
        assert room.newest(card).task_status is TaskStatus.AWAITING_DECISION, "a replan leaves it alone"
        card = room.newest(card)
        await room.decide(card, Approve(), seen_up_to=card.changed_at)
        await room.pass_time(6)
        assert room.telegram.delivered() == ["answer 1"]
        assert room.find(TaskStatus.AWAITING_DECISION, "answer 3") is not None


async def put_back(room: Room) -> Approval:
    """Have an approved draft put back by its claim, because the partner has edited what it answers."""
    hello = room.telegram.partner_writes("hello")
    draft = await room.approval(TaskStatus.AWAITING_DECISION)
    await room.decide(draft, Approve())
    await room.stored(room.telegram.partner_edits(hello, "hello there"))
    await room.pass_time(6)
    back = await room.approval(TaskStatus.AWAITING_DECISION, "answer 1")
    assert AskReason.CHANGED in back.reasons
    return back


async def replaced(room: Room) -> Approval:
    """Have the draft replaced by a new plan."""
    room.telegram.partner_writes("and another thing")
    old = await room.approval(TaskStatus.CANCELLED)
    await room.approval(TaskStatus.AWAITING_DECISION, "answer 2")
    return old


@pytest.mark.parametrize("postponed", [False, True])
async def test_what_was_put_back_after_its_approval_and_then_replaced_can_be_sent_anyway(
    tmp_path: Path, postponed: bool
) -> None:
    async with engine_room(tmp_path, preferences=SLOW) as room:
        back = await put_back(room)
        if postponed:
            await room.decide(back, Postpone(room.clock.now() + timedelta(minutes=5)))
        old = await replaced(room)
        assert old.note == Note(CancelReason.SUPERSEDED_AFTER_APPROVAL)
        card = await room.engine.resend.ask(old.approval_id, client_id="a")
        assert card is not None
        await room.decide(card, Approve())
        await room.pass_time(6)
        assert room.telegram.delivered() == ["answer 1"]


async def test_an_observed_draft_can_be_sent_and_asks_even_on_auto(room: Room) -> None:
    old = await observed(room)
    assert room.telegram.requests == []
    await room.engine.chat_settings.set_trust(old.chat_id, TrustLevel.AUTO)
    card = await room.engine.resend.ask(old.approval_id, client_id="a")
    assert card is not None
    await room.pass_time(5)
    assert room.newest(card).task_status is TaskStatus.AWAITING_DECISION
    await room.delivered(card)
    assert room.telegram.delivered()[1:] == ["answer 1"]


async def test_what_telegram_refused_can_be_asked_for_again(room: Room) -> None:
    room.telegram.script.append(SendRefusedError("She blocked the account", "USER_IS_BLOCKED"))
    await room.approved()
    failed = await room.approval(TaskStatus.FAILED)
    card = await room.engine.resend.ask(failed.approval_id, client_id="a")
    assert card is not None
    await room.delivered(card)
    assert room.telegram.delivered() == ["answer 1"]


async def test_what_was_rejected_or_edited_is_not_offered(room: Room) -> None:
    draft = await room.drafted()
    await room.decide(draft, Reject("no"))
    assert not may_be_resent(await room.approval(TaskStatus.SKIPPED))
    second = await room.drafted("more", "answer 2")
    await room.decide(second, Edit("mine"))
    room.telegram.partner_writes("even more")
    old = await room.approval(TaskStatus.CANCELLED, "mine")
    assert old.note == Note(CancelReason.SUPERSEDED)
    assert await room.engine.resend.ask(old.approval_id, client_id="b") is None


async def test_what_has_left_in_part_is_not_sent_once_more(room: Room) -> None:
    room.model.script.append("# «send»\n" + "\n\n".join(["word " * 700] * 2))
    room.telegram.script.extend(["", SendRefusedError("She blocked the account", "USER_IS_BLOCKED")])
    await room.approved()
    failed = await room.approval(TaskStatus.FAILED)
    assert len(room.telegram.delivered()) == 1
    assert await room.engine.resend.ask(failed.approval_id, client_id="a") is None


async def rejected(room: Room) -> Approval:
    draft = await room.drafted()
    assert (await room.decide(draft, Reject("too stiff"))).verdict is Verdict.ACCEPTED
    return await room.approval(TaskStatus.SKIPPED)


async def test_a_rejected_draft_comes_back_as_a_new_one_once(tmp_path: Path) -> None:
    async with engine_room(tmp_path, preferences=SLOW) as room:
        old = await rejected(room)
        card = await room.engine.resend.ask(old.approval_id, client_id="a")
        assert card is not None
        assert (card.text, card.task_status) == (old.text, TaskStatus.AWAITING_DECISION)
        assert card.approval_id != old.approval_id
        assert room.newest(old).task_status is TaskStatus.SKIPPED
        assert await room.engine.resend.ask(old.approval_id, client_id="b") is None
        await room.decide(card, Approve())
        await room.pass_time(6)
        assert room.telegram.delivered() == [old.text]


async def test_a_rejected_draft_that_was_replaced_stays_rejected(tmp_path: Path) -> None:
    async with engine_room(tmp_path, preferences=SLOW) as room:
        old = await rejected(room)
        room.telegram.partner_writes("and another thing")
        await room.approval(TaskStatus.AWAITING_DECISION, "answer 2")
        assert await room.engine.resend.ask(old.approval_id, client_id="a") is None


async def test_while_another_plan_is_made_a_rejected_draft_comes_back_changed_and_is_replaced_with_the_rest(
    tmp_path: Path,
) -> None:
    async with engine_room(tmp_path, preferences=SLOW) as room:
        old = await rejected(room)
        room.model.gate = asyncio.Event()
        room.telegram.partner_writes("and another thing")
        await room.model.asked(2)
        card = await room.engine.resend.ask(old.approval_id, client_id="a")
        assert card is not None
        assert (card.task_status, card.is_stale) == (TaskStatus.AWAITING_DECISION, True)
        assert (await room.decide(card, Approve(), seen_up_to=card.seen_up_to)).verdict is Verdict.CHANGED
        room.model.gate.set()
        await room.approval(TaskStatus.AWAITING_DECISION, "answer 2")
        assert room.newest(card).task_status is TaskStatus.CANCELLED
        assert room.telegram.delivered() == []
