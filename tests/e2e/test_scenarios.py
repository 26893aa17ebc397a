"""Scenes against the whole product without its window: real clients, the real engine, the sandbox's servers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from chimein_gui import app
from chimein_gui.directories import Directories
from chimein_gui.domain.agents import Health
from chimein_gui.domain.approvals import Approval, Approve
from chimein_gui.domain.preferences import Preferences
from chimein_gui.domain.tasks import ApprovalState
from chimein_gui.engine.engine import Engine
from chimein_gui.engine.sandbox_port import SandboxConsole, ScenarioProgress
from chimein_gui.resource_files import resource_path
from chimein_gui.sandbox.seeds import people

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
            while not wanted(rows := (await self.engine.load_approvals()).rows):
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
        outside = await app.sandbox_outside(directories, stack)
        running = await app.start_engine(directories, outside, stack, QUICK)
        assert running.sandbox is not None
        made = House(running.engine, running.sandbox, asyncio.Event())
        stack.callback(running.engine.subscribe(lambda _event: made.changed.set()))
        await running.engine.start()
        accounts = running.engine._services.accounts
        await made.until(lambda: [one.health for one in accounts.agents()] == [Health.ONLINE] * 5)
        yield made


async def test_five_accounts_at_once_get_a_draft_each(tmp_path: Path) -> None:
    async with house(tmp_path) as here:
        ended = await here.played("five-accounts-at-once", speed=1000)
        assert (ended.problem, ended.finished) == ("", True)
        spare = {one.user_id for one in people.SPARE_ACCOUNTS}
        accounts = {one.user_id for one in (await here.console.cast()).accounts} - spare
        assert len(accounts) == 5
        rows = await here.drafts(lambda rows: {row.account_id for row in rows} >= accounts)
        wanted = {
            (people.NORA, people.MARTA),
            (people.OTTO, people.JULE),
            (people.RIM, people.SALMA),
            (people.SORA, people.MIO),
            (people.YADA, people.PLAIFAH),
        }
        assert {(row.account_id, row.peer_id) for row in rows} >= wanted


async def test_a_scene_hears_what_the_operator_approved_and_answers(tmp_path: Path) -> None:
    async with house(tmp_path) as here:
        await here.console.set_speed(100)
        await here.console.start_scenario("five-accounts-at-once")
        state = await here.console.rehearsal()
        while state.scenario is None or state.scenario.done < 20:  # everything is said, and five people wait
            state = await here.console.rehearsal(after=state.revision)
        await here.console.set_speed(3)
        async with asyncio.timeout(PATIENCE_S):
            here.changed.clear()
            approved: set[str] = set()
            while not approved & {one.text for one in await here.console.mailbox(people.JULE)}:
                # Her second message may replace a draft in the moment it is approved: then it is the next one's turn.
                approved |= await approve_all_to_jule(here.engine)
                await here.changed.wait()
                here.changed.clear()
            while not any(text.startswith("Ist erledigt.") for text in await said_to_otto(here.engine)):
                await here.changed.wait()
                here.changed.clear()


async def approve_all_to_jule(engine: Engine) -> set[str]:
    """Approve what waits; returns the texts."""
    waiting = [
        row for row in (await engine.load_approvals()).rows if is_to_jule(row) and row.state is ApprovalState.OPEN
    ]
    for row in waiting:
        await engine.decide(
            row.approval_id,
            expected_version=row.version,
            decision=Approve(),
            seen_up_to=row.seen_up_to,
            client_id=f"operator {row.approval_id}",
        )
    return {row.text for row in waiting}


async def said_to_otto(engine: Engine) -> list[str]:
    chats = (await engine.load_chats()).rows
    with_jule = next(one for one in chats if (one.info.account_id, one.info.peer_id) == (people.OTTO, people.JULE))
    return [one.text for one in (await engine.transcripts.before(with_jule.chat_id, None, 20)).rows]


def is_to_jule(row: Approval) -> bool:
    return (row.account_id, row.peer_id) == (people.OTTO, people.JULE)
