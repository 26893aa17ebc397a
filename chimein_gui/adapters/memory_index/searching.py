"""One search: by words over the terms of the files, by meaning over their vectors, and both in one order."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from chimein_gui.adapters.memory_index import postings
from chimein_gui.adapters.memory_index.vectors import of_length_one
from chimein_gui.domain.errors import MixedModelsError
from chimein_gui.domain.memory.ranking import DEPTH, Ranked, fused
from chimein_gui.domain.memory.recall import BY_WORDS, TOP, Recall, Recalled
from chimein_gui.domain.memory.terms import terms_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from chimein_gui.adapters.memory_index.blocks import Blocks
    from chimein_gui.adapters.memory_index.tables import Tables
    from chimein_gui.domain.memory.entries import MemoryFile
    from chimein_gui.engine.ports import Vector


class _Words(NamedTuple):
    """Entries that words find, best first, with 0 to 1 for each."""

    order: list[int]
    scores: dict[int, float]
    searched: int


class _Meaning(NamedTuple):
    """Entries whose vectors are nearest, nearest first, with their cosines."""

    order: list[int]
    cosines: dict[int, float]
    with_vector: int


def search(
    tables: Tables,
    blocks: Blocks,
    query: str,
    files: Sequence[MemoryFile],
    vector: Vector | None,
    limit: int,
    began: float,
) -> Recall:
    """Search the entries of some files; runs in the thread of the index.

    Args:
        tables: The index.
        blocks: What is kept of it in memory.
        query: What is searched for by words.
        files: The files that may be seen.
        vector: The vector of the query, or None.
        limit: How many entries are returned at most.
        began: When the search was asked for, as `time.perf_counter` has it.

    Raises:
        MixedModelsError: As `MemoryIndex.search`.
    """
    numbers = [number for number in map(tables.file_of, dict.fromkeys(files)) if number is not None]
    words = _by_words(tables, blocks, numbers, query)
    meaning = None if vector is None else _by_meaning(tables, blocks, numbers, vector)
    blocks.trim(len(numbers))
    if meaning is None or vector is None:
        ranked = [Ranked(key, words.scores[key]) for key in words.order[:limit]]
        without, by = 0, BY_WORDS
    else:
        ranked = fused(words.order, meaning.order)[:limit]
        without, by = words.searched - meaning.with_vector, vector.model
        lacking = [one.key for one in ranked if one.key not in meaning.cosines]
        meaning.cosines.update(_cosines(tables, vector, lacking))
    entries = tables.entries([one.key for one in ranked])
    found = tuple(
        Recalled(
            entries[one.key],
            one.score,
            words.scores.get(one.key),
            None if meaning is None else meaning.cosines.get(one.key),
            rank,
        )
        for rank, one in enumerate(ranked, 1)
    )
    took = time.perf_counter() - began
    return Recall(query, found[:TOP], found[TOP:], words.searched, without, took, by)


def _by_words(tables: Tables, blocks: Blocks, files: Sequence[int], query: str) -> _Words:
    parts = [blocks.postings(tables, file) for file in files]
    scores, most = postings.search(parts, terms_of(query))
    if not len(scores) or not most:
        return _Words([], {}, len(scores))
    rows = np.concatenate([part.rows for part in parts])
    best = np.argpartition(-scores, min(DEPTH, len(scores)) - 1)[:DEPTH]
    best = best[scores[best] > 0]
    # Of entries that fit equally well, the newer one comes first.
    best = best[np.lexsort((-rows[best], -scores[best]))]
    order: list[int] = rows[best].tolist()
    shares = np.minimum(1, scores[best] / most).tolist()
    return _Words(order, dict(zip(order, shares, strict=True)), len(scores))


def _by_meaning(tables: Tables, blocks: Blocks, files: Sequence[int], vector: Vector) -> _Meaning | None:
    """Return None if the index has no vectors at all."""
    models = blocks.models(tables)
    if not models:
        return None
    if models.get(vector.model) != vector.dimension:
        raise MixedModelsError(f"asked with {vector.model} ({vector.dimension}), but the index has {models}")
    query = _unit(vector)
    found: list[tuple[int, float]] = []
    with_vector = 0
    for file in files:
        block = blocks.vectors(tables, file, vector.model, vector.dimension)
        with_vector += len(block)
        found += block.nearest(query, DEPTH, tables.vectors.numbers)
    found.sort(key=lambda one: -one[1])
    return _Meaning([key for key, _ in found[:DEPTH]], dict(found), with_vector)


def _cosines(tables: Tables, vector: Vector, entries: Sequence[int]) -> dict[int, float]:
    """Return the cosines of some entries, as far as these have vectors."""
    query = _unit(vector)
    stored = tables.vectors.numbers_of(vector.model, entries)
    return {
        key: float(of_length_one(np.frombuffer(numbers, np.float32)[None, :])[0] @ query)
        for key, numbers in stored.items()
    }


def _unit(vector: Vector) -> NDArray[np.float32]:
    unit: NDArray[np.float32] = of_length_one(np.array([vector.values], np.float32))[0]
    return unit
