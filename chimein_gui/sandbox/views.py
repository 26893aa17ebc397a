"""How one account sees the world: TL objects with its own ids and its own access hashes."""

from collections.abc import Iterable

from chimein_gui.sandbox.records import LogEntry, LogKind, StoredMessage, Typing
from chimein_gui.sandbox.tl import TLObject, patched, types
from chimein_gui.sandbox.world import World


class Rendered:
    """A TL object that is kept serialised, because it goes into nearly every push."""

    __slots__ = ("_data",)

    def __init__(self, data: bytes) -> None:
        self._data = data

    def _bytes(self) -> bytes:  # what Telethon's containers call on their parts
        return self._data

    def __bytes__(self) -> bytes:
        return self._data


class Views:
    """Renders the world for its viewers."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._users: dict[tuple[int, int], Rendered] = {}

    def user(self, viewer_id: int, target_id: int) -> TLObject:
        """Return a user with the hash that is valid for this viewer."""
        rendered = self._users.get((viewer_id, target_id))
        if rendered is None:
            rendered = Rendered(bytes(self._user(viewer_id, target_id)))
            self._users[viewer_id, target_id] = rendered
        return rendered

    def users(self, viewer_id: int, target_ids: Iterable[int]) -> list[TLObject]:
        """Return several users and the viewer, each once."""
        wanted = dict.fromkeys((*target_ids, viewer_id))
        return [self.user(viewer_id, target_id) for target_id in wanted if target_id in self._world.users]

    def message(self, message: StoredMessage) -> TLObject:
        """Return a message; in DMs an incoming one carries no sender, as on live Telegram (the chat says it)."""
        outgoing = message.outgoing
        return patched.Message(
            id=message.message_id,
            peer_id=types.PeerUser(message.peer_id),
            from_id=types.PeerUser(message.sender_id) if outgoing else None,
            out=outgoing,
            date=message.sent_at,
            message=message.text,
            entities=list(message.entities) or None,
            reply_to=types.MessageReplyHeader(reply_to_msg_id=message.reply_to_id) if message.reply_to_id else None,
            edit_date=message.edited_at or None,
        )

    def update(self, owner_id: int, entry: LogEntry) -> TLObject:
        """Return the update that takes a client to `entry.pts`; a message that is gone by now is told as deleted."""
        pts = {"pts": entry.pts, "pts_count": entry.pts_count}
        peer = types.PeerUser(entry.peer_id)
        if entry.kind is LogKind.READ_INBOX:
            return types.UpdateReadHistoryInbox(peer, entry.ids[0], entry.still_unread, **pts)
        if entry.kind is LogKind.READ_OUTBOX:
            return types.UpdateReadHistoryOutbox(peer, entry.ids[0], **pts)
        message = None if entry.kind is LogKind.DELETE else self._world.box(owner_id).live(entry.ids[0])
        if message is None:
            return types.UpdateDeleteMessages(list(entry.ids), **pts)
        kind = types.UpdateEditMessage if entry.kind is LogKind.EDIT else types.UpdateNewMessage
        return kind(self.message(message), **pts)

    def updates(self, owner_id: int, entries: list[LogEntry]) -> TLObject:
        """Return entries as one push; seq 0 means that clients need not count pushes."""
        rendered = [self.update(owner_id, entry) for entry in entries]
        peers = (entry.peer_id for entry in entries)
        return types.Updates(rendered, self.users(owner_id, peers), [], self._world.now(), 0)

    def typing(self, typing: Typing) -> TLObject:
        """Return the push for somebody who types."""
        update = types.UpdateUserTyping(typing.from_id, typing.action)
        return types.UpdateShort(update, self._world.now())

    def dialog(self, viewer_id: int, peer_id: int) -> TLObject:
        """Return a chat as an entry of the chat list."""
        box = self._world.box(viewer_id)
        thread = box.thread(peer_id)
        return types.Dialog(
            peer=types.PeerUser(peer_id),
            top_message=thread.ids[-1] if thread.ids else 0,
            read_inbox_max_id=thread.read_inbox,
            read_outbox_max_id=thread.read_outbox,
            unread_count=box.unread(peer_id),
            unread_mentions_count=0,
            unread_reactions_count=0,
            unread_poll_votes_count=0,
            notify_settings=types.PeerNotifySettings(),
        )

    def state(self, viewer_id: int) -> TLObject:
        """Return where an account's update sequence stands."""
        box = self._world.box(viewer_id)
        unread = sum(box.unread(peer_id) for peer_id in list(box.threads))
        return types.updates.State(pts=box.pts, qts=0, date=self._world.now(), seq=0, unread_count=unread)

    def _user(self, viewer_id: int, target_id: int) -> TLObject:
        user = self._world.users[target_id]
        is_self = viewer_id == target_id
        is_contact = (viewer_id, target_id) in self._world.contacts
        return types.User(
            id=user.user_id,
            is_self=is_self or None,
            contact=is_contact or None,
            mutual_contact=(is_contact and (target_id, viewer_id) in self._world.contacts) or None,
            access_hash=self._world.keys.access_hash(viewer_id, target_id),
            first_name=user.first_name,
            last_name=user.last_name or None,
            username=user.username or None,
            phone=(user.phone or None) if is_self or is_contact else None,
            status=types.UserStatusRecently(),
        )
