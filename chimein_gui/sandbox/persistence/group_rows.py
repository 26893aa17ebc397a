"""The tables of groups, their members, and the reactions to messages.

A supergroup is a row of the same table, under its marked id, which is never a bare id; `migrations` has the basic
group of each.
"""

from collections.abc import Iterator

from chimein_gui.sandbox.persistence.journal import Journal
from chimein_gui.sandbox.wire.tl import TLObject, read_object, vector_bytes
from chimein_gui.sandbox.world.peers import bare_channel_id
from chimein_gui.sandbox.world.records import Group, Member, MemberState

_SCHEMA = """
CREATE TABLE IF NOT EXISTS chats (
    group_id INTEGER PRIMARY KEY, title TEXT, creator_id INTEGER, created_at INTEGER, about TEXT, version INTEGER,
    slow_mode_s INTEGER);
CREATE TABLE IF NOT EXISTS chat_people (
    position INTEGER PRIMARY KEY, group_id INTEGER, user_id INTEGER, inviter_id INTEGER, joined_at INTEGER,
    state INTEGER, UNIQUE (group_id, user_id));
CREATE TABLE IF NOT EXISTS migrations (
    channel_peer_id INTEGER PRIMARY KEY, group_peer_id INTEGER UNIQUE);
CREATE TABLE IF NOT EXISTS reactions (
    uid INTEGER, user_id INTEGER, given BLOB, given_at INTEGER, PRIMARY KEY (uid, user_id)) WITHOUT ROWID;
"""


class GroupRows:
    """Writes and reads groups, members and reactions."""

    def __init__(self, journal: Journal) -> None:
        journal.prepare(_SCHEMA)
        self._journal = journal

    def group(self, group: Group) -> None:
        """Add or replace a group, without its members."""
        row = (
            _key(group),
            group.title,
            group.creator_id,
            group.created_at,
            group.about,
            group.version,
            group.slow_mode_s,
        )
        self._journal.write("INSERT OR REPLACE INTO chats VALUES (?, ?, ?, ?, ?, ?, ?)", row)
        if group.migrated_from:
            ends = (group.peer_id, group.migrated_from)
            self._journal.write("INSERT OR REPLACE INTO migrations VALUES (?, ?)", ends)

    def member(self, group: Group, member: Member) -> None:
        """Add or replace a member of a group."""
        self._journal.write(
            "INSERT INTO chat_people (group_id, user_id, inviter_id, joined_at, state) VALUES (?, ?, ?, ?, ?) "
            "ON CONFLICT (group_id, user_id) DO UPDATE SET inviter_id = excluded.inviter_id, "
            "joined_at = excluded.joined_at, state = excluded.state",
            (_key(group), member.user_id, member.inviter_id, member.joined_at, int(member.state)),
        )

    def reactions(self, uid: int, user_id: int, given: tuple[TLObject, ...], moment: int) -> None:
        """Set a user's reactions to a message; an empty list removes them."""
        if given:
            row = (uid, user_id, vector_bytes(given), moment)
            self._journal.write("INSERT OR REPLACE INTO reactions VALUES (?, ?, ?, ?)", row)
        else:
            self._journal.write("DELETE FROM reactions WHERE uid = ? AND user_id = ?", (uid, user_id))

    def no_reactions(self, uid: int) -> None:
        """Remove all reactions to a message."""
        self._journal.write("DELETE FROM reactions WHERE uid = ?", (uid,))

    def stored_groups(self) -> Iterator[Group]:
        """Iterate over all groups with their members, supergroups last."""
        migrations = self._journal.read("SELECT channel_peer_id, group_peer_id FROM migrations")
        origins: dict[int, int] = dict(migrations)
        people: dict[int, dict[int, Member]] = {}
        for group_id, user_id, inviter_id, joined_at, state in self._journal.read(
            "SELECT group_id, user_id, inviter_id, joined_at, state FROM chat_people ORDER BY position"
        ):
            member = Member(user_id, inviter_id, joined_at, MemberState(state))
            people.setdefault(group_id, {})[user_id] = member
        for key, title, creator_id, created_at, about, version, slow_mode_s in self._journal.read(
            "SELECT group_id, title, creator_id, created_at, about, version, slow_mode_s FROM chats "
            "ORDER BY group_id < 0, abs(group_id)"
        ):
            yield Group(
                bare_channel_id(key) if key in origins else key,
                title,
                creator_id,
                created_at,
                about,
                version,
                slow_mode_s,
                people.get(key, {}),
                migrated_from=origins.get(key, 0),
            )

    def stored_reactions(self) -> Iterator[tuple[int, int, tuple[TLObject, ...], int]]:
        """Iterate over (message uid, user id, reactions, seconds since the epoch), oldest first."""
        for uid, user_id, given, moment in self._journal.read(
            "SELECT uid, user_id, given, given_at FROM reactions ORDER BY given_at, user_id"
        ):
            yield uid, user_id, tuple(read_object(given)), moment


def _key(group: Group) -> int:
    return group.peer_id if group.migrated_from else group.group_id
