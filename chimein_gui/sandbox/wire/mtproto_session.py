"""An MTProto session: the received messages of a client, and the sent messages that it has not confirmed.

It belongs to a key and the session id that the client chose, and outlives a connection, as on live Telegram: a message
that is sent again over the next connection is not executed twice but gets its answer again.
"""

import os
from collections import Counter
from collections.abc import Iterable

from chimein_gui.sandbox.timekeeping import MessageIds, wall_clock
from chimein_gui.sandbox.wire.tl import TLObject, functions, types

_REMEMBERED = 1_100
"""Number of the client's messages that are remembered; more than fit into one container."""

_MOST_UNCONFIRMED = 64
_MOST_UNCONFIRMED_BYTES = 256 * 1024
_CLOSED_KEPT = 32
_CLOSED_KEPT_OF_A_KEY = 2
_OLDEST_S = 300
_NEWEST_S = 30

TOO_OLD, TOO_NEW, NOT_DIVISIBLE, CONTAINER_REPEATED, FORGOTTEN, INVALID_CONTAINER = 16, 17, 18, 19, 20, 64
"""Reasons of bad_msg_notification."""


Sent = tuple[int, int, bytes]
"""Message id, sequence number and body of a message of the server."""


def timing_fault(message_id: int) -> int:
    """Check the time in a client's message id; returns a reason of bad_msg_notification, or 0 if it is valid."""
    if message_id & 3:
        return NOT_DIVISIBLE
    age_s = wall_clock() - (message_id >> 32)
    if age_s > _OLDEST_S:
        return TOO_OLD
    return TOO_NEW if age_s < -_NEWEST_S else 0


class MtprotoSession:
    """The state of one session.

    Attributes:
        ids: Generates the server's message ids.
        connections: The number of connections that use it now.
        failed: Ids of calls that ended with an error, for the calls that depend on them.
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
        """Tell whether a message was received before."""
        return message_id in self._answers

    def is_forgotten(self, message_id: int) -> bool:
        """Tell whether a message may have been received before but is no longer remembered."""
        return message_id <= self._newest_forgotten

    def receive(self, message_id: int) -> None:
        """Remember the id of a message."""
        self._answers[message_id] = 0
        if len(self._answers) > _REMEMBERED:
            oldest = next(iter(self._answers))
            del self._answers[oldest]
            self._newest_forgotten = max(self._newest_forgotten, oldest)
            self.failed.discard(oldest)

    def answer_to(self, message_id: int) -> Sent | None:
        """Return the answer to a message if the client has not confirmed it yet."""
        return self._unconfirmed.get(self._answers.get(message_id, 0))

    # -- ours ---------------------------------------------------------------------------------------------------------

    def content_sequence(self) -> int:
        """Return the sequence number of the next message that needs acknowledgement."""
        self._content_count += 1
        return self._content_count * 2 - 1

    def service_sequence(self) -> int:
        """Return the sequence number of the next message that needs no acknowledgement."""
        return self._content_count * 2

    def keep(self, sent: Sent, answers: int = 0) -> None:
        """Keep a message until the client confirms it, within limits; `answers` is the id of the request or 0."""
        if answers in self._answers:
            self._answers[answers] = sent[0]
        self._unconfirmed[sent[0]] = sent
        self._unconfirmed_bytes += len(sent[2])
        while len(self._unconfirmed) > _MOST_UNCONFIRMED or self._unconfirmed_bytes > _MOST_UNCONFIRMED_BYTES:
            self.confirm((next(iter(self._unconfirmed)),))

    def confirm(self, message_ids: Iterable[int]) -> None:
        """Drop messages that the client has received."""
        for message_id in message_ids:
            sent = self._unconfirmed.pop(message_id, None)
            if sent is not None:
                self._unconfirmed_bytes -= len(sent[2])


class MtprotoSessions:
    """All sessions of a server; the last few without a connection are kept for a client that reconnects.

    Some clients begin a new session with each connection, so only the last two of a key are kept.
    """

    def __init__(self) -> None:
        self._open: dict[tuple[int, int], MtprotoSession] = {}

    def enter(self, key_id: int, session_id: int) -> tuple[MtprotoSession, bool]:
        """Add a connection to a session; also tells whether the session is new."""
        name = (key_id, session_id)
        known = self._open.pop(name, None)
        session = known or MtprotoSession()
        self._open[name] = session
        session.connections += 1
        return session, known is None

    def leave(self, session: MtprotoSession) -> None:
        """Remove a connection; of the sessions without connections the oldest beyond the limits are dropped."""
        session.connections -= 1
        closed = [name for name, one in self._open.items() if not one.connections]
        kept: Counter[int] = Counter()
        for name in reversed(closed):
            kept[name[0]] += 1
            if kept[name[0]] > _CLOSED_KEPT_OF_A_KEY or kept.total() > _CLOSED_KEPT:
                del self._open[name]


def fresh_session_name() -> int:
    """Return a random id for a new session (new_session_created)."""
    return int.from_bytes(os.urandom(8), "little", signed=True)


_IGNORED = (types.HttpWait, types.MsgsAllInfo, types.MsgsStateInfo)
"""The client's HTTP waits have no use over TCP, and the sandbox never asks for states of messages."""


def is_service(request: TLObject) -> bool:
    """Tell service messages from calls."""
    return isinstance(request, (functions.PingRequest, types.MsgsAck, *_IGNORED))


def answer_service(session: MtprotoSession, message_id: int, request: TLObject) -> bytes | None:
    """Process a service message; returns the serialised answer, or None if there is none."""
    if isinstance(request, functions.PingRequest):
        return bytes(types.Pong(message_id, request.ping_id))
    if isinstance(request, types.MsgsAck):
        session.confirm(request.msg_ids)
    return None
