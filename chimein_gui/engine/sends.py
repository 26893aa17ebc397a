"""What a send does to the store: claim, confirmation, every other outcome; each in one transaction (SPEC §3a)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING

from chimein_gui.domain.approvals import AskReason, Rule, with_reason
from chimein_gui.domain.chats import ChatKind
from chimein_gui.domain.events import ChatChanged, EngineEvent, MessageStored, TaskStatusChanged
from chimein_gui.domain.ids import UserId
from chimein_gui.domain.messages import Message, MessageKey
from chimein_gui.domain.tasks import LedgerState, TaskStatus
from chimein_gui.engine.gate import ask_reasons, rule_for
from chimein_gui.engine.transitions import back_to_review, cancel_planned, earliest_departure, move_ledger, move_task

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from chimein_gui.domain.approvals import Approval
    from chimein_gui.domain.ids import ApprovalId
    from chimein_gui.domain.preferences import Preferences
    from chimein_gui.engine.ports import LedgerRow, SentReceipt, Transaction

MISFIRE = timedelta(minutes=15)
"""A send overdue by more than this goes back to review (SPEC §3, Failures)."""

CLOCK_SLACK = timedelta(seconds=60)
"""How much older than the claim a message may be to count as its outcome (SPEC §3, step 2)."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A claimed send: committed, about to be handed over."""

    approval: Approval
    row: LedgerRow


def claim(tx: Transaction, approval_id: ApprovalId, now: datetime) -> tuple[Claim | None, list[EngineEvent]]:
    """Claim one approved send; the first gate that fails decides (SPEC §3a, claim)."""
    approval = tx.approvals.get(approval_id)
    row = tx.ledger.current(approval_id)
    if approval.task_status is not TaskStatus.APPROVED or row is None:
        return None, []
    chat = tx.chats.get(approval.chat_id)
    back = ""
    if row.version != approval.version and row.state is LedgerState.PREPARED:
        back = "The text changed after it was approved"
    elif chat.info.kind is ChatKind.DM and chat.newest_in_id > approval.seen_up_to:
        back = "The conversation went on after it was approved"
        reasons = with_reason(approval.reasons, AskReason.CHANGED)
        approval = replace(approval, reasons=reasons, seen_up_to=chat.newest_in_id)
    elif approval.due_at is not None and now - approval.due_at > MISFIRE:
        back = "It is more than 15 minutes overdue"
    elif approval.decided_by in set(Rule) and rule_for(ask_reasons(tx, chat, approval.text)) is None:
        back = "The rule that approved it no longer holds"
    if back:
        return None, changed(tx, back_to_review(tx, approval, back))
    open_steps = {task.task_id: task for task in tx.tasks.current_of_chat(approval.chat_id)}
    task = open_steps[approval.task_id]
    in_doubt = any(step.status in {TaskStatus.SENDING, TaskStatus.UNKNOWN} for step in open_steps.values())
    too_early = approval.due_at is not None and now < approval.due_at
    if too_early or in_doubt or task.depends_on in open_steps:
        return None, []
    move_task(tx, task, TaskStatus.SENDING)
    row = move_ledger(tx, replace(row, claimed_at=row.claimed_at or now), LedgerState.SENDING)
    approval = replace(approval, task_status=TaskStatus.SENDING)
    return Claim(approval, row), [TaskStatusChanged(approval, tx.revision)]


def confirm_sent(
    tx: Transaction, approval: Approval, message: Message | None, now: datetime, preferences: Preferences
) -> list[EngineEvent]:
    """Record that a send arrived; confirming twice changes nothing."""
    row = tx.ledger.current(approval.approval_id)
    if row is None or row.state is LedgerState.SENT:
        return []
    message_id = message.key.message_id if message is not None else None
    move_ledger(tx, replace(row, message_id=message_id), LedgerState.SENT)
    move_task(tx, tx.tasks.get(approval.task_id), TaskStatus.DONE)
    events: list[EngineEvent] = []
    if message is not None and tx.messages.put(approval.chat_id, message):
        events.append(MessageStored(approval.chat_id, message, tx.revision))
    tx.chats.set_answered_up_to(approval.chat_id, approval.seen_up_to)
    if approval.note:
        tx.approvals.save(replace(approval, note=""))
    events += settle_dependents(tx, approval, now, preferences, note="")
    return events + changed(tx, tx.approvals.get(approval.approval_id))


def settle_dependents(
    tx: Transaction, approval: Approval, now: datetime, preferences: Preferences, *, note: str
) -> list[EngineEvent]:
    """The step is over: approved ones behind it get their due time, waiting ones are told why it matters.

    A rejected step may itself stand behind an open one: those behind it then wait for that one, so that what is sent
    keeps the order of the plan.
    """
    events: list[EngineEvent] = []
    before = tx.tasks.get(approval.task_id).depends_on
    open_steps = {task.task_id: task for task in tx.tasks.current_of_chat(approval.chat_id)}
    for task in open_steps.values():
        if task.depends_on != approval.task_id:
            continue
        waits = before in open_steps
        if waits:
            tx.tasks.save(replace(task, depends_on=before))
        follower = tx.approvals.of_task(task.task_id)
        if task.status is TaskStatus.APPROVED and not waits:
            by_rule = follower.decided_by in set(Rule)
            due = earliest_departure(now, None if by_rule else follower.decided_at, preferences, follower.text)
            tx.approvals.save(replace(follower, due_at=due))
        elif note:
            tx.approvals.save(replace(follower, note=note, version=follower.version + 1))
        events.append(TaskStatusChanged(tx.approvals.get(follower.approval_id), tx.revision))
    return events


def outcome_unknown(tx: Transaction, approval_id: ApprovalId) -> list[EngineEvent]:
    """Record that no answer came after the hand-over: neither sent nor failed."""
    approval = tx.approvals.get(approval_id)
    row = tx.ledger.current(approval_id)
    if row is None or row.state is not LedgerState.SENDING:
        return []
    move_ledger(tx, row, LedgerState.UNKNOWN)
    move_task(tx, tx.tasks.get(approval.task_id), TaskStatus.UNKNOWN, reason="no answer from Telegram")
    return changed(tx, tx.approvals.get(approval_id))


def put_back(tx: Transaction, approval_id: ApprovalId, until: datetime, note: str) -> list[EngineEvent]:
    """Record that nothing was sent and the server, or the way to it, wants us to wait."""
    approval = tx.approvals.get(approval_id)
    row = tx.ledger.current(approval_id)
    if row is None or row.state is not LedgerState.SENDING:
        return []
    move_ledger(tx, replace(row, claimed_at=None), LedgerState.PREPARED)
    move_task(tx, tx.tasks.get(approval.task_id), TaskStatus.APPROVED, reason=note)
    tx.approvals.save(replace(approval, due_at=until, note=note))
    return changed(tx, tx.approvals.get(approval_id))


def refused(tx: Transaction, approval_id: ApprovalId, explanation: str) -> list[EngineEvent]:
    """Record Telegram's final no; what depends on this send is cancelled."""
    approval = tx.approvals.get(approval_id)
    row = tx.ledger.current(approval_id)
    if row is None or row.state is not LedgerState.SENDING:
        return []
    move_ledger(tx, replace(row, error=explanation), LedgerState.FAILED)
    move_task(tx, tx.tasks.get(approval.task_id), TaskStatus.FAILED, reason=explanation)
    tx.approvals.save(replace(approval, note=explanation))
    events: list[EngineEvent] = []
    gone = {approval.task_id}
    for task in tx.tasks.current_of_chat(approval.chat_id):
        if task.depends_on in gone:
            gone.add(task.task_id)
            cancelled = cancel_planned(tx, task, "An earlier step failed")
            events.append(TaskStatusChanged(cancelled, tx.revision))
    return events + changed(tx, tx.approvals.get(approval_id))


def find_delivered(tx: Transaction, approval: Approval, row: LedgerRow, history: Sequence[Message]) -> Message | None:
    """Return the one outgoing message that can only be this send, or None (SPEC §3, step 2)."""
    since = row.claimed_at - CLOCK_SLACK if row.claimed_at is not None else None
    fitting = [
        message
        for message in history
        if message.out
        and message.text.strip() == row.text.strip()
        and message.reply_to_id == row.reply_to_id
        and (since is None or message.sent_at >= since)
        and tx.ledger.owner_of(approval.account_id, approval.peer_id, message.key.message_id) is None
    ]
    return fitting[0] if fitting else None


def own_message(approval: Approval, row: LedgerRow, receipt: SentReceipt) -> Message:
    """Build our own copy of what was sent: Telegram's answer may lack half of it (FACTS)."""
    if receipt.message_id is None or receipt.sent_at is None:
        raise ValueError("The receipt names no message")
    return Message(
        key=MessageKey(approval.account_id, approval.peer_id, receipt.message_id),
        sender_id=UserId(approval.account_id),
        sender_name=approval.agent_name,
        out=True,
        sent_at=receipt.sent_at,
        text=row.text,
        reply_to_id=row.reply_to_id,
    )


def changed(tx: Transaction, approval: Approval) -> list[EngineEvent]:
    """Return the events that tell the window about a planned send and its chat."""
    return [TaskStatusChanged(approval, tx.revision), ChatChanged(tx.chats.get(approval.chat_id), tx.revision)]
