"""One Telegram account over one connection (port `TelegramGateway`)."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import Awaitable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from telethon import errors

from chimein_gui.adapters.telegram.backend import TelegramBackend
from chimein_gui.adapters.telegram.client import AccountClient, input_self
from chimein_gui.adapters.telegram.failures import (
    CONNECT_FAILURES,
    connect_failure,
    is_logged_out,
    question_failure,
    send_failure,
)
from chimein_gui.adapters.telegram.peers import PeerBook, is_channel, user_name
from chimein_gui.adapters.telegram.questions import Questions
from chimein_gui.adapters.telegram.receipts import receipt_of
from chimein_gui.adapters.telegram.session import SessionFile
from chimein_gui.adapters.telegram.tl import TLObject, functions, types
from chimein_gui.adapters.telegram.updates import UpdateReader
from chimein_gui.domain.errors import GatewayError, LoggedOutError, NotConnectedError, SendRefusedError
from chimein_gui.domain.ids import AccountId, MessageId, PeerId
from chimein_gui.domain.messages import Message
from chimein_gui.engine.ports import AccountIdentity, DialogInfo, GatewayListener, SendRequest, SentReceipt

_log = logging.getLogger(__name__)

T = TypeVar("T")

CONNECT_TIMEOUT_S = 20.0
_MAX_DIALOGS = 200
_OFFLINE = "This account is not connected; nothing was sent."


class TelethonGateway:
    """One account's client, good for one connection."""

    def __init__(self, *, session_path: Path, backend: TelegramBackend) -> None:
        """Prepare; nothing is opened yet.

        Args:
            session_path: The account's session file, ending in ``.session``.
            backend: Real Telegram or sandbox.
        """
        self._session_path = session_path
        self._backend = backend
        self._client: AccountClient | None = None
        self._questions: Questions | None = None
        self._reader: UpdateReader | None = None
        self._closing: asyncio.Lock = asyncio.Lock()

    # --- the connection

    async def connect(self, listener: GatewayListener) -> AccountIdentity:
        """Connect within 20 s and begin to report, first what came while offline.

        Raises:
            LoggedOutError: The session is not authorised, or there is none.
            RateLimitedError: Telegram told us to wait.
            NotConnectedError: No way to the server.
        """
        if self._client is not None:
            raise RuntimeError("A gateway is good for one connection.")
        try:
            client = self._client = self._new_client()
            async with asyncio.timeout(CONNECT_TIMEOUT_S):
                await client.open()
                me = (await client.hand_over(input_self()))[0]
            _go_if_cancelled()
            return self._begin(client, me, listener)
        except CONNECT_FAILURES as error:
            await self.disconnect()
            raise connect_failure(error) from error
        except BaseException:
            await self.disconnect()
            raise

    def _new_client(self) -> AccountClient:
        if not self._session_path.exists():
            raise LoggedOutError("This account was never logged in here.")
        session = SessionFile(str(self._session_path))
        if not session.has_key:
            session.close()
            raise LoggedOutError("This account is not logged in; log in again.")
        backend = self._backend
        return backend.client(session, backend.api_id, backend.api_hash, connection=backend.connection)

    def _begin(self, client: AccountClient, me: TLObject, listener: GatewayListener) -> AccountIdentity:
        account_id = AccountId(me.id)
        peers = PeerBook(account_id)
        self._questions = Questions(client, account_id, peers)
        self._questions.learn([me], ())
        self._reader = UpdateReader(account_id, peers, listener)
        client.report_to(self)
        phone = f"+{me.phone}" if me.phone else ""
        return AccountIdentity(account_id, user_name(me), me.username or "", phone)

    async def take(self, updates: Sequence[Any], users: Sequence[Any], chats: Sequence[Any]) -> None:
        """Report updates (`UpdateSink`); cancelled while it looks up a name, it reports them without."""
        assert self._questions is not None
        assert self._reader is not None
        try:
            self._questions.learn(users, chats)
            unknown = self._reader.unknown_peers(updates)
            if unknown:
                await self._questions.identify(unknown)
        finally:
            for update in updates:
                self._reader.read(update)

    def jumped(self) -> None:
        """Report that updates were jumped over (`UpdateSink`)."""
        assert self._reader is not None
        self._reader.skipped()

    def is_up(self) -> bool:
        """Tell whether the transport is connected now."""
        return self._client is not None and self._client.is_up()

    async def wait_lost(self) -> None:
        """Return when the connection is gone, for whatever reason."""
        if self._client is not None:
            await self._client.wait_lost()

    async def disconnect(self) -> None:
        """Drop the connection, so that nothing queued leaves; calling it twice is harmless."""
        async with self._closing:
            client, self._client = self._client, None
            if client is None:
                return
            try:
                await client.close()
            except (OSError, TimeoutError, sqlite3.Error, errors.RPCError) as error:
                _log.warning("A connection did not close cleanly: %r", error)

    # --- questions

    async def dialogs(self) -> tuple[DialogInfo, ...]:
        """List the newest conversations, at most 200."""
        return await self._asking(self._up().dialogs(_MAX_DIALOGS))

    async def history(
        self,
        peer_id: PeerId,
        *,
        limit: int,
        above_id: MessageId = MessageId(0),
        below_id: MessageId = MessageId(0),
    ) -> tuple[Message, ...]:
        """Fetch up to `limit` newest messages with above_id < id < below_id (0 = open end), oldest first."""
        questions = self._up()
        peer = await self._address(questions, peer_id)
        return await self._asking(questions.history(peer, limit=limit, above_id=above_id, below_id=below_id))

    async def mark_read(self, peer_id: PeerId, up_to: MessageId) -> None:
        """Mark incoming messages as read; failures raise GatewayError."""
        questions = self._up()
        peer = await self._address(questions, peer_id)
        if is_channel(peer_id):
            request = functions.channels.ReadHistoryRequest(channel=_input_channel(peer), max_id=up_to)
        else:
            request = functions.messages.ReadHistoryRequest(peer=peer, max_id=up_to)
        await self._asking(questions.ask(request))

    async def show_typing(self, peer_id: PeerId) -> None:
        """Show "typing…" to the partner for about 5 s; failures raise GatewayError."""
        questions = self._up()
        peer = await self._address(questions, peer_id)
        action = types.SendMessageTypingAction()
        await self._asking(questions.ask(functions.messages.SetTypingRequest(peer=peer, action=action)))

    # --- sending

    async def send_text(self, request: SendRequest) -> SentReceipt:
        """Send one message.

        Raises:
            NotConnectedError: Nothing has left.
            RateLimitedError: Telegram told us to wait; nothing was sent.
            SendRefusedError: Telegram refused for good.
            OutcomeUnknownError: Handed over, and no clear answer.
            asyncio.CancelledError: After the hand-over the outcome is unknown: it may still be sent.
        """
        questions = self._up()
        message = _send_request(await self._address(questions, request.peer_id), request)
        client = self._client
        if client is None:
            raise NotConnectedError(_OFFLINE)
        try:
            reply = client.hand_over(message)
        except ConnectionError as error:
            raise NotConnectedError(_OFFLINE) from error
        try:
            answer = await reply
        except errors.RandomIdDuplicateError:
            return SentReceipt(None, None)
        except Exception as error:
            self._drop_if_logged_out(client, error)
            raise send_failure(error) from error
        return receipt_of(answer, request.random_id)

    def _drop_if_logged_out(self, client: AccountClient, error: Exception) -> None:
        """End a connection that is good for nothing, so that the next one asks to log in."""
        if is_logged_out(error):
            client.abort()

    # --- helpers

    def _up(self) -> Questions:
        if self._questions is None or not self.is_up():
            raise NotConnectedError(_OFFLINE)
        return self._questions

    async def _address(self, questions: Questions, peer_id: PeerId) -> TLObject:
        peer = await self._asking(questions.address(peer_id))
        if peer is None:
            raise SendRefusedError("This account has never met that chat, so it can't address it.", "PEER_ID_INVALID")
        return peer

    async def _asking(self, question: Awaitable[T]) -> T:
        client = self._client
        try:
            return await question
        except GatewayError:
            raise
        except Exception as error:
            if client is not None:
                self._drop_if_logged_out(client, error)
            raise question_failure(error) from error


def _go_if_cancelled() -> None:
    """Raise the cancellation that Telethon's connect has lost.

    WORKAROUND cpython#86296: up to 3.11 `asyncio.wait_for`, which Telethon connects with, swallows a cancellation that
    arrives together with the result; whoever cancelled would wait for ever.
    """
    task = asyncio.current_task()
    if task is not None and task.cancelling():
        raise asyncio.CancelledError


def _send_request(peer: TLObject, request: SendRequest) -> TLObject:
    reply_to = None if request.reply_to_id is None else types.InputReplyToMessage(request.reply_to_id)
    return functions.messages.SendMessageRequest(
        peer=peer,
        message=request.text,
        random_id=request.random_id,
        reply_to=reply_to,
        no_webpage=True,
        clear_draft=False,
    )


def _input_channel(peer: TLObject) -> TLObject:
    return types.InputChannel(peer.channel_id, peer.access_hash)
