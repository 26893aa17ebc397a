"""A cache of query results on one connection; the budget row `cycles` needs it.

One step of a chat queries the same chat, steps and holds in every rule. A result is valid until a statement writes to
one of its tables, or a change is rolled back. If both query and statement name their chat, changes of other chats do
not matter. A reader keeps results for one transaction. The writer keeps them longer, because no other connection writes
(`Writer` verifies this with SQLite each time).
"""

import re
from collections import defaultdict
from functools import lru_cache
from typing import Any, NamedTuple

Question = tuple[object, ...]

MOST_ROWS = 64
"""A longer result is not cached, because such queries are rarely repeated."""

MOST_ANSWERS = 2048
"""Most cached results. Their index by table may have 16 times as many entries, most of them outdated."""

_MANY = 1024
"""Number of statements whose tables are cached; the program has about 200."""

_READ = re.compile(r"\b(?:FROM|JOIN)\s+([a-z_]+)")
_WRITTEN = re.compile(r"\b(?:INTO|UPDATE)\s+([a-z_]+)")
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

    def key(self, table: str) -> object:
        """Return the key by which the rows of a table are distinguished; None if they are not."""
        return self.peer if table == "messages" else self.chat_id


ANY_CHAT = Scope()


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


class Memo:
    """Query results of one connection that are still valid."""

    __slots__ = ("_found", "_from_table", "_kept")

    def __init__(self) -> None:
        self._found: dict[Question, tuple[Any, ...]] = {}
        self._from_table: defaultdict[str, defaultdict[object, list[Question]]]
        self._from_table = defaultdict(lambda: defaultdict(list))
        self._kept = 0

    def forget(self) -> None:
        """Drop all results, because the next statement may see another state."""
        self._found.clear()
        self._from_table.clear()
        self._kept = 0

    def note(self, statement: str, scope: Scope = ANY_CHAT) -> None:
        """Drop the results that a statement about to run may invalidate."""
        written = tables_written(statement)
        if written is None:
            self.forget()
            return
        for table in written:
            by_key, key = self._from_table[table], scope.key(table)
            for touched in tuple(by_key) if key is None else (key, None):
                for question in by_key.pop(touched, ()):
                    self._found.pop(question, None)

    def answer(self, question: Question) -> tuple[Any, ...] | None:
        """Return the cached rows of a query, or None."""
        return self._found.get(question)

    def keep(self, question: Question, tables: tuple[str, ...], rows: tuple[Any, ...], scope: Scope) -> None:
        """Cache the rows of a query on these tables."""
        if len(rows) > MOST_ROWS:
            return
        self._kept += 1
        if len(self._found) >= MOST_ANSWERS or self._kept > 16 * MOST_ANSWERS:
            self.forget()
        self._found[question] = rows
        for table in tables:
            self._from_table[table][scope.key(table)].append(question)
