"""Who triggers a plan, and what a new message does to drafts that have not seen it (SPEC §3.2, §6)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from chimein_gui.domain.approvals import AskReason, with_reason
from chimein_gui.domain.chats import ChatKind
from chimein_gui.domain.events import EngineEvent, TaskStatusChanged
from chimein_gui.domain.messages import SERVICE_NOTIFICATIONS
from chimein_gui.domain.tasks import PLANNED_KINDS, TaskStatus
from chimein_gui.engine.transitions import back_to_review

if TYPE_CHECKING:
    from datetime import datetime

    from chimein_gui.domain.chats import Chat
    from chimein_gui.domain.ids import MessageId
    from chimein_gui.domain.messages import Message
    from chimein_gui.engine.ports import TaskRow, Transaction

REWRITTEN = "a message in the prompt was changed meanwhile"
"""Reason of a running `received` task whose prompt is not true any more."""

MOST_TRIGGERS = 50
"""How many unanswered messages a plan names; older ones are in the history anyway."""


def triggers(chat: Chat, message: Message) -> bool:
    """Tell whether a message asks for a plan (SPEC §3.2, as far as direct messages go)."""
    return (
        chat.info.kind is ChatKind.DM
        and not message.out
        and not message.is_service
        and not message.is_bot
        and message.sender_id != SERVICE_NOTIFICATIONS
        and int(message.key.peer_id) != int(message.key.account_id)
        and message.key.message_id > chat.planned_up_to
    )


def unanswered(tx: Transaction, chat: Chat) -> tuple[MessageId, ...]:
    """Return the triggers nobody has answered, oldest first."""
    recent = tx.messages.incoming_above(
        chat.info.account_id, chat.info.peer_id, above_id=chat.planned_up_to, limit=MOST_TRIGGERS
    )
    return tuple(message.key.message_id for message in recent if triggers(chat, message) and not message.deleted)


def with_triggers(received: TaskRow, trigger_ids: tuple[MessageId, ...], due: datetime) -> TaskRow:
    """Give the one `received` task its triggers and its due time.

    A plan in the making keeps its due time: it looks at the triggers again when the model has answered. One that
    waits after a failed attempt keeps the time that was asked of us: a new message must not cut a 429 short.
    """
    if received.status is TaskStatus.RUNNING:
        return replace(received, trigger_ids=trigger_ids)
    if received.attempts and received.due_at is not None:
        due = max(due, received.due_at)
    return replace(received, trigger_ids=trigger_ids, due_at=due)


def mark_newer(tx: Transaction, chat: Chat, message: Message) -> list[EngineEvent]:
    """A message came that drafts may not have seen: those that have not say so (SPEC §6)."""
    return _mark(tx, chat, message, only_unseen=True)


def mark_rewritten(tx: Transaction, chat: Chat, message: Message) -> list[EngineEvent]:
    """A message in the prompt has another text now, or is gone: every draft of the chat says so (SPEC §6)."""
    received = tx.tasks.open_received(chat.chat_id)
    if received is not None and received.status is TaskStatus.RUNNING:
        tx.tasks.save(replace(received, reason=REWRITTEN))
    return _mark(tx, chat, message, only_unseen=False)


def _mark(tx: Transaction, chat: Chat, message: Message, *, only_unseen: bool) -> list[EngineEvent]:
    """Open drafts get a new version with the reason; approved ones go back to review with it."""
    if chat.info.kind is not ChatKind.DM:
        return []
    events: list[EngineEvent] = []
    for task in tx.tasks.current_of_chat(chat.chat_id):
        if task.kind not in PLANNED_KINDS or task.status not in {TaskStatus.AWAITING_DECISION, TaskStatus.APPROVED}:
            continue
        approval = tx.approvals.of_task(task.task_id)
        if only_unseen and message.key.message_id <= approval.seen_up_to:
            continue
        reasons = with_reason(approval.reasons, AskReason.CHANGED)
        seen = max(approval.seen_up_to, message.key.message_id)
        marked = replace(approval, reasons=reasons, seen_up_to=seen)
        if task.status is TaskStatus.APPROVED:
            back_to_review(tx, marked, "The conversation went on after it was approved")
        else:
            tx.approvals.save(replace(marked, version=approval.version + 1))
        events.append(TaskStatusChanged(tx.approvals.get(approval.approval_id), tx.revision))
    return events
