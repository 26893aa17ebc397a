"""A change of an agent's account: the plans of the old account end, and that is shown once.

See docs/behaviour.md, "Another account".

Functions that take a transaction run on the writer thread.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from chimein_gui.domain.events import ApprovalResolved, ChatChanged, EngineEvent, FaultReported, TaskStatusChanged
from chimein_gui.domain.ids import Revision
from chimein_gui.domain.notes import Note, NoteKind
from chimein_gui.domain.notes.faults import FaultReason
from chimein_gui.domain.tasks import PLANNED_KINDS, CancelReason, LedgerState, TaskStatus
from chimein_gui.engine.tasks.transitions import cancel_planned, move_ledger, move_task, step_changed, void_prepared

if TYPE_CHECKING:
    from chimein_gui.domain.agents import Agent
    from chimein_gui.domain.ids import AccountId, AgentId, ChatId
    from chimein_gui.engine.core.commits import UnitOfWork
    from chimein_gui.engine.core.event_bus import EventBus
    from chimein_gui.engine.ports import AccountIdentity, TaskRow, Transaction

UNCHECKABLE = Note(NoteKind.UNCHECKABLE)
"""Note on a send whose outcome was unknown when the account changed."""

_UNSENT = frozenset({TaskStatus.AWAITING_DECISION, TaskStatus.PARKED, TaskStatus.APPROVED})
_ON_ITS_WAY = frozenset({TaskStatus.SENDING, TaskStatus.UNKNOWN})

_REMEDY = Note(FaultReason.CHATS_BEGIN_ANEW)


@dataclass(frozen=True, slots=True)
class AccountChange:
    """The plans and sends that ended with an account.

    Attributes:
        events: The events to publish.
        cancelled: The number of drafts and approved sends that were cancelled.
        uncheckable: The number of sends whose outcome can no longer be found out.
    """

    events: tuple[EngineEvent, ...] = ()
    cancelled: int = 0
    uncheckable: int = 0

    def note(self) -> Note | None:
        """Return what ended; None if nothing was open."""
        unknown = Note(FaultReason.ARRIVAL_UNCHECKABLE, number=self.uncheckable) if self.uncheckable else None
        return Note(FaultReason.DRAFTS_DROPPED, number=self.cancelled, cause=unknown) if self.cancelled else unknown


def end_account(tx: Transaction, account_id: AccountId) -> AccountChange:
    """End all open work in an account's chats; the chats and messages stay. A second call changes nothing.

    Args:
        tx: The transaction; FULL, because it decides that nothing of this is sent.
        account_id: The account that is not logged in any more.
    """
    change = AccountChange()
    for chat_id in tx.chats.of_account(account_id):
        change = _joined(change, end_chat(tx, chat_id, CancelReason.ACCOUNT_CHANGED))
    return change


def bind_account(tx: Transaction, agent_id: AgentId, account_id: AccountId) -> AccountChange:
    """Bind an agent to the account it is logged in with; drafts that another persona wrote for it end."""
    owner = tx.agents.owner_of(account_id)
    change = end_account(tx, account_id) if owner is not None and owner.agent_id != agent_id else AccountChange()
    tx.agents.bind_account(agent_id, account_id)
    return change


class AccountChanges:
    """Records which account is logged in under which agent."""

    def __init__(self, unit: UnitOfWork, bus: EventBus) -> None:
        self._unit = unit
        self._bus = bus

    async def greet(self, agent: Agent, identity: AccountIdentity) -> None:
        """Record the account that is logged in; the plans for another account end.

        Raises:
            StoreError: Nothing has changed.
        """
        before = agent.account_id

        def work(tx: Transaction) -> tuple[list[EngineEvent], AccountChange]:
            tx.accounts.set_usernames(identity.account_id, identity.usernames)
            if before is None or before == identity.account_id:
                return [], AccountChange()
            change = end_account(tx, before)
            return list(change.events), change

        self.tell(agent, await self._unit.run(work))

    def tell(self, agent: Agent, change: AccountChange) -> None:
        """Notify the operator of what ended with the other account; the events are already published."""
        if (ended := change.note()) is not None:
            cause = Note(FaultReason.OTHER_ACCOUNT, agent.spec.name, cause=ended)
            self._bus.publish(FaultReported(f"account of {agent.agent_id}", cause, _REMEDY, Revision(0)))


def end_chat(tx: Transaction, chat_id: ChatId, reason: CancelReason) -> AccountChange:
    """End all open work in a chat; a second call changes nothing."""
    events: list[EngineEvent] = []
    cancelled = uncheckable = 0
    for task in tx.tasks.current_of_chat(chat_id):
        if task.kind not in PLANNED_KINDS:
            ended = move_task(tx, task, TaskStatus.CANCELLED, reason=Note(reason), due_at=None)
            events.append(step_changed(tx, ended))
        elif task.status in _UNSENT:
            events.append(ApprovalResolved(cancel_planned(tx, task, reason), tx.revision))
            cancelled += 1
        elif task.status in _ON_ITS_WAY:
            events.append(_archive(tx, task))
            uncheckable += 1
    if tx.chats.get(chat_id).takeover_until is not None:
        tx.chats.set_takeover(chat_id, None)
    if events:
        events.append(ChatChanged(tx.chats.get(chat_id), tx.revision))
    return AccountChange(tuple(events), cancelled, uncheckable)


def _archive(tx: Transaction, task: TaskRow) -> EngineEvent:
    """Archive a send: an unknown outcome stays unknown in the ledger, and no more of the send leaves."""
    approval = tx.approvals.of_task(task.task_id)
    for row in tx.ledger.of_approval(approval.approval_id):
        if row.state is LedgerState.SENDING:
            move_ledger(tx, row, LedgerState.UNKNOWN)
    way = (TaskStatus.UNKNOWN, TaskStatus.FAILED) if task.status is TaskStatus.SENDING else (TaskStatus.FAILED,)
    move_task(tx, task, *way, reason=UNCHECKABLE)
    void_prepared(tx, approval)
    tx.approvals.save(replace(approval, note=UNCHECKABLE, due_at=None))
    return TaskStatusChanged(tx.approvals.get(approval.approval_id), tx.revision)


def _joined(one: AccountChange, other: AccountChange) -> AccountChange:
    return AccountChange(
        one.events + other.events, one.cancelled + other.cancelled, one.uncheckable + other.uncheckable
    )
