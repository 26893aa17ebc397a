"""Converts the world to TL objects as one account sees them, with its own ids and access hashes."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Protocol

from chimein_gui.sandbox.media.records import MediaRef
from chimein_gui.sandbox.views.group_views import seen_group
from chimein_gui.sandbox.views.message_views import channel_update, people_in, seen_message
from chimein_gui.sandbox.wire.tl import TLObject, types
from chimein_gui.sandbox.world.peers import bare_channel_id, channel_peer_id, is_channel, peer_of
from chimein_gui.sandbox.world.records import LogEntry, LogKind, StoredMessage, Typing, User
from chimein_gui.sandbox.world.world import World


class MediaRenderer(Protocol):
    """Makes the media of messages; implemented by the media library."""

    def render(self, viewer_id: int, ref: MediaRef) -> TLObject:
        """Return a MessageMedia with the access hash and file reference that are valid for this viewer now."""
        ...


class Rendered:
    """A TL object that is kept serialised, because nearly every push contains it."""

    __slots__ = ("_data",)

    def __init__(self, data: bytes) -> None:
        self._data = data

    def _bytes(self) -> bytes:  # what Telethon's containers call on their parts
        return self._data

    def __bytes__(self) -> bytes:
        return self._data


_LATER_LAYER = bytes.fromhex("2a2a2a7f") + bytes(types.TextPlain("a kind of media that is not invented yet"))
"""A serialised object with a constructor that no layer has."""


class Views:
    """Converts the world to TL objects for its viewers.

    Args:
        world: The world.
        media: Makes the media of messages.
    """

    def __init__(self, world: World, media: MediaRenderer) -> None:
        self._world = world
        self._media = media
        self._users: dict[tuple[int, int], Rendered] = {}
        self._groups: dict[tuple[int, int], tuple[int, Rendered]] = {}
        self._revision = 0

    # -- peers --------------------------------------------------------------------------------------------------------

    def user(self, viewer_id: int, target_id: int) -> TLObject:
        """Return a user with the access hash that is valid for this viewer."""
        if self._revision != self._world.directory.revision:
            self._revision = self._world.directory.revision
            self._users.clear()
        rendered = self._users.get((viewer_id, target_id))
        if rendered is None:
            rendered = Rendered(bytes(self._user(viewer_id, target_id)))
            self._users[viewer_id, target_id] = rendered
        return rendered

    def users(self, viewer_id: int, peer_ids: Iterable[int]) -> list[TLObject]:
        """Return the users among some peers, and the viewer, each once."""
        wanted = dict.fromkeys((*peer_ids, viewer_id))
        return [self.user(viewer_id, target_id) for target_id in wanted if target_id in self._world.users]

    def group(self, viewer_id: int, peer_id: int) -> TLObject:
        """Return a group as a current or former member sees it."""
        group = self._world.groups.get(peer_id)
        known = self._groups.get((viewer_id, peer_id))
        if known is not None and known[0] == group.revision:
            return known[1]
        rendered = Rendered(bytes(seen_group(group, viewer_id, partial(self._world.keys.access_hash, viewer_id))))
        self._groups[viewer_id, peer_id] = (group.revision, rendered)
        return rendered

    def chats(self, viewer_id: int, peer_ids: Iterable[int]) -> list[TLObject]:
        """Return the groups among some peers, each once."""
        wanted = dict.fromkeys(peer_id for peer_id in peer_ids if peer_id < 0)
        return [self.group(viewer_id, peer_id) for peer_id in wanted]

    # -- messages -----------------------------------------------------------------------------------------------------

    def message(self, message: StoredMessage) -> TLObject:
        """Return a message as its owner sees it."""
        media = None if message.media is None else self._media.render(message.owner_id, message.media)
        owner = message.owner_id
        box = self._world.post.channel(owner) if is_channel(owner) else self._world.post.box(owner)
        if message.message_id in box.later_layer:
            media = Rendered(_LATER_LAYER)
        answered_in = self._world.groups.get(message.peer_id).migrated_from if message.reply_to_uid else 0
        return seen_message(message, media, self._world.reactions.seen(message), answered_in)

    def peers_in(self, messages: Iterable[StoredMessage]) -> dict[int, None]:
        """Return everyone in some messages, their chats included, each once."""
        found: dict[int, None] = {}
        for message in messages:
            found[message.peer_id] = found[message.sender_id] = None
            if message.reply_to_uid:
                found[self._world.groups.get(message.peer_id).migrated_from] = None
            if message.entities or message.action is not None or message.forward is not None:
                found.update(dict.fromkeys(people_in(message)))
            found.update(dict.fromkeys(self._world.reactions.people(message.uid)))
        return found

    # -- updates ------------------------------------------------------------------------------------------------------

    def update(self, owner_id: int, entry: LogEntry) -> TLObject:
        """Return the update that brings a client to `entry.pts`; a message that is gone is reported as deleted."""
        pts = {"pts": entry.pts, "pts_count": entry.pts_count}
        message = self._subject(owner_id, entry)
        if is_channel(entry.peer_id):
            return channel_update(entry, None if message is None else self.message(message))
        if entry.kind is LogKind.MESSAGE or entry.kind is LogKind.EDIT:
            if message is None:
                return types.UpdateDeleteMessages(list(entry.ids), **pts)
            kind = types.UpdateEditMessage if entry.kind is LogKind.EDIT else types.UpdateNewMessage
            return kind(self.message(message), **pts)
        return _BARE[entry.kind](entry, pts)

    def updates(self, owner_id: int, entries: list[LogEntry], others: Iterable[TLObject] = ()) -> TLObject:
        """Return log entries and updates without `pts` as one push; seq 0 means that clients need not count it."""
        rendered = [self.update(owner_id, entry) for entry in entries]
        return self.bundle(owner_id, [*rendered, *others], self.peers_of(owner_id, entries))

    def bundle(self, owner_id: int, updates: list[TLObject], peer_ids: Iterable[int]) -> TLObject:
        """Return updates with all users and chats in them."""
        peers = tuple(peer_ids)
        for update in updates:
            if isinstance(update, types.UpdateReadChannelInbox):  # no step itself; with an old `pts` clients drop it
                update.pts = self._world.post.channel(channel_peer_id(update.channel_id)).pts
        users, chats = self.users(owner_id, peers), self.chats(owner_id, peers)
        return types.Updates(updates, users, chats, self._world.now(), 0)

    def peers_of(self, owner_id: int, entries: Iterable[LogEntry]) -> dict[int, None]:
        """Return everyone in some log entries, each once."""
        found: dict[int, None] = {}
        for entry in entries:
            if entry.peer_id:
                found[entry.peer_id] = None
            message = self._subject(owner_id, entry)
            if message is not None:
                found.update(self.peers_in((message,)))
        return found

    def _subject(self, owner_id: int, entry: LogEntry) -> StoredMessage | None:
        """Return the message that an entry is about; None if it no longer exists."""
        if entry.kind is LogKind.MESSAGE or entry.kind is LogKind.EDIT:
            return self._world.live(owner_id, entry.peer_id, entry.ids[0])
        return None

    def typing(self, typing: Typing) -> TLObject:
        """Return the push that shows someone typing."""
        if is_channel(typing.peer_id):
            writer = types.PeerUser(typing.from_id)
            update = types.UpdateChannelUserTyping(bare_channel_id(typing.peer_id), writer, typing.action)
        elif typing.peer_id:
            writer = types.PeerUser(typing.from_id)
            update = types.UpdateChatUserTyping(-typing.peer_id, writer, typing.action)
        else:
            update = types.UpdateUserTyping(typing.from_id, typing.action)
        return types.UpdateShort(update, self._world.now())

    # -- the chat list ------------------------------------------------------------------------------------------------

    def dialog(self, viewer_id: int, peer_id: int) -> TLObject:
        """Return a chat as an entry of the chat list."""
        thread = self._world.box(viewer_id).thread(peer_id)
        in_channel = self._world.post.channel(peer_id) if is_channel(peer_id) else None
        ids = thread.ids if in_channel is None else in_channel.ids
        return types.Dialog(
            peer=peer_of(peer_id),
            top_message=ids[-1] if ids else 0,
            read_inbox_max_id=thread.read_inbox,
            read_outbox_max_id=thread.read_outbox,
            unread_count=thread.unread if in_channel is None else self._world.supergroups.unread(viewer_id, peer_id),
            unread_mentions_count=0,
            unread_reactions_count=0,
            unread_poll_votes_count=0,
            notify_settings=thread.notify or types.PeerNotifySettings(),
            pts=None if in_channel is None else in_channel.pts,
        )

    def state(self, viewer_id: int) -> TLObject:
        """Return the current state of an account's update sequence."""
        box = self._world.box(viewer_id)
        unread = sum(thread.unread for thread in box.threads.values())
        return types.updates.State(pts=box.pts, qts=0, date=self._world.now(), seq=0, unread_count=unread)

    def _user(self, viewer_id: int, target_id: int) -> TLObject:
        directory = self._world.directory
        user = directory.users[target_id]
        is_self = viewer_id == target_id
        is_contact = directory.is_contact(viewer_id, target_id)
        shows_phone = is_self or directory.is_contact(target_id, viewer_id)
        return types.User(
            id=user.user_id,
            is_self=is_self or None,
            contact=is_contact or None,
            mutual_contact=(is_contact and directory.is_contact(target_id, viewer_id)) or None,
            deleted=user.is_deleted or None,
            bot=user.is_bot or None,
            bot_info_version=1 if user.is_bot else None,
            access_hash=self._world.keys.access_hash(viewer_id, target_id),
            first_name=user.first_name or None,
            last_name=user.last_name or None,
            username=(not user.bought and user.username) or None,
            usernames=listed_names(user) if user.bought else None,
            phone=(user.phone or None) if shows_phone else None,
        )


def listed_names(user: User) -> list[TLObject]:
    """Return all user names of a user in Telegram's order: the bought ones first."""
    bought = [types.Username(name, active=True) for name in user.bought]
    return [*bought, *([types.Username(user.username, editable=True, active=True)] if user.username else [])]


_BARE: dict[LogKind, Callable[[LogEntry, dict[str, int]], TLObject]] = {
    LogKind.DELETE: lambda entry, pts: types.UpdateDeleteMessages(list(entry.ids), **pts),
    LogKind.READ_INBOX: lambda entry, pts: types.UpdateReadHistoryInbox(
        peer_of(entry.peer_id), entry.ids[0], entry.still_unread, **pts
    ),
    LogKind.READ_OUTBOX: lambda entry, pts: types.UpdateReadHistoryOutbox(peer_of(entry.peer_id), entry.ids[0], **pts),
}
"""The updates without a message."""
