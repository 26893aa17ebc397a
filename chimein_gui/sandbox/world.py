"""The sandbox's Telegram without the wire: who is there, what was said, who has read what.

Pure of MTProto and of sockets. What happens is written to the journal and collected in `happenings`; whoever calls a
method here must let the hub commit and deliver them (`updates.Hub.settle`).
"""

from collections.abc import Iterable
from dataclasses import dataclass

from chimein_gui.sandbox.boxes import Box
from chimein_gui.sandbox.keys import KeyRing
from chimein_gui.sandbox.persistence import Journal
from chimein_gui.sandbox.records import Change, Happening, LogEntry, LogKind, StoredMessage, Typing, User
from chimein_gui.sandbox.timekeeping import Clock
from chimein_gui.sandbox.tl import TLObject


@dataclass(frozen=True, slots=True)
class Draft:
    """A text about to be sent.

    Attributes:
        reply_to_id: In the sender's sequence; an unknown or deleted one is dropped, as Telegram does.
        random_id: The client's name for it; 0 for none.
    """

    text: str
    entities: tuple[TLObject, ...] = ()
    reply_to_id: int = 0
    random_id: int = 0


class World:
    """Users, boxes and keys, with the rules that connect them."""

    def __init__(self, journal: Journal, keys: KeyRing, now: Clock) -> None:
        self.journal = journal
        self.keys = keys
        self.users: dict[int, User] = {}
        self.contacts: set[tuple[int, int]] = set()
        self.happenings: list[Happening] = []
        self._boxes: dict[int, Box] = {}
        self._copies: dict[int, dict[int, int]] = {}
        self._last_uid = 0
        self._now = now

    def now(self) -> int:
        """Server time, whole seconds since the epoch."""
        return int(self._now())

    def box(self, user_id: int) -> Box:
        """Return a user's box.

        Raises:
            LookupError: If there is no such user.
        """
        return self._boxes[user_id]

    def username(self, name: str) -> User | None:
        """Find a user by username, regardless of case."""
        wanted = name.casefold()
        return next((user for user in self.users.values() if user.username.casefold() == wanted), None)

    # -- what restores a stored world ---------------------------------------------------------------------------------

    def restore_user(self, user: User) -> None:
        """Take in a user without writing it down."""
        self.users[user.user_id] = user
        self._boxes[user.user_id] = Box(user.user_id)
        self.keys.admit(user.user_id)

    def restore_message(self, message: StoredMessage) -> None:
        """Take in one copy of a message without writing it down."""
        self._boxes[message.owner_id].put(message)
        self._copies.setdefault(message.uid, {})[message.owner_id] = message.message_id
        self._last_uid = max(self._last_uid, message.uid)

    # -- what happens -------------------------------------------------------------------------------------------------

    def add_user(self, user: User) -> None:
        """Let somebody join."""
        self.restore_user(user)
        self.journal.user(user)

    def add_contact(self, user_id: int, contact_id: int) -> None:
        """Put somebody into a user's contacts."""
        self.contacts.add((user_id, contact_id))
        self.journal.contact(user_id, contact_id)

    def log_out(self, key_id: int) -> None:
        """End a key's authorisation."""
        self.journal.generation(*self.keys.revoke(key_id))

    def send(self, sender_id: int, recipient_id: int, draft: Draft, *, sent_at: int | None = None) -> StoredMessage:
        """Put a message into both boxes.

        Returns:
            The sender's copy.

        Raises:
            LookupError: If either user does not exist.
        """
        sender, recipient = self.box(sender_id), self.box(recipient_id)
        moment = self.now() if sent_at is None else sent_at
        parent = sender.live(draft.reply_to_id)
        self._last_uid += 1
        own = StoredMessage(
            owner_id=sender_id,
            message_id=sender.last_id + 1,
            uid=self._last_uid,
            peer_id=recipient_id,
            sender_id=sender_id,
            sent_at=moment,
            text=draft.text,
            entities=draft.entities,
            reply_to_id=parent.message_id if parent else 0,
            random_id=draft.random_id,
        )
        self._deliver(sender, own)
        if recipient is not sender:
            self._deliver(recipient, self._copy(own, recipient, parent))
        return own

    def edit(self, owner_id: int, message_id: int, text: str, entities: tuple[TLObject, ...]) -> LogEntry:
        """Change the text of an own message in all boxes.

        Returns:
            The step in the owner's log.
        """
        moment = self.now()
        for box, message in self._all_copies(self.box(owner_id).messages[message_id].uid):
            message.text, message.entities, message.edited_at = text, entities, moment
            self.journal.message(message)
            self._note(box, LogKind.EDIT, message.peer_id, (message.message_id,))
        return self.box(owner_id).log[-1]

    def delete(self, owner_id: int, message_ids: Iterable[int], *, revoke: bool) -> LogEntry | None:
        """Delete messages from the owner's box, with `revoke` from all others too.

        Returns:
            The step in the owner's log, None if nothing was there to delete.
        """
        gone: dict[int, list[int]] = {}
        known = [message for message_id in message_ids if (message := self.box(owner_id).live(message_id))]
        for known_message in known:
            for box, message in self._all_copies(known_message.uid):
                if revoke or box.owner_id == owner_id:
                    box.delete(message)
                    self.journal.message(message)
                    gone.setdefault(box.owner_id, []).append(message.message_id)
        for user_id, ids in gone.items():
            self._note(self.box(user_id), LogKind.DELETE, 0, tuple(ids))
        return self.box(owner_id).log[-1] if known else None

    def read(self, reader_id: int, peer_id: int, max_id: int) -> LogEntry | None:
        """Mark a chat as read up to `max_id` (0: all), on both sides.

        Returns:
            The step in the reader's log, None if there was nothing new.
        """
        box = self.box(reader_id)
        thread = box.thread(peer_id)
        newest = thread.ids[-1] if thread.ids else 0
        wanted = min(max_id or newest, newest)
        if wanted <= thread.read_inbox:
            return None
        previous, thread.read_inbox = thread.read_inbox, wanted
        self.journal.reads(reader_id, peer_id, thread.read_inbox, thread.read_outbox)
        entry = self._note(box, LogKind.READ_INBOX, peer_id, (wanted,), box.unread(peer_id))
        self._tell_writer(box, peer_id, previous, wanted)
        return entry

    def typing(self, from_id: int, peer_id: int, action: TLObject) -> None:
        """Show the other side that somebody types; nothing of it is stored."""
        if peer_id != from_id:
            self.happenings.append(Typing(peer_id, from_id, action))

    def _tell_writer(self, reader: Box, peer_id: int, previous: int, wanted: int) -> None:
        """Move the other side's outbox mark to its newest message that has now been read."""
        theirs = reader.newest_from(peer_id, previous, wanted)
        if theirs is None or peer_id == reader.owner_id:
            return
        writer = self.box(peer_id)
        read_id = self._copies[theirs.uid].get(peer_id, 0)
        thread = writer.thread(reader.owner_id)
        if read_id > thread.read_outbox:
            thread.read_outbox = read_id
            self.journal.reads(peer_id, reader.owner_id, thread.read_inbox, thread.read_outbox)
            self._note(writer, LogKind.READ_OUTBOX, reader.owner_id, (read_id,))

    def _copy(self, own: StoredMessage, recipient: Box, parent: StoredMessage | None) -> StoredMessage:
        """Make the recipient's copy; the parent of a reply has another id there."""
        return StoredMessage(
            owner_id=recipient.owner_id,
            message_id=recipient.last_id + 1,
            uid=own.uid,
            peer_id=own.sender_id,
            sender_id=own.sender_id,
            sent_at=own.sent_at,
            text=own.text,
            entities=own.entities,
            reply_to_id=self._copies[parent.uid].get(recipient.owner_id, 0) if parent else 0,
        )

    def _deliver(self, box: Box, message: StoredMessage) -> None:
        self.restore_message(message)
        self.journal.message(message)
        self._note(box, LogKind.MESSAGE, message.peer_id, (message.message_id,))

    def _note(self, box: Box, kind: LogKind, peer_id: int, ids: tuple[int, ...], still_unread: int = 0) -> LogEntry:
        entry = box.note(kind, peer_id, ids, still_unread)
        self.journal.log(box.owner_id, entry)
        self.happenings.append(Change(box.owner_id, entry))
        return entry

    def _all_copies(self, uid: int) -> list[tuple[Box, StoredMessage]]:
        boxes = ((self._boxes[owner_id], message_id) for owner_id, message_id in self._copies[uid].items())
        return [(box, message) for box, message_id in boxes if (message := box.live(message_id))]
