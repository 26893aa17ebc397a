"""Whatever happens to the file of the index, a search is right or says what is wrong, and the index comes back."""

import os
import sqlite3
import subprocess
from contextlib import suppress

import pytest

from chimein_gui.adapters.memory_index.index import WRITTEN
from chimein_gui.domain.errors import StoreUnreadableError, StoreWriteError
from chimein_gui.domain.memory.recall import text_hash
from chimein_gui.domain.notes.faults import FaultReason
from chimein_gui.engine.ports import Vector
from tests.support.memory_index import ABOUT_7, NOTES, OWN, entries, many, opened_index
from tests.support.own_process import python_process

CAT, DOG, TEA = "Ben has a cat called Soot.", "Ada walks her dog at six.", "Cleo drinks green tea."

CHANGE_COUNTER = 24
"""Where SQLite's header says that the file has changed; with another one, nothing that was read before is used."""


@pytest.fixture
def path(tmp_path):
    return tmp_path / "state" / "memory_index.db"


async def filled(path):
    """Store two entries and a vector."""
    async with opened_index(path) as index:
        await index.sync(OWN, entries(OWN, CAT, DOG))
        await index.put_vectors("m", [(text_hash(CAT), (1.0, 0.0))])
        await index.drop_except([OWN])


async def found(index, query):
    return [one.entry.text for one in (await index.search(query, [OWN])).best]


async def test_a_missing_file_is_made_for_this_user_only(path):
    await filled(path)
    path.unlink()
    async with opened_index(path) as index:
        assert (await index.status()).stale
        assert await found(index, "cat") == []
        await index.sync(OWN, entries(OWN, CAT))
        assert await found(index, "cat") == [CAT]
    assert path.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    "content", [b"no database", b"", b"SQLite format 3\x00" + b"\xff" * 5000], ids=["text", "0", "bad"]
)
async def test_a_file_that_is_no_index_is_made_anew(path, content):
    await filled(path)
    path.write_bytes(content)
    async with opened_index(path) as index:
        status = await index.status()
        assert (status.entries, status.stale, status.problem) == (0, True, None)
        await index.sync(OWN, entries(OWN, CAT))
        assert await found(index, "cat") == [CAT]


@pytest.mark.parametrize(
    "change", ["PRAGMA user_version = 0", "PRAGMA user_version = 999", "PRAGMA application_id = 5"]
)
async def test_an_index_of_another_version_is_made_anew(path, change):
    await filled(path)
    with sqlite3.connect(path) as connection:
        connection.execute(change)
    connection.close()
    async with opened_index(path) as index:
        status = await index.status()
        assert (status.entries, status.stale) == (0, True)


async def test_other_terms_are_made_anew_and_vectors_are_kept(path):
    await filled(path)
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE state SET terms = 1")
    connection.close()
    async with opened_index(path) as index:
        status = await index.status()
        assert (status.entries, status.stale, status.problem) == (0, True, None)
        await index.sync(OWN, entries(OWN, CAT, TEA))
        assert [one.text for one in await index.missing("m", 5)] == [TEA]
        await index.sync(OWN, entries(OWN, TEA))
        await index.drop_except([OWN])
        await index.sync(OWN, entries(OWN, CAT))
        assert [one.text for one in await index.missing("m", 5)] == [CAT]


async def test_damage_that_is_found_at_the_start_is_repaired_at_once(path):
    await filled(path)
    data = bytearray(path.read_bytes())
    data[4096:] = os.urandom(len(data) - 4096)
    path.write_bytes(data)
    async with opened_index(path) as index:
        assert (await index.status()).stale
        await index.sync(OWN, entries(OWN, CAT))
        assert await found(index, "cat") == [CAT]


async def test_damage_that_happens_later_is_reported_once_and_the_index_begins_anew(path):
    async with opened_index(path) as index:
        await index.sync(OWN, entries(OWN, CAT))
        with path.open("r+b") as file:
            file.seek(CHANGE_COUNTER)
            file.write(os.urandom(path.stat().st_size - CHANGE_COUNTER))
        with pytest.raises(StoreUnreadableError) as refused:
            await index.sync(OWN, entries(OWN, CAT, DOG))
        assert str(path) in str(refused.value.note)
        assert (await index.status()).stale
        await index.sync(OWN, entries(OWN, CAT, DOG))
        assert sorted(await found(index, "Ben and Ada and pets")) == [DOG, CAT]


async def test_a_read_only_file_is_searched_and_followed_in_memory(path):
    await filled(path)
    read_only(path, 0o400)
    before = path.read_bytes()
    async with opened_index(path) as index:
        recall = await index.search("Soot", [OWN], vector=Vector("m", (1.0, 0.0)))
        assert (recall.best[0].entry.text, recall.best[0].meaning) == (CAT, 1.0)
        await index.sync(OWN, entries(OWN, DOG))
        assert CAT not in await found(index, "cat Soot")
        problem = (await index.status()).problem
        assert problem is not None
        assert (problem.kind, problem.words) == (FaultReason.PATH_FAILED, str(path))
        with pytest.raises(StoreWriteError):
            await index.put_vectors("m", [(text_hash(DOG), (1.0, 0.0))])
    assert path.read_bytes() == before


async def test_a_file_that_becomes_read_only_is_followed_in_memory(path):
    await filled(path)
    before = path.read_bytes()
    async with opened_index(path) as index:
        await run_in_file(index, "PRAGMA query_only = ON")
        with pytest.raises(StoreWriteError):
            await index.put_vectors("m", [(text_hash(DOG), (1.0, 0.0))])
        await index.sync(OWN, entries(OWN, DOG))
        assert await found(index, "Soot") == []
        assert "readonly" in str((await index.status()).problem)
    assert path.read_bytes() == before


async def test_a_read_only_folder_gets_an_index_in_memory(path):
    path.parent.mkdir()
    read_only(path.parent, 0o500)
    async with opened_index(path) as index:
        await index.sync(OWN, entries(OWN, CAT))
        assert await found(index, "cat") == [CAT]
        assert (await index.status()).problem is not None
    path.parent.chmod(0o700)
    assert list(path.parent.iterdir()) == []


async def test_a_directory_in_its_place_is_left_alone(path):
    (path / "mine").mkdir(parents=True)
    async with opened_index(path) as index:
        await index.sync(OWN, entries(OWN, CAT))
        assert await found(index, "cat") == [CAT]
        assert (await index.status()).problem is not None
    assert (path / "mine").is_dir()


async def test_a_full_disk_never_leaves_a_removed_entry_in_the_search(path):
    await filled(path)
    async with opened_index(path) as index:
        await fill_disk(index)
        many = [f"{DOG} {number}" for number in range(500)]
        await index.sync(OWN, entries(OWN, *many))
        assert CAT not in await found(index, "cat Soot")
        status = await index.status()
        assert status.entries == 500
        assert "full" in str(status.problem)
        with pytest.raises(StoreWriteError):
            await index.put_vectors("m", [(text_hash(many[0]), (1.0, 0.0))])
    async with opened_index(path) as index:
        # With room again the keeper syncs, and the file has everything.
        await index.sync(OWN, entries(OWN, CAT, TEA))
        assert (await index.status()).problem is None
        assert await found(index, "tea") == [TEA]


async def test_a_full_disk_keeps_the_vectors_that_were_stored(path):
    await filled(path)
    async with opened_index(path) as index:
        await index.sync(ABOUT_7, entries(ABOUT_7, *(f"{DOG} {number}" for number in range(100))))
        await fill_disk(index)
        big = (0.5,) * 2
        with pytest.raises(StoreWriteError):
            await index.put_vectors(
                "m", [(one[0], big) for one in [(text_hash(f"{DOG} {number}"),) for number in range(100)]] * 100
            )
        assert (await index.status()).with_vector == {"m": 1}


@pytest.mark.parametrize("after_s", [0.02, 0.11])
async def test_a_killed_program_leaves_an_index_that_goes_on(path, after_s):
    with python_process("-m", "tests.support.memory_index", str(path)) as process:
        with suppress(subprocess.TimeoutExpired):
            process.wait(after_s)
        process.kill()
        process.wait()
    async with opened_index(path) as index:
        status = await index.status()
        assert status.problem is None
        # Everything of the first file, and of the second what was committed: whole transactions.
        assert status.entries >= len(many(OWN))
        assert (status.entries - len(many(OWN))) % WRITTEN == 0
        await index.sync(NOTES, many(NOTES))
        assert (await index.search("Ben 7 cats", [OWN, NOTES])).searched == 2 * len(many(OWN))


def read_only(path, mode):
    path.chmod(mode)
    if os.access(path, os.W_OK):
        pytest.skip("this user may write read-only files")


async def run_in_file(index, statement):
    await index.status()
    assert index._opened is not None
    return index._opened.connection.execute(statement).fetchone()


async def fill_disk(index):
    """Let the file of an index grow no more, as on a full disk."""
    (pages,) = await run_in_file(index, "PRAGMA page_count")
    await run_in_file(index, f"PRAGMA max_page_count = {pages}")
