"""What replies ask to remember, on real files."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from chimein_gui.adapters.files.memory import MarkdownMemoryFiles
from chimein_gui.domain.chats import ChatKind, TriggerMode
from chimein_gui.domain.errors import StoreWriteError
from chimein_gui.domain.events import FaultReported, Remembered
from chimein_gui.domain.ids import UserId
from chimein_gui.domain.tasks import TaskKind, TaskStatus
from chimein_gui.engine.memory.writer import MemoryWriter
from chimein_gui.engine.ports import MemoryState, Transaction
from chimein_gui.viewmodels.words.notes import note_sentence
from tests.support.async_tests import OpenedInLoop
from tests.support.planning_room import PlanningRoom, planning_room

REPLY = "# «remember»\nMarta likes tea\n# «send»\nhello\n# «remember»\nShe has a cat"


@dataclass
class Stage:
    """A room of plans with an agent that remembers."""

    room: PlanningRoom
    writer: MemoryWriter
    state: Path

    async def write(self) -> None:
        self.writer.write_soon()
        await self.room.jobs_end()

    def memory(self) -> str:
        path = self.state / "Nora" / "memory.md"
        return path.read_text(encoding="utf-8") if path.exists() else ""

    async def effect(self, index: int = 0) -> MemoryState | None:
        graph_id = (await self.room.graph()).graph_id
        effect = await self.room.room.do(lambda tx: tx.effects.memory(graph_id, index))
        return None if effect is None else effect.state

    def told(self) -> list[tuple[str, bool]]:
        return [(e.text, e.undone) for e in self.room.room.events if isinstance(e, Remembered)]

    def faults(self) -> list[str]:
        return [
            note_sentence(e.cause) for e in self.room.room.events if isinstance(e, FaultReported) and e.key == "memory"
        ]


@asynccontextmanager
async def stage(folder: Path) -> AsyncIterator[Stage]:
    async with planning_room(folder) as room:
        base = room.room
        writer = MemoryWriter(
            base.unit,
            base.bus,
            room.jobs.spawn,
            MarkdownMemoryFiles(folder / "state"),
            lambda _agent_id: room.spec,
        )
        yield Stage(room, writer, folder / "state")


@pytest.fixture
def at(tmp_path: Path) -> OpenedInLoop:
    return OpenedInLoop(stage(tmp_path))


async def test_an_accepted_reply_is_remembered_in_the_agents_file(at: Stage) -> None:
    at.room.model.script.append(REPLY)
    await at.room.plan()
    assert at.memory() == ""
    await at.write()
    lines = at.memory().splitlines()
    assert [line for line in lines if line in {"Marta likes tea", "She has a cat"}] == [
        "Marta likes tea",
        "She has a cat",
    ]
    assert "chat 77 (Marta), partner 77, source: the agent's reply" in at.memory()
    assert "# Memory from 2026-11-20 14:00:02 UTC" in at.memory()
    assert [await at.effect(0), await at.effect(1)] == [MemoryState.WRITTEN] * 2
    assert at.told() == [("Marta likes tea", False), ("She has a cat", False)]
    await at.write()
    assert len(at.told()) == 2


async def test_a_crash_between_file_and_database_writes_once(tmp_path: Path) -> None:
    async with stage(tmp_path) as at:
        at.room.model.script.append(REPLY)
        await at.room.plan()
        real = at.room.room.store.transact

        async def fail(*_work: object, **_options: object) -> None:
            raise StoreWriteError("killed")

        at.room.room.store.transact = fail  # type: ignore[method-assign,assignment]
        at.writer.write_soon()
        while at.room.jobs.names():
            await at.room.room.store.read(lambda tx: tx.revision)
        at.room.room.store.transact = real  # type: ignore[method-assign]
        assert await at.effect() is MemoryState.PREPARED
        assert at.memory().count("# Memory from") == 2
    async with stage(tmp_path) as at:
        await at.write()
        assert at.memory().count("# Memory from") == 2
        assert await at.effect() is MemoryState.WRITTEN


async def test_a_failed_write_is_reported_blocks_nothing_and_is_tried_again(tmp_path: Path) -> None:
    in_the_way = tmp_path / "state"
    in_the_way.write_text("not a directory", encoding="utf-8")
    async with stage(tmp_path) as at:
        at.room.model.script.append(REPLY)
        await at.room.plan()
        await at.write()
        assert "A memory could not be written" in at.faults()[0]
        assert [draft.text for draft in await at.room.drafts()] == ["hello"]
        assert await at.effect() is MemoryState.PREPARED
        in_the_way.unlink()
        await at.write()
        assert "Marta likes tea" in at.memory()
        assert at.faults()[-1] == "", "the fault is taken back"
        assert len(at.told()) == 2


async def test_the_operator_takes_memories_back_written_or_not(at: Stage) -> None:
    at.room.model.script.append(REPLY)
    await at.room.plan()
    graph_id = (await at.room.graph()).graph_id
    assert await at.writer.undo(graph_id, 0)
    await at.write()
    assert "tea" not in at.memory()
    assert "cat" in at.memory()
    assert await at.writer.undo(graph_id, 1)
    assert "cat" not in at.memory()
    assert at.told()[-1] == ("She has a cat", True)
    assert [await at.effect(0), await at.effect(1)] == [MemoryState.UNDONE] * 2


async def test_per_partner_in_a_group_is_about_whoever_wrote_the_target(at: Stage) -> None:
    at.room.spec = replace(at.room.spec, memory_scope="per-partner")
    group = await at.room.another_chat(-500, ChatKind.GROUP)

    def work(tx: Transaction) -> None:
        tx.chats.set_settings(group, replace(tx.chats.get(group).settings, triggers=TriggerMode.EVERY))
        tx.tasks.add(group, TaskKind.RECEIVED, TaskStatus.READY)

    await at.room.room.do(work)
    await at.room.write("hello all", chat_id=group, sender_id=UserId(4321))
    at.room.model.script.append(REPLY)
    await at.room.planner.plan(group)
    await at.write()
    assert at.memory() == ""
    text = (at.state / "Nora" / "memory" / "4321.md").read_text(encoding="utf-8")
    assert "Marta likes tea" in text


@pytest.mark.parametrize("scopes", [("global", "per-partner"), ("per-partner", "global")])
async def test_a_memory_is_taken_back_where_it_was_written_whatever_the_scope_is_now(
    at: Stage, scopes: tuple[str, str]
) -> None:
    at.room.spec = replace(at.room.spec, memory_scope=scopes[0])
    at.room.model.script.append(REPLY)
    await at.room.plan()
    await at.write()
    at.room.spec = replace(at.room.spec, memory_scope=scopes[1])
    assert await at.writer.undo((await at.room.graph()).graph_id, 0)
    files = [
        path.read_text(encoding="utf-8") for path in (at.state / "Nora").rglob("*.md") if "versions" not in str(path)
    ]
    assert ["tea" in one for one in files] == [False]


async def test_what_is_taken_back_after_a_crash_before_the_record_is_gone_from_the_file(at: Stage) -> None:
    at.room.model.script.append(REPLY)
    await at.room.plan()
    real = at.writer._move

    async def killed(*_given: object) -> None:
        raise KeyboardInterrupt

    at.writer._move = killed  # type: ignore[method-assign,assignment]
    with pytest.raises(KeyboardInterrupt):
        await at.writer.write_now()
    at.writer._move = real  # type: ignore[method-assign]
    assert ("tea" in at.memory(), await at.effect(0)) == (True, MemoryState.PREPARED)
    assert await at.writer.undo((await at.room.graph()).graph_id, 0)
    assert ("tea" in at.memory(), await at.effect(0)) == (False, MemoryState.UNDONE)
