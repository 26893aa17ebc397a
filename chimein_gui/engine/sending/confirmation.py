"""The effects of a request's outcome on the store: one function per outcome, for one transaction.

Functions that take a transaction run on the writer thread.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from chimein_gui.domain.approvals import AskReason, with_reason
from chimein_gui.domain.chats import ChatKind
from chimein_gui.domain.events import ChatChanged, EngineEvent, MessageStored, TaskStatusChanged
from chimein_gui.domain.ids import UserId
from chimein_gui.domain.messages import Media, Message, MessageKey
from chimein_gui.domain.notes import Note, NoteKind
from chimein_gui.domain.tasks import FINAL, ApprovalState, LedgerState, TaskKind, TaskStatus
from chimein_gui.engine.policy.hold_check import hold_note
from chimein_gui.engine.policy.server_waits import begin_server_wait, waits_until
from chimein_gui.engine.sending.claim_checks import against_next_part
from chimein_gui.engine.tasks.completion import StepOutcome, complete_step
from chimein_gui.engine.tasks.transitions import back_to_review, changed, move_approval, move_ledger, move_task

if TYPE_CHECKING:
    from chimein_gui.domain.approvals import Approval
    from chimein_gui.domain.ids import ApprovalId, LedgerId
    from chimein_gui.domain.plans.stickers import StickerRef
    from chimein_gui.engine.core.environment import TransactionEnvironment
    from chimein_gui.engine.ports import LedgerRow, SentReceipt, ServerWait, TaskRow, Transaction

MESSAGE_KINDS = frozenset({TaskKind.SEND, TaskKind.STICKER, TaskKind.FILE})
"""Kinds that create a message in the chat."""

FRESH = timedelta(seconds=60)
"""For this long after part 1, further parts follow without checking the conversation again."""

UNANSWERED = Note(NoteKind.UNANSWERED)

SENT_AGAIN = Note(NoteKind.SENT_AGAIN)
AFTER_RETRY = Note(NoteKind.AFTER_RETRY)
"""Note of a card whose repeated send has arrived."""


WRITING_FORBIDDEN = frozenset(
    {
        "CHANNEL_PRIVATE",
        "CHAT_ADMIN_REQUIRED",
        "CHAT_RESTRICTED",
        "CHAT_SEND_PLAIN_FORBIDDEN",
        "CHAT_WRITE_FORBIDDEN",
        "USER_BANNED_IN_CHANNEL",
    }
)
"""Refusals that concern a whole group; messages there do not trigger plans any more."""


def confirm_part(
    tx: Transaction, row_id: LedgerId, message: Message | None, environment: TransactionEnvironment
) -> list[EngineEvent]:
    """Record that a request was executed; a second confirmation changes nothing.

    Args:
        tx: The transaction.
        row_id: The request.
        message: The sent message, if it is known.
        environment: State outside of the database, for the following steps.
    """
    row = tx.ledger.get(row_id)
    approval = tx.approvals.get(row.approval_id)
    if row.state is LedgerState.SENT:
        return _name_message(tx, approval, row, message)
    if row.state not in {LedgerState.SENDING, LedgerState.UNKNOWN}:
        return []
    message_id = message.key.message_id if message is not None else None
    move_ledger(tx, row, LedgerState.SENT, message_id=message_id)
    if row.kind in MESSAGE_KINDS:
        tx.chats.set_may_write(approval.chat_id, may_write=True)  # a mark that forbids it is wrong now
        tx.chats.set_answered_up_to(approval.chat_id, approval.covers_up_to)
    return _store_message(tx, approval, message) + _settled_as_sent(tx, approval, environment)


def _settled_as_sent(tx: Transaction, approval: Approval, environment: TransactionEnvironment) -> list[EngineEvent]:
    """Update a send after an executed request: it is done with its last one, else the next part follows.

    A send that is back in review as "perhaps not delivered" leaves it.
    """
    approval_id, task = approval.approval_id, tx.tasks.get(approval.task_id)
    if task.status in FINAL:
        return changed(tx, tx.approvals.get(approval_id))
    if _open_rows(tx, approval_id):
        return _go_on(tx, approval, task)
    if task.status is TaskStatus.AWAITING_DECISION:
        late = replace(approval, decided_at=environment.now(), note=Note(NoteKind.DELIVERED_AFTER_ALL))
        move_approval(tx, late, ApprovalState.APPROVED)
        task = move_task(tx, task, TaskStatus.APPROVED)
    elif approval.note:
        tx.approvals.save(replace(approval, note=AFTER_RETRY if approval.note == SENT_AGAIN else None))
    way = (TaskStatus.SENDING, TaskStatus.DONE) if task.status is TaskStatus.APPROVED else (TaskStatus.DONE,)
    move_task(tx, task, *way)
    events = list(complete_step(tx, approval.task_id, environment, how=StepOutcome.DONE))
    return events + changed(tx, tx.approvals.get(approval_id))


def outcome_unknown(tx: Transaction, row_id: LedgerId) -> list[EngineEvent]:
    """Record that no answer came after the hand-over: the outcome is unknown."""
    row = tx.ledger.get(row_id)
    if row.state is not LedgerState.SENDING:
        return []
    approval = tx.approvals.get(row.approval_id)
    move_ledger(tx, row, LedgerState.UNKNOWN)
    move_task(tx, tx.tasks.get(approval.task_id), TaskStatus.UNKNOWN, reason=UNANSWERED)
    return changed(tx, tx.approvals.get(row.approval_id))


def put_back(
    tx: Transaction,
    row_id: LedgerId,
    wait: ServerWait | None,
    note: Note,
    environment: TransactionEnvironment,
    *,
    repeated: bool,
) -> list[EngineEvent]:
    """Record that nothing was done now, but may be later: no connection, or a wait of Telegram's.

    If the request was a repetition, the outcome of the first attempt stays unknown.

    Args:
        tx: The transaction.
        row_id: The request.
        wait: Telegram's wait, or None.
        note: What it waits for.
        environment: Under hold the send returns to review.
        repeated: The same bytes were handed over before, with an unknown outcome.
    """
    row = tx.ledger.get(row_id)
    if row.state is not LedgerState.SENDING:
        return []
    events = begin_server_wait(tx, wait) if wait is not None else []
    if repeated:
        return events + outcome_unknown(tx, row_id)
    approval = tx.approvals.get(row.approval_id)
    move_ledger(tx, row, LedgerState.PREPARED, claimed_at=None)
    # The reason alone is enough: a hold was released during the request, and nothing was decided since.
    if AskReason.HELD in approval.reasons or hold_note(tx, environment, approval.account_id, approval.chat_id):
        return events + _to_review(tx, approval, AskReason.HELD, note)
    move_task(tx, tx.tasks.get(approval.task_id), TaskStatus.APPROVED, reason=note)
    tx.approvals.save(replace(approval, note=note))
    return events + changed(tx, tx.approvals.get(row.approval_id))


def account_frozen(tx: Transaction, row_id: LedgerId, code: str, *, repeated: bool) -> list[EngineEvent]:
    """Record that Telegram has frozen the account: this send returns to review, other approved ones wait."""
    return _account_may_not(tx, row_id, AskReason.FROZEN, code, repeated=repeated)


def account_limited(tx: Transaction, row_id: LedgerId, code: str, *, repeated: bool) -> list[EngineEvent]:
    """Record that Telegram has limited the account (PEER_FLOOD): this and its automatic sends return to review."""
    row = tx.ledger.get(row_id)
    if row.state is LedgerState.SENDING:
        tx.accounts.set_limited(tx.approvals.get(row.approval_id).account_id, code)
    return _account_may_not(tx, row_id, AskReason.LIMITED, code, repeated=repeated)


def _account_may_not(
    tx: Transaction, row_id: LedgerId, reason: AskReason, code: str, *, repeated: bool
) -> list[EngineEvent]:
    row = tx.ledger.get(row_id)
    if row.state is not LedgerState.SENDING:
        return []
    approval = tx.approvals.get(row.approval_id)
    if repeated:
        return _repetition_refused(tx, approval, row, code)
    move_ledger(tx, row, LedgerState.PREPARED, claimed_at=None)
    return _to_review(tx, approval, reason, Note(NoteKind.LIMITED, code))


def refused(
    tx: Transaction, row_id: LedgerId, code: str, environment: TransactionEnvironment, *, repeated: bool
) -> list[EngineEvent]:
    """Record a permanent refusal by Telegram; steps that depend on this send are cancelled.

    If the request was a repetition, the outcome of the first attempt stays unknown and the operator decides. A group in
    which the account may not write at all is marked, until there is evidence that it may.

    Args:
        tx: The transaction.
        row_id: The request.
        code: Telegram's name of the refusal.
        environment: State outside of the database, for the following steps.
        repeated: The same bytes were handed over before, with an unknown outcome.
    """
    row = tx.ledger.get(row_id)
    if row.state is not LedgerState.SENDING:
        return []
    approval = tx.approvals.get(row.approval_id)
    # A partner who refuses messages can still write, and then triggers.
    if code in WRITING_FORBIDDEN and tx.chats.get(approval.chat_id).info.kind is not ChatKind.DM:
        tx.chats.set_may_write(approval.chat_id, may_write=False)
    if repeated:
        return _repetition_refused(tx, approval, row, code)
    move_ledger(tx, row, LedgerState.FAILED)
    for rest in _open_rows(tx, row.approval_id):
        move_ledger(tx, rest, LedgerState.VOID)
    note = Note(NoteKind.REFUSED, code, number=row.part + 1 if row.part else 0)
    move_task(tx, tx.tasks.get(approval.task_id), TaskStatus.FAILED, reason=note)
    tx.approvals.save(replace(approval, note=note))
    events = list(complete_step(tx, approval.task_id, environment, how=StepOutcome.FAILED))
    return events + changed(tx, tx.approvals.get(row.approval_id))


def next_part(
    tx: Transaction, approval_id: ApprovalId, environment: TransactionEnvironment
) -> tuple[LedgerRow | None, list[EngineEvent]]:
    """Change the next part of a split text to *sending*, just before its own hand-over, or say why it has to wait.

    Actions of the operator and Telegram's waits are checked before each part, the conversation only if more than 60 s
    have passed since part 1.
    """
    approval = tx.approvals.get(approval_id)
    rest = _open_rows(tx, approval_id)
    if approval.task_status is not TaskStatus.SENDING or not rest:
        return None, []
    against = against_next_part(tx, approval, environment)
    if against is not None:
        return None, changed(
            tx, back_to_review(tx, approval, against.reason, Note(NoteKind.PART_SENT, cause=against.note))
        )
    wait_until = waits_until(tx, approval, environment.now())
    if wait_until is not None:  # told to another send of the account meanwhile
        note = Note(NoteKind.SERVER_WAIT, number=round((wait_until - environment.now()).total_seconds()))
        move_task(tx, tx.tasks.get(approval.task_id), TaskStatus.APPROVED, reason=note)
        tx.approvals.save(replace(approval, note=note))
        return None, changed(tx, tx.approvals.get(approval_id))
    rows = tx.ledger.of_approval(approval_id)
    began = min((row.claimed_at for row in rows if row.claimed_at is not None), default=environment.now())
    if approval.is_stale and environment.now() - began > FRESH:
        return None, _to_review(tx, approval, AskReason.CHANGED, Note(NoteKind.WENT_ON_BETWEEN))
    row = replace(rest[0], claimed_at=environment.now(), by_rule=approval.by_rule)
    return move_ledger(tx, row, LedgerState.SENDING), [TaskStatusChanged(approval, tx.revision)]


def own_message(approval: Approval, row: LedgerRow, receipt: SentReceipt) -> Message | None:
    """Build our copy of the sent message, because Telegram's answer may lack half of it."""
    if receipt.message_id is None or receipt.sent_at is None:
        return None
    sticker, file = row.sticker, row.file
    media_kind = "sticker" if sticker is not None else file.media_kind if file is not None else ""
    media = sticker_media(sticker) if sticker is not None else receipt.media if file is not None else None
    return Message(
        key=MessageKey(approval.account_id, approval.peer_id, receipt.message_id),
        sender_id=UserId(approval.account_id),
        sender_name=approval.agent_name,
        out=True,
        sent_at=receipt.sent_at,
        text=row.text if sticker is None else "",
        entities=row.entities,
        reply_to_id=row.reply_to_id,
        media_kind=media_kind,
        document_id=media.file_id if media is not None else None,
        media=media,
    )


def sticker_media(sticker: StickerRef) -> Media:
    """Return what is known of a sticker's file before it is fetched."""
    return Media(sticker.document_id, sticker.mime_type, emoji=sticker.emoji, set_name=sticker.set_name)


def _open_rows(tx: Transaction, approval_id: ApprovalId) -> list[LedgerRow]:
    return [row for row in tx.ledger.of_approval(approval_id) if row.state is not LedgerState.SENT]


def _go_on(tx: Transaction, approval: Approval, task: TaskRow) -> list[EngineEvent]:
    """Prepare the remaining parts: after an answer they follow at once, else by a new claim or a decision."""
    if task.status is TaskStatus.UNKNOWN:
        move_task(tx, task, TaskStatus.SENDING, TaskStatus.APPROVED, reason=Note(NoteKind.NEXT_PART))
    elif task.status is TaskStatus.AWAITING_DECISION:
        others = tuple(reason for reason in approval.reasons if reason != AskReason.NOT_DELIVERED)
        reasons = with_reason(others, AskReason.PARTLY_SENT)
        tx.approvals.save(replace(approval, reasons=reasons, version=approval.version + 1))
    return changed(tx, tx.approvals.get(approval.approval_id))


def _to_review(tx: Transaction, approval: Approval, reason: AskReason, note: Note) -> list[EngineEvent]:
    return changed(tx, back_to_review(tx, approval, reason, note))


def _repetition_refused(tx: Transaction, approval: Approval, row: LedgerRow, code: str) -> list[EngineEvent]:
    move_ledger(tx, row, LedgerState.UNKNOWN)
    move_task(tx, tx.tasks.get(approval.task_id), TaskStatus.UNKNOWN, reason=UNANSWERED)
    note = Note(NoteKind.REPEAT_REFUSED, code)
    return changed(tx, back_to_review(tx, approval, AskReason.NOT_DELIVERED, note))


def _store_message(tx: Transaction, approval: Approval, message: Message | None) -> list[EngineEvent]:
    if message is None or not tx.messages.put(approval.chat_id, message):
        return []
    return [MessageStored(approval.chat_id, message, tx.revision)]


def _name_message(tx: Transaction, approval: Approval, row: LedgerRow, message: Message | None) -> list[EngineEvent]:
    """Correct the message of a request: the answer is more reliable than a match found before."""
    if message is None or row.message_id == message.key.message_id:
        return []
    tx.ledger.save(replace(row, message_id=message.key.message_id))
    stored = _store_message(tx, approval, message)
    return [*stored, ChatChanged(tx.chats.get(approval.chat_id), tx.revision)] if stored else []
