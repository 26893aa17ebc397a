"""One account's side of the world: its message sequence, its chats, its `pts` and the log behind it."""

from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterator
from dataclasses import dataclass, field

from chimein_gui.sandbox.records import LogEntry, LogKind, StoredMessage


@dataclass(slots=True)
class Thread:
    """One chat as its owner sees it.

    Attributes:
        ids: Message ids that are not deleted, rising.
        read_inbox: Newest incoming id the owner has read.
        read_outbox: Newest own id the other side has read.
    """

    ids: list[int] = field(default_factory=list)
    read_inbox: int = 0
    read_outbox: int = 0


@dataclass(frozen=True, slots=True)
class Window:
    """Which part of a history is wanted, in Telegram's terms.

    Attributes:
        offset_id: Only ids below it; 0 for the newest.
        offset_date: Only messages before it, seconds since the epoch; 0 for none.
        add_offset: Shifts the window; negative towards newer messages.
        max_id: Only ids below it; 0 for no limit.
        min_id: Only ids above it.
    """

    limit: int
    offset_id: int = 0
    offset_date: int = 0
    add_offset: int = 0
    max_id: int = 0
    min_id: int = 0


class Box:
    """Everything one account holds.

    Mutators only change memory; `World` writes the same facts to the journal.
    """

    def __init__(self, owner_id: int) -> None:
        self.owner_id = owner_id
        self.messages: dict[int, StoredMessage] = {}
        self.threads: dict[int, Thread] = {}
        self.log: list[LogEntry] = []
        self.sent: dict[int, int] = {}
        self.last_id = 0

    @property
    def pts(self) -> int:
        """The state a client that knows everything is in; starts at 1 because 0 means *none* to clients."""
        return self.log[-1].pts if self.log else 1

    def thread(self, peer_id: int) -> Thread:
        """Return the chat with `peer_id`, making it if need be."""
        return self.threads.setdefault(peer_id, Thread())

    def put(self, message: StoredMessage) -> None:
        """Take in a message that carries the next id."""
        self.messages[message.message_id] = message
        self.last_id = max(self.last_id, message.message_id)
        if message.random_id:
            self.sent[message.random_id] = message.message_id
        if not message.deleted:
            insort(self.thread(message.peer_id).ids, message.message_id)

    def live(self, message_id: int) -> StoredMessage | None:
        """Return a message unless it is unknown or deleted."""
        message = self.messages.get(message_id)
        return None if message is None or message.deleted else message

    def delete(self, message: StoredMessage) -> None:
        """Hide a message; its id and random_id stay taken."""
        message.deleted = True
        self.thread(message.peer_id).ids.remove(message.message_id)

    def note(self, kind: LogKind, peer_id: int, ids: tuple[int, ...], still_unread: int = 0) -> LogEntry:
        """Advance `pts` by one step and log it; a delete takes one a message."""
        count = len(ids) if kind is LogKind.DELETE else 1
        entry = LogEntry(self.pts + count, count, kind, peer_id, ids, still_unread)
        self.log.append(entry)
        return entry

    def since(self, pts: int) -> list[LogEntry]:
        """Return what happened after `pts`, oldest first."""
        return self.log[bisect_right(self.log, pts, key=lambda entry: entry.pts) :]

    def unread(self, peer_id: int) -> int:
        """Count the unread incoming messages of a chat."""
        thread = self.thread(peer_id)
        fresh = thread.ids[bisect_right(thread.ids, thread.read_inbox) :]
        return sum(not self.messages[message_id].outgoing for message_id in fresh)

    def newest_from(self, peer_id: int, above: int, up_to: int) -> StoredMessage | None:
        """Return the newest message the other side of a chat wrote, among ids in (above, up_to]."""
        ids = self.thread(peer_id).ids
        span = ids[bisect_right(ids, above) : bisect_right(ids, up_to)]
        found = (self.messages[message_id] for message_id in reversed(span))
        return next((message for message in found if message.sender_id == peer_id), None)

    def newest_first(self) -> list[tuple[int, StoredMessage]]:
        """Return (peer, newest message) of every chat that has one, most recent first."""
        tops = [(peer, self.messages[thread.ids[-1]]) for peer, thread in self.threads.items() if thread.ids]
        return sorted(tops, key=lambda top: (top[1].sent_at, top[1].message_id), reverse=True)

    def history(self, peer_id: int, window: Window, *, containing: str = "") -> tuple[list[StoredMessage], int]:
        """Return a slice of a chat, newest first, and how many messages it was cut from.

        Args:
            peer_id: Whose chat.
            window: The part that is wanted.
            containing: Keep only texts with these words, regardless of case.
        """
        ids = self._between(peer_id, window.min_id, window.max_id)
        if containing:
            wanted = containing.casefold()
            ids = [message_id for message_id in ids if wanted in self.messages[message_id].text.casefold()]
        end = self._end(ids, window) - window.add_offset
        start = max(0, end - window.limit)
        part = ids[start : max(0, end)]
        return [self.messages[message_id] for message_id in reversed(part)], len(ids)

    def received(self) -> Iterator[StoredMessage]:
        """Iterate over what others wrote to the owner, oldest first."""
        return (message for message in self.messages.values() if not message.outgoing and not message.deleted)

    def _between(self, peer_id: int, min_id: int, max_id: int) -> list[int]:
        known = self.threads.get(peer_id)
        if known is None:
            return []
        end = bisect_left(known.ids, max_id) if max_id else len(known.ids)
        return known.ids[bisect_right(known.ids, min_id) : end]

    def _end(self, ids: list[int], window: Window) -> int:
        if window.offset_id:
            return bisect_left(ids, window.offset_id)
        if window.offset_date:
            return bisect_left(ids, window.offset_date, key=lambda message_id: self.messages[message_id].sent_at)
        return len(ids)
