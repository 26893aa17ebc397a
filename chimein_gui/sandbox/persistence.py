"""Where the world survives: a SQLite file, written row by row and committed before any answer leaves (SPEC §11).

WAL with synchronous=NORMAL: a commit costs about 10 µs and survives `kill -9`, which is what tests do to the process.
"""

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

from chimein_gui.sandbox.records import LogEntry, LogKind, StoredMessage, User
from chimein_gui.sandbox.tl import read_object, vector_bytes

_SCHEMA = """
CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS users (
    position INTEGER PRIMARY KEY, user_id INTEGER UNIQUE, first_name TEXT, last_name TEXT, phone TEXT, username TEXT,
    is_partner INTEGER);
CREATE TABLE IF NOT EXISTS contacts (user_id INTEGER, contact_id INTEGER, PRIMARY KEY (user_id, contact_id))
    WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS generations (user_id INTEGER PRIMARY KEY, generation INTEGER);
CREATE TABLE IF NOT EXISTS messages (
    owner_id INTEGER, message_id INTEGER, uid INTEGER, peer_id INTEGER, sender_id INTEGER, sent_at INTEGER, text TEXT,
    entities BLOB, reply_to_id INTEGER, random_id INTEGER, edited_at INTEGER, deleted INTEGER,
    PRIMARY KEY (owner_id, message_id)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS log (
    owner_id INTEGER, pts INTEGER, pts_count INTEGER, kind TEXT, peer_id INTEGER, ids TEXT, still_unread INTEGER,
    PRIMARY KEY (owner_id, pts)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS reads (
    owner_id INTEGER, peer_id INTEGER, inbox INTEGER, outbox INTEGER, PRIMARY KEY (owner_id, peer_id)) WITHOUT ROWID;
"""
_FILE_NAME = "sandbox.db"


class Journal(Protocol):
    """What the world tells about every change, as it happens."""

    def user(self, user: User) -> None:
        """Add a user."""

    def contact(self, user_id: int, contact_id: int) -> None:
        """Add a contact of a user."""

    def generation(self, user_id: int, generation: int) -> None:
        """Set how often the account has ended its key."""

    def message(self, message: StoredMessage) -> None:
        """Add a message or overwrite it."""

    def log(self, owner_id: int, entry: LogEntry) -> None:
        """Add a step of an account's log."""

    def reads(self, owner_id: int, peer_id: int, inbox: int, outbox: int) -> None:
        """Set a chat's read marks."""

    def commit(self) -> None:
        """Make everything written so far survive."""

    def close(self) -> None:
        """Commit and let go of the file."""


class NullJournal:
    """Keeps nothing: a world that ends with its process."""

    def user(self, user: User) -> None:
        """Do nothing."""

    def contact(self, user_id: int, contact_id: int) -> None:
        """Do nothing."""

    def generation(self, user_id: int, generation: int) -> None:
        """Do nothing."""

    def message(self, message: StoredMessage) -> None:
        """Do nothing."""

    def log(self, owner_id: int, entry: LogEntry) -> None:
        """Do nothing."""

    def reads(self, owner_id: int, peer_id: int, inbox: int, outbox: int) -> None:
        """Do nothing."""

    def commit(self) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing."""


class StateInUseError(Exception):
    """Another sandbox lives in the state directory; two would drift apart."""


class SqliteJournal:
    """The journal in a state directory.

    Args:
        state_dir: Made if missing, private to the user; it holds auth keys.

    Raises:
        StateInUseError: If another sandbox has it open; the lock ends with its process, `kill -9` included.
    """

    def __init__(self, state_dir: Path) -> None:
        state_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        path = state_dir / _FILE_NAME
        path.touch(mode=0o600)
        self._db = sqlite3.connect(path, isolation_level=None, timeout=0)
        try:
            self._db.execute("PRAGMA locking_mode=EXCLUSIVE")
            self._db.execute("PRAGMA journal_mode=WAL")
            self._db.execute("PRAGMA synchronous=NORMAL")
            self._db.executescript(_SCHEMA)
        except sqlite3.OperationalError as error:
            self._db.close()
            raise StateInUseError(str(path)) from error

    def secret(self, fresh: bytes) -> bytes:
        """Return the world's secret, storing `fresh` as such if there is none."""
        self._db.execute("INSERT OR IGNORE INTO meta VALUES ('secret', ?)", (fresh,))
        row = self._db.execute("SELECT value FROM meta WHERE name = 'secret'").fetchone()
        return bytes(row[0])

    def stored_users(self) -> Iterator[User]:
        """Iterate over all users in the order they were made."""
        for user_id, first_name, last_name, phone, username, is_partner in self._db.execute(
            "SELECT user_id, first_name, last_name, phone, username, is_partner FROM users ORDER BY position"
        ):
            yield User(user_id, first_name, last_name, phone, username, bool(is_partner))

    def stored_contacts(self) -> Iterator[tuple[int, int]]:
        """Iterate over (user, contact)."""
        return iter(self._db.execute("SELECT user_id, contact_id FROM contacts").fetchall())

    def stored_generations(self) -> dict[int, int]:
        """Return how often each account has ended its key."""
        return dict(self._db.execute("SELECT user_id, generation FROM generations"))

    def stored_messages(self) -> Iterator[StoredMessage]:
        """Iterate over all copies of all messages, oldest first in each box."""
        for row in self._db.execute("SELECT * FROM messages ORDER BY owner_id, message_id"):
            message = StoredMessage(*row)
            message.entities = tuple(read_object(row[7])) if row[7] else ()
            message.deleted = bool(message.deleted)
            yield message

    def stored_log(self) -> Iterator[tuple[int, LogEntry]]:
        """Iterate over (owner, step), oldest first in each box."""
        for owner_id, pts, count, kind, peer_id, ids, unread in self._db.execute(
            "SELECT * FROM log ORDER BY owner_id, pts"
        ):
            yield owner_id, LogEntry(pts, count, LogKind(kind), peer_id, tuple(json.loads(ids)), unread)

    def stored_reads(self) -> Iterator[tuple[int, int, int, int]]:
        """Iterate over (owner, peer, inbox, outbox)."""
        return iter(self._db.execute("SELECT owner_id, peer_id, inbox, outbox FROM reads").fetchall())

    def user(self, user: User) -> None:
        """Add a user."""
        row = (user.user_id, user.first_name, user.last_name, user.phone, user.username, user.is_partner)
        self._write("INSERT INTO users VALUES (NULL, ?, ?, ?, ?, ?, ?)", row)

    def contact(self, user_id: int, contact_id: int) -> None:
        """Add a contact of a user."""
        self._write("INSERT OR IGNORE INTO contacts VALUES (?, ?)", (user_id, contact_id))

    def generation(self, user_id: int, generation: int) -> None:
        """Set how often the account has ended its key."""
        self._write("INSERT OR REPLACE INTO generations VALUES (?, ?)", (user_id, generation))

    def message(self, message: StoredMessage) -> None:
        """Add a message or overwrite it."""
        row = (
            message.owner_id,
            message.message_id,
            message.uid,
            message.peer_id,
            message.sender_id,
            message.sent_at,
            message.text,
            vector_bytes(message.entities) if message.entities else None,
            message.reply_to_id,
            message.random_id,
            message.edited_at,
            message.deleted,
        )
        self._write("INSERT OR REPLACE INTO messages VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", row)

    def log(self, owner_id: int, entry: LogEntry) -> None:
        """Add a step of an account's log."""
        ids = json.dumps(entry.ids)
        row = (owner_id, entry.pts, entry.pts_count, entry.kind.value, entry.peer_id, ids, entry.still_unread)
        self._write("INSERT INTO log VALUES (?, ?, ?, ?, ?, ?, ?)", row)

    def reads(self, owner_id: int, peer_id: int, inbox: int, outbox: int) -> None:
        """Set a chat's read marks."""
        self._write("INSERT OR REPLACE INTO reads VALUES (?, ?, ?, ?)", (owner_id, peer_id, inbox, outbox))

    def commit(self) -> None:
        """Make everything written so far survive."""
        if self._db.in_transaction:
            self._db.execute("COMMIT")

    def close(self) -> None:
        """Commit and let go of the file."""
        self.commit()
        self._db.close()

    def _write(self, statement: str, row: tuple[object, ...]) -> None:
        if not self._db.in_transaction:
            self._db.execute("BEGIN")
        self._db.execute(statement, row)
