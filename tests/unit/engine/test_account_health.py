"""How each account is: what it waits for, what happened last, what ended it."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import ClassVar

import pytest

from chimein_gui.domain.agents import AccountEvent, Agent, Health, MethodWait
from chimein_gui.domain.errors import ProxyError, RateLimitedError
from chimein_gui.domain.events import AgentChanged
from chimein_gui.domain.ids import PeerId
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.connections import ConnectionReason
from chimein_gui.domain.tasks import TaskStatus
from tests.fakes.clock import VirtualClock
from tests.fakes.telegram import FakeGateway, FakeTelegram
from tests.support.engine_room import Room, engine_room


class Flooded(FakeGateway):
    """Telegram tells it to wait when it asks what is muted."""

    asked: ClassVar[list[PeerId]]
    wait_s = 120.0

    async def muted_until(self, peer_id):
        self.asked.append(peer_id)
        raise RateLimitedError("Telegram asks to wait 120 s.", self.wait_s, "muted_until")


@pytest.fixture
def flooded() -> type[Flooded]:
    class Fresh(Flooded):
        asked: ClassVar[list[PeerId]] = []

    return Fresh


async def agent_of(room: Room) -> Agent:
    return (await room.engine.directory.load()).rows[0]


def shown(room: Room) -> Agent:
    return [event.agent for event in room.events if isinstance(event, AgentChanged)][-1]


async def test_a_look_up_that_has_to_wait_is_not_asked_again_before(tmp_path: Path, flooded: type[Flooded]) -> None:
    telegram = FakeTelegram(make=flooded)
    async with engine_room(tmp_path, telegram=telegram) as room:
        await room.drafted("one")
        until = telegram.clock.now() + timedelta(seconds=120)
        assert shown(room).waits == (MethodWait("muted_until", until),)
        await room.pass_time(70)  # an answer would be asked for again after a minute
        telegram.partner_writes("two")
        await room.pass_time(10)
        assert len(flooded.asked) == 1
        await room.pass_time(60)
        assert shown(room).waits == ()
        telegram.partner_writes("three")
        await room.pass_time(5)
        assert len(flooded.asked) == 2


async def test_a_wait_at_the_connection_is_as_long_as_telegram_says(tmp_path: Path) -> None:
    clock = VirtualClock()
    refusal = RateLimitedError(Note(ConnectionReason.WAIT_REQUIRED, number=700), 700.0, "")
    telegram = FakeTelegram(clock, refuse_connect=refusal)
    async with engine_room(tmp_path, telegram=telegram, online=False) as room:
        await room.until(lambda: room.health() is Health.WAITING)
        agent = await agent_of(room)
        assert agent.next_try_at == clock.now() + timedelta(seconds=700)
        assert agent.health_note == Note(ConnectionReason.WAIT_REQUIRED, number=700)
        telegram.refuse_connect = None
        await room.pass_time(699, step_s=233)
        assert telegram.connects == 1
        await room.reach(lambda: room.health() is Health.ONLINE)


async def test_the_wait_of_a_send_is_shown_too_and_after_a_restart(tmp_path: Path) -> None:
    telegram = FakeTelegram()
    async with engine_room(tmp_path, telegram=telegram) as room:
        telegram.script.append(RateLimitedError("Telegram asks to wait 600 s.", 600.0, "send_text"))
        approval = await room.send_off()
        await room.until(lambda: shown(room).waits)
        assert shown(room).waits[0].method == "send_text"
        await room.until(lambda: room.newest(approval).task_status is TaskStatus.APPROVED)
    async with engine_room(tmp_path, telegram=telegram) as room:
        assert [wait.method for wait in (await agent_of(room)).waits] == ["send_text"]
        await room.pass_time(620)
        assert (await agent_of(room)).waits == ()
        agents = [event.agent for event in room.events if isinstance(event, AgentChanged)]
        assert any(agent.last_event is AccountEvent.WAIT_OVER and not agent.waits for agent in agents)


async def test_a_proxy_that_lets_nothing_through_is_tried_for_ever(tmp_path: Path) -> None:
    telegram = FakeTelegram(refuse_connect=ProxyError(Note(ConnectionReason.PROXY_LOGIN_REFUSED, "SOCKS5 host:1")))
    async with engine_room(tmp_path, telegram=telegram, online=False) as room:
        await room.until(lambda: room.health() is Health.PROXY_TROUBLE)
        agent = await agent_of(room)
        assert agent.health_note == Note(ConnectionReason.PROXY_LOGIN_REFUSED, "SOCKS5 host:1")
        assert agent.next_try_at is not None
        await room.reach(lambda: telegram.connects >= 4)
        telegram.refuse_connect = None
        await room.reach(lambda: room.health() is Health.ONLINE)
        assert (await agent_of(room)).last_event is AccountEvent.CONNECTED
