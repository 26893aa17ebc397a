"""Creates log-in attempts and logs accounts out (port `SignIns`)."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import Callable
from pathlib import Path

from chimein_gui.adapters.telegram.backend import BackendNow, TelegramBackend
from chimein_gui.adapters.telegram.failures import is_logged_out
from chimein_gui.adapters.telegram.login.failures import trouble
from chimein_gui.adapters.telegram.login.qr_login import Now
from chimein_gui.adapters.telegram.login.session_file import LoginFile, orphans_of, remove_session, sweep
from chimein_gui.adapters.telegram.login.sign_in import TelethonSignIn
from chimein_gui.adapters.telegram.transport.client import AccountClient
from chimein_gui.adapters.telegram.transport.session import SessionFile
from chimein_gui.adapters.telegram.transport.tl import functions
from chimein_gui.domain.accounts.proxies import Proxy
from chimein_gui.domain.accounts.sign_in import SignInTrouble
from chimein_gui.domain.agents import Agent
from chimein_gui.domain.errors import LoggedOutError, ProxyError, SignInError
from chimein_gui.domain.ids import AgentId
from chimein_gui.domain.notes import Note

_log = logging.getLogger(__name__)

_GOODBYE_S = 20.0


class TelethonSignIns:
    """Attempts and log-outs (`SignIns`)."""

    def __init__(
        self,
        backend: BackendNow,
        *,
        state: Path,
        session_of: Callable[[str], Path],
        proxy_of: Callable[[AgentId], Proxy | None],
        now: Now,
    ) -> None:
        """Create the service.

        Args:
            backend: Returns the backend for each attempt, because API id and hash may be entered at run time.
            state: The directory with one directory for each agent.
            session_of: Returns the path of the session for an agent's name.
            proxy_of: Returns an agent's proxy.
            now: The clock.
        """
        self._backend = backend
        self._state = state
        self._session_of = session_of
        self._proxy_of = proxy_of
        self._now = now

    def begin(self, agent: Agent) -> TelethonSignIn:
        """Create an attempt; nothing is opened yet."""
        backend = self._backend()
        if backend is None:
            raise SignInError(Note(SignInTrouble.BAD_APPLICATION), SignInTrouble.BAD_APPLICATION)
        try:
            proxy = self._proxy_of(agent.agent_id)
        except ProxyError as error:  # it has one, and nobody knows which: nothing goes past it
            failure = SignInError(error.note or str(error), SignInTrouble.PROXY)
        else:
            return TelethonSignIn(LoginFile(self._session_of(agent.spec.name)), backend, self._now, proxy)
        raise failure

    def has_application(self) -> bool:
        return self._backend() is not None

    async def log_out(self, agent: Agent) -> bool:
        """Log an agent's account out, at Telegram and here.

        Returns:
            True if Telegram was notified, or nothing had to be.

        Raises:
            SignInError: DISK: the session file can't be deleted.
        """
        path, backend = self._session_of(agent.spec.name), self._backend()
        knows = not path.exists()
        try:
            if not knows and backend is not None:
                knows = await _take_leave(path, backend, self._proxy_of(agent.agent_id))
        except ProxyError as error:
            _log.info("Telegram could not be told of a log-out: %s", error)
        finally:
            _remove(path)
        return knows

    def sweep(self) -> None:
        """Delete files of interrupted attempts."""
        sweep(self._state)

    async def end_orphans(self, agent: Agent) -> None:
        """Log out sessions left by interrupted attempts of an agent, or later if Telegram can't be reached."""
        backend = self._backend()
        orphans = await asyncio.to_thread(orphans_of, self._session_of(agent.spec.name))
        if not orphans or backend is None:
            return
        try:
            proxy = self._proxy_of(agent.agent_id)
        except ProxyError as error:
            _log.info("What a cut-off log-in left at Telegram stays for now: %s", error)
            return
        for path in orphans:
            if await _take_leave(path, backend, proxy):
                _remove(path)
                _log.info("A session that a cut-off log-in left was ended at Telegram")


async def _take_leave(path: Path, backend: TelegramBackend, proxy: Proxy | None) -> bool:
    """Log a session out at Telegram; returns whether Telegram was notified.

    If the connection was lost, Telegram may have executed it: a repeated request finds out.
    """
    knows = await _tell_of_end(path, backend, proxy)
    if knows is None:
        knows = await _tell_of_end(path, backend, proxy)
    return bool(knows)


async def _tell_of_end(path: Path, backend: TelegramBackend, proxy: Proxy | None) -> bool | None:
    """Log out once; None if the connection was lost before the answer."""
    try:
        session = SessionFile(str(path))
    except (OSError, sqlite3.Error):
        return False
    if not session.has_key:
        session.close()
        return True
    try:
        if backend.home is not None and (session.dc_id, session.server_address, session.port) != backend.home:
            session.set_dc(*backend.home)  # a sandbox is at another port after every start
        client, is_open = backend.new_client(session, proxy), False
    except sqlite3.Error:
        session.close()
        return False
    except LoggedOutError:
        return True  # Telegram has never heard of it
    try:
        async with asyncio.timeout(_GOODBYE_S):
            await client.open()
            is_open = True
            await client.submit(functions.auth.LogOutRequest())
    except Exception as error:  # noqa: BLE001 - whatever it is, the session goes
        if not is_logged_out(error):
            _log.info("Telegram could not be told of a log-out: %s", type(error).__name__)
            return None if is_open and isinstance(error, ConnectionError) else False
    finally:
        await _hang_up(client)
    return True


async def _hang_up(client: AccountClient) -> None:
    try:
        await client.close()
    except Exception as error:  # noqa: BLE001 - it is closed, one way or the other
        _log.info("The connection of a log-out did not close cleanly: %s", type(error).__name__)


def _remove(path: Path) -> None:
    try:
        remove_session(path)
    except OSError:
        failure = trouble(SignInTrouble.DISK)
    else:
        return
    raise failure
