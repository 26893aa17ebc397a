"""The product (engine, store, Telegram and Gemini adapters) before a sandbox process that also keeps its state."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

from chimein_gui.adapters.gemini.model import GeminiModel
from chimein_gui.adapters.store.store import SqliteStore
from chimein_gui.adapters.telegram.backend import sandbox_backend
from chimein_gui.adapters.telegram.gateway import TelethonGateway
from chimein_gui.adapters.telegram.transport.session import seed_session
from chimein_gui.domain.agents import Agent, AgentSpec, Health
from chimein_gui.domain.events import AgentChanged
from chimein_gui.domain.prompt.prompts import Prompt, Role, Turn
from chimein_gui.domain.settings.preferences import Preferences
from chimein_gui.engine.core.clock import SystemClock
from chimein_gui.engine.core.jobs import JobRunner
from chimein_gui.engine.engine import Engine
from chimein_gui.engine.settings.setup import Setup
from tests.fakes.frames import FakeFrameRenderer
from tests.support.control import ControlChannelConsole
from tests.support.own_process import own_sandbox

ACCOUNTS = 4
START_S = 30.0
PATIENCE = timedelta(seconds=8)
"""An account that waits longer than this before it tries again is started by hand."""

PREFERENCES = Preferences(debounce_s=0.3, undo_s=0.5, typing_base_s=0.1, typing_s_per_60=0.1, history_limit=12)
REMEMBERED_CALLS = 20


@dataclass
class Stage:
    """What the campaign holds in its hands.

    Attributes:
        keys: Each account's newest auth key, by phone number.
        group: Marked id of the group everybody is in.
    """

    engine: Engine
    jobs: JobRunner
    console: ControlChannelConsole
    described: dict[str, Any]
    database: Path
    keys: dict[str, bytes]
    model: GeminiModel
    group: int = 0
    health: dict[int, Health] = field(default_factory=dict)
    _changed: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def accounts(self) -> list[int]:
        return [account["user_id"] for account in self.described["accounts"]]

    @property
    def partners(self) -> list[int]:
        return [partner["user_id"] for partner in self.described["partners"]]

    async def fill_the_pool(self) -> None:
        """Make as many model calls at once as plans do at most: no more connections are ever kept."""
        prompt = Prompt("gemini-2.5-flash", (), (Turn(Role.USER, ("Hello!",)),))
        await asyncio.gather(*(self.model.generate(prompt) for _ in range(PREFERENCES.parallel_plans)))

    def note(self, event: Any) -> None:
        if isinstance(event, AgentChanged):
            self.health[int(event.agent.agent_id)] = event.agent.health
            self._changed.set()

    async def all_online(self) -> None:
        """Return once every account is online; who was logged out gets a new key, as after a log-in."""
        while True:
            self._changed.clear()
            if len(self.health) == ACCOUNTS and set(self.health.values()) == {Health.ONLINE}:
                return
            await self.log_in_again()
            await self._changed.wait()

    async def log_in_again(self) -> None:
        """Do what an operator does who does not like to wait: log in again, or stop and start."""
        patience_ends = SystemClock().now() + PATIENCE
        for agent in (await self.engine.directory.load()).rows:
            if agent.health is Health.WAITING and agent.next_try_at is not None and agent.next_try_at > patience_ends:
                await self.engine.accounts.stop(agent.agent_id)
                self.engine.accounts.start(agent.agent_id)
            if agent.health in {Health.LOGGED_OUT, Health.REVOKED} and agent.account_id is not None:
                self.keys[agent.spec.phone] = await self.console.auth_key(agent.account_id)
                self.engine.accounts.start(agent.agent_id)


@asynccontextmanager
async def staged(folder: Path) -> AsyncIterator[Stage]:
    """Run both, with every account online."""
    async with AsyncExitStack() as stack:
        own = stack.enter_context(
            own_sandbox(folder, "--state-dir", str(folder / "world"), "--accounts", str(ACCOUNTS))
        )
        described, console = own.described, await ControlChannelConsole.from_port_file(own.port_file)
        stack.push_async_callback(console.aclose)
        clock, jobs = SystemClock(), JobRunner()
        database = folder / "chimein.db"
        store = await SqliteStore.open(database, now=clock.now)
        stack.push_async_callback(store.aclose)
        model = GeminiModel("sandbox", base_url=described["model_base_url"])
        stack.push_async_callback(model.aclose)
        stack.push_async_callback(jobs.aclose)
        keys = {account["phone"]: bytes.fromhex(account["auth_key_hex"]) for account in described["accounts"]}

        def gateway(agent: Agent) -> TelethonGateway:
            path = folder / f"{agent.agent_id}.session"
            at = described
            key = keys[agent.spec.phone]
            seed_session(path, dc_id=at["dc_id"], host=at["host"], port=at["telegram_port"], auth_key=key)
            return TelethonGateway(session_path=path, backend=sandbox_backend())

        specs = tuple(
            AgentSpec(f"Agent {number}", account["phone"], "Be kind.", (), ())
            for number, account in enumerate(described["accounts"])
        )
        engine = Engine(
            Setup(store, gateway, model, clock, jobs, PREFERENCES, specs, start_grace_s=0.0, frames=FakeFrameRenderer())
        )
        stage = Stage(engine, jobs, console, described, database, keys, model)
        engine.subscribe(stage.note)
        await stage.console.remember_calls(count=REMEMBERED_CALLS)
        everybody = stage.accounts + stage.partners
        stage.group = await stage.console.create_group(
            creator_id=everybody[-1], title="The regatta", member_ids=everybody[:-1]
        )
        stack.push_async_callback(engine.aclose)
        await engine.start()
        async with asyncio.timeout(START_S):
            await stage.all_online()
        yield stage
