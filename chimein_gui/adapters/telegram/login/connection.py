"""The connection of one log-in attempt: opened within a time limit, moved between data centres, reopened when lost."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sqlite3
from collections.abc import Callable, Sequence
from typing import Any

from telethon import errors

from chimein_gui.adapters.telegram.backend import TelegramBackend
from chimein_gui.adapters.telegram.login.failures import trouble
from chimein_gui.adapters.telegram.login.session_file import LoginFile
from chimein_gui.adapters.telegram.transport.client import AccountClient
from chimein_gui.adapters.telegram.transport.futures import go_if_cancelled
from chimein_gui.adapters.telegram.transport.session import SessionFile
from chimein_gui.adapters.telegram.transport.tl import TLObject, types
from chimein_gui.domain.accounts.proxies import Proxy
from chimein_gui.domain.accounts.sign_in import SignInTrouble
from chimein_gui.domain.ids import MessageId

_log = logging.getLogger(__name__)

_EXCHANGE_S = 20.0
"""Seconds for connecting and exchanging a key; Telethon waits for ever."""
_ANSWER_S = 30.0
_MOST_MOVES = 3
_MIGRATIONS = (errors.PhoneMigrateError, errors.NetworkMigrateError, errors.UserMigrateError)
_WORTH_A_RETRY = (OSError, EOFError, BufferError, errors.SecurityError, errors.InvalidChecksumError)
"""A key that is too short (DhGenRetry) raises ConnectionError here, as does a server that hangs up."""


class LoginLine:
    """One attempt's connection, over its own session file.

    Args:
        file: The session file.
        backend: Real Telegram or sandbox.
        proxy: The account's proxy.
        news: Called when the QR code was scanned, and when the connection is lost.
    """

    def __init__(
        self, file: LoginFile, backend: TelegramBackend, proxy: Proxy | None, news: Callable[[], None]
    ) -> None:
        self._file = file
        self._backend = backend
        self._proxy = proxy
        self._news = news
        self._client: AccountClient | None = None

    @property
    def application(self) -> tuple[int, str]:
        """Return API id and hash."""
        return self._backend.api_id, self._backend.api_hash

    def is_up(self) -> bool:
        """Return whether it is connected now."""
        return self._client is not None and self._client.is_up()

    def clock_ahead_s(self) -> float:
        """Return how many seconds this machine's clock is ahead of Telegram's, as far as known."""
        return 0.0 if self._client is None else self._client.clock_ahead_s()

    async def open(self) -> None:
        """Connect if necessary; a failure that may be temporary is retried once.

        Raises:
            Exception: OSError, TimeoutError, sqlite3.Error, ProxyError, or Telethon's errors.
        """
        if self.is_up():
            return
        try:
            await self._open_once()
        except _WORTH_A_RETRY as error:
            _log.info("Connecting for a log-in failed (%s); once more", type(error).__name__)
            await self._open_once()

    async def ask(self, request: TLObject) -> TLObject:
        """Send a request and return its answer; follows Telegram to another data centre.

        Raises:
            Exception: As `open`, and Telethon's errors.
        """
        for _ in range(_MOST_MOVES):
            await self.open()
            assert self._client is not None
            try:
                async with asyncio.timeout(_ANSWER_S):
                    return await self._client.submit(request)
            except TimeoutError:
                await self.hang_up()  # else it might leave later
                raise
            except _MIGRATIONS as error:
                dc_id = error.new_dc
            await self.move(dc_id)
        raise ConnectionError("sent on from one data centre to the next")

    async def move(self, dc_id: int) -> None:
        """Continue at another data centre.

        Raises:
            Exception: As `open`.
        """
        await self.open()
        assert self._client is not None
        try:
            async with asyncio.timeout(_EXCHANGE_S):
                await self._client.move_to(dc_id)
            go_if_cancelled()
            self._listen(self._client)
        except _WORTH_A_RETRY as error:
            _log.info("Moving to data centre %d failed (%s); once more", dc_id, type(error).__name__)
            await self._open_once()  # the session file says where to

    async def hang_up(self) -> None:
        """Close connection and session file; raises nothing but a cancellation."""
        client, self._client = self._client, None
        if client is None:
            return
        try:
            await client.close()
        except Exception as error:  # noqa: BLE001 - it is closed, one way or the other
            _log.info("The connection of a log-in did not close cleanly: %s", type(error).__name__)

    async def _open_once(self) -> None:
        await self.hang_up()
        client = self._client = self._backend.new_client(self._session(), self._proxy)
        try:
            async with asyncio.timeout(_EXCHANGE_S):
                await client.open()
            go_if_cancelled()
        except BaseException:
            await self.hang_up()
            raise
        self._listen(client)

    def _session(self) -> SessionFile:
        session = None
        with contextlib.suppress(OSError, sqlite3.Error):
            session = self._file.open()
        if session is None:
            raise trouble(SignInTrouble.NO_PLACE)
        home = self._backend.home
        try:
            if home is not None and not session.server_address:
                session.set_dc(*home)
        except BaseException:
            session.close()
            raise
        return session

    def _listen(self, client: AccountClient) -> None:
        client.report_to(_Scans(self._news))
        client.when_lost(self._news)


class _Scans:
    """Receives the updates of a connection that is not logged in; only one kind matters."""

    def __init__(self, news: Callable[[], None]) -> None:
        self._news = news

    async def take(self, updates: Sequence[Any], users: Sequence[Any], chats: Sequence[Any]) -> None:  # noqa: ARG002 - as any sink
        """Report that the QR code was scanned."""
        if any(isinstance(update, types.UpdateLoginToken) for update in updates):
            self._news()

    def left_out(self, ids: tuple[MessageId, ...]) -> None:
        """Do nothing: messages are not read here."""

    def jumped(self) -> None:
        """Do nothing: no update that matters can be missed."""
