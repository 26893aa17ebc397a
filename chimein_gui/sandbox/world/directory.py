"""Who there is: users, their names, contacts and block lists."""

from dataclasses import replace

from chimein_gui.sandbox.persistence import Journal
from chimein_gui.sandbox.persistence.people_rows import PeopleRows
from chimein_gui.sandbox.world.records import User


class Directory:
    """All users and what they know and think of each other.

    Attributes:
        users: By id, in the order they were made.
        revision: Rises with everything that changes how somebody looks to anybody.
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
        """Take in a user, new or changed, without writing it down."""
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
        """Add a user or change what is known of them."""
        self.restore_user(user)
        self.rows.user(user)

    def delete(self, user_id: int) -> None:
        """Let somebody delete their account: names, number and text about them go, what they wrote stays."""
        user = self.users[user_id]
        gone = replace(user, first_name="", last_name="", phone="", username="", about="", bought=(), is_deleted=True)
        self.put(gone)

    def by_username(self, name: str) -> User | None:
        """Find a user by username, regardless of case."""
        user_id = self._by_username.get(name.casefold())
        return None if user_id is None else self.users[user_id]

    def by_phone(self, phone: str) -> User | None:
        """Find a user by phone number, with or without plus and blanks."""
        digits = "".join(sign for sign in phone if sign.isdigit())
        user_id = self._by_phone.get(digits)
        return None if user_id is None else self.users[user_id]

    # -- contacts -----------------------------------------------------------------------------------------------------

    def restore_contact(self, user_id: int, contact_id: int) -> None:
        """Put somebody into a user's contacts without writing it down."""
        self._contacts.setdefault(user_id, set()).add(contact_id)
        self.revision += 1

    def add_contact(self, user_id: int, contact_id: int) -> None:
        """Put somebody into a user's contacts."""
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
        """Put somebody on a block list without writing it down; `moment` in seconds since the epoch."""
        self._blocked.setdefault(user_id, {})[blocked_id] = moment
        self.revision += 1

    def block(self, user_id: int, blocked_id: int, moment: int) -> bool:
        """Put somebody on a user's block list; tells whether that is news."""
        if self.has_blocked(user_id, blocked_id):
            return False
        self.restore_blocked(user_id, blocked_id, moment)
        self.rows.blocked(user_id, blocked_id, moment)
        return True

    def unblock(self, user_id: int, blocked_id: int) -> bool:
        """Take somebody off a user's block list; tells whether that is news."""
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
