"""An engine with an agent that can be logged in, on virtual time."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from chimein_gui.domain.accounts.sign_in import LoginState, LoginStep
from chimein_gui.domain.agents import Agent
from chimein_gui.domain.events import LoginChanged
from chimein_gui.domain.ids import AgentId
from chimein_gui.engine.login.service import Logins
from tests.fakes.agent_files import FakeAgentFiles
from tests.fakes.clock import VirtualClock
from tests.fakes.sign_in import FakeSignIns
from tests.fakes.telegram import FakeTelegram
from tests.support.engine_room import NORA, Room, engine_room

ONE = AgentId(1)
FILE = "/config/agents/Nora Vale.md"


@dataclass
class LoginServices:
    """The objects of a test of log-ins."""

    room: Room
    sign_ins: FakeSignIns
    files: FakeAgentFiles
    kept: list[tuple[int, str]]

    @property
    def logins(self) -> Logins:
        return self.room.engine.logins

    @property
    def clock(self) -> VirtualClock:
        return self.room.clock

    def states(self) -> list[LoginState]:
        return [event.state for event in self.room.events if isinstance(event, LoginChanged)]

    @property
    def state(self) -> LoginState:
        return self.states()[-1]

    def agent(self, agent_id: AgentId = ONE) -> Agent:
        return next(one for one in self.room.engine._services.accounts.directory.agents() if one.agent_id == agent_id)

    async def until(self, condition: Callable[[LoginState], object]) -> LoginState:
        await self.room.until(lambda: self.states() and condition(self.state))
        return self.state

    async def at(self, step: LoginStep) -> LoginState:
        """Wait until the log-in is at a step and waits for the operator."""
        return await self.until(lambda state: state.step is step and not state.busy)

    async def begin(self) -> LoginState:
        await self.logins.begin(ONE)
        return await self.until(lambda state: state.qr is not None)

    async def to_code(self, phone: str = NORA.phone) -> LoginState:
        await self.begin()
        await self.logins.use_phone(ONE)
        await self.logins.send_code(ONE, phone)
        assert self.state.step is LoginStep.CODE, self.state
        return self.state

    async def to_password(self) -> LoginState:
        self.sign_ins.has_password = True
        await self.to_code()
        await self.logins.enter_code(ONE, "58214")
        assert self.state.step is LoginStep.PASSWORD, self.state
        return self.state

    async def nothing_left(self) -> None:
        """Check that nothing is open, neither here nor at Telegram."""
        assert self.sign_ins.files == set()
        assert self.sign_ins.logged_in == set()
        assert not any(name.startswith(("log-in", "end of a log-in")) for name in self.room.jobs.names())


@asynccontextmanager
async def login_room(folder: Path, *, online: bool = False, **more: Any) -> AsyncIterator[LoginServices]:
    clock = VirtualClock()
    agents = more.setdefault("agents", (replace(NORA, source=FILE),))
    sign_ins, files = FakeSignIns(clock), FakeAgentFiles(*agents)
    kept: list[tuple[int, str]] = []

    async def keep(api_id: int, api_hash: str) -> None:
        kept.append((api_id, api_hash))
        sign_ins.is_known = True

    telegram = more.pop("telegram", None) or FakeTelegram(clock)
    telegram.clock = clock
    more.setdefault("keep_application", keep)
    more.setdefault("agent_files", files)
    async with engine_room(folder, telegram=telegram, online=online, sign_ins=sign_ins, **more) as room:
        yield LoginServices(room, sign_ins, files, kept)
