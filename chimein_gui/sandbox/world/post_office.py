"""The post office: all boxes, which copies belong together, and the notes of what changed.

Whatever changes a box goes through here, so that memory, journal and the owners' logs say the same. What happened is
collected in `happenings`; whoever changed something lets the hub commit and deliver it (`views.update_hub.Hub.settle`).
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
    """Keeps the boxes.

    Attributes:
        happenings: What the connected sessions have not been told yet.
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
        """Give a new owner a box."""
        self._boxes[owner_id] = Box(owner_id, self._start)

    def box(self, owner_id: int) -> Box:
        """Return an owner's box.

        Raises:
            LookupError: If there is none.
        """
        return self._boxes[owner_id]

    def open_channel(self, peer_id: int) -> None:
        """Give a new supergroup a box."""
        self._boxes[peer_id] = self._channels[peer_id] = ChannelBox(peer_id, self._start, self.now())

    def channel(self, peer_id: int) -> ChannelBox:
        """Return the box of a supergroup.

        Raises:
            LookupError: If there is none.
        """
        return self._channels[peer_id]

    def box_of(self, owner_id: int, peer_id: int) -> Box:
        """Return where somebody's messages with a peer are: in the supergroup's box if it is one, else in their own."""
        return self._boxes[peer_id if is_channel(peer_id) else owner_id]

    def ledgers(self, user_id: int) -> Iterator[tuple[Box, dict[int, int]]]:
        """Iterate over the boxes somebody may have sent into, with what they sent there by `random_id`."""
        for box in (self._boxes[user_id], *self._channels.values()):
            yield box, box.sent_by(user_id)

    def knows_name(self, user_id: int, random_id: int) -> bool:
        """Tell whether somebody has sent something under this `random_id` before, wherever it was."""
        return any(random_id in sent for _, sent in self.ledgers(user_id))

    def next_uid(self) -> int:
        """Return a number for a new message, the same for all its copies."""
        self._last_uid += 1
        return self._last_uid

    def next_album_id(self) -> int:
        """Return a `grouped_id` for an album about to be sent."""
        return _FIRST_ALBUM + self._last_uid

    # -- copies -------------------------------------------------------------------------------------------------------

    def restore(self, message: StoredMessage) -> None:
        """Take in one copy of a message without writing it down."""
        self._boxes[message.owner_id].put(message)
        self._last_uid = max(self._last_uid, message.uid)
        if not message.deleted:
            self._copies.setdefault(message.uid, {})[message.owner_id] = message.message_id

    def deliver(self, message: StoredMessage) -> LogEntry:
        """Put a new copy into its owner's box."""
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
        """Change one copy; noting it is the caller's."""
        message.text, message.entities, message.edited_at = text, entities, edited_at
        self.rows.message(message)

    def remove(self, message: StoredMessage) -> None:
        """Delete one copy; noting it is the caller's, for all copies of a box at once."""
        self._boxes[message.owner_id].delete(message)
        self.rows.message(message)
        copies = self._copies[message.uid]
        del copies[message.owner_id]
        if not copies:
            del self._copies[message.uid]

    def copies(self, uid: int) -> list[tuple[Box, StoredMessage]]:
        """Return all copies of a message that still exist, with the boxes they are in."""
        places = self._copies.get(uid, {})
        return [(box := self._boxes[owner_id], box.messages[message_id]) for owner_id, message_id in places.items()]

    def copy_id(self, uid: int, owner_id: int) -> int:
        """Return the id that an owner's copy has, 0 if there is none; a supergroup's message has one id for all."""
        places = self._copies.get(uid)
        if not places:
            return 0
        first = next(iter(places))
        return places[first] if first < 0 else places.get(owner_id, 0)

    # -- notes --------------------------------------------------------------------------------------------------------

    def note(self, box: Box, kind: LogKind, peer_id: int, ids: tuple[int, ...], still_unread: int = 0) -> LogEntry:
        """Log a step of an owner, to be told to their sessions."""
        entry = box.note(kind, peer_id, ids, still_unread)
        self.rows.log(box.owner_id, entry)
        self.happenings.append(Change(box.owner_id, entry))
        if isinstance(box, ChannelBox):
            box.changed_at = self.now()
        self._trimmed(box, box.trim_log())
        return entry

    def tell(self, owner_id: int, update: TLObject, *peer_ids: int) -> None:
        """Tell an owner's sessions something that has no place in the log."""
        self.happenings.append(Notice(owner_id, update, peer_ids))

    def restore_log(self, owner_id: int, entry: LogEntry) -> None:
        """Take in a step without writing it down."""
        self._boxes[owner_id].log.append(entry)

    def forget_log(self, owner_id: int) -> None:
        """Forget all steps but the newest: whoever is away now will be told that the difference is too long."""
        box = self.box(owner_id)
        self._trimmed(box, box.trim_log(1, 0))

    def _trimmed(self, box: Box, forgotten: list[LogEntry]) -> None:
        if forgotten:
            self.rows.forget_log(box.owner_id, forgotten[-1].pts)
