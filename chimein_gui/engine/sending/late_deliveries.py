"""What was given up as "perhaps not delivered" and arrives after all."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from chimein_gui.domain.approvals import AskReason, with_reason
from chimein_gui.domain.notes import Note, NoteKind
from chimein_gui.domain.tasks import FINAL, TaskStatus
from chimein_gui.engine.sending.reconciliation import REPEAT_WITHIN, fits
from chimein_gui.engine.tasks.transitions import back_to_review, changed

if TYPE_CHECKING:
    from chimein_gui.domain.approvals import Approval
    from chimein_gui.domain.chats import Chat
    from chimein_gui.domain.events import EngineEvent
    from chimein_gui.domain.messages import Message
    from chimein_gui.engine.core.environment import TransactionEnvironment
    from chimein_gui.engine.ports import Transaction

EARLIER_CAME = Note(NoteKind.EARLIER_CAME)
"""What a card says whose lost message was edited and turned up."""


def match_late_delivery(
    tx: Transaction, chat: Chat, message: Message, environment: TransactionEnvironment
) -> list[EngineEvent] | None:
    """Recognise what "perhaps was not delivered", was edited and so given up, and has arrived all the same.

    It is ours and no takeover; the card says so, and what was to follow in its place is looked at again.

    Returns:
        What changed; None: it is nothing of that.
    """
    ahead = timedelta(seconds=environment.clock_ahead_s(message.key.account_id))
    rows = tx.ledger.given_up(chat.chat_id, message.sent_at + ahead - REPEAT_WITHIN)
    fitting = [(row, tx.approvals.get(row.approval_id)) for row in rows if fits(row, message, ahead)]
    if not fitting:
        return None
    # Of equal ones the send that has not left yet is told: it can still be looked at again. Then the oldest.
    row, approval = min(fitting, key=lambda found: found[1].task_status in FINAL)
    tx.ledger.save(replace(row, message_id=message.key.message_id))
    return changed(tx, _told_of(tx, approval))


def _told_of(tx: Transaction, approval: Approval) -> Approval:
    """Say on the card that its earlier text is there; what has not left in its place asks again."""
    told = replace(approval, note=EARLIER_CAME)
    if approval.task_status in {TaskStatus.APPROVED, TaskStatus.AWAITING_DECISION}:
        told = replace(told, reasons=with_reason(approval.reasons, AskReason.CHANGED), changed_at=tx.revision)
    if approval.task_status is TaskStatus.APPROVED:
        return back_to_review(tx, told, AskReason.CHANGED, EARLIER_CAME)
    if approval.task_status is TaskStatus.AWAITING_DECISION:
        told = replace(told, version=approval.version + 1)
    tx.approvals.save(told)
    return tx.approvals.get(approval.approval_id)
