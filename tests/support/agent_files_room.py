"""An engine whose agents are real files in a config directory."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from chimein_gui.adapters.files.agents.folder import ConfigAgentFiles
from chimein_gui.adapters.files.agents.sources import ConfigSourceFiles
from chimein_gui.domain import events as ev
from chimein_gui.domain.agents import Agent, FileProblem, Health
from chimein_gui.domain.ids import AccountId, AgentId
from chimein_gui.viewmodels.words.notes import file_problem_words
from tests.fakes.clock import VirtualClock
from tests.fakes.group import FakeGroup
from tests.fakes.telegram import FakeTelegram
from tests.support.engine_room import Room, engine_room

NORA, OTTO = "+9996621001", "+9996621002"
NORA_ACCOUNT, OTTO_ACCOUNT, PAUL = AccountId(2**40 + 7), AccountId(2**40 + 8), 2**40 + 9


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def put(folder: Path, name: str = "Nora", phone: str = NORA, *, file: str = "", extra: str = "") -> Path:
    text = f"# Agent Name\n{name}\n# Agent Phone\n{phone}\n# Role Prompt\nPerson\n# Agent Instructions\nBe {name}.\n"
    return write(folder / f"config/agents/{file or name}.md", text + extra)


@asynccontextmanager
async def files_room(folder: Path, telegram: FakeTelegram | None = None, *, online: bool = True) -> AsyncIterator[Room]:
    files = ConfigAgentFiles([folder / "config"], folder / "state", poll_s=60.0)
    clock = telegram.clock if telegram is not None else VirtualClock()
    assert isinstance(clock, VirtualClock)
    sources = ConfigSourceFiles([folder / "config"], folder / "state")
    async with engine_room(
        folder, telegram=telegram, agents=(), agent_files=files, source_files=sources, online=online
    ) as room:
        yield room


async def agents(room: Room) -> dict[str, Agent]:
    return {agent.spec.name: agent for agent in (await room.engine.directory.load()).rows}


async def shown(room: Room, name: str, health: Health) -> Agent:
    """Wait until an agent is shown with a health."""

    def newest() -> dict[AgentId, Agent]:
        return {event.agent.agent_id: event.agent for event in room.events if isinstance(event, ev.AgentChanged)}

    def is_so() -> bool:
        return any(agent.spec.name == name and agent.health is health for agent in newest().values())

    await room.until(is_so)
    return (await agents(room))[name]


async def problems(room: Room, *reasons: str) -> tuple[FileProblem, ...]:
    """Wait until these and no others are reported."""

    def reported() -> tuple[FileProblem, ...]:
        return [event.problems for event in room.events if isinstance(event, ev.FileProblemsChanged)][-1]

    def are_so() -> bool:
        rows = reported()
        return len(rows) == len(reasons) and all(
            reason in file_problem_words(row) for reason, row in zip(reasons, rows, strict=True)
        )

    await room.until(are_so)
    assert (await room.engine.agent_files.load_problems()).rows == reported()
    return reported()


def two(clock: VirtualClock) -> FakeGroup:
    group = FakeGroup(clock, {"Nora": NORA_ACCOUNT, "Otto": OTTO_ACCOUNT})
    group.says("welcome", PAUL)
    return group
