"""A look-up that goes wrong in a way nobody foresaw leaves nothing waiting for ever."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path

import pytest

from chimein_gui.domain.approvals import Approval, AskReason
from chimein_gui.domain.chats import TrustLevel
from chimein_gui.domain.errors import RateLimitedError, StoreError
from chimein_gui.domain.ids import MessageId, PeerId
from chimein_gui.domain.messages import MessageKey
from chimein_gui.domain.settings.preferences import Preferences
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.engine.core.jobs import JobRunner
from chimein_gui.engine.ingest.blocks import Blocks
from tests.fakes.telegram import FakeGateway, FakeTelegram
from tests.support.engine_room import Room, engine_room
from tests.support.ingest_room import ACCOUNT, GROUP, MARTA, IngestRoom
from tests.support.log_guard import ExpectedLogs

PREFERENCES = Preferences(debounce_s=0, typing_base_s=2, typing_s_per_60=0)


class Odd(FakeGateway):
    """Its answer to the question whether a chat is muted cannot be read."""

    is_odd = False
    gate: asyncio.Event | None = None
    """When set, the answer waits for it."""

    async def muted_until(self, peer_id: PeerId):
        if self.gate is not None:
            await self.gate.wait()
        if type(self).is_odd:
            raise KeyError("a bug")
        return await super().muted_until(peer_id)


class Asking(FakeGateway):
    """A claim finds no answer just before there is one."""

    looks = 0
    claim: Callable[[PeerId], object] | None = None

    async def muted_until(self, peer_id: PeerId) -> datetime | None:
        self.looks += 1
        answer = await super().muted_until(peer_id)
        if self.claim is not None:
            self.claim(peer_id)
        return answer


async def counting_down(room: Room) -> Approval:
    """Let a draft be approved by the rule of its chat."""
    room.telegram.store("hi", out=True)
    first = await room.drafted("hello there")
    await room.engine.chat_settings.set_trust(first.chat_id, TrustLevel.COUNTDOWN)
    room.telegram.partner_writes("hello again")
    return await room.approval(TaskStatus.APPROVED)


async def test_an_answer_that_comes_while_a_claim_asks_for_it_is_not_asked_for_again(tmp_path: Path) -> None:
    telegram = FakeTelegram(make=Asking)
    async with engine_room(tmp_path, telegram=telegram, preferences=PREFERENCES) as room:
        approval = await counting_down(room)
        gateway, mutes = telegram.gateway, room.engine._services.mutes
        assert isinstance(gateway, Asking)
        assert gateway.listener is not None
        before, gateway.claim = gateway.looks, partial(mutes.state_of, approval.account_id)
        gateway.listener.mute_changed(approval.account_id, approval.peer_id)
        await room.pass_time(5)
        assert gateway.looks == before + 1


async def test_an_automatic_send_asks_where_the_answer_cannot_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, expected_logs: ExpectedLogs
) -> None:
    expected_logs("Could not make out whether the chat .* is muted.*a bug")
    telegram = FakeTelegram(make=Odd)
    async with engine_room(tmp_path, telegram=telegram, preferences=PREFERENCES) as room:
        approval = await counting_down(room)
        await room.pass_time(5)
        monkeypatch.setattr(Odd, "is_odd", True)
        telegram.listener.mute_changed(approval.account_id, approval.peer_id)
        await room.pass_time(40)
        back = room.newest(approval)
        assert telegram.requests == []
        assert back.task_status is TaskStatus.AWAITING_DECISION
        assert AskReason.MUTE_UNKNOWN in back.reasons


async def test_an_automatic_send_asks_where_the_drafts_of_a_muted_chat_could_not_be_taken_back(
    tmp_path: Path, expected_logs: ExpectedLogs
) -> None:
    expected_logs(r"muted\? failed .*the disk hiccups")

    async def fail() -> None:
        raise StoreError("the disk hiccups")

    telegram = FakeTelegram(make=Odd)
    async with engine_room(tmp_path, telegram=telegram, preferences=PREFERENCES) as room:
        approval = await counting_down(room)
        gateway = telegram.gateway
        assert isinstance(gateway, Odd)
        assert gateway.listener is not None
        telegram.muted[approval.peer_id] = telegram.clock.now() + timedelta(days=1)
        room.before_each("Mutes._cancel_plans", fail)
        gateway.gate = asyncio.Event()
        await room.pass_time(26)
        gateway.listener.mute_changed(approval.account_id, approval.peer_id)
        await room.pass_time(7)
        assert room.newest(approval).task_status is TaskStatus.APPROVED, "the answer is not there when it is due"
        gateway.gate.set()
        await room.pass_time(5)
        back = room.newest(approval)
        assert telegram.requests == []
        assert back.task_status is TaskStatus.AWAITING_DECISION
        assert AskReason.MUTED in back.reasons


async def pass_time(room: IngestRoom, seconds: int) -> None:
    """Move virtual time on; whatever becomes due is worked off."""
    for _ in range(seconds):
        room.clock.advance(1)
        for _ in range(3):
            await room.do(lambda tx: tx.revision)
            await room.ingest.flush()


class Away(FakeGateway):
    """Says at first that it has to wait."""

    refusals = 0

    async def blocked(self) -> frozenset[PeerId]:
        if self.refusals:
            self.refusals -= 1
            raise RateLimitedError("Telegram asks to wait 5 s.", 5.0, "blocked")
        return await super().blocked()


@pytest.mark.parametrize("refusals", [0, 2])
async def test_who_is_not_blocked_any_more_is_heard_however_late_telegram_says_so(
    room: IngestRoom, refusals: int
) -> None:
    online: list[Away] = []
    jobs = JobRunner()
    blocks = Blocks(
        room.store, room.clock, jobs.spawn, lambda _account: next(iter(online), None), room.ingest.look_again
    )
    room.ingest.listeners.blocks.append(blocks.changed)
    room.ingest.listeners.ignored.append(blocks.ignored)
    await room.do(lambda tx: tx.accounts.set_blocked(ACCOUNT, frozenset({PeerId(MARTA)})))
    await room.says("Nora, are you there?", peer=GROUP)
    await pass_time(room, 20)
    assert room.triggered == []
    gateway = Away(FakeTelegram(room.clock))
    gateway.refusals = refusals
    await gateway.connect(room.listener)
    online.append(gateway)
    blocks.connected(ACCOUNT)
    await pass_time(room, 90)
    assert len(room.triggered) == 1
    await jobs.aclose()


@pytest.mark.parametrize("is_changed", [False, True])
async def test_a_callout_that_is_edited_while_it_is_looked_up_stays_one(room: IngestRoom, *, is_changed: bool) -> None:
    ignored: list[MessageKey] = []
    room.ingest.listeners.ignored.append(lambda _chat, keys: ignored.extend(keys))
    await room.do(lambda tx: tx.accounts.set_blocked(ACCOUNT, frozenset({PeerId(MARTA)})))
    message = await room.says("Nora, are you their?", peer=GROUP)
    if is_changed:
        await room.edits(message, "Nora, are you there?")
    await room.do(lambda tx: tx.accounts.set_blocked(ACCOUNT, frozenset()))
    room.ingest.look_again(tuple(ignored))
    await room.ingest.flush()
    assert await room.asked(GROUP) == (message.key.message_id,)


async def test_what_answers_the_agent_and_is_edited_while_that_is_looked_up_triggers(room: IngestRoom) -> None:
    orphans: list[MessageKey] = []
    room.ingest.listeners.orphans.append(lambda _chat, keys: orphans.extend(keys))
    parent = room.message("I sell boats.", peer=GROUP, by=ACCOUNT)
    answer = await room.says("How muhc?", peer=GROUP, reply_to_id=parent.key.message_id)
    other = await room.says("What was that?", peer=GROUP, reply_to_id=MessageId(9_000))
    await room.edits(answer, "How much?")
    await room.edits(other, "What was that, Nora?")
    chat = await room.chat(GROUP)
    await room.do(lambda tx: tx.messages.put(chat.chat_id, parent))
    room.ingest.look_again(tuple(orphans), for_answers=True)
    await room.ingest.flush()
    assert await room.asked(GROUP) == (answer.key.message_id,), "an edit makes no callout"
