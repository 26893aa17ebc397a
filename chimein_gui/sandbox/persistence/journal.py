"""The file itself: statements in, rows out, one transaction between two commits.

WAL with synchronous=NORMAL: a commit costs about 10 µs and survives `kill -9`, which is what tests do to the process.
"""

import sqlite3
from pathlib import Path
from typing import Any, Protocol

from chimein_gui.sandbox.persistence.upgrades import UPGRADES, VERSION

_META = "CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID"
_FILE_NAME = "sandbox.db"

Row = tuple[Any, ...]


_IN_USE = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


class Journal(Protocol):
    """What every part of the world writes its changes to, as they happen."""

    def prepare(self, schema: str) -> None:
        """Make tables that do not exist yet."""

    def write(self, statement: str, row: Row = ()) -> None:
        """Change something; it survives once committed."""

    def read(self, query: str, row: Row = ()) -> list[Row]:
        """Look something up."""
        ...

    def commit(self) -> None:
        """Make everything written so far survive."""

    def close(self) -> None:
        """Commit and let go of the file."""


class NullJournal:
    """Keeps nothing: a world that ends with its process."""

    def prepare(self, schema: str) -> None:
        """Do nothing."""

    def write(self, statement: str, row: Row = ()) -> None:
        """Do nothing."""

    def read(self, query: str, row: Row = ()) -> list[Row]:  # noqa: ARG002 - the protocol says so
        """Return nothing."""
        return []

    def commit(self) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing."""


class StateInUseError(OSError):
    """Another sandbox lives in the state directory; two would drift apart."""


class NewerStateError(OSError):
    """A later version of the sandbox wrote the state; another directory or that version is the way out."""


class DamagedStateError(OSError):
    """The state cannot be read; it was left as it is. To move it away begins a new world."""


class SqliteJournal:
    """The journal in a state directory.

    Args:
        state_dir: Made if missing, private to the user; it holds auth keys.

    Raises:
        StateInUseError: If another sandbox has it open; the lock ends with its process, `kill -9` included.
        NewerStateError: If a later version wrote it.
        DamagedStateError: If it is no file of ours, or broken.
        OSError: If it cannot be made.
    """

    def __init__(self, state_dir: Path) -> None:
        state_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        path = state_dir / _FILE_NAME
        path.touch(mode=0o600)
        try:
            self._db = sqlite3.connect(path, isolation_level=None, timeout=0)
        except sqlite3.Error as error:
            raise _damaged(path, error) from error
        try:
            self._db.execute("PRAGMA locking_mode=EXCLUSIVE")
            self._db.execute("PRAGMA journal_mode=WAL")
            self._db.execute("PRAGMA synchronous=NORMAL")
            self._upgrade(path)
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
        except NewerStateError:
            self._db.close()
            raise

    def secret(self, fresh: bytes) -> bytes:
        """Return the world's secret, storing `fresh` as such if there is none."""
        self._db.execute("INSERT OR IGNORE INTO meta VALUES ('secret', ?)", (fresh,))
        return bytes(self.read("SELECT value FROM meta WHERE name = 'secret'")[0][0])

    def prepare(self, schema: str) -> None:
        """Make tables that do not exist yet."""
        self._db.executescript(schema)

    def write(self, statement: str, row: Row = ()) -> None:
        """Change something; it survives once committed."""
        if not self._db.in_transaction:
            self._db.execute("BEGIN")
        self._db.execute(statement, row)

    def read(self, query: str, row: Row = ()) -> list[Row]:
        """Look something up."""
        return self._db.execute(query, row).fetchall()

    def commit(self) -> None:
        """Make everything written so far survive."""
        if self._db.in_transaction:
            self._db.execute("COMMIT")

    def close(self) -> None:
        """Commit and let go of the file; a second time does nothing."""
        try:
            self.commit()
        except sqlite3.ProgrammingError:
            return
        self._db.close()

    def _upgrade(self, path: Path) -> None:
        """Take an existing file step by step to the present version; a fresh one starts there."""
        (version,) = self.read("PRAGMA user_version")[0]
        if version > VERSION:
            raise NewerStateError(f"{path} has version {version}, this sandbox knows {VERSION}")
        is_fresh = not self.read("SELECT 1 FROM sqlite_master LIMIT 1")
        if version == VERSION:
            return
        self._db.execute("BEGIN IMMEDIATE")
        for step in range(version + 1, VERSION + 1):
            for statement in () if is_fresh else UPGRADES[step]:
                self._db.execute(statement)
        self._db.execute(f"PRAGMA user_version = {VERSION:d}")
        self._db.execute("COMMIT")


def _damaged(path: Path, error: sqlite3.Error) -> DamagedStateError:
    words = f"{path} cannot be read: {error}. It was left as it is; move it away to begin with a new world."
    return DamagedStateError(words)
