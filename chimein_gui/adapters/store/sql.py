"""SQL statements on one connection, with sqlite3's errors translated."""

import sqlite3
from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

from chimein_gui.adapters.store.memo import ANY_CHAT, MOST_ROWS, NOTHING, Memo, Scope, tables_read
from chimein_gui.adapters.store.rows.values import Row, well_formed
from chimein_gui.domain.errors import NotFoundError, StoreError, StoreWriteError
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.faults import FaultReason

T = TypeVar("T")

Value = int | float | str | bytes | None

EVERYTHING_STOPS = frozenset(
    {
        sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_NOMEM,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_INTERRUPT,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_CORRUPT,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_PROTOCOL,
        sqlite3.SQLITE_NOTADB,
    }
)
"""Errors of the file, not of the statement; SQLite may have rolled back the whole transaction."""

REMEDIES = {
    sqlite3.SQLITE_FULL: FaultReason.FREE_SPACE,
    sqlite3.SQLITE_IOERR: FaultReason.LOOK_AT_DISK,
    sqlite3.SQLITE_READONLY: FaultReason.MAKE_WRITABLE,
    sqlite3.SQLITE_CANTOPEN: FaultReason.MAKE_FOLDER_WRITABLE,
    sqlite3.SQLITE_PERM: FaultReason.MAKE_WRITABLE,
    sqlite3.SQLITE_BUSY: FaultReason.CLOSE_THE_OTHER,
    sqlite3.SQLITE_CORRUPT: FaultReason.RESTORE_BACKUP,
    sqlite3.SQLITE_NOMEM: FaultReason.FREE_MEMORY,
}

REFUSALS = (sqlite3.Error, MemoryError, OverflowError)
"""What the sqlite3 module raises: `MemoryError` stands for SQLITE_NOMEM, `OverflowError` for a number above 64 bits."""

Refusal = sqlite3.Error | MemoryError | OverflowError


def primary_code(error: Refusal) -> int | None:
    """Return SQLite's primary result code; None if the Python module itself raised."""
    if isinstance(error, MemoryError):
        return sqlite3.SQLITE_NOMEM
    code: int | None = getattr(error, "sqlite_errorcode", None)
    return None if code is None else code & 0xFF


def write_failure(error: Refusal) -> StoreWriteError:
    """Return the error for a failed write, with cause and remedy for the operator."""
    remedy = REMEDIES.get(primary_code(error) or 0, FaultReason.NOTHING_KEPT)
    return StoreWriteError(Note(FaultReason.NOT_WRITTEN, _words(error), cause=Note(remedy)))


def _words(error: Refusal) -> str:
    return str(error) or "out of memory"  # of which the module says nothing


def _as_it_is(row: Row) -> Row:
    return row


class LateWrites(Protocol):
    """Changes that wait for the end of a batch; `Sql` writes them before a statement on their tables.

    Attributes:
        named: A statement in which this does not stand is none on these tables.
    """

    named: str

    def waits(self) -> bool: ...
    def write(self) -> None: ...


class Sql:
    """Runs statements on the connection of one thread.

    Attributes:
        late: What may wait for the end of a batch; None where everything is written at once.
        failure: The first error since it was last cleared that concerns the whole transaction. It is kept, so that work
            that swallows it is not committed by mistake. No statement runs until it is cleared, because SQLite may have
            ended the transaction, and would commit each statement separately.
    """

    __slots__ = ("_answer", "_connection", "_found", "_memo", "_read_only", "failure", "late")

    def __init__(self, connection: sqlite3.Connection, *, read_only: bool = False) -> None:
        self._connection = connection
        self._read_only = read_only
        self._memo = Memo()
        self._found = self._memo.found
        self._answer = self._found.get  # returns the cached rows of a query, or None
        self.failure: StoreWriteError | None = None
        self.late: LateWrites | None = None

    @property
    def epoch(self) -> int:
        """Return a number that changes whenever all cached results are dropped."""
        return self._memo.epoch

    def touch(self, statement: str, scope: Scope = ANY_CHAT) -> None:
        """Drop the cached results that a statement changes which runs later."""
        self._memo.note(statement, scope)

    def forget(self) -> None:
        """Drop cached results, because the file may have changed."""
        self._memo.forget()

    @property
    def in_transaction(self) -> bool:
        """Return whether a transaction is open."""
        return self._connection.in_transaction

    def run(
        self, statement: str, *values: Value, scope: Scope = ANY_CHAT, known: frozenset[str] = NOTHING
    ) -> sqlite3.Cursor:
        """Run one statement.

        Args:
            statement: The statement.
            values: Its parameters.
            scope: The chat whose rows it changes.
            known: Queries of which the caller caches anew, with `know`, whatever the statement changes.

        Raises:
            StoreWriteError: The file can't be written (or read any more).
            StoreError: The statement was refused.
        """
        self._memo.note(statement, scope, known)
        return self._execute(statement, values)

    def one(self, statement: str, *values: Value, scope: Scope = ANY_CHAT) -> Row | None:
        """Return the first row, or None; only for statements with few results."""
        return self.first(_as_it_is, statement, *values, scope=scope)

    def all(self, statement: str, *values: Value, scope: Scope = ANY_CHAT) -> Sequence[Row]:
        """Return all rows."""
        return self.made(_as_it_is, statement, *values, scope=scope)

    def first(
        self, make: Callable[[Row], T], statement: str, *values: Value, scope: Scope | Callable[[T], Scope] = ANY_CHAT
    ) -> T | None:
        """Return `make` of the first row, or None."""
        found = self._answer((make, statement, values))  # here too, because this runs a hundred times a message
        if found is None or not self._connection.in_transaction:
            found = self.made(make, statement, *values, scope=scope)
        return found[0] if found else None

    def made(
        self, make: Callable[[Row], T], statement: str, *values: Value, scope: Scope | Callable[[T], Scope] = ANY_CHAT
    ) -> tuple[T, ...]:
        """Return `make` of each row, from the cache if possible.

        Args:
            make: A module-level function with immutable results.
            statement: A SELECT, or a change with RETURNING.
            values: Its parameters.
            scope: The chat whose rows are read, or a function that returns it from the first result.
        """
        question = make, statement, values
        found = self._answer(question)
        if found is not None and self._connection.in_transaction:
            return found
        if tables_read(statement) is None or not self._connection.in_transaction:
            self._memo.note(statement)
            return tuple(map(make, self._fetched(statement, values)))
        found = tuple(map(make, self._fetched(statement, values)))
        if len(found) > MOST_ROWS:
            return found
        if not isinstance(scope, Scope):
            scope = scope(found[0]) if found else ANY_CHAT
        self._memo.keep(question, statement, found, scope)
        return found

    def known(self, make: Callable[[Row], T], statement: str, *values: Value) -> tuple[T, ...] | None:
        """Return the cached result of `made`, or None."""
        return self._answer((make, statement, values)) if self._connection.in_transaction else None

    def know(
        self, found: tuple[T, ...], make: Callable[[Row], T], statement: str, *values: Value, scope: Scope
    ) -> None:
        """Cache the result of `made`, because it was just written or found by another query."""
        if not self._connection.in_transaction:
            return
        question = make, statement, values
        if question in self._found:
            self._found[question] = found
        else:
            self._memo.keep(question, statement, found, scope)

    def _execute(self, statement: str, values: tuple[Value, ...]) -> sqlite3.Cursor:
        if self.failure is not None:
            raise self.failure
        late = self.late
        if late is not None and late.named in statement and late.waits():
            late.write()
        try:
            return self._connection.execute(statement, values)
        except UnicodeEncodeError:
            repaired = tuple(well_formed(value) if isinstance(value, str) else value for value in values)
            return self._execute(statement, repaired)
        except REFUSALS as error:
            raise self._in_our_words(error) from error

    def _fetched(self, statement: str, values: tuple[Value, ...]) -> list[Row]:
        try:
            return self._execute(statement, values).fetchall()
        except REFUSALS as error:
            raise self._in_our_words(error) from error

    def insert(self, statement: str, *values: Value, scope: Scope = ANY_CHAT) -> int:
        """Run an INSERT of one row and return its row id."""
        self._memo.note(statement, scope)
        row_id = self._execute(statement, values).lastrowid
        assert row_id is not None  # sqlite3 sets it after every INSERT
        return row_id

    def change(
        self,
        statement: str,
        *values: Value,
        missing: str,
        scope: Scope = ANY_CHAT,
        known: frozenset[str] = NOTHING,
    ) -> None:
        """Run an UPDATE of one row.

        Raises:
            NotFoundError: There is no such row; `missing` is its text.
        """
        self._memo.note(statement, scope, known)
        if self._execute(statement, values).rowcount == 0:
            raise NotFoundError(missing)

    def _in_our_words(self, error: Refusal) -> StoreError:
        code = primary_code(error)
        if self._read_only:
            if code == sqlite3.SQLITE_READONLY:
                return StoreError(Note(FaultReason.READ_TRIED_TO_WRITE))
            return StoreError(Note(FaultReason.READ_FAILED, _words(error)))
        if code in EVERYTHING_STOPS:
            self.failure = self.failure or write_failure(error)
            return self.failure
        return StoreError(Note(FaultReason.STATEMENT_REFUSED, str(error)))
