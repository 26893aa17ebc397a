"""The backlog: sends that were open during a hold come back to the operator. A release sends nothing.

Functions that take a transaction run on the writer thread or on the reader thread.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from chimein_gui.domain.approvals import Approve, AskReason, DecisionRequest, with_reason
from chimein_gui.domain.events import ChatChanged, EngineEvent, TaskStatusChanged
from chimein_gui.domain.holds import Backlog, BacklogItem
from chimein_gui.domain.notes import Note, NoteKind
from chimein_gui.domain.tasks import ApprovalState, TaskStatus
from chimein_gui.engine.approvals.approve import always_asks
from chimein_gui.engine.policy.hold_check import TICKED_NOTE, hold_note
from chimein_gui.engine.tasks.transitions import back_to_review, changed

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from chimein_gui.domain.approvals import Approval, Outcome
    from chimein_gui.domain.holds import Hold
    from chimein_gui.domain.ids import AccountId, GraphId
    from chimein_gui.engine.core.environment import TransactionEnvironment
    from chimein_gui.engine.operator.decisions import DecisionService
    from chimein_gui.engine.ports import Transaction

HELD_NOTE = Note(NoteKind.WAS_HELD)

_LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)


def open_countdowns(tx: Transaction, hold: Hold) -> list[EngineEvent]:
    """Begin a hold: unsent decisions of rules return to the operator; the operator's own approvals stay, held."""
    events: list[EngineEvent] = []
    for chat_id, _ in tx.tasks.chats_with_work():
        for approval in tx.approvals.of_chat(chat_id):
            if not hold.covers(approval.account_id, chat_id):
                break
            if approval.task_status is TaskStatus.APPROVED and approval.by_rule:
                _lose_rule(tx, approval.graph_id)
                note = hold.note()
                events += changed(tx, back_to_review(tx, approval, AskReason.HELD, note))
    return events


def open_backlog(tx: Transaction, lifted: Hold, *, still_held: bool = False) -> tuple[Backlog, list[EngineEvent]]:
    """End a hold: everything that is still open or approved waits for review, and nothing is sent.

    Sends under another hold stay unchanged until that hold ends; then the earlier beginning counts.

    Args:
        tx: The transaction that has lifted the hold.
        lifted: The hold.
        still_held: A hold in memory still covers everything.
    """
    items: list[BacklogItem] = []
    events: list[EngineEvent] = []
    for approval in _covered(tx, lifted):
        still = tx.holds.over(approval.account_id, approval.chat_id)
        if still is not None and still.since > lifted.since:
            tx.holds.put(replace(still, since=lifted.since))
        if still is not None or still_held:
            continue
        returned = _return(tx, approval, lifted)
        if returned is None:
            continue
        _lose_rule(tx, approval.graph_id)
        events.append(TaskStatusChanged(returned, tx.revision))
        if returned.state is ApprovalState.OPEN:
            items.append(BacklogItem(returned, _is_ticked(tx, returned)))
    backlog = _in_order(tx, items)
    events += [ChatChanged(chat, tx.revision) for chat in backlog.chats]
    return backlog, events


def standing_backlog(tx: Transaction, environment: TransactionEnvironment) -> Backlog:
    """Return the released and undecided sends of past holds, so that the review continues after a restart."""
    items = [
        BacklogItem(approval, _is_ticked(tx, approval))
        for approval in tx.approvals.waiting_for(AskReason.HELD)
        if approval.task_status is TaskStatus.AWAITING_DECISION
        and not hold_note(tx, environment, approval.account_id, approval.chat_id)
    ]
    return _in_order(tx, items)


class BacklogReview:
    """Approves the ticked cards of an account at once."""

    def __init__(self, deciding: DecisionService) -> None:
        """`deciding` makes the decisions."""
        self._deciding = deciding

    async def confirm(
        self, account_id: AccountId, ticked: Sequence[Approval], *, client_id: str
    ) -> tuple[Outcome, ...]:
        """Approve those cards of an account that may be approved together, in the versions on the screen.

        Always-ask and stale ones are refused, each with its verdict.

        Args:
            account_id: The account.
            ticked: The ticked cards as the operator saw them; cards of other accounts are ignored.
            client_id: Made by the caller; repeating a press with the same one is a no-op.

        Raises:
            NotFoundError: There is no such card.
            StoreError: Nothing was decided.
        """
        requests = [
            DecisionRequest(
                card.approval_id, card.version, Approve(), card.seen_up_to, f"{client_id}/{card.approval_id}"
            )
            for card in ticked
            if card.account_id == account_id
        ]
        return await self._deciding.decide_many(requests) if requests else ()


def _covered(tx: Transaction, hold: Hold) -> list[Approval]:
    return [approval for approval in tx.approvals.waiting() if hold.covers(approval.account_id, approval.chat_id)]


def _return(tx: Transaction, approval: Approval, lifted: Hold) -> Approval | None:
    """Bring one send back to review.

    A send with an unknown outcome only loses its repetition; step 4 of reconciliation brings it to review.
    """
    if approval.task_status is TaskStatus.APPROVED:
        under_hold = not approval.by_rule and approval.decided_at is not None and approval.decided_at >= lifted.since
        return back_to_review(tx, approval, AskReason.HELD, TICKED_NOTE if under_hold else HELD_NOTE)
    if approval.task_status in {TaskStatus.AWAITING_DECISION, TaskStatus.UNKNOWN}:
        if AskReason.HELD in approval.reasons:
            return approval
        reasons = with_reason(approval.reasons, AskReason.HELD)
        tx.approvals.save(replace(approval, reasons=reasons, version=approval.version + 1))
        return tx.approvals.get(approval.approval_id)
    if approval.task_status is TaskStatus.SENDING:
        # Its answer may still come. Without an answer, a decision from before the hold is not repeated automatically.
        tx.approvals.save(replace(approval, reasons=with_reason(approval.reasons, AskReason.HELD)))
    return None


def _is_ticked(tx: Transaction, approval: Approval) -> bool:
    """Tell whether the operator approved a send under hold, and it neither always asks nor is stale."""
    return approval.note == TICKED_NOTE and not approval.is_stale and not always_asks(tx, approval)


def _lose_rule(tx: Transaction, graph_id: GraphId) -> None:
    """Take the automatic rule from a plan that was open during a hold, and from its variants."""
    for graph in (tx.graphs.get(graph_id), *tx.graphs.variants_of(graph_id)):
        if not graph.lost_rule:
            tx.graphs.save(replace(graph, lost_rule=True))


def _in_order(tx: Transaction, items: Iterable[BacklogItem]) -> Backlog:
    """Put the chats with the newest message first."""
    left = list(items)
    found = [tx.chats.get(chat_id) for chat_id in dict.fromkeys(item.approval.chat_id for item in left)]
    chats = sorted(found, key=lambda chat: (chat.last_at or _LONG_AGO, chat.chat_id), reverse=True)
    order = {chat.chat_id: place for place, chat in enumerate(chats)}
    return Backlog(tuple(chats), tuple(sorted(left, key=lambda item: order[item.approval.chat_id])))
