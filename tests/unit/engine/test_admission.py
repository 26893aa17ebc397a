"""Admission: why a planned send asks, and which rule lets it pass."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from chimein_gui.domain.approvals import AskReason, Rule
from chimein_gui.domain.chats import AUTOMATIC, ChatKind, TrustLevel
from chimein_gui.domain.holds import HoldScope
from chimein_gui.domain.ids import MessageId, UserId
from chimein_gui.domain.messages import LONGEST_TEXT, Message, MessageKey
from chimein_gui.domain.plans.planned_steps import PlannedStep, PromptCoverage
from chimein_gui.domain.plans.stickers import StickerRef
from chimein_gui.domain.settings.preferences import Preferences
from chimein_gui.domain.tasks import ApprovalState, LedgerState, Origin, TaskKind, TaskStatus
from chimein_gui.engine.approvals.admission import text_problem
from tests.support.decision_room import ACCOUNT, PARTNER, QUICK, DecisionRoom, decision_room

S, R, L, K = TaskStatus, AskReason, TrustLevel, TaskKind
ASKS = (S.AWAITING_DECISION, ApprovalState.OPEN)
PASSES = (S.APPROVED, ApprovalState.APPROVED)


@pytest.mark.parametrize(
    ("level", "state", "decided_by", "reasons"),
    [
        (L.OFF, (S.OBSERVED, ApprovalState.OBSERVED), "", ()),
        (L.OBSERVE, (S.OBSERVED, ApprovalState.OBSERVED), "", ()),
        (L.REVIEW, ASKS, "", (R.REVIEW,)),
        (L.COUNTDOWN, PASSES, Rule.COUNTDOWN_TRUST, ()),
        (L.AUTO, PASSES, Rule.AUTO_TRUST, ()),
    ],
)
async def test_what_becomes_of_a_draft_at_each_level(
    room: DecisionRoom, level: TrustLevel, state: tuple[TaskStatus, ApprovalState], decided_by: str, reasons: object
) -> None:
    await room.trust(level)
    approval = await room.one()
    assert ((approval.task_status, approval.state), approval.decided_by) == (state, decided_by)
    assert approval.reasons == reasons
    assert [row.state for row in await room.rows(approval)] == [LedgerState.PREPARED] * (state == PASSES)


@pytest.mark.parametrize("level", sorted(AUTOMATIC))
@pytest.mark.parametrize("kind", [K.BLOCK, K.UNBLOCK, K.CLEAR_CONVERSATION, K.SHUTDOWN])
async def test_what_cannot_be_taken_back_always_asks(room: DecisionRoom, level: TrustLevel, kind: TaskKind) -> None:
    await room.trust(level)
    (action,) = await room.plan(PlannedStep(kind))
    assert (action.task_status, action.reasons) == (S.AWAITING_DECISION, (R.IRREVERSIBLE,))


@pytest.mark.parametrize("level", sorted(AUTOMATIC))
async def test_the_first_message_in_a_chat_always_asks(tmp_path: Path, level: TrustLevel) -> None:
    async with decision_room(tmp_path, known=False) as room:
        await room.trust(level)
        await room.written(4, out=False)
        sticker = StickerRef("cats", "😺", 5, "😺")
        for step in (PlannedStep(K.SEND, "hello"), PlannedStep(K.STICKER, "😺", sticker=sticker)):
            (first,) = await room.plan(step)
            assert (first.task_status, first.reasons) == (S.AWAITING_DECISION, (R.FIRST_MESSAGE,))
        await room.written(5, out=True)  # from another device
        assert (await room.one()).by_rule


Step = Callable[[DecisionRoom], Awaitable[object]]


async def hold(room: DecisionRoom) -> None:
    await room.hold(HoldScope.ACCOUNT, ACCOUNT)


async def disk_full(room: DecisionRoom) -> None:
    room.levers.memory_hold = "the disk is full"


async def take_over(room: DecisionRoom) -> None:
    await room.do(lambda tx: tx.chats.set_takeover(room.chat_id, room.clock.now() + timedelta(seconds=1)))


async def limit(room: DecisionRoom) -> None:
    await room.do(lambda tx: tx.accounts.set_limited(ACCOUNT, "PEER_FLOOD"))


async def cap(room: DecisionRoom) -> None:
    room.levers.preferences = replace(QUICK, chat_cap=1)
    await room.sent(await room.one())


OBSTACLES = [(hold, R.HELD), (disk_full, R.HELD), (take_over, R.TAKEOVER), (limit, R.LIMITED), (cap, R.CAP)]


@pytest.mark.parametrize("level", sorted(AUTOMATIC))
@pytest.mark.parametrize(("step", "reason"), OBSTACLES)
async def test_what_turns_automatic_into_asking(
    tmp_path: Path, level: TrustLevel, step: Step, reason: AskReason
) -> None:
    preferences = replace(QUICK, countdown_s=0)
    async with decision_room(tmp_path, preferences=preferences) as room:
        await room.trust(level)
        if step is cap:
            await room.sent(await room.one())
            room.levers.preferences = replace(preferences, chat_cap=1)
        else:
            await step(room)
        approval = await room.one()
        assert (approval.task_status, approval.reasons) == (S.AWAITING_DECISION, (reason,))
        assert await room.rows(approval) == ()


@pytest.mark.parametrize("step", [step for step, _ in OBSTACLES if step is not cap])
async def test_in_review_they_are_no_reasons_of_their_own(room: DecisionRoom, step: Step) -> None:
    await step(room)
    assert (await room.one()).reasons == (R.REVIEW,)


async def test_what_changed_while_the_model_was_thinking_asks_and_wants_to_be_looked_at(room: DecisionRoom) -> None:
    await room.trust(L.AUTO)
    revision = await room.do(lambda tx: tx.revision)
    approval = await room.one(seen=PromptCoverage(revision, MessageId(4), changed=True, newer=2))
    assert (approval.task_status, approval.reasons) == (S.AWAITING_DECISION, (R.CHANGED,))
    assert approval.is_stale
    assert (approval.seen_up_to, approval.covers_up_to, approval.newer) == (revision, 4, 2)


async def test_the_strongest_reason_stands_first(tmp_path: Path) -> None:
    async with decision_room(tmp_path, known=False) as room:
        await room.trust(L.AUTO)
        await limit(room)
        await hold(room)
        approval = await room.one("\N{ZERO WIDTH SPACE}\x00")
        assert approval.reasons == (R.FIRST_MESSAGE, R.HELD, R.LIMITED, R.UNSENDABLE)


@pytest.mark.parametrize("text", ["", "  \n", "a\x00b", "a\ud800", "x" * (LONGEST_TEXT + 1)])
async def test_a_text_that_cannot_be_sent_is_told(text: str) -> None:
    assert text_problem(text)


@pytest.mark.parametrize(
    ("level", "due_s"), [(L.AUTO, 4), (L.COUNTDOWN, 30)], ids=["typing", "countdown is longer than typing"]
)
async def test_when_a_rules_send_leaves(tmp_path: Path, level: TrustLevel, due_s: float) -> None:
    """Typing takes 4 s here."""
    async with decision_room(tmp_path, preferences=Preferences()) as room:
        await room.trust(level)
        one, two = await room.plan("x" * 120, "y" * 120)
        assert one.due_at == room.clock.now() + timedelta(seconds=due_s)
        assert two.due_at is None
        room.clock.advance(due_s)
        await room.sent(one)
        assert (await room.now(two)).due_at == room.clock.now() + timedelta(seconds=4)


# --- beside the plan, and variants


@pytest.mark.parametrize("level", [L.OFF, L.OBSERVE, L.REVIEW, L.AUTO])
async def test_the_operators_own_message_skips_the_trust_gate(tmp_path: Path, level: TrustLevel) -> None:
    async with decision_room(tmp_path, known=False) as room:
        await room.trust(level)
        await take_over(room)
        mine = await room.beside("hello", origin=Origin.OPERATOR)
        assert (mine.task_status, mine.decided_by, mine.reasons) == (S.APPROVED, "operator", ())
        assert (await room.claim(mine)).claim is not None


@pytest.mark.parametrize("step", [hold, disk_full])
async def test_the_operators_own_message_asks_under_hold(room: DecisionRoom, step: Step) -> None:
    await step(room)
    mine = await room.beside("hello", origin=Origin.OPERATOR)
    assert (mine.task_status, mine.reasons) == (S.AWAITING_DECISION, (R.HELD,))


async def joined(room: DecisionRoom) -> None:
    """Telegram tells that the account has joined: a service message that counts as outgoing."""
    key = MessageKey(ACCOUNT, PARTNER, MessageId(1))
    message = Message(key, UserId(ACCOUNT), "Nora", out=True, sent_at=room.clock.now(), text="", is_service=True)
    await room.do(lambda tx: tx.messages.put(room.chat_id, message))


async def test_having_joined_a_group_is_not_having_written_there(tmp_path: Path) -> None:
    async with decision_room(tmp_path, known=False, kind=ChatKind.GROUP) as room:
        await joined(room)
        await room.trust(TrustLevel.AUTO)
        card = await room.one()
        assert (card.task_status, card.reasons) == (TaskStatus.AWAITING_DECISION, (AskReason.FIRST_MESSAGE,))


async def test_what_was_written_on_another_device_and_deleted_counts(tmp_path: Path) -> None:
    async with decision_room(tmp_path, known=False, kind=ChatKind.GROUP) as room:
        await joined(room)
        await room.written(2, out=True)
        key = MessageKey(ACCOUNT, PARTNER, MessageId(2))
        message = await room.do(lambda tx: tx.messages.get(key))
        assert message is not None
        await room.do(lambda tx: tx.messages.edit(replace(message, deleted=True)))
        await room.trust(TrustLevel.AUTO)
        assert (await room.one()).by_rule
