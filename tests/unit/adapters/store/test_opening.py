"""Opening: new, migrated, refused; a refused file keeps every byte."""

import sqlite3
import stat
import sys
from contextlib import closing
from pathlib import Path

import pytest

from chimein_gui.adapters.store import SqliteStore, opening, schema
from chimein_gui.domain.errors import StoreTooNewError, StoreUnreadableError, StoreWriteError
from chimein_gui.viewmodels.words.errors import error_words
from tests.support.bad_files import every_bad_file, spoil
from tests.unit.adapters.store.builders import NOW, chat_in, message, opened, sql_of

pytestmark = pytest.mark.usefixtures("migrations_in_earnest")


async def refuse(path: Path, error: type[Exception], match: str) -> str:
    before = {file.name: file.read_bytes() for file in path.parent.iterdir() if file.is_file()}
    with pytest.raises(error, match=match) as caught:
        await SqliteStore.open(path, now=lambda: NOW)
    for name, content in before.items():
        if not name.endswith("-shm"):  # SQLite's scratch memory, not data
            assert (path.parent / name).read_bytes() == content
    return error_words(caught.value)


async def fill(directory: Path, messages: int = 3) -> Path:
    async with opened(directory) as store:

        def work(tx):
            chat_id = chat_in(tx).chat_id
            for number in range(1, messages + 1):
                tx.messages.put(chat_id, message(number, "x" * 500))

        await store.transact(work)
    return directory / "chimein.db"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such mode")
async def test_a_new_file_is_private_and_in_wal_mode(tmp_path):
    async with opened(tmp_path / "state" / "deep") as store:
        assert await store.transact(lambda tx: sql_of(tx).one("PRAGMA journal_mode")) == ("wal",)
        assert await store.transact(lambda tx: sql_of(tx).one("PRAGMA foreign_keys")) == (1,)
        files = list((tmp_path / "state" / "deep").iterdir())
        assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}
        assert len(files) == 3
    assert stat.S_IMODE((tmp_path / "state" / "deep").stat().st_mode) == 0o700


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such mode")
async def test_a_file_that_others_could_read_is_made_private(tmp_path):
    path = await fill(tmp_path)
    path.chmod(0o644)
    await fill(tmp_path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


async def test_an_empty_file_is_a_new_one(tmp_path):
    (tmp_path / "chimein.db").touch()
    async with opened(tmp_path) as store:
        assert await store.read(lambda tx: tx.chats.all()) == ()
        version = await store.read(lambda tx: sql_of(tx).one("PRAGMA user_version"))
    assert version == (len(schema.MIGRATIONS),)


async def test_every_path_can_be_opened(tmp_path):
    await fill(tmp_path / "a?b#c %41 é 'q' &mode=memory")
    assert (tmp_path / "a?b#c %41 é 'q' &mode=memory" / "chimein.db").stat().st_size > 0


async def test_a_newer_schema_is_refused_with_a_way_out(tmp_path):
    path = await fill(tmp_path)
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 99")
    connection.commit()
    connection.close()
    words = await refuse(path, StoreTooNewError, "too new")
    assert str(path) in words
    assert "99" in words
    assert "left as it is" in words
    assert "data folder" in words


async def test_a_newer_schema_in_the_log_alone_is_refused_and_the_log_kept(tmp_path):
    path = await fill(tmp_path)
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA wal_autocheckpoint = 0")
    connection.execute("PRAGMA user_version = 99")
    connection.commit()
    elsewhere = tmp_path / "copy"
    elsewhere.mkdir()
    for file in tmp_path.glob("chimein.db*"):
        (elsewhere / file.name).write_bytes(file.read_bytes())
    connection.close()
    await refuse(elsewhere / "chimein.db", StoreTooNewError, "99")
    assert (elsewhere / "chimein.db-wal").stat().st_size > 0


@pytest.mark.parametrize("page", [2, 5, 15])
async def test_a_damaged_file_is_refused(tmp_path, page):
    path = await fill(tmp_path, messages=500)
    content = bytearray(path.read_bytes())
    content[(page - 1) * 4096 : page * 4096] = b"\xa5" * 4096
    path.write_bytes(content)
    await refuse(path, StoreUnreadableError, "not readable")


async def test_a_large_file_is_checked_by_its_small_tables(tmp_path, monkeypatch):
    path = await fill(tmp_path, messages=500)
    monkeypatch.setattr(opening, "THOROUGH_UP_TO_BYTES", 1)
    await fill(tmp_path, messages=1)
    content = bytearray(path.read_bytes())
    with closing(sqlite3.connect(path)) as connection:
        (root,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'chats'").fetchone()
    content[(root - 1) * 4096 : root * 4096] = b"\xa5" * 4096
    path.write_bytes(content)
    await refuse(path, StoreUnreadableError, "not readable")


async def test_another_programs_database_is_refused(tmp_path):
    path = tmp_path / "chimein.db"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE theirs (x)")
    connection.commit()
    connection.close()
    await refuse(path, StoreUnreadableError, "other programs")


async def test_a_log_without_its_file_is_not_thrown_away(tmp_path):
    (tmp_path / "chimein.db-wal").write_bytes(b"committed last")
    await refuse(tmp_path / "chimein.db", StoreUnreadableError, "log without file")
    assert not (tmp_path / "chimein.db").exists()


@every_bad_file
async def test_whatever_stands_in_its_place_is_told_and_left_alone(tmp_path, kind):
    if kind == "empty":
        return  # a new one
    untouched = spoil(tmp_path / "chimein.db", kind, b"not of ours\n" * 20)
    with pytest.raises((StoreUnreadableError, StoreWriteError), match=r"chimein\.db") as refused:
        await SqliteStore.open(tmp_path / "chimein.db", now=lambda: NOW)
    assert untouched()
    assert any(words in error_words(refused.value) for words in ("Put a backup in its place", "Make the file"))


async def test_a_state_directory_that_cannot_be_made_is_said_at_once(tmp_path):
    (tmp_path / "state").touch()
    with pytest.raises(StoreWriteError, match="not created"):
        await SqliteStore.open(tmp_path / "state" / "x" / "chimein.db", now=lambda: NOW)


async def test_a_file_locked_by_another_program_is_said_at_once(tmp_path, monkeypatch):
    path = await fill(tmp_path)
    monkeypatch.setattr(opening, "LOCK_WAIT_S", 0.05)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreWriteError, match="close the other"):
        await SqliteStore.open(path, now=lambda: NOW)
    other.execute("ROLLBACK")
    other.close()
    await fill(tmp_path)
