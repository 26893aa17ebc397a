"""The whole product without its window, with all sample agents, against the sandbox's servers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from chimein_gui import app
from chimein_gui.directories import Directories
from chimein_gui.domain.agents import Health
from chimein_gui.domain.approvals import Approval
from chimein_gui.domain.settings.preferences import Preferences
from chimein_gui.engine.engine import Engine
from chimein_gui.resource_files import resource_path
from chimein_gui.sandbox_api import SandboxConsole, ScenarioProgress

QUICK = Preferences(debounce_s=0.05, undo_s=0, typing_base_s=0, typing_s_per_60=0)


PATIENCE_S = 90.0


@dataclass
class House:
    """A running product without a window."""

    engine: Engine
    console: SandboxConsole
    changed: asyncio.Event

    async def until(self, condition: Callable[[], object]) -> None:
        """Wait until something holds; it is looked at after every event of the engine."""
        async with asyncio.timeout(PATIENCE_S):
            while not condition():
                self.changed.clear()
                await self.changed.wait()

    async def drafts(self, wanted: Callable[[tuple[Approval, ...]], object]) -> tuple[Approval, ...]:
        """Wait for what is to be decided to be as wanted."""
        async with asyncio.timeout(PATIENCE_S):
            self.changed.clear()  # before each look, so that nothing that comes during it is missed
            while not wanted(rows := (await self.engine.queries.approvals()).rows):
                await self.changed.wait()
                self.changed.clear()
        return rows

    async def played(self, name: str, speed: float) -> ScenarioProgress:
        """Play a scene to its end."""
        await self.console.set_speed(speed)
        await self.console.start_scenario(name)
        return await self.end_of_scene()

    async def end_of_scene(self) -> ScenarioProgress:
        """Wait for the end of what plays."""
        state = await self.console.rehearsal()
        async with asyncio.timeout(PATIENCE_S):
            while state.scenario is None or not (state.scenario.finished or state.scenario.problem):
                state = await self.console.rehearsal(after=state.revision)
        return state.scenario


@asynccontextmanager
async def house(folder: Path) -> AsyncIterator[House]:
    """Run the product with all sample agents until they are online."""
    async with AsyncExitStack() as stack:
        directories = Directories((resource_path("samples"),), folder / "state")
        directories.state.mkdir()
        outside = await app.sandbox_backends(directories, stack)
        running = await app.start_engine(directories, outside, stack, QUICK)
        assert running.sandbox is not None
        made = House(running.engine, running.sandbox, asyncio.Event())
        stack.callback(running.engine.subscribe(lambda _event: made.changed.set()))
        await running.engine.start()
        accounts = running.engine._services.accounts
        await made.until(lambda: [one.health for one in accounts.directory.agents()] == [Health.ONLINE] * 5)
        yield made
