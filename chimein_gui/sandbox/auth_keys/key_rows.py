"""Stored auth keys: exchanged keys, and changes of preseeded ones."""

from collections.abc import Iterator

from chimein_gui.sandbox.auth_keys.key_record import KeyRecord
from chimein_gui.sandbox.persistence.journal import Journal

_SCHEMA = """
CREATE TABLE IF NOT EXISTS generations (user_id INTEGER PRIMARY KEY, generation INTEGER);
CREATE TABLE IF NOT EXISTS auth_keys (
    key_id INTEGER PRIMARY KEY, auth_key BLOB, user_id INTEGER, refusal TEXT, logged_in_at INTEGER, used_at INTEGER);
CREATE TABLE IF NOT EXISTS forgotten_keys (key_id INTEGER PRIMARY KEY);
"""


class KeyRows:
    """The tables of the `KeyRing`."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        journal.prepare(_SCHEMA)

    def generations(self) -> dict[int, int]:
        """Return the present generation of each account's preseeded key."""
        return dict(self._journal.read("SELECT user_id, generation FROM generations"))

    def forgotten(self) -> set[int]:
        """Return the ids of forgotten keys."""
        return {_unsigned(row[0]) for row in self._journal.read("SELECT key_id FROM forgotten_keys")}

    def records(self) -> Iterator[KeyRecord]:
        """Iterate over all stored keys."""
        for row in self._journal.read("SELECT * FROM auth_keys"):
            key_id, auth_key, user_id, refusal, logged_in_at, used_at = row
            yield KeyRecord(_unsigned(key_id), auth_key, user_id, refusal, logged_in_at, used_at)

    def set_generation(self, user_id: int, generation: int) -> None:
        """Store the present generation of an account's preseeded key."""
        self._journal.write("INSERT OR REPLACE INTO generations VALUES (?, ?)", (user_id, generation))

    def put(self, record: KeyRecord) -> None:
        """Insert or replace a key."""
        row = (
            _signed(record.key_id),
            record.auth_key,
            record.user_id,
            record.refusal,
            record.logged_in_at,
            record.used_at,
        )
        self._journal.write("INSERT OR REPLACE INTO auth_keys VALUES (?, ?, ?, ?, ?, ?)", row)

    def forget(self, key_id: int) -> None:
        """Remove a key for good."""
        self._journal.write("DELETE FROM auth_keys WHERE key_id = ?", (_signed(key_id),))
        self._journal.write("INSERT OR IGNORE INTO forgotten_keys VALUES (?)", (_signed(key_id),))


def _signed(key_id: int) -> int:
    """Return the key id as a signed integer for SQLite."""
    return key_id - (1 << 64) if key_id >= 1 << 63 else key_id


def _unsigned(stored: int) -> int:
    return stored & ((1 << 64) - 1)
