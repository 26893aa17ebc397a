"""The claim: the transaction that starts an approved send, or says why it can't start.

See docs/behaviour.md, "What a claim checks".

Functions that take a transaction run on the writer thread.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from chimein_gui.domain.approvals import AskReason
from chimein_gui.domain.events import EngineEvent, TaskStatusChanged
from chimein_gui.domain.notes import Note
from chimein_gui.domain.tasks import LedgerState, TaskStatus
from chimein_gui.engine.sending.claim_checks import UPLOAD, GateKind, first_hindrance
from chimein_gui.engine.sending.claim_view import view_of
from chimein_gui.engine.tasks.next_action import Claim
from chimein_gui.engine.tasks.transitions import back_to_review, changed, move_ledger, move_task

if TYPE_CHECKING:
    from datetime import datetime

    from chimein_gui.domain.approvals import Approval
    from chimein_gui.domain.ids import ApprovalId
    from chimein_gui.engine.core.environment import TransactionEnvironment
    from chimein_gui.engine.ports import Transaction
    from chimein_gui.engine.sending.claim_checks import Hindrance
    from chimein_gui.engine.sending.claim_view import ClaimView


@dataclass(frozen=True, slots=True)
class ClaimResult:
    """Result of a claim.

    Attributes:
        claim: The claimed send; None if it may not start.
        events: Events to publish.
        look_again_at: For a send that stays approved: when to try again, aware UTC; None = an event wakes the chat.
        note: Why it may not start; None if it may.
        upload: The send, if only the upload of its file is missing.
    """

    claim: Claim | None
    events: list[EngineEvent] = field(default_factory=list)
    look_again_at: datetime | None = None
    note: Note | None = None
    upload: Approval | None = None


def claim(tx: Transaction, approval_id: ApprovalId, environment: TransactionEnvironment) -> ClaimResult:
    """Claim an approved send; the first gate that hinders it decides the result.

    Args:
        tx: The transaction; it must be FULL, and its commit precedes the hand-over.
        approval_id: The send; nothing happens if it is not approved (any more).
        environment: State outside of the database.
    """
    approval = tx.approvals.get(approval_id)
    if approval.task_status is not TaskStatus.APPROVED:
        return ClaimResult(None)
    view = view_of(tx, approval, environment)
    hindered = first_hindrance(view)
    if hindered is None:
        return _claimed(tx, view)
    gate, hindrance = hindered
    if gate is UPLOAD:
        return ClaimResult(None, note=hindrance.note, upload=approval)
    if gate.kind is GateKind.STAY:
        return ClaimResult(None, _keep_waiting(tx, view, hindrance), hindrance.look_again_at, hindrance.note)
    if hindrance.reason is AskReason.OLD:
        # Age causes no event, so the card was not marked as changed; mark it now, like for any change.
        approval = replace(approval, changed_at=tx.revision)
    reopened = back_to_review(tx, approval, hindrance.reason, hindrance.note)
    return ClaimResult(None, changed(tx, reopened), note=hindrance.note)


def _claimed(tx: Transaction, view: ClaimView) -> ClaimResult:
    first = view.requests[0]
    move_task(tx, view.task, TaskStatus.SENDING)
    # A repeated request keeps the time of its first claim, since when it may have been delivered.
    since = first.claimed_at or view.now
    by_rule = first.by_rule or view.approval.by_rule
    row = move_ledger(tx, first, LedgerState.SENDING, claimed_at=since, by_rule=by_rule)
    repeated = first.state is LedgerState.UNKNOWN
    approval = tx.approvals.get(view.approval.approval_id)
    return ClaimResult(Claim(approval, row, repeated), [TaskStatusChanged(approval, tx.revision)])


def _keep_waiting(tx: Transaction, view: ClaimView, hindrance: Hindrance) -> list[EngineEvent]:
    """Show on the card when a delayed send will start, if that is known.

    After quiet hours a send is due at their end, so that the night does not make it overdue.
    """
    approval, due_at = view.approval, view.approval.due_at
    times = [at for at in (due_at, view.quiet_until, hindrance.leaves_at) if at is not None]
    if due_at is None or max(times) == due_at:
        return []
    note = hindrance.note if hindrance.is_noted else approval.note
    tx.approvals.save(replace(approval, due_at=max(times), note=note))
    return [TaskStatusChanged(tx.approvals.get(approval.approval_id), tx.revision)]
