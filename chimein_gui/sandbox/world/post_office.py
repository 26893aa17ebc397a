"""The post office: all boxes, which copies belong to the same message, and the log entries.

Every change of a box is made here, so that memory, journal and the owners' logs agree. What happened is collected in
`happenings`; whoever changes something must let the hub commit and push it (`views.update_hub.Hub.settle`).
"""

from collections.abc import Iterator

from chimein_gui.sandbox.persistence import Journal
from chimein_gui.sandbox.persistence.message_rows import MessageRows
from chimein_gui.sandbox.timekeeping import Clock
from chimein_gui.sandbox.wire.tl import TLObject
from chimein_gui.sandbox.world.boxes import Box, ChannelBox
from chimein_gui.sandbox.world.peers import is_channel
from chimein_gui.sandbox.world.records import Change, Happening, LogEntry, LogKind, Notice, StoredMessage

_FIRST_ALBUM = 13_500_000_000_000_001


class PostOffice:
    """Owns the boxes.

    Attributes:
        rows: Writes changes to the journal.
        happenings: What has not been pushed to the connected sessions yet.
    """

    def __init__(self, journal: Journal, now: Clock) -> None:
        self.rows = MessageRows(journal)
        self.happenings: list[Happening] = []
        self._boxes: dict[int, Box] = {}
        self._channels: dict[int, ChannelBox] = {}
        self._copies: dict[int, dict[int, int]] = {}
        self._last_uid = 0
        self._now = now
        self._start = journal.start

    def now(self) -> int:
        """Server time, whole seconds since the epoch."""
        return int(self._now())

    def open_box(self, owner_id: int) -> None:
        """Create a new user's box."""
        self._boxes[owner_id] = Box(owner_id, self._start)

    def box(self, owner_id: int) -> Box:
        """Return an owner's box.

        Raises:
            LookupError: If there is none.
        """
        return self._boxes[owner_id]

    def open_channel(self, peer_id: int) -> None:
        """Create a new supergroup's box."""
        self._boxes[peer_id] = self._channels[peer_id] = ChannelBox(peer_id, self._start, self.now())

    def channel(self, peer_id: int) -> ChannelBox:
        """Return the box of a supergroup.

        Raises:
            LookupError: If there is none.
        """
        return self._channels[peer_id]

    def box_of(self, owner_id: int, peer_id: int) -> Box:
        """Return the box with a user's messages of a chat: a supergroup's own box, else the user's."""
        return self._boxes[peer_id if is_channel(peer_id) else owner_id]

    def ledgers(self, user_id: int) -> Iterator[tuple[Box, dict[int, int]]]:
        """Iterate over the boxes a user may have sent into, each with the ids of their messages by `random_id`."""
        for box in (self._boxes[user_id], *self._channels.values()):
            yield box, box.sent_by(user_id)

    def knows_name(self, user_id: int, random_id: int) -> bool:
        """Return whether a user has used this `random_id` before, in any chat."""
        return any(random_id in sent for _, sent in self.ledgers(user_id))

    def next_uid(self) -> int:
        """Return a new message uid, which all copies of a message share."""
        self._last_uid += 1
        return self._last_uid

    def next_album_id(self) -> int:
        """Return a `grouped_id` for the next album."""
        return _FIRST_ALBUM + self._last_uid

    # -- copies -------------------------------------------------------------------------------------------------------

    def restore(self, message: StoredMessage) -> None:
        """Add a copy of a message in memory, without writing to the journal."""
        self._boxes[message.owner_id].put(message)
        self._last_uid = max(self._last_uid, message.uid)
        if not message.deleted:
            self._copies.setdefault(message.uid, {})[message.owner_id] = message.message_id

    def deliver(self, message: StoredMessage) -> LogEntry:
        """Add a new copy to its owner's box, and log it."""
        self.restore(message)
        self.rows.message(message)
        return self.note(self._boxes[message.owner_id], LogKind.MESSAGE, message.peer_id, (message.message_id,))

    def rewrite(
        self,
        message: StoredMessage,
        *,
        text: str,
        entities: tuple[TLObject, ...],
        edited_at: int,
    ) -> None:
        """Change one copy; the caller must log it with `note`."""
        message.text, message.entities, message.edited_at = text, entities, edited_at
        self.rows.message(message)

    def remove(self, message: StoredMessage) -> None:
        """Delete one copy; the caller must log it with `note`, once for all deleted copies of a box."""
        self._boxes[message.owner_id].delete(message)
        self.rows.message(message)
        copies = self._copies[message.uid]
        del copies[message.owner_id]
        if not copies:
            del self._copies[message.uid]

    def copies(self, uid: int) -> list[tuple[Box, StoredMessage]]:
        """Return all existing copies of a message with their boxes."""
        places = self._copies.get(uid, {})
        return [(box := self._boxes[owner_id], box.messages[message_id]) for owner_id, message_id in places.items()]

    def copy_id(self, uid: int, owner_id: int) -> int:
        """Return the id of an owner's copy, 0 if there is none; a supergroup's message has the same id for all."""
        places = self._copies.get(uid)
        if not places:
            return 0
        first = next(iter(places))
        return places[first] if first < 0 else places.get(owner_id, 0)

    # -- notes --------------------------------------------------------------------------------------------------------

    def note(self, box: Box, kind: LogKind, peer_id: int, ids: tuple[int, ...], still_unread: int = 0) -> LogEntry:
        """Append to an owner's log; the entry will be pushed to their sessions."""
        entry = box.note(kind, peer_id, ids, still_unread)
        self.rows.log(box.owner_id, entry)
        self.happenings.append(Change(box.owner_id, entry))
        if isinstance(box, ChannelBox):
            box.changed_at = self.now()
        self._trimmed(box, box.trim_log())
        return entry

    def tell(self, owner_id: int, update: TLObject, *peer_ids: int) -> None:
        """Push an update that is not part of the log to an owner's sessions."""
        self.happenings.append(Notice(owner_id, update, peer_ids))

    def restore_log(self, owner_id: int, entry: LogEntry) -> None:
        """Append a log entry in memory, without writing to the journal."""
        self._boxes[owner_id].log.append(entry)

    def forget_log(self, owner_id: int) -> None:
        """Remove all log entries but the newest; clients that missed more are told that the difference is too long."""
        box = self.box(owner_id)
        self._trimmed(box, box.trim_log(1, 0))

    def _trimmed(self, box: Box, forgotten: list[LogEntry]) -> None:
        if forgotten:
            self.rows.forget_log(box.owner_id, forgotten[-1].pts)
