"""Log-in by a QR code that another device of the account scans."""

from __future__ import annotations

import asyncio
import base64
import contextlib
from collections.abc import Callable
from datetime import datetime, timedelta

from chimein_gui.adapters.telegram.login.connection import LoginLine
from chimein_gui.adapters.telegram.login.failures import trouble
from chimein_gui.adapters.telegram.transport.auth_client import AuthClient
from chimein_gui.adapters.telegram.transport.tl import TLObject, functions, types
from chimein_gui.domain.accounts.sign_in import QrCode, SignedInAs, SignInTrouble

Now = Callable[[], datetime]
"""Returns the time, aware UTC."""


class QrLogin:
    """The QR codes of one attempt, of which only the last is valid.

    Args:
        news: Set when a QR code was scanned, and when the connection is lost.
    """

    def __init__(self, line: LoginLine, auth: AuthClient, news: asyncio.Event, now: Now) -> None:
        self._line = line
        self._auth = auth
        self._news = news
        self._now = now
        self._shown: QrCode | None = None
        self._ends = 0.0
        self._known: list[TLObject | None] = []

    async def show(self) -> QrCode:
        """Request a QR code. If the previous one was just scanned, return it again; `scanned` then returns at once.

        Raises:
            Exception: As `LoginLine.ask`.
        """
        self._news.clear()
        self._known.clear()
        if await self._auth.find_out() is None:
            answer = await self._export()
            if isinstance(answer, types.auth.LoginToken):
                return self._picture(answer)
            self._known.append(answer)
        self._ends = asyncio.get_running_loop().time() + 1.0
        self._news.set()
        return self._shown or QrCode("", self._now())

    async def scanned(self) -> SignedInAs | None:
        """Wait until the QR code was scanned and confirmed; None if the password is needed, too.

        Raises:
            SignInError: QR_EXPIRED.
            Exception: As `LoginLine.ask`.
        """
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout_at(self._ends):
                await self._news.wait()
        if not self._news.is_set():
            raise trouble(SignInTrouble.QR_EXPIRED)
        if self._auth.me is not None:
            return self._auth.me
        if not self._line.is_up():
            raise ConnectionResetError("the connection was lost")
        return await self._finish()

    async def _finish(self) -> SignedInAs | None:
        """Complete the log-in with an accepted token, perhaps at another data centre."""
        answer = self._known.pop() if self._known else await self._export()
        if isinstance(answer, types.auth.LoginTokenMigrateTo):
            await self._line.move(answer.dc_id)
            answer = await self._auth.enter(functions.auth.ImportLoginTokenRequest(answer.token))
        if isinstance(answer, types.auth.LoginToken):  # it was not accepted after all, and this one nobody sees
            raise trouble(SignInTrouble.QR_EXPIRED)
        return None if answer is None else self._auth.entered(answer)

    async def _export(self) -> TLObject | None:
        """Request a token, or the result of the last one; None if it was accepted and the password is needed."""
        request = functions.auth.ExportLoginTokenRequest(*self._line.application, [])
        if self._shown is None:
            return await self._line.ask(request)  # nobody can have accepted anything yet
        return await self._auth.enter(request)

    def _picture(self, token: TLObject) -> QrCode:
        """Return the QR code of a token, with its end by this machine's clock."""
        ends: datetime = token.expires + timedelta(seconds=self._line.clock_ahead_s())
        self._ends = asyncio.get_running_loop().time() + (ends - self._now()).total_seconds()
        written = base64.urlsafe_b64encode(token.token).decode().rstrip("=")
        self._shown = QrCode(f"tg://login?token={written}", ends)
        return self._shown
