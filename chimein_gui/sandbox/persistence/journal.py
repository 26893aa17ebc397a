"""The SQLite file: statements, rows, and one transaction from commit to commit.

WAL with synchronous=NORMAL: a commit takes about 10 µs and survives `kill -9`, which tests do to the process.
"""

import logging
import sqlite3
from pathlib import Path
from typing import Any, Protocol

_META = "CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID"
_FILE_NAME = "sandbox.db"
_START = "start"

VERSION = 4
"""Version of the tables, raised with every change. A file of another version is set aside, not converted."""

_log = logging.getLogger(__name__)

Row = tuple[Any, ...]


_IN_USE = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


class Journal(Protocol):
    """Stores every change of the world as it happens."""

    @property
    def start(self) -> int:
        """The number above which ids and `pts` begin."""
        ...

    @property
    def refounded(self) -> str:
        """Name of the file to which another version's world was moved; empty if there was none."""
        ...

    def prepare(self, schema: str) -> None:
        """Create tables that do not exist yet."""

    def write(self, statement: str, row: Row = ()) -> None:
        """Execute a statement; the change is kept once committed."""

    def read(self, query: str, row: Row = ()) -> list[Row]:
        """Execute a query and return its rows."""
        ...

    def commit(self) -> None:
        """Commit all changes since the last commit."""

    def close(self) -> None:
        """Commit and close the file."""


class NullJournal:
    """Stores nothing, for a world that ends with its process."""

    start = 0
    refounded = ""

    def prepare(self, schema: str) -> None:
        """Do nothing."""

    def write(self, statement: str, row: Row = ()) -> None:
        """Do nothing."""

    def read(self, query: str, row: Row = ()) -> list[Row]:  # noqa: ARG002 - the protocol says so
        """Return no rows."""
        return []

    def commit(self) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing."""


class StateInUseError(OSError):
    """Another sandbox uses the state directory; with two, memory and file would differ."""


class DamagedStateError(OSError):
    """The state can't be read; it was not changed. If the operator moves it away, a new world begins."""


class SqliteJournal:
    """The journal in a state directory.

    Args:
        state_dir: Created if missing, readable only by the user, because it contains auth keys.

    Attributes:
        refounded: Name of the file to which another version's world was moved; empty if there was none.

    Raises:
        StateInUseError: If another sandbox has it open; the lock ends with its process, even by `kill -9`.
        DamagedStateError: If the file is damaged or not the sandbox's.
        OSError: If it can't be created.
    """

    def __init__(self, state_dir: Path) -> None:
        state_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._path = path = state_dir / _FILE_NAME
        self.refounded = ""
        try:
            self._connect()
        except sqlite3.Error as error:
            raise _damaged(path, error) from error
        try:
            self._prepare_file()
            (version,) = self.read("PRAGMA user_version")[0]
            is_fresh = not self.read("SELECT 1 FROM sqlite_master LIMIT 1")
            if version != VERSION and not is_fresh:
                self._begin_anew(version)
            self._db.execute(f"PRAGMA user_version = {VERSION:d}")
            self._db.execute(_META)
            [(answer,)] = self.read("PRAGMA quick_check(1)")
            if answer != "ok":
                raise sqlite3.DatabaseError(answer)
        except sqlite3.OperationalError as error:
            self._db.close()
            if error.sqlite_errorcode & 0xFF not in _IN_USE:
                raise _damaged(path, error) from error
            raise StateInUseError(str(path)) from error
        except sqlite3.DatabaseError as error:
            self._db.close()
            raise _damaged(path, error) from error

    def secret(self, fresh: bytes) -> bytes:
        """Return the world's secret; if there is none, store `fresh` and return it."""
        self._db.execute("INSERT OR IGNORE INTO meta VALUES ('secret', ?)", (fresh,))
        return bytes(self.read("SELECT value FROM meta WHERE name = 'secret'")[0][0])

    @property
    def start(self) -> int:
        """The number above which ids and `pts` begin: 0, or where the world set aside ended."""
        return next((int(value) for (value,) in self.read("SELECT value FROM meta WHERE name = ?", (_START,))), 0)

    def prepare(self, schema: str) -> None:
        """Create tables that do not exist yet."""
        self._db.executescript(schema)

    def write(self, statement: str, row: Row = ()) -> None:
        """Execute a statement; the change is kept once committed."""
        if not self._db.in_transaction:
            self._db.execute("BEGIN")
        self._db.execute(statement, row)

    def read(self, query: str, row: Row = ()) -> list[Row]:
        """Execute a query and return its rows."""
        return self._db.execute(query, row).fetchall()

    def commit(self) -> None:
        """Commit all changes since the last commit."""
        if self._db.in_transaction:
            self._db.execute("COMMIT")

    def close(self) -> None:
        """Commit and close the file; a second call has no effect."""
        try:
            self.commit()
        except sqlite3.ProgrammingError:
            return
        self._db.close()

    def _connect(self) -> None:
        self._path.touch(mode=0o600)
        self._db = sqlite3.connect(self._path, isolation_level=None, timeout=0)

    def _prepare_file(self) -> None:
        self._db.execute("PRAGMA locking_mode=EXCLUSIVE")
        self._db.execute("PRAGMA journal_mode=WAL")
        self._db.execute("PRAGMA synchronous=NORMAL")

    def _begin_anew(self, version: int) -> None:
        """Set a file of another version aside and create a new one.

        Clients' sessions stay valid. Ids and `pts` continue above the old ones, so that clients take later messages for
        new.
        """
        kept = self.read("SELECT name, value FROM meta")
        newest = self.read("SELECT max(n) FROM (SELECT max(message_id) n FROM messages UNION SELECT max(pts) FROM log)")
        self._db.close()
        aside = self._path.with_name(f"{_FILE_NAME}.v{version}")
        self._path.replace(aside)
        self._connect()
        self._prepare_file()
        self._db.execute(_META)
        self._db.executemany("INSERT INTO meta VALUES (?, ?)", kept)
        self._db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (_START, newest[0][0] or 0))
        self.refounded = aside.name
        _log.warning(
            "%s is of version %s, not %s: a new world begins, the old one is kept in %s",
            self._path,
            version,
            VERSION,
            aside,
        )


def _damaged(path: Path, error: sqlite3.Error) -> DamagedStateError:
    words = f"{path} cannot be read: {error}. It was left as it is; move it away to begin with a new world."
    return DamagedStateError(words)
