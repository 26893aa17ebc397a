"""The tables of the index. Every function runs in the thread of the index.

No numpy here: the window must not wait for its import.
"""

from __future__ import annotations

import sqlite3
import zlib
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import NamedTuple

from chimein_gui.domain.ids import PeerId
from chimein_gui.domain.memory.entries import MemoryFile, MemoryKind
from chimein_gui.domain.memory.recall import IndexedEntry, text_hash
from chimein_gui.domain.memory.terms import terms_of

NOBODY = 0
"""Stored peer of a file that is about nobody; no peer of Telegram has this id."""
_MOST_PARAMETERS = 500
_BATCH = 500

_ENTRY = "e.entry, e.id, e.text, e.line, e.at, e.chat, f.kind, f.agent, f.peer"
_JOINED = "FROM entries e JOIN files f ON f.file = e.file"
_FIND = "SELECT file FROM files WHERE agent = ? AND kind = ? AND peer = ?"
_ADD = """
INSERT INTO entries (file, id, text, text_hash, line, at, chat, terms, weights) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
_MOVE = "UPDATE entries SET line = ?, at = ?, chat = ? WHERE file = ? AND id = ?"
_PUT = """
INSERT INTO vectors (model, text_hash, dimension, numbers) SELECT ?, ?, ?, ?
WHERE EXISTS (SELECT 1 FROM entries WHERE text_hash = ?)
ON CONFLICT DO UPDATE SET dimension = excluded.dimension, numbers = excluded.numbers
"""
_WITH_VECTOR = """
SELECT v.model, count(*) FROM vectors v JOIN entries e ON e.text_hash = v.text_hash GROUP BY v.model
"""
_MISSING = f"""
SELECT {_ENTRY}, min(e.entry) {_JOINED}
WHERE NOT EXISTS (SELECT 1 FROM vectors v WHERE v.model = ? AND v.text_hash = e.text_hash)
GROUP BY e.text_hash ORDER BY 1 LIMIT ?
"""
_OF_MODEL = "FROM entries e CROSS JOIN vectors v ON v.model = ? AND v.text_hash = e.text_hash"
"""A cross join, because SQLite would read all vectors of the model first."""
_NUMBERS = f"SELECT e.entry, v.vector, v.numbers {_OF_MODEL} WHERE e.file = ? ORDER BY e.entry"


class Stored(NamedTuple):
    """What is stored of an entry and may change while its text stays."""

    line: int
    at: str | None
    chat: int | None


class Changes(NamedTuple):
    """How a file differs from what is indexed of it.

    Attributes:
        gone: Ids of entries that it does not have any more.
        moved: Entries with the same text at another place.
        new: Entries that are not indexed.
    """

    gone: list[str]
    moved: list[IndexedEntry]
    new: list[IndexedEntry]


class Tables:
    """The index's tables on one connection; transactions are the caller's.

    Attributes:
        vectors: The table of vectors.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._run = connection.execute
        self.vectors = VectorTable(connection)

    def file_of(self, file: MemoryFile) -> int | None:
        """Return the number of a file; None if nothing is indexed of it."""
        row = self._run(_FIND, _key(file)).fetchone()
        return None if row is None else int(row[0])

    def files(self) -> dict[MemoryFile, int]:
        """Return all files with their numbers."""
        rows = self._run("SELECT file, kind, agent, peer FROM files").fetchall()
        return {_file(*row): number for number, *row in rows}

    def add_file(self, file: MemoryFile) -> int:
        """Return the number of a file, which is added if it is new."""
        self._run("INSERT INTO files (agent, kind, peer) VALUES (?, ?, ?) ON CONFLICT DO NOTHING", _key(file))
        return int(self._run(_FIND, _key(file)).fetchone()[0])

    def changes(self, file: MemoryFile, entries: Sequence[IndexedEntry]) -> Changes:
        """Compare a file's entries with what is indexed; of entries with the same text the last one counts."""
        number = self.file_of(file)
        rows = self._run("SELECT id, line, at, chat FROM entries WHERE file = ?", (number,)).fetchall()
        stored = {key: Stored(*values) for key, *values in rows}
        wanted = {one.id: one for one in entries}
        return Changes(
            [key for key in stored if key not in wanted],
            [one for key, one in wanted.items() if key in stored and stored[key] != _stored(one)],
            [one for key, one in wanted.items() if key not in stored],
        )

    def remove(self, file: int, ids: Sequence[str]) -> None:
        """Remove entries, and the vectors of texts that no entry has any more."""
        for some in _parts(ids):
            marks = _marks(some)
            found = f"FROM entries WHERE file = ? AND id IN ({marks})"
            hashes = [one for (one,) in self._run(f"SELECT text_hash {found}", (file, *some))]
            self._run(f"DELETE {found}", (file, *some))
            self._drop_unused(hashes)

    def _drop_unused(self, hashes: Sequence[str]) -> None:
        for some in _parts(hashes):
            unused = "NOT EXISTS (SELECT 1 FROM entries e WHERE e.text_hash = vectors.text_hash)"
            self._run(f"DELETE FROM vectors WHERE text_hash IN ({_marks(some)}) AND {unused}", some)

    def remove_file(self, file: int) -> None:
        """Remove a file with its entries."""
        self.remove(file, [one for (one,) in self._run("SELECT id FROM entries WHERE file = ?", (file,))])
        self._run("DELETE FROM files WHERE file = ?", (file,))

    def move(self, file: int, entries: Sequence[IndexedEntry]) -> None:
        """Store other lines, times or chats of entries."""
        values = [(*_stored(one), file, one.id) for one in entries]
        self._connection.executemany(_MOVE, values)

    def add(self, file: int, rows: Sequence[tuple[object, ...]]) -> None:
        """Add entries, as `row_of` makes them."""
        self._connection.executemany(_ADD, ((file, *row) for row in rows))

    def terms(self, file: int) -> list[tuple[int, bytes, bytes]]:
        """Return number, terms and weights of each entry of a file, in the order of the numbers."""
        return self._run("SELECT entry, terms, weights FROM entries WHERE file = ? ORDER BY entry", (file,)).fetchall()

    def entries(self, numbers: Sequence[int]) -> dict[int, IndexedEntry]:
        """Return some entries by number."""
        rows = self._run(f"SELECT {_ENTRY} {_JOINED} WHERE e.entry IN ({_marks(numbers)})", numbers).fetchall()
        return {row[0]: _entry(row) for row in rows}

    def count(self) -> int:
        """Return the number of entries."""
        return int(self._run("SELECT count(*) FROM entries").fetchone()[0])

    def is_complete(self) -> bool:
        """Return whether all files were indexed once."""
        return bool(self._run("SELECT complete FROM state").fetchone()[0])

    def set_complete(self) -> None:
        """Note that all files are indexed; vectors that no entry has are of no use then."""
        self._run("DELETE FROM vectors WHERE text_hash NOT IN (SELECT text_hash FROM entries)")
        self._run("UPDATE state SET complete = 1 WHERE complete = 0")

    def clear(self) -> None:
        """Remove all entries and files, and keep the vectors."""
        for change in ("DELETE FROM entries", "DELETE FROM files", "UPDATE state SET complete = 0"):
            self._run(change)


class VectorTable:
    """The vectors of texts on one connection; transactions are the caller's."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._run = connection.execute

    def missing(self, model: str, limit: int) -> tuple[IndexedEntry, ...]:
        """Return entries without a vector of a model, one for each text."""
        return tuple(_entry(row[:-1]) for row in self._run(_MISSING, (model, limit)))

    def put(self, model: str, vectors: Sequence[tuple[str, bytes]]) -> set[int]:
        """Store vectors of texts that entries have; return the files with these texts."""
        rows = [(model, key, len(numbers) // 4, numbers, key) for key, numbers in vectors]
        self._connection.executemany(_PUT, rows)
        changed: set[int] = set()
        for some in _parts([key for key, _ in vectors]):
            query = f"SELECT DISTINCT file FROM entries WHERE text_hash IN ({_marks(some)})"
            changed.update(file for (file,) in self._run(query, some))
        return changed

    def count_lacking(self, model: str, hashes: Sequence[str]) -> int:
        """Return how many entries with one of these texts have no vector of a model."""
        lacks = "NOT EXISTS (SELECT 1 FROM vectors v WHERE v.model = ? AND v.text_hash = e.text_hash)"
        total = 0
        for some in _parts(list(dict.fromkeys(hashes))):
            query = f"SELECT count(*) FROM entries e WHERE e.text_hash IN ({_marks(some)}) AND {lacks}"
            total += int(self._run(query, (*some, model)).fetchone()[0])
        return total

    def drop(self, except_model: str | None) -> None:
        """Remove the vectors of all other models."""
        self._run("DELETE FROM vectors WHERE model IS NOT ?", (except_model,))

    def models(self) -> dict[str, int]:
        """Return the models that vectors are of, with their dimensions."""
        names = "SELECT model, dimension FROM vectors WHERE vector IN (SELECT min(vector) FROM vectors GROUP BY model)"
        return dict(self._run(names).fetchall())

    def count(self, model: str, file: int) -> int:
        """Return how many entries of a file have a vector of a model."""
        return int(self._run(f"SELECT count(*) {_OF_MODEL} WHERE e.file = ?", (model, file)).fetchone()[0])

    def of_file(self, model: str, file: int) -> Iterator[list[tuple[int, int, bytes]]]:
        """Yield the vectors of a file in batches of entry number, vector number and bytes."""
        rows = self._run(_NUMBERS, (model, file))
        while some := rows.fetchmany(_BATCH):
            yield some

    def numbers(self, vectors: Sequence[int]) -> dict[int, bytes]:
        """Return some vectors by number."""
        found: dict[int, bytes] = {}
        for some in _parts(vectors):
            found.update(self._run(f"SELECT vector, numbers FROM vectors WHERE vector IN ({_marks(some)})", some))
        return found

    def numbers_of(self, model: str, entries: Sequence[int]) -> dict[int, bytes]:
        """Return the vectors of a few entries by entry number."""
        query = f"SELECT e.entry, v.numbers {_OF_MODEL} WHERE e.entry IN ({_marks(entries)})"
        return dict(self._run(query, (model, *entries)).fetchall())

    def with_vector(self) -> dict[str, int]:
        """Return how many entries have a vector, by model."""
        return dict(self._run(_WITH_VECTOR).fetchall())


def hashed(terms: Iterable[str]) -> bytes:
    """Return terms as they are stored: their CRC-32s, 4 bytes each."""
    return array("I", (zlib.crc32(term.encode("utf-8", "surrogatepass")) for term in terms)).tobytes()


def packed(terms: Mapping[str, int]) -> tuple[bytes, bytes]:
    """Return terms as they are stored, and their weights, 1 byte each."""
    return hashed(terms), bytes(terms.values())


def as_bytes(values: Sequence[float]) -> bytes:
    """Return a vector as it is stored: float32."""
    return array("f", values).tobytes()


def row_of(entry: IndexedEntry) -> tuple[object, ...]:
    """Return an entry as it is stored, with its terms."""
    text = entry.text.encode("utf-8", "replace").decode()
    return (entry.id, text, text_hash(entry.text), *_stored(entry), *packed(terms_of(entry.text)))


def _stored(entry: IndexedEntry) -> Stored:
    at = None if entry.at is None else entry.at.isoformat()
    return Stored(entry.line, at, None if entry.chat is None else int(entry.chat))


def _key(file: MemoryFile) -> tuple[str, str, int]:
    return file.agent_name, file.kind.value, NOBODY if file.peer is None else int(file.peer)


def _file(kind: str, agent: str, peer: int) -> MemoryFile:
    return MemoryFile(MemoryKind(kind), agent, None if peer == NOBODY else PeerId(peer))


def _entry(row: tuple[object, ...]) -> IndexedEntry:
    _, key, text, line, at, chat, kind, agent, peer = row
    file = _file(str(kind), str(agent), int(str(peer)))
    entry = IndexedEntry(str(key), file, str(text), int(str(line)), None, None)
    if isinstance(at, str):
        entry = replace(entry, at=datetime.fromisoformat(at))
    return entry if chat is None else replace(entry, chat=PeerId(int(str(chat))))


def _marks(values: Sequence[object]) -> str:
    return ", ".join("?" * len(values))


def _parts(values: Sequence[object]) -> Iterator[Sequence[object]]:
    for begin in range(0, len(values), _MOST_PARAMETERS):
        yield values[begin : begin + _MOST_PARAMETERS]
