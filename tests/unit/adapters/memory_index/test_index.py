"""The index of memories finds what it was given, in the files that may be seen, and nothing that is gone."""

import asyncio

import numpy as np
import pytest

from chimein_gui.adapters.memory_index import blocks
from chimein_gui.adapters.memory_index.vectors import ALL_KEPT, LEAST_SIGNS
from chimein_gui.domain.errors import MixedModelsError
from chimein_gui.domain.memory.recall import BY_WORDS, text_hash
from chimein_gui.engine.ports import Vector
from tests.support.async_tests import OpenedInLoop
from tests.support.memory_index import ABOUT_7, ABOUT_8, NOTES, OWN, entries, opened_index

CAT, DOG, TEA = "Ben has a cat called Soot.", "Ada walks her dog at six.", "Cleo drinks green tea."


@pytest.fixture
def index(tmp_path):
    return OpenedInLoop(opened_index(tmp_path / "memory_index.db"))


def texts(recall):
    return [one.entry.text for one in (*recall.best, *recall.losers)]


async def test_an_entry_is_found_by_other_words_for_its_subject(index):
    await index.sync(OWN, entries(OWN, CAT, DOG, TEA))
    found = await index.search("what's the name of Ben's kitten?", [OWN])
    assert texts(found)[0] == CAT
    assert (found.searched, found.without_vector, found.by) == (3, 0, BY_WORDS)
    (best, *_) = found.best
    assert best.entry == entries(OWN, CAT)[0]
    assert (best.rank, best.meaning) == (1, None)
    assert 0 < best.score == best.words <= 1
    assert found.took_s > 0


async def test_only_the_given_files_are_searched(index):
    for file in (OWN, NOTES, ABOUT_7, ABOUT_8):
        await index.sync(file, entries(file, f"{CAT} {file.kind} {file.peer}"))
    found = await index.search("Soot the cat", [OWN, ABOUT_7])
    assert {one.entry.file for one in found.best} == {OWN, ABOUT_7}
    assert found.searched == 2
    assert not texts(await index.search("Soot the cat", []))


async def test_what_is_gone_is_found_no_more_and_leaves_no_trace_in_the_file(index, tmp_path):
    await index.sync(OWN, entries(OWN, CAT, DOG))
    await index.put_vectors("m", [(text_hash(CAT), (1.0, 0.0))])
    await index.sync(OWN, entries(OWN, DOG))
    assert CAT not in texts(await index.search("cat called Soot", [OWN]))
    assert (await index.status()).with_vector == {}
    await index.close()
    (file,) = tmp_path.iterdir()
    assert b"Soot" not in file.read_bytes()


async def test_an_entry_that_moved_keeps_its_vector_and_has_its_new_line(index):
    await index.sync(OWN, entries(OWN, CAT))
    await index.put_vectors("m", [(text_hash(CAT), (1.0, 0.0))])
    await index.sync(OWN, entries(OWN, DOG, CAT))
    found = await index.search("cat Soot", [OWN], vector=Vector("m", (1.0, 0.0)))
    assert (found.best[0].entry.text, found.best[0].entry.line) == (CAT, 5)
    assert found.best[0].meaning == pytest.approx(1)


async def test_a_text_that_stands_twice_in_a_file_is_one_entry(index):
    await index.sync(OWN, entries(OWN, CAT, DOG, CAT))
    assert (await index.status()).entries == 2
    assert (await index.search("cat", [OWN])).best[0].entry.line == 9


async def test_other_files_can_be_dropped_and_then_the_index_is_complete(index):
    assert (await index.status()).stale
    await index.sync(OWN, entries(OWN, CAT))
    await index.sync(ABOUT_8, entries(ABOUT_8, DOG))
    await index.drop_except([OWN])
    status = await index.status()
    assert (status.entries, status.stale, status.problem) == (1, False, None)
    assert not texts(await index.search("dog", [ABOUT_8]))


async def test_the_index_is_there_after_it_was_closed(index):
    await index.sync(OWN, entries(OWN, CAT))
    await index.drop_except([OWN])
    await index.close()
    assert texts(await index.search("cat", [OWN])) == [CAT]
    assert not (await index.status()).stale


async def test_words_and_meaning_are_ranked_together(index):
    await index.sync(OWN, entries(OWN, CAT, DOG, TEA))
    await index.put_vectors("m", [(text_hash(CAT), (0.0, 1.0)), (text_hash(TEA), (1.0, 0.1))])
    found = await index.search("dog", [OWN], vector=Vector("m", (1.0, 0.0)))
    # By words the dog comes first and then the other pet, by meaning the tea and then the cat.
    assert texts(found) == [CAT, DOG, TEA]
    assert (found.by, found.without_vector) == ("m", 1)
    by_text = {one.entry.text: one for one in found.best}
    assert by_text[DOG].meaning is None
    assert by_text[TEA].words is None
    assert by_text[TEA].meaning == pytest.approx(0.995, abs=0.001)
    assert all(0 < one.score <= 1 for one in found.best)


async def test_vectors_of_two_models_are_never_compared(index):
    await index.sync(OWN, entries(OWN, CAT, DOG))
    asked = Vector("new", (1.0, 0.0))
    assert texts(await index.search("Soot", [OWN], vector=asked)) == [CAT]
    await index.put_vectors("old", [(text_hash(CAT), (1.0, 0.0))])
    for wrong in (asked, Vector("old", (1.0, 0.0, 0.0))):
        with pytest.raises(MixedModelsError):
            await index.search("cat", [OWN], vector=wrong)
    with pytest.raises(MixedModelsError):
        await index.put_vectors("old", [(text_hash(DOG), (1.0, 0.0, 0.0))])


async def test_a_new_model_is_a_job_that_can_go_on(index):
    await index.sync(OWN, entries(OWN, CAT, DOG, TEA))
    await index.sync(ABOUT_7, entries(ABOUT_7, CAT))
    await index.put_vectors("old", [(text_hash(text), (1.0, 0.0)) for text in (CAT, DOG, TEA)])
    (first,) = await index.missing("new", 1)
    await index.put_vectors("new", [(text_hash(first.text), (0.0, 1.0)), (text_hash("gone"), (0.0, 1.0))])
    assert [one.text for one in await index.missing("new", 10)] == [DOG, TEA]
    status = await index.status()
    assert (dict(status.with_vector), status.model) == ({"old": 4, "new": 2}, "old")
    await index.drop_vectors("new")
    assert (await index.status()).with_vector == {"new": 2}


async def test_what_is_counted_follows_every_change(index):
    async def counted():
        status = await index.status()
        return status.entries, dict(status.with_vector), status.model

    assert await counted() == (0, {}, None)
    await index.sync(OWN, entries(OWN, CAT, DOG))
    await index.sync(ABOUT_7, entries(ABOUT_7, CAT))
    assert await counted() == (3, {}, None)
    await index.put_vectors(
        "m", [(text_hash(CAT), (1.0, 0.0)), (text_hash(CAT), (1.0, 0.5)), (text_hash("no"), (1.0, 0.0))]
    )
    assert await counted() == (3, {"m": 2}, "m")
    await index.put_vectors("m", [(text_hash(CAT), (0.0, 1.0)), (text_hash(DOG), (1.0, 0.0))])
    assert await counted() == (3, {"m": 3}, "m")
    await index.put_vectors("n", [(text_hash(DOG), (1.0, 0.0))])
    assert await counted() == (3, {"m": 3, "n": 1}, "m")
    await index.sync(OWN, entries(OWN, CAT))
    assert await counted() == (2, {"m": 2}, "m")
    await index.drop_vectors(None)
    assert await counted() == (2, {}, None)


async def test_a_search_goes_on_while_many_entries_are_indexed(index):
    many = entries(OWN, *(f"Ben has {number} cats." for number in range(1200)))
    syncing = asyncio.ensure_future(index.sync(OWN, many))  # noqa: TID251 - the test ends it
    found = [await index.search("Ben", [OWN])]
    while not syncing.done():
        found.append(await index.search("Ben", [OWN]))
    await syncing
    assert {one.searched for one in found} - {0, 1200}
    assert (await index.search("Ben", [OWN])).searched == 1200


@pytest.mark.parametrize("limit", [1, 5, 7, 20])
async def test_as_many_entries_are_returned_as_were_asked_for(index, limit):
    await index.sync(OWN, entries(OWN, *(f"Ben has {number} cats." for number in range(30))))
    found = await index.search("Ben", [OWN], limit=limit)
    assert [one.rank for one in (*found.best, *found.losers)] == [*range(1, limit + 1)]
    assert len(found.best) == min(limit, 5)


async def test_a_file_that_is_written_anew_is_searched_as_before(index, tmp_path):
    await index.sync(OWN, entries(OWN, *(f"Ben has {number} cats." for number in range(300))))
    await index.sync(OWN, entries(OWN, CAT))
    size = (tmp_path / "memory_index.db").stat().st_size
    await index.compact()
    assert (tmp_path / "memory_index.db").stat().st_size < size
    assert texts(await index.search("Soot", [OWN])) == [CAT]


async def test_what_was_searched_long_ago_is_read_again(index, monkeypatch):
    monkeypatch.setattr(blocks, "MOST_BYTES", 0)
    for file, text in ((OWN, CAT), (NOTES, DOG), (ABOUT_8, TEA)):
        await index.sync(file, entries(file, text))
        await index.put_vectors("m", [(text_hash(text), (1.0, 0.0))])
    asked = Vector("m", (1.0, 0.0))
    for file, text in ((OWN, CAT), (NOTES, DOG), (OWN, CAT), (ABOUT_8, TEA)):
        assert texts(await index.search(text, [file], vector=asked)) == [text]
    assert len(index._blocks._postings) == len(index._blocks._vectors) == 1


async def test_a_large_file_makes_a_small_one_wait_for_one_batch_only(index):
    large = entries(OWN, *(f"Ben has {number} cats." for number in range(2000)))
    syncing = asyncio.ensure_future(index.sync(OWN, large))  # noqa: TID251 - the test ends it
    await index.sync(NOTES, entries(NOTES, DOG))
    assert texts(await index.search("dog", [NOTES])) == [DOG]
    assert not syncing.done()
    await syncing


async def test_a_file_that_is_dropped_while_it_is_indexed_is_gone(index):
    large = entries(OWN, *(f"Ben has {number} cats." for number in range(1200)))
    await index.sync(OWN, entries(OWN, CAT))
    syncing = asyncio.ensure_future(index.sync(OWN, large))  # noqa: TID251 - the test ends it
    await index.search("Ben", [OWN])
    await index.drop_except([])
    await syncing
    assert (await index.status()).entries == 0


@pytest.mark.parametrize(
    "text", ["", "\x00", "\ud83d", "'\"*^ AND NEAR(", "\uff11\uff12", "的" * 20_000, "word " * 5000]
)
async def test_any_text_can_be_stored_and_searched(index, text):
    await index.sync(OWN, entries(OWN, text, CAT))
    await index.search(text, [OWN])
    assert CAT in texts(await index.search("cat", [OWN]))


async def test_of_many_vectors_the_nearest_are_found_as_if_all_were_compared(index):
    numbers = np.random.default_rng(5)
    texts_, dimension = [f"fact {number}" for number in range(2 * ALL_KEPT)], 2 * LEAST_SIGNS
    # As with real models: all point to one side, and vectors of like meaning are near each other.
    kinds = numbers.standard_normal((100, dimension))[numbers.integers(100, size=len(texts_))]
    made = 2 + kinds + 0.7 * numbers.standard_normal((len(texts_), dimension))
    await index.sync(OWN, entries(OWN, *texts_))
    await index.put_vectors("m", [(text_hash(text), one.tolist()) for text, one in zip(texts_, made, strict=True)])
    unit = made / np.linalg.norm(made, axis=1, keepdims=True)
    for _ in range(5):
        asked = 2 + kinds[numbers.integers(len(texts_))] + 0.7 * numbers.standard_normal(dimension)
        recall = await index.search("?", [OWN], vector=Vector("m", tuple(asked)))
        cosines = unit @ (asked / np.linalg.norm(asked))
        nearest = np.argsort(-cosines)[:10]
        assert texts(recall) == [texts_[place] for place in nearest]
        assert [one.meaning for one in recall.best] == pytest.approx(cosines[nearest[:5]].tolist(), abs=1e-5)
