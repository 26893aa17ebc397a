"""An MTProto session: which messages of a client have come, and which of ours it has not confirmed.

It belongs to a key and the session id that the client chose, and outlives a connection, as on live Telegram: a message
that is sent again over the next connection is not executed twice but gets its answer again.
"""

import os
from collections import Counter
from collections.abc import Iterable

from chimein_gui.sandbox.timekeeping import MessageIds, wall_clock

_REMEMBERED = 1_100
"""Client's messages, more than a container holds, so that none is forgotten while its container is read."""

_MOST_UNCONFIRMED = 64
_MOST_UNCONFIRMED_BYTES = 256 * 1024
_CLOSED_KEPT = 32
_CLOSED_KEPT_OF_A_KEY = 2
_OLDEST_S = 300
_NEWEST_S = 30

TOO_OLD, TOO_NEW, NOT_DIVISIBLE, CONTAINER_REPEATED, FORGOTTEN, INVALID_CONTAINER = 16, 17, 18, 19, 20, 64
"""Reasons of bad_msg_notification."""


Sent = tuple[int, int, bytes]
"""Message id, sequence number and body of one of our messages."""


def timing_fault(message_id: int) -> int:
    """Return why a client's message id can't be: one of the reasons, 0 if it can."""
    if message_id & 3:
        return NOT_DIVISIBLE
    age_s = wall_clock() - (message_id >> 32)
    if age_s > _OLDEST_S:
        return TOO_OLD
    return TOO_NEW if age_s < -_NEWEST_S else 0


class MtprotoSession:
    """The state of one session.

    Attributes:
        ids: Makes our message ids.
        connections: How many connections use it now.
        failed: Client's calls that ended with an error, for those that were to come after them.
    """

    def __init__(self) -> None:
        self.ids = MessageIds()
        self.connections = 0
        self.failed: set[int] = set()
        self._content_count = 0
        self._answers: dict[int, int] = {}
        self._newest_forgotten = 0
        self._unconfirmed: dict[int, Sent] = {}
        self._unconfirmed_bytes = 0

    # -- the client's messages ----------------------------------------------------------------------------------------

    def is_known(self, message_id: int) -> bool:
        """Tell whether a message has come before."""
        return message_id in self._answers

    def is_forgotten(self, message_id: int) -> bool:
        """Tell whether a message may have come before, so long ago that nobody knows any more."""
        return message_id <= self._newest_forgotten

    def receive(self, message_id: int) -> None:
        """Remember a message."""
        self._answers[message_id] = 0
        if len(self._answers) > _REMEMBERED:
            oldest = next(iter(self._answers))
            del self._answers[oldest]
            self._newest_forgotten = max(self._newest_forgotten, oldest)
            self.failed.discard(oldest)

    def answer_to(self, message_id: int) -> Sent | None:
        """Return our answer to a message if the client has not confirmed it yet."""
        return self._unconfirmed.get(self._answers.get(message_id, 0))

    # -- ours ---------------------------------------------------------------------------------------------------------

    def content_sequence(self) -> int:
        """Return the number of our next message that wants a confirmation."""
        self._content_count += 1
        return self._content_count * 2 - 1

    def service_sequence(self) -> int:
        """Return the number of our next message that wants none."""
        return self._content_count * 2

    def keep(self, sent: Sent, answers: int = 0) -> None:
        """Keep a message until the client confirms it, within limits; it may answer one of the client's."""
        if answers in self._answers:
            self._answers[answers] = sent[0]
        self._unconfirmed[sent[0]] = sent
        self._unconfirmed_bytes += len(sent[2])
        while len(self._unconfirmed) > _MOST_UNCONFIRMED or self._unconfirmed_bytes > _MOST_UNCONFIRMED_BYTES:
            self.confirm((next(iter(self._unconfirmed)),))

    def confirm(self, message_ids: Iterable[int]) -> None:
        """Let go of messages that the client has."""
        for message_id in message_ids:
            sent = self._unconfirmed.pop(message_id, None)
            if sent is not None:
                self._unconfirmed_bytes -= len(sent[2])


class MtprotoSessions:
    """All sessions of a server; the last few whose connections are gone are kept for a client that comes back.

    A client that connects anew begins a session each time, so of one key only the very last are worth their memory.
    """

    def __init__(self) -> None:
        self._open: dict[tuple[int, int], MtprotoSession] = {}

    def enter(self, key_id: int, session_id: int) -> tuple[MtprotoSession, bool]:
        """Let a connection join a session; also tells whether the session is new."""
        name = (key_id, session_id)
        known = self._open.pop(name, None)
        session = known or MtprotoSession()
        self._open[name] = session
        session.connections += 1
        return session, known is None

    def leave(self, session: MtprotoSession) -> None:
        """Let a connection go; beyond the last few, sessions without one are forgotten, the oldest first."""
        session.connections -= 1
        closed = [name for name, one in self._open.items() if not one.connections]
        kept: Counter[int] = Counter()
        for name in reversed(closed):
            kept[name[0]] += 1
            if kept[name[0]] > _CLOSED_KEPT_OF_A_KEY or kept.total() > _CLOSED_KEPT:
                del self._open[name]


def fresh_session_name() -> int:
    """Return a number that names a new session for the client (new_session_created)."""
    return int.from_bytes(os.urandom(8), "little", signed=True)
