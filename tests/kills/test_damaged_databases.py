"""A damaged database, or a newer one, after a kill: reported with a way out, left as it is, and nothing is sent."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from chimein_gui.domain.errors import StoreError, StoreTooNewError, StoreUnreadableError
from chimein_gui.domain.failpoints import Failpoint
from tests.kills.case import case
from tests.kills.processes import Sandbox

PAGE = 4_096


def newer(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 99")
        connection.commit()


def damaged(path: Path) -> None:
    """Write over a page in the middle, once the log is in the file."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    content = bytearray(path.read_bytes())
    content[2 * PAGE : 9 * PAGE] = b"\xa5" * (7 * PAGE)
    path.write_bytes(content)


def overwritten(path: Path) -> None:
    path.write_bytes(b"somebody's holiday photo" * 1_000)


def files_of(folder: Path) -> dict[str, bytes]:
    """Return what the store's files hold; SQLite's scratch memory is nothing, and so is an empty log."""
    files = {file.name: file.read_bytes() for file in folder.glob("chimein.db*") if not file.name.endswith("-shm")}
    return {name: content for name, content in files.items() if content}


@pytest.mark.parametrize(
    ("harm", "error", "way_out"),
    [
        pytest.param(newer, StoreTooNewError, "newer Chimein", id="newer"),
        pytest.param(damaged, StoreUnreadableError, "backup", id="damaged"),
        pytest.param(overwritten, StoreUnreadableError, "backup", id="overwritten"),
    ],
)
async def test_it_is_refused_and_left_as_it_is(
    sandbox: Sandbox, tmp_path: Path, harm: Callable[[Path], None], error: type[StoreError], way_out: str
) -> None:
    async with case(sandbox, tmp_path) as it:
        async with it.living() as run:
            (card,) = await it.asked(run, "Hello.")
            await run.approve_and_die(card, Failpoint.DECISION_COMMITTED)
        sound = files_of(it.life.folder)
        harm(it.life.database)
        harmed = files_of(it.life.folder)
        for _ in range(2):
            async with it.living() as run:
                assert type(run.refusal) is error
                assert way_out in str(run.refusal)
                assert "left as it is" in str(run.refusal)
                assert run.events == []
            assert files_of(it.life.folder) == harmed
        assert await it.mailbox() == []
        for file in it.life.folder.glob("chimein.db*"):
            file.unlink()
        for name, content in sound.items():
            (it.life.folder / name).write_bytes(content)
        async with it.living() as run:
            await run.online()
            await run.settled()
        assert await it.mailbox() == ["Hello."]
        await it.check_books()
