"""Scores of a search on the recall data set: which questions find their entry among the first five, and at what rank.

`data/README.md` says what the questions are. Parameters are chosen with the half `tune` alone.
"""

from __future__ import annotations

import json
import statistics
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from chimein_gui.domain.memory.entries import MemoryFile, MemoryKind
from chimein_gui.domain.memory.recall import LOSERS, TOP, IndexedEntry, entry_id, text_hash
from chimein_gui.engine.ports import TextUse, Vector

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from chimein_gui.engine.ports import Embedder, MemoryIndex

DATA = Path(__file__).with_name("data")
TUNE, VALIDATION, CROSS = "tune", "validation", "cross"
FILE = MemoryFile(MemoryKind.REMEMBERED, "Mira Sol")


@dataclass(frozen=True, slots=True)
class Question:
    """A question with the texts that answer it, each of which is enough.

    Attributes:
        text: The question.
        answers: Ids of the entries, as the index has them.
        lang: Its language.
        half: `TUNE` or `VALIDATION`.
        kind: ``far``, ``plain``, or `CROSS` if its answer is in another language.
    """

    text: str
    answers: frozenset[str]
    lang: str
    half: str
    kind: str


@dataclass(frozen=True, slots=True)
class Score:
    """How a question was answered.

    Attributes:
        question: The question.
        rank: Rank of its first answer, from 1; None if it is not among the first ten.
        took_s: Seconds that the search took.
    """

    question: Question
    rank: int | None
    took_s: float


def read_entries() -> list[IndexedEntry]:
    """Return all entries, as if one file had them."""
    lines = (DATA / "entries.jsonl").read_text(encoding="utf-8").splitlines()
    texts = [json.loads(line)["text"] for line in lines]
    return [IndexedEntry(entry_id(FILE, text), FILE, text, line, None, None) for line, text in enumerate(texts, 1)]


def read_questions(half: str | None = None) -> list[Question]:
    """Return the questions of a half, or all."""
    texts = {row["id"]: row["text"] for row in map(json.loads, _lines("entries"))}
    return [
        Question(
            row["question"],
            frozenset(entry_id(FILE, texts[one]) for one in row["answers"]),
            row["lang"],
            row["half"],
            row["kind"],
        )
        for row in map(json.loads, _lines("questions"))
        if half in {None, row["half"]}
    ]


def _lines(name: str) -> list[str]:
    return (DATA / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()


async def index_all(index: MemoryIndex, embedder: Embedder | None = None) -> None:
    """Put all entries into an index, and their vectors."""
    entries = read_entries()
    await index.sync(FILE, entries)
    await index.drop_except([FILE])
    if embedder is not None:
        vectors = await _vectors([one.text for one in entries], embedder, TextUse.STORED)
        hashes = [text_hash(one.text) for one in entries]
        await index.put_vectors(embedder.model, list(zip(hashes, vectors, strict=True)))


async def _vectors(texts: Sequence[str], embedder: Embedder, use: TextUse) -> list[tuple[float, ...]]:
    found: list[tuple[float, ...]] = []
    for begin in range(0, len(texts), embedder.most_texts):
        found += (await embedder.embed(texts[begin : begin + embedder.most_texts], use)).vectors
    return found


async def score(index: MemoryIndex, questions: Sequence[Question], embedder: Embedder | None = None) -> list[Score]:
    """Ask all questions."""
    made = [] if embedder is None else await _vectors([one.text for one in questions], embedder, TextUse.QUERY)
    scores = []
    for place, question in enumerate(questions):
        vector = Vector(embedder.model, made[place]) if embedder is not None else None
        recall = await index.search(question.text, [FILE], vector=vector, limit=TOP + LOSERS)
        ranks = [one.rank for one in (*recall.best, *recall.losers) if one.entry.id in question.answers]
        scores.append(Score(question, min(ranks, default=None), recall.took_s))
    return scores


def recall_at_5(scores: Iterable[Score]) -> float:
    """Return the share of questions with an answer among the first five."""
    return statistics.fmean(one.rank is not None and one.rank <= TOP for one in scores)


def mean_reciprocal_rank(scores: Iterable[Score]) -> float:
    """Return the mean of 1 / rank; 0 counts for questions without an answer among the first ten."""
    return statistics.fmean(1 / one.rank if one.rank else 0.0 for one in scores)


def same_language(scores: Iterable[Score]) -> list[Score]:
    """Return the scores of questions in the language of their answer."""
    return [one for one in scores if one.question.kind != CROSS]
