"""One account's connection: opened, supervised and closed, with the sending of queries and changes."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
import struct
from collections.abc import Awaitable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from telethon import errors

from chimein_gui.adapters.telegram.backend import TelegramBackend
from chimein_gui.adapters.telegram.failures import (
    CONNECT_FAILURES,
    action_failure,
    connect_failure,
    is_logged_out,
    nothing_happened,
    question_failure,
)
from chimein_gui.adapters.telegram.mapping.peers import PeerBook, user_name, usernames_of
from chimein_gui.adapters.telegram.mapping.updates import UpdateReader
from chimein_gui.adapters.telegram.questions import Questions
from chimein_gui.adapters.telegram.stickers import StickerCache
from chimein_gui.adapters.telegram.transport.client import AccountClient, input_self
from chimein_gui.adapters.telegram.transport.futures import go_if_cancelled
from chimein_gui.adapters.telegram.transport.session import SessionFile
from chimein_gui.adapters.telegram.transport.tl import TLObject
from chimein_gui.domain.accounts.group_moves import NO_GROUPS, GroupMoves, KnownGroups
from chimein_gui.domain.accounts.proxies import Proxy
from chimein_gui.domain.errors import (
    GatewayError,
    LoggedOutError,
    MediaUnavailableError,
    NotConnectedError,
    SendRefusedError,
)
from chimein_gui.domain.failpoints import Failpoint, Reach, pass_by
from chimein_gui.domain.ids import AccountId, MessageId, PeerId
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.connections import ConnectionReason
from chimein_gui.engine.ports import AccountIdentity, GatewayListener

_log = logging.getLogger(__name__)

T = TypeVar("T")

CONNECT_TIMEOUT_S = 20.0


class AccountConnection:
    """Client of one account for one connection, with its queries and changes.

    Attributes:
        client: The client; None before `connect` and after `disconnect`.
        moves: Which groups became which supergroups.
        stickers: The stickers that the account has met.
    """

    def __init__(
        self, *, session_path: Path, backend: TelegramBackend, reach: Reach = pass_by, proxy: Proxy | None = None
    ) -> None:
        """Create the connection; nothing is opened yet. `TelethonGateway` documents the arguments."""
        self._proxy = proxy
        self._session_path = session_path
        self._backend = backend
        self._reach = reach
        self.client: AccountClient | None = None
        self._questions: Questions | None = None
        self._reader: UpdateReader | None = None
        self.moves = GroupMoves(AccountId(0))
        self.stickers = StickerCache()
        self._closing: asyncio.Lock = asyncio.Lock()

    # --- the connection

    async def connect(self, listener: GatewayListener, groups: KnownGroups = NO_GROUPS) -> AccountIdentity:
        """Connect within 20 s and start reporting, first what came while offline.

        Args:
            listener: Receives the reports.
            groups: What is known of supergroups.

        Raises:
            LoggedOutError: The session is not authorised, or there is none (RevokedError, BannedError).
            RateLimitedError: Telegram told us to wait.
            ProxyError: The account's proxy does not work.
            NotConnectedError: The server can't be reached.
        """
        if self.client is not None:
            raise RuntimeError("A gateway is good for one connection.")
        try:
            client = self.client = self._new_client()
            async with asyncio.timeout(CONNECT_TIMEOUT_S):
                await client.open()
                me = (await client.submit(input_self()))[0]
            go_if_cancelled()
            return self._begin(client, me, listener, groups)
        except CONNECT_FAILURES as error:
            await self.disconnect()
            raise connect_failure(error) from error
        except BaseException:
            await self.disconnect()
            raise

    def _new_client(self) -> AccountClient:
        try:
            is_there = self._session_path.exists()
        except OSError as error:
            raise NotConnectedError(Note(ConnectionReason.SESSION_UNUSABLE, str(error.strerror))) from error
        if not is_there:
            raise LoggedOutError(Note(ConnectionReason.NO_SESSION))
        session = SessionFile(str(self._session_path))
        if not session.has_key:
            session.close()
            raise LoggedOutError(Note(ConnectionReason.NO_SESSION))
        return self._backend.new_client(session, self._proxy)

    def _begin(
        self, client: AccountClient, me: TLObject, listener: GatewayListener, groups: KnownGroups
    ) -> AccountIdentity:
        account_id = AccountId(me.id)
        moves = self.moves = GroupMoves(account_id, groups)
        peers = PeerBook(account_id, moves, listener.group_moved)
        self._questions = Questions(client, account_id, peers)
        self._questions.learn([me], ())
        self._reader = UpdateReader(account_id, peers, listener)
        self.stickers = self._backend.stickers.of(account_id)
        client.report_to(self)
        phone = f"+{me.phone}" if me.phone else ""
        return AccountIdentity(account_id, user_name(me), usernames_of(me), phone)

    async def take(self, updates: Sequence[Any], users: Sequence[Any], chats: Sequence[Any]) -> None:
        """Report updates (`UpdateSink`); if cancelled while looking up a name, report them without it.

        Updates of a supergroup that may have been a known group are left out: stored in the wrong chat they could never
        be moved. The next connect finds them.
        """
        assert self._questions is not None
        assert self._reader is not None
        try:
            self._questions.learn(users, chats)
            unknown = self._reader.unknown_peers(updates)
            if unknown:
                await self._questions.identify(unknown)
            supergroups = self._reader.new_supergroups(updates)
            if supergroups:
                await self._questions.where_from(supergroups)
        finally:
            unclear = self._reader.new_supergroups(updates)
            for update in updates:
                if self._reader.supergroup_of(update) not in unclear:
                    self._reader.read(update)
            if unclear and self.client is not None:
                self.client.jump()

    def jumped(self) -> None:
        """Report that updates were skipped (`UpdateSink`)."""
        assert self._reader is not None
        self._reader.skipped()

    def tell_block(self, peer_id: PeerId, *, is_blocked: bool) -> None:
        """Report a block of ours, which Telegram reports only to other devices."""
        if self._reader is not None:
            self._reader.blocked(peer_id, is_blocked=is_blocked)

    def left_out(self, ids: tuple[MessageId, ...]) -> None:
        """Report messages that this client can't read (`UpdateSink`)."""
        if self._reader is not None:
            self._reader.left_out(ids)

    def is_up(self) -> bool:
        return self.client is not None and self.client.is_up()

    def clock_ahead_s(self) -> float:
        """Return how far this machine's clock is ahead of Telegram's, as far as known."""
        return 0.0 if self.client is None else self.client.clock_ahead_s()

    async def wait_lost(self) -> None:
        """Wait until the connection is lost, for any reason but one.

        Raises:
            LoggedOutError: The session is no longer valid (RevokedError, BannedError).
        """
        client = self.client
        if client is None:
            return
        await client.wait_lost()
        why = client.why_lost()
        if why is not None and is_logged_out(why):
            raise connect_failure(why)

    async def is_frozen(self) -> bool:
        return await self.answer("is_frozen", self.questions().is_frozen())

    async def disconnect(self) -> None:
        async with self._closing:
            client, self.client = self.client, None
            if client is None:
                return
            try:
                await client.close()
            except (OSError, TimeoutError, sqlite3.Error, errors.RPCError) as error:
                _log.warning("A connection did not close cleanly: %r", error)

    # --- requests

    def questions(self, action: str = "") -> Questions:
        """Return the queries; if offline, the error for `action` says what was not done."""
        if self._questions is None or not self.is_up():
            raise _offline(action)
        return self._questions

    async def answer(self, method: str, question: Awaitable[T]) -> T:
        """Await a query and translate its failure; a rate limit applies to `method`."""
        client = self.client
        try:
            return await question
        except (GatewayError, MediaUnavailableError):
            raise
        except Exception as error:
            self._drop_if_logged_out(client, error)
            raise question_failure(error, method) from error

    async def address_now(self, method: str, questions: Questions, peer_id: PeerId) -> TLObject:
        """Return the InputPeer in which a chat continues; for a moved group, the supergroup."""
        return await self.address(method, questions, self.moves.peer_of(peer_id))

    async def address(self, method: str, questions: Questions, peer_id: PeerId) -> TLObject:
        """Return the InputPeer of one of Telegram's peers."""
        peer = questions.known_address(peer_id)
        if peer is None:
            peer = await self.answer(method, questions.address(peer_id))
        if peer is None:
            raise SendRefusedError("This account doesn't know that chat, so it can't write there.", "CHAT_NEVER_MET")
        return peer

    async def execute(self, method: str, request: TLObject) -> TLObject | None:
        """Hand over a request that changes something, and wait for its answer.

        Returns:
            The answer; None if Telegram says that this random_id was delivered before.

        Raises:
            GatewayError: As documented in the port for changes.
        """
        client, questions = self.client, self._questions
        if client is None or questions is None:
            raise _offline(method)
        is_repeated = False
        while True:
            reply = self._submit(method, client, request)
            try:
                return await reply
            except errors.RandomIdDuplicateError:
                return None
            except Exception as error:
                is_refused = isinstance(error, errors.RPCError) and not is_repeated
                if is_refused and await questions.readdressed(request, error):
                    is_repeated = True  # a refusal means that nothing was done
                    continue
                self._drop_if_logged_out(client, error)
                raise action_failure(error, method) from error

    def _submit(self, method: str, client: AccountClient, request: TLObject) -> asyncio.Future[Any]:
        self._reach(Failpoint.BEFORE_WRITE)
        try:
            return client.submit(request, written=self._written)
        except ConnectionError as error:
            raise _offline(method) from error
        except (ValueError, struct.error) as error:
            raise SendRefusedError(str(error), "NOT_ENCODABLE") from error

    def _written(self) -> None:
        self._reach(Failpoint.AFTER_WRITE)

    def _drop_if_logged_out(self, client: AccountClient | None, error: Exception) -> None:
        """Close a connection whose session is no longer valid, so that the next connect asks for a log-in."""
        if client is not None and is_logged_out(error):
            client.end_because(error)


def _offline(method: str) -> NotConnectedError:
    """Return the error for an account that is offline; with a method, it says what was not done."""
    return NotConnectedError(Note(ConnectionReason.NOT_CONNECTED, cause=nothing_happened(method) if method else None))
