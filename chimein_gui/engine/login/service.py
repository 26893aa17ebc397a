"""Logging accounts in and out: the dialog shows states and calls methods (docs/behaviour.md, "Logging in").

Every result is a `LoginChanged` with the agent's new state. There is one attempt per agent. Until it succeeds, the
agent's previous session is untouched; a cancelled or interrupted attempt leaves nothing behind.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from typing import TYPE_CHECKING

from chimein_gui.domain.accounts.sign_in import LoginState, LoginStep, LoginWork, SignInTrouble
from chimein_gui.domain.agents import CONNECTED, NEEDS_LOG_IN
from chimein_gui.domain.errors import NotFoundError, Refusal, RefusedError, SecretError, SignInError, note_of
from chimein_gui.domain.events import AgentChanged, AgentRemoved, LoginChanged
from chimein_gui.domain.ids import Revision
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.sign_ins import SignInReason
from chimein_gui.engine.login.attempt import REQUEST_S, LoginAttempt, LoginServices
from chimein_gui.engine.login.messages import (
    LOGGED_OUT,
    LOGGED_OUT_UNTOLD,
    SESSION_LEFT,
    application_of,
    clean_code,
    clean_phone,
)
from chimein_gui.engine.login.steps import LoginSteps

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from datetime import datetime

    from chimein_gui.domain.agents import Agent
    from chimein_gui.domain.events import EngineEvent
    from chimein_gui.domain.ids import AgentId
    from chimein_gui.engine.accounts.accounts import Accounts
    from chimein_gui.engine.accounts.drain import AccountDrain
    from chimein_gui.engine.core.event_bus import EventBus
    from chimein_gui.engine.library.queries import Queries
    from chimein_gui.engine.ports import SignIns
    from chimein_gui.engine.settings.setup import Setup


class Logins:
    """The running log-ins. A method for an agent without one does nothing."""

    def __init__(self, setup: Setup, bus: EventBus, accounts: Accounts, queries: Queries, sends: AccountDrain) -> None:
        """Without `Setup.sign_ins` no account can be logged in."""
        self._drain = sends
        self._bus, self._accounts, self._clock, self._spawn = bus, accounts, setup.clock, setup.jobs.spawn
        self._sign_ins = setup.sign_ins
        self._hide = setup.secrets.hide
        self._keep_application = setup.keep_application or setup.secrets.keep_application
        self._room = (
            LoginServices(
                setup.sign_ins, setup.clock, setup.jobs.spawn, accounts, queries, setup.agent_files, self._publish
            )
            if setup.sign_ins is not None
            else None
        )
        self._attempts: dict[AgentId, LoginAttempt] = {}
        self._turns: defaultdict[AgentId, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._asked_until: dict[str, tuple[datetime, datetime]] = {}
        self._revision = 0
        bus.subscribe(self._hear, AgentChanged, AgentRemoved)

    @property
    def available(self) -> bool:
        """Return whether accounts can be logged in at all."""
        return self._room is not None

    def states(self) -> tuple[LoginState, ...]:
        """Return the states of the running log-ins."""
        return tuple(attempt.state for attempt in self._attempts.values())

    def sweep(self) -> None:
        """Remove what interrupted attempts of an earlier run left; call it before anything connects."""
        if self._sign_ins is not None:
            self._sign_ins.sweep()

    async def begin(self, agent_id: AgentId) -> None:
        """Open an agent's log-in, or show the running one again.

        Raises:
            NotFoundError: There is no such agent.
            RefusedError: This run can't log accounts in.
        """
        if self._room is None or self._sign_ins is None:
            raise RefusedError("This Chimein cannot log accounts in.", Refusal.NO_LOG_INS)
        async with self._turns[agent_id]:
            attempt = self._attempts.get(agent_id)
            if attempt is not None:
                attempt.show(trouble=attempt.state.trouble, note=attempt.state.note)
                return
            attempt = self._attempts[agent_id] = LoginAttempt(self._room, _agent_of(self._accounts, agent_id))
            attempt.asked_until = self._asked_until
        if self._sign_ins.has_application():
            await self.use_qr(agent_id)
        else:
            attempt.show()

    async def use_application(self, agent_id: AgentId, api_id: str, api_hash: str) -> None:
        """Store API id and hash as typed, and go on."""
        attempt = self._at(agent_id, LoginStep.APPLICATION)
        if attempt is None:
            return
        found = application_of(api_id, api_hash)
        if isinstance(found, SignInReason):
            attempt.show(trouble=SignInTrouble.BAD_APPLICATION, note=Note(found))
            return

        async def keep() -> None:
            attempt.is_settling = True  # storing only one of the two is worse than none
            try:
                await _keep(self._keep_application, *found)
            finally:
                attempt.is_settling = False

        await attempt.act(LoginWork.SAVING, keep)
        if attempt.state.trouble is None:
            attempt.drop_client()  # it was made with the previous pair
            await self.use_qr(agent_id)

    async def use_qr(self, agent_id: AgentId) -> None:
        """Show a QR code; returns at once."""
        attempt = self._attempts.get(agent_id)
        if attempt is not None and attempt.state.step is not LoginStep.DONE and not attempt.is_settling:
            attempt.typed = ""
            attempt.leave_to(LoginStep.QR)
            attempt.start(LoginWork.CONNECTING, LoginSteps(attempt).show_pictures)

    async def use_phone(self, agent_id: AgentId) -> None:
        """Show the page for the number."""
        attempt = self._attempts.get(agent_id)
        if attempt is None or attempt.is_settling or attempt.state.step in (LoginStep.DONE, LoginStep.APPLICATION):
            return
        showed_pictures = attempt.state.step in (LoginStep.QR, LoginStep.WAIT)
        attempt.leave_to(LoginStep.PHONE)
        if showed_pictures:
            # The QR code may still be scanned; then a code for another account would end in the scanned one.
            attempt.drop_client()

    async def send_code(self, agent_id: AgentId, phone: str) -> None:
        """Let Telegram send a code to a number as typed."""
        attempt = self._at(agent_id, LoginStep.PHONE)
        if attempt is None:
            return
        number = clean_phone(phone)
        if not number:
            attempt.show(trouble=SignInTrouble.BAD_NUMBER, note=Note(SignInReason.NO_NUMBER))
            return
        attempt.show(phone=number)
        since, until = attempt.asked_until.get(number, (self._clock.now(), self._clock.now()))
        if until > self._clock.now():
            attempt.wait(since, until, LoginStep.PHONE)
            return
        await attempt.act(LoginWork.ASKING_FOR_CODE, lambda: LoginSteps(attempt).send_code(number))

    async def resend_code(self, agent_id: AgentId) -> None:
        """Request another code, if that is possible by now."""
        attempt = self._at(agent_id, LoginStep.CODE)
        if attempt is None:
            return
        at, steps = attempt.state.resend_at, LoginSteps(attempt)
        if at is None or at > self._clock.now():
            return
        is_over = attempt.state.trouble is SignInTrouble.EXPIRED_CODE
        await attempt.act(LoginWork.ASKING_FOR_CODE, steps.resend_expired if is_over else steps.resend_code)

    async def enter_code(self, agent_id: AgentId, code: str) -> None:
        """Log in with a code as typed."""
        attempt = self._at(agent_id, LoginStep.CODE)
        sent = attempt.state.code if attempt is not None else None
        text, wanted = clean_code(code, sent), sent.length if sent is not None else 0
        if attempt is None or not text:
            return
        if wanted and len(text) != wanted:
            attempt.show(trouble=SignInTrouble.WRONG_CODE, note=Note(SignInReason.CODE_LENGTH, str(wanted), len(text)))
            return
        self._hide(text)
        await attempt.act(LoginWork.CHECKING_CODE, lambda: LoginSteps(attempt).enter_code(text))

    async def enter_password(self, agent_id: AgentId, password: str) -> None:
        """Log in with the password exactly as typed; it is not stored."""
        attempt = self._at(agent_id, LoginStep.PASSWORD)
        if attempt is not None and password:
            self._hide(password)
            await attempt.act(LoginWork.CHECKING_PASSWORD, lambda: LoginSteps(attempt).enter_password(password))

    async def go_back(self, agent_id: AgentId) -> None:
        """Return to the previous page: another number, or the other way of logging in."""
        attempt = self._attempts.get(agent_id)
        if attempt is None:
            return
        if attempt.state.step is LoginStep.PASSWORD and not attempt.is_settling:
            attempt.drop_client()  # half logged in: the next code or QR code needs a new connection
        came_by_picture = attempt.state.step is LoginStep.PASSWORD and not attempt.typed
        await (self.use_qr if came_by_picture or attempt.state.step is LoginStep.PHONE else self.use_phone)(agent_id)

    async def try_again(self, agent_id: AgentId) -> None:
        """Repeat what failed: the connection, the QR code, saving the session."""
        attempt = self._attempts.get(agent_id)
        if attempt is None or attempt.state.busy:
            return
        if attempt.signed_in is not None:
            await attempt.act(LoginWork.SAVING_SESSION, LoginSteps(attempt).keep_again)
        elif attempt.state.step is LoginStep.QR:
            await self.use_qr(agent_id)

    async def cancel(self, agent_id: AgentId) -> None:
        """End the attempt, finished or not; an unfinished one is undone before this returns."""
        async with self._turns[agent_id]:
            attempt = self._attempts.pop(agent_id, None)
            if attempt is None:
                return
            await attempt.leave()
            is_there = any(agent.agent_id == agent_id for agent in self._accounts.directory.agents())
            if is_there and attempt.ran_before and not attempt.kept:
                self._accounts.start(agent_id)
        await attempt.gone()  # outside the lock: the next attempt has its own file and connection

    def proxy_changed(self, agent_id: AgentId) -> None:
        """Restart a running log-in, because it must use the new proxy."""
        attempt = self._attempts.get(agent_id)
        if attempt is not None:
            attempt.begin_anew(Note(SignInReason.NEW_PROXY))

    async def log_out(self, agent_id: AgentId) -> None:
        """Log an agent's account out, at Telegram and here; the result is in its health.

        Sends on their way are awaited for at most 10 s; approved sends stay approved.

        Raises:
            NotFoundError: There is no such agent.
            RefusedError: This run can't log accounts out.
        """
        await self.cancel(agent_id)
        async with self._turns[agent_id]:
            if self._sign_ins is None:
                raise RefusedError("This Chimein cannot log accounts out.", Refusal.NO_LOG_INS)
            agent = _agent_of(self._accounts, agent_id)
            await self._drain.end(agent)
            await self._accounts.stop(agent_id)
            await self._accounts.log_out(agent_id, await self._take_leave(self._sign_ins, agent))

    async def _take_leave(self, sign_ins: SignIns, agent: Agent) -> Note:
        """Log out, and return the note for the result."""
        try:
            async with self._clock.timeout(REQUEST_S):
                return LOGGED_OUT if await sign_ins.log_out(agent) else LOGGED_OUT_UNTOLD
        except TimeoutError:
            return LOGGED_OUT_UNTOLD
        except SignInError as error:
            return SESSION_LEFT if error.trouble is SignInTrouble.DISK else LOGGED_OUT_UNTOLD

    async def aclose(self) -> None:
        """End all attempts; the accounts are not started again."""
        attempts, self._attempts = tuple(self._attempts.values()), {}
        await asyncio.gather(*(attempt.close() for attempt in attempts))

    def _at(self, agent_id: AgentId, step: LoginStep) -> LoginAttempt | None:
        """Return the attempt if it is at this step and not busy."""
        attempt = self._attempts.get(agent_id)
        return attempt if attempt is not None and attempt.state.step is step and not attempt.state.busy else None

    def _publish(self, state: LoginState) -> None:
        self._revision += 1
        self._bus.publish(LoginChanged(state, Revision(self._revision)))

    def _hear(self, event: EngineEvent) -> None:
        if isinstance(event, AgentRemoved) and event.agent_id in self._attempts:
            self._spawn(self.cancel(event.agent_id), name=f"end of the log-in of agent {event.agent_id}")
        if not isinstance(event, AgentChanged):
            return
        agent = event.agent
        attempt = self._attempts.get(agent.agent_id)
        if (
            self._room is not None
            and agent.health in NEEDS_LOG_IN
            and (attempt is None or attempt.state.step is LoginStep.DONE)
        ):
            self._room.taken.pop(agent.agent_id, None)
        if attempt is None:
            return
        if agent.health in CONNECTED and attempt.kept:
            attempt.online.set()
        if agent.spec != attempt.agent.spec:
            attempt.follow(agent)


def _agent_of(accounts: Accounts, agent_id: AgentId) -> Agent:
    for agent in accounts.directory.agents():
        if agent.agent_id == agent_id:
            return agent
    raise NotFoundError(f"no agent {agent_id}")


async def _keep(place: Callable[[int, str], Awaitable[None]], api_id: int, api_hash: str) -> None:
    try:
        await place(api_id, api_hash)
    except SecretError as error:
        raise SignInError(note_of(error), SignInTrouble.REFUSED) from error
