"""The next action of a chat: the only place that orders plans, waits, sends and unknown outcomes.

Functions that take a transaction run on the writer thread or on the reader thread.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, TypeVar

from chimein_gui.domain.chats import ChatKind, TrustLevel
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
"""Due time of work that is due at once."""

_A_MOMENT = timedelta(seconds=1)
"""Added because a send returns to review only if it is overdue by *more* than the limit."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Make a plan.

    Attributes:
        chat_id: The conversation.
        at: Earliest time, aware UTC.
        task_id: The `received` step.
        agent_id: The agent of the plan.
        group_account: In a group the account, because its block list must be current; otherwise None.
        meanwhile: Other work of the chat while the plan waits for a slot; None for none.
    """

    chat_id: ChatId
    at: datetime
    task_id: TaskId
    agent_id: AgentId
    group_account: AccountId | None = field(default=None, compare=False)
    meanwhile: EndWait | Send | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class EndWait:
    """End a wait at `at`, aware UTC.

    Attributes:
        chat_id: The conversation.
        at: End of the wait.
        task_id: The wait.
    """

    chat_id: ChatId
    at: datetime
    task_id: TaskId


@dataclass(frozen=True, slots=True)
class Send:
    """Type or claim an approved send.

    Attributes:
        chat_id: The conversation.
        account_id: The sending account.
        approval_id: The planned send.
        at: Earliest time, aware UTC.
        leaves_at: Earliest time of the send; typing is shown from `at` until then.
        not_before: Sends of the chat that were refused or shown typing just before this one, and when to check them
            again (`next_action`). Without it two due sends would take turns as fast as they can.
    """

    chat_id: ChatId
    account_id: AccountId
    approval_id: ApprovalId
    at: datetime
    leaves_at: datetime = AT_ONCE
    not_before: Mapping[ApprovalId, datetime | None] = field(default_factory=dict, compare=False)


@dataclass(frozen=True, slots=True)
class Resolve:
    """Look up the outcome of a request without an answer.

    Attributes:
        chat_id: The conversation.
        account_id: The sending account.
        approval_id: The planned send.
        at: Earliest time, aware UTC.
    """

    chat_id: ChatId
    account_id: AccountId
    approval_id: ApprovalId
    at: datetime


NextAction = Plan | EndWait | Send | Resolve
"""The next work of a chat, with its time."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A claimed send: committed, to be dispatched at once.

    Attributes:
        approval: The send; its task is `sending`.
        row: Its first open request, `sending`; the others follow, each with a commit of its own.
        repeated: The same bytes were handed over before, with an unknown outcome.
    """

    approval: Approval
    row: LedgerRow
    repeated: bool = False


@dataclass(frozen=True, slots=True)
class Upload:
    """Upload the file of a send before it can be claimed.

    Attributes:
        approval: The send.
        meanwhile: Other work of the chat during the upload; None for none.
    """

    approval: Approval
    meanwhile: NextAction | None


Work = NextAction | Claim | Upload
"""Work after a commit: the next action with its time, or what the commit has claimed."""


def next_action(
    tx: Transaction,
    chat_id: ChatId,
    environment: TransactionEnvironment,
    not_before: Mapping[ApprovalId, datetime | None] | None = None,
) -> NextAction | None:
    """Return the chat's next action, or None if only the operator or Telegram can continue.

    An unknown outcome comes first and alone: until it is resolved the chat neither claims nor plans. A send is due when
    its typing begins, so that the partner sees "typing…" before it.

    Args:
        tx: A transaction, reading or writing.
        chat_id: The conversation.
        environment: State outside of the database.
        not_before: Planned sends that a claim has just refused, and when to check them again; None = an event wakes
            them.
    """
    tasks = tx.tasks.current_of_chat(chat_id)
    for task in tasks:
        if task.status is TaskStatus.UNKNOWN:
            return _resolve(tx, task, environment)
    not_final = {task.task_id for task in tasks}
    sending = TaskStatus.SENDING in [task.status for task in tasks]
    candidates: list[Plan | EndWait | Send] = []
    for task in tasks:
        if task.kind is TaskKind.WAIT and task.status is TaskStatus.WAITING:
            candidates.append(EndWait(chat_id, task.due_at or AT_ONCE, task.task_id))
        elif task.kind is TaskKind.RECEIVED and task.status in {TaskStatus.READY, TaskStatus.WAITING}:
            candidates += plans_of(tx, task, environment)
        elif task.status is TaskStatus.APPROVED and not_final.isdisjoint(task.depends_on) and not sending:
            candidates += sends_of(tx, task, environment, not_before or {})
    if not candidates:
        return None
    if not_before:
        candidates = [replace(one, not_before=not_before) if isinstance(one, Send) else one for one in candidates]
    now = environment.now()
    first = _first(candidates, now)
    if isinstance(first, Plan):
        meanwhile = _first([work for work in candidates if not isinstance(work, Plan)], now)
        return first if meanwhile is None else replace(first, meanwhile=meanwhile)
    return first


def only_plan(work: NextAction | None) -> Plan | None:
    """Return a plan without other work; it needs no further check, because beginning it checks everything again."""
    return work if isinstance(work, Plan) and work.meanwhile is None else None


W = TypeVar("W", bound="Plan | EndWait | Send")


def _first(candidates: list[W], now: datetime) -> W | None:
    """Return the first due work; of sends that may all start now, the one due first, whatever its typing time."""
    first = candidates[0] if len(candidates) == 1 else min(candidates, key=lambda work: work.at, default=None)
    if not isinstance(first, Send) or max(first.at, first.leaves_at) > now:
        return first
    due = [work for work in candidates if isinstance(work, Send) and max(work.at, work.leaves_at) <= now]
    return min(due, key=lambda work: work.leaves_at)


def _resolve(tx: Transaction, task: TaskRow, environment: TransactionEnvironment) -> Resolve | None:
    """Return the look-up of an unknown outcome; None while offline, because the reconnect wakes the chat."""
    approval = tx.approvals.of_task(task.task_id)
    if not environment.can_look_up(approval.account_id) and approval.kind is not TaskKind.SHUTDOWN:
        return None
    return Resolve(task.chat_id, approval.account_id, approval.approval_id, AT_ONCE)


def plans_of(tx: Transaction, task: TaskRow, environment: TransactionEnvironment) -> list[Plan]:
    """Return the plan of a `received` step. A hold does not stop it; a takeover delays it, trust `off` prevents it.

    A chat that waits for a slot is woken when it gets one; its approved sends continue meanwhile.
    """
    chat = tx.chats.get(task.chat_id)
    if chat.trust is TrustLevel.OFF or environment.awaits_slot(task.chat_id):
        return []
    at = task.due_at or AT_ONCE
    if chat.takeover_until is not None and chat.takeover_until > environment.now():
        at = max(at, chat.takeover_until)
    group_account = chat.info.account_id if chat.info.kind is ChatKind.GROUP else None
    return [Plan(task.chat_id, at, task.task_id, chat.agent_id, group_account)]


def sends_of(
    tx: Transaction,
    task: TaskRow,
    environment: TransactionEnvironment,
    not_before: Mapping[ApprovalId, datetime | None],
) -> list[Send]:
    """Return an approved send, unless only a release, a reconnect or the operator can continue it and wake the chat."""
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
    # No typing is shown for a send that returns to review after a long wait.
    typing = timedelta(seconds=0 if overdue else typing_s(approval, environment.preferences))
    at = max(at, leaves_at - typing, environment.upload_again_at(approval.approval_id) or AT_ONCE)
    return [_sending(approval, at, leaves_at)]


def _misfire(
    tx: Transaction,
    approval: Approval,
    environment: TransactionEnvironment,
    not_before: Mapping[ApprovalId, datetime | None],
) -> list[Send]:
    """Return the claim of an overdue send of an account that is offline, which sends it back to review.

    Not before a wait of Telegram's is over: until then the claim would leave it approved, and be repeated at once.
    """
    times = [at for at in (approval.due_at, approval.postponed_until) if at is not None]
    if not times or approval.approval_id in not_before:
        return []
    at = max(times) + timedelta(seconds=environment.preferences.misfire_s) + _A_MOMENT
    at = max(at, waits_until(tx, approval, environment.now()) or at)
    return [_sending(approval, at, at)]


def _held(tx: Transaction, approval: Approval) -> list[Send]:
    """Return the claim after a wait of Telegram's that began before the hold; it sends a held send back to review."""
    hold = tx.holds.over(approval.account_id, approval.chat_id)
    if hold is None or approval.decided_at is None or approval.decided_at > hold.since:
        return []
    wait = tx.waits.over(approval.account_id, approval.chat_id, METHODS[approval.kind], hold.since)
    if wait is None:
        return []
    return [_sending(approval, wait.until, wait.until)]


def _sending(approval: Approval, at: datetime, leaves_at: datetime) -> Send:
    return Send(approval.chat_id, approval.account_id, approval.approval_id, at, leaves_at)
