"""Supergroups: migrating basic groups, and each member's view of a supergroup's box.

Supergroups come only from migrations. Their messages, ids and `pts` are the same for all members (`boxes.ChannelBox`);
the read marks are in the members' own threads.
"""

from collections.abc import Iterable
from dataclasses import replace

from chimein_gui.sandbox.wire.tl import types
from chimein_gui.sandbox.world.boxes import ChannelBox
from chimein_gui.sandbox.world.groups import Groups
from chimein_gui.sandbox.world.mail import Mail
from chimein_gui.sandbox.world.peers import bare_channel_id, channel_peer_id
from chimein_gui.sandbox.world.post_office import PostOffice
from chimein_gui.sandbox.world.records import Draft, Group, StoredMessage

_FIRST_ID = 2_100_000_001


class Supergroups:
    """Migrates groups, and returns messages as each member sees them."""

    def __init__(self, post: PostOffice, mail: Mail, groups: Groups) -> None:
        self._post = post
        self._mail = mail
        self._groups = groups

    # -- how they come to be ------------------------------------------------------------------------------------------

    def migrate(self, group: Group, user_id: int) -> Group:
        """Create a supergroup from a basic group, with its name, members and admins; both get a service message.

        Args:
            group: The basic group; it can still be read, but not written to.
            user_id: The acting member.

        Raises:
            ValueError: If the group has migrated before, or is a supergroup.
            LookupError: If the user is no member.
        """
        if group.migrated_to or group.migrated_from:
            raise ValueError(f"the group {group.title!r} is a supergroup already")
        if not group.has(user_id):
            raise LookupError(f"user {user_id} is not in the group {group.title!r}")
        successor = self._successor(group)
        moved = Draft(action=types.MessageActionChatMigrateTo(successor.group_id))
        self._mail.send(user_id, group.peer_id, moved)
        self._groups.end(group, successor)
        for member_id in successor.member_ids:
            self._post.tell(member_id, types.UpdateChannel(successor.group_id), successor.peer_id)
        begun = Draft(action=types.MessageActionChannelMigrateFrom(group.title, group.group_id))
        self._mail.send(user_id, successor.peer_id, begun)
        return successor

    def _successor(self, group: Group) -> Group:
        taken = (one.group_id for one in self._groups.every() if one.migrated_from)
        successor = Group(
            max(taken, default=_FIRST_ID - 1) + 1,
            group.title,
            group.creator_id,
            self._post.now(),
            about=group.about,
            slow_mode_s=group.slow_mode_s,
            migrated_from=group.peer_id,
        )
        successor.people = {one.user_id: replace(one) for one in group.people.values() if one.is_in}
        return successor

    # -- a member's view ----------------------------------------------------------------------------------------------

    def seen_by(self, viewer_id: int, message: StoredMessage) -> StoredMessage:
        """Return a supergroup's message as the viewer's copy; a message of any other chat is returned unchanged."""
        if message.owner_id > 0:
            return message
        return replace(
            message,
            owner_id=viewer_id,
            reply_to_id=self._post.copy_id(message.reply_to_uid, viewer_id) or message.reply_to_id,
            mentioned=viewer_id in message.mentions,
        )

    def all_seen_by(self, viewer_id: int, messages: Iterable[StoredMessage]) -> list[StoredMessage]:
        """Return each message as `seen_by` does."""
        return [self.seen_by(viewer_id, message) for message in messages]

    def copies(self, uid: int) -> list[StoredMessage]:
        """Return a message as each user sees it who has it; in a supergroup, one copy per member."""
        stored = [message for _, message in self._post.copies(uid)]
        if not stored or stored[0].owner_id > 0:
            return stored
        shared = stored[0]
        return [self.seen_by(member_id, shared) for member_id in self._groups.get(shared.peer_id).member_ids]

    def of(self, user_id: int) -> list[ChannelBox]:
        """Return the boxes of the supergroups that a user is in."""
        return [
            self._post.channel(group.peer_id)
            for group in self._groups.of(user_id)
            if group.migrated_from and group.has(user_id)
        ]

    def tops(self, user_id: int) -> list[tuple[int, StoredMessage]]:
        """Return (peer, newest message) of a user's supergroups; those without messages are left out."""
        tops = [(box.owner_id, box.top) for box in self.of(user_id)]
        return [(peer_id, self.seen_by(user_id, top)) for peer_id, top in tops if top is not None]

    def received(self, user_id: int) -> list[StoredMessage]:
        """Return what others wrote in a user's supergroups, oldest first."""
        found = [one for box in self.of(user_id) for one in box.messages.values() if one.sender_id != user_id]
        return self.all_seen_by(user_id, sorted(found, key=lambda one: one.uid))

    def unread(self, user_id: int, peer_id: int) -> int:
        """Count the messages of a supergroup that a user has not read."""
        return self._post.channel(peer_id).unread_by(user_id, self._post.box(user_id).thread(peer_id).read_inbox)

    # -- what has been seen -------------------------------------------------------------------------------------------

    def read(self, reader_id: int, peer_id: int, max_id: int) -> bool:
        """Mark a supergroup as read up to `max_id` (0 for all), for reader and writers; return whether this was new."""
        box, thread = self._post.channel(peer_id), self._post.box(reader_id).thread(peer_id)
        newest = box.ids[-1] if box.ids else 0
        wanted = min(max_id or newest, newest)
        if wanted <= thread.read_inbox:
            return False
        previous, thread.read_inbox = thread.read_inbox, wanted
        self._post.rows.reads(reader_id, peer_id, thread)
        channel_id, remaining = bare_channel_id(peer_id), self.unread(reader_id, peer_id)
        update = types.UpdateReadChannelInbox(channel_id, wanted, remaining, box.pts)
        self._post.tell(reader_id, update, peer_id)
        newest_of: dict[int, int] = {}
        for message in box.between(peer_id, previous, wanted):
            newest_of.setdefault(message.sender_id, message.message_id)
        newest_of.pop(reader_id, None)
        for writer_id, message_id in newest_of.items():
            self._was_read(writer_id, peer_id, message_id)
        return True

    def _was_read(self, writer_id: int, peer_id: int, message_id: int) -> None:
        thread = self._post.box(writer_id).thread(peer_id)
        if message_id > thread.read_outbox:
            thread.read_outbox = message_id
            self._post.rows.reads(writer_id, peer_id, thread)
            update = types.UpdateReadChannelOutbox(bare_channel_id(peer_id), message_id)
            self._post.tell(writer_id, update, peer_id)


def new_channels(messages: Iterable[StoredMessage]) -> list[int]:
    """Return the marked ids of the supergroups that migration messages (MessageActionChatMigrateTo) name."""
    actions = (message.action for message in messages)
    return [channel_peer_id(one.channel_id) for one in actions if isinstance(one, types.MessageActionChatMigrateTo)]
