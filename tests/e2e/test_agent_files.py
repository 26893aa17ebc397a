"""Agent files that change under the composed program: real sessions at the sandbox, real files, a real watch."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

from chimein_gui import app
from chimein_gui.directories import Directories
from chimein_gui.domain.agents import Agent, Health
from chimein_gui.domain.approvals import Approval
from chimein_gui.domain.events import AgentChanged, ApprovalRequested, EngineEvent, FileProblemsChanged
from chimein_gui.domain.ids import AgentId
from chimein_gui.engine.engine import Engine
from chimein_gui.resource_files import resource_path
from chimein_gui.sandbox.model.talk.language import language_of
from chimein_gui.sandbox_api import SandboxConsole

WAIT_S = 60.0

EARLIER = Path(__file__).with_name("earlier_program")
LANGUAGES = {"Ada Merrow": "en", "Konrad Faber": "de", "Lena Duarte": "pt"}
"""Agent files of the program before this one, and in which language each persona writes."""


class Running:
    """The program, and what it has told."""

    def __init__(self, engine: Engine, sandbox: SandboxConsole) -> None:
        self.engine = engine
        self.drafts: list[Approval] = []
        self.sandbox = sandbox
        self.agents: dict[AgentId, Agent] = {}
        self.problems = 0
        self._happened = asyncio.Event()

    def hear(self, event: EngineEvent) -> None:
        if isinstance(event, AgentChanged):
            self.agents[event.agent.agent_id] = event.agent
        elif isinstance(event, FileProblemsChanged):
            self.problems = len(event.problems)
        elif isinstance(event, ApprovalRequested):
            self.drafts.append(event.approval)
        self._happened.set()

    async def until(self, condition: Callable[[], bool]) -> None:
        async with asyncio.timeout(WAIT_S):
            while not condition():
                self._happened.clear()
                await self._happened.wait()

    async def speak(self, partner: str, account: str, text: str) -> None:
        cast = await self.sandbox.cast()
        who = next(one.user_id for one in cast.partners if one.name == partner)
        to = next(one.user_id for one in cast.accounts if one.name == account)
        await self.sandbox.speak(who, to, text)

    def online(self) -> dict[str, Agent]:
        return {agent.spec.name: agent for agent in self.agents.values() if agent.health is Health.ONLINE}


@asynccontextmanager
async def running(folder: Path) -> AsyncIterator[Running]:
    directories = Directories((folder / "config",), folder / "state")
    async with AsyncExitStack() as stack:
        outside = await app.sandbox_backends(directories, stack)
        assert outside.sandbox is not None
        program = Running((await app.start_engine(directories, outside, stack)).engine, outside.sandbox)
        stack.callback(program.engine.subscribe(program.hear))
        await program.engine.start()
        yield program


async def test_a_persona_is_broken_mended_and_renamed_while_all_others_stay_connected(tmp_path: Path) -> None:
    shutil.copytree(resource_path("samples"), tmp_path / "config")
    path = tmp_path / "config/agents/Nora Vale.md"
    text = path.read_text(encoding="utf-8")
    async with running(tmp_path) as program:
        await program.until(lambda: len(program.online()) == 5)
        nora = program.online()["Nora Vale"]
        session = tmp_path / "state/Nora Vale/telegram.session"
        assert session.is_file()
        chats = {chat.chat_id for chat in (await program.engine.queries.chats()).rows if chat.agent_id == nora.agent_id}

        path.write_text(text.replace("+9996621001", "no number"), encoding="utf-8")
        await program.until(lambda: program.problems == 1)
        assert len(program.online()) == 5

        path.write_text(text.replace("# Agent Name\nNora Vale\n", "# Agent Name\nNora Grey\n"), encoding="utf-8")
        await program.until(lambda: "Nora Grey" in program.online())
        grey = program.online()["Nora Grey"]
        assert (grey.agent_id, grey.account_id, len(program.online())) == (nora.agent_id, nora.account_id, 5)
        assert not session.parent.exists()
        assert (tmp_path / "state/Nora Grey/telegram.session").is_file()
        after = {chat.chat_id for chat in (await program.engine.queries.chats()).rows if chat.agent_id == nora.agent_id}
        assert after >= chats
        assert chats
        assert program.problems == 0
    async with running(tmp_path) as program:
        await program.until(lambda: len(program.online()) == 5)
        assert program.online()["Nora Grey"].agent_id == nora.agent_id


async def test_a_persona_of_the_operators_own_is_rehearsed_with_partners(tmp_path: Path) -> None:
    shutil.copytree(resource_path("samples") / "prompts", tmp_path / "config/prompts")
    (tmp_path / "config/agents").mkdir()
    text = (
        "# Agent Name\n{name}\n# Agent Phone\n{phone}\n# Role Prompt\nPerson\n# Agent Instructions\nYou mend clocks.\n"
    )
    (tmp_path / "config/agents/Zora.md").write_text(text.format(name="Zora", phone="+9996628801"), encoding="utf-8")
    async with running(tmp_path) as program:
        await program.until(lambda: list(program.online()) == ["Zora"])
        drafts = program.drafts
        await program.speak("Marta Oliveira", "Zora", "Can you mend my grandmother's clock?")
        await program.until(lambda: bool(drafts))
        assert drafts[0].chat_title == "Marta Oliveira"
        (tmp_path / "config/agents/Bo.md").write_text(text.format(name="Bo", phone="+9996628802"), encoding="utf-8")
        await program.until(lambda: set(program.online()) == {"Zora", "Bo"})


async def test_the_files_of_the_earlier_program_rehearse_as_they_are(tmp_path: Path) -> None:
    shutil.copytree(EARLIER, tmp_path / "config")
    async with running(tmp_path) as program:
        await program.until(lambda: program.online().keys() == LANGUAGES.keys())
        agents = {name: agent.agent_id for name, agent in program.online().items()}
        chats = (await program.engine.queries.chats()).rows
        for name, agent_id in agents.items():
            told = [chat.last_text for chat in chats if chat.agent_id == agent_id and chat.info.peer_id > 0]
            assert 2 <= len(told) <= 3, name
            assert {language_of((text,), tuple(LANGUAGES.values())) for text in told} == {LANGUAGES[name]}


async def test_a_scenario_that_names_no_persona_plays_with_one_of_them(tmp_path: Path) -> None:
    shutil.copytree(EARLIER, tmp_path / "config")
    async with running(tmp_path) as program:
        await program.until(lambda: program.online().keys() == LANGUAGES.keys())
        own = {program.online()["Ada Merrow"].agent_id}
        await program.sandbox.set_speed(20)
        await program.sandbox.start_scenario("first-evening")
        await program.until(lambda: any(draft.agent_id in own for draft in program.drafts))
        assert {language_of((draft.text,), tuple(LANGUAGES.values())) for draft in program.drafts} == {"en"}
