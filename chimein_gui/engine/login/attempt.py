"""One attempt at a log-in: its state, its connection, and its running operation."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, TypeVar

from chimein_gui.domain.accounts.sign_in import LoginState, LoginStep, LoginWork, SignInTrouble
from chimein_gui.domain.agents import CONNECTED, Health
from chimein_gui.domain.errors import SignInError
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.sign_ins import SignInReason
from chimein_gui.engine.login.messages import note_of_trouble, step_after

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Coroutine
    from datetime import datetime

    from chimein_gui.domain.accounts.sign_in import SignedInAs
    from chimein_gui.domain.agents import Agent
    from chimein_gui.domain.ids import AccountId, AgentId
    from chimein_gui.engine.accounts.accounts import Accounts
    from chimein_gui.engine.library.queries import Queries
    from chimein_gui.engine.ports import AgentFiles, Clock, SignInClient, SignIns, Spawn

_log = logging.getLogger(__name__)

CONNECT_S = 45.0
"""Longest time to connect, in seconds: two key exchanges of 20 s and the pause between them."""

REQUEST_S = 30.0
CLOSE_S = 15.0
"""Longest time in seconds to undo an attempt; after that, Telegram may keep the session listed."""

T = TypeVar("T")

_RUNS = CONNECTED | frozenset({Health.CONNECTING, Health.WAITING, Health.PROXY_TROUBLE})
_BEGIN_ANEW = frozenset({SignInTrouble.NO_NETWORK, SignInTrouble.PROXY, SignInTrouble.TIME_OUT, SignInTrouble.NO_PLACE})
_NOTHING_SENT = frozenset({LoginStep.QR, LoginStep.PHONE})
_HARMLESS = frozenset({SignInTrouble.NO_NETWORK, SignInTrouble.TIME_OUT})


@dataclass(frozen=True, slots=True)
class LoginServices:
    """Dependencies of an attempt.

    Attributes:
        sign_ins: Creates the connections.
        clock: Time.
        spawn: Starts jobs.
        accounts: The agents' own connections.
        queries: Counts chats.
        files: Writes a changed number to the agent file; or None.
        publish: Publishes a state to the window.
        taken: Accounts logged in by this run, by agent. The database knows them only once they are bound.
    """

    sign_ins: SignIns
    clock: Clock
    spawn: Spawn
    accounts: Accounts
    queries: Queries
    files: AgentFiles | None
    publish: Callable[[LoginState], None]
    taken: dict[AgentId, AccountId] = field(default_factory=dict)


class LoginAttempt:
    """State and connection of one log-in; the operations of each step are in `login.steps`.

    Attributes:
        state: State for the dialog.
        client: The connection, or None before the first and after the last.
        signed_in: The logged-in account, until its session is kept.
        typed: The number that was typed; empty for a QR log-in.
        ran_before: The agent's own connection was stopped for this attempt.
        kept: The session has replaced the agent's session.
        is_settling: The session is being kept, which must not be interrupted.
        online: Set once the agent's own connection is up again.
        asked_until: Begin and end of Telegram's waits, by number.
    """

    def __init__(self, room: LoginServices, agent: Agent) -> None:
        """Create the attempt; nothing is opened."""
        self.room, self.agent = room, agent
        self.state = LoginState(
            agent.agent_id, agent.spec.name, LoginStep.APPLICATION, phone=agent.spec.phone, source=self._source()
        )
        self.client: SignInClient | None = None
        self.signed_in: SignedInAs | None = None
        self.typed = ""
        self.ran_before = self.kept = self.is_settling = False
        self.online = asyncio.Event()
        self.asked_until: dict[str, tuple[datetime, datetime]] = {}
        self._job: asyncio.Task[None] | None = None
        self._endings: set[asyncio.Task[None]] = set()
        self._is_connected = self._is_closed = False

    def show(self, **changes: object) -> None:
        """Publish a changed state; a trouble is cleared by the next change that does not name it."""
        if not self._is_closed:
            self.state = replace(self.state, **{"trouble": None, "note": None, **changes})  # type: ignore[arg-type]
            self.room.publish(self.state)

    def start(self, busy: LoginWork, action: Callable[[], Awaitable[None]]) -> asyncio.Task[None] | None:
        """Start an operation in place of a waiting one; returns None if another operation is busy."""
        if self._is_closed or self.state.busy or self.is_settling:
            return None
        self.interrupt()
        self.show(busy=busy)
        return self.go_on_with(self._guarded(action))

    async def act(self, busy: LoginWork, action: Callable[[], Awaitable[None]]) -> None:
        """Run an operation and return when it is over or was interrupted."""
        job = self.start(busy, action)
        if job is not None:
            await asyncio.wait({job})

    def interrupt(self) -> None:
        """Cancel the running operation; drop the connection of an interrupted request, whose outcome is unknown."""
        if self._job is not None and not self._job.done() and not self.is_settling:
            self._job.cancel()
            if self.state.busy:
                self.drop_client()

    def leave_to(self, step: LoginStep, **changes: object) -> None:
        """Show another page; cancels the running operation, and logs out an account that could not be kept."""
        if not self.is_settling:
            self.interrupt()
            if self.signed_in is not None:
                self.drop_client()
            nothing = {"busy": None, "qr": None, "wait_until": None, "wait_began_at": None, "back_to": None}
            self.show(step=step, **{**nothing, **changes})

    def follow(self, agent: Agent) -> None:
        """Update the agent after a change of its file; a rename moves its directory, so the attempt starts over."""
        is_renamed, self.agent = agent.spec.name != self.agent.spec.name, agent
        self.state = replace(self.state, name=agent.spec.name, source=self._source())
        if is_renamed:
            self.begin_anew(Note(SignInReason.RENAMED, agent.spec.name))

    def begin_anew(self, note: Note) -> None:
        """Go back to the first page of the way in: what is open here is good for nothing any more."""
        if self.kept or self.is_settling or self._is_closed:
            return
        step = self.state.step
        if step not in (LoginStep.APPLICATION, LoginStep.PHONE):
            step = LoginStep.PHONE if self.typed else LoginStep.QR
        self.leave_to(step, code=None, code_was_sent=False, trouble=SignInTrouble.REFUSED, note=note)
        self.drop_client()

    async def connected(self) -> SignInClient:
        """Return the connection, opening one if needed; the agent's own connection is stopped first.

        Raises:
            SignInError: Telegram can't be reached.
        """
        if self.client is None:
            self.client, self._is_connected = self.room.sign_ins.begin(self.agent), False
            await self.rest_account()
        client = self.client
        if not self._is_connected:
            await self.asked(client.connect, CONNECT_S)
            self._is_connected = True
        return client

    async def rest_account(self) -> None:
        """Stop the agent's own connection, and remember that it ran."""
        [agent] = (one for one in self.room.accounts.directory.agents() if one.agent_id == self.agent.agent_id)
        if agent.health in _RUNS:
            self.ran_before = True
            await self.room.accounts.stop(agent.agent_id)

    async def asked(self, request: Callable[[], Awaitable[T]], seconds: float = REQUEST_S) -> T:
        """Run a request with a time limit.

        Raises:
            SignInError: It failed; TIME_OUT if there was no answer.
        """
        try:
            async with self.room.clock.timeout(seconds):
                return await request()
        except TimeoutError:
            raise SignInError("Telegram did not answer in time.", SignInTrouble.TIME_OUT) from None

    async def asked_twice(self, request: Callable[[], Awaitable[T]]) -> T:
        """Run an idempotent request, and repeat it once after a network error or time-out."""
        try:
            return await self.asked(request)
        except SignInError as error:
            if error.trouble not in _HARMLESS:
                raise
        return await self.asked(request)

    def drop_client(self) -> None:
        """Release the connection; what it did is undone in the background."""
        client, self.client = self.client, None
        self.signed_in = None
        if not self.kept:
            self.room.taken.pop(self.agent.agent_id, None)
        if client is not None:
            job = self.room.spawn(self._close(client), name=f"end of a log-in of {self.agent.spec.name}")
            if isinstance(job, asyncio.Task):
                self._endings.add(job)
                job.add_done_callback(self._endings.discard)

    async def close(self) -> None:
        """End the attempt; nothing is left of it afterwards, unless the session is kept."""
        await self.leave()
        await self.gone()

    async def leave(self) -> None:
        """End the attempt for the operator, and start undoing it, which may take as long as Telegram is silent."""
        if self.is_settling and self._job is not None:
            await asyncio.wait({self._job})
        self.interrupt()
        nothing = {"busy": None, "code": None, "qr": None, "hint": "", "signed_in": None}
        self.show(step=LoginStep.CLOSED, **nothing)
        self._is_closed = True
        if self._job is not None:
            await asyncio.wait({self._job})
        self.drop_client()

    async def gone(self) -> None:
        """Wait until everything is undone or given up."""
        await asyncio.gather(*self._endings, return_exceptions=True)

    def wait(self, began_at: datetime, until: datetime, back_to: LoginStep) -> None:
        """Show Telegram's wait; when it is over, the dialog returns to the given page."""
        error = SignInError("", SignInTrouble.WAIT)
        self.show(
            step=LoginStep.WAIT,
            busy=None,
            qr=None,
            wait_began_at=began_at,
            wait_until=until,
            back_to=back_to,
            trouble=SignInTrouble.WAIT,
            note=note_of_trouble(error, back_to),
        )
        self.go_on_with(self._wait_over(until, back_to))

    def go_on_with(self, job: Coroutine[Any, Any, None]) -> asyncio.Task[None] | None:
        """Start a job as the running operation."""
        made = self.room.spawn(job, name=f"log-in of {self.agent.spec.name}")
        self._job = made if isinstance(made, asyncio.Task) else None
        return self._job

    def _source(self) -> str:
        return PurePath(self.agent.spec.source).name if self.room.files is not None else ""

    async def _wait_over(self, until: datetime, back_to: LoginStep) -> None:
        await self.room.clock.sleep_until(until)
        over: dict[str, object] = {"wait_until": None, "wait_began_at": None, "back_to": None}
        if back_to is LoginStep.QR:  # no picture is fetched by itself for somebody who may be gone by now
            over |= {"trouble": SignInTrouble.QR_EXPIRED, "note": Note(SignInReason.WAIT_IS_OVER)}
        self.show(step=back_to, **over)

    async def _guarded(self, action: Callable[[], Awaitable[None]]) -> None:
        try:
            await action()
        except SignInError as error:
            self._fail(error)
        except Exception as error:  # noqa: BLE001 - its text and frames may contain secrets
            _log.error("A log-in of %s failed with %s", self.agent.spec.name, type(error).__name__)
            note = Note(SignInReason.WENT_WRONG, type(error).__name__)
            self._fail(SignInError(note, SignInTrouble.REFUSED))

    def _fail(self, error: SignInError) -> None:
        step, now = self.state.step, self.room.clock.now()
        if error.trouble is SignInTrouble.WAIT:
            until = now + timedelta(seconds=error.retry_after_s)
            if step is LoginStep.PHONE:
                self.asked_until[self.state.phone] = (now, until)
            self.wait(now, until, step)
            return
        if error.trouble in _BEGIN_ANEW and (step in _NOTHING_SENT or not self._is_connected):
            self.drop_client()
        changes: dict[str, object] = {"qr": None} if step is LoginStep.QR else {}
        if error.trouble is SignInTrouble.EXPIRED_CODE:
            changes["resend_at"] = now
        note = note_of_trouble(error, step)
        self.show(step=step_after(error.trouble, step), busy=None, trouble=error.trouble, note=note, **changes)

    async def _close(self, client: SignInClient) -> None:
        with suppress(TimeoutError):
            async with self.room.clock.timeout(CLOSE_S):
                await client.close()
