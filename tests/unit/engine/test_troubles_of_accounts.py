"""Accounts when things go wrong: they come back by themselves, miss no message and answer nothing old."""

from __future__ import annotations

import asyncio
import sqlite3
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from chimein_gui.domain.accounts.group_moves import NO_GROUPS
from chimein_gui.domain.agents import Health
from chimein_gui.domain.errors import SendRefusedError
from chimein_gui.domain.ids import PeerId
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.connections import ConnectionReason
from chimein_gui.domain.settings.preferences import Preferences
from chimein_gui.domain.tasks import TaskStatus
from tests.fakes.telegram import FakeGateway, FakeTelegram
from tests.support.engine_room import engine_room
from tests.support.log_guard import ExpectedLogs

if TYPE_CHECKING:
    import pytest

LEFT = PeerId(-1_001_234_567_890)
"""A channel that this account is not in any more."""


def disk_full() -> Exception:
    return sqlite3.OperationalError("database or disk is full")


class OneUnreadableChat(FakeGateway):
    async def history(self, peer_id, **kwargs):
        if peer_id == LEFT:
            raise SendRefusedError("This account is not in that chat any more.", "CHANNEL_PRIVATE")
        return await super().history(peer_id, **kwargs)


async def test_one_unreadable_chat_keeps_the_account_away_from_no_other(
    tmp_path: Path, expected_logs: ExpectedLogs
) -> None:
    expected_logs(
        rf"WARNING chimein_gui\.engine\.accounts\.sync: The history of chat {LEFT} cannot be read: CHANNEL_PRIVATE"
    )
    telegram = FakeTelegram(make=OneUnreadableChat)
    telegram.store("old", out=False, peer=LEFT)
    telegram.store("hello", out=False)
    async with engine_room(tmp_path, telegram=telegram) as room:
        marta = next(chat for chat in (await room.engine.queries.chats()).rows if chat.info.peer_id != LEFT)
        rows = (await room.engine.transcripts.before(marta.chat_id, None, 10)).rows
        assert [message.text for message in rows] == ["hello"]


class BadGoodbye(FakeGateway):
    async def disconnect(self):
        await super().disconnect()
        raise disk_full()


async def test_unexpected_errors_of_a_connect_and_a_disconnect_end_no_account(
    tmp_path: Path, expected_logs: ExpectedLogs
) -> None:
    expected_logs(r"ERROR chimein_gui\.engine\.accounts\.connection: The account of 1 failed")
    telegram = FakeTelegram(refuse_connect=disk_full())
    async with engine_room(tmp_path, telegram=telegram, online=False) as room:
        await room.until(lambda: room.health() is Health.WAITING)
        (agent,) = (await room.engine.directory.load()).rows
        assert agent.health_note == Note(ConnectionReason.UNFORESEEN, "OperationalError")
        telegram.refuse_connect, telegram.make = None, BadGoodbye
        await room.reach(lambda: room.health() is Health.ONLINE)
        telegram.make = None
        telegram.lose_connection()
        await room.until(lambda: room.health() is Health.WAITING)
        await room.reach(lambda: room.health() is Health.ONLINE)
        assert telegram.connects == 3


class CatchesUp(FakeGateway):
    """What came while the account was away is reported by connect, as the port says."""

    async def connect(self, listener, groups=NO_GROUPS):
        identity = await super().connect(listener)
        for message in self._server.messages:
            self._server.report(message)
        return identity


async def test_the_first_log_in_answers_nothing_old_although_the_client_catches_up(tmp_path: Path) -> None:
    telegram = FakeTelegram(make=CatchesUp, dialogs_gate=asyncio.Event())
    old = telegram.store("sent last week", out=False)
    preferences = Preferences(debounce_s=1.5, undo_s=0, typing_base_s=0, typing_s_per_60=0)
    rooms = engine_room(tmp_path, telegram=telegram, preferences=preferences, online=False)
    async with rooms as room:
        await room.stored(old)
        await room.pass_time(5)  # the list of chats takes longer than the quiet window
        assert telegram.dialogs_gate is not None
        telegram.dialogs_gate.set()
        await room.until(lambda: room.health() is Health.ONLINE)
        await room.pass_time(30)
        assert room.model.prompts == []
        telegram.partner_writes("and today?")
        await room.reach(lambda: room.find(TaskStatus.AWAITING_DECISION))
        assert "Still unanswered" not in room.model.prompts[-1].last_block


class Unsteady(FakeGateway):
    """Up for more than a minute, or lost at once, as the test wants."""

    is_steady = True

    async def wait_lost(self):
        if self.is_steady:
            await self._server.clock.sleep_until(self._server.clock.now() + timedelta(seconds=61))


async def test_pauses_grow_to_five_minutes_for_ever_and_begin_anew_after_a_steady_connection(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    telegram = FakeTelegram(make=Unsteady)
    monkeypatch.setattr(Unsteady, "is_steady", False)
    async with engine_room(tmp_path, telegram=telegram, online=False) as room:

        def next_try_in() -> float | None:
            at = room.engine._services.accounts.directory.agents()[0].next_try_at
            return None if at is None else (at - telegram.clock.now()).total_seconds()

        pauses = []
        for _ in range(12):
            await room.until(lambda: room.health() is Health.WAITING)
            pauses.append(next_try_in())
            seen = telegram.connects
            telegram.clock.advance(next_try_in() or 0)
            await room.until(lambda: telegram.connects > seen)  # noqa: B023 - awaited before it is another one
        assert pauses == [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300]
        monkeypatch.setattr(Unsteady, "is_steady", True)
        await room.until(lambda: room.health() is Health.WAITING)
        telegram.clock.advance(next_try_in() or 0)
        await room.until(lambda: room.health() is Health.ONLINE)
        assert next_try_in() is None, "nothing is waited for while it is up"
        await room.worked_off()
        telegram.clock.advance(61)
        await room.until(lambda: room.health() is Health.WAITING)
        assert next_try_in() == 1


async def test_an_agent_that_is_started_while_it_stops_is_not_shown_as_stopped_and_running(tmp_path: Path) -> None:
    going, gone = asyncio.Event(), asyncio.Event()

    class SlowGoodbye(FakeGateway):
        async def disconnect(self):
            going.set()
            await gone.wait()
            await super().disconnect()

    telegram = FakeTelegram(make=SlowGoodbye)
    async with engine_room(tmp_path, telegram=telegram) as room:
        agent = (await room.engine.directory.load()).rows[0]
        assert agent.account_id is not None
        async with asyncio.TaskGroup() as group:
            group.create_task(room.engine.accounts.stop(agent.agent_id))
            await going.wait()
            room.engine.accounts.start(agent.agent_id)
            await room.worked_off()
            gone.set()
        await room.worked_off()
        assert room.health() is Health.STOPPED
        assert room.engine._services.accounts.directory.gateway_of(agent.account_id) is None
        room.engine.accounts.start(agent.agent_id)
        await room.until(lambda: room.health() is Health.ONLINE)
        assert room.engine._services.accounts.directory.gateway_of(agent.account_id) is not None


class HearsOfGroups(FakeGateway):
    """Remembers what it was told of groups, and which histories it was asked for."""

    told = NO_GROUPS

    def __init__(self, server: FakeTelegram) -> None:
        super().__init__(server)
        self.asked: list[PeerId] = []

    async def history(self, peer_id, **kwargs):
        self.asked.append(peer_id)
        return await super().history(peer_id, **kwargs)

    async def connect(self, listener, groups=NO_GROUPS):
        self.told = groups
        return await super().connect(listener)


async def test_a_second_start_tells_of_basic_groups_and_fetches_nothing_where_nothing_happened(tmp_path: Path) -> None:
    """Telegram may not list one any more that has become a supergroup meanwhile."""
    group, supergroup = PeerId(-77), PeerId(-1_000_000_000_042)
    telegram = FakeTelegram(make=HearsOfGroups)
    for peer in (group, supergroup):
        telegram.store("hello", out=False, peer=peer)
    async with engine_room(tmp_path, telegram=telegram):
        assert isinstance(telegram.gateway, HearsOfGroups)
        assert set(telegram.gateway.asked) == {group, supergroup}
    async with engine_room(tmp_path, telegram=telegram):
        assert isinstance(telegram.gateway, HearsOfGroups)
        assert telegram.gateway.asked == []
        assert {peer for _, peer in telegram.gateway.told.basic} == {group}
        assert {peer for _, peer in telegram.gateway.told.apart} == {supergroup}
