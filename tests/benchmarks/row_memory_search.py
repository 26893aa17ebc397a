"""memory_search: a search among 10,000 memories, by words and by vectors; yardstick: numpy's dot product of these."""

from __future__ import annotations

import asyncio
import statistics
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from chimein_gui.adapters.memory_index import SqliteMemoryIndex
from chimein_gui.domain.memory.recall import TOP, IndexedEntry, entry_id, text_hash
from chimein_gui.engine.ports import Vector
from tests.benchmarks.memory.scoring import FILE, TUNE, read_entries, read_questions
from tests.benchmarks.rows import Result
from tests.benchmarks.timing import median_ms

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

BUDGET_MS = 5.0
ENTRIES, DIMENSION, AT_A_TIME = 10_000, 768, 1_000
MODEL = "random"


@dataclass(frozen=True, slots=True)
class Times:
    """Medians in ms.

    Attributes:
        words: Of a search by words alone.
        both: Of one by words and by vectors.
        product: Of numpy's dot product with the choice of the five largest.
    """

    words: float
    both: float
    product: float


def many_entries(count: int) -> list[IndexedEntry]:
    """Return different entries that read like those of the recall data set."""
    texts = [one.text for one in read_entries()]
    numbers = np.random.default_rng(7).integers(len(texts), size=count)
    made = [f"{texts[first]} {texts[place % len(texts)]} {place}" for place, first in enumerate(numbers)]
    return [IndexedEntry(entry_id(FILE, text), FILE, text, line, None, None) for line, text in enumerate(made, 1)]


async def fill(index: SqliteMemoryIndex, count: int) -> NDArray[np.float32]:
    """Store so many entries with random vectors; return these, each of length one."""
    entries = many_entries(count)
    await index.sync(FILE, entries)
    await index.drop_except([FILE])
    vectors = np.random.default_rng(8).standard_normal((count, DIMENSION), np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    for begin in range(0, count, AT_A_TIME):
        some = entries[begin : begin + AT_A_TIME]
        hashes = [text_hash(one.text) for one in some]
        await index.put_vectors(MODEL, list(zip(hashes, vectors[begin : begin + AT_A_TIME].tolist(), strict=True)))
    return vectors


async def search_times(path: Path, count: int, repeats: int) -> Times:
    """Measure searches among so many entries, all of which may be seen."""
    index = SqliteMemoryIndex(path)
    try:
        vectors = await fill(index, count)
        questions = [one.text for one in read_questions(TUNE)]
        words, both = [], []
        for place in range(repeats + 1):
            question = questions[place % len(questions)]
            vector = Vector(MODEL, tuple(vectors[-place].tolist()))
            words.append((await index.search(question, [FILE])).took_s)
            recall = await index.search(question, [FILE], vector=vector)
            assert (recall.searched, recall.without_vector) == (count, 0)
            both.append(recall.took_s)
    finally:
        await index.close()
    product = median_ms(lambda: np.argpartition(-(vectors @ vectors[0]), TOP)[:TOP], min(repeats, 50))
    # The first search reads the index from the disk.
    return Times(1000 * statistics.median(words[1:]), 1000 * statistics.median(both[1:]), product)


def result(row_id: str, count: int, times: Times, budget_ms: float) -> Result:
    """Return the slower of both searches as the figure of a row."""
    value = max(times.words, times.both)
    note = f"{count:,} entries, {DIMENSION} dimensions; words alone {times.words:.2f} ms, with vectors {times.both:.2f}"
    return Result(row_id, value, "ms", times.product, f"<= {budget_ms:.0f} ms", value <= budget_ms, note)


def measure(folder: Path, *, quick: bool) -> Result:
    times = asyncio.run(search_times(folder / "memory_index.db", ENTRIES, 30 if quick else 300))
    return result("memory_search", ENTRIES, times, BUDGET_MS)
