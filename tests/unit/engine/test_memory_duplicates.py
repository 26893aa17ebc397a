"""Entries that say the same: they are found by their words, and by their meaning where there are vectors."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from chimein_gui.adapters.files.memory import MarkdownMemoryFiles
from chimein_gui.adapters.memory_index import SqliteMemoryIndex
from chimein_gui.domain.errors import ModelRefusedError
from chimein_gui.domain.ids import MessageId
from chimein_gui.domain.memory.edits import indexed_entries
from chimein_gui.domain.memory.files import entries_of
from chimein_gui.domain.memory.likeness import nearest
from chimein_gui.domain.memory.proposals import Evidence, FoundMemory, NewProposal
from chimein_gui.domain.memory.recall import text_hash
from chimein_gui.engine.memory.duplicates import by_words_alone, said_already
from chimein_gui.engine.memory.review_list import ReviewList
from chimein_gui.engine.memory.vectors.queries import Likeness
from chimein_gui.engine.memory.writer import MemoryWriter
from chimein_gui.engine.ports import MemoryState, TextUse
from tests.support.decision_room import PARTNER
from tests.support.planning_room import planning_room
from tests.support.vector_room import CURATED, GEMINI, REMEMBERED, VectorRoom, vector_room


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("I'm allergic to nuts", "I am allergic to NUTS!"),
        ("Ich bin gegen Nüsse allergisch", "ich bin gegen nusse allergisch."),
        ("The door code is 4711", "door code: 4711"),
        ("у меня аллергия на орехи", "У меня аллергия на орехи…"),  # noqa: RUF001
        ("我对花生过敏", "我对花生过敏。"),
        ("ナッツアレルギーです", "ナッツアレルギーです！"),  # noqa: RUF001
        ("is", "IS"),
        ("I like tea", "I like tea 😀"),
    ],
)
def test_texts_that_say_the_same_are_known(one: str, other: str) -> None:
    near = nearest(["something else", one], other)
    assert near is not None
    assert (near.place, near.is_same, near.score) == (1, True, 1.0)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("I like tea", "I don't like tea"),
        ("I like tea", "I do not like tea"),
        ("my code is 4711", "my code is 4712"),
        ("Tom is my brother", "my brother is Tom's friend"),
        ("I eat nuts", "Ana eats nuts"),
        ("I'm Ana", "Ana"),
        ("我吃花生", "我不吃花生"),
        ("Ich mag Tee", "Ich mag keinen Tee"),
        ("dogs bite men", "men bite dogs"),
        ("I write C", "I write C++"),
        ("I write C", "I write C#"),
        ("it was 5 degrees", "it was -5 degrees"),
        ("a share of 5 %", "a share of 5 €"),
        ("my favourite is 🍎", "my favourite is 🍌"),
    ],
)
def test_texts_that_say_something_else_are_not(one: str, other: str) -> None:
    near = nearest([one], other)
    assert near is not None
    assert not near.is_same
    always = nearest([one], other, lambda _text: 0.95)
    assert always is not None
    assert not always.is_same


def test_by_meaning_other_words_say_the_same_but_never_other_numbers_or_negations() -> None:
    def meaning(text: str) -> float | None:
        return None if text == "without a vector" else 0.99

    known = ["without a vector", "nuts make me ill"]
    near = nearest(known, "I am allergic to nuts", meaning)
    assert near is not None
    assert (near.place, near.is_same, near.score) == (1, True, 0.99)
    for one, other in (("room 12", "room 13"), ("I smoke", "I never smoke")):
        near = nearest([one], other, meaning)
        assert near is not None
        assert not near.is_same


def test_a_cosine_of_unlike_texts_makes_nothing_alike() -> None:
    """Vectors of any two texts have a cosine far above 0, so it counts only from a bound on."""
    near = nearest(["the ferry leaves at nine", "Oskar has a car"], "Oskar offers lifts", {"Oskar has a car": 0.7}.get)
    assert near is not None
    assert (near.is_alike, near.is_by_meaning) == (False, False)
    near = nearest(["the ferry leaves at nine", "Oskar has a car"], "lifts by Oskar", {"Oskar has a car": 0.86}.get)
    assert near is not None
    assert (near.place, near.is_alike, near.is_by_meaning, near.is_same, near.score) == (1, True, True, False, 0.86)


def test_without_entries_nothing_is_near() -> None:
    assert nearest([], "I like tea") is None


async def test_what_a_reply_remembers_again_is_not_written_twice(tmp_path: Path) -> None:
    async with planning_room(tmp_path) as room:
        base = room.room
        writer = MemoryWriter(
            base.unit, base.bus, room.jobs.spawn, MarkdownMemoryFiles(tmp_path / "state"), lambda _agent: room.spec
        )
        states = []
        for text in ("Marta likes tea", "Marta likes the tea.", "Marta likes no tea"):
            room.model.script.append(f"# «remember»\n{text}\n# «send»\nhello")
            await room.plan()
            await writer.write_now()
            graph_id = (await room.graph()).graph_id
            effect = await base.do(lambda tx, graph_id=graph_id: tx.effects.memory(graph_id, 0))  # type: ignore[misc]
            states.append(effect.state)
        assert states == [MemoryState.WRITTEN, MemoryState.KNOWN, MemoryState.WRITTEN]
        path = tmp_path / "state" / "Nora" / "memory.md"
        assert [one.text for one in entries_of(path.read_text(encoding="utf-8"))] == [
            "Marta likes tea",
            "Marta likes no tea",
        ]


ALLERGY, AGAIN, OTHER = "nuts make Marta ill", "Marta ill make nuts", "Marta has no cat"


@asynccontextmanager
async def remembered(folder: Path, *texts: str) -> AsyncIterator[tuple[VectorRoom, MarkdownMemoryFiles, Likeness]]:
    """Open a room in which texts are remembered, of which the allergy has a vector."""
    files = MarkdownMemoryFiles(folder / "state")
    index = SqliteMemoryIndex(folder / "index.db")
    async with vector_room(folder) as here:
        here.index.hold(CURATED, ALLERGY)
        here.choice = GEMINI
        here.begin()
        await here.done("gemini-embedding-001")
        for number, text in enumerate(texts, 1):
            await files.append("Nora", text, at=here.room.clock.now(), provenance="chat 77", key=str(number))
        await index.sync(REMEMBERED, indexed_entries(REMEMBERED, (await files.text(REMEMBERED)).text))
        (values,) = (await here.gemini.embed([ALLERGY], TextUse.STORED)).vectors
        await index.put_vectors("gemini-embedding-001", [(text_hash(ALLERGY), values)])
        yield here, files, Likeness(index, here.queries)
    await index.close()


async def test_with_vectors_other_words_are_known_too(tmp_path: Path) -> None:
    async with remembered(tmp_path, ALLERGY) as (here, files, alike):
        assert await said_already(files, REMEMBERED, AGAIN, "2", by_words_alone) is None
        known = await said_already(files, REMEMBERED, AGAIN, "2", alike)
        assert known is not None
        assert known.text == ALLERGY
        assert await said_already(files, REMEMBERED, OTHER, "3", alike) is None
        here.gemini.errors = [ModelRefusedError("no")]
        assert await said_already(files, REMEMBERED, "ill nuts make Marta", "4", alike) is None, "by words then"


async def test_the_review_list_compares_by_meaning_and_pays_for_nothing(tmp_path: Path) -> None:
    """What was embedded when it was found is compared by meaning; what has no vector, by words."""
    async with remembered(tmp_path, OTHER, ALLERGY) as (here, files, alike):
        evidence = (Evidence(MessageId(1), "nuts"),)
        new = FoundMemory("she peanuts sick", evidence)
        agent_id, chat_id, now = here.agent_id, here.room.chat_id, here.room.clock.now()
        row = NewProposal(new, agent_id, chat_id, PARTNER, "Marta", now, "m", None)
        await here.room.do(lambda tx: tx.proposals.add(row))
        shown = ReviewList(here.room.unit, here.room.clock, files, lambda _agent_id: "Nora", alike.unpaid)
        asked = len(here.gemini.asked)
        (first,) = (await shown.load()).open
        assert (first.nearest, len(here.gemini.asked)) == (None, asked)
        await alike([REMEMBERED], new.text)  # as the extraction does
        (second,) = (await shown.load()).open
        assert second.nearest is not None
        assert (second.nearest.entry.text, second.is_by_meaning, second.nearest_number) == (ALLERGY, True, 2)
        assert second.score == pytest.approx(4 / 18**0.5)  # the fake vectors count words in eight sorts
        assert len(here.gemini.asked) == asked + 1
