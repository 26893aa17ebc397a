"""The operations of a log-in's steps, and its end. Each result is a change of the attempt's state."""

from __future__ import annotations

import logging
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from chimein_gui.domain.accounts.sign_in import LoginStep, LoginWork, SignInTrouble
from chimein_gui.domain.agents import NEEDS_LOG_IN
from chimein_gui.domain.errors import ConfigError, SignInError, note_of
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.sign_ins import SignInReason
from chimein_gui.engine.login.messages import note_of_trouble

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from chimein_gui.domain.accounts.sign_in import QrCode, SentCode, SignedInAs
    from chimein_gui.domain.agents import Agent
    from chimein_gui.engine.login.attempt import LoginAttempt
    from chimein_gui.engine.ports import SignInClient, SignIns

_log = logging.getLogger(__name__)

COUNT_S = 8.0
"""Seconds to wait for the account to catch up, so that its chats can be counted."""


class LoginEnd:
    """Keeps the session of a logged-in account that may belong to this agent."""

    def __init__(self, attempt: LoginAttempt) -> None:
        self._attempt, self._room = attempt, attempt.room

    async def finish(self, who: SignedInAs) -> None:
        """Keep the session and start the account; or log it out if another agent has it.

        Raises:
            SignInError: DISK: it could not be kept; a retry may succeed.
        """
        attempt = self._attempt
        attempt.signed_in = who
        owner = self._other_owner(who)
        if owner:
            self._refuse(owner)
            return
        attempt.show(busy=LoginWork.SAVING_SESSION)
        attempt.is_settling = True
        self._room.taken[attempt.agent.agent_id] = who.account_id
        try:
            said = await self._keep(who)
        finally:
            attempt.is_settling = False
        attempt.show(step=LoginStep.DONE, busy=None, qr=None, signed_in=who, phone=who.phone, note=said)
        attempt.go_on_with(self._count(who))

    def _other_owner(self, who: SignedInAs) -> str:
        """Return the name of the other agent that has this account, or an empty string.

        An agent that is logged out does not count: the account moves to this agent, with its chats.
        """
        mine, taken = self._attempt.agent.agent_id, self._room.taken
        for agent in self._room.accounts.directory.agents():
            its_own = agent.account_id == who.account_id and agent.health not in NEEDS_LOG_IN
            if agent.agent_id != mine and (its_own or taken.get(agent.agent_id) == who.account_id):
                return agent.spec.name
        return ""

    def _refuse(self, owner: str) -> None:
        attempt = self._attempt
        attempt.drop_client()
        attempt.show(
            step=LoginStep.PHONE if attempt.typed else LoginStep.QR,
            busy=None,
            qr=None,
            trouble=SignInTrouble.OTHER_ACCOUNT_HERE,
            note=Note(SignInReason.OTHER_AGENTS, owner),
        )

    async def _keep(self, who: SignedInAs) -> Note | None:
        """Put the session in its place and start the account; returns what else has changed."""
        attempt = self._attempt
        client = await attempt.connected()
        await attempt.rest_account()
        await attempt.asked(client.keep)
        attempt.kept, attempt.signed_in, attempt.client = True, None, None
        await attempt.rest_account()  # the account may have been started meanwhile, with the previous session
        said = await self._say_changes(who)
        self._room.accounts.take_new_session(attempt.agent.agent_id)
        self._room.accounts.start(attempt.agent.agent_id)
        return said

    async def _say_changes(self, who: SignedInAs) -> Note | None:
        agent, about_file = self._attempt.agent, None
        number = who.phone or self._attempt.typed
        if number and number != agent.spec.phone:
            typed = self._attempt.typed
            about_file = await self._change_file(number) if typed else Note(SignInReason.OTHER_NUMBER)
        is_other = agent.account_id not in {None, who.account_id}
        return Note(SignInReason.NEW_CHATS, cause=about_file) if is_other else about_file

    async def _change_file(self, number: str) -> Note:
        files, source = self._room.files, self._attempt.state.source
        if files is None:
            return Note(SignInReason.NUMBER_KEPT)
        try:
            await files.set_phone(self._attempt.agent.spec.source, number)
        except ConfigError as error:
            return Note(SignInReason.NUMBER_NOT_CHANGED, source, cause=note_of(error))
        return Note(SignInReason.NUMBER_CHANGED, source)

    async def _count(self, who: SignedInAs) -> None:
        """Show the number of chats once the account has caught up, if that takes less than `COUNT_S`."""
        attempt = self._attempt
        try:
            async with self._room.clock.timeout(COUNT_S):
                await attempt.online.wait()
        except TimeoutError:
            return
        rows = (await self._room.queries.chats()).rows
        mine = [chat for chat in rows if chat.info.account_id == who.account_id]
        counted = replace(who, chats=len(mine), unread=sum(chat.unread for chat in mine))
        attempt.show(signed_in=counted, note=attempt.state.note)


async def end_orphans(sign_ins: SignIns, agents: Iterable[Agent]) -> None:
    """Log out what log-ins left that a crash interrupted after the code or password, one agent after the other."""
    for agent in agents:
        try:
            await sign_ins.end_orphans(agent)
        except SignInError as error:
            _log.warning("What a cut-off log-in of %s left can't be removed: %s", agent.spec.name, error.trouble)


SHOWN_FOR = timedelta(minutes=5)
"""How long QR codes are renewed automatically."""

BEFORE_END = timedelta(seconds=2)
"""A QR code is renewed this long before it expires."""

SHORTEST = timedelta(seconds=5)
"""A QR code is shown at least this long, even if the clocks differ."""


class LoginSteps:
    """The operations of one attempt; each raises SignInError if it fails."""

    def __init__(self, attempt: LoginAttempt) -> None:
        self._attempt, self._clock = attempt, attempt.room.clock
        self._end = LoginEnd(attempt)

    async def show_pictures(self) -> None:
        """Show QR codes, each until shortly before it expires, until one is scanned or five minutes have passed."""
        attempt = self._attempt
        until = self._clock.now() + SHOWN_FOR
        client = await attempt.connected()
        while self._clock.now() < until:
            picture = await attempt.asked_twice(client.qr_code)
            attempt.show(busy=None, qr=picture)
            was_scanned, who = await self._scanned(client, picture, until)
            if was_scanned:
                attempt.show(busy=LoginWork.LOGGING_IN, qr=None)
                await self._go_on(client, who)
                return
        error = SignInError("", SignInTrouble.QR_EXPIRED)
        attempt.show(busy=None, qr=None, trouble=error.trouble, note=note_of_trouble(error, LoginStep.QR))

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
        """Request a new code, because an expired one can't be sent again."""
        await self.send_code(self._attempt.state.phone)

    async def enter_code(self, code: str) -> None:
        """Log in with a code."""
        client = await self._attempt.connected()
        await self._go_on(client, await self._attempt.asked(lambda: client.enter_code(code)))

    async def enter_password(self, password: str) -> None:
        """Log in with the password, after code or QR code."""
        client = await self._attempt.connected()
        await self._end.finish(await self._attempt.asked(lambda: client.enter_password(password)))

    async def keep_again(self) -> None:
        """Retry to keep the session of a logged-in account."""
        who = self._attempt.signed_in
        if who is not None:
            await self._end.finish(who)

    def _show_code(self, code: SentCode) -> None:
        resend_at = self._clock.now() + timedelta(seconds=code.resend_after_s)
        self._attempt.show(
            step=LoginStep.CODE, busy=None, code=code, resend_at=resend_at, code_was_sent=True, hint="", qr=None
        )

    async def _go_on(self, client: SignInClient, who: SignedInAs | None) -> None:
        if who is not None:
            await self._end.finish(who)
            return
        hint = await self._hint(client)
        self._attempt.show(step=LoginStep.PASSWORD, busy=None, qr=None, hint=hint)

    async def _hint(self, client: SignInClient) -> str:
        try:
            return await self._attempt.asked_twice(client.password_hint)
        except SignInError:
            return ""  # the hint is optional

    async def _scanned(self, client: SignInClient, picture: QrCode, until: datetime) -> tuple[bool, SignedInAs | None]:
        """Wait for a scan; returns (False, None) when the QR code must be renewed."""
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
