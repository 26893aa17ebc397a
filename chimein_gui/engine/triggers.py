"""Who triggers a plan, and what a new message does to drafts that have not seen it (SPEC §3.2, §6)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from chimein_gui.domain.approvals import AskReason
from chimein_gui.domain.chats import ChatKind
from chimein_gui.domain.events import EngineEvent, TaskStatusChanged
from chimein_gui.domain.messages import SERVICE_NOTIFICATIONS
from chimein_gui.domain.tasks import PLANNED_KINDS, TaskStatus
from chimein_gui.engine.sends import with_reason

if TYPE_CHECKING:
    from datetime import datetime

    from chimein_gui.domain.chats import Chat
    from chimein_gui.domain.ids import MessageId
    from chimein_gui.domain.messages import Message
    from chimein_gui.engine.ports import TaskRow, Transaction

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
    """A plan in the making keeps its due time: it looks at the triggers again when the model has answered."""
    if received.status is TaskStatus.RUNNING:
        return replace(received, trigger_ids=trigger_ids)
    return replace(received, trigger_ids=trigger_ids, due_at=due)


def mark_changed(tx: Transaction, chat: Chat, message: Message) -> list[EngineEvent]:
    """Open drafts of the chat get a new version that says the conversation went on (SPEC §6)."""
    if chat.info.kind is not ChatKind.DM:
        return []
    events: list[EngineEvent] = []
    for task in tx.tasks.current_of_chat(chat.chat_id):
        if task.kind not in PLANNED_KINDS or task.status is not TaskStatus.AWAITING_DECISION:
            continue
        approval = tx.approvals.of_task(task.task_id)
        reasons = with_reason(approval.reasons, AskReason.CHANGED)
        seen = max(approval.seen_up_to, message.key.message_id)
        tx.approvals.save(replace(approval, version=approval.version + 1, reasons=reasons, seen_up_to=seen))
        events.append(TaskStatusChanged(tx.approvals.get(approval.approval_id), tx.revision))
    return events
