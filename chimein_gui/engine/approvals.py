"""Decisions: what the operator may do with a planned send, compare-and-set (SPEC §6)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from chimein_gui.domain.approvals import (
    Approval,
    Approve,
    ApproveEdited,
    Outcome,
    Reject,
    Undo,
    Verdict,
)
from chimein_gui.domain.chats import ChatKind
from chimein_gui.domain.events import ApprovalResolved, ChatChanged, EngineEvent
from chimein_gui.domain.tasks import ApprovalState, LedgerState, Origin, TaskStatus
from chimein_gui.engine.gate import new_random_id, text_problem
from chimein_gui.engine.ports import DecisionRecord, Durability
from chimein_gui.engine.sends import settle_dependents
from chimein_gui.engine.transitions import (
    back_to_review,
    earliest_departure,
    move_approval,
    move_ledger,
    move_task,
    settled,
    void_unless_unknown,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from chimein_gui.domain.approvals import Decision
    from chimein_gui.domain.ids import ApprovalId, ChatId, MessageId
    from chimein_gui.domain.preferences import Preferences
    from chimein_gui.engine.event_bus import EventBus
    from chimein_gui.engine.ports import Clock, Store, Transaction

OPERATOR = "operator"


class Approvals:
    """Decides on planned sends: compare-and-set, one transaction a decision."""

    def __init__(
        self,
        store: Store,
        bus: EventBus,
        clock: Clock,
        preferences: Preferences,
        on_due: Callable[[ChatId, datetime], None],
    ) -> None:
        """Wire the services; `on_due` hears of chats that have something to send."""
        self._store = store
        self._bus = bus
        self._clock = clock
        self._preferences = preferences
        self._on_due = on_due

    async def decide(
        self,
        approval_id: ApprovalId,
        *,
        expected_version: int,
        decision: Decision,
        seen_up_to: MessageId,
        client_id: str,
    ) -> Outcome:
        """Decide on a planned send (SPEC §6, Version).

        Raises:
            LookupError: There is no such approval.
            StoreError: Nothing was decided.
        """

        def work(tx: Transaction) -> tuple[Outcome, list[EngineEvent]]:
            repeated = tx.approvals.decision_of(client_id)
            if repeated is not None:
                return Outcome(repeated.verdict, tx.approvals.get(repeated.approval_id)), []
            outcome, events = self._decide(tx, approval_id, expected_version, decision, seen_up_to)
            record = DecisionRecord(
                client_id,
                approval_id,
                expected_version,
                type(decision).__name__,
                _decided_text(decision, outcome.approval),
                outcome.verdict,
                self._clock.now(),
            )
            tx.approvals.log_decision(record)
            return outcome, events

        outcome, events = await self._store.transact(work, durability=Durability.FULL)
        self._bus.publish(*events)
        if events:
            self._on_due(outcome.approval.chat_id, self._clock.now())
        return outcome

    def _decide(
        self,
        tx: Transaction,
        approval_id: ApprovalId,
        expected_version: int,
        decision: Decision,
        seen_up_to: MessageId,
    ) -> tuple[Outcome, list[EngineEvent]]:
        approval = tx.approvals.get(approval_id)
        if isinstance(decision, Undo):
            return self._undo(tx, approval)
        if approval.state is not ApprovalState.OPEN:
            return Outcome(Verdict.CLOSED, approval, _why_closed(approval)), []
        if approval.version != expected_version:
            return Outcome(Verdict.OUTDATED, approval, "The draft changed meanwhile; nothing was decided."), []
        if isinstance(decision, Reject):
            return self._reject(tx, approval, decision)
        return self._approve(tx, approval, decision, seen_up_to)

    def _approve(
        self, tx: Transaction, approval: Approval, decision: Approve | ApproveEdited, seen_up_to: MessageId
    ) -> tuple[Outcome, list[EngineEvent]]:
        chat = tx.chats.get(approval.chat_id)
        if chat.info.kind is ChatKind.DM and chat.newest_in_id > max(seen_up_to, chat.planned_up_to):
            return Outcome(Verdict.CHANGED, approval, "There is a newer message; look at it first."), []
        # Telegram trims blanks at both ends; what is stored is what will arrive.
        text = decision.text.strip() if isinstance(decision, ApproveEdited) else approval.text
        problem = text_problem(text)
        if problem:
            return Outcome(Verdict.INVALID, approval, problem), []
        edited = text != approval.text
        approved = replace(
            approval,
            text=text,
            version=approval.version + (1 if edited else 0),
            seen_up_to=max(seen_up_to, approval.seen_up_to),
            note="",
        )
        approved = approve(tx, approved, self._clock.now(), self._preferences, new_bytes=edited)
        return Outcome(Verdict.ACCEPTED, approved), _resolved(tx, approved)

    def _reject(self, tx: Transaction, approval: Approval, decision: Reject) -> tuple[Outcome, list[EngineEvent]]:
        now = self._clock.now()
        move_task(tx, tx.tasks.get(approval.task_id), TaskStatus.SKIPPED, reason="rejected")
        rejected = replace(approval, decided_at=now, decided_by=OPERATOR, note=decision.reason)
        move_approval(tx, rejected, ApprovalState.REJECTED)
        void_unless_unknown(tx, approval)
        events = settle_dependents(tx, approval, now, self._preferences, note="An earlier step was rejected")
        if not tx.tasks.current_of_chat(approval.chat_id):
            # The whole plan is rejected and nobody wrote since: the triggers count as answered (SPEC §3a).
            tx.chats.set_planned_up_to(approval.chat_id, approval.seen_up_to)
        rejected = tx.approvals.get(approval.approval_id)
        return Outcome(Verdict.ACCEPTED, rejected), [*events, *_resolved(tx, rejected)]

    def _undo(self, tx: Transaction, approval: Approval) -> tuple[Outcome, list[EngineEvent]]:
        if approval.state is not ApprovalState.APPROVED or approval.task_status is not TaskStatus.APPROVED:
            return Outcome(Verdict.CLOSED, approval, _why_closed(approval)), []
        reopened = back_to_review(tx, approval, "")
        return Outcome(Verdict.ACCEPTED, reopened), _resolved(tx, reopened)


def approve(
    tx: Transaction, approval: Approval, now: datetime, preferences: Preferences, *, new_bytes: bool
) -> Approval:
    """Approve an open send for the operator and commit the `random_id` of its exact bytes with the decision.

    A row whose outcome is unknown keeps its number, so that Telegram can recognise the repetition; an edit ends it.
    """
    task = tx.tasks.get(approval.task_id)
    approval = replace(approval, decided_at=now, decided_by=OPERATOR)
    if settled(tx, task):
        due = earliest_departure(now, now, preferences, approval.text)
        approval = replace(approval, due_at=due)
    move_task(tx, task, TaskStatus.APPROVED)
    move_approval(tx, approval, ApprovalState.APPROVED)
    row = tx.ledger.current(approval.approval_id)
    if row is not None and new_bytes:
        move_ledger(tx, row, LedgerState.VOID)
        row = None
    if row is None:
        tx.ledger.prepare(approval, part=0, random_id=new_random_id(), origin=Origin.PLAN, text=approval.text)
    return tx.approvals.get(approval.approval_id)


def _resolved(tx: Transaction, approval: Approval) -> list[EngineEvent]:
    return [ApprovalResolved(approval, tx.revision), ChatChanged(tx.chats.get(approval.chat_id), tx.revision)]


def _decided_text(decision: Decision, approval: Approval) -> str:
    if isinstance(decision, Reject):
        return decision.reason
    return decision.text if isinstance(decision, ApproveEdited) else approval.text


def _why_closed(approval: Approval) -> str:
    if approval.state is ApprovalState.SUPERSEDED:
        return "It was replaced by a newer draft; nothing was decided."
    words = {
        TaskStatus.APPROVED: "It is approved already.",
        TaskStatus.SENDING: "It is being sent.",
        TaskStatus.DONE: "It was sent.",
        TaskStatus.UNKNOWN: "It was handed over and the outcome is being looked up.",
        TaskStatus.SKIPPED: "It was rejected.",
    }
    return words.get(approval.task_status, "It was decided meanwhile.")
