"""The gate of SPEC §6: why a planned send must ask, which named rule lets it pass, and how it is stored either way."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chimein_gui.domain.approvals import Approval, AskReason, Rule, with_reason
from chimein_gui.domain.chats import TrustLevel
from chimein_gui.domain.ids import RandomId
from chimein_gui.domain.messages import MAX_MESSAGE_UNITS, utf16_length
from chimein_gui.domain.tasks import ApprovalState, Origin, TaskKind, TaskStatus, check_approval, check_task
from chimein_gui.engine.ports import NewApproval
from chimein_gui.engine.transitions import earliest_departure

if TYPE_CHECKING:
    from datetime import datetime

    from chimein_gui.domain.chats import Chat
    from chimein_gui.domain.ids import GraphId, MessageId, TaskId
    from chimein_gui.domain.preferences import Preferences
    from chimein_gui.engine.plan_reading import PlannedSend
    from chimein_gui.engine.ports import Transaction


@dataclass(frozen=True, slots=True)
class Place:
    """Where a planned send stands.

    Attributes:
        chat: The conversation, as it is in this transaction.
        graph_id: The plan.
        depends_on: The step before it.
        position: Place in the plan, from 1; the `received` task is 0.
        before_is_settled: Nothing holds it back but its own decision.
    """

    chat: Chat
    graph_id: GraphId
    depends_on: TaskId
    position: int
    before_is_settled: bool


def new_random_id() -> RandomId:
    """Draw a number for Telegram's de-duplication: signed 64 bit, never 0."""
    return RandomId(secrets.randbits(63) + 1 - (1 << 62))


def ask_reasons(tx: Transaction, chat: Chat, text: str) -> tuple[AskReason, ...]:
    """Return why a planned send must ask; nothing means that a rule lets it pass."""
    reasons = []
    if not tx.messages.has_outgoing(chat.info.account_id, chat.info.peer_id):
        reasons.append(AskReason.FIRST_MESSAGE)
    if chat.trust is not TrustLevel.AUTO or text_problem(text):
        reasons.append(AskReason.REVIEW)
    return tuple(reasons)


def rule_for(reasons: tuple[AskReason, ...]) -> Rule | None:
    """Name the rule that lets a planned send pass, or None if it must ask."""
    return None if reasons else Rule.AUTO_TRUST


def text_problem(text: str) -> str:
    """Say why a text cannot be sent as it is, or return an empty string."""
    if not text.strip():
        return "There is nothing to send. Write something, or reject the draft."
    units = utf16_length(text)
    if units > MAX_MESSAGE_UNITS:
        return f"Telegram takes {MAX_MESSAGE_UNITS:,} characters in one message and this has {units:,}. Shorten it."
    if "\x00" in text or any("\ud800" <= char <= "\udfff" for char in text):
        return "The text holds characters that cannot be sent. Remove them."
    return ""


def add_planned_send(
    tx: Transaction, place: Place, send: PlannedSend, seen: MessageId, now: datetime, preferences: Preferences
) -> Approval:
    """Store a planned send: it asks, or a named rule approves it and its `random_id` is committed with that.

    Args:
        tx: The transaction that replaces the chat's plan.
        place: Where it stands.
        send: Text and reply target.
        seen: Newest incoming message that was in the prompt.
        now: Aware UTC.
        preferences: For typing.
    """
    chat = place.chat
    reasons = ask_reasons(tx, chat, send.text)
    if chat.newest_in_id > seen:
        # Somebody wrote while the model was thinking: the card says so from the beginning.
        reasons = with_reason(reasons, AskReason.CHANGED)
    rule = rule_for(reasons)
    status, state = TaskStatus.AWAITING_DECISION, ApprovalState.OPEN
    check_task(TaskKind.SEND, TaskStatus.PENDING, status)
    due = None
    if rule is not None:
        check_task(TaskKind.SEND, status, TaskStatus.APPROVED)
        check_approval(state, ApprovalState.APPROVED)
        status, state = TaskStatus.APPROVED, ApprovalState.APPROVED
        if place.before_is_settled:
            due = earliest_departure(now, None, preferences, send.text)
    task_id = tx.tasks.add(
        chat.chat_id,
        TaskKind.SEND,
        status,
        graph_id=place.graph_id,
        depends_on=place.depends_on,
        position=place.position,
    )
    approval = tx.approvals.add(
        NewApproval(
            task_id,
            state,
            send.text,
            send.reply_to,
            reasons,
            max(seen, chat.newest_in_id),
            now,
            due_at=due,
            decided_at=now if rule is not None else None,
            decided_by=rule.value if rule is not None else "",
        )
    )
    if rule is not None:
        tx.ledger.prepare(approval, part=0, random_id=new_random_id(), origin=Origin.PLAN, text=approval.text)
    return approval
