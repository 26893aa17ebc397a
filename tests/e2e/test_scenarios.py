"""Scenes against the whole product without its window: real clients, the real engine, the sandbox's servers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from chimein_gui import app
from chimein_gui.directories import Directories
from chimein_gui.domain.agents import Health
from chimein_gui.domain.approvals import Approval, Approve
from chimein_gui.domain.preferences import Preferences
from chimein_gui.engine.engine import Engine
from chimein_gui.engine.sandbox_port import SandboxConsole, ScenarioProgress
from chimein_gui.resource_files import resource_path
from chimein_gui.sandbox.seeds import people

QUICK = Preferences(debounce_s=0.05, undo_s=0, typing_base_s=0, typing_s_per_60=0)
PATIENCE_S = 40.0


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
            while not wanted(rows := (await self.engine.load_approvals()).rows):
                self.changed.clear()
                await self.changed.wait()
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
        accounts = running.engine._accounts
        await made.until(lambda: [one.health for one in accounts.agents()] == [Health.ONLINE] * 5)
        yield made


async def test_five_accounts_at_once_get_a_draft_each(tmp_path: Path) -> None:
    async with house(tmp_path) as here:
        ended = await here.played("five-accounts-at-once", speed=1000)
        assert (ended.problem, ended.finished) == ("", True)
        accounts = {one.user_id for one in (await here.console.cast()).accounts}
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
        draft = next(row for row in await here.drafts(lambda rows: any(map(is_to_jule, rows))) if is_to_jule(row))
        while True:
            await here.engine.decide(
                draft.approval_id,
                expected_version=draft.version,
                decision=Approve(),
                seen_up_to=draft.seen_up_to,
                client_id=f"operator {draft.approval_id}",
            )
            answered = await here.drafts(partial(has_newer_to_jule, draft))
            if draft.text in [one.text for one in await here.console.mailbox(people.JULE)]:
                break
            # The plan for her last words replaced the draft in the very moment: then it is that one's turn.
            draft = next(row for row in answered if is_to_jule(row))
        chat = next(row.chat_id for row in answered if is_to_jule(row))
        heard = (await here.engine.load_transcript(chat, before_id=None, limit=3)).rows
        assert any(one.text.startswith("Ist erledigt.") for one in heard)


def has_newer_to_jule(draft: Approval, rows: tuple[Approval, ...]) -> bool:
    return any(is_to_jule(row) and row.graph_id > draft.graph_id for row in rows)


def is_to_jule(row: Approval) -> bool:
    return (row.account_id, row.peer_id) == (people.OTTO, people.JULE)
