"""Claims on a real store: what goes back to review."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from chimein_gui.domain.approvals import AskReason, Postpone
from chimein_gui.domain.chats import ChatInfo, ChatKind, TrustLevel
from chimein_gui.domain.events import TaskStatusChanged
from chimein_gui.domain.holds import HoldScope
from chimein_gui.domain.ids import MessageId, PeerId
from chimein_gui.domain.tasks import ApprovalState, LedgerState, TaskStatus
from chimein_gui.engine.policy.trust import cap_reached
from chimein_gui.engine.ports import GraphStanding, Transaction
from tests.support.decision_room import ACCOUNT, QUICK, DecisionRoom, decision_room

S, L, R = TaskStatus, LedgerState, AskReason
Step = Callable[[DecisionRoom], Awaitable[object]]


async def hold_in_memory(room: DecisionRoom) -> None:
    room.levers.memory_hold = "the disk is full"


async def take_over(room: DecisionRoom) -> None:
    room.clock.advance(1)
    until = room.clock.now() + timedelta(seconds=room.levers.preferences.takeover_s)
    await room.do(lambda tx: tx.chats.set_takeover(room.chat_id, until))


async def overdue(room: DecisionRoom) -> None:
    room.clock.advance(901)


BACK: dict[str, tuple[Step, AskReason]] = {
    "everything is held": (lambda room: room.hold(), R.HELD),
    "its account is held": (lambda room: room.hold(HoldScope.ACCOUNT, ACCOUNT), R.HELD),
    "its chat is held": (lambda room: room.hold(HoldScope.CHAT, room.chat_id), R.HELD),
    "held in memory": (hold_in_memory, R.HELD),
    "taken over": (take_over, R.TAKEOVER),
    "off": (lambda room: room.trust(TrustLevel.OFF), R.REVIEW),
    "observe": (lambda room: room.trust(TrustLevel.OBSERVE), R.REVIEW),
    "overdue": (overdue, R.OVERDUE),
}
"""What sends everything back that has not left, and how the card says so."""


@pytest.mark.parametrize(("step", "reason"), BACK.values(), ids=BACK)
@pytest.mark.parametrize("by", ["operator", "rule"])
async def test_what_goes_back_to_review(room: DecisionRoom, step: Step, reason: AskReason, by: str) -> None:
    approval = await room.automatic() if by == "rule" else await room.approved()
    (prepared,) = await room.rows(approval)
    await step(room)
    result = await room.claim(approval)
    assert result.claim is None
    card = await room.now(approval)
    assert (card.state, card.task_status) == (ApprovalState.OPEN, S.AWAITING_DECISION)
    assert (card.due_at, card.decided_at, card.decided_by) == (None, None, "")
    assert reason in card.reasons
    assert card.note == result.note is not None
    assert card.version == approval.version + 1
    assert await room.rows(approval) == ()  # voided
    assert (await room.do(lambda tx: tx.ledger.get(prepared.ledger_id))).state is L.VOID
    assert any(isinstance(event, TaskStatusChanged) and event.approval == card for event in result.events)


@pytest.mark.parametrize(("scope", "target"), [(HoldScope.ACCOUNT, 5), (HoldScope.CHAT, 500)], ids=str)
async def test_a_hold_elsewhere_does_not_count(room: DecisionRoom, scope: HoldScope, target: int) -> None:
    approval = await room.approved()
    await room.hold(scope, target)
    assert (await room.claim(approval)).claim is not None


async def test_what_the_operator_approves_after_his_own_message_leaves(room: DecisionRoom) -> None:
    approval = await room.one()
    await take_over(room)
    approved = (await room.press(approval)).approval
    assert (await room.claim(approved)).claim is not None


async def lose_rule(room: DecisionRoom) -> None:
    def work(tx: Transaction) -> None:
        graph = tx.graphs.current_of(room.chat_id)
        assert graph is not None
        tx.graphs.save(replace(graph, lost_rule=True))

    await room.do(work)


RULE_GONE: dict[str, tuple[Step, AskReason]] = {
    "review": (lambda room: room.trust(TrustLevel.REVIEW), R.REVIEW),
    "countdown": (lambda room: room.trust(TrustLevel.COUNTDOWN), R.REVIEW),
    "the time of auto is over": (lambda room: room.trust(TrustLevel.AUTO, room.clock.now()), R.REVIEW),
    "limited": (lambda room: room.do(lambda tx: tx.accounts.set_limited(ACCOUNT, "PEER_FLOOD")), R.LIMITED),
    "lived through a hold": (lose_rule, R.HELD),
}
"""What ends the rule that approved a send, and nothing else."""


@pytest.mark.parametrize(("step", "reason"), RULE_GONE.values(), ids=RULE_GONE)
async def test_a_rules_approval_holds_only_while_its_rule_holds(
    room: DecisionRoom, step: Step, reason: AskReason
) -> None:
    approval = await room.automatic()
    await step(room)
    assert (await room.claim(approval)).claim is None
    card = await room.now(approval)
    assert (card.task_status, card.reasons) == (S.AWAITING_DECISION, (reason,))


@pytest.mark.parametrize("step", [step for step, _ in RULE_GONE.values()], ids=RULE_GONE)
async def test_an_operators_approval_needs_no_rule(room: DecisionRoom, step: Step) -> None:
    approval = await room.approved()
    await step(room)
    assert (await room.claim(approval)).claim is not None


async def test_requests_of_another_version_never_leave(room: DecisionRoom) -> None:
    approval = await room.approved()
    await room.change(approval, text="something else", version=approval.version + 1)
    assert (await room.claim(approval)).claim is None
    assert (await room.now(approval)).task_status is S.AWAITING_DECISION


@pytest.mark.parametrize("by", ["operator", "rule"])
async def test_a_changed_conversation_goes_back_and_has_to_be_looked_at(room: DecisionRoom, by: str) -> None:
    approval = await room.automatic() if by == "rule" else await room.approved()
    await room.conversation_changes(approval)
    assert (await room.claim(approval)).claim is None
    card = await room.now(approval)
    assert card.is_stale
    assert R.CHANGED in card.reasons


async def test_a_draft_that_turns_twelve_hours_old_goes_back_and_has_to_be_looked_at(room: DecisionRoom) -> None:
    draft = await room.one()
    await room.press(draft, Postpone(room.clock.now() + timedelta(hours=13)))
    approval = (await room.press(draft)).approval
    room.clock.advance(13 * 3600)
    assert (await room.claim(approval)).claim is None
    card = await room.now(approval)
    assert card.is_stale
    assert R.OLD in card.reasons
    approved = (await room.press(card, seen_up_to=card.changed_at)).approval
    assert (await room.claim(approved)).claim is not None


@pytest.mark.parametrize(("caps", "cap"), [((2, 60), True), ((20, 2), True), ((3, 3), False), ((0, 0), False)], ids=str)
async def test_so_many_automatic_sends_an_hour(room: DecisionRoom, caps: tuple[int, int], cap: bool) -> None:
    approvals = [await room.automatic() for _ in range(3)]
    room.levers.preferences = replace(QUICK, chat_cap=caps[0], account_cap=caps[1])
    await room.sent(approvals[0])
    await room.sent(approvals[1])
    assert (await room.claim(approvals[2])).claim is None if cap else (await room.claim(approvals[2])).claim
    assert (R.CAP in (await room.now(approvals[2])).reasons) == cap


async def test_a_cap_counts_one_hour_and_holds_only_rules(tmp_path: Path) -> None:
    async with decision_room(tmp_path, preferences=replace(QUICK, chat_cap=1, misfire_s=10**6)) as room:
        first, second = [await room.automatic() for _ in range(2)]
        await room.sent(first)
        assert (await room.sent(await room.approved("mine", standing=GraphStanding.BESIDE))).task_status is S.DONE
        room.clock.advance(3600)
        assert (await room.claim(second)).claim is None  # claimed exactly an hour ago still counts
        assert R.CAP in (await room.now(second)).reasons
        room.clock.advance(1)
        third = await room.automatic()
        assert (await room.claim(third)).claim is not None


async def reached(room: DecisionRoom, *, chat_cap: int = 0, account_cap: int = 0) -> bool:
    caps = replace(QUICK, chat_cap=chat_cap, account_cap=account_cap)
    return bool(await room.do(lambda tx: cap_reached(tx, tx.chats.get(room.chat_id), caps, room.clock.now())))


async def test_the_accounts_cap_counts_all_its_chats_and_the_chats_only_its_own(room: DecisionRoom) -> None:
    await room.sent(await room.automatic())

    def other_chat(tx: Transaction) -> None:
        info = ChatInfo(ACCOUNT, PeerId(78), ChatKind.DM, "Ida")
        agent_id = tx.chats.get(room.chat_id).agent_id
        room.chat_id = tx.chats.ensure(agent_id, info, planned_up_to=MessageId(0))[0].chat_id

    await room.do(other_chat)
    assert not await reached(room, chat_cap=1)
    assert await reached(room, account_cap=1)


async def test_a_split_text_is_one_send(room: DecisionRoom) -> None:
    long = await room.automatic("x" * 9_000)
    assert (await room.claim(long)).claim is not None
    await room.end_request(long, LedgerState.SENT)
    assert await reached(room, chat_cap=1)
    assert not await reached(room, chat_cap=2)
