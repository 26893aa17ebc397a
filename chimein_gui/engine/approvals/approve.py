"""Approving a send, by the operator or a rule, and the requests that are committed with it.

Functions that take a transaction run on the writer thread or on the reader thread.
"""

from __future__ import annotations

import secrets
from dataclasses import replace
from typing import TYPE_CHECKING

from chimein_gui.domain.approvals import OPERATOR, AskReason
from chimein_gui.domain.ids import MessageId, RandomId
from chimein_gui.domain.notes import Note, NoteKind
from chimein_gui.domain.replies.splitting import split
from chimein_gui.domain.tasks import IRREVERSIBLE_KINDS, ApprovalState, LedgerState, Origin, TaskKind, TaskStatus
from chimein_gui.engine.policy.hold_check import hold_note
from chimein_gui.engine.policy.timing import due_time
from chimein_gui.engine.ports import NewRequest
from chimein_gui.engine.tasks.transitions import move_approval, move_ledger, move_task, settled
from chimein_gui.engine.text.markdown import formatted

if TYPE_CHECKING:
    from chimein_gui.domain.approvals import Approval
    from chimein_gui.engine.core.environment import TransactionEnvironment
    from chimein_gui.engine.ports import LedgerRow, Transaction


def new_random_id() -> RandomId:
    """Return a new number for Telegram's de-duplication: signed 64 bit, never 0."""
    return RandomId(secrets.randbits(63) + 1 - (1 << 62))


def requests_for(approval: Approval, up_to: MessageId = MessageId(0)) -> tuple[NewRequest, ...]:
    """Return the requests of a card, each with a new random_id.

    Args:
        approval: The approved card.
        up_to: For `clear-conversation`: the newest message id the operator saw; 0 for the newest in its prompt.
    """
    if approval.kind is TaskKind.STICKER and approval.sticker is not None:
        return (NewRequest(0, new_random_id(), approval.sticker.name, sticker=approval.sticker),)
    if approval.kind is TaskKind.FILE:
        return (NewRequest(0, new_random_id(), *formatted(approval.text), file=approval.file),)
    if approval.kind in IRREVERSIBLE_KINDS:
        clears = approval.kind is TaskKind.CLEAR_CONVERSATION
        return (NewRequest(0, new_random_id(), "", up_to=(up_to or approval.covers_up_to) if clears else MessageId(0)),)
    pieces = split(*formatted(approval.text))
    return tuple(NewRequest(index, new_random_id(), piece.text, piece.entities) for index, piece in enumerate(pieces))


def prepare_requests(tx: Transaction, approval: Approval, *, new_bytes: bool = False) -> None:
    """Store the requests of a decision, in its transaction.

    Requests that were sent, or may have been, keep their rows and random_ids; the others get new ones for this version.

    Args:
        tx: The transaction that decides.
        approval: The card, with the approved version.
        new_bytes: The text was edited: a part "perhaps not delivered" is given up and replaced by a new request.
    """
    kept: dict[int, LedgerRow] = {}
    for row in tx.ledger.of_approval(approval.approval_id):
        if row.state is LedgerState.PREPARED or (new_bytes and row.state is LedgerState.UNKNOWN):
            move_ledger(tx, row, LedgerState.VOID)
        else:
            kept[row.part] = row
    for request in requests_for(approval, _newest_seen(tx, approval)):
        if request.part not in kept:
            tx.ledger.prepare(approval, request)


HELD_NOTE = Note(NoteKind.APPROVED_HELD)
"""Note of a card that the operator approves under hold."""


def approve(
    tx: Transaction,
    approval: Approval,
    environment: TransactionEnvironment,
    *,
    by: str = OPERATOR,
    new_bytes: bool = False,
) -> Approval:
    """Approve an open send and commit the random_ids of its exact bytes with the decision.

    A request with an unknown outcome keeps its random_id if its bytes are the same, so that Telegram recognises the
    repetition. Sent parts stay sent, and only the open ones follow.

    Args:
        tx: The transaction that decides; it must be FULL.
        approval: The card, with its other changes (an edited text, its version).
        environment: State outside of the database.
        by: ``operator``, or the name of a rule.
        new_bytes: Give up requests with an unknown outcome, even if the bytes are the same.

    Returns:
        The card as it is now.

    Raises:
        IllegalTransitionError: It does not wait for a decision.
    """
    now, reasons = environment.now(), approval.reasons
    task = tx.tasks.get(approval.task_id)
    if by == OPERATOR and AskReason.HELD in reasons:
        # The operator knows of that hold; only a later one forbids repeating a request without an answer.
        reasons = tuple(reason for reason in reasons if reason is not AskReason.HELD) or (AskReason.REVIEW,)
    note = HELD_NOTE if hold_note(tx, environment, approval.account_id, approval.chat_id) else None
    approved = replace(approval, decided_at=now, decided_by=by, note=note, reasons=reasons)
    if settled(tx, task.depends_on):
        approved = replace(approved, due_at=due_time(tx, approved, now, environment))
    move_task(tx, task, TaskStatus.APPROVED)
    move_approval(tx, approved, ApprovalState.APPROVED)
    fresh = new_bytes or not _same_bytes(tx, approved)
    prepare_requests(tx, approved, new_bytes=fresh)
    return tx.approvals.get(approval.approval_id)


def always_asks(tx: Transaction, approval: Approval) -> bool:
    """Return whether a send needs a decision of its own at every level, and never in a batch.

    These are irreversible actions, the first message of this account in a chat, a cut-off reply, and a send with an
    unknown outcome, whose approval may deliver a second copy.
    """
    if approval.kind in IRREVERSIBLE_KINDS or approval.is_cut_off:
        return True
    rows = tx.ledger.of_approval(approval.approval_id)
    if any(row.state is LedgerState.UNKNOWN for row in rows):
        return True
    return approval.origin is not Origin.OPERATOR and not tx.messages.has_outgoing(
        approval.account_id, approval.peer_id
    )


def is_partly_sent(tx: Transaction, approval: Approval) -> bool:
    """Return whether a part of it has arrived, so that its text can't be changed."""
    return any(row.state is LedgerState.SENT for row in tx.ledger.of_approval(approval.approval_id))


def _same_bytes(tx: Transaction, approval: Approval) -> bool:
    """Return whether the requests with an unknown outcome have the same bytes as the approved text."""
    rows = [row for row in tx.ledger.of_approval(approval.approval_id) if row.state is LedgerState.UNKNOWN]
    if not rows:
        return True
    requests = [_bytes_of(request) for request in requests_for(approval)]
    return all(_bytes_of(row) in requests for row in rows)


def _bytes_of(request: LedgerRow | NewRequest) -> tuple[object, ...]:
    return (request.part, request.text, request.entities, request.sticker, request.file)


def _newest_seen(tx: Transaction, approval: Approval) -> MessageId:
    """Return up to where a conversation may be cleared: the newest message, as newer ones make the card stale."""
    if approval.kind is not TaskKind.CLEAR_CONVERSATION:
        return MessageId(0)
    return tx.messages.newest_id(approval.account_id, approval.peer_id)
