"""Finds out the outcome of requests without an answer.

The steps are those of docs/behaviour.md, "How an unknown outcome is resolved".

Functions that take a transaction run on the writer thread or on the reader thread.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from enum import StrEnum
from typing import TYPE_CHECKING

from chimein_gui.domain.approvals import AskReason, with_reason
from chimein_gui.domain.chats import ChatKind, MuteState
from chimein_gui.domain.ids import MessageId
from chimein_gui.domain.messages import same_words
from chimein_gui.domain.notes import Note, NoteKind
from chimein_gui.domain.tasks import FINAL, LedgerState, Origin, TaskKind, TaskStatus
from chimein_gui.engine.policy.hold_check import hold_note
from chimein_gui.engine.policy.server_waits import waits_until
from chimein_gui.engine.sending.claim_checks import REPEAT_GATES, first_hindrance
from chimein_gui.engine.sending.claim_view import view_of
from chimein_gui.engine.sending.confirmation import MESSAGE_KINDS, SENT_AGAIN, confirm_part
from chimein_gui.engine.tasks.next_action import Claim
from chimein_gui.engine.tasks.transitions import back_to_review, changed, move_ledger, move_task

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from chimein_gui.domain.approvals import Approval
    from chimein_gui.domain.chats import Chat
    from chimein_gui.domain.events import EngineEvent
    from chimein_gui.domain.ids import AccountId, LedgerId
    from chimein_gui.domain.messages import Message
    from chimein_gui.domain.plans.outgoing_files import OutgoingFile
    from chimein_gui.engine.core.environment import TransactionEnvironment
    from chimein_gui.engine.ports import Clock, LedgerRow, TelegramGateway, Transaction

ANSWER_S = 20.0
"""Seconds to wait for an answer; after that the outcome is unknown."""

PAGE = 100
"""Messages per page of a look-up."""

MOST_PAGES = 20
"""Most pages of a look-up."""

CLOCK_SLACK = timedelta(seconds=60)
"""How much older than the claim a message may be to count as its outcome (step 2)."""

REPEAT_WITHIN = timedelta(minutes=10)
"""For this long after its claim a request is repeated automatically, with the same `random_id` (step 3)."""

HELD_LOOK_S = 60.0
"""Seconds between two look-ups while a hold prevents a decision."""

MUTE_LOOK_S = 1.0
"""Seconds between two look-ups while the chat's mute is unknown."""

UPLOAD_LOOK_S = 15.0
"""Seconds between two look-ups while the file of a repetition is uploaded; the upload's end wakes the chat."""

_MOVED = "chat_migrate_to"


class Resolution(StrEnum):
    """Result of a look-up."""

    SETTLED = "settled"
    """Sent, or back in review: the chat continues."""
    AGAIN = "again"
    """Still unknown; look up again later."""
    REPEAT = "repeat"
    """The same bytes are sent again."""


@dataclass(frozen=True, slots=True)
class Resolved:
    """The stored result of a look-up.

    Attributes:
        resolution: The result.
        events: Events to publish.
        at: For AGAIN: time of the next look-up, aware UTC.
        claim: For REPEAT: the claim to dispatch; its row is `sending`.
    """

    resolution: Resolution
    events: list[EngineEvent]
    at: datetime | None = None
    claim: Claim | None = None


def claim_of_update(
    tx: Transaction, chat: Chat, message: Message, environment: TransactionEnvironment
) -> list[EngineEvent] | None:
    """Match an outgoing message with one of our requests, and confirm that request (step 1).

    Args:
        tx: The transaction that stores the message.
        chat: Its conversation.
        message: Outgoing, from an update or a difference.
        environment: State outside of the database, for the following steps.

    Returns:
        Events to publish; None if it is the operator's own message.
    """
    key = message.key
    if tx.ledger.owner_of(key.account_id, key.peer_id, key.message_id) is not None:
        return []
    in_doubt = tx.ledger.in_doubt(chat.chat_id)
    ahead = _ahead(environment, key.account_id)
    since = message.sent_at + ahead - REPEAT_WITHIN - CLOCK_SLACK
    nameless = tx.ledger.nameless(chat.chat_id, since)
    fitting = [row for row in (*in_doubt, *nameless) if fits(row, message, ahead)]
    if not fitting:
        if not message.is_service:
            tx.chats.set_may_write(chat.chat_id, may_write=True)
        return None
    # Current requests come before those in review; then the oldest.
    row = min(fitting, key=lambda one: (_in_review(tx, one), one.claimed_at or environment.now(), one.ledger_id))
    return confirm_part(tx, row.ledger_id, message, environment)


async def history_since(
    gateway: TelegramGateway, clock: Clock, approval: Approval, claimed_at: datetime | None
) -> tuple[Message, ...]:
    """Read the chat back to just before the claim (step 2); returns it oldest first.

    Raises:
        GatewayError: It cannot be read.
        TimeoutError: A page was not answered.
    """
    found: tuple[Message, ...] = ()
    below = MessageId(0)
    since = None if claimed_at is None else claimed_at - CLOCK_SLACK - timedelta(seconds=gateway.clock_ahead_s())
    for _ in range(MOST_PAGES):
        async with clock.timeout(ANSWER_S):
            page = await gateway.history(approval.peer_id, limit=PAGE, below_id=below)
        found = (*page, *found)
        if not page or since is None or page[0].sent_at < since:
            break
        below = page[0].key.message_id
    return found


def find_delivered(
    tx: Transaction,
    approval: Approval,
    row: LedgerRow,
    history: Sequence[Message],
    ahead: timedelta = timedelta(0),
) -> Message | None:
    """Return the oldest outgoing message that can only be this request and belongs to no other, or None.

    A stored message without a request is the operator's own, because at its update no request of ours matched. `ahead`
    is how far our clock is ahead of Telegram's.
    """
    since = (row.claimed_at or approval.created_at) - REPEAT_WITHIN - CLOCK_SLACK
    delivered = [one for one in tx.ledger.nameless(approval.chat_id, since) if one.ledger_id != row.ledger_id]
    for message in history:
        if not fits(row, message, ahead) or tx.messages.get(message.key) is not None:
            continue
        if tx.ledger.owner_of(approval.account_id, approval.peer_id, message.key.message_id) is not None:
            continue
        other = next((one for one in delivered if fits(one, message, ahead)), None)
        if other is None:
            return message
        delivered.remove(other)  # the message of an equal request before this one
    return None


def confirm_found(
    tx: Transaction, row_id: LedgerId, history: Sequence[Message], environment: TransactionEnvironment
) -> list[EngineEvent]:
    """Confirm a request that Telegram delivered before (RANDOM_ID_DUPLICATE); its message is found by step 2."""
    row = tx.ledger.get(row_id)
    approval = tx.approvals.get(row.approval_id)
    found = find_delivered(tx, approval, row, history, _ahead(environment, approval.account_id))
    return confirm_part(tx, row_id, found, environment)


def reconcile_unknown(
    tx: Transaction,
    row_id: LedgerId,
    history: Sequence[Message],
    environment: TransactionEnvironment,
    *,
    done: bool = False,
    looked: bool = True,
) -> Resolved:
    """Decide on a request without an answer, after a look-up in the chat (steps 2 to 4); under hold only step 2.

    Args:
        tx: The transaction.
        row_id: The request.
        history: The chat's messages since the claim.
        environment: State outside of the database.
        done: The look-up of an action without a message shows that it was executed.
        looked: False if Telegram does not allow the look-up, so that nothing is repeated automatically.
    """
    row = tx.ledger.get(row_id)
    approval = tx.approvals.get(row.approval_id)
    if row.state is not LedgerState.UNKNOWN or approval.task_status is not TaskStatus.UNKNOWN:
        return Resolved(Resolution.SETTLED, [])
    found = find_delivered(tx, approval, row, history, _ahead(environment, approval.account_id))
    if found is not None or done:
        return Resolved(Resolution.SETTLED, confirm_part(tx, row_id, found, environment))
    if hold_note(tx, environment, approval.account_id, approval.chat_id):
        return Resolved(Resolution.AGAIN, [], environment.now() + timedelta(seconds=HELD_LOOK_S))
    against = (
        _against_repeating(tx, approval, row, environment, history)
        if looked
        else _Against(None, Note(NoteKind.CANNOT_LOOK))
    )
    if against is not None:
        reasons = with_reason(approval.reasons, AskReason.NOT_DELIVERED)
        reopened = back_to_review(tx, replace(approval, reasons=reasons), against.reason, against.note)
        return Resolved(Resolution.SETTLED, changed(tx, reopened))
    waits = _waits_until(tx, approval, environment)
    if waits is not None:
        return Resolved(Resolution.AGAIN, [], waits)
    move_task(tx, tx.tasks.get(approval.task_id), TaskStatus.SENDING)
    row = move_ledger(tx, row, LedgerState.SENDING)
    tx.approvals.save(replace(approval, note=SENT_AGAIN))
    approval = tx.approvals.get(row.approval_id)
    return Resolved(Resolution.REPEAT, changed(tx, approval), claim=Claim(approval, row, repeated=True))


def _waits_until(tx: Transaction, approval: Approval, environment: TransactionEnvironment) -> datetime | None:
    """Return until when a repetition has to wait, for Telegram, the mute look-up or the upload; None if it need not."""
    now = environment.now()
    if view_of(tx, approval, environment).mute is MuteState.AWAITED:
        return now + timedelta(seconds=MUTE_LOOK_S)
    if approval.file is not None and not environment.is_uploaded(approval.approval_id):
        return now + timedelta(seconds=UPLOAD_LOOK_S)
    return waits_until(tx, approval, now)


@dataclass(frozen=True, slots=True)
class _Against:
    """Why the same bytes are not sent again automatically."""

    reason: AskReason | None
    note: Note


def _against_repeating(
    tx: Transaction, approval: Approval, row: LedgerRow, environment: TransactionEnvironment, history: Sequence[Message]
) -> _Against | None:
    """Return what forbids a repetition (step 3); None if nothing does."""
    if row.claimed_at is None or not _is_young(environment.now() - row.claimed_at):
        return _not_found()
    since = row.claimed_at - CLOCK_SLACK - _ahead(environment, approval.account_id)
    if any(message.media_kind == _MOVED and message.sent_at >= since for message in history):
        # The random_id would go to another peer, which may not know it.
        return _not_found(cause=Note(NoteKind.BECAME_SUPERGROUP))
    if AskReason.HELD in approval.reasons:
        return _not_found(AskReason.HELD, Note(NoteKind.HELD_MEANWHILE))
    if approval.origin is not Origin.OPERATOR and _partner_wrote(
        tx, approval, row.claimed_at - _ahead(environment, approval.account_id)
    ):
        return _not_found(AskReason.CHANGED, Note(NoteKind.WENT_ON_MEANWHILE))
    hindered = first_hindrance(view_of(tx, approval, environment), REPEAT_GATES)
    return _not_found(hindered[1].reason, hindered[1].note) if hindered is not None else None


def _not_found(reason: AskReason | None = None, cause: Note | None = None) -> _Against:
    return _Against(reason, Note(NoteKind.NOT_FOUND, cause=cause))


def _is_young(age: timedelta) -> bool:
    """Return whether Telegram certainly still knows the random_id; if the clock was set back, the age is unknown."""
    return -CLOCK_SLACK <= age < REPEAT_WITHIN


def _partner_wrote(tx: Transaction, approval: Approval, since: datetime) -> bool:
    """Return whether, in a DM, any message came after the claim, seen or not.

    `since` is in Telegram's time, which has whole seconds.
    """
    if tx.chats.get(approval.chat_id).info.kind is not ChatKind.DM:
        return False
    newer = tx.messages.incoming_above(
        approval.account_id, approval.peer_id, above_id=approval.covers_up_to, limit=PAGE
    )
    return any(message.sent_at >= since.replace(microsecond=0) for message in newer if not message.is_service)


def _ahead(environment: TransactionEnvironment, account_id: AccountId) -> timedelta:
    """Return how far our clock, used by claims, is ahead of Telegram's, used by messages."""
    return timedelta(seconds=environment.clock_ahead_s(account_id))


def fits(row: LedgerRow, message: Message, ahead: timedelta) -> bool:
    """Return whether a message can be the result of this request: same text or file, same reply target, not older."""
    if row.kind not in MESSAGE_KINDS or not message.out or message.is_service or message.is_automatic:
        return False
    if message.reply_to_id != row.reply_to_id:
        return False
    if row.claimed_at is not None and message.sent_at + ahead < row.claimed_at - CLOCK_SLACK:
        return False
    if row.kind is TaskKind.SEND:
        return not message.media_kind and same_words(message.text, row.text)
    if row.file is not None:
        return _is_file(row.file, message) and same_words(message.text, row.text)
    return _is_sticker(row, message)


def _is_sticker(row: LedgerRow, message: Message) -> bool:
    if row.sticker is not None and message.document_id is not None:
        return message.document_id == row.sticker.document_id
    return message.media_kind == "sticker"


def _is_file(file: OutgoingFile, message: Message) -> bool:
    """Return whether a message contains this file: Telegram converts photos, and leaves files unchanged."""
    if message.media_kind != file.media_kind:
        return False
    size = message.media.size if message.media is not None else 0
    return file.as_photo or not size or size == file.size


def _in_review(tx: Transaction, row: LedgerRow) -> bool:
    status = tx.approvals.get(row.approval_id).task_status
    return status not in {TaskStatus.SENDING, TaskStatus.UNKNOWN}


EARLIER_CAME = Note(NoteKind.EARLIER_CAME)
"""Note of a card whose earlier text, given up as lost before an edit, has arrived."""


def match_late_delivery(
    tx: Transaction, chat: Chat, message: Message, environment: TransactionEnvironment
) -> list[EngineEvent] | None:
    """Match a message with a request that was given up because its "perhaps not delivered" text was edited.

    The message is ours and no takeover. The card gets a note, and what was to follow in its place is reviewed again.

    Returns:
        Events to publish; None if there is no such request.
    """
    ahead = timedelta(seconds=environment.clock_ahead_s(message.key.account_id))
    rows = tx.ledger.given_up(chat.chat_id, message.sent_at + ahead - REPEAT_WITHIN)
    fitting = [(row, tx.approvals.get(row.approval_id)) for row in rows if fits(row, message, ahead)]
    if not fitting:
        return None
    # Of equal ones prefer a send that is not final, because it can still be reviewed. Then the oldest.
    row, approval = min(fitting, key=lambda found: found[1].task_status in FINAL)
    tx.ledger.save(replace(row, message_id=message.key.message_id))
    return changed(tx, _noted(tx, approval))


def _noted(tx: Transaction, approval: Approval) -> Approval:
    """Note on the card that its earlier text has arrived; an unsent replacement returns to review."""
    noted = replace(approval, note=EARLIER_CAME)
    if approval.task_status in {TaskStatus.APPROVED, TaskStatus.AWAITING_DECISION}:
        noted = replace(noted, reasons=with_reason(approval.reasons, AskReason.CHANGED), changed_at=tx.revision)
    if approval.task_status is TaskStatus.APPROVED:
        return back_to_review(tx, noted, AskReason.CHANGED, EARLIER_CAME)
    if approval.task_status is TaskStatus.AWAITING_DECISION:
        noted = replace(noted, version=approval.version + 1)
    tx.approvals.save(noted)
    return tx.approvals.get(approval.approval_id)
