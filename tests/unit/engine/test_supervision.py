"""Pauses of accounts: apart from each other, bounded, whatever the clock does; what look-ups wait for; whose it is."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path

import pytest

from chimein_gui.domain.agents import Agent, AgentSpec, Health, MethodWait
from chimein_gui.domain.errors import NotConnectedError, RateLimitedError
from chimein_gui.domain.ids import AccountId, AgentId
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.engine.core.clock import SystemClock, pause
from chimein_gui.viewmodels.words.notes import note_sentence
from tests.fakes.clock import VirtualClock
from tests.fakes.group import FakeGroup
from tests.fakes.telegram import ACCOUNT, FakeGateway, FakeTelegram
from tests.support.engine_room import NORA, Room, engine_room

IDA = replace(NORA, name="Ida Kern", phone="+9996621002", aliases=("Ida",))
FIRST, SECOND, PAUL = AccountId(2**40 + 7), AccountId(2**40 + 8), 2**40 + 9
NO_WAY = NotConnectedError("There is no connection to Telegram.")


def agents_of(room: Room) -> tuple[Agent, ...]:
    return room.engine._services.accounts.directory.agents()


def named(room: Room, spec: AgentSpec) -> Agent:
    return next(agent for agent in agents_of(room) if agent.spec.name == spec.name)


def tries_in(room: Room, agent: Agent | None = None) -> float:
    """Return the seconds that are shown until the next try."""
    at = (agent or agents_of(room)[0]).next_try_at
    assert at is not None
    return (at - room.clock.now()).total_seconds()


async def test_a_clock_that_is_set_back_prolongs_no_pause(tmp_path: Path) -> None:
    telegram = FakeTelegram(refuse_connect=NO_WAY)
    async with engine_room(tmp_path, telegram=telegram, online=False) as room:
        await room.reach(lambda: telegram.connects == 6)
        await room.until(lambda: room.health() is Health.WAITING)
        assert tries_in(room) == 32
        telegram.clock.set_back(3 * 3600)
        await room.pass_time(6)
        assert tries_in(room) == 26, "what is shown is what comes"
        await room.pass_time(25)
        assert telegram.connects == 6
        await room.pass_time(2)
        assert telegram.connects == 7


async def test_a_clock_that_is_set_right_during_the_start_keeps_nobody_from_starting(tmp_path: Path) -> None:
    clock = VirtualClock()
    group = FakeGroup(clock, {NORA.name: FIRST, IDA.name: SECOND})
    async with engine_room(tmp_path, telegram=group, agents=(NORA, IDA), online=False) as room:
        await room.worked_off()
        assert named(room, IDA).health is Health.CONNECTING
        clock.set_back(3600)
        await room.pass_time(1, 0.1)
        assert [agent.health for agent in agents_of(room)] == [Health.ONLINE] * 2


async def test_a_machine_that_slept_tries_as_soon_as_it_wakes(tmp_path: Path) -> None:
    telegram = FakeTelegram(refuse_connect=RateLimitedError("Telegram asks to wait 700 s.", 700.0, ""))
    async with engine_room(tmp_path, telegram=telegram, online=False) as room:
        await room.until(lambda: room.health() is Health.WAITING)
        telegram.refuse_connect = None
        telegram.clock.advance(8 * 3600)
        await room.until(lambda: room.health() is Health.ONLINE)


class Asleep(SystemClock):
    """The machine's clock; its hands jump while nothing that is measured goes on."""

    ahead = timedelta()

    def now(self) -> datetime:
        return super().now() + self.ahead


async def test_a_pause_looks_at_the_clock_more_often_than_a_sleeper_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chimein_gui.engine.core.clock._LOOK", timedelta(seconds=0.05))
    clock, ends = Asleep(), list[datetime]()
    began = asyncio.get_running_loop().time()
    asyncio.get_running_loop().call_later(0.01, lambda: setattr(clock, "ahead", timedelta(hours=1)))
    await pause(clock, 300, ends.append)
    assert asyncio.get_running_loop().time() - began < 30, "asleep for a minute at a time it would take that long"
    assert len(ends) == 1


async def test_a_look_up_waits_no_longer_because_the_clock_was_set_back(tmp_path: Path) -> None:
    clock = VirtualClock()
    async with engine_room(tmp_path, telegram=FakeTelegram(clock)) as room:
        waits = room.engine._services.accounts.directory.waits
        waits.begin(AgentId(1), "dialogs", clock.now() + timedelta(seconds=90))
        await room.worked_off()
        clock.set_back(3600)
        await room.pass_time(6)
        assert agents_of(room)[0].waits == (MethodWait("dialogs", clock.now() + timedelta(seconds=84)),)
        assert waits.left_s(AgentId(1), "dialogs") == 84
        await room.pass_time(85)
        assert agents_of(room)[0].waits == ()
        assert waits.left_s(AgentId(1), "dialogs") == 0


async def test_two_dozen_accounts_that_lose_their_network_come_back_one_by_one(tmp_path: Path) -> None:
    clock, tried = VirtualClock(), list[tuple[str, datetime]]()

    class Unreachable(FakeGateway):
        async def connect(self, listener, groups=None):
            raise NO_WAY

    class Cut(FakeTelegram):
        def factory(self, agent: Agent) -> FakeGateway:
            tried.append((agent.spec.name, clock.now()))
            return Unreachable(self)

    agents = tuple(replace(NORA, name=f"Nora {n:02}", phone=f"+99966210{n:02}") for n in range(24))
    async with engine_room(tmp_path, telegram=Cut(clock), agents=agents, online=False) as room:
        await room.pass_time(3, 0.1)
        await room.pass_time(1800, 10)
        await room.reach(lambda: all(agent.health is Health.WAITING for agent in agents_of(room)), 5)
        told = {agent.spec.name: agent.next_try_at for agent in agents_of(room)}
        pauses = [at - max(one for who, one in tried if who == name) for name, at in told.items() if at is not None]
        assert len(pauses) == 24
        assert timedelta(seconds=240) <= min(pauses) <= max(pauses) <= timedelta(seconds=300)
        ordered = sorted(set(pauses))
        assert len(ordered) == 24
        assert min(b - a for a, b in pairwise(ordered)) > timedelta(seconds=0.5)
        seen = len(tried)
        await room.pass_time(300, 0.5)
        for name, at in tried[seen:][:24]:
            assert timedelta() <= at - (told[name] or at) < timedelta(seconds=1), "at the time that was shown"


async def test_the_wait_of_a_look_up_holds_for_the_next_connection_and_after_a_restart(tmp_path: Path) -> None:
    asked: list[str] = []

    class Flooded(FakeGateway):
        async def find_sticker(self, set_name, name):
            asked.append(name)
            raise RateLimitedError("Telegram asks to wait 600 s.", 600.0, "find_sticker")

    async def left_s(room: Room) -> float | None:
        gateway = room.engine._services.accounts.directory.gateway_of(ACCOUNT)
        assert gateway is not None
        with pytest.raises(RateLimitedError) as caught:
            await gateway.find_sticker("Cats", "😺")
        return caught.value.retry_after_s

    telegram = FakeTelegram(make=Flooded)
    async with engine_room(tmp_path, telegram=telegram) as room:
        assert await left_s(room) == 600
        telegram.lose_connection()
        await room.until(lambda: room.health() is Health.WAITING)
        await room.reach(lambda: room.health() is Health.ONLINE)
        assert await left_s(room) == 599
    async with engine_room(tmp_path, telegram=telegram) as room:
        assert await left_s(room) == 599
        await room.pass_time(600, 50)
        assert await left_s(room) == 600
    assert len(asked) == 2


async def test_a_session_of_somebody_elses_account_ends_nothing_of_ones_own(tmp_path: Path) -> None:
    """Nora's session turns out to be Ida's, who is running: what waits in Nora's chats waits on."""
    clock = VirtualClock()
    group = FakeGroup(clock, {NORA.name: FIRST, IDA.name: SECOND})
    group.says("welcome", PAUL)
    nora = replace(NORA, aliases=("Nora",))
    async with engine_room(tmp_path, telegram=group, agents=(IDA, nora), online=False) as room:
        await room.reach(lambda: all(agent.health is Health.ONLINE for agent in agents_of(room)))
        group.says("Nora, how are you?", PAUL)
        draft = await room.reach(lambda: room.find(TaskStatus.AWAITING_DECISION))
        assert draft.account_id == FIRST
        await room.engine.accounts.stop(named(room, nora).agent_id)
        group.accounts[NORA.name] = SECOND
        room.engine.accounts.start(named(room, nora).agent_id)
        await room.reach(lambda: named(room, nora).health is Health.LOGGED_OUT)
        assert "Ida Kern" in note_sentence(named(room, nora).health_note)
        await room.pass_time(5)
        assert room.newest(draft).task_status is TaskStatus.AWAITING_DECISION
        assert (named(room, nora).account_id, named(room, IDA).account_id) == (FIRST, SECOND)


async def test_an_account_that_passed_to_another_agent_is_found_there(tmp_path: Path) -> None:
    clock = VirtualClock()
    group = FakeGroup(clock, {NORA.name: FIRST, IDA.name: SECOND})
    async with engine_room(tmp_path, telegram=group, agents=(NORA, IDA), online=False) as room:
        await room.reach(lambda: all(agent.health is Health.ONLINE for agent in agents_of(room)))
        for agent in agents_of(room):
            await room.engine.accounts.stop(agent.agent_id)
        group.accounts[IDA.name] = FIRST
        room.engine.accounts.start(named(room, IDA).agent_id)
        await room.reach(lambda: named(room, IDA).health is Health.ONLINE)
        assert (named(room, NORA).account_id, named(room, IDA).account_id) == (None, FIRST)
        assert room.engine._services.accounts.directory.gateway_of(FIRST) is not None, "else nothing would ever be sent"
