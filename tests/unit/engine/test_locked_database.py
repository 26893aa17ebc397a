"""Another program locks the database: the message is out, and that can't be written down (SPEC §3, §6)."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from chimein_gui.adapters.store import opening
from chimein_gui.domain.failpoints import Failpoint
from chimein_gui.domain.tasks import LedgerState, TaskStatus
from tests.support.send_room import SendRoom, send_room

D = TaskStatus.DONE


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "LOCK_WAIT_S", 0.05)


class Locker:
    """Locks the database when a send comes to a point."""

    def __init__(self, folder: Path, point: Failpoint) -> None:
        self.other = sqlite3.connect(folder / "chimein.db", isolation_level=None)
        self.other.execute("PRAGMA busy_timeout = 5000")
        self.point: Failpoint | None = point

    def reach(self, point: Failpoint) -> None:
        if point is self.point:
            self.point = None
            self.other.execute("BEGIN IMMEDIATE")

    def unlock(self) -> None:
        self.other.execute("ROLLBACK")


@contextmanager
def locker(folder: Path, point: Failpoint) -> Iterator[Locker]:
    made = Locker(folder, point)
    try:
        yield made
    finally:
        made.other.close()


async def failed(room: SendRoom) -> None:
    """Wait until a commit has failed, and everything is held."""
    while not room.holds.words():
        await room.store.read(lambda tx: None)


async def test_what_could_not_be_written_is_written_once_the_lock_is_gone(tmp_path: Path) -> None:
    with locker(tmp_path, Failpoint.ANSWERED) as lock:
        async with send_room(tmp_path, reach=lock.reach) as room:
            one, two = await room.plan(await room.chat(), "one", "two")
            await room.approve(one, two)
            await failed(room)
            assert "Another program keeps it locked" in room.holds.words()
            lock.unlock()
            await room.pass_time(10)
            assert await room.status(one, two) == [D, TaskStatus.APPROVED]
            assert room.texts() == ["one"], "the next one is held"
            assert len(room.telegram.requests) == 1


async def test_where_the_program_ends_meanwhile_the_next_start_finds_the_message(tmp_path: Path) -> None:
    with locker(tmp_path, Failpoint.ANSWERED) as lock:
        async with send_room(tmp_path, reach=lock.reach) as room:
            (draft,) = await room.plan(await room.chat(), "one")
            await room.approve(draft)
            await failed(room)
            telegram = room.telegram
        lock.unlock()
        async with send_room(tmp_path, telegram=telegram) as room:
            await room.pass_time(60, 20)
            assert await room.status(draft) == [D]
            assert [row.state for row in await room.rows(draft)] == [LedgerState.SENT]
            assert len(telegram.requests) == 1
            assert room.texts() == ["one"]
