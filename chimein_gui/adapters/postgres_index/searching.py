"""One search in PostgreSQL: BM25 over the terms, cosine over the vectors, each in SQL, and both in one order."""

from __future__ import annotations

import math
import zlib
from typing import TYPE_CHECKING, NamedTuple

from chimein_gui.adapters.postgres_index.connection import library
from chimein_gui.adapters.postgres_index.rows import ENTRY, entry_of, key_of
from chimein_gui.adapters.postgres_index.schema import MOST_DIMENSIONS
from chimein_gui.domain.errors import MixedModelsError
from chimein_gui.domain.memory.ranking import DEPTH, Ranked, fused
from chimein_gui.domain.memory.recall import BY_WORDS, LOSERS, TOP, Recall, Recalled
from chimein_gui.domain.memory.terms import terms_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chimein_gui.adapters.postgres_index.connection import Connection
    from chimein_gui.domain.memory.entries import MemoryFile
    from chimein_gui.domain.memory.recall import IndexedEntry
    from chimein_gui.engine.ports import Vector

K1, B = 1.2, 0.2
"""As in the index in SQLite: how soon more of a term stops to count, and how much long entries are held back."""

EXACT_UP_TO = 20_000
"""In so many entries all vectors are compared; beyond, the HNSW index proposes candidates."""

CANDIDATES = 8 * DEPTH
"""How many it proposes: some of them are of files that may not be seen."""

_SCOPE = """
WITH scope AS (
    SELECT e.entry, e.length, e.text_hash FROM entries e
    JOIN unnest(%(agents)s::text[], %(kinds)s::text[], %(peers)s::bigint[]) AS f (agent, kind, peer)
    USING (agent, kind, peer) WHERE e.owner = %(owner)s
)"""
_BY_WORDS = f"""
{_SCOPE}, stats AS (SELECT count(*)::float8 AS n, greatest(1, coalesce(avg(length), 1))::float8 AS mean FROM scope),
hits AS (
    SELECT t.term, t.entry, t.weight::float8 AS weight, s.length::float8 AS length
    FROM scope s JOIN terms t USING (entry) WHERE t.term = ANY(%(terms)s)
),
rarity AS (
    SELECT term, ln(1 + (n - count(*) + 0.5) / (count(*) + 0.5)) AS rarity FROM hits, stats GROUP BY term, n
)
SELECT entry, sum(rarity * weight * ({K1} + 1) / (weight + {K1} * (1 - {B} + {B} * length / mean))) AS score,
(SELECT sum(rarity) * ({K1} + 1) FROM rarity) AS most
FROM hits JOIN rarity USING (term), stats GROUP BY entry ORDER BY score DESC, entry DESC LIMIT {DEPTH}
"""
_WITH_VECTOR = """
JOIN vectors v ON v.owner = %(owner)s AND v.model = %(model)s AND v.text_hash = s.text_hash
"""
_COUNT = f"""
{_SCOPE} SELECT count(*), count(v.text_hash) FROM scope s
LEFT {_WITH_VECTOR.strip()}
"""
_NEAREST = f"""
{_SCOPE} SELECT s.entry, 1 - (v.numbers <=> %(vector)s::vector) AS cosine FROM scope s {_WITH_VECTOR}
ORDER BY cosine DESC, s.entry DESC LIMIT {DEPTH}
"""
_BY_INDEX = """
{scope}, near AS (
    SELECT text_hash, 1 - (numbers::vector({dimension}) <=> %(vector)s::vector({dimension})) AS cosine FROM vectors
    WHERE model = {model} AND dimension = {dimension} AND owner = %(owner)s
    ORDER BY numbers::vector({dimension}) <=> %(vector)s::vector({dimension}) LIMIT {candidates}
)
SELECT s.entry, cosine FROM near JOIN scope s USING (text_hash) ORDER BY cosine DESC, s.entry DESC LIMIT {depth}
"""
_COSINES = """
SELECT e.entry, 1 - (v.numbers <=> %(vector)s::vector) FROM entries e
JOIN vectors v ON v.owner = e.owner AND v.model = %(model)s AND v.text_hash = e.text_hash
WHERE e.owner = %(owner)s AND e.entry = ANY(%(entries)s)
"""


class _Found(NamedTuple):
    """Entries, best first, with their scores or cosines."""

    order: list[int]
    values: dict[int, float]


class Search:
    """A search in the entries of some files; runs in one transaction, in a thread."""

    def __init__(self, connection: Connection, owner: str, files: Sequence[MemoryFile]) -> None:
        """`owner` is whose entries they are."""
        self._connection = connection
        keys = [key_of(file) for file in dict.fromkeys(files)]
        self._scope: dict[str, object] = {
            "owner": owner,
            "agents": [agent for agent, _kind, _peer in keys],
            "kinds": [kind for _agent, kind, _peer in keys],
            "peers": [peer for _agent, _kind, peer in keys],
        }

    def run(self, query: str, vector: Vector | None, limit: int) -> Recall:
        """Search by words, and by meaning if there is a vector.

        Raises:
            MixedModelsError: As `MemoryIndex.search`.
        """
        words = self._by_words(query)
        if vector is not None and not self._has_vectors(vector):
            vector = None
        searched, with_vector = self._count(vector.model if vector is not None else "")
        if vector is None:
            ranked, meaning = [Ranked(key, words.values[key]) for key in words.order[:limit]], _Found([], {})
        else:
            meaning = self._by_meaning(vector, searched)
            ranked = fused(words.order, meaning.order)[:limit]
            meaning.values.update(self._cosines(vector, [one.key for one in ranked]))
        entries = self._entries([one.key for one in ranked])
        found = tuple(
            Recalled(entries[one.key], one.score, words.values.get(one.key), meaning.values.get(one.key), rank)
            for rank, one in enumerate(ranked, 1)
        )
        by, without = (BY_WORDS, 0) if vector is None else (vector.model, searched - with_vector)
        return Recall(query, found[:TOP], found[TOP : TOP + LOSERS], searched, without, by=by)

    def _by_words(self, query: str) -> _Found:
        terms = [zlib.crc32(term.encode("utf-8", "surrogatepass")) for term in terms_of(query)]
        rows = self._connection.execute(_BY_WORDS, {**self._scope, "terms": terms}).fetchall()
        return _Found([row[0] for row in rows], {key: min(1.0, score / most) for key, score, most in rows if most})

    def _has_vectors(self, vector: Vector) -> bool:
        """Return False if there is no vector at all.

        Raises:
            MixedModelsError: There are vectors, but not such ones.
        """
        models = "SELECT DISTINCT model, dimension FROM vectors WHERE owner = %(owner)s"
        found = dict(self._connection.execute(models, self._scope).fetchall())
        if found and found.get(vector.model) != vector.dimension:
            raise MixedModelsError(f"asked with {vector.model} ({vector.dimension}), but the index has {found}")
        return bool(found)

    def _count(self, model: str) -> tuple[int, int]:
        """Return how many entries there are, and how many of them have a vector of a model."""
        entries, with_vector = self._connection.execute(_COUNT, {**self._scope, "model": model}).fetchone()
        return entries, with_vector

    def _by_meaning(self, vector: Vector, searched: int) -> _Found:
        asked = {**self._scope, "model": vector.model, "vector": written(vector.values)}
        rows: list[tuple[int, float]] = []
        if searched > EXACT_UP_TO and vector.dimension <= MOST_DIMENSIONS:
            rows = self._by_index(vector, asked)
        if len(rows) < DEPTH:
            rows = self._connection.execute(_NEAREST, asked).fetchall()
        rows = [(entry, cosine) for entry, cosine in rows if math.isfinite(cosine)]
        return _Found([entry for entry, _cosine in rows], dict(rows))

    def _by_index(self, vector: Vector, asked: dict[str, object]) -> list[tuple[int, float]]:
        """Return the nearest ones of what the HNSW index proposes; too few of them may be in the files."""
        sql = library("psycopg.sql")
        self._connection.execute(f"set local hnsw.ef_search = {CANDIDATES}")
        command = sql.SQL(_BY_INDEX).format(
            scope=sql.SQL(_SCOPE),
            dimension=sql.Literal(vector.dimension),
            model=sql.Literal(vector.model),
            candidates=sql.Literal(CANDIDATES),
            depth=sql.Literal(DEPTH),
        )
        found: list[tuple[int, float]] = self._connection.execute(command, asked).fetchall()
        return found

    def _cosines(self, vector: Vector, entries: Sequence[int]) -> dict[int, float]:
        asked = {**self._scope, "model": vector.model, "vector": written(vector.values), "entries": list(entries)}
        rows = self._connection.execute(_COSINES, asked).fetchall()
        return {entry: cosine for entry, cosine in rows if math.isfinite(cosine)}

    def _entries(self, keys: Sequence[int]) -> dict[int, IndexedEntry]:
        asked = {**self._scope, "entries": list(keys)}
        query = f"SELECT entry, {ENTRY} FROM entries WHERE owner = %(owner)s AND entry = ANY(%(entries)s)"
        return {row[0]: entry_of(row[1:]) for row in self._connection.execute(query, asked).fetchall()}


def written(values: Sequence[float]) -> str:
    """Return a vector as pgvector reads it."""
    return f"[{','.join(map(repr, map(float, values)))}]"
