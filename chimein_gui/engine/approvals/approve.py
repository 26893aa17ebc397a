"""The operator's yes, or a named rule's: what an approval commits, and the requests that it becomes.

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
    """Draw a number for Telegram's de-duplication: signed 64 bit, never 0."""
    return RandomId(secrets.randbits(63) + 1 - (1 << 62))


def requests_for(approval: Approval, up_to: MessageId = MessageId(0)) -> tuple[NewRequest, ...]:
    """Make the requests of a card, each with a number of its own.

    Args:
        approval: What was decided upon.
        up_to: For `clear-conversation`: the newest message id the operator saw; 0 means: what its prompt held.
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


def prepare_requests(
    tx: Transaction, approval: Approval, up_to: MessageId = MessageId(0), *, new_bytes: bool = False
) -> None:
    """Commit the requests of a decision, in its own transaction.

    What has left, or may have, keeps its row and its number; what has not gets a new one for this version.

    Args:
        tx: The transaction that decides.
        approval: The card, with the version that was decided upon.
        up_to: See `requests_for`.
        new_bytes: The text was edited: a part that "perhaps was not delivered" is given up, and sent as a new one.
    """
    kept: dict[int, LedgerRow] = {}
    for row in tx.ledger.of_approval(approval.approval_id):
        if row.state is LedgerState.PREPARED or (new_bytes and row.state is LedgerState.UNKNOWN):
            move_ledger(tx, row, LedgerState.VOID)
        else:
            kept[row.part] = row
    for request in requests_for(approval, up_to):
        if request.part not in kept:
            tx.ledger.prepare(approval, request)


HELD_NOTE = Note(NoteKind.APPROVED_HELD)
"""What the card says when the operator approves under hold."""


def approve(
    tx: Transaction,
    approval: Approval,
    environment: TransactionEnvironment,
    *,
    by: str = OPERATOR,
    new_bytes: bool = False,
) -> Approval:
    """Approve an open send and commit the numbers of its exact bytes with the decision.

    A request whose outcome is unknown keeps its number as long as its bytes are the same, so that Telegram can
    recognise the repetition; parts that were sent stay sent, and only the open ones follow.

    Args:
        tx: The transaction that decides; it has to be FULL.
        approval: The card, with whatever else is new in the snapshot (an edited text, its version).
        environment: The outside.
        by: ``operator``, or the name of a rule.
        new_bytes: Give up what perhaps was not delivered, even if the bytes are the same.

    Returns:
        The card as it is now.

    Raises:
        IllegalTransitionError: It does not wait for a decision.
    """
    now = environment.now()
    task = tx.tasks.get(approval.task_id)
    approved = replace(approval, decided_at=now, decided_by=by, note=None)
    if settled(tx, task):
        approved = replace(approved, due_at=due_time(tx, approved, now, environment))
    if hold_note(tx, environment, approval.account_id, approval.chat_id):
        approved = replace(approved, note=HELD_NOTE)
    if by == OPERATOR and AskReason.HELD in approval.reasons:
        # He knows of that hold; only one that comes later speaks against repeating what gets no answer.
        others = tuple(reason for reason in approval.reasons if reason is not AskReason.HELD)
        approved = replace(approved, reasons=others or (AskReason.REVIEW,))
    move_task(tx, task, TaskStatus.APPROVED)
    move_approval(tx, approved, ApprovalState.APPROVED)
    fresh = new_bytes or not _same_bytes(tx, approved)
    prepare_requests(tx, approved, _newest_seen(tx, approved), new_bytes=fresh)
    return tx.approvals.get(approval.approval_id)


def always_asks(tx: Transaction, approval: Approval) -> bool:
    """Tell whether a send is decided one by one, whatever the level, never in a batch.

    That is what cannot be taken back, the first message of this account in a chat, a text that the model did not come
    to the end of, and what perhaps was delivered already: a second yes may become a second copy.
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
    """Tell whether a part of it has arrived, so that its text is fixed."""
    return any(row.state is LedgerState.SENT for row in tx.ledger.of_approval(approval.approval_id))


def _same_bytes(tx: Transaction, approval: Approval) -> bool:
    """Tell whether what perhaps was delivered is, byte for byte, what would leave now."""
    rows = [row for row in tx.ledger.of_approval(approval.approval_id) if row.state is LedgerState.UNKNOWN]
    if not rows:
        return True
    requests = [_bytes_of(request) for request in requests_for(approval)]
    return all(_bytes_of(row) in requests for row in rows)


def _bytes_of(request: LedgerRow | NewRequest) -> tuple[object, ...]:
    return (request.part, request.text, request.entities, request.sticker, request.file)


def _newest_seen(tx: Transaction, approval: Approval) -> MessageId:
    """Return up to where a conversation may be cleared: had anybody written since, the card would be stale."""
    if approval.kind is not TaskKind.CLEAR_CONVERSATION:
        return MessageId(0)
    return tx.messages.newest_id(approval.account_id, approval.peer_id)
