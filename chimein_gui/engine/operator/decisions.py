"""The operator's decisions on planned sends, compare-and-set.

See docs/behaviour.md, "Versions and presses". Functions that take a transaction run on the writer thread.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from chimein_gui.domain.approvals import (
    Approval,
    Approve,
    ApproveEdited,
    DecisionRequest,
    Edit,
    Outcome,
    Reject,
    RejectPlan,
    Verdict,
)
from chimein_gui.domain.failpoints import Failpoint, Reach, pass_by
from chimein_gui.engine.approvals.apply_decision import explanation, take
from chimein_gui.engine.ports import DecisionRecord, Durability
from chimein_gui.engine.tasks.saved_edits import consume

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from chimein_gui.domain.approvals import Decision
    from chimein_gui.domain.events import EngineEvent
    from chimein_gui.domain.ids import ApprovalId, Revision
    from chimein_gui.engine.core.commits import UnitOfWork
    from chimein_gui.engine.core.environment import TransactionEnvironment
    from chimein_gui.engine.ports import Transaction

    TogetherWith = Callable[[Transaction], list[EngineEvent]]


class DecisionService:
    """Decides on planned sends: compare-and-set, one transaction a press."""

    def __init__(
        self,
        unit: UnitOfWork,
        environment: TransactionEnvironment,
        reach: Reach = pass_by,
    ) -> None:
        self._unit = unit
        self._environment = environment
        self._reach = reach

    async def decide(
        self,
        approval_id: ApprovalId,
        *,
        expected_version: int,
        decision: Decision,
        seen_up_to: Revision,
        client_id: str,
        together_with: TogetherWith | None = None,
    ) -> Outcome:
        """Decide on a planned send.

        Args:
            approval_id: This and the next four as in `DecisionRequest`.
            expected_version: As there.
            decision: As there.
            seen_up_to: As there.
            client_id: As there.
            together_with: Runs in the same transaction (writer), if the decision is accepted and changes something.

        Raises:
            NotFoundError: There is no such approval.
            StoreError: Nothing was decided.
        """
        request = DecisionRequest(approval_id, expected_version, decision, seen_up_to, client_id)
        return (await self._decide((request,), in_batch=False, together_with=together_with))[0]

    async def decide_many(self, requests: Sequence[DecisionRequest]) -> tuple[Outcome, ...]:
        """Decide on several cards in their order; each has its own verdict.

        Cards that always ask are not approved here (CLOSED), nor are stale ones, acknowledged or not (CHANGED).

        Raises:
            NotFoundError: There is no approval with one of the ids; nothing was decided.
            StoreError: Nothing was decided.
        """
        return await self._decide(tuple(requests), in_batch=True)

    async def _decide(
        self, requests: tuple[DecisionRequest, ...], *, in_batch: bool, together_with: TogetherWith | None = None
    ) -> tuple[Outcome, ...]:
        def work(tx: Transaction) -> tuple[list[EngineEvent], tuple[Outcome, ...]]:
            outcomes: list[Outcome] = []
            events: list[EngineEvent] = []
            for request in requests:
                outcome, changes = self._once(tx, request, in_batch=in_batch)
                outcomes.append(outcome)
                events += changes
                if together_with is not None and changes and outcome.verdict is Verdict.ACCEPTED:
                    events += together_with(tx)
            return events, tuple(outcomes)

        # Unsent text decides nothing, so it does not need a flush to the disk.
        typed = all(isinstance(request.decision, Edit) for request in requests)
        durability = Durability.NORMAL if typed else Durability.FULL
        return await self._unit.run(
            work, durability=durability, committed=lambda _: self._reach(Failpoint.DECISION_COMMITTED)
        )

    def _once(self, tx: Transaction, request: DecisionRequest, *, in_batch: bool) -> tuple[Outcome, list[EngineEvent]]:
        """Decide, unless the same press was answered before; then return that answer without changes."""
        repeated = tx.decisions.of_client(request.client_id)
        if repeated is not None and not _is_same(repeated, request):
            approval = tx.approvals.get(request.approval_id)
            return Outcome(Verdict.OUTDATED, approval, explanation(Verdict.OUTDATED, approval)), []
        if repeated is not None:
            approval = tx.approvals.get(repeated.approval_id)
            why = explanation(repeated.verdict, approval, decision=repeated.decision, text=repeated.text)
            return Outcome(repeated.verdict, approval, why), []
        outcome, events = take(tx, request, self._environment, in_batch=in_batch)
        if outcome.verdict is Verdict.ACCEPTED and isinstance(request.decision, Approve | ApproveEdited):
            events += consume(tx, outcome.approval, request.decision.carried)
        record = DecisionRecord(
            request.client_id,
            request.approval_id,
            request.expected_version,
            type(request.decision).__name__,
            _decided_text(request.decision, outcome.approval),
            outcome.verdict,
            self._environment.now(),
            cause=getattr(request.decision, "cause", None),
        )
        tx.decisions.add(record)
        return outcome, events


def _is_same(record: DecisionRecord, request: DecisionRequest) -> bool:
    """Tell whether a press repeats a recorded one; a client id that was used for another decision decides nothing."""
    if (record.approval_id, record.decision) != (request.approval_id, type(request.decision).__name__):
        return False
    if getattr(request.decision, "cause", None) is not record.cause:
        return False
    words = getattr(request.decision, "text", getattr(request.decision, "reason", None))
    return words is None or words == record.text


def _decided_text(decision: Decision, approval: Approval) -> str:
    """Return the text for the decision log: the words of a rejection, otherwise the text decided upon."""
    if isinstance(decision, Reject | RejectPlan):
        return decision.reason
    return decision.text if isinstance(decision, ApproveEdited | Edit) else approval.text
