"""One attempt at logging an account in, step by step (port `SignInClient`)."""

from __future__ import annotations

import asyncio
import logging

from telethon import errors
from telethon.password import compute_check

from chimein_gui.adapters.telegram.backend import TelegramBackend
from chimein_gui.adapters.telegram.failures import code_of
from chimein_gui.adapters.telegram.login.connection import LoginLine
from chimein_gui.adapters.telegram.login.failures import RESTART, refusal, trouble, with_reason
from chimein_gui.adapters.telegram.login.qr_login import Now, QrLogin
from chimein_gui.adapters.telegram.login.sent_codes import sent_code_of
from chimein_gui.adapters.telegram.login.session_file import LoginFile
from chimein_gui.adapters.telegram.transport.auth_client import AuthClient
from chimein_gui.adapters.telegram.transport.modpow import with_our_power
from chimein_gui.adapters.telegram.transport.tl import TLObject, functions, types
from chimein_gui.domain.accounts.proxies import Proxy
from chimein_gui.domain.accounts.sign_in import CodeWay, QrCode, SentCode, SignedInAs, SignInTrouble
from chimein_gui.domain.notes.sign_ins import SignInReason

_log = logging.getLogger(__name__)


class TelethonSignIn:
    """One attempt (`SignInClient`); the port documents what each step raises.

    A connection that is lost in the middle is reopened by the next step, with the same key.
    """

    def __init__(self, file: LoginFile, backend: TelegramBackend, now: Now, proxy: Proxy | None = None) -> None:
        """Create the attempt; nothing is opened yet.

        Args:
            file: The session file of this attempt.
            backend: Real Telegram or sandbox.
            now: The clock, for the end of QR codes.
            proxy: The account's proxy.
        """
        news = asyncio.Event()
        self._file = file
        self._line = LoginLine(file, backend, proxy, news.set)
        self._auth = AuthClient(self._line)
        self._qr = QrLogin(self._line, self._auth, news, now)
        self._phone = ""
        self._code_hash = ""
        self._way = CodeWay.OTHER
        self._is_over = False

    async def connect(self) -> None:
        """Connect within 20 s; retried once if the failure may be temporary."""
        await with_reason(self._line.open())

    async def send_code(self, phone: str) -> SentCode:
        self._phone, self._code_hash = phone, ""
        request = functions.auth.SendCodeRequest(phone, *self._line.application, types.CodeSettings())
        return await with_reason(self._sent_at_last(request))

    async def resend_code(self) -> SentCode:
        if not self._code_hash:
            raise trouble(SignInTrouble.EXPIRED_CODE)
        return await with_reason(self._sent(functions.auth.ResendCodeRequest(self._phone, self._code_hash)))

    async def enter_code(self, code: str) -> SignedInAs | None:
        """Log in with the code; returns None if the password is needed, too."""
        if not self._code_hash:
            raise trouble(SignInTrouble.EXPIRED_CODE)
        if not code:
            raise trouble(SignInTrouble.WRONG_CODE)
        by_mail = types.EmailVerificationCode(code) if self._way is CodeWay.EMAIL else None
        entry = None if by_mail else code
        request = functions.auth.SignInRequest(self._phone, self._code_hash, entry, email_verification=by_mail)
        return await with_reason(self._enter(request))

    async def qr_code(self) -> QrCode:
        """Request a QR code; one that was just scanned stays, and `wait_scanned` returns at once."""
        return await with_reason(self._qr.show())

    async def wait_scanned(self) -> SignedInAs | None:
        """Wait until the QR code was scanned and confirmed; returns None if the password is needed, too."""
        return await with_reason(self._qr.scanned())

    async def password_hint(self) -> str:
        asked = await with_reason(self._line.ask(functions.account.GetPasswordRequest()))
        return asked.hint or ""

    async def enter_password(self, password: str) -> SignedInAs:
        """Log in with the password; its key is derived in a thread (0.1 s)."""
        if not password:
            raise trouble(SignInTrouble.WRONG_PASSWORD)
        return await with_reason(self._prove(password))

    async def keep(self) -> None:
        """Replace the agent's own session by this one, once logged in."""
        if self._auth.me is None:
            raise refusal(SignInReason.NOBODY_YET)
        await self._line.hang_up()
        keeping = asyncio.get_running_loop().run_in_executor(None, self._file.keep)
        try:
            await asyncio.wait([keeping])
        finally:
            # After a cancellation the replacement is finished: a session in place must not be logged out again.
            while not keeping.done():
                await asyncio.wait([keeping])
            self._is_over = keeping.exception() is None
        if not self._is_over:
            _log.warning("A session could not be kept: %s", type(keeping.exception()).__name__)
            raise trouble(SignInTrouble.DISK)

    async def close(self) -> None:
        """End the attempt and undo it; never raises."""
        if self._is_over:
            return
        self._is_over = True
        try:
            await self._auth.say_goodbye()
        finally:
            try:
                await self._line.hang_up()
            finally:
                self._drop()

    async def _sent_at_last(self, request: TLObject) -> SentCode:
        """Request a code; repeat once if Telegram asks to restart, because the log-in has not begun."""
        try:
            return await self._sent(request)
        except errors.RPCError as error:
            if code_of(error) != RESTART:
                raise
        return await self._sent(request)

    async def _sent(self, request: TLObject) -> SentCode:
        answer = await self._line.ask(request)
        sent = sent_code_of(answer)
        self._code_hash, self._way = answer.phone_code_hash, sent.way
        return sent

    async def _enter(self, request: TLObject) -> SignedInAs | None:
        known = await self._auth.find_out()
        if known is not None:
            return known
        answer = await self._auth.enter(request)
        return None if answer is None else self._auth.entered(answer)

    async def _prove(self, password: str) -> SignedInAs:
        """Prove the password; Telegram's question is valid for one answer, so it is requested again for each."""
        try:
            return await self._prove_once(password)
        except errors.SrpIdInvalidError:
            return await self._prove_once(password)

    async def _prove_once(self, password: str) -> SignedInAs:
        known = await self._auth.find_out()
        if known is not None:
            return known
        asked = await self._line.ask(functions.account.GetPasswordRequest())
        if not asked.has_password:
            raise refusal(SignInReason.NO_PASSWORD_NOW)
        proof = await asyncio.to_thread(with_our_power(compute_check), asked, password)
        answer = await self._auth.enter(functions.auth.CheckPasswordRequest(proof))
        if answer is None:
            raise trouble(SignInTrouble.WRONG_PASSWORD)
        return self._auth.entered(answer)

    def _drop(self) -> None:
        try:
            self._file.drop()
        except OSError as error:
            _log.warning("What a log-in left can't be removed now: %s", type(error).__name__)
