"""The plans of a chat as the operator reads them: the current one, and earlier ones page by page.

Functions that take a transaction run on the reader thread.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from chimein_gui.domain.loaded import Loaded
from chimein_gui.domain.messages import MessageKey
from chimein_gui.domain.notes import is_of
from chimein_gui.domain.plans.details import IN_THE_MAKING, PlanDetails, PlanEnd, PlanPage
from chimein_gui.domain.plans.graphs import TaskGraph
from chimein_gui.domain.plans.step_edits import StepAction, added_by_hand, standing
from chimein_gui.domain.tasks import FINAL, PLANNED_KINDS, CancelReason, TaskKind, TaskStatus
from chimein_gui.engine.ports import GraphStanding
from chimein_gui.engine.tasks.transitions import graph_snapshot, plan_step

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chimein_gui.domain.approvals import Approval
    from chimein_gui.domain.chats import Chat
    from chimein_gui.domain.ids import ChatId, GraphId, MessageId
    from chimein_gui.domain.messages import Message
    from chimein_gui.domain.plans.step_edits import PlanEdit
    from chimein_gui.engine.ports import GraphRow, Store, TaskRow, Transaction

_NO_TIME = datetime(1970, 1, 1, tzinfo=UTC)

PAGE_PLANS = 20
"""Plans of one page."""

_REPLACED = (CancelReason.SUPERSEDED, CancelReason.SUPERSEDED_AFTER_APPROVAL, CancelReason.VARIANT)

_OUTSIDE = (CancelReason.ACCOUNT_CHANGED, CancelReason.FORGOTTEN, CancelReason.MUTED)
"""What ends a plan without a decision about it."""


class PlanHistory:
    """Reads plans."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def current(self, chat_id: ChatId) -> Loaded[PlanDetails]:
        """Return the plan that a chat follows, if any, with the messages that wait beside it, oldest first.

        A plan that is still being made comes last. It has one step, and the id `IN_THE_MAKING`.

        Raises:
            NotFoundError: There is no such chat.
            StoreError: The database can't be read.
        """
        return await self._store.read(lambda tx: Loaded(_current(tx, chat_id), tx.revision))

    async def page(self, chat_id: ChatId, before: GraphId | None = None, *, limit: int = PAGE_PLANS) -> PlanPage:
        """Return earlier plans of a chat, newest first.

        The plan that the chat follows is none of them, nor are variants that were never chosen and the operator's own
        messages.

        Args:
            chat_id: The chat.
            before: Only plans older than this one; None for the newest.
            limit: Most plans.

        Raises:
            NotFoundError: There is no such chat.
            StoreError: The database can't be read.
        """
        return await self._store.read(lambda tx: read_plan_page(tx, chat_id, before, limit))

    async def plan(self, graph_id: GraphId) -> PlanDetails:
        """Return one plan.

        Raises:
            NotFoundError: There is no such plan.
            StoreError: The database can't be read.
        """
        return await self._store.read(lambda tx: read_plan_details(tx, tx.graphs.get(graph_id)))


def _current(tx: Transaction, chat_id: ChatId) -> tuple[PlanDetails, ...]:
    graph = tx.graphs.current_of(chat_id)
    open_ids = {step.graph_id for step in tx.tasks.current_of_chat(chat_id) if step.graph_id is not None}
    wanted = open_ids | ({graph.graph_id} if graph is not None else set())
    plans = [tx.graphs.get(graph_id) for graph_id in sorted(wanted)]
    found = tuple(read_plan_details(tx, plan) for plan in plans if plan.standing is not GraphStanding.VARIANT)
    return (*found, *_in_the_making(tx, chat_id))


def _in_the_making(tx: Transaction, chat_id: ChatId) -> Iterator[PlanDetails]:
    """Yield the plan that is being made, or waits for that: nothing but its first step."""
    task = tx.tasks.open_received(chat_id)
    if task is None:
        return
    step = plan_step(task)
    began = task.window_began_at or task.due_at or _NO_TIME
    graph = TaskGraph(IN_THE_MAKING, chat_id, began, task.trigger_ids, (), (step,))
    yield PlanDetails(graph, (), _messages(tx, tx.chats.get(chat_id), task.trigger_ids), PlanEnd.OPEN, is_current=True)


def read_plan_page(tx: Transaction, chat_id: ChatId, before: GraphId | None, limit: int) -> PlanPage:
    """Read some earlier plans of a chat in one transaction, newest first."""
    rows = tx.graphs.before(chat_id, before, limit=limit + 1)
    return PlanPage(tuple(read_plan_details(tx, row) for row in rows[:limit]), has_more=len(rows) > limit)


def read_plan_details(tx: Transaction, graph: GraphRow) -> PlanDetails:
    """Read one plan in one transaction."""
    steps, cards = tx.tasks.of_graph(graph.graph_id), tx.approvals.of_graph(graph.graph_id)
    end = _end(graph, steps)
    later = tx.graphs.after(graph.chat_id, graph.graph_id) if end in {PlanEnd.REPLACED, PlanEnd.FAILED} else None
    chat = tx.chats.get(graph.chat_id)
    edits = tx.plan_edits.of_graph(graph.graph_id)
    added = added_by_hand(edits)
    return PlanDetails(
        graph_snapshot(tx, graph.graph_id),
        cards,
        _messages(tx, chat, graph.trigger_ids),
        end,
        None if end is PlanEnd.OPEN else _ended_at(tx, chat, graph, cards),
        is_current=graph.standing is GraphStanding.CURRENT,
        edits=len(edits),
        added=added,
        brought_back=frozenset(one for edit in edits for one in edit.added) - added,
        can_undo=bool(edits) and tx.plan_edits.newest(graph.graph_id) is not None,
        edited=_edited(edits, steps),
        edited_before=_edited_before(tx, graph),
        successor=later.graph_id if later is not None else None,
        failed=graph.failed,
        is_unanswered=end is PlanEnd.FAILED and chat.planned_up_to < max(graph.trigger_ids, default=0),
    )


def _messages(tx: Transaction, chat: Chat, ids: tuple[MessageId, ...]) -> tuple[Message, ...]:
    account, peer = chat.info.account_id, chat.info.peer_id
    found = (tx.messages.get(MessageKey(account, peer, message_id)) for message_id in ids)
    return tuple(message for message in found if message is not None)


def _edited(edits: tuple[PlanEdit, ...], steps: tuple[TaskRow, ...]) -> frozenset[StepAction]:
    """Return what was done to the steps of a plan, but for inserted texts, and for what left nothing behind."""
    edits, texts = standing(edits), {step.task_id for step in steps if step.kind is TaskKind.SEND}
    returned = {edit.task_id for edit in edits if edit.action is StepAction.RETURN}
    return frozenset(
        edit.action
        for edit in edits
        if (edit.action is not StepAction.INSERT or texts.isdisjoint(edit.added))
        and (edit.action is not StepAction.SKIP or edit.task_id not in returned)
    ) - {StepAction.RETRY, StepAction.RETURN}


def _edited_before(tx: Transaction, graph: GraphRow) -> frozenset[StepAction]:
    if graph.standing is not GraphStanding.CURRENT:
        return frozenset()
    for before in tx.graphs.before(graph.chat_id, graph.graph_id, limit=1):
        edits = tx.plan_edits.of_graph(before.graph_id)
        steps = tx.tasks.of_graph(before.graph_id) if edits else ()
        if edits and _end(before, steps) is PlanEnd.REPLACED:
            return _edited(edits, steps)
    return frozenset()


def _end(graph: GraphRow, steps: tuple[TaskRow, ...]) -> PlanEnd:
    """Return how a plan ended, judged by its steps; what was sent counts before what was rejected."""
    if any(step.status not in FINAL for step in steps):
        return PlanEnd.OPEN
    planned = [step for step in steps if step.kind in PLANNED_KINDS]
    if graph.failed is not None or any(step.status is TaskStatus.FAILED for step in planned):
        return PlanEnd.FAILED
    if any(is_of(step.reason, *_REPLACED) for step in steps):
        return PlanEnd.REPLACED
    if any(step.status is TaskStatus.DONE for step in planned):
        return PlanEnd.SENT
    return _unsent_end(planned)


def _unsent_end(planned: list[TaskRow]) -> PlanEnd:
    if not planned:
        return PlanEnd.NO_ANSWER
    if all(step.status is TaskStatus.OBSERVED for step in planned):
        return PlanEnd.OBSERVED
    rejected = (TaskStatus.SKIPPED, TaskStatus.CANCELLED)
    if all(step.status in rejected and not is_of(step.reason, *_OUTSIDE) for step in planned):
        return PlanEnd.REJECTED
    return PlanEnd.ENDED


def _ended_at(tx: Transaction, chat: Chat, graph: GraphRow, cards: tuple[Approval, ...]) -> datetime:
    """Return when the last thing of a plan was sent, decided or superseded; without sends, when it was stored."""
    account, peer = chat.info.account_id, chat.info.peer_id
    sent_ids = (card.message_id for card in cards if card.message_id is not None)
    sent = (tx.messages.get(MessageKey(account, peer, message_id)) for message_id in sent_ids)
    times = [message.sent_at for message in sent if message is not None]
    resolved = tx.approvals.last_resolved(graph.graph_id)
    return max([*times, *([resolved] if resolved is not None else []), graph.created_at])
