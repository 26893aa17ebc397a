"""Groups: who is in them, what they are called, who may do what; each change is told by a service message."""

from collections.abc import Iterable

from chimein_gui.sandbox.persistence import Journal
from chimein_gui.sandbox.persistence.group_rows import GroupRows
from chimein_gui.sandbox.wire.tl import TLObject, types
from chimein_gui.sandbox.world.mail import Mail
from chimein_gui.sandbox.world.peers import is_group
from chimein_gui.sandbox.world.post_office import PostOffice
from chimein_gui.sandbox.world.records import Draft, Group, Member, MemberState, StoredMessage

_FIRST_ID = 4_800_000_001


class Groups:
    """All groups.

    Args:
        by_peer_id: Where they are kept, by marked id; the mail reads it.
    """

    def __init__(self, post: PostOffice, mail: Mail, journal: Journal, by_peer_id: dict[int, Group]) -> None:
        self.rows = GroupRows(journal)
        self._post = post
        self._mail = mail
        self._groups = by_peer_id
        self._of_user: dict[int, list[int]] = {}

    # -- looking up ---------------------------------------------------------------------------------------------------

    def every(self) -> tuple[Group, ...]:
        """Return all groups, those that have migrated too, in the order they were made."""
        return tuple(self._groups.values())

    def all(self) -> tuple[Group, ...]:
        """Return all groups in which something can be said: of one that has migrated, what it has become."""
        return tuple(group for group in self._groups.values() if not group.migrated_to)

    def present(self, peer_id: int) -> int:
        """Return where a chat goes on: of a group that has migrated the supergroup's marked id, else the same."""
        group = self._groups.get(peer_id)
        return (group.migrated_to if group else 0) or peer_id

    def get(self, peer_id: int) -> Group:
        """Return a group by its marked id.

        Raises:
            LookupError: If there is none.
        """
        return self._groups[peer_id]

    def find(self, peer_id: int) -> Group | None:
        """Return a group by its marked id, None if there is none."""
        return self._groups.get(peer_id)

    def of(self, user_id: int) -> list[Group]:
        """Return the groups somebody is or was in."""
        return [self._groups[peer_id] for peer_id in self._of_user.get(user_id, ())]

    def restore(self, group: Group) -> None:
        """Take in a group without writing it down."""
        self._groups[group.peer_id] = group
        if group.migrated_from:
            self._post.open_channel(group.peer_id)
            self._groups[group.migrated_from].migrated_to = group.peer_id
        for user_id in group.people:
            self._of_user.setdefault(user_id, []).append(group.peer_id)

    # -- people -------------------------------------------------------------------------------------------------------

    def create(
        self,
        creator_id: int,
        title: str,
        member_ids: Iterable[int],
        *,
        group_id: int | None = None,
        created_at: int | None = None,
    ) -> Group:
        """Make a group and say so in it.

        Args:
            creator_id: Who makes it and may do everything in it.
            title: Its name.
            member_ids: Who is in it besides the creator.
            group_id: The bare chat id, for seeds; a fresh one by default.
            created_at: Seconds since the epoch, for seeds with a past; now by default.

        Raises:
            LookupError: If somebody does not exist.
            ValueError: If the id is taken.
        """
        moment = self._post.now() if created_at is None else created_at
        new_id = group_id or max((_FIRST_ID - 1, *(-peer_id for peer_id in self._groups if is_group(peer_id)))) + 1
        if -new_id in self._groups:
            raise ValueError(f"there is a group {new_id} already")
        ids = tuple(dict.fromkeys((creator_id, *member_ids)))
        for user_id in ids:
            self._post.box(user_id)
        group = Group(new_id, title, creator_id, moment)
        group.people = {user_id: Member(user_id, creator_id, moment) for user_id in ids}
        self.restore(group)
        self.rows.group(group)
        for member in group.people.values():
            self.rows.member(group, member)
        action = types.MessageActionChatCreate(title, list(ids))
        self._mail.send(creator_id, group.peer_id, Draft(action=action), sent_at=moment)
        return group

    def end(self, group: Group, successor: Group) -> None:
        """Let a group go on as a supergroup."""
        self.restore(successor)
        self.rows.group(successor)
        for member in successor.people.values():
            self.rows.member(successor, member)
        self._changed(group)

    def add(self, group: Group, inviter_id: int, user_id: int) -> StoredMessage:
        """Let somebody in; returns the inviter's copy of the service message."""
        member = group.people.get(user_id)
        if member is None:
            member = group.people[user_id] = Member(user_id, inviter_id, self._post.now())
            self._of_user.setdefault(user_id, []).append(group.peer_id)
        else:
            del group.people[user_id]  # back again: last in the order of joining
            group.people[user_id] = member
            member.inviter_id, member.joined_at, member.state = inviter_id, self._post.now(), MemberState.MEMBER
        self._changed(group, member)
        action = types.MessageActionChatAddUser([user_id])
        return self._mail.send(inviter_id, group.peer_id, Draft(action=action))

    def remove(self, group: Group, remover_id: int, user_id: int) -> StoredMessage:
        """Let somebody go, or make them go; they get the service message as their last, except in a supergroup.

        Returns:
            The copy of whoever did it.
        """
        audience = self._mail.audience(remover_id, group.peer_id)
        member = group.people[user_id]
        member.state = MemberState.LEFT if remover_id == user_id else MemberState.KICKED
        self._changed(group, member)
        if group.migrated_from:  # the service message is in the supergroup, where they do not look any more
            self._post.tell(user_id, types.UpdateChannel(group.group_id), group.peer_id)
        action = types.MessageActionChatDeleteUser(user_id)
        return self._mail.send_to(audience, remover_id, group.peer_id, Draft(action=action))

    def set_admin(self, group: Group, user_id: int, *, is_admin: bool) -> None:
        """Make somebody an admin, or not any more."""
        member = group.people[user_id]
        member.state = MemberState.ADMIN if is_admin else MemberState.MEMBER
        self._changed(group, member)
        update = types.UpdateChatParticipantAdmin(group.group_id, user_id, is_admin, group.version)
        self._tell_members(group, update, user_id)

    # -- what it is called and what is allowed ------------------------------------------------------------------------

    def rename(self, group: Group, user_id: int, title: str) -> StoredMessage:
        """Give a group another name; returns the copy of whoever did it."""
        group.title = title
        self._changed(group)
        return self._mail.send(user_id, group.peer_id, Draft(action=types.MessageActionChatEditTitle(title)))

    def describe(self, group: Group, about: str) -> None:
        """Say what a group is about."""
        group.about = about
        self._changed(group)
        kind = types.UpdateChannel if group.migrated_from else types.UpdateChat
        self._tell_members(group, kind(group.group_id))

    def set_slow_mode(self, group: Group, seconds: int) -> None:
        """Make members who are no admins wait between two messages; 0 ends it."""
        group.slow_mode_s = seconds
        self.rows.group(group)

    def _changed(self, group: Group, member: Member | None = None) -> None:
        group.version += 1
        group.revision += 1
        self.rows.group(group)
        if member is not None:
            self.rows.member(group, member)

    def _tell_members(self, group: Group, update: TLObject, *user_ids: int) -> None:
        for member_id in group.member_ids:
            self._post.tell(member_id, update, group.peer_id, *user_ids)
