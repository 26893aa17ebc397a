"""The typed façade over Telethon's client: the only place that uses its private parts.

Differences from a plain TelegramClient, and the reasons (docs/library-facts.md, "Telethon"):

* Nothing is retried, queued again or delayed by sleeping: only the engine decides what is sent.
* Requests are handed to the sender directly, so that the moment of the hand-over is known and every reply ends when
  the connection ends; Telethon itself leaves what is still queued waiting for ever.
* Everything in a difference is reported, and waiting for one is limited.
* Updates go to one sink, in order and in the same step in which Telethon marks them as seen; its event tasks could be
  cancelled in between, and the message would be lost.
"""

from __future__ import annotations

import asyncio
import functools
import logging
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any, ClassVar, Protocol

from telethon import TelegramClient
from telethon.errors import AuthKeyNotFound, SecurityError, TypeNotFoundError
from telethon.network.mtprotoplainsender import MTProtoPlainSender

from chimein_gui.adapters.telegram.transport.futures import consume, pass_on, to_the_end
from chimein_gui.adapters.telegram.transport.key_exchange import SandboxTrust, exchange
from chimein_gui.adapters.telegram.transport.log_filter import EXPECTED_RECORDS_FILTER, ExpectedRecordsFilter
from chimein_gui.adapters.telegram.transport.message_box import CompleteMessageBox
from chimein_gui.adapters.telegram.transport.session import SessionFile
from chimein_gui.adapters.telegram.transport.tcp import Prompt
from chimein_gui.adapters.telegram.transport.tl import TLObject, functions, types
from chimein_gui.adapters.telegram.transport.unreadable import let_be_read_around, telling_of_unread
from chimein_gui.adapters.telegram.transport.update_queue import ASYNCIO_NEEDS_NO_TASK, UpdateQueue
from chimein_gui.domain.accounts.proxies import Proxy
from chimein_gui.domain.ids import MessageId

_log = logging.getLogger(__name__)

_CONNECT_TIMEOUT_S = 10
_DISCONNECT_TIMEOUT_S = 10.0
_ANSWER_TIMEOUT_S = 30.0
"""Telethon waits for ever, and processes no updates meanwhile."""

_OPTIONS: dict[str, Any] = {
    "auto_reconnect": False,
    "catch_up": True,
    "connection_retries": 0,  # Telethon makes one attempt more than it calls retries
    "flood_sleep_threshold": 0,
    "raise_last_call_error": True,
    "request_retries": 1,  # concerns connecting only: one repeat, so that a moved account is followed
    "retry_delay": 0,
    "sequential_updates": False,
    "timeout": _CONNECT_TIMEOUT_S,
}


class UpdateSink(Protocol):
    """Receives updates, in order."""

    async def take(self, updates: Sequence[Any], users: Sequence[Any], chats: Sequence[Any]) -> None:
        """Report `updates`; if it is cancelled while it waits, it still reports them before it ends."""
        ...

    def jumped(self) -> None:
        """Called when Telegram skipped updates; the connection ends."""
        ...

    def left_out(self, ids: tuple[MessageId, ...]) -> None:
        """Called with messages that this client can't read; without ids, with another unreadable update."""
        ...


class AccountClient(TelegramClient):  # type: ignore[misc]  # Telethon is untyped
    """Client of one account for one connection."""

    def __init__(
        self,
        session: SessionFile,
        api_id: int,
        api_hash: str,
        *,
        connection: type[Prompt],
        proxy: Proxy | None = None,
    ) -> None:
        super().__init__(session, api_id, api_hash, connection=connection, proxy=proxy, **_OPTIONS)
        session.lend()
        for name in ExpectedRecordsFilter.LOGGERS:
            logging.getLogger(name).addFilter(EXPECTED_RECORDS_FILTER)
        self._message_box = CompleteMessageBox(self._log["messagebox"], self.jump)
        if sys.version_info < ASYNCIO_NEEDS_NO_TASK:
            self._updates_queue = self._sender._updates_queue = UpdateQueue()  # noqa: SLF001 - Telethon hands over its own
        self._sender._keepalive_ping = self._ping  # noqa: SLF001 - see there
        self._sender._try_gen_auth_key = self._exchange_key  # noqa: SLF001 - no public place for it
        state = self._sender._state  # noqa: SLF001 - the only place where pushes are read
        state.decrypt_message_data = telling_of_unread(state.decrypt_message_data, self._updates_queue.put_nowait)
        self._is_deaf = False
        self._replies: set[asyncio.Future[Any]] = set()
        self._unwritten: dict[asyncio.Future[Any], Callable[[], None]] = {}
        self._sink: UpdateSink | None = None
        self._sink_set = asyncio.Event()
        self._lost: asyncio.Future[None] | None = None
        self._ended_by: BaseException | None = None

    # --- the connection

    async def open(self) -> None:
        """Connect and start collecting updates; they wait until `report_to`."""
        await self.connect()
        self._watch()

    async def move_to(self, dc_id: int) -> None:
        """Continue at another data centre with a new key, as Telegram directs a log-in. No request may be running."""
        await self._switch_dc(dc_id)
        self._watch()

    def _watch(self) -> None:
        connection: Prompt | None = self._sender._connection  # noqa: SLF001 - Telethon makes it
        if connection is not None:  # it may be lost already
            connection.leaving = self._leaving
        self._lost = self.disconnected
        self._lost.add_done_callback(self._fail_replies)

    def is_up(self) -> bool:
        """Tell whether the transport is connected now; `is_connected` stays True while it is down."""
        return bool(self._sender._transport_connected())  # noqa: SLF001 - the public light stays on

    def clock_ahead_s(self) -> float:
        """Return how many seconds this machine's clock is ahead of Telegram's; Telethon notices only more than 30 s."""
        return float(-self._sender._state.time_offset)  # noqa: SLF001 - told nowhere else

    async def wait_lost(self) -> None:
        """Wait until the connection is lost, for any reason."""
        if self._lost is not None:
            await asyncio.wait({self._lost})

    def when_lost(self, tell: Callable[[], None]) -> None:
        """Call a function once this connection is lost."""
        if self._lost is not None:
            self._lost.add_done_callback(lambda _lost: tell())

    def end_because(self, why: BaseException) -> None:
        """Close the connection because Telegram has answered that its session is no longer valid."""
        self._ended_by = why
        self.abort()

    def why_lost(self) -> BaseException | None:
        """Return why the connection ended, by Telegram's answer or an error; None if unknown."""
        if self._ended_by is not None or self._updates_error is not None:
            return self._ended_by or self._updates_error
        lost = self._lost
        return lost.exception() if lost is not None and lost.done() and not lost.cancelled() else None

    def abort(self) -> None:
        """Abort the connection; `wait_lost` returns soon after."""
        connection: Prompt | None = self._sender._connection  # noqa: SLF001 - Telethon can only flush
        if connection is not None:
            connection.abort()

    async def close(self) -> None:
        """Close the connection and the session file."""
        try:
            async with asyncio.timeout(_DISCONNECT_TIMEOUT_S):
                await self.disconnect()
        finally:
            self._fail_replies()
            consume(self._sender._disconnected)  # noqa: SLF001 - where its reason was kept
            await to_the_end(self.session.release)

    async def _exchange_key(self, attempt: int) -> bool:
        """Do the same as Telethon's sender, computing in a thread; subclasses decide which server is trusted."""
        sender = self._sender
        plain = MTProtoPlainSender(sender._connection, loggers=self._log)  # noqa: SLF001 - as the sender does
        try:
            key, offset_s = await self._exchanged(plain)
        except (SecurityError, AssertionError) as error:
            _log.info("Attempt %d at exchanging a key failed: %s", attempt, error)
            return False
        sender.auth_key.key, sender._state.time_offset = key.key, offset_s  # noqa: SLF001 - as the sender does
        await self._auth_key_callback(sender.auth_key)
        return True

    async def _exchanged(self, plain: MTProtoPlainSender) -> tuple[TLObject, int]:
        """Exchange a key; returns it and the seconds by which the server's clock is ahead."""
        raise NotImplementedError

    def _ping(self, number: int) -> None:
        """Do the same as Telethon's sender when it is time for a ping.

        WORKAROUND Telethon: it reads the pong, but never a ping's failure, which asyncio then reports as an error.
        """
        sender = self._sender
        if sender._ping is None:  # noqa: SLF001 - as the sender does
            sender._ping = number  # noqa: SLF001
            sender.send(functions.PingRequest(number)).add_done_callback(consume)
        else:
            sender._start_reconnect(None)  # noqa: SLF001 - the last ping is unanswered still

    # --- requests

    def submit(self, request: TLObject, *, written: Callable[[], None] | None = None) -> asyncio.Future[Any]:
        """Give a request to the sender: from now on it may be sent.

        Args:
            request: The query or change.
            written: Called once its bytes were written to the socket.

        Returns:
            The reply. It raises Telethon's RPCError, or another error (ConnectionError …) without an answer.

        Raises:
            ConnectionError: Nothing was submitted.
            ValueError, struct.error: It can't be serialised; nothing was submitted.
        """
        if not self.is_up():
            raise ConnectionError("not connected")
        let_be_read_around(request, self.tell_left_out)
        answer: asyncio.Future[Any] = self._sender.send(request)
        if written is not None:
            self._unwritten[answer] = written
        reply: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._replies.add(reply)
        answer.add_done_callback(functools.partial(pass_on, self._replies, reply))
        return reply

    def _leaving(self) -> list[Callable[[], None]]:
        """Return the callbacks for the packet about to be written, whose requests have just become pending."""
        if not self._unwritten:
            return []
        pending = {state.future for state in self._sender._pending_state.values()}  # noqa: SLF001 - told nowhere else
        leaving = [answer for answer in self._unwritten if answer in pending]
        return [self._unwritten.pop(answer) for answer in leaving]

    def _fail_replies(self, _lost: object = None) -> None:
        if isinstance(_lost, asyncio.Future):
            consume(_lost)
        self._unwritten.clear()
        for reply in tuple(self._replies):
            if not reply.done():
                reply.set_exception(ConnectionResetError("the connection was lost"))

    # --- updates

    def report_to(self, sink: UpdateSink) -> None:
        """Start reporting updates, the missed ones first."""
        self._sink = sink
        self._sink_set.set()

    def remember(self, users: Iterable[Any], chats: Iterable[Any]) -> None:
        """Store access hashes for the next start."""
        self.session.process_entities(types.contacts.ResolvedPeer(None, list(users), list(chats)))

    async def _update_loop(self) -> None:
        await self._sink_set.wait()
        await super()._update_loop()

    async def __call__(self, request: TLObject, *args: Any, **options: Any) -> Any:  # noqa: ANN401 - as Telethon's
        """Send Telethon's own requests, mostly for differences; no answer counts as a lost connection."""
        let_be_read_around(request, self.tell_left_out)
        try:
            async with asyncio.timeout(_ANSWER_TIMEOUT_S):
                return await super().__call__(request, *args, **options)
        except TypeNotFoundError as error:
            return await _jump_over(self, request, error)
        except TimeoutError:
            _log.info("No answer to a %s: the connection is dropped", type(request).__name__)
            self.abort()
            raise
        except AuthKeyNotFound as error:
            if self._sink is None:
                raise  # while connecting: whoever connects wants to know
            # Telethon's update loop takes it for a bug of its own; a lost connection it knows.
            self.end_because(error)
            raise ConnectionResetError("the key is not known any more") from error

    def tell_left_out(self, ids: tuple[MessageId, ...]) -> None:
        """Report messages that can't be read; without ids, another unreadable update."""
        _log.warning("Messages of a later version of Telegram were left out (%s)", ids or "something else")
        if self._sink is not None:
            self._sink.left_out(ids)

    def jump(self) -> None:
        """Reconnect after skipped updates: comparing the chats after the connect finds what was missed.

        Nothing is reported until then, because a newer message would hide the gap below it.
        """
        _log.info("What happened was not told step by step: connecting again")
        self._is_deaf = True
        if self._sink is not None:
            self._sink.jumped()
        self.abort()

    async def _preprocess_updates(self, updates: list[Any], users: TLObject, chats: TLObject) -> list[Any]:
        self._mb_entity_cache.extend(users, chats)
        updates = [one for one in updates if not isinstance(getattr(one, "message", None), types.MessageEmpty)]
        if updates and self._sink is not None and not self._is_deaf:
            await self._sink.take(updates, users, chats)
        return []


class LiveClient(AccountClient):
    """Talks to the real Telegram."""

    async def _exchanged(self, plain: MTProtoPlainSender) -> tuple[TLObject, int]:
        return await exchange(plain)


class SandboxClient(AccountClient):
    """Talks to the sandbox; without `trust`, only with sessions that have a key already."""

    trust: ClassVar[SandboxTrust | None] = None

    async def _exchanged(self, plain: MTProtoPlainSender) -> tuple[TLObject, int]:
        if self.trust is None:
            raise SecurityError("this client trusts no server")
        return await self.trust.exchange(plain)


def input_self() -> TLObject:
    """Return the request for the account's own user."""
    return functions.users.GetUsersRequest([types.InputUserSelf()])


async def _jump_over(client: AccountClient, request: TLObject, error: TypeNotFoundError) -> TLObject:
    """Answer an unreadable difference with the current state, as if too much had been missed.

    Otherwise every connect would get the same again, and the account would never be online.

    Raises:
        TypeNotFoundError: The request was no difference.
    """
    if isinstance(request, functions.updates.GetDifferenceRequest):
        client.tell_left_out(())
        state = await client(functions.updates.GetStateRequest())
        return types.updates.DifferenceTooLong(state.pts)
    if isinstance(request, functions.updates.GetChannelDifferenceRequest):
        client.tell_left_out(())
        full = await client(functions.channels.GetFullChannelRequest(request.channel))
        client.jump()
        return types.updates.ChannelDifferenceEmpty(full.full_chat.pts, final=True)
    raise error
