"""Requests without an answer that were not found: sent again, or put before the operator (steps 3 and 4)."""

from __future__ import annotations

import pytest

from chimein_gui.domain.approvals import AskReason, RejectPlan, Verdict
from chimein_gui.domain.chats import ChatSettings, TrustLevel
from chimein_gui.domain.errors import GatewayError, NotConnectedError, RateLimitedError, SendRefusedError
from chimein_gui.domain.events import TaskStatusChanged
from chimein_gui.domain.messages import Message
from chimein_gui.domain.tasks import LedgerState, TaskStatus
from chimein_gui.engine.sending.confirmation import AFTER_RETRY
from chimein_gui.viewmodels.words.notes import note_words
from tests.fakes.telegram import HANG, LOSE, FakeGateway
from tests.support.send_room import SendRoom

D = TaskStatus.DONE
REVIEW = TaskStatus.AWAITING_DECISION
UNKNOWN = TaskStatus.UNKNOWN


# --- (3) nothing found: the same bytes again, with the same number


async def test_what_is_not_found_is_sent_again_with_the_same_number(room: SendRoom) -> None:
    draft = await room.cut_off(await room.chat())
    room.clock.advance(599)
    await room.back_online()
    assert await room.status(draft) == [D]
    first, second = room.telegram.requests
    assert first.random_id == second.random_id
    assert room.texts() == ["hi"]
    assert (await room.get(draft)).note == AFTER_RETRY


async def test_ten_minutes_count_from_the_first_claim(room: SendRoom) -> None:
    draft = await room.cut_off(await room.chat())
    for _ in range(2):
        room.telegram.script.append(LOSE)
        room.clock.advance(250)
        await room.connect()
        await room.worked_off()
        await room.lose_connection()
        await room.worked_off()
    assert len(room.telegram.requests) == 3
    room.clock.advance(250)
    await room.back_online()
    assert await room.status(draft) == [REVIEW]
    assert len(room.telegram.requests) == 3


async def test_a_flood_wait_on_the_repetition_keeps_it_unknown_and_is_waited_out(room: SendRoom) -> None:
    draft = await room.cut_off(await room.chat())
    room.telegram.script.append(RateLimitedError("FLOOD_WAIT_42", 42, "send_text"))
    await room.back_online()
    assert await room.status(draft) == [UNKNOWN]
    await room.pass_time(41)
    assert len(room.telegram.requests) == 2
    await room.pass_time(2)
    assert await room.status(draft) == [D]
    assert len({request.random_id for request in room.telegram.requests}) == 1


async def test_a_refusal_of_the_repetition_says_nothing_of_the_first_time(room: SendRoom) -> None:
    chat = await room.chat()
    one, two = await room.plan(chat, "one", "two")
    room.telegram.script.append(LOSE)
    await room.execute(one, two)
    await room.lose_connection()
    room.telegram.script.append(SendRefusedError("Marta has blocked this account", "USER_IS_BLOCKED"))
    await room.back_online()
    back = await room.get(one)
    assert back.task_status is REVIEW
    assert AskReason.NOT_DELIVERED in back.reasons
    assert "blocked" in note_words(back.note)
    assert [row.state for row in await room.rows(one)] == [LedgerState.UNKNOWN]
    assert await room.status(two) == [TaskStatus.APPROVED]


async def test_a_repetition_that_finds_no_connection_does_not_spin(room: SendRoom) -> None:
    draft = await room.cut_off(await room.chat())
    room.telegram.script.extend(NotConnectedError("moved elsewhere") for _ in range(3))
    await room.back_online()
    await room.pass_time(9)
    assert len(room.telegram.requests) <= 3
    await room.pass_time(20)
    assert await room.status(draft) == [D]


# --- (4) otherwise review


async def test_after_ten_minutes_it_asks_keeps_its_number_and_no_yes_makes_its_claim_younger(room: SendRoom) -> None:
    """The number is as old as its first claim: ten minutes after that Telegram may have forgotten it."""
    draft = await room.cut_off(await room.chat())
    room.clock.advance(600)
    await room.back_online()
    back = await room.get(draft)
    assert back.task_status is REVIEW
    assert back.reasons[0] is AskReason.NOT_DELIVERED
    room.telegram.script.append(LOSE)
    await room.execute(draft)
    await room.lose_connection()
    await room.worked_off()
    assert await room.status(draft) == [UNKNOWN]
    await room.back_online()
    assert await room.status(draft) == [REVIEW]
    assert len(room.telegram.requests) == 2
    await room.execute(draft)
    assert await room.status(draft) == [D]
    assert len({request.random_id for request in room.telegram.requests}) == 1


async def test_connection_lost_after_the_dispatch_and_a_newer_message_before_the_reconnect(room: SendRoom) -> None:
    chat = await room.chat()
    draft = await room.cut_off(chat)
    await room.keep(chat, room.telegram.store("are you there?", out=False))
    await room.back_online()
    back = await room.get(draft)
    assert back.task_status is REVIEW
    assert {AskReason.NOT_DELIVERED, AskReason.CHANGED} <= set(back.reasons)
    assert len(room.telegram.requests) == 1


async def test_a_rule_that_is_gone_does_not_repeat_what_it_approved(room: SendRoom) -> None:
    chat = await room.chat(trust=TrustLevel.AUTO)
    (draft,) = await room.plan(chat, "by itself")
    room.telegram.script.append(LOSE)
    room.wake(chat, room.clock.now())
    await room.worked_off()
    await room.lose_connection()
    await room.store.transact(lambda tx: tx.chats.set_settings(chat, ChatSettings(trust=TrustLevel.REVIEW)))
    await room.back_online()
    assert await room.status(draft) == [REVIEW]
    assert len(room.telegram.requests) == 1


# --- under hold, and around


class Unreadable(FakeGateway):
    """Its first look-ups fail as the test says."""

    failures: list[GatewayError]

    async def history(self, *args: object, **kwargs: object) -> tuple[Message, ...]:
        if self.failures:
            raise self.failures.pop()
        return await super().history(*args, **kwargs)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("failure", "pause_s"), [(NotConnectedError("no"), 5), (RateLimitedError("FLOOD_WAIT", 30, "history"), 30)]
)
async def test_a_look_up_that_fails_is_made_again(room: SendRoom, failure: GatewayError, pause_s: int) -> None:
    draft = await room.cut_off(await room.chat(), HANG)
    Unreadable.failures = [failure]
    room.telegram.make = Unreadable
    await room.back_online()
    await room.pass_time(pause_s - 1)
    assert await room.status(draft) == [UNKNOWN]
    await room.pass_time(1)
    assert await room.status(draft) == [D]


async def test_where_nobody_may_look_nothing_goes_out_again_by_itself(room: SendRoom) -> None:
    draft = await room.cut_off(await room.chat(), HANG)
    Unreadable.failures = [SendRefusedError("not in that chat any more", "CHANNEL_PRIVATE")]
    room.telegram.make = Unreadable
    await room.back_online()
    back = await room.get(draft)
    assert back.task_status is REVIEW
    assert AskReason.NOT_DELIVERED in back.reasons
    assert len(room.telegram.requests) == 1


async def test_what_is_unknown_is_not_sent_again_by_itself_after_the_plan_was_rejected(room: SendRoom) -> None:
    chat_id = await room.chat()
    one, two = await room.plan(chat_id, "one", "two")
    room.telegram.script.append(LOSE)
    await room.execute(one)
    await room.lose_connection()
    await room.worked_off()
    assert await room.status(one) == [UNKNOWN]
    assert (await room.decide(two, RejectPlan("no"))).verdict is Verdict.ACCEPTED
    told = [event.approval for event in room.of(TaskStatusChanged) if event.approval.approval_id == one.approval_id]
    assert AskReason.CHANGED in told[-1].reasons
    await room.back_online()
    await room.pass_time(60)
    assert room.texts() == []
    card = await room.get(one)
    assert card.task_status is REVIEW
    assert AskReason.NOT_DELIVERED in card.reasons
