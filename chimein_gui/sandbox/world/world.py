"""The simulated Telegram without its protocol: users, messages, read marks.

It knows neither MTProto nor sockets. `World` is the facade of the modules `directory` (people), `groups`, `post_office`
(the boxes), `mail` (sending), `chat_state` and `reactions`. What happens is written to the journal and
collected in the post office's `happenings`; whoever changes something must let the hub commit and push it
(`views.update_hub.Hub.settle`).

A supergroup has its own box under its marked id (see `boxes`): `Mail.audience` returns only that box for it, and its
members' threads hold only marks. Here and in `mail`, the owner of an edited or deleted message is its box.
"""

from collections.abc import Iterable, Sequence

from chimein_gui.sandbox.auth_keys.key_ring import KeyRing
from chimein_gui.sandbox.persistence import Journal
from chimein_gui.sandbox.timekeeping import Clock
from chimein_gui.sandbox.wire.tl import TLObject
from chimein_gui.sandbox.world.boxes import Box
from chimein_gui.sandbox.world.chat_state import ChatSettings, Marks
from chimein_gui.sandbox.world.directory import Directory
from chimein_gui.sandbox.world.groups import Groups
from chimein_gui.sandbox.world.mail import Mail
from chimein_gui.sandbox.world.peers import is_channel
from chimein_gui.sandbox.world.post_office import PostOffice
from chimein_gui.sandbox.world.reactions import Reactions
from chimein_gui.sandbox.world.records import Draft, Group, Happening, LogEntry, StoredMessage, Typing, User
from chimein_gui.sandbox.world.supergroups import Supergroups


class World:
    """Users, boxes, groups and keys, with the rules between them."""

    def __init__(self, journal: Journal, keys: KeyRing, now: Clock) -> None:
        self.journal = journal
        self.keys = keys
        by_peer_id: dict[int, Group] = {}
        self.directory = Directory(journal)
        self.post = PostOffice(journal, now)
        self.mail = Mail(self.post, self.directory, by_peer_id)
        self.groups = Groups(self.post, self.mail, journal, by_peer_id)
        self.supergroups = Supergroups(self.post, self.mail, self.groups)
        self.marks = Marks(self.post)
        self.reactions = Reactions(self.post, self.groups.rows, self.supergroups.copies)
        self.settings = ChatSettings(self.post)

    # -- looking up ---------------------------------------------------------------------------------------------------

    @property
    def users(self) -> dict[int, User]:
        """All users by id, in the order of creation."""
        return self.directory.users

    @property
    def happenings(self) -> list[Happening]:
        """What has not been pushed to the connected sessions yet."""
        return self.post.happenings

    def take_happenings(self) -> list[Happening]:
        """Return and clear what has not been pushed to the connected sessions yet."""
        taken, self.post.happenings = self.post.happenings, []
        return taken

    def now(self) -> int:
        """Server time, whole seconds since the epoch."""
        return self.post.now()

    def box(self, user_id: int) -> Box:
        """Return a user's box.

        Raises:
            LookupError: If there is no such user.
        """
        return self.post.box(user_id)

    def live(self, viewer_id: int, peer_id: int, message_id: int) -> StoredMessage | None:
        """Return a message as its viewer sees it; None if it is unknown or deleted.

        Args:
            viewer_id: The viewer's user id.
            peer_id: The chat, if it is a supergroup; ignored for all others, so 0 will do.
            message_id: In the viewer's sequence, or the supergroup's.
        """
        message = self.post.box_of(viewer_id, peer_id).live(message_id)
        return None if message is None else self.supergroups.seen_by(viewer_id, message)

    def receivers(self, happening: Happening) -> tuple[int, ...]:
        """Return the ids of those whose sessions get an owner's updates: the owner, or all members of a supergroup."""
        owner_id = happening.owner_id
        return (owner_id,) if owner_id > 0 else self.groups.get(owner_id).member_ids

    def username(self, name: str) -> User | None:
        """Return the user with a username, regardless of case; None if there is none."""
        return self.directory.by_username(name)

    # -- people -------------------------------------------------------------------------------------------------------

    def restore_user(self, user: User) -> None:
        """Add a user in memory, without writing to the journal."""
        self.directory.restore_user(user)
        self.post.open_box(user.user_id)
        self.keys.admit(user.user_id)

    def add_user(self, user: User) -> None:
        """Add a new user."""
        self.restore_user(user)
        self.directory.put(user)

    def add_contact(self, user_id: int, contact_id: int) -> None:
        """Add someone to a user's contacts."""
        self.directory.add_contact(user_id, contact_id)

    def log_out(self, key_id: int) -> None:
        """End a key's authorisation."""
        self.keys.log_out(key_id)

    def create_group(
        self, creator_id: int, title: str, member_ids: Iterable[int], *, group_id: int | None = None
    ) -> Group:
        """Create a basic group, with a service message about it; see `Groups.create`."""
        return self.groups.create(creator_id, title, member_ids, group_id=group_id)

    # -- messages -----------------------------------------------------------------------------------------------------

    def send(self, sender_id: int, peer_id: int, draft: Draft, *, sent_at: int | None = None) -> StoredMessage:
        """Send to a user or a group (marked id); see `Mail.send`. Returns the sender's copy.

        Raises:
            LookupError: If a user or group does not exist or the sender is not in the group.
        """
        return self.mail.send(sender_id, peer_id, draft, sent_at=sent_at)

    def edit(
        self,
        owner_id: int,
        message_id: int,
        text: str,
        entities: tuple[TLObject, ...],
    ) -> LogEntry:
        """Change an own message in all boxes; see `Mail.edit`. Returns the entry in the owner's log."""
        return self.mail.edit(owner_id, message_id, text, entities)

    def delete(self, owner_id: int, message_ids: Sequence[int], *, revoke: bool) -> LogEntry | None:
        """Delete messages; see `Mail.delete`. Returns the entry in the owner's log, None if nothing was there."""
        uids = [message.uid for message_id in message_ids if (message := self.box(owner_id).live(message_id))]
        entry = self.mail.delete(owner_id, message_ids, revoke=revoke)
        for uid in uids:
            if not self.post.copies(uid):
                self.reactions.forget(uid)
        return entry

    def read(self, reader_id: int, peer_id: int, max_id: int) -> LogEntry | None:
        """Mark a chat as read up to `max_id` (0 for all); see `Marks.read` and, for supergroups, `Supergroups.read`."""
        if is_channel(peer_id):
            self.supergroups.read(reader_id, peer_id, max_id)
            return None
        return self.marks.read(reader_id, peer_id, max_id)

    def typing(self, from_id: int, peer_id: int, action: TLObject) -> None:
        """Show the other side, or everybody in a group, that a user is typing; nothing is stored."""
        in_group = peer_id if peer_id < 0 else 0
        for owner_id in self.mail.listeners(from_id, peer_id):
            self.post.happenings.append(Typing(owner_id, from_id, action, in_group))

    def forget_log(self, owner_id: int) -> None:
        """Remove all but the newest entry of an account's or a supergroup's (marked id) log.

        Clients that missed more are told that the difference is too long.
        """
        self.post.forget_log(owner_id)
