"""The effects of each decision, in the transaction that decides (docs/behaviour.md, "Decisions").

Functions that take a transaction run on the writer thread.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from chimein_gui.domain.approvals import (
    OPERATOR,
    Approval,
    Approve,
    ApproveEdited,
    AskReason,
    Edit,
    Outcome,
    Postpone,
    Reject,
    RejectPlan,
    Undo,
    Verdict,
    with_reason,
)
from chimein_gui.domain.chats import ChatKind
from chimein_gui.domain.events import ApprovalResolved, ChatChanged, EngineEvent
from chimein_gui.domain.notes import Note, NoteKind
from chimein_gui.domain.notes.reasons import Reason
from chimein_gui.domain.tasks import ApprovalState, Origin, TaskKind, TaskStatus
from chimein_gui.engine.approvals.admission import storing_problem, text_problem
from chimein_gui.engine.approvals.approve import always_asks, approve, is_partly_sent
from chimein_gui.engine.policy.hold_check import TICKED_NOTE
from chimein_gui.engine.tasks.completion import StepOutcome, complete_step, mark_later_steps
from chimein_gui.engine.tasks.graphs import reject_rest, rejection
from chimein_gui.engine.tasks.transitions import back_to_review, changed, move_approval, move_task, void_prepared

if TYPE_CHECKING:
    from chimein_gui.domain.approvals import Decision, DecisionRequest
    from chimein_gui.domain.ids import MessageId
    from chimein_gui.engine.core.environment import TransactionEnvironment
    from chimein_gui.engine.ports import Transaction


OLD_AFTER = timedelta(hours=12)
"""Age from which a draft counts as stale."""


Taken = tuple[Outcome, list[EngineEvent]]
"""The answer to a decision, and its events."""

ONE_BY_ONE = Note(Reason.ONE_BY_ONE)
FIXED_TEXT = Note(Reason.FIXED_TEXT)
NOT_EDITABLE = Note(Reason.NOT_EDITABLE)
TIME_IS_OVER = Note(Reason.TIME_IS_OVER)

_CLOSED = {
    TaskStatus.APPROVED: Reason.ALREADY_APPROVED,
    TaskStatus.SENDING: Reason.BEING_SENT,
    TaskStatus.DONE: Reason.WAS_SENT,
    TaskStatus.UNKNOWN: Reason.OUTCOME_OPEN,
    TaskStatus.SKIPPED: Reason.WAS_REJECTED,
    TaskStatus.PARKED: Reason.OTHER_VARIANT,
    TaskStatus.OBSERVED: Reason.ONLY_OBSERVED,
}


def take(
    tx: Transaction, request: DecisionRequest, environment: TransactionEnvironment, *, in_batch: bool = False
) -> Taken:
    """Apply a decision, or refuse it with a reason; a refused one changes nothing that is sent.

    Args:
        tx: The transaction; it must be FULL.
        request: The decision.
        environment: State outside of the database.
        in_batch: It is one of several: always-ask and stale sends are not approved.

    Raises:
        NotFoundError: There is no such approval.
    """
    approval = tx.approvals.get(request.approval_id)
    if isinstance(request.decision, Undo):
        return _undo(tx, approval)
    is_open = approval.task_status is TaskStatus.AWAITING_DECISION
    may_end = isinstance(request.decision, RejectPlan) and approval.task_status is TaskStatus.APPROVED
    if not is_open and not may_end:
        return _refused(Verdict.CLOSED, approval)
    if approval.version != request.expected_version:
        return _refused(Verdict.OUTDATED, approval)
    if isinstance(request.decision, Approve | ApproveEdited):
        return _approve(tx, approval, request, environment, in_batch=in_batch)
    return _other(tx, approval, request.decision, environment)


def explanation(verdict: Verdict, approval: Approval, *, decision: str = "", text: str = "") -> Note | None:
    """Return why a decision was refused; None if it was accepted.

    Args:
        verdict: Its result.
        approval: The card as it is now.
        decision: Name of the decision in the log.
        text: The text decided upon.
    """
    match verdict:
        case Verdict.CLOSED:
            return why_closed(approval)
        case Verdict.OUTDATED:
            return Note(Reason.OUTDATED)
        case Verdict.CHANGED:
            return Note(Reason.GREW_OLD if AskReason.OLD in approval.reasons else Reason.LOOK_AGAIN)
        case Verdict.INVALID if decision == Postpone.__name__:
            return TIME_IS_OVER
        case Verdict.INVALID:
            return NOT_EDITABLE if approval.kind is not TaskKind.SEND else text_problem(text) or FIXED_TEXT
    return None


def why_closed(approval: Approval) -> Note:
    """Return why no decision about a card is possible any more."""
    if approval.task_status is TaskStatus.AWAITING_DECISION:
        return ONE_BY_ONE
    if approval.state is ApprovalState.SUPERSEDED:
        return Note(Reason.REPLACED)
    return Note(_CLOSED.get(approval.task_status, Reason.DECIDED_MEANWHILE))


def _other(
    tx: Transaction,
    approval: Approval,
    decision: Edit | Reject | RejectPlan | Postpone,
    environment: TransactionEnvironment,
) -> Taken:
    match decision:
        case Reject():
            return _reject(tx, approval, decision, environment)
        case RejectPlan():
            events = reject_rest(tx, approval.graph_id, decision.reason, environment.now())
            return Outcome(Verdict.ACCEPTED, tx.approvals.get(approval.approval_id)), events
        case Edit():
            return _edit(tx, approval, decision)
        case Postpone():
            return _postpone(tx, approval, decision, environment)


def _approve(
    tx: Transaction,
    approval: Approval,
    request: DecisionRequest,
    environment: TransactionEnvironment,
    *,
    in_batch: bool,
) -> Taken:
    if in_batch and always_asks(tx, approval):
        return _refused(Verdict.CLOSED, approval, ONE_BY_ONE)
    if _has_grown_old(approval, environment):
        approval = _mark_old(tx, approval)
        return Outcome(Verdict.CHANGED, approval, Note(Reason.GREW_OLD)), changed(tx, approval)
    # The caller can't have seen the future.
    acknowledged = min(request.seen_up_to, tx.revision) if not in_batch else approval.seen_up_to
    seen_up_to = max(acknowledged, approval.seen_up_to)
    if approval.changed_at > seen_up_to:
        return _refused(Verdict.CHANGED, approval)
    text = approval.text
    if isinstance(request.decision, ApproveEdited) and approval.kind is TaskKind.SEND:
        # Telegram trims blanks at both ends; store exactly what will arrive.
        text = request.decision.text.strip()
    edited = text != approval.text
    problem = _problem(tx, approval, request.decision, text)
    if problem:
        return _refused(Verdict.INVALID, approval, problem)
    version = approval.version + (1 if edited else 0)
    covers_up_to = _answers_up_to(tx, approval)
    approved = replace(approval, text=text, version=version, seen_up_to=seen_up_to, covers_up_to=covers_up_to)
    approved = approve(tx, approved, environment)
    events = mark_later_steps(tx, approval.task_id) if approved.is_edited else []
    return Outcome(Verdict.ACCEPTED, approved), [*events, *_resolved(tx, approved)]


def _answers_up_to(tx: Transaction, approval: Approval) -> MessageId:
    """Return up to where an approval answers; in a DM this includes newer messages that the operator acknowledged."""
    chat = tx.chats.get(approval.chat_id)
    if chat.info.kind is not ChatKind.DM or not approval.is_stale:
        return approval.covers_up_to
    return max(approval.covers_up_to, chat.newest_in_id)


def _problem(tx: Transaction, approval: Approval, decision: Decision, text: str) -> Note | None:
    if approval.kind is not TaskKind.SEND:
        return NOT_EDITABLE if isinstance(decision, ApproveEdited | Edit) else None
    if text != approval.text and is_partly_sent(tx, approval):
        return FIXED_TEXT
    return storing_problem(text) if isinstance(decision, Edit) else text_problem(text)


def _has_grown_old(approval: Approval, environment: TransactionEnvironment) -> bool:
    """Return whether a draft has become 12 hours old and was not marked yet."""
    if approval.origin is Origin.OPERATOR or AskReason.OLD in approval.reasons:
        return False
    return environment.now() - approval.created_at >= OLD_AFTER


def _mark_old(tx: Transaction, approval: Approval) -> Approval:
    reasons = with_reason(approval.reasons, AskReason.OLD)
    tx.approvals.save(replace(approval, reasons=reasons, changed_at=tx.revision, version=approval.version + 1))
    return tx.approvals.get(approval.approval_id)


def _reject(tx: Transaction, approval: Approval, decision: Reject, environment: TransactionEnvironment) -> Taken:
    """Skip one send; the steps behind it stay, with a note."""
    move_task(tx, tx.tasks.get(approval.task_id), TaskStatus.SKIPPED, reason=Note(NoteKind.REJECTED))
    decided = replace(approval, decided_at=environment.now(), decided_by=OPERATOR, note=rejection(decision.reason))
    move_approval(tx, decided, ApprovalState.REJECTED)
    void_prepared(tx, approval)
    events = complete_step(tx, approval.task_id, environment, how=StepOutcome.SKIPPED)
    rejected = tx.approvals.get(approval.approval_id)
    return Outcome(Verdict.ACCEPTED, rejected), [*events, *_resolved(tx, rejected)]


def _edit(tx: Transaction, approval: Approval, decision: Edit) -> Taken:
    """Store what the operator is typing; blank texts are allowed here."""
    problem = _problem(tx, approval, decision, decision.text)
    if problem:
        return _refused(Verdict.INVALID, approval, problem)
    if decision.text == approval.text:
        return Outcome(Verdict.ACCEPTED, approval), []
    reasons = approval.reasons
    if not text_problem(decision.text):
        reasons = tuple(reason for reason in reasons if reason is not AskReason.UNSENDABLE) or (AskReason.REVIEW,)
    note = None if approval.note == TICKED_NOTE else approval.note  # the new text was not approved under the hold
    tx.approvals.save(replace(approval, text=decision.text, reasons=reasons, note=note, version=approval.version + 1))
    edited = tx.approvals.get(approval.approval_id)
    return Outcome(Verdict.ACCEPTED, edited), changed(tx, edited)


def _postpone(tx: Transaction, approval: Approval, decision: Postpone, environment: TransactionEnvironment) -> Taken:
    if decision.until is not None and decision.until <= environment.now():
        return _refused(Verdict.INVALID, approval, TIME_IS_OVER)
    tx.approvals.save(replace(approval, postponed_until=decision.until))
    postponed = tx.approvals.get(approval.approval_id)
    return Outcome(Verdict.ACCEPTED, postponed), changed(tx, postponed)


def _undo(tx: Transaction, approval: Approval) -> Taken:
    """Undo an approval, whatever version the card shows, because this can only prevent a send."""
    if approval.task_status is not TaskStatus.APPROVED:
        return _refused(Verdict.CLOSED, approval)
    reopened = back_to_review(tx, approval, None, None)
    return Outcome(Verdict.ACCEPTED, reopened), _resolved(tx, reopened)


def _refused(verdict: Verdict, approval: Approval, why: Note | None = None) -> Taken:
    return Outcome(verdict, approval, why or explanation(verdict, approval)), []


def _resolved(tx: Transaction, approval: Approval) -> list[EngineEvent]:
    return [ApprovalResolved(approval, tx.revision), ChatChanged(tx.chats.get(approval.chat_id), tx.revision)]
