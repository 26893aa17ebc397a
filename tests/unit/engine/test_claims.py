"""Claims on a real store: what leaves, and what stays approved."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, time, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from chimein_gui.domain.approvals import Approval, AskReason
from chimein_gui.domain.chats import QuietHours, TrustLevel
from chimein_gui.domain.events import TaskStatusChanged
from chimein_gui.domain.tasks import LedgerState, Origin, TaskStatus
from chimein_gui.engine.ports import GraphStanding, ServerWait
from tests.support.decision_room import ACCOUNT, DecisionRoom, decision_room

S, L, R = TaskStatus, LedgerState, AskReason
LONG = "x" * 5_000
"""Two messages."""


async def test_what_nothing_hinders_leaves(room: DecisionRoom) -> None:
    approval = await room.approved()
    result = await room.claim(approval)
    assert result.claim is not None
    assert (result.claim.row.state, result.claim.row.claimed_at) == (L.SENDING, room.clock.now())
    assert (result.claim.row.text, result.claim.row.by_rule) == ("hello", False)
    assert result.claim.approval.task_status is S.SENDING
    assert [(type(e), e.approval.task_status) for e in result.events] == [(TaskStatusChanged, S.SENDING)]  # type: ignore[union-attr]
    assert (await room.now(approval)).parts[0].state is L.SENDING


async def test_it_leaves_once(room: DecisionRoom) -> None:
    approval = await room.approved()
    assert (await room.claim(approval)).claim is not None
    again = await room.claim(approval)
    assert (again.claim, again.events) == (None, [])
    assert len(await room.rows(approval)) == 1


@pytest.mark.parametrize("status", ["open", "rejected"])
async def test_what_is_not_approved_is_left_alone(room: DecisionRoom, status: str) -> None:
    approval = await room.one()
    if status == "rejected":
        await room.do(lambda tx: tx.tasks.save(replace(tx.tasks.get(approval.task_id), status=S.SKIPPED)))
    before = await room.now(approval)
    result = await room.claim(approval)
    assert (result.claim, result.events) == (None, [])
    assert await room.now(approval) == before


async def test_a_rules_send_counts_for_the_caps_and_the_operators_does_not(room: DecisionRoom) -> None:
    since = room.clock.now()
    await room.sent(await room.automatic())
    await room.trust(TrustLevel.REVIEW)
    await room.sent(await room.approved())
    assert await room.do(lambda tx: tx.ledger.automatic_since(since, account_id=ACCOUNT)) == 1


async def test_what_a_rule_has_perhaps_sent_counts_though_the_operator_sends_it_again(room: DecisionRoom) -> None:
    since = room.clock.now()
    back = await room.perhaps_not_delivered(await room.automatic())
    await room.sent((await room.press(back)).approval)
    assert await room.do(lambda tx: tx.ledger.automatic_since(since, account_id=ACCOUNT)) == 1


async def stays(room: DecisionRoom, approval: Approval, again: datetime | None) -> None:
    before = await room.now(approval)
    result = await room.claim(approval)
    assert (result.claim, result.look_again_at) == (None, again)
    assert result.note
    assert (await room.now(approval)).task_status is S.APPROVED
    assert await room.now(approval) == before


async def test_offline(room: DecisionRoom) -> None:
    approval = await room.approved()
    room.levers.online = False
    await stays(room, approval, None)
    room.levers.online = True
    assert (await room.claim(approval)).claim is not None


async def test_telegrams_waits(room: DecisionRoom) -> None:
    approval = await room.approved()
    until = room.clock.now() + timedelta(minutes=5)

    async def wait(method: str, until: datetime) -> None:
        await room.do(lambda tx: tx.waits.put(ServerWait(ACCOUNT, None, method, until)))

    await wait("block", until + timedelta(minutes=5))  # another method's, so it does not count
    await wait("send_text", until)
    await stays(room, approval, until)
    room.clock.advance(300)
    assert (await room.claim(approval)).claim is not None


async def test_slow_mode_holds_whatever_goes_to_the_chat(room: DecisionRoom) -> None:
    approval = await room.approved()
    until = room.clock.now() + timedelta(minutes=5)
    await room.do(lambda tx: tx.waits.put(ServerWait(ACCOUNT, room.chat_id, "send_sticker", until)))
    await stays(room, approval, until)


async def test_a_wait_beyond_the_misfire_limit_ends_in_review(room: DecisionRoom) -> None:
    approval = await room.approved()
    until = room.clock.now() + timedelta(minutes=20)
    await room.do(lambda tx: tx.waits.put(ServerWait(ACCOUNT, None, "send_text", until)))
    room.clock.advance(1_199)
    await stays(room, approval, until)
    room.clock.advance(1)
    assert (await room.claim(approval)).claim is None
    assert R.OVERDUE in (await room.now(approval)).reasons


@pytest.mark.parametrize("state", [L.SENDING, L.UNKNOWN])
async def test_one_at_a_time_in_a_chat(room: DecisionRoom, state: LedgerState) -> None:
    first, second = await room.approved("one"), await room.approved("two", standing=GraphStanding.BESIDE)
    assert (await room.claim(first)).claim is not None
    if state is L.UNKNOWN:
        await room.end_request(first, state)
    await stays(room, second, None)
    await room.end_request(first, L.SENT)
    assert (await room.claim(second)).claim is not None


async def test_between_two_parts_nothing_else_leaves(room: DecisionRoom) -> None:
    first, second = await room.approved(LONG), await room.approved("two", standing=GraphStanding.BESIDE)
    assert (await room.claim(first)).claim is not None
    await room.end_request(first, L.SENT)  # part 1; part 2 is not on its way yet
    await stays(room, second, None)


async def test_sends_leave_in_plan_order(room: DecisionRoom) -> None:
    one, two = await room.plan("one", "two")
    later = (await room.press(two)).approval
    assert later.due_at is None
    await stays(room, later, None)
    first = (await room.press(one)).approval
    await stays(room, later, None)
    await room.sent(first)
    assert (await room.now(later)).due_at == room.clock.now()
    assert (await room.claim(later)).claim is not None


async def test_quiet_hours_hold_what_is_automatic_and_do_not_make_it_late(tmp_path: Path) -> None:
    """15:00 in Berlin; quiet until 07:00, which is 16 hours later."""
    async with decision_room(tmp_path, zone=ZoneInfo("Europe/Berlin")) as room:
        approval = await room.automatic()
        await room.settings(quiet_hours=QuietHours(time(15), time(2)))
        until = datetime(2026, 11, 21, 1, tzinfo=UTC)
        result = await room.claim(approval)
        assert (result.claim, result.look_again_at) == (None, until)
        waiting = await room.now(approval)
        assert (waiting.task_status, waiting.due_at) == (S.APPROVED, until)
        assert result.events == [TaskStatusChanged(waiting, result.events[0].revision)]  # the card tells when
        room.clock.advance((until - room.clock.now()).total_seconds() - 1)
        await stays(room, approval, until)
        room.clock.advance(1)
        assert (await room.claim(approval)).claim is not None


async def test_whatever_else_holds_a_send_in_quiet_hours_it_is_not_late(room: DecisionRoom) -> None:
    approval = await room.automatic()
    await room.settings(quiet_hours=QuietHours(time(14), time(15)))
    room.levers.online = False
    result = await room.claim(approval)
    assert (result.claim, result.look_again_at) == (None, None)
    room.clock.advance(3600)
    room.levers.online = True
    assert (await room.claim(approval)).claim is not None


async def test_quiet_hours_do_not_hold_the_operator(room: DecisionRoom) -> None:
    await room.settings(quiet_hours=QuietHours(time(14), time(15)))
    assert (await room.claim(await room.approved())).claim is not None


async def test_an_open_editor_holds_what_is_automatic_in_its_chat(room: DecisionRoom) -> None:
    approval = await room.automatic()
    room.levers.edited = {room.chat_id}
    await stays(room, approval, None)
    mine = await room.approved("mine", origin=Origin.OPERATOR, standing=GraphStanding.BESIDE)
    await room.sent(mine)
    room.levers.edited = set()
    assert (await room.claim(approval)).claim is not None
