"""A cache of query results on one connection; the budget row `cycles` needs it.

One step of a chat queries the same chat, steps and holds in every rule. A result is valid until a statement writes to
one of its tables, or a change is rolled back. An UPDATE matters only to queries that mention one of its columns. If
both query and statement name their chat, changes of other chats do not matter. Whoever writes a row may know what
queries return afterwards: their results are then replaced, not dropped. A reader keeps results for one
transaction. The writer keeps them longer, because no other connection writes (`Writer` verifies this with SQLite each
time).
"""

import re
from collections.abc import Set
from functools import lru_cache
from typing import Any, NamedTuple

Question = tuple[object, ...]

_ByQuery = dict[str, list[Question]]
"""Questions by their query."""

_Touched = tuple[frozenset[str] | None, tuple[int, ...]]
"""Queries, or None for all, and by which fields of a scope the written rows are distinguished."""

MOST_ROWS = 64
"""A longer result is not cached, because such queries are rarely repeated."""

MOST_ANSWERS = 2048
"""Most cached results. Their index by chat may have 16 times as many entries, most of them outdated."""

_MANY = 1024
"""Number of statements whose tables are cached; the program has about 200."""

_READ = re.compile(r"\b(?:FROM|JOIN)\s+([a-z_]+)")
_WRITTEN = re.compile(r"\b(?:INTO|UPDATE)\s+([a-z_]+)")
_ASSIGNED = re.compile(r"(?:\bSET|,)\s*([a-z_]+)\s*=")
_NAMES = re.compile(r"(?:\b([a-z_]+)\.)?\b([a-z_]+)\b(?!\.)")
_LEAVES_ROWS_ALONE = ("SAVEPOINT", "RELEASE", "PRAGMA", "SELECT", "BEGIN IMMEDIATE", "COMMIT")
"""A reader uses other statements to begin and end its transactions."""


class Scope(NamedTuple):
    """The chat whose rows a query reads, or a statement writes; it touches no other rows.

    Attributes:
        chat_id: The chat, for all tables but `messages`; None if unknown.
        peer: Its account and peer, for `messages`, whose key they are; None if unknown.
    """

    chat_id: int | None = None
    peer: tuple[int, int] | None = None


_BY_CHAT, _BY_PEER = range(2)
"""Index in a `Scope` of what distinguishes the rows of a table."""

ANY_CHAT = Scope()


@lru_cache(MOST_ANSWERS)
def chat_scope(chat_id: int | None) -> Scope:
    """Return the scope of a chat's rows in all tables but `messages`."""
    return Scope(chat_id)


@lru_cache(MOST_ANSWERS)
def peer_scope(account_id: int, peer_id: int) -> Scope:
    """Return the scope of a chat's messages."""
    return Scope(peer=(account_id, peer_id))


NOTHING: frozenset[str] = frozenset()


@lru_cache(_MANY)
def tables_read(statement: str) -> tuple[str, ...] | None:
    """Return the tables that a SELECT reads; None for every other statement."""
    if not statement.lstrip().startswith("SELECT"):
        return None
    return tuple(dict.fromkeys(_READ.findall(statement)))


@lru_cache(_MANY)
def tables_written(statement: str) -> tuple[str, ...] | None:
    """Return the tables that a statement changes; None if unknown, as for a DELETE or a rollback."""
    begins = statement.lstrip()
    if begins.startswith(_LEAVES_ROWS_ALONE):
        return ()
    return tuple(_WRITTEN.findall(statement)) if begins.startswith(("INSERT", "UPDATE")) else None


@lru_cache(_MANY)
def columns_written(statement: str) -> frozenset[str] | None:
    """Return the columns that an UPDATE assigns; None for other statements, which add or remove rows."""
    found = _ASSIGNED.findall(statement) if statement.lstrip().startswith("UPDATE") else ()
    return frozenset(found) or None


@lru_cache(_MANY)
def names_read(statement: str, table: str) -> frozenset[str]:
    """Return the names in a query that may be columns of a table: all, but those of another table's alias."""
    own = {table, *re.findall(rf"\b{table}\s+([a-z_]+)\b", statement)}
    return frozenset(name for alias, name in _NAMES.findall(statement) if not alias or alias in own)


@lru_cache(_MANY * 8)
def is_touched(query: str, statement: str) -> bool:
    """Return whether a statement may change the result of a query."""
    read, columns = tables_read(query) or (), columns_written(statement)
    return any(
        columns is None or not columns.isdisjoint(names_read(query, table))
        for table in tables_written(statement) or ()
        if table in read
    )


@lru_cache(_MANY)
def fields_of(tables: tuple[str, ...]) -> tuple[int, ...]:
    """Return by which fields of a scope the rows of these tables are distinguished."""
    return tuple({_BY_PEER if table == "messages" else _BY_CHAT for table in tables})


class Memo:
    """Query results of one connection that are still valid."""

    __slots__ = ("_asked", "_kept", "_keys", "_touched", "epoch", "found")

    def __init__(self) -> None:
        self.found: dict[Question, tuple[Any, ...]] = {}
        """What is kept; an entry may be replaced by newer rows, as it stands in the index until it is dropped."""
        self._asked: dict[object, _ByQuery] = {}
        """By the chat, or the peer, whose rows they read; None stands for any."""
        self._keys: dict[str, set[object]] = {}
        """By query: under what its questions stand in `_asked`, or stood."""
        self._touched: dict[tuple[str, frozenset[str]], _Touched] = {}
        """By statement, and by what its caller caches itself: the other queries whose results it may change."""
        self._kept = 0
        self.epoch = 0
        """How often all results were dropped."""

    def forget(self) -> None:
        """Drop all results, because the next statement may see another state."""
        self.found.clear()
        self._asked.clear()
        self._keys.clear()
        self._touched.clear()
        self._kept = 0
        self.epoch += 1

    def note(self, statement: str, scope: Scope = ANY_CHAT, known: frozenset[str] = NOTHING) -> None:
        """Drop the results that a statement about to run may invalidate, but those of the queries in `known`."""
        touched, fields = self._touched.get((statement, known)) or self._touched_by(statement, known)
        if touched is None:
            self.forget()
            return
        if not touched:
            return
        for field in fields:
            key = scope[field]
            if key is None:
                self._drop_everywhere(touched)
                continue
            if key in self._asked:
                self._drop(self._asked[key], touched)
            if None in self._asked and not touched.isdisjoint(self._asked[None]):
                self._drop(self._asked[None], touched)

    def _drop(self, asked: _ByQuery, touched: Set[str]) -> None:
        for query in asked.keys() & touched:
            for question in asked.pop(query):
                self.found.pop(question, None)

    def _drop_everywhere(self, touched: frozenset[str]) -> None:
        for query in touched:
            for key in self._keys[query]:
                self._drop(self._asked[key], {query})
            self._keys[query].clear()

    def _touched_by(self, statement: str, known: frozenset[str]) -> _Touched:
        written = tables_written(statement)
        if written is None:
            return None, ()
        queries = frozenset(query for query in self._keys if query not in known and is_touched(query, statement))
        touched = self._touched[statement, known] = queries, fields_of(written)
        return touched

    def keep(self, question: Question, query: str, rows: tuple[Any, ...], scope: Scope) -> None:
        """Cache the rows of a query that has none in `found`."""
        self._kept += 1
        if len(self.found) >= MOST_ANSWERS or self._kept > 16 * MOST_ANSWERS:
            self.forget()
        self.found[question] = rows
        if query not in self._keys:
            self._keys[query] = set()
            self._touched.clear()  # each statement may touch this query, too
        for field in fields_of(tables_read(query) or ()):
            key = scope[field]
            if key not in self._asked:
                self._asked[key] = {}
            asked = self._asked[key]
            if query in asked:
                asked[query].append(question)
            else:
                asked[query] = [question]
                self._keys[query].add(key)
