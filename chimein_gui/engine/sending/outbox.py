"""The outbox: types, claims, dispatches and looks up, one step of one chat at a time.

See docs/behaviour.md, "Sending exactly once".

The scheduler ensures that a chat takes one step at a time. The results of claims, answers and look-ups are committed
with FULL durability, in `sending.claim`, `sending.confirmation` and `sending.reconciliation`.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Any

from chimein_gui.domain.chats import MuteState
from chimein_gui.domain.errors import GatewayError, RateLimitedError, SendRefusedError
from chimein_gui.domain.events import EngineEvent
from chimein_gui.domain.failpoints import Reach, pass_by
from chimein_gui.domain.tasks import LedgerState, TaskKind, TaskStatus
from chimein_gui.engine.policy.hold_check import hold_note, mute_of
from chimein_gui.engine.sending.claim import claim
from chimein_gui.engine.sending.confirmation import MESSAGE_KINDS
from chimein_gui.engine.sending.dispatch import Dispatcher
from chimein_gui.engine.sending.gateway_calls import forget_cleared, is_done
from chimein_gui.engine.sending.in_flight import InFlightRequests
from chimein_gui.engine.sending.presence import ReadMarks, ignore_gateway_errors
from chimein_gui.engine.sending.reconciliation import ANSWER_S, Resolution, Resolved, history_since, reconcile_unknown
from chimein_gui.engine.tasks.next_action import Claim, Resolve, Send, Upload, next_action

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterator
    from datetime import datetime

    from chimein_gui.domain.approvals import Approval
    from chimein_gui.domain.ids import AccountId, AgentId, ApprovalId
    from chimein_gui.domain.messages import Message
    from chimein_gui.engine.core.commits import UnitOfWork
    from chimein_gui.engine.core.environment import TransactionEnvironment
    from chimein_gui.engine.ports import Clock, LedgerRow, Spawn, TelegramGateway, Transaction
    from chimein_gui.engine.sending.uploads import Uploads
    from chimein_gui.engine.tasks.next_action import NextAction, Work

_log = logging.getLogger(__name__)

TYPING_REPEAT_S = 4.5
"""Repeat interval of "typing…", which Telegram shows for about 5 s."""

LOOK_AGAIN_S = 5.0
"""Seconds before a failed look-up is repeated; a reconnect wakes the chat earlier."""


class Outbox:
    """Sends approved sends."""

    def __init__(  # noqa: PLR0913 - one service each
        self,
        unit: UnitOfWork,
        clock: Clock,
        spawn: Spawn,
        environment: TransactionEnvironment,
        gateway_of: Callable[[AccountId], TelegramGateway | None],
        uploads: Uploads,
        *,
        stop_agent: Callable[[AgentId], Coroutine[Any, Any, None]],
        reach: Reach = pass_by,
    ) -> None:
        """Create the service.

        Args:
            unit: The database, watched: a failed commit holds everything.
            clock: Time.
            spawn: Starts owned jobs.
            environment: State outside of the database that claims need.
            gateway_of: Returns the account's gateway that is connected and has caught up, or None.
            uploads: Uploads files before their sends are claimed.
            stop_agent: Executes a `shutdown`.
            reach: The failpoints.
        """
        self._clock = clock
        self._spawn = spawn
        self._environment = environment
        self._gateway_of = gateway_of
        self._uploads = uploads
        self._unit = unit
        self.in_flight = InFlightRequests(clock)
        self.read_marks = ReadMarks(spawn, gateway_of)
        self._dispatcher = Dispatcher(
            self._unit,
            clock,
            spawn,
            environment,
            self.in_flight,
            self.read_marks,
            uploads,
            stop_agent=stop_agent,
            reach=reach,
        )
        self._running = 0
        self._closing = False
        self._idle = asyncio.Event()
        self._idle.set()

    async def send(self, work: Send) -> NextAction | None:
        """Type, or claim and send; returns the chat's next action."""
        if self._closing:
            return None
        if self._environment.now() < work.leaves_at:
            return await self._type(work)
        further = await self._unit.run(partial(self._claim, work=work), wakes=False)
        match further:
            case Claim():
                return await self.dispatch(further)
            case Upload():
                return self.upload(further)
            case _:
                return further

    def claim_due(self, tx: Transaction, work: NextAction | None) -> tuple[Work | None, list[EngineEvent]]:
        """Claim a send in the transaction that made it due: one commit with FULL durability, not two.

        Runs on the writer thread; a send that is not due is left to `send`.
        """
        if not isinstance(work, Send) or self._closing:
            return work, []
        if max(work.at, work.leaves_at) > self._environment.now():
            return work, []
        events, further = self._claim(tx, work=work)
        return further, events

    def upload(self, work: Upload) -> NextAction | None:
        """Start the upload of a file, after which its send is checked again; returns the chat's other work."""
        self._uploads.begin(work.approval)
        return work.meanwhile

    async def dispatch(self, claim: Claim) -> NextAction | None:
        """Send a claimed send; returns the chat's next action."""
        with self._busy():
            return await self._dispatcher.run(self._gateway(claim.approval.account_id), claim)

    async def resolve(self, work: Resolve) -> NextAction | None:
        """Look up the outcome of a request without an answer; returns the chat's next action."""
        if self._closing:
            return None
        approval, row = await self._unit.read(partial(_in_doubt, approval_id=work.approval_id))
        if row is None:
            return await self._unit.read(partial(next_action, chat_id=approval.chat_id, environment=self._environment))
        looked = True
        try:
            history, done = await self._look_up(approval, row)
        except SendRefusedError as error:
            _log.info("Telegram does not let us look up approval %s: %s", approval.approval_id, error)
            history, done, looked = (), False, False
        except RateLimitedError as error:
            return replace(work, at=self._in(error.retry_after_s))
        except (GatewayError, TimeoutError) as error:
            _log.info("The outcome of approval %s could not be looked up: %s", approval.approval_id, error)
            return replace(work, at=self._in(LOOK_AGAIN_S))
        reconcile = partial(self._reconcile_unknown, row=row, history=history, done=done, looked=looked)
        further = await self._unit.record(reconcile)
        if isinstance(further, Claim):
            return await self.dispatch(further)
        if isinstance(further, Resolve) and approval.file is not None:
            self._uploads.begin(approval)  # the same bytes may be sent again
        return further

    async def drain(self, seconds: float) -> None:
        """Start no more sends, and wait at most `seconds` for the answers of those in flight."""
        self._closing = True
        try:
            async with self._clock.timeout(seconds):
                await self._idle.wait()
        except TimeoutError:
            _log.info("Sends without an answer at the end: their outcome is looked up at the next start")

    def _gateway(self, account_id: AccountId) -> TelegramGateway | None:
        """Return the account's gateway if it can send now."""
        gateway = self._gateway_of(account_id)
        return gateway if gateway is not None and gateway.is_up() else None

    def _claim(self, tx: Transaction, *, work: Send) -> tuple[list[EngineEvent], Work | None]:
        """Claim a send; without a claim, return the chat's next action. It runs on the writer thread."""
        approval_id = work.approval_id
        result = claim(tx, approval_id, self._environment)
        if result.claim is not None:
            return result.events, result.claim
        chat_id = tx.approvals.get(approval_id).chat_id
        not_before = {**work.not_before, approval_id: result.look_again_at}
        further = next_action(tx, chat_id, self._environment, not_before)
        return result.events, further if result.upload is None else Upload(result.upload, further)

    async def _look_up(self, approval: Approval, row: LedgerRow) -> tuple[tuple[Message, ...], bool]:
        """Read the chat since the claim (step 2), or look up whether an action without a message was executed."""
        if row.kind is TaskKind.SHUTDOWN:
            return (), True  # a program that restarts has stopped its agent
        gateway = self._gateway(approval.account_id)
        if gateway is None:
            raise TimeoutError
        if row.kind in MESSAGE_KINDS:
            return await history_since(gateway, self._clock, approval, row.claimed_at), False
        async with self._clock.timeout(ANSWER_S):
            return (), await is_done(gateway, approval, row)

    def _reconcile_unknown(
        self, tx: Transaction, *, row: LedgerRow, history: tuple[Message, ...], done: bool, looked: bool
    ) -> tuple[list[EngineEvent], NextAction | Claim | None]:
        """Store the outcome of a request that was looked up, and return what follows. It runs on the writer thread."""
        approval = tx.approvals.get(row.approval_id)
        cleared = forget_cleared(tx, approval, row) if done else []
        resolved = reconcile_unknown(tx, row.ledger_id, history, self._environment, done=done, looked=looked)
        return cleared + resolved.events, self._after(tx, approval, resolved)

    def _after(self, tx: Transaction, approval: Approval, resolved: Resolved) -> NextAction | Claim | None:
        """Return what follows a look-up. It runs on the writer thread."""
        if resolved.claim is not None:
            return resolved.claim
        further = next_action(tx, approval.chat_id, self._environment)
        if resolved.resolution is Resolution.AGAIN and further is not None and resolved.at is not None:
            return replace(further, at=resolved.at)
        return further

    async def _type(self, work: Send) -> NextAction | None:
        """Show "typing…" if the send is still approved, not stale and not held; returns the chat's next action."""
        environment, until = self._environment, min(work.leaves_at, self._in(TYPING_REPEAT_S))

        def look(tx: Transaction) -> tuple[Approval, bool, NextAction | None]:
            """Return the send, whether it still leaves, and the next action. It runs on the reader thread."""
            approval = tx.approvals.get(work.approval_id)
            held = hold_note(tx, environment, approval.account_id, approval.chat_id)
            leaves = approval.task_status is TaskStatus.APPROVED and not approval.is_stale and not held
            if leaves and approval.by_rule:
                leaves = mute_of(environment, tx.chats.get(approval.chat_id)) is MuteState.HEARD
            return (
                approval,
                leaves,
                next_action(tx, approval.chat_id, environment, {**work.not_before, work.approval_id: until}),
            )

        approval, leaves, further = await self._unit.read(look)
        gateway = self._gateway(approval.account_id)
        if leaves and gateway is not None and approval.kind in MESSAGE_KINDS:
            self._spawn(ignore_gateway_errors(partial(gateway.show_typing, approval.peer_id)), name="typing")
        if isinstance(further, Send) and environment.now() < further.leaves_at:
            # Typing may already be shown for another send of the chat; once is enough.
            return replace(further, at=max(further.at, min(until, further.leaves_at)))
        return further

    @contextmanager
    def _busy(self) -> Iterator[None]:
        """Delay `drain` while the body runs."""
        self._running += 1
        self._idle.clear()
        try:
            yield
        finally:
            self._running -= 1
            if not self._running:
                self._idle.set()

    def _in(self, seconds: float) -> datetime:
        return self._environment.now() + timedelta(seconds=seconds)


def _in_doubt(tx: Transaction, *, approval_id: ApprovalId) -> tuple[Approval, LedgerRow | None]:
    """Return a planned send and its request without an answer. It runs on the reader thread."""
    rows = tx.ledger.of_approval(approval_id)
    unknown = [row for row in rows if row.state is LedgerState.UNKNOWN]
    return tx.approvals.get(approval_id), unknown[0] if unknown else None
