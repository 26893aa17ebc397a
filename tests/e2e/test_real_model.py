"""The sandbox with Gemini itself: the operator's key, another address, the same code; and the way back."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from shutil import copytree

import pytest

from chimein_gui import app
from chimein_gui.directories import Directories
from chimein_gui.domain.agents import Health
from chimein_gui.domain.approvals import Approval
from chimein_gui.domain.chats import Chat
from chimein_gui.domain.notes import Note, PlanningKind
from chimein_gui.domain.prompt.model_faults import ModelFault
from chimein_gui.domain.settings.answering import Answering
from chimein_gui.domain.tasks import ApprovalState
from chimein_gui.engine.engine import Engine
from chimein_gui.engine.ports.secrets import MODEL_KEY
from chimein_gui.resource_files import resource_path
from chimein_gui.sandbox.model.errors import BAD_KEY
from chimein_gui.sandbox.seeds.people import MARTA, NORA
from tests.e2e.whole_house import QUICK
from tests.fakes.google import FakeGoogle

KEY = "key-of-the-operator-which-nobody-else-gets"
PATIENCE_S = 60.0
WITHOUT_DESCRIPTIONS = replace(QUICK, descriptions_per_tick=0)
"""The first call is that of the plan, not one that describes a picture of the chat."""


@dataclass
class Rehearsal:
    """A running sandbox with one persona, and the Google it knows."""

    engine: Engine
    outside: app.Backends
    google: FakeGoogle
    changed: asyncio.Event

    async def marta_writes(self, text: str) -> None:
        assert self.outside.sandbox is not None
        await self.outside.sandbox.speak(MARTA, NORA, text)

    async def draft(self, text: str = "") -> Approval:
        """Wait for an open draft to Marta, with a text if one is given."""
        async with asyncio.timeout(PATIENCE_S):
            while True:
                self.changed.clear()
                for row in (await self.engine.queries.approvals()).rows:
                    if row.state is ApprovalState.OPEN and row.peer_id == MARTA and text in row.text:
                        return row
                await self.changed.wait()

    async def chat_with(self, problem: PlanningKind) -> Chat:
        """Wait until a plan for Marta has failed for a reason."""
        async with asyncio.timeout(PATIENCE_S):
            while True:
                self.changed.clear()
                for chat in (await self.engine.queries.chats()).rows:
                    told = chat.planning_problem
                    if chat.info.peer_id == MARTA and told is not None and told.kind is problem:
                        return chat
                await self.changed.wait()


@asynccontextmanager
async def rehearsal(folder: Path, answering: Answering, environment: Mapping[str, str]) -> AsyncIterator[Rehearsal]:
    async with AsyncExitStack() as stack:
        google = FakeGoogle()
        address = await google.open()
        stack.push_async_callback(google.aclose)
        persona = folder / "config" / "agents"
        persona.mkdir(parents=True)
        (persona / "Nora Vale.md").write_text(resource_path("samples/agents/Nora Vale.md").read_text())
        prompts = folder / "config" / "prompts"
        copytree(resource_path("samples/prompts"), prompts)
        directories = Directories((folder / "config",), folder / "state")
        directories.state.mkdir()
        outside = await app.sandbox_backends(
            directories, stack, answering=answering, environment=environment, gemini_at=address
        )
        running = await app.start_engine(directories, outside, stack, WITHOUT_DESCRIPTIONS)
        made = Rehearsal(running.engine, outside, google, asyncio.Event())
        stack.callback(running.engine.subscribe(lambda _event: made.changed.set()))
        await running.engine.start()
        accounts = running.engine._services.accounts
        async with asyncio.timeout(PATIENCE_S):
            while [one.health for one in accounts.directory.agents()] != [Health.ONLINE]:
                made.changed.clear()
                await made.changed.wait()
        yield made


async def test_gemini_itself_answers_with_the_operators_key_and_is_booked(tmp_path: Path) -> None:
    async with rehearsal(tmp_path, Answering.GEMINI, {"GEMINI_API_KEY": KEY}) as here:
        here.google.script.queue_reply("# «send»\nfrom the real one", usage={"prompt": 1_000_000, "reply": 1_000})
        await here.marta_writes("hello Nora")
        await here.draft("from the real one")
        assert set(here.google.keys) == {KEY}
        assert (await here.engine.costs.today()).usd > 0.1


async def test_written_answers_need_no_key_and_no_google(tmp_path: Path) -> None:
    async with rehearsal(tmp_path, Answering.WRITTEN, {"GEMINI_API_KEY": KEY}) as here:
        await here.marta_writes("hello Nora")
        await here.draft()
        assert here.google.keys == []
        assert here.outside.secrets.value(MODEL_KEY) != KEY


async def test_without_a_key_it_says_so_and_the_written_model_takes_over(tmp_path: Path) -> None:
    async with rehearsal(tmp_path, Answering.GEMINI, {}) as here:
        assert here.outside.model_choice is not None
        assert not here.outside.model_choice.has_key()
        await here.marta_writes("hello Nora")
        chat = await here.chat_with(PlanningKind.NO_KEY)
        assert chat.planning_problem is not None
        assert chat.planning_problem.fault == Note(ModelFault.KEY_UNUSABLE)
        assert here.google.keys == []
        here.outside.model_choice.choose(Answering.WRITTEN)
        await here.draft()
        assert here.google.keys == []


@pytest.mark.operation("a bad API key", "the plan says so; with another key it is made")
async def test_a_key_that_google_refuses_is_told_and_another_one_is_used_at_once(tmp_path: Path) -> None:
    async with rehearsal(tmp_path, Answering.GEMINI, {}) as here:
        assert here.outside.model_choice is not None
        await here.engine.keys.put(MODEL_KEY, BAD_KEY)
        assert here.outside.model_choice.has_key()
        await here.marta_writes("hello Nora")
        await here.chat_with(PlanningKind.NO_KEY)
        assert not (await here.engine.key_check.check()).ok
        here.google.script.queue_reply("# «send»\nnow it works")
        await here.engine.keys.put(MODEL_KEY, KEY)
        await here.draft("now it works")
        assert here.google.keys[-1] == KEY


async def test_without_a_network_the_plan_waits_and_the_written_model_takes_over(tmp_path: Path) -> None:
    async with rehearsal(tmp_path, Answering.GEMINI, {"GEMINI_API_KEY": KEY}) as here:
        assert here.outside.model_choice is not None
        await here.google.aclose()
        await here.marta_writes("hello Nora")
        chat = await here.chat_with(PlanningKind.RETRYING)
        here.outside.model_choice.choose(Answering.WRITTEN)
        await here.engine.plans.retry(chat.chat_id)
        await here.draft()


async def test_a_choice_made_while_it_runs_holds_from_the_next_call_on(tmp_path: Path) -> None:
    async with rehearsal(tmp_path, Answering.WRITTEN, {"GEMINI_API_KEY": KEY}) as here:
        assert here.outside.model_choice is not None
        await here.marta_writes("hello Nora")
        await here.draft()
        here.google.script.queue_reply("# «send»\nfrom the real one")
        here.outside.model_choice.choose(Answering.GEMINI)
        await here.marta_writes("and now?")
        await here.draft("from the real one")
        assert set(here.google.keys) == {KEY}


async def test_the_operators_key_is_known_to_all_who_write_and_stays_while_variables_are_hidden(tmp_path: Path) -> None:
    environment = {"GEMINI_API_KEY": KEY}
    async with rehearsal(tmp_path, Answering.GEMINI, environment) as here:
        hidden: list[str] = []
        here.outside.secrets.hide_with(hidden.append)
        assert KEY in hidden
        environment.clear()  # as while google-genai makes a client, to try a key
        here.google.script.queue_reply("# «send»\nfrom the real one")
        await here.marta_writes("hello Nora")
        await here.draft("from the real one")
        assert set(here.google.keys) == {KEY}
