"""What a chat has to do next: plans, waits, sends and look-ups, ordered in one place."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from chimein_gui.domain.approvals import Postpone
from chimein_gui.domain.chats import ChatSettings, TrustLevel
from chimein_gui.domain.holds import HoldScope
from chimein_gui.domain.ids import ApprovalId, ChatId
from chimein_gui.domain.settings.preferences import Preferences
from chimein_gui.domain.tasks import TaskKind, TaskStatus
from chimein_gui.engine.ports import ServerWait
from chimein_gui.engine.tasks.next_action import AT_ONCE, EndWait, NextAction, Plan, Resolve, Send, next_action
from tests.fakes.telegram import ACCOUNT, LOSE
from tests.support.send_room import SendRoom, send_room

D = TaskStatus.DONE
TYPES = Preferences(debounce_s=0, undo_s=10, typing_base_s=3, typing_s_per_60=0)


async def next_of(
    room: SendRoom, chat: ChatId, not_before: dict[ApprovalId, datetime | None] | None = None
) -> NextAction | None:
    return await room.store.read(lambda tx: next_action(tx, chat, room.environment, not_before))


async def wants_a_plan(room: SendRoom, chat: ChatId, in_s: float = 0) -> None:
    """A trigger has come: a plan is to be made."""
    due_at = room.clock.now() + timedelta(seconds=in_s)
    await room.store.transact(lambda tx: tx.tasks.add(chat, TaskKind.RECEIVED, TaskStatus.WAITING, due_at=due_at))


async def test_what_is_due_first_comes_first(tmp_path: Path) -> None:
    async with send_room(tmp_path, preferences=TYPES) as room:
        chat = await room.chat()
        (draft,) = await room.plan(chat, "hi")
        await room.approve(draft)
        await wants_a_plan(room, chat, in_s=2)
        first = await next_of(room, chat)
        assert isinstance(first, Plan)
        assert first.at == room.clock.now() + timedelta(seconds=2)
        meanwhile = first.meanwhile  # what leaves while the plan waits for its turn
        assert isinstance(meanwhile, Send)
        assert meanwhile.approval_id == draft.approval_id
        await room.decide(draft, Postpone(room.clock.now() + timedelta(hours=1)))
        again = await next_of(room, chat)
        assert isinstance(again, Plan)


async def test_what_a_claim_has_just_refused_does_not_stand_in_the_way_of_the_rest(tmp_path: Path) -> None:
    async with send_room(tmp_path, online=False) as room:
        chat = await room.chat()
        (draft,) = await room.plan(chat, "hi")
        await room.approve(draft)
        await room.connect()
        room.online.clear()
        await wants_a_plan(room, chat, in_s=60)
        online = replace(room.environment, can_send=lambda _account: True)
        now = room.clock.now()

        async def look(again: datetime | None) -> NextAction | None:
            return await room.store.read(lambda tx: next_action(tx, chat, online, {draft.approval_id: again}))

        soon, later, never = (
            await look(now + timedelta(seconds=30)),
            await look(now + timedelta(hours=8)),
            await look(None),
        )
        assert [work and (type(work), work.at) for work in (soon, later, never)] == [
            (Send, now + timedelta(seconds=30)),
            (Plan, now + timedelta(seconds=60)),
            (Plan, now + timedelta(seconds=60)),
        ]


async def test_an_unknown_outcome_comes_first_and_alone(room: SendRoom) -> None:
    chat = await room.chat()
    (draft,) = await room.plan(chat, "hi")
    room.telegram.script.append(LOSE)
    await room.execute(draft)
    await wants_a_plan(room, chat)
    await room.lose_connection()
    await room.worked_off()
    assert await next_of(room, chat) is None, "offline nothing can be looked up, and nothing else may be done"
    online = replace(room.environment, can_send=lambda _account: True)
    work = await room.store.read(lambda tx: next_action(tx, chat, online))
    assert work == Resolve(chat, draft.account_id, draft.approval_id, AT_ONCE)


async def test_offline_nothing_is_claimed_and_nothing_is_polled_until_it_is_overdue(tmp_path: Path) -> None:
    async with send_room(tmp_path, online=False) as room:
        chat = await room.chat()
        (draft,) = await room.plan(chat, "hi")
        await room.approve(draft)
        due_at = (await room.get(draft)).due_at
        assert due_at is not None
        work = await next_of(room, chat)
        assert work is not None
        assert work.at == due_at + timedelta(minutes=15, seconds=1)
        await room.connect()
        await room.worked_off()
        assert await room.status(draft) == [D]


async def test_offline_nothing_goes_back_before_a_wait_of_telegrams_is_over(tmp_path: Path) -> None:
    """Two sends that are overdue while a wait runs would else be claimed in turns without end."""
    async with send_room(tmp_path, online=False) as room:
        chat = await room.chat()
        (draft,) = await room.plan(chat, "hi")
        await room.approve(draft)
        until = room.clock.now() + timedelta(hours=1)
        await room.store.transact(lambda tx: tx.waits.put(ServerWait(ACCOUNT, None, "send_text", until)))
        work = await next_of(room, chat)
        assert work is not None
        assert work.at == until


@pytest.mark.parametrize("scope", [HoldScope.ALL, HoldScope.CHAT])
async def test_under_hold_planning_goes_on_and_sending_does_not(room: SendRoom, scope: HoldScope) -> None:
    chat = await room.chat()
    await room.holds.hold(scope, chat if scope is HoldScope.CHAT else 0)
    (draft,) = await room.plan(chat, "hi")
    await room.approve(draft)
    assert await next_of(room, chat) is None
    await wants_a_plan(room, chat)
    work = await next_of(room, chat)
    assert isinstance(work, Plan)


async def test_a_takeover_postpones_plans_and_off_ends_them(room: SendRoom) -> None:
    chat = await room.chat()
    until = room.clock.now() + timedelta(minutes=30)
    await room.store.transact(lambda tx: tx.chats.set_takeover(chat, until))
    await wants_a_plan(room, chat)
    work = await next_of(room, chat)
    assert isinstance(work, Plan)
    assert work.at == until
    await room.store.transact(lambda tx: tx.chats.set_settings(chat, ChatSettings(trust=TrustLevel.OFF)))
    assert await next_of(room, chat) is None


async def test_a_wait_is_ended_at_its_time_even_offline(tmp_path: Path) -> None:
    async with send_room(tmp_path, online=False) as room:
        chat = await room.chat()
        due_at = room.clock.now() + timedelta(minutes=5)
        await room.store.transact(lambda tx: tx.tasks.add(chat, TaskKind.WAIT, TaskStatus.WAITING, due_at=due_at))
        work = await next_of(room, chat)
        assert isinstance(work, EndWait)
        assert work.at == due_at
