"""Another program locks the database: the message is out, and that can't be written down."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from chimein_gui.adapters.store import opening
from chimein_gui.domain.failpoints import Failpoint
from chimein_gui.domain.tasks import TaskStatus
from tests.support.send_room import send_room

if TYPE_CHECKING:
    import pytest


async def test_what_could_not_be_written_is_written_once_the_lock_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "LOCK_WAIT_S", 0.05)

    def reach(point: Failpoint) -> None:
        if point is Failpoint.ANSWERED:
            other.execute("BEGIN IMMEDIATE")

    with closing(sqlite3.connect(tmp_path / "chimein.db", isolation_level=None)) as other:
        other.execute("PRAGMA busy_timeout = 5000")
        async with send_room(tmp_path, reach=reach) as room:
            one, two = await room.plan(await room.chat(), "one", "two")
            await room.approve(one, two)
            while not room.holds.words():  # a commit fails, and everything is held
                await room.store.read(lambda tx: None)
            assert "Another program keeps it locked" in room.holds.words()
            other.execute("ROLLBACK")
            await room.pass_time(10)
            assert await room.status(one, two) == [TaskStatus.DONE, TaskStatus.APPROVED]
            assert room.texts() == ["one"], "the next one is held"
            assert len(room.telegram.requests) == 1
