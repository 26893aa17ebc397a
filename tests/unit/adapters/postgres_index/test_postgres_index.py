"""The index of memories in a real PostgreSQL with pgvector: it does what the one in SQLite does."""

from __future__ import annotations

import random
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING
from uuid import uuid4

import pytest

from chimein_gui.adapters.memory_index import SqliteMemoryIndex
from chimein_gui.adapters.postgres_index import searching
from chimein_gui.adapters.postgres_index.index import PostgresMemoryIndex
from chimein_gui.domain.errors import MixedModelsError, StoreError, StoreWriteError
from chimein_gui.domain.memory.entries import MemoryFile, MemoryKind
from chimein_gui.domain.memory.recall import BY_WORDS, text_hash
from chimein_gui.domain.notes.embedders import EmbedderReason
from chimein_gui.engine.ports import Vector
from tests.support import postgres
from tests.support.async_tests import OpenedInLoop
from tests.support.memory_index import ABOUT_7, ABOUT_8, NOTES, OWN, entries

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from pathlib import Path

    from chimein_gui.domain.memory.recall import Recall

CAT, DOG, TEA = "Ben has a cat called Soot.", "Ada walks her dog at six.", "Cleo drinks green tea."
QUESTIONS = ("what's the name of Ben's kitten?", "when is the dog out?", "does she like tea or coffee", "Soot", "???")

needs_server = pytest.mark.skipif(bool(postgres.why_not()), reason=postgres.why_not() or "-")


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    yield from postgres.server()


@pytest.fixture
def make(address: str) -> Iterator[type]:
    owners: list[str] = []

    def make(owner: str = "") -> PostgresMemoryIndex:
        owners.append(owner or uuid4().hex)
        return PostgresMemoryIndex(address, owners[-1])

    yield make  # type: ignore[misc]
    import psycopg

    with psycopg.connect(address) as connection:
        for table in ("entries", "vectors", "owners"):
            connection.execute(f"DELETE FROM chimein_memory.{table} WHERE owner = ANY(%s)", (owners,))


@asynccontextmanager
async def opened(index: PostgresMemoryIndex) -> AsyncIterator[PostgresMemoryIndex]:
    try:
        yield index
    finally:
        await index.close()


@pytest.fixture
def index(make):
    return OpenedInLoop(opened(make()))


def texts(recall: Recall) -> list[str]:
    return [one.entry.text for one in (*recall.best, *recall.losers)]


def unit(*values: float) -> Vector:
    return Vector("m", values)


pytestmark = needs_server


async def test_an_entry_is_found_as_the_index_in_sqlite_finds_it(index, tmp_path: Path):
    other = SqliteMemoryIndex(tmp_path / "memory_index.db")
    for one in (index, other):
        await one.sync(OWN, entries(OWN, CAT, DOG, TEA))
        await one.sync(NOTES, entries(NOTES, "Soot is black."))
        await one.drop_except([OWN, NOTES])
    for question in QUESTIONS:
        # One file at a time: over several files the two compute the mean length in different ways.
        for file in (OWN, NOTES):
            found, wanted = await index.search(question, [file]), await other.search(question, [file])
            assert [one.entry for one in found.best] == [one.entry for one in wanted.best], question
            assert [one.words for one in found.best] == pytest.approx([one.words for one in wanted.best], rel=1e-4)
            assert (found.searched, found.by) == (wanted.searched, BY_WORDS)
    await other.close()


async def test_only_the_given_files_of_this_owner_are_searched(make):
    index, other = make(), make()
    for file in (OWN, NOTES, ABOUT_7, ABOUT_8):
        await index.sync(file, entries(file, f"{CAT} {file.kind} {file.peer}"))
    await other.sync(OWN, entries(OWN, f"{CAT} of another state directory"))
    await index.put_vectors("m", [(text_hash(one.text), (1.0, 0.0)) for one in await index.missing("m", 10)])
    await other.put_vectors("m", [(text_hash(one.text), (1.0, 0.0)) for one in await other.missing("m", 10)])
    for vector in (None, unit(1.0, 0.0)):
        found = await index.search("Soot the cat", [OWN, ABOUT_7], vector=vector)
        assert {one.entry.file for one in found.best} == {OWN, ABOUT_7}
        assert not any("another" in text for text in texts(found))
        assert found.searched == 2
        assert texts(await index.search("Soot the cat", [], vector=vector)) == []
    for one in (index, other):
        await one.close()


async def test_what_is_gone_is_found_no_more_and_its_vector_is_gone(index):
    await index.sync(OWN, entries(OWN, CAT, DOG))
    await index.put_vectors("m", [(text_hash(CAT), (1.0, 0.0))])
    await index.sync(OWN, entries(OWN, DOG))
    assert CAT not in texts(await index.search("cat called Soot", [OWN]))
    assert (await index.status()).with_vector == {}
    await index.compact()
    await index.sync(OWN, entries(OWN, CAT, DOG))
    assert len(await index.missing("m", 10)) == 2


async def test_an_entry_that_moved_keeps_its_vector_and_has_its_new_line(index):
    await index.sync(OWN, entries(OWN, CAT))
    await index.put_vectors("m", [(text_hash(CAT), (1.0, 0.0))])
    await index.sync(OWN, entries(OWN, DOG, CAT))
    found = await index.search("cat", [OWN], vector=unit(1.0, 0.0))
    assert (found.best[0].entry, found.best[0].meaning) == (entries(OWN, DOG, CAT)[1], pytest.approx(1.0))
    assert [one.text for one in await index.missing("m", 10)] == [DOG]


async def test_words_and_meaning_are_ranked_together(index):
    await index.sync(OWN, entries(OWN, CAT, DOG, TEA))
    await index.put_vectors("m", [(text_hash(CAT), (1.0, 0.0)), (text_hash(DOG), (0.6, 0.8))])
    found = await index.search("green tea", [OWN], vector=unit(0.8, 0.6))
    assert (found.by, found.without_vector, found.searched) == ("m", 1, 3)
    assert {one.entry.text: one.meaning for one in found.best} == {
        CAT: pytest.approx(0.8, abs=1e-5),
        DOG: pytest.approx(0.96, abs=1e-5),
        TEA: None,
    }
    assert [one.rank for one in found.best] == [1, 2, 3]


async def test_vectors_of_two_models_or_lengths_are_never_compared(index):
    await index.sync(OWN, entries(OWN, CAT, DOG))
    assert (await index.search("cat", [OWN], vector=unit(1.0, 0.0))).by == BY_WORDS  # there are no vectors at all
    await index.put_vectors("m", [(text_hash(CAT), (1.0, 0.0))])
    for vector in (Vector("n", (1.0, 0.0)), unit(1.0, 0.0, 0.0)):
        with pytest.raises(MixedModelsError):
            await index.search("cat", [OWN], vector=vector)
    with pytest.raises(MixedModelsError):
        await index.put_vectors("m", [(text_hash(DOG), (1.0, 0.0, 0.0))])
    await index.put_vectors("n", [(text_hash(CAT), (1.0, 0.0, 0.0)), (text_hash(DOG), (0.0, 1.0, 0.0))])
    status = await index.status()
    assert (dict(status.with_vector), status.model) == ({"m": 1, "n": 2}, "n")
    await index.drop_vectors("n")
    assert dict((await index.status()).with_vector) == {"n": 2}


async def test_vectors_of_texts_that_no_entry_has_are_ignored(index):
    await index.sync(OWN, entries(OWN, CAT))
    await index.put_vectors("m", [(text_hash("gone meanwhile"), (1.0, 0.0))])
    assert (await index.status()).with_vector == {}


async def test_files_that_are_gone_are_dropped_and_then_the_index_is_complete(index):
    assert (await index.status()).stale
    for file in (OWN, ABOUT_7, ABOUT_8):
        await index.sync(file, entries(file, CAT))
    await index.drop_except([OWN])
    status = await index.status()
    assert (status.entries, status.stale) == (1, False)
    await index.begin_anew()
    status = await index.status()
    assert (status.entries, status.stale) == (0, True)
    await index.drop_except([])
    assert not (await index.status()).stale


async def test_the_index_is_there_for_the_next_run(make):
    first = make("the same owner")
    await first.sync(OWN, entries(OWN, CAT))
    await first.close()
    second = make("the same owner")
    assert texts(await second.search("cat", [OWN])) == [CAT]
    await second.close()
    await first.close()


@pytest.mark.parametrize(
    "text", ["", "nul \0 inside", "\ud800 alone", "'; DROP TABLE entries; --", "日本語の猫", "x" * 50_000]
)
async def test_any_text_can_be_stored_and_searched(index, text: str):
    await index.sync(OWN, entries(OWN, text, CAT))
    await index.search(text, [OWN])
    assert (await index.status()).entries == 2


async def test_a_large_index_is_searched_by_its_vector_index_and_only_in_the_given_files(index, monkeypatch):
    monkeypatch.setattr(searching, "EXACT_UP_TO", 100)
    chance = random.Random(7)
    crowd = [MemoryFile(MemoryKind.REMEMBERED, f"Agent {number}") for number in range(2)]
    vectors: dict[str, tuple[float, ...]] = {}
    for file in crowd:
        some = entries(file, *(f"entry {number} of {file.agent_name}" for number in range(300)))
        await index.sync(file, some)
        vectors |= {text_hash(one.text): tuple(chance.gauss(0, 1) for _ in range(16)) for one in some}
    await index.put_vectors("m", list(vectors.items()))
    asked = tuple(chance.gauss(0, 1) for _ in range(16))
    found = await index.search("nothing in common", crowd[:1], vector=Vector("m", asked))

    def cosine(values: tuple[float, ...]) -> float:
        length = sum(one * one for one in values) ** 0.5
        return sum(a * b for a, b in zip(asked, values, strict=True)) / length

    of_file = {text_hash(f"entry {number} of {crowd[0].agent_name}") for number in range(300)}
    nearest = max(of_file, key=lambda one: cosine(vectors[one]))
    assert {one.entry.file for one in (*found.best, *found.losers)} == {crowd[0]}
    assert text_hash(found.best[0].entry.text) == nearest


async def test_a_server_that_went_away_is_asked_again(index, address: str):
    import psycopg

    await index.sync(OWN, entries(OWN, CAT))
    with psycopg.connect(address, autocommit=True) as connection:
        ours = "SELECT pid FROM pg_stat_activity WHERE application_name = 'Chimein'"
        connection.execute(f"SELECT pg_terminate_backend(pid) FROM ({ours}) AS ours")
    assert texts(await index.search("cat", [OWN])) == [CAT]


async def test_no_server_is_an_error_that_names_no_password(tmp_path: Path):
    for address, kind in (
        (f"postgresql://me:s3cret@/x?host={tmp_path}", EmbedderReason.POSTGRES_UNREACHABLE),
        ("s3cret no string", EmbedderReason.POSTGRES_ADDRESS_ODD),
    ):
        index = PostgresMemoryIndex(address, "nobody")
        for call, error in ((index.status, StoreError), (lambda: index.drop_vectors(None), StoreWriteError)):  # noqa: B023
            with pytest.raises(error) as caught:
                await call()
            note = caught.value.note
            assert note is not None
            assert note.kind is kind
            assert "s3cret" not in f"{note} {caught.value} {index!r}"
