"""What a chat has to do next, and when: the one place that orders plans, sends and unresolved outcomes."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING

from chimein_gui.domain.tasks import TaskKind, TaskStatus

if TYPE_CHECKING:
    from chimein_gui.domain.ids import AccountId, ApprovalId, ChatId
    from chimein_gui.domain.preferences import Preferences
    from chimein_gui.engine.ports import Transaction
    from chimein_gui.engine.sends import Claim

AT_ONCE = datetime(1970, 1, 1, tzinfo=UTC)
"""Due since ever."""


class WorkKind(StrEnum):
    """What is to be done."""

    PLAN = "plan"
    SEND = "send"
    HAND_OVER = "hand over"
    RESOLVE = "resolve"


@dataclass(frozen=True, slots=True)
class ChatWork:
    """The next thing a chat has to do.

    Attributes:
        kind: What.
        at: Not before, aware UTC.
        approval_id: The planned send, for `send` and `resolve`.
        account_id: Whose chat, for `send` and `resolve`.
        claim: For `hand over`: what was claimed, committed and must go out now.
        leaves_at: When a send leaves at the earliest; between `at` and then its typing is shown.
    """

    kind: WorkKind
    at: datetime
    account_id: AccountId | None = None
    approval_id: ApprovalId | None = None
    leaves_at: datetime = AT_ONCE
    claim: Claim | None = None


def next_work(tx: Transaction, chat_id: ChatId, preferences: Preferences) -> ChatWork | None:
    """Return what the chat has to do next, or None.

    An unknown outcome comes first and alone: until it is resolved the chat neither claims nor plans (SPEC §3a).
    A send is due when its typing begins, so that the partner sees "typing…" before it.
    """
    candidates: list[ChatWork] = []
    tasks = tx.tasks.current_of_chat(chat_id)
    not_final = {task.task_id for task in tasks}
    for task in tasks:
        if task.status is TaskStatus.UNKNOWN:
            approval = tx.approvals.of_task(task.task_id)
            return ChatWork(WorkKind.RESOLVE, AT_ONCE, approval.account_id, approval.approval_id)
        if task.kind is TaskKind.RECEIVED and task.status in {TaskStatus.WAITING, TaskStatus.READY}:
            candidates.append(ChatWork(WorkKind.PLAN, task.due_at or AT_ONCE))
        elif task.status is TaskStatus.APPROVED and task.depends_on not in not_final:
            approval = tx.approvals.of_task(task.task_id)
            due = approval.due_at or AT_ONCE
            typing = timedelta(seconds=preferences.typing_s(approval.text))
            typing_begins = due - typing if due > AT_ONCE else due
            candidates.append(
                ChatWork(WorkKind.SEND, typing_begins, approval.account_id, approval.approval_id, leaves_at=due)
            )
    return min(candidates, key=lambda work: work.at, default=None)
