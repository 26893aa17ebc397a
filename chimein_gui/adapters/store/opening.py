"""Opening the database file; a refused file is left unchanged."""

import os
import sqlite3
from pathlib import Path

from chimein_gui.adapters.store.schema import APPLICATION_ID, MIGRATIONS, migrate, version_of
from chimein_gui.adapters.store.search_index import CREATE, WITHOUT_MODULE, has_trigrams
from chimein_gui.adapters.store.sql import write_failure
from chimein_gui.adapters.store.traces import words
from chimein_gui.domain.errors import StoreTooNewError, StoreUnreadableError, StoreWriteError
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.faults import FaultReason

MAGIC = b"SQLite format 3\x00"
THOROUGH_UP_TO_BYTES = 32 * 2**20
"""Files up to this size are checked completely (about 0.1 s), larger ones by their small tables, for a fast start."""

SMALL_TABLES = ("meta", "agents", "chats")
LOCK_WAIT_S = 5.0
CACHED_STATEMENTS = 256
CACHED_KIB = 16 * 1024
"""Pages the writer keeps in memory; with the default of 2 MB it reads most of them again (budget row `cycles`)."""


def open_for_writing(path: Path) -> sqlite3.Connection:
    """Check, create or migrate the file, test that it can be written, and return the connection.

    Raises:
        StoreUnreadableError: It is damaged, or not ours.
        StoreTooNewError: A newer Chimein wrote it.
        StoreWriteError: It can't be written.
    """
    path = path.absolute()
    _inspect(path)
    _create(path)
    try:
        connection = _connect(path, "rwc")
    except sqlite3.Error as error:
        raise _cannot_write(path, error) from error
    try:
        _prepare(connection)
    except sqlite3.Error as error:
        connection.close()
        raise _cannot_write(path, error) from error
    return connection


def open_for_reading(path: Path) -> sqlite3.Connection:
    """Return a read-only connection; the file must have been opened for writing before."""
    connection = _connect(path.absolute(), "rw")
    connection.execute("PRAGMA query_only = ON")
    return connection


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    connection = sqlite3.connect(
        f"{path.as_uri()}?mode={mode}",
        uri=True,
        timeout=LOCK_WAIT_S,
        isolation_level=None,
        cached_statements=CACHED_STATEMENTS,
    )
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA temp_store = MEMORY")
    return connection


def _prepare(connection: sqlite3.Connection) -> None:
    connection.execute("PRAGMA journal_mode = WAL").fetchone()
    # On macOS a plain fsync does not reach the disk; elsewhere this does nothing.
    connection.execute("PRAGMA fullfsync = ON")
    connection.execute("PRAGMA journal_size_limit = 67108864")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute(f"PRAGMA cache_size = -{CACHED_KIB}")
    migrate(connection)
    _prepare_search(connection)
    # The probe: a real write of a real page, so that a full or read-only disk is known at once.
    connection.execute("BEGIN IMMEDIATE")
    connection.execute("UPDATE meta SET revision = revision")
    connection.execute("COMMIT")


def _prepare_search(connection: sqlite3.Connection) -> None:
    """Make the search indexes, if this SQLite has what it takes; otherwise chats are searched text by text."""
    if has_trigrams():
        for statement in CREATE:
            connection.execute(statement)
    else:
        connection.executescript(f"BEGIN IMMEDIATE; {WITHOUT_MODULE}; COMMIT;")
    if words.has_index():
        connection.execute(words.CREATE)
    else:
        connection.executescript(f"BEGIN IMMEDIATE; {words.WITHOUT_MODULE}; COMMIT;")


def _create(path: Path) -> None:
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
        # SQLite gives the -wal and -shm files the mode of the main file.
        path.chmod(0o600)
    except OSError as error:
        raise StoreWriteError(Note(FaultReason.NOT_CREATED, str(path), more=str(error.strerror))) from error


def _inspect(path: Path) -> None:
    """Refuse a file that is not ours to write, without changing it."""
    try:
        size = path.stat().st_size if path.exists() else 0
        if size:
            with path.open("rb") as file:
                magic = file.read(len(MAGIC))
        wal = path.with_name(path.name + "-wal")
        left_alone = not size and wal.exists() and wal.stat().st_size > 0
    except OSError as error:
        raise _unreadable(path, more=error.strerror or str(error)) from error
    if left_alone:
        # SQLite would delete the log of an empty file, and with it what was committed last.
        raise _unreadable(path, FaultReason.LOG_WITHOUT_FILE)
    if not size:
        return
    if magic != MAGIC:
        raise _unreadable(path, FaultReason.NO_DATABASE)
    try:
        _inspect_content(path, size)
    except sqlite3.Error as error:
        raise _unreadable(path, more=str(error)) from error


def _inspect_content(path: Path, size: int) -> None:
    # A journal beside the file means that SQLite has to undo an interrupted write, for which it must write.
    interrupted = path.with_name(path.name + "-journal").exists()
    connection = _connect(path, "rw" if interrupted else "ro")
    try:
        tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        marked = connection.execute("PRAGMA application_id").fetchone()[0]
        version = version_of(connection)
        if marked not in (APPLICATION_ID, 0) or (tables and marked == 0):
            raise _unreadable(path, FaultReason.OTHER_PROGRAMS)
        if version > len(MIGRATIONS):
            raise _too_new(path, version)
        checks = [""] if size <= THOROUGH_UP_TO_BYTES else [f"('{name}')" for name in SMALL_TABLES if name in tables]
        for table in checks:
            (answer,) = connection.execute(f"PRAGMA quick_check{table}").fetchone()
            if answer != "ok":
                raise _unreadable(path, more=str(answer))
    finally:
        connection.close()


def _unreadable(path: Path, kind: FaultReason = FaultReason.NOT_READABLE, more: str = "") -> StoreUnreadableError:
    return StoreUnreadableError(Note(kind, str(path), more=more))


def _too_new(path: Path, version: int) -> StoreTooNewError:
    return StoreTooNewError(Note(FaultReason.TOO_NEW, str(path), version, more=str(len(MIGRATIONS))))


def _cannot_write(path: Path, error: sqlite3.Error) -> StoreWriteError:
    return StoreWriteError(Note(FaultReason.PATH_FAILED, str(path), cause=write_failure(error).note))
