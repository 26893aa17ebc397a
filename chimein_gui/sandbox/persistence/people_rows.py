"""The tables of users, contacts and block lists."""

from collections.abc import Iterator

from chimein_gui.sandbox.persistence.journal import Journal
from chimein_gui.sandbox.world.records import User

_SCHEMA = """
CREATE TABLE IF NOT EXISTS users (
    position INTEGER PRIMARY KEY, user_id INTEGER UNIQUE, first_name TEXT, last_name TEXT, phone TEXT, username TEXT,
    is_partner INTEGER, about TEXT NOT NULL DEFAULT '', flags INTEGER NOT NULL DEFAULT 0,
    bought TEXT NOT NULL DEFAULT '');
CREATE TABLE IF NOT EXISTS contacts (user_id INTEGER, contact_id INTEGER, PRIMARY KEY (user_id, contact_id))
    WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS blocked (
    user_id INTEGER, blocked_id INTEGER, blocked_at INTEGER, PRIMARY KEY (user_id, blocked_id)) WITHOUT ROWID;
"""
_BOT, _DELETED = 1, 2


class PeopleRows:
    """Writes and reads users, contacts and block lists."""

    def __init__(self, journal: Journal) -> None:
        journal.prepare(_SCHEMA)
        self._journal = journal

    def user(self, user: User) -> None:
        """Add or replace a user."""
        flags = user.is_bot * _BOT | user.is_deleted * _DELETED
        self._journal.write(
            "INSERT INTO users (user_id, first_name, last_name, phone, username, is_partner, about, flags, bought) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (user_id) DO UPDATE SET first_name = excluded.first_name, "
            "last_name = excluded.last_name, phone = excluded.phone, username = excluded.username, "
            "is_partner = excluded.is_partner, about = excluded.about, flags = excluded.flags, "
            "bought = excluded.bought",
            (
                user.user_id,
                user.first_name,
                user.last_name,
                user.phone,
                user.username,
                user.is_partner,
                user.about,
                flags,
                " ".join(user.bought),
            ),
        )

    def contact(self, user_id: int, contact_id: int) -> None:
        """Add a contact of a user."""
        self._journal.write("INSERT OR IGNORE INTO contacts VALUES (?, ?)", (user_id, contact_id))

    def blocked(self, user_id: int, blocked_id: int, moment: int) -> None:
        """Add someone to a user's block list; `moment` in seconds since the epoch."""
        self._journal.write("INSERT OR IGNORE INTO blocked VALUES (?, ?, ?)", (user_id, blocked_id, moment))

    def unblocked(self, user_id: int, blocked_id: int) -> None:
        """Remove someone from a user's block list."""
        self._journal.write("DELETE FROM blocked WHERE user_id = ? AND blocked_id = ?", (user_id, blocked_id))

    def stored_users(self) -> Iterator[User]:
        """Iterate over all users, in the order of creation."""
        for user_id, first_name, last_name, phone, username, is_partner, about, flags, bought in self._journal.read(
            "SELECT user_id, first_name, last_name, phone, username, is_partner, about, flags, bought FROM users "
            "ORDER BY position"
        ):
            yield User(
                user_id,
                first_name,
                last_name,
                phone,
                username,
                is_partner=bool(is_partner),
                about=about,
                is_bot=bool(flags & _BOT),
                is_deleted=bool(flags & _DELETED),
                bought=tuple(bought.split()),
            )

    def stored_contacts(self) -> Iterator[tuple[int, int]]:
        """Iterate over (user id, contact's id)."""
        yield from self._journal.read("SELECT user_id, contact_id FROM contacts")

    def stored_blocked(self) -> Iterator[tuple[int, int, int]]:
        """Iterate over (user id, blocked user's id, seconds since the epoch), oldest first."""
        yield from self._journal.read(
            "SELECT user_id, blocked_id, blocked_at FROM blocked ORDER BY blocked_at, blocked_id"
        )
