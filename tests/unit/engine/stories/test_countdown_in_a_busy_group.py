"""Countdown in a busy group: chatter never stops it, what concerns it does, at once."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from chimein_gui.domain.agents import AgentSpec
from chimein_gui.domain.approvals import Approval, Approve, AskReason, Verdict
from chimein_gui.domain.chats import TrustLevel
from chimein_gui.domain.ids import AccountId, MessageId
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.engine.ports import Transaction
from tests.fakes.clock import VirtualClock
from tests.fakes.group import FakeGroup
from tests.support.engine_room import QUICK, Room, engine_room

ACCOUNT, PAUL, MARTA, LEO = AccountId(2**40 + 7), 2**40 + 9, 2**40 + 10, 2**40 + 11
NORA = AgentSpec("Nora Vale", "+9996621001", "You are {{char}}.", (), (), aliases=("Nora",))
PREFERENCES = replace(QUICK, callout_debounce_s=5)
"""So long that a countdown which has stopped is looked at before the next plan replaces its draft."""


@asynccontextmanager
async def counting_down(folder: Path) -> AsyncIterator[tuple[Room, FakeGroup, Approval]]:
    """A draft for Paul, who answered Leo's question, counts down in a group where much is said."""
    clock = VirtualClock()
    group = FakeGroup(clock, {NORA.name: ACCOUNT})
    group.says("hello, I am new here", ACCOUNT)  # 1
    group.says("who wants cake?", LEO)  # 2
    async with engine_room(folder, telegram=group, agents=(NORA,), preferences=PREFERENCES) as room:

        def trust(tx: Transaction) -> None:
            [chat] = tx.chats.all()
            tx.chats.set_settings(chat.chat_id, replace(chat.settings, trust=TrustLevel.COUNTDOWN))

        await room.store.transact(trust)
        group.says("Nora, do you?", PAUL, reply_to=MessageId(2))  # 3
        draft = await room.reach(lambda: room.find(TaskStatus.APPROVED))
        assert draft.by_rule
        yield room, group, draft


async def test_chatter_is_counted_and_the_message_leaves_after_its_thirty_seconds(tmp_path: Path) -> None:
    async with counting_down(tmp_path) as (room, group, draft):
        for _ in range(28):
            group.says("lovely weather", MARTA)
            await room.pass_time(1)
        now = room.newest(draft)
        assert (now.task_status, now.newer, now.version) == (TaskStatus.APPROVED, 28, draft.version)
        assert group.requests == []
        await room.pass_time(3)
        assert [request.text for request in group.requests] == [draft.text]
        assert len(room.model.prompts) == 1


CONCERNS = [
    ("a callout", MARTA, "Nora, wait!", None),
    ("a reply to the agent", MARTA, "hm", MessageId(1)),
    ("a reply to what it answers", MARTA, "I do", MessageId(2)),
    ("the same person", PAUL, "or rather not", None),
]


@pytest.mark.parametrize(("name", "by", "text", "reply_to"), CONCERNS, ids=[case[0] for case in CONCERNS])
async def test_what_concerns_it_stops_it_at_once(
    tmp_path: Path, name: str, by: int, text: str, reply_to: MessageId | None
) -> None:
    del name
    async with counting_down(tmp_path) as (room, group, draft):
        await room.pass_time(10)
        group.says(text, by, reply_to)
        await room.worked_off()
        now = room.newest(draft)
        assert now.task_status is TaskStatus.AWAITING_DECISION
        assert AskReason.CHANGED in now.reasons
        assert (await room.decide(now, Approve())).verdict is Verdict.CHANGED, "not without having looked"
        await room.pass_time(60)
        assert draft.text not in [request.text for request in group.requests]


async def test_the_operator_writes_from_his_phone_and_the_countdown_stops(tmp_path: Path) -> None:
    async with counting_down(tmp_path) as (room, group, draft):
        await room.pass_time(10)
        group.says("I do it myself", ACCOUNT)
        await room.pass_time(120)
        now = room.newest(draft)
        assert now.task_status is TaskStatus.AWAITING_DECISION
        assert group.requests == []
        assert len(room.model.prompts) == 1
