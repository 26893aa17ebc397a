"""How the rooms are wired: what one reports, the others hear."""

from __future__ import annotations

from pathlib import Path

from chimein_gui.domain.approvals import Approve
from chimein_gui.domain.events import Remembered
from chimein_gui.domain.tasks import TaskStatus
from tests.support.engine_room import Room


async def test_an_account_that_comes_back_looks_at_its_chats(room: Room) -> None:
    draft = await room.drafted()
    await room.engine.accounts.stop(draft.agent_id)
    await room.decide(draft, Approve())
    await room.pass_time(5)
    assert room.telegram.requests == []
    room.engine.accounts.start(draft.agent_id)
    await room.approval(TaskStatus.DONE)
    assert room.telegram.delivered() == ["answer 1"]


async def test_what_a_reply_remembers_reaches_its_file_and_can_be_undone(tmp_path: Path, room: Room) -> None:
    room.model.script.append("# «remember»\nShe likes plums\n# «send»\nNoted")
    room.telegram.partner_writes("hello")
    await room.until(lambda: any(isinstance(e, Remembered) for e in room.events))
    told = next(e for e in room.events if isinstance(e, Remembered))
    file = tmp_path / "Nora Vale" / "memory.md"
    assert "She likes plums" in file.read_text(encoding="utf-8")
    assert room.engine.memories is not None
    assert told.graph_id is not None
    assert await room.engine.memories.undo(told.graph_id, told.index)
    assert "She likes plums" not in file.read_text(encoding="utf-8")
