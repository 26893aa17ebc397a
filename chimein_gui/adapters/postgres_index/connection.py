"""The connection to PostgreSQL: opened with the first call, opened again after it broke; its errors are translated."""

from __future__ import annotations

import importlib
import threading
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from chimein_gui.domain.errors import ChimeinError, StoreError, StoreWriteError
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.embedders import EmbedderReason

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

T = TypeVar("T")

CONNECT_S = 5
STATEMENT_MS = 20_000
"""Longest time for a connection, in seconds, and for one statement, in milliseconds."""

_NO_RIGHT, _NO_EXTENSION = "42501", ("58P01", "0A000")
"""SQLSTATE of what is refused to this user, and of an extension that the server does not have."""


class Connection(Protocol):
    """What is used of `psycopg.Connection`."""

    @property
    def closed(self) -> bool: ...

    def execute(self, query: Any, params: Any = None) -> Any: ...  # noqa: ANN401 - psycopg's own types

    def transaction(self) -> AbstractContextManager[Any]: ...

    def close(self) -> None: ...


class Database:
    """One connection, used by one thread at a time."""

    def __init__(self, address: str, prepare: Callable[[Connection], None]) -> None:
        """Create it; nothing is connected yet.

        Args:
            address: The connection string.
            prepare: Called with each new connection.
        """
        self._address = address
        self._prepare = prepare
        self._lock = threading.Lock()
        self._connection: Connection | None = None

    def run(self, work: Callable[[Connection], T], *, writes: bool, is_whole: bool = True) -> T:
        """Run one transaction, a second time if the connection broke in it.

        Args:
            work: What is done.
            writes: It changes something.
            is_whole: It is one transaction; otherwise each of its statements is one.

        Raises:
            StoreError: There is no connection, or the server refuses; `StoreWriteError` for one that writes.
        """
        kind = StoreWriteError if writes else StoreError
        with self._lock:
            for is_last in (False, True):
                try:
                    connection = self._open()
                    with connection.transaction() if is_whole else nullcontext():
                        return work(connection)
                except StoreError as error:
                    raise kind(error.note or "") from error
                except ChimeinError:
                    raise
                except Exception as error:
                    broke = self._connection is not None and self._connection.closed
                    if broke or self._connection is None:
                        self._drop()
                    if is_last or not broke:
                        raise kind(note_of_error(error)) from error
        raise AssertionError("the last try returns or raises")

    def close(self) -> None:
        """Close the connection; the next call opens it again."""
        with self._lock:
            self._drop()

    def _open(self) -> Connection:
        if self._connection is None:
            psycopg = library("psycopg")
            try:
                library("psycopg.conninfo").conninfo_to_dict(self._address)
            except Exception:  # noqa: BLE001 - whatever it is, its words repeat the string, with the password
                raise StoreError(Note(EmbedderReason.POSTGRES_ADDRESS_ODD)) from None
            connection: Connection = psycopg.connect(
                self._address,
                autocommit=True,
                connect_timeout=CONNECT_S,
                application_name="Chimein",
                options=f"-c statement_timeout={STATEMENT_MS}",
            )
            try:
                self._prepare(connection)
            except BaseException:
                connection.close()
                raise
            self._connection = connection
        return self._connection

    def _drop(self) -> None:
        if self._connection is not None:
            self._connection.close()
        self._connection = None


def library(name: str) -> Any:  # noqa: ANN401 - a module of an extra that need not be installed
    """Return a module of psycopg.

    Raises:
        StoreError: The extra is not installed.
    """
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise StoreError(Note(EmbedderReason.POSTGRES_EXTRA_MISSING, name.partition(".")[0])) from error


def note_of_error(error: Exception) -> Note:
    """Return what an error of the server or of the connection means; never the connection string."""
    state = getattr(error, "sqlstate", None) or ""
    said = str(getattr(getattr(error, "diag", None), "message_primary", None) or "").strip()
    if state in _NO_EXTENSION:
        return Note(EmbedderReason.POSTGRES_NO_VECTOR)
    if state == _NO_RIGHT and "extension" in said:
        return Note(EmbedderReason.POSTGRES_NO_VECTOR)
    if not state:
        words = str(error).strip().splitlines() or [type(error).__name__]
        return Note(EmbedderReason.POSTGRES_UNREACHABLE, words[0][:300])
    return Note(EmbedderReason.POSTGRES_FAILED, said[:300] or type(error).__name__, more=state)
