"""Groups, their members, names and rights; a change appears in the chat as a service message."""

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
    """All groups and supergroups.

    Args:
        by_peer_id: The groups by marked id; `mail.Mail` reads the same mapping.
    """

    def __init__(self, post: PostOffice, mail: Mail, journal: Journal, by_peer_id: dict[int, Group]) -> None:
        self.rows = GroupRows(journal)
        self._post = post
        self._mail = mail
        self._groups = by_peer_id
        self._of_user: dict[int, list[int]] = {}

    # -- looking up ---------------------------------------------------------------------------------------------------

    def every(self) -> tuple[Group, ...]:
        """Return all groups, migrated ones included, in the order of creation."""
        return tuple(self._groups.values())

    def all(self) -> tuple[Group, ...]:
        """Return all groups that can be written to; a migrated basic group is left out, its supergroup is in it."""
        return tuple(group for group in self._groups.values() if not group.migrated_to)

    def present(self, peer_id: int) -> int:
        """Return the marked id of the supergroup that a group has migrated to; for all other peers, the same id."""
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
        """Return the groups that a user is or was a member of."""
        return [self._groups[peer_id] for peer_id in self._of_user.get(user_id, ())]

    def restore(self, group: Group) -> None:
        """Add a group in memory, without writing to the journal."""
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
        """Create a group, with a service message about it.

        Args:
            creator_id: Its creator, who has all rights.
            title: Its name.
            member_ids: The members besides the creator.
            group_id: The bare chat id, for seeds; None or 0 for a new one.
            created_at: Seconds since the epoch, for groups of seeds; now by default.

        Raises:
            LookupError: If a user does not exist.
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
        """Mark a basic group as migrated to a supergroup, and add that."""
        self.restore(successor)
        self.rows.group(successor)
        for member in successor.people.values():
            self.rows.member(successor, member)
        self._changed(group)

    def add(self, group: Group, inviter_id: int, user_id: int) -> StoredMessage:
        """Add a member; return the inviter's copy of the service message."""
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
        """Remove a member, who leaves or is kicked; in a basic group the service message is the last one they get.

        Returns:
            The acting user's copy.
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
        """Make a member an admin, or no longer."""
        member = group.people[user_id]
        member.state = MemberState.ADMIN if is_admin else MemberState.MEMBER
        self._changed(group, member)
        update = types.UpdateChatParticipantAdmin(group.group_id, user_id, is_admin, group.version)
        self._tell_members(group, update, user_id)

    # -- what it is called and what is allowed ------------------------------------------------------------------------

    def rename(self, group: Group, user_id: int, title: str) -> StoredMessage:
        """Rename a group; return the acting user's copy of the service message."""
        group.title = title
        self._changed(group)
        return self._mail.send(user_id, group.peer_id, Draft(action=types.MessageActionChatEditTitle(title)))

    def describe(self, group: Group, about: str) -> None:
        """Set a group's description."""
        group.about = about
        self._changed(group)
        kind = types.UpdateChannel if group.migrated_from else types.UpdateChat
        self._tell_members(group, kind(group.group_id))

    def set_slow_mode(self, group: Group, seconds: int) -> None:
        """Set how many seconds members who are no admins must wait between two messages; 0 ends the slow mode."""
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
