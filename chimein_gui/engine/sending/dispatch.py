"""Dispatch: hands the parts of a claimed send over to Telegram and records every outcome.

Each ledger row becomes *sending* just before its own hand-over. After the hand-over the outcome without a clear answer
is unknown, and the connection is closed, so that a queued request is not sent later.

Functions that take a transaction run on the writer thread.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Any

from chimein_gui.domain.errors import (
    AccountFrozenError,
    AccountLimitedError,
    GatewayError,
    NotConnectedError,
    OutcomeUnknownError,
    RateLimitedError,
    SendRefusedError,
)
from chimein_gui.domain.events import EngineEvent
from chimein_gui.domain.failpoints import Failpoint, Reach, pass_by
from chimein_gui.domain.notes import Note, NoteKind
from chimein_gui.domain.tasks import TaskKind, TaskStatus
from chimein_gui.engine.policy.server_waits import wait_of
from chimein_gui.engine.ports import Transaction
from chimein_gui.engine.sending import confirmation as sends
from chimein_gui.engine.sending.gateway_calls import execute, forget_cleared
from chimein_gui.engine.sending.presence import ignore_gateway_errors
from chimein_gui.engine.sending.reconciliation import ANSWER_S, confirm_found, history_since
from chimein_gui.engine.sending.recovery import set_down
from chimein_gui.engine.tasks.next_action import Claim, Resolve, next_action
from chimein_gui.engine.tasks.transitions import changed
from chimein_gui.reporting.log_lines import about

if TYPE_CHECKING:
    from collections.abc import Coroutine
    from contextlib import AbstractContextManager

    from chimein_gui.domain.approvals import Approval
    from chimein_gui.domain.ids import AgentId, ApprovalId
    from chimein_gui.engine.core.commits import UnitOfWork
    from chimein_gui.engine.core.environment import TransactionEnvironment
    from chimein_gui.engine.ports import Clock, LedgerRow, SentReceipt, Spawn, TelegramGateway
    from chimein_gui.engine.sending.in_flight import InFlightRequests
    from chimein_gui.engine.sending.presence import ReadMarks
    from chimein_gui.engine.sending.uploads import Uploads
    from chimein_gui.engine.tasks.next_action import NextAction

_log = logging.getLogger(__name__)

OFFLINE_NOTE = Note(NoteKind.WAITS_FOR_TELEGRAM)

_FILE_IS_GONE = "FILE_PART"
"""Prefix of refusals because Telegram no longer has an uploaded file."""

PUT_BACK_S = 1.0
"""Seconds before a failed hand-over is retried."""

LOOK_UP_S = 5.0
"""Seconds before an unknown outcome is looked up on the same connection; usually that closes, which wakes the chat."""

Outcome = Callable[[Transaction], list[EngineEvent]]


def _about(approval: Approval) -> AbstractContextManager[None]:
    """Say for what is logged in this block that it is about a planned send."""
    return about(agent_id=approval.agent_id, chat_id=approval.chat_id, graph_id=approval.graph_id)


class Dispatcher:
    """Dispatches claimed sends."""

    def __init__(  # noqa: PLR0913 - one service each
        self,
        unit: UnitOfWork,
        clock: Clock,
        spawn: Spawn,
        environment: TransactionEnvironment,
        in_flight: InFlightRequests,
        read_marks: ReadMarks,
        uploads: Uploads,
        *,
        stop_agent: Callable[[AgentId], Coroutine[Any, Any, None]],
        reach: Reach = pass_by,
    ) -> None:
        """Create the service; `stop_agent` executes a `shutdown`."""
        self._unit = unit
        self._clock = clock
        self._spawn = spawn
        self._environment = environment
        self._in_flight = in_flight
        self._read_marks = read_marks
        self._uploads = uploads
        self._stop_agent = stop_agent
        self._reach = reach

    async def run(self, gateway: TelegramGateway | None, claim: Claim) -> NextAction | None:
        """Send all parts of a claimed send; returns the chat's next action."""
        self._reach(Failpoint.CLAIM_COMMITTED)
        approval, row = claim.approval, claim.row
        if gateway is not None and not claim.repeated and row.part == 0 and row.kind in sends.MESSAGE_KINDS:
            self._mark_read(approval)
        try:
            return await self._run(gateway, claim)
        except Exception:
            # Whatever could not be recorded must not stay "sending" for ever: it is looked up like any unknown. It is
            # Awaited, because a chat that was checked before would find nothing to do, and would not check again.
            await self._unit.record(partial(_set_down, approval_id=approval.approval_id))
            raise

    async def _run(self, gateway: TelegramGateway | None, claim: Claim) -> NextAction | None:
        """Hand over one part after the other."""
        while True:
            outcome = await self._outcome_of(gateway, claim)
            self._reach(Failpoint.ANSWERED)
            goes_on, further = await self._commit(outcome, claim)
            self._reach(Failpoint.CONFIRMATION_COMMITTED)
            if not goes_on:
                return further
            row, further = await self._next_part(claim.approval)
            if row is None:
                return further
            claim = Claim(claim.approval, row)

    async def _outcome_of(self, gateway: TelegramGateway | None, claim: Claim) -> Outcome:
        """Execute one request and return the function that records its outcome."""
        if claim.row.kind is TaskKind.SHUTDOWN:
            return self._shut_down(claim)
        if gateway is None or not gateway.is_up():
            return self._put_back(claim, None)
        uploaded = self._uploads.found(claim.approval.approval_id)
        try:
            with (
                self._in_flight.track(claim.approval.account_id, claim.approval.chat_id, gateway),
                _about(claim.approval),
            ):
                async with self._clock.timeout(ANSWER_S):
                    receipt = await execute(gateway, claim.approval, claim.row, uploaded)
            return await self._delivered(gateway, claim, receipt)
        except asyncio.CancelledError:
            job = asyncio.current_task()
            if job is None or not job.cancelling():
                return self._unanswered(gateway, claim)
            # The request stays in the sender's queue and may still be sent, so it never counts as failed.
            self._unit.submit(partial(sends.outcome_unknown, row_id=claim.row.ledger_id))
            raise
        except Exception as error:  # noqa: BLE001 - after the hand-over everything that is no clear answer is "unknown"
            return self._failed(gateway, claim, error)

    def _failed(self, gateway: TelegramGateway, claim: Claim, error: Exception) -> Outcome:
        """Return the function that records a request that failed, or may have been executed."""
        if isinstance(error, SendRefusedError) and error.code.startswith(_FILE_IS_GONE):
            self._uploads.forget(claim.approval.approval_id)
            error = NotConnectedError(error.note or str(error))
        record: dict[str, Any] = {"row_id": claim.row.ledger_id, "repeated": claim.repeated}
        match error:
            case NotConnectedError() | RateLimitedError():
                return self._put_back(claim, error)
            case AccountFrozenError():
                return partial(sends.account_frozen, code=error.code, **record)
            case AccountLimitedError():
                return partial(sends.account_limited, code=error.code, **record)
            case SendRefusedError():
                return partial(sends.refused, environment=self._environment, code=error.code, **record)
            case OutcomeUnknownError() | TimeoutError():
                pass
            case _:
                _log.error("A send failed unexpectedly: its outcome is looked up", exc_info=error)
        return self._unanswered(gateway, claim)

    async def _delivered(self, gateway: TelegramGateway, claim: Claim, receipt: SentReceipt) -> Outcome:
        """Return the confirmation; an id that Telegram did not give is searched for in the chat."""
        approval, row, environment = claim.approval, claim.row, self._environment
        with _about(approval):
            _log.info("Telegram confirmed: %s", row.kind.value)
        message = sends.own_message(approval, row, receipt)
        if message is not None:
            return partial(sends.confirm_part, row_id=row.ledger_id, message=message, environment=environment)
        if row.kind in sends.MESSAGE_KINDS:
            try:
                history = await history_since(gateway, self._clock, approval, row.claimed_at)
            except (GatewayError, TimeoutError):
                history = ()
            return partial(confirm_found, row_id=row.ledger_id, history=history, environment=environment)

        def done(tx: Transaction) -> list[EngineEvent]:
            cleared = forget_cleared(tx, approval, row)
            return cleared + sends.confirm_part(tx, row.ledger_id, None, environment)

        return done

    def _shut_down(self, claim: Claim) -> Outcome:
        """Record a shutdown before it is executed, so that a crash in between does not repeat it."""
        row_id = claim.row.ledger_id
        return partial(sends.confirm_part, row_id=row_id, message=None, environment=self._environment)

    def _put_back(self, claim: Claim, error: GatewayError | None) -> Outcome:
        wait, note = None, OFFLINE_NOTE
        if isinstance(error, RateLimitedError):
            wait = wait_of(claim.approval, error, self._clock.now())
            note = Note(NoteKind.SERVER_WAIT, number=round(error.retry_after_s))
        return partial(
            sends.put_back,
            row_id=claim.row.ledger_id,
            wait=wait,
            note=note,
            environment=self._environment,
            repeated=claim.repeated,
        )

    def _unanswered(self, gateway: TelegramGateway, claim: Claim) -> Outcome:
        """Close the connection, so that the queued request is not sent later, and record an unknown outcome."""
        self._spawn(ignore_gateway_errors(gateway.disconnect), name="drop the connection of an unanswered request")
        return partial(sends.outcome_unknown, row_id=claim.row.ledger_id)

    async def _commit(self, outcome: Outcome, claim: Claim) -> tuple[bool, NextAction | None]:
        """Commit an outcome; returns whether another part follows, else the chat's next action."""
        approval = claim.approval

        def work(tx: Transaction) -> tuple[list[EngineEvent], tuple[bool, NextAction | None]]:
            events = outcome(tx)
            task = tx.tasks.get(approval.task_id)
            if task.status is TaskStatus.SENDING:
                return events, (True, None)
            return events, (False, self._next(tx, approval))

        goes_on = await self._unit.record(work)
        if claim.row.kind is TaskKind.SHUTDOWN:
            self._spawn(self._stop_agent(approval.agent_id), name=f"shut agent {approval.agent_id} down")
        return goes_on

    async def _next_part(self, approval: Approval) -> tuple[LedgerRow | None, NextAction | None]:
        """Change the next part to *sending*, in a commit of its own."""

        def work(tx: Transaction) -> tuple[list[EngineEvent], tuple[LedgerRow | None, NextAction | None]]:
            row, events = sends.next_part(tx, approval.approval_id, self._environment)
            return events, (row, None if row is not None else self._next(tx, approval))

        row, further = await self._unit.record(work)
        if row is not None:
            self._reach(Failpoint.CLAIM_COMMITTED)
        return row, further

    def _next(self, tx: Transaction, approval: Approval) -> NextAction | None:
        """Return the chat's next action, with a delay for the retry or look-up of this send."""
        now = self._environment.now()
        pause = now + timedelta(seconds=PUT_BACK_S)
        further = next_action(tx, approval.chat_id, self._environment, {approval.approval_id: pause})
        if isinstance(further, Resolve):
            return replace(further, at=now + timedelta(seconds=LOOK_UP_S))
        return further

    def _mark_read(self, approval: Approval) -> None:
        """Send a read mark with the first claim, only up to what the draft has covered."""
        if approval.covers_up_to:
            self._read_marks.mark(approval.account_id, approval.peer_id, approval.covers_up_to)


def _set_down(tx: Transaction, *, approval_id: ApprovalId) -> tuple[list[EngineEvent], None]:
    approval = tx.approvals.get(approval_id)
    if approval.task_status is TaskStatus.SENDING:
        set_down(tx, tx.tasks.get(approval.task_id))
    return changed(tx, tx.approvals.get(approval_id)), None
