"""What is done at each step of a log-in; every outcome is a change of the attempt's state."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from chimein_gui.domain.accounts.sign_in import LoginStep, SignInTrouble
from chimein_gui.domain.errors import SignInError
from chimein_gui.engine.login.end import LoginEnd
from chimein_gui.engine.login.messages import words_of

if TYPE_CHECKING:
    from datetime import datetime

    from chimein_gui.domain.accounts.sign_in import QrCode, SentCode, SignedInAs
    from chimein_gui.engine.login.attempt import LoginAttempt
    from chimein_gui.engine.ports import SignInClient

SHOWN_FOR = timedelta(minutes=5)
"""How long pictures are renewed without the operator's doing."""

BEFORE_END = timedelta(seconds=2)
"""A picture is renewed so long before it is worth nothing."""

SHORTEST = timedelta(seconds=5)
"""A picture stays at least so long, whatever our clock thinks of Telegram's."""


class LoginSteps:
    """The steps of one attempt; each raises SignInError where it does not work."""

    def __init__(self, attempt: LoginAttempt) -> None:
        """Work on an attempt."""
        self._attempt, self._clock = attempt, attempt.room.clock
        self._end = LoginEnd(attempt)

    async def show_pictures(self) -> None:
        """Fetch a picture, and another before it ends, until one is scanned or five minutes are over."""
        attempt = self._attempt
        until = self._clock.now() + SHOWN_FOR
        client = await attempt.connected()
        while self._clock.now() < until:
            picture = await attempt.asked_twice(client.qr_code)
            attempt.show(busy="", qr=picture)
            was_scanned, who = await self._scanned(client, picture, until)
            if was_scanned:
                attempt.show(busy="Logging in…", qr=None)
                await self._go_on(client, who)
                return
        error = SignInError("", SignInTrouble.QR_EXPIRED)
        attempt.show(busy="", qr=None, trouble=error.trouble, words=words_of(error, LoginStep.QR))

    async def send_code(self, phone: str) -> None:
        """Let Telegram send a code to a number."""
        client = await self._attempt.connected()
        self._show_code(await self._attempt.asked(lambda: client.send_code(phone)))
        self._attempt.typed = phone

    async def resend_code(self) -> None:
        """Let Telegram send the code by its next way, or a new one."""
        attempt = self._attempt
        client, code = await attempt.connected(), attempt.state.code
        if code is None or code.next_way is None:
            await self.send_code(attempt.state.phone)
        else:
            self._show_code(await attempt.asked(client.resend_code))

    async def resend_expired(self) -> None:
        """A code that is no longer valid is not sent again: a new one is asked for."""
        await self.send_code(self._attempt.state.phone)

    async def enter_code(self, code: str) -> None:
        """Log in with a code."""
        client = await self._attempt.connected()
        await self._go_on(client, await self._attempt.asked(lambda: client.enter_code(code)))

    async def enter_password(self, password: str) -> None:
        """Log in with the password, after code or picture."""
        client = await self._attempt.connected()
        await self._end.finish(await self._attempt.asked(lambda: client.enter_password(password)))

    async def keep_again(self) -> None:
        """The account is logged in, and the session could not be saved before."""
        who = self._attempt.signed_in
        if who is not None:
            await self._end.finish(who)

    def _show_code(self, code: SentCode) -> None:
        resend_at = self._clock.now() + timedelta(seconds=code.resend_after_s)
        self._attempt.show(
            step=LoginStep.CODE, busy="", code=code, resend_at=resend_at, code_was_sent=True, hint="", qr=None
        )

    async def _go_on(self, client: SignInClient, who: SignedInAs | None) -> None:
        if who is not None:
            await self._end.finish(who)
            return
        hint = await self._hint(client)
        self._attempt.show(step=LoginStep.PASSWORD, busy="", qr=None, hint=hint)

    async def _hint(self, client: SignInClient) -> str:
        try:
            return await self._attempt.asked_twice(client.password_hint)
        except SignInError:
            return ""  # it only helps: the password can be typed without it

    async def _scanned(self, client: SignInClient, picture: QrCode, until: datetime) -> tuple[bool, SignedInAs | None]:
        """Wait for a scan; (False, None) if it is time for another picture."""
        now = self._clock.now()
        end = min(max(picture.expires_at - BEFORE_END, now + SHORTEST), until)
        try:
            async with self._clock.timeout((end - now).total_seconds()):
                return True, await client.wait_scanned()
        except TimeoutError:
            return False, None
        except SignInError as error:
            if error.trouble is not SignInTrouble.QR_EXPIRED:
                raise
            await self._clock.sleep_until(now + SHORTEST)
            return False, None
