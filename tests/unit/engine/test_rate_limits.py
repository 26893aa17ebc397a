"""Which of a gateway's methods wait as long as Telegram told, and which only note it."""

from __future__ import annotations

import inspect
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, cast

import pytest

from chimein_gui.domain.errors import RateLimitedError, SlowModeError
from chimein_gui.domain.ids import AgentId
from chimein_gui.engine.accounts.rate_limits import (
    ACTIONS,
    LOOK_UPS,
    OF_THE_CONNECTION,
    MethodWaits,
    rate_limited_gateway,
)
from chimein_gui.engine.core.jobs import JobRunner
from chimein_gui.engine.ports import FileWanted, SendRequest, TelegramGateway
from tests.fakes.clock import VirtualClock

ONE = AgentId(1)


class Flooded:
    """Whatever is asked, Telegram tells it to wait 30 s."""

    def __init__(self, error: type[RateLimitedError] = RateLimitedError) -> None:
        self.asked: list[str] = []
        self.error = error

    def __getattr__(self, method: str) -> Any:
        async def refuse(*_arguments: object, **_options: object) -> None:
            self.asked.append(method)
            raise self.error("Telegram asks to wait 30 s.", 30.0, method)

        return refuse


class Torn:
    """A file whose pieces end with a wait."""

    file_id, size = 7, 3

    async def find_file(self, _wanted: object) -> Torn:
        return self

    async def pieces(self):
        yield b"one"
        raise RateLimitedError("Telegram asks to wait 30 s.", 30.0, "find_file")


@asynccontextmanager
async def waiting(server: object) -> AsyncIterator[tuple[TelegramGateway, MethodWaits, VirtualClock]]:
    """Stand between a server and what it tells to wait for."""
    clock, jobs = VirtualClock(), JobRunner()
    waits = MethodWaits(clock, jobs.spawn, lambda _one: None, lambda _one: None)
    try:
        yield rate_limited_gateway(cast("TelegramGateway", server), ONE, waits, clock), waits, clock
    finally:
        await jobs.aclose()


def test_every_method_that_asks_telegram_is_one_or_the_other() -> None:
    methods = {name for name, method in vars(TelegramGateway).items() if inspect.iscoroutinefunction(method)}
    assert methods - OF_THE_CONNECTION == LOOK_UPS | ACTIONS
    assert not LOOK_UPS & ACTIONS
    others = {name for name, method in vars(TelegramGateway).items() if inspect.isfunction(method) and name[0] != "_"}
    assert others - LOOK_UPS - ACTIONS == OF_THE_CONNECTION


async def test_a_method_that_is_in_no_list_is_not_passed_on() -> None:
    server = Flooded()
    async with waiting(server) as (gateway, _, _):
        with pytest.raises(AttributeError, match="read_minds"):
            await getattr(gateway, "read_minds")()  # noqa: B009 - the port does not have it
        assert server.asked == []


@pytest.mark.parametrize("method", sorted(LOOK_UPS))
async def test_a_look_up_is_not_asked_again_before_its_time(method: str) -> None:
    server, told = Flooded(), list[object]()
    async with waiting(server) as (gateway, waits, clock):
        waits.on_new_wait = lambda *what: told.append(what)
        for _ in range(3):
            with pytest.raises(RateLimitedError):
                await getattr(gateway, method)()
        assert len(server.asked) == len(told) == 1
        clock.advance(31)
        with pytest.raises(RateLimitedError):
            await getattr(gateway, method)()
        assert len(server.asked) == 2


@pytest.mark.parametrize("method", sorted(ACTIONS))
async def test_a_deed_is_only_noted(method: str) -> None:
    server = Flooded()
    async with waiting(server) as (gateway, waits, _):
        for _ in range(2):
            with pytest.raises(RateLimitedError):
                await getattr(gateway, method)()
        assert len(server.asked) == 2, "the database decides when it goes"
        assert [wait.method for wait in waits.of(ONE)] == [method]


async def test_the_slow_mode_of_a_chat_is_no_wait_of_the_account() -> None:
    async with waiting(Flooded(SlowModeError)) as (gateway, waits, _):
        with pytest.raises(SlowModeError):
            await gateway.send_text(cast("SendRequest", None))
        assert waits.of(ONE) == ()


async def test_a_wait_in_the_middle_of_a_file_holds_for_all_files() -> None:
    async with waiting(Torn()) as (gateway, waits, _):
        found = await gateway.find_file(cast("FileWanted", None))
        assert (found.file_id, found.size) == (7, 3)
        pieces = found.pieces()
        assert await anext(pieces) == b"one"
        with pytest.raises(RateLimitedError):
            await anext(pieces)
        assert [wait.method for wait in waits.of(ONE)] == ["find_file"]
        with pytest.raises(RateLimitedError, match="wait left 30"):
            await gateway.find_file(cast("FileWanted", None))
