"""The file of the index: opening, and making it anew when it is missing, damaged or older.

Everything in it comes from the memory files, so a file that can't be used is deleted. If it can't be written, a copy in
memory takes its place until the program ends: a search never finds what a memory file does not have any more.
"""

from __future__ import annotations

import contextlib
import sqlite3
from typing import TYPE_CHECKING

from chimein_gui.domain.memory.terms import terms_version
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.faults import FaultReason

if TYPE_CHECKING:
    from pathlib import Path

APPLICATION_ID = 0x43686D69  # "Chmi"
VERSION = 2
"""Raised with every change of the tables: an older index is made anew."""

SCHEMA = """
CREATE TABLE state (complete INTEGER NOT NULL, terms INTEGER NOT NULL);
INSERT INTO state VALUES (0, 0);
CREATE TABLE files (
    file INTEGER PRIMARY KEY, agent TEXT NOT NULL, kind TEXT NOT NULL, peer INTEGER NOT NULL,
    UNIQUE (agent, kind, peer)
);
CREATE TABLE entries (
    entry INTEGER PRIMARY KEY, file INTEGER NOT NULL REFERENCES files, id TEXT NOT NULL, text TEXT NOT NULL,
    text_hash TEXT NOT NULL, line INTEGER NOT NULL, at TEXT, chat INTEGER, terms BLOB NOT NULL, weights BLOB NOT NULL,
    UNIQUE (file, id)
);
CREATE INDEX entries_by_text ON entries (text_hash);
CREATE TABLE vectors (
    vector INTEGER PRIMARY KEY, model TEXT NOT NULL, text_hash TEXT NOT NULL, dimension INTEGER NOT NULL,
    numbers BLOB NOT NULL, UNIQUE (model, text_hash)
);
"""

OF_THE_SYSTEM = {
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_NOMEM,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_PROTOCOL,
    sqlite3.SQLITE_AUTH,
}
"""Errors that another file would not mend. Any other error of our statements means that the file is damaged."""
LOCK_WAIT_S = 2.0
THOROUGH_UP_TO_BYTES = 32 * 2**20
"""Files up to this size are checked when they are opened; damage of larger ones is noticed when they are read."""


class Opened:
    """A connection, and what is the matter with its file.

    Attributes:
        connection: To the file, or to a database in memory.
        problem: Why the file is not written; None if it is.
    """

    def __init__(self, connection: sqlite3.Connection, problem: Note | None = None) -> None:
        self.connection = connection
        self.problem = problem


def is_damaged(error: sqlite3.Error) -> bool:
    """Return whether an error means that the file is damaged."""
    code: int | None = getattr(error, "sqlite_errorcode", None)
    return code is not None and code & 0xFF not in OF_THE_SYSTEM


def problem_of(path: Path, error: Exception) -> Note:
    """Return a note with the path and what the system or SQLite says."""
    words = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return Note(FaultReason.PATH_FAILED, str(path), cause=Note(FaultReason.SYSTEM, words))


def opened(path: Path) -> Opened:
    """Open the index, make it anew, or take a database in memory if neither is possible."""
    try:
        try:
            return Opened(_usable(path))
        except sqlite3.DatabaseError as error:
            if not is_damaged(error):
                raise
        delete(path)
        return Opened(_usable(path))
    except (sqlite3.Error, OSError) as error:
        return in_memory(path, error)


def in_memory(path: Path, error: Exception, source: sqlite3.Connection | None = None) -> Opened:
    """Return a database in memory with what the file has, as far as it can be read."""
    made = _connected(":memory:")
    try:
        if source is None:
            source = _connected(f"{path.absolute().as_uri()}?mode=ro&immutable=1")
        if _version_of(source) == (APPLICATION_ID, VERSION):
            source.backup(made)
    except sqlite3.Error:
        made.close()
        made = _connected(":memory:")
    finally:
        if source is not None:
            source.close()
    if _version_of(made) != (APPLICATION_ID, VERSION):
        _create(made)
    _renew_terms(made)
    return Opened(made, problem_of(path, error))


def delete(path: Path) -> None:
    """Delete the file and its journal.

    Raises:
        OSError: It can't be deleted.
    """
    path.with_name(path.name + "-journal").unlink(missing_ok=True)
    path.unlink(missing_ok=True)


def _usable(path: Path) -> sqlite3.Connection:
    """Return a connection to a file that can be written and has our tables.

    Raises:
        sqlite3.Error: It can't be opened or written, or it is damaged.
        OSError: It can't be made.
    """
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch(mode=0o600)
    connection = _connected(f"{path.absolute().as_uri()}?mode=rw")
    try:
        if _version_of(connection) != (APPLICATION_ID, VERSION):
            connection.close()
            delete(path)
            path.touch(mode=0o600)
            connection = _connected(f"{path.absolute().as_uri()}?mode=rw")
            _create(connection)
        if path.stat().st_size <= THOROUGH_UP_TO_BYTES:
            connection.execute("SELECT count(*) FROM files, state").fetchone()
            (answer,) = connection.execute("PRAGMA quick_check(1)").fetchone()
            if answer != "ok":
                raise _damage(answer)
        # Fails if the file is read-only.
        _renew_terms(connection)
    except BaseException:
        with contextlib.suppress(sqlite3.Error):
            connection.close()
        raise
    return connection


def _renew_terms(connection: sqlite3.Connection) -> None:
    """Remove entries with terms of an earlier version; vectors stay, because they may have cost money."""
    version = terms_version()
    connection.execute("BEGIN IMMEDIATE")
    try:
        same = "EXISTS (SELECT 1 FROM state WHERE terms = ?)"
        connection.execute(f"DELETE FROM entries WHERE NOT {same}", (version,))
        connection.execute(f"DELETE FROM files WHERE NOT {same}", (version,))
        connection.execute("UPDATE state SET complete = complete AND terms = ?, terms = ?", (version, version))
        connection.execute("COMMIT")
    except sqlite3.Error:
        connection.execute("ROLLBACK")
        raise


def _damage(words: str) -> sqlite3.DatabaseError:
    error = sqlite3.DatabaseError(words)
    error.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
    return error


def _connected(uri: str) -> sqlite3.Connection:
    connection = sqlite3.connect(
        uri, uri=True, timeout=LOCK_WAIT_S, isolation_level=None, check_same_thread=False, cached_statements=64
    )
    try:
        # What is removed leaves no trace in the file. The journal is deleted with each commit.
        connection.execute("PRAGMA secure_delete = ON")
        connection.execute("PRAGMA temp_store = MEMORY")
        connection.execute("PRAGMA synchronous = NORMAL")
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _version_of(connection: sqlite3.Connection) -> tuple[int, int]:
    application: int = connection.execute("PRAGMA application_id").fetchone()[0]
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    return application, version


def _create(connection: sqlite3.Connection) -> None:
    head = f"PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {VERSION};"
    connection.executescript(f"BEGIN; {head} {SCHEMA} COMMIT;")
