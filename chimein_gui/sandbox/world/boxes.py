"""One account's messages, chats, `pts` and update log.

An owner is a user or, with its marked id, a supergroup (`ChannelBox`). A supergroup's box has one copy of each message,
its own sequence of ids and its own `pts` (`getChannelDifference` reads its log). Its members have no copies, only a
`Thread` with read marks and the settings of the chat; `supergroups` combines the two.
"""

from bisect import bisect_left, bisect_right, insort
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from chimein_gui.sandbox.wire.tl import TLObject
from chimein_gui.sandbox.world.records import LogEntry, LogKind, StoredMessage

LOG_LIMIT = 10_000
"""Number of log entries that are kept; clients that missed more are told that the difference is too long."""

_LOG_SLACK = 1_000

Keep = Callable[[StoredMessage], bool]


@dataclass(slots=True)
class Thread:
    """One chat as its owner sees it.

    Attributes:
        ids: Message ids that are not deleted, ascending.
        read_inbox: Newest incoming id that the owner has read.
        read_outbox: Newest own id that the other side has read.
        unread: How many incoming messages come after `read_inbox`.
        notify: PeerNotifySettings; None if never set.
    """

    ids: list[int] = field(default_factory=list)
    read_inbox: int = 0
    read_outbox: int = 0
    unread: int = 0
    notify: TLObject | None = None


@dataclass(frozen=True, slots=True)
class Window:
    """The requested part of a history, in Telegram's terms.

    Attributes:
        limit: Maximum number of messages.
        offset_id: Only ids below it; 0 for the newest.
        offset_date: Only messages before it, seconds since the epoch; 0 for no limit.
        add_offset: Shifts the window by some messages; negative towards newer ones.
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
    """The messages, chats and log of one account.

    Its methods change only memory; the post office writes the changes to the journal.

    Args:
        owner_id: The account's user id.
        start: Ids and `pts` begin above it.

    Attributes:
        sent: Ids of the owner's messages by the client's `random_id`, deleted ones included.
        later_layer: Ids of messages with an object of a later TL layer, which clients can't read; lost at a restart.
    """

    def __init__(self, owner_id: int, start: int) -> None:
        self.owner_id = owner_id
        self.messages: dict[int, StoredMessage] = {}
        self.threads: dict[int, Thread] = {}
        self.log: list[LogEntry] = []
        self.sent: dict[int, int] = {}
        self.last_id = start
        self._start = start
        self.later_layer: set[int] = set()

    @property
    def pts(self) -> int:
        """The `pts` of a client that has all updates; starts at 1, because clients take 0 for *none*."""
        return self.log[-1].pts if self.log else self._start + 1

    def thread(self, peer_id: int) -> Thread:
        """Return the chat with `peer_id`; it is created if missing."""
        thread = self.threads.get(peer_id)
        if thread is None:
            thread = self.threads[peer_id] = Thread()
        return thread

    def sent_by(self, user_id: int) -> dict[int, int]:  # noqa: ARG002 - here the owner is the only one who sends
        """Return the ids of what a user has sent into this box, by the client's `random_id`."""
        return self.sent

    # -- messages -----------------------------------------------------------------------------------------------------

    def put(self, message: StoredMessage) -> None:
        """Add a message under its id; of a deleted one, only its id and `random_id` are kept as used."""
        message_id = message.message_id
        self.last_id = max(self.last_id, message_id)
        if message.random_id:
            self.sent_by(message.sender_id)[message.random_id] = message_id
        if message.deleted:
            return
        self.messages[message_id] = message
        thread = self.thread(message.peer_id)
        insort(thread.ids, message_id)
        if not message.outgoing and message_id > thread.read_inbox:
            thread.unread += 1

    def live(self, message_id: int) -> StoredMessage | None:
        """Return a message; None if it is unknown or deleted."""
        return self.messages.get(message_id)

    def delete(self, message: StoredMessage) -> None:
        """Remove a message; its id and `random_id` are never reused."""
        message.deleted = True
        del self.messages[message.message_id]
        thread = self.thread(message.peer_id)
        take_out(thread.ids, message.message_id)
        if not message.outgoing and message.message_id > thread.read_inbox:
            thread.unread -= 1

    def mark_read(self, peer_id: int, inbox: int, outbox: int) -> None:
        """Set a chat's read marks."""
        thread = self.thread(peer_id)
        thread.read_inbox, thread.read_outbox = inbox, outbox
        fresh = thread.ids[bisect_right(thread.ids, inbox) :]
        thread.unread = sum(not self.messages[message_id].outgoing for message_id in fresh)

    def unread(self, peer_id: int) -> int:
        """Count the unread incoming messages of a chat."""
        known = self.threads.get(peer_id)
        return known.unread if known else 0

    def between(self, peer_id: int, above: int, up_to: int) -> Iterator[StoredMessage]:
        """Iterate over a chat's messages with ids in (above, up_to], newest first."""
        ids = self.thread(peer_id).ids
        span = ids[bisect_right(ids, above) : bisect_right(ids, up_to)]
        return (self.messages[message_id] for message_id in reversed(span))

    # -- the log ------------------------------------------------------------------------------------------------------

    def note(self, kind: LogKind, peer_id: int, ids: tuple[int, ...], still_unread: int = 0) -> LogEntry:
        """Append an entry to the log and advance `pts`: by the number of messages for a deletion, else by 1."""
        count = len(ids) if kind is LogKind.DELETE else 1  # a delete takes one step of `pts` a message
        entry = LogEntry(self.pts + count, count, kind, peer_id, ids, still_unread)
        self.log.append(entry)
        return entry

    def since(self, pts: int) -> list[LogEntry] | None:
        """Return the log entries after `pts`, oldest first; None if the log does not reach back that far."""
        if self.log and pts < self.log[0].pts - self.log[0].pts_count:
            return None
        return self.log[bisect_right(self.log, pts, key=lambda entry: entry.pts) :]

    def trim_log(self, keep: int = LOG_LIMIT, slack: int = _LOG_SLACK) -> list[LogEntry]:
        """Remove all but the newest `keep` entries, if there are more than `keep` + `slack`.

        The newest entry always stays, because it holds the current `pts`.

        Returns:
            The removed entries.
        """
        if len(self.log) <= keep + slack:
            return []
        cut = len(self.log) - max(keep, 1)
        forgotten, self.log[:cut] = self.log[:cut], []
        return forgotten

    # -- looking back -------------------------------------------------------------------------------------------------

    def newest_first(self) -> list[tuple[int, StoredMessage]]:
        """Return (peer, newest message) of every chat that has one, most recent first."""
        tops = [(peer, self.messages[thread.ids[-1]]) for peer, thread in self.threads.items() if thread.ids]
        return sorted(tops, key=lambda top: (top[1].sent_at, top[1].message_id), reverse=True)

    def history(self, peer_id: int, window: Window, keep: Keep | None = None) -> tuple[list[StoredMessage], int]:
        """Return a slice of a chat, newest first, and how many messages it was cut from.

        That number counts all that `keep` accepts between `min_id` and `max_id`.

        Args:
            peer_id: The chat.
            window: The requested part.
            keep: Accepts a message; None accepts all.
        """
        ids = self._within(peer_id, window.min_id, window.max_id)
        if keep is not None:
            ids = [message_id for message_id in ids if keep(self.messages[message_id])]
        end = self._end(ids, window) - window.add_offset
        start = max(0, end - window.limit)
        part = ids[start : max(0, end)]
        return [self.messages[message_id] for message_id in reversed(part)], len(ids)

    def received(self) -> Iterator[StoredMessage]:
        """Iterate over what others wrote to the owner, oldest first."""
        return (message for message in self.messages.values() if not message.outgoing)

    def _within(self, peer_id: int, min_id: int, max_id: int) -> list[int]:
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


class ChannelBox(Box):
    """A supergroup's box; its only chat is the supergroup itself.

    Attributes:
        changed_at: Time of the last change, seconds since the epoch; not stored.
    """

    def __init__(self, owner_id: int, start: int, changed_at: int) -> None:
        super().__init__(owner_id, start)
        self.changed_at = changed_at
        self._sent_by: dict[int, dict[int, int]] = {}

    def sent_by(self, user_id: int) -> dict[int, int]:
        """Return the ids of what a member has sent, by the client's `random_id`; two members can use the same."""
        return self._sent_by.setdefault(user_id, {})

    @property
    def ids(self) -> list[int]:
        """Message ids that are not deleted, ascending."""
        return self.thread(self.owner_id).ids

    @property
    def top(self) -> StoredMessage | None:
        """The newest message, None if all are deleted."""
        return self.messages[self.ids[-1]] if self.ids else None

    def unread_by(self, user_id: int, read_up_to: int) -> int:
        """Count the messages of others above a read mark."""
        fresh = self.ids[bisect_right(self.ids, read_up_to) :]
        return sum(self.messages[message_id].sender_id != user_id for message_id in fresh)


def take_out(ids: list[int], message_id: int) -> bool:
    """Remove an id from an ascending list; return whether it was there."""
    place = bisect_left(ids, message_id)
    if place == len(ids) or ids[place] != message_id:
        return False
    del ids[place]
    return True
