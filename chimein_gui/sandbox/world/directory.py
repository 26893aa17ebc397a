"""The users, their names, contacts and block lists."""

from dataclasses import replace

from chimein_gui.sandbox.persistence import Journal
from chimein_gui.sandbox.persistence.people_rows import PeopleRows
from chimein_gui.sandbox.world.records import User


class Directory:
    """All users, with their contacts and block lists.

    Attributes:
        users: By id, in the order of creation.
        revision: Increases with every change of how a user appears to others.
    """

    def __init__(self, journal: Journal) -> None:
        self.rows = PeopleRows(journal)
        self.users: dict[int, User] = {}
        self.revision = 0
        self._by_username: dict[str, int] = {}
        self._by_phone: dict[str, int] = {}
        self._contacts: dict[int, set[int]] = {}
        self._blocked: dict[int, dict[int, int]] = {}

    # -- users --------------------------------------------------------------------------------------------------------

    def restore_user(self, user: User) -> None:
        """Add or replace a user in memory, without writing to the journal."""
        known = self.users.get(user.user_id)
        if known is not None:
            for name in known.usernames:
                self._by_username.pop(name.casefold(), None)
            self._by_phone.pop(known.phone, None)
        self.users[user.user_id] = user
        for name in user.usernames:
            self._by_username[name.casefold()] = user.user_id
        if user.phone:
            self._by_phone[user.phone] = user.user_id
        self.revision += 1

    def put(self, user: User) -> None:
        """Add or replace a user."""
        self.restore_user(user)
        self.rows.user(user)

    def delete(self, user_id: int) -> None:
        """Delete an account: its names, number and description are removed, its messages stay."""
        user = self.users[user_id]
        gone = replace(user, first_name="", last_name="", phone="", username="", about="", bought=(), is_deleted=True)
        self.put(gone)

    def by_username(self, name: str) -> User | None:
        """Return the user with a username, regardless of case; None if there is none."""
        user_id = self._by_username.get(name.casefold())
        return None if user_id is None else self.users[user_id]

    def by_phone(self, phone: str) -> User | None:
        """Return the user with a phone number, with or without plus and blanks; None if there is none."""
        digits = "".join(sign for sign in phone if sign.isdigit())
        user_id = self._by_phone.get(digits)
        return None if user_id is None else self.users[user_id]

    # -- contacts -----------------------------------------------------------------------------------------------------

    def restore_contact(self, user_id: int, contact_id: int) -> None:
        """Add a contact in memory, without writing to the journal."""
        self._contacts.setdefault(user_id, set()).add(contact_id)
        self.revision += 1

    def add_contact(self, user_id: int, contact_id: int) -> None:
        """Add someone to a user's contacts."""
        self.restore_contact(user_id, contact_id)
        self.rows.contact(user_id, contact_id)

    def is_contact(self, user_id: int, other_id: int) -> bool:
        """Whether the user has the other in their contacts."""
        return other_id in self._contacts.get(user_id, ())

    def contacts_of(self, user_id: int) -> tuple[int, ...]:
        """Return a user's contacts, by id."""
        return tuple(sorted(self._contacts.get(user_id, ())))

    # -- block lists --------------------------------------------------------------------------------------------------

    def restore_blocked(self, user_id: int, blocked_id: int, moment: int) -> None:
        """Add someone to a block list in memory, without the journal; `moment` in seconds since the epoch."""
        self._blocked.setdefault(user_id, {})[blocked_id] = moment
        self.revision += 1

    def block(self, user_id: int, blocked_id: int, moment: int) -> bool:
        """Add someone to a user's block list; return whether this changed it."""
        if self.has_blocked(user_id, blocked_id):
            return False
        self.restore_blocked(user_id, blocked_id, moment)
        self.rows.blocked(user_id, blocked_id, moment)
        return True

    def unblock(self, user_id: int, blocked_id: int) -> bool:
        """Remove someone from a user's block list; return whether this changed it."""
        if self._blocked.get(user_id, {}).pop(blocked_id, None) is None:
            return False
        self.rows.unblocked(user_id, blocked_id)
        self.revision += 1
        return True

    def has_blocked(self, user_id: int, other_id: int) -> bool:
        """Whether the user has blocked the other."""
        return other_id in self._blocked.get(user_id, ())

    def blocked_by(self, user_id: int) -> list[tuple[int, int]]:
        """Return (user, since when) of a block list, newest first."""
        return sorted(self._blocked.get(user_id, {}).items(), key=lambda one: (one[1], one[0]), reverse=True)
