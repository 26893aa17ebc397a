"""What a chat has to do next, and when: the one place that orders plans, waits, sends and unresolved outcomes.

Functions that take a transaction run on the writer thread or on the reader thread.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING

from chimein_gui.domain.chats import TrustLevel
from chimein_gui.domain.tasks import METHODS, TaskKind, TaskStatus
from chimein_gui.engine.policy.hold_check import hold_note
from chimein_gui.engine.policy.server_waits import waits_until
from chimein_gui.engine.policy.timing import typing_s

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chimein_gui.domain.approvals import Approval
    from chimein_gui.domain.ids import AccountId, AgentId, ApprovalId, ChatId, TaskId
    from chimein_gui.engine.core.environment import TransactionEnvironment
    from chimein_gui.engine.ports import LedgerRow, TaskRow, Transaction


AT_ONCE = datetime(1970, 1, 1, tzinfo=UTC)
"""Due since ever."""

_A_MOMENT = timedelta(seconds=1)
"""Only what is *more* than the limit overdue goes back."""


class WorkKind(StrEnum):
    """What is to be done."""

    PLAN = "plan"
    WAIT = "wait"
    SEND = "send"
    UPLOAD = "upload"
    HAND_OVER = "hand over"
    RESOLVE = "resolve"


@dataclass(frozen=True, slots=True)
class Claim:
    """A claimed send: committed, about to be handed over.

    Attributes:
        approval: The send; its task is `sending`.
        row: Its first open request, `sending`; the others follow, each with a commit of its own.
    """

    approval: Approval
    row: LedgerRow


@dataclass(frozen=True, slots=True)
class NextAction:
    """The next thing a chat has to do.

    Attributes:
        kind: What.
        at: Not before, aware UTC.
        approval_id: The planned send, for `send`, `hand over` and `resolve`.
        account_id: Whose chat, for the same.
        leaves_at: When a send leaves at the earliest; between `at` and then its typing is shown.
        claim: For `hand over`: what was claimed, committed and must go out now.
        repeated: For `hand over`: the same bytes left before, and nobody knows what became of them.
        task_id: The step, for `plan` and `wait`.
        agent_id: Whose plan, for `plan`.
        chat_id: The conversation.
        beside: For `plan` and `upload`: what else the chat has to do meanwhile; None if nothing.
        upload: For `upload`: the send whose file is to be uploaded.
    """

    kind: WorkKind
    at: datetime
    account_id: AccountId | None = None
    approval_id: ApprovalId | None = None
    leaves_at: datetime = AT_ONCE
    claim: Claim | None = None
    repeated: bool = False
    task_id: TaskId | None = None
    agent_id: AgentId | None = None
    chat_id: ChatId | None = None
    beside: NextAction | None = field(default=None, compare=False)
    upload: Approval | None = None

    @property
    def is_only_a_plan(self) -> bool:
        """Tell whether it may be done without another look: what begins a plan looks at everything again."""
        return self.kind is WorkKind.PLAN and self.beside is None


def next_action(
    tx: Transaction,
    chat_id: ChatId,
    environment: TransactionEnvironment,
    not_before: Mapping[ApprovalId, datetime | None] | None = None,
) -> NextAction | None:
    """Return what the chat has to do next by itself, or None if only the operator or Telegram can move it on.

    An unknown outcome comes first and alone: until it is resolved the chat neither claims nor plans.
    A send is due when its typing begins, so that the partner sees "typing…" before it.

    Args:
        tx: A transaction, reading or writing.
        chat_id: The conversation.
        environment: The outside.
        not_before: Planned sends that a claim has just refused, and when they want to be looked at again; None =
            when something happens to them.
    """
    tasks = tx.tasks.current_of_chat(chat_id)
    for task in tasks:
        if task.status is TaskStatus.UNKNOWN:
            return _resolve(tx, task, environment)
    not_final = {task.task_id for task in tasks}
    sending = any(task.status is TaskStatus.SENDING for task in tasks)
    candidates: list[NextAction] = []
    for task in tasks:
        if task.kind is TaskKind.WAIT and task.status is TaskStatus.WAITING:
            candidates.append(NextAction(WorkKind.WAIT, task.due_at or AT_ONCE, task_id=task.task_id, chat_id=chat_id))
        elif task.kind is TaskKind.RECEIVED and task.status in {TaskStatus.READY, TaskStatus.WAITING}:
            candidates += _plan(tx, task, environment)
        elif task.status is TaskStatus.APPROVED and task.depends_on not in not_final and not sending:
            candidates += _send(tx, task, environment, not_before or {})
    now = environment.now()
    first = _first(candidates, now)
    if first is not None and first.kind is WorkKind.PLAN:
        others = [work for work in candidates if work.kind is not WorkKind.PLAN]
        return replace(first, beside=_first(others, now)) if others else first
    return first


def _first(candidates: list[NextAction], now: datetime) -> NextAction | None:
    """What is due first; of sends that may all leave now, the one that was due first, however long each is typed."""
    due = [work for work in candidates if work.kind is WorkKind.SEND and max(work.at, work.leaves_at) <= now]
    first = min(candidates, key=lambda work: work.at, default=None)
    return min(due, key=lambda work: work.leaves_at) if first in due else first


def _resolve(tx: Transaction, task: TaskRow, environment: TransactionEnvironment) -> NextAction | None:
    """The reconnect wakes what cannot be looked up now; an ended program needs no look-up for its own shutdown."""
    approval = tx.approvals.of_task(task.task_id)
    if not environment.can_look_up(approval.account_id) and approval.kind is not TaskKind.SHUTDOWN:
        return None
    return NextAction(WorkKind.RESOLVE, AT_ONCE, approval.account_id, approval.approval_id, chat_id=task.chat_id)


def _plan(tx: Transaction, task: TaskRow, environment: TransactionEnvironment) -> list[NextAction]:
    """Planning goes on under hold; the operator's own turn, and a chat that is switched off, pause it.

    Whoever waits for a slot is woken when he gets it; what is approved in his chat leaves meanwhile.
    """
    chat = tx.chats.get(task.chat_id)
    if chat.trust is TrustLevel.OFF or environment.awaits_slot(task.chat_id):
        return []
    at = task.due_at or AT_ONCE
    if chat.takeover_until is not None and chat.takeover_until > environment.now():
        at = max(at, chat.takeover_until)
    return [NextAction(WorkKind.PLAN, at, task_id=task.task_id, agent_id=chat.agent_id, chat_id=task.chat_id)]


def _send(
    tx: Transaction,
    task: TaskRow,
    environment: TransactionEnvironment,
    not_before: Mapping[ApprovalId, datetime | None],
) -> list[NextAction]:
    """An approved send, unless only a release, a reconnect or the operator can move it on: they wake the chat."""
    approval = tx.approvals.of_task(task.task_id)
    is_away = not environment.can_send(approval.account_id) and approval.kind is not TaskKind.SHUTDOWN
    if hold_note(tx, environment, approval.account_id, approval.chat_id):
        return [] if is_away else _held(tx, approval)
    if is_away:
        return _misfire(tx, approval, environment, not_before)
    if environment.is_uploading(approval.approval_id):
        return []
    at = AT_ONCE
    if approval.approval_id in not_before:
        again = not_before[approval.approval_id]
        if again is None:
            return []
        at = again
    due = max(approval.due_at or AT_ONCE, approval.postponed_until or AT_ONCE)
    leaves_at = max(due, waits_until(tx, approval, environment.now()) or AT_ONCE)
    overdue = leaves_at - due > timedelta(seconds=environment.preferences.misfire_s)
    # Nobody is shown typing for what goes back to review when a long wait ends.
    typing = timedelta(seconds=0 if overdue else typing_s(approval, environment.preferences))
    at = max(at, leaves_at - typing)
    return [_sending(approval, at, leaves_at)]


def _misfire(
    tx: Transaction,
    approval: Approval,
    environment: TransactionEnvironment,
    not_before: Mapping[ApprovalId, datetime | None],
) -> list[NextAction]:
    """The account is away, perhaps for good: what is overdue by too much goes back to review all the same.

    Not before a wait of Telegram's is over: until then the claim would leave it, and be asked again at once.
    """
    times = [at for at in (approval.due_at, approval.postponed_until) if at is not None]
    if not times or approval.approval_id in not_before:
        return []
    at = max(times) + timedelta(seconds=environment.preferences.misfire_s) + _A_MOMENT
    at = max(at, waits_until(tx, approval, environment.now()) or at)
    return [_sending(approval, at, at)]


def _held(tx: Transaction, approval: Approval) -> list[NextAction]:
    """Under hold nothing is claimed; but a wait of Telegram's that ran when the hold began ends in review."""
    hold = tx.holds.over(approval.account_id, approval.chat_id)
    if hold is None or approval.decided_at is None or approval.decided_at > hold.since:
        return []
    wait = tx.waits.over(approval.account_id, approval.chat_id, METHODS[approval.kind], hold.since)
    if wait is None:
        return []
    return [_sending(approval, wait.until, wait.until)]


def _sending(approval: Approval, at: datetime, leaves_at: datetime) -> NextAction:
    account_id, chat_id = approval.account_id, approval.chat_id
    return NextAction(WorkKind.SEND, at, account_id, approval.approval_id, leaves_at=leaves_at, chat_id=chat_id)
