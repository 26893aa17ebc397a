"""How the rooms are wired: what one reports, the others hear."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pytest

from chimein_gui.domain.approvals import Approve
from chimein_gui.domain.errors import StoreWriteError
from chimein_gui.domain.events import FaultReported, HoldsChanged, Remembered
from chimein_gui.domain.holds import HoldScope
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.engine.ports import Durability, Transaction
from tests.support.engine_room import Room

T = TypeVar("T")


def fill_the_disk(room: Room) -> Callable[[], None]:
    """From now on no commit works; returns what makes room again."""
    real = room.store.transact

    async def transact(work: Callable[[Transaction], T], *, durability: Durability = Durability.NORMAL) -> T:
        raise StoreWriteError("database or disk is full")

    def make_room() -> None:
        room.store.transact = real  # type: ignore[method-assign]

    room.store.transact = transact  # type: ignore[method-assign]
    return make_room


async def test_a_failed_commit_anywhere_holds_everything_until_it_is_released(room: Room) -> None:
    draft = await room.drafted()
    make_room = fill_the_disk(room)
    with pytest.raises(StoreWriteError):
        await room.decide(draft, Approve())
    (hold,) = (await room.engine.holds.load()).rows
    assert (hold.scope, hold.stored) == (HoldScope.ALL, False)
    assert "disk is full" in hold.reason
    assert any(isinstance(e, HoldsChanged) and e.holds == (hold,) for e in room.events)
    with pytest.raises(StoreWriteError):
        await room.engine.holds.release()
    make_room()
    await room.decide(draft, Approve())
    await room.pass_time(10)
    assert room.telegram.requests == []
    await room.engine.holds.release()
    assert (await room.engine.holds.load()).rows == ()
    await room.pass_time(10)
    assert room.telegram.requests == []


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
    assert await room.engine.memories.undo(told.graph_id, told.index)
    assert "She likes plums" not in file.read_text(encoding="utf-8")


async def test_what_came_while_the_disk_was_full_is_stored_once_there_is_room(room: Room) -> None:
    make_room = fill_the_disk(room)
    message = room.telegram.partner_writes("hello")
    await room.until(lambda: any(isinstance(e, FaultReported) and "disk is full" in e.cause for e in room.events))
    make_room()
    room.clock.advance(2)
    await room.stored(message)
