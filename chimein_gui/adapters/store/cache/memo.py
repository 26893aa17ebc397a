"""Answers that still hold: the same rows are asked for again and again, and most of them have not changed.

Each statement costs 20–50 µs, several times as much while another thread wants the interpreter, and one step of a chat
looks at its chat, its open steps and its holds in every rule it goes through. What was found is kept until something
writes to one of the tables it came from, or takes back what was written. A reader keeps nothing longer than its
transaction; the one writer does, because nobody else writes (`Writer` asks SQLite each time whether that is so).
"""

import re
from collections import defaultdict
from functools import lru_cache
from typing import Any, Protocol

Question = tuple[object, ...]

MOST_ROWS = 64
"""A longer answer is not kept: nobody asks for one twice."""

MOST_ANSWERS = 1024
"""More are not kept at a time; nor are more questions than eight times this, of which most do not hold any more."""

_MANY = 1024
"""Statements whose tables are remembered; the program has about 200."""

_READ = re.compile(r"\b(?:FROM|JOIN)\s+([a-z_]+)")
_WRITTEN = re.compile(r"\b(?:INTO|UPDATE)\s+([a-z_]+)")
_LEAVES_ROWS_ALONE = ("SAVEPOINT", "RELEASE", "PRAGMA", "SELECT", "BEGIN IMMEDIATE", "COMMIT")
"""A reader begins and ends its transactions in other words."""


@lru_cache(_MANY)
def tables_read(statement: str) -> tuple[str, ...] | None:
    """Return the tables a SELECT looks at; None for every other statement."""
    if not statement.lstrip().startswith("SELECT"):
        return None
    return tuple(dict.fromkeys(_READ.findall(statement)))


@lru_cache(_MANY)
def tables_written(statement: str) -> tuple[str, ...] | None:
    """Return the tables a statement changes; None if one cannot tell, as for a DELETE or what takes changes back."""
    begins = statement.lstrip()
    if begins.startswith(_LEAVES_ROWS_ALONE):
        return ()
    return tuple(_WRITTEN.findall(statement)) if begins.startswith(("INSERT", "UPDATE")) else None


class Mirror(Protocol):
    """Rows as they are now, kept by whoever alone writes them, or knows of every write."""

    def clear(self) -> None:
        """Forget them: what comes next may be another state."""
        ...

    def overtaken(self, table: str) -> None:
        """A statement is about to write to a table."""
        ...


class Memo:
    """What one connection has found, and what still holds of it."""

    __slots__ = ("_found", "_from_table", "_kept", "_mirrors")

    def __init__(self) -> None:
        """Begin with nothing."""
        self._found: dict[Question, tuple[Any, ...]] = {}
        self._from_table: defaultdict[str, list[Question]] = defaultdict(list)
        self._mirrors: list[Mirror] = []
        self._kept = 0

    def attach(self, mirror: Mirror) -> None:
        """Let somebody who keeps rows himself hear of writes, and of everything that may take them back."""
        self._mirrors.append(mirror)

    def forget(self) -> None:
        """Forget everything: what comes next may be another state."""
        self._forget_answers()
        for mirror in self._mirrors:
            mirror.clear()

    def note(self, statement: str, teller: Mirror | None = None) -> None:
        """A statement runs that is not a kept question: forget what it overtakes; its teller knows it already."""
        written = tables_written(statement)
        if written is None:
            self.forget()
            return
        for table in written:
            for mirror in self._mirrors:
                if mirror is not teller:
                    mirror.overtaken(table)
            for question in self._from_table.pop(table, ()):
                self._found.pop(question, None)

    def answer(self, question: Question) -> tuple[Any, ...] | None:
        """Return what was found before, if none of its tables was written to since."""
        return self._found.get(question)

    def keep(self, question: Question, tables: tuple[str, ...], rows: tuple[Any, ...]) -> None:
        """Keep what was found just now in these tables."""
        if len(rows) > MOST_ROWS:
            return
        self._kept += 1
        if len(self._found) >= MOST_ANSWERS or self._kept > 8 * MOST_ANSWERS:
            self._forget_answers()
        self._found[question] = rows
        for table in tables:
            self._from_table[table].append(question)

    def _forget_answers(self) -> None:
        self._found.clear()
        self._from_table.clear()
        self._kept = 0
