"""One transaction replaces the plan of a chat: the old rest ends, the new steps and memories begin.

See docs/behaviour.md, "What a new plan replaces". Functions that take a transaction run on the writer thread.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from chimein_gui.domain.approvals import OPERATOR, Approve
from chimein_gui.domain.events import ApprovalRequested, ApprovalResolved, ChatChanged, EngineEvent, TaskGraphReplaced
from chimein_gui.domain.notes import Note, NoteKind
from chimein_gui.domain.plans.planned_steps import PlannedWait, PromptCoverage
from chimein_gui.domain.tasks import (
    PLANNED_KINDS,
    UNSENT,
    CancelReason,
    LedgerState,
    TaskKind,
    TaskStatus,
)
from chimein_gui.engine.approvals.admission import StepPosition, add_planned_send
from chimein_gui.engine.context.selection import forget_used_pins
from chimein_gui.engine.policy.trust import SILENT, trust_now
from chimein_gui.engine.ports import GraphStanding, MemoryEffect, MemoryState, NewGraph
from chimein_gui.engine.prompt.reply_steps import read_plan, summary
from chimein_gui.engine.tasks.completion import cancel_steps
from chimein_gui.engine.tasks.graphs import OBSERVED_NOTE, retire_variants
from chimein_gui.engine.tasks.saved_edits import save_edits
from chimein_gui.engine.tasks.transitions import (
    begin_wait,
    cancel_planned,
    graph_snapshot,
    has_left,
    move_task,
    step_changed,
)
from chimein_gui.engine.triggers.staleness import concerns

if TYPE_CHECKING:
    from collections.abc import Iterable

    from chimein_gui.domain.approvals import Approval
    from chimein_gui.domain.chats import Chat
    from chimein_gui.domain.ids import ChatId, GraphId, TaskId
    from chimein_gui.domain.plans.planned_steps import PlannedStep
    from chimein_gui.engine.core.environment import TransactionEnvironment
    from chimein_gui.engine.ports import GraphRow, TaskRow, Transaction
    from chimein_gui.engine.prompt.inputs import PlanInputs
    from chimein_gui.engine.prompt.reply_steps import ReadReply


_MOST_NEWER = 100
"""Maximum number of messages since the model call that are checked."""


@dataclass(frozen=True, slots=True)
class GraphTarget:
    """Where the steps of a plan are put.

    Attributes:
        chat: The conversation as it is in this transaction.
        graph_id: The plan.
        before: The step that the plan's first step depends on.
        is_settled: The step `before` is over.
        parked: The plan is a variant. None of its steps begins before the variant is chosen.
    """

    chat: Chat
    graph_id: GraphId
    before: TaskId | None
    is_settled: bool = True
    parked: bool = False


def store_graph(
    tx: Transaction, begun: PlanInputs, reply: ReadReply, environment: TransactionEnvironment, *, changed: bool = False
) -> list[EngineEvent]:
    """Replace the chat's plan.

    Finished steps, sends in doubt and the operator's own messages stay. The rest of the old plan is cancelled.

    Args:
        tx: The transaction; its `received` task is running.
        begun: The inputs of the plan.
        reply: The model's reply; its thoughts were taken out before it was parsed.
        environment: Preferences, time and the state of accounts.
        changed: The conversation differs from the prompt, so every draft is marked as changed.
    """
    if begun.task is None:
        raise ValueError("A regenerate stores a variant, not a plan")
    chat, now = tx.chats.get(begun.chat.chat_id), environment.now()
    plan = read_plan(tx, chat, reply)
    old, events = supersede(tx, chat.chat_id)
    new_graph = NewGraph(
        chat.chat_id,
        now,
        trigger_ids=begun.trigger_ids,
        span=begun.span,
        problems=(*plan.problems, *begun.notes),
    )
    begun.trace.graph_id = graph_id = tx.graphs.add(new_graph)
    received = tx.tasks.get(begun.task.task_id)
    after = Note(NoteKind.DONE_AFTER_RETRY, number=received.attempts) if received.attempts > 1 else None
    received = move_task(
        tx, received, TaskStatus.DONE, reason=after, graph_id=graph_id, trigger_ids=begun.trigger_ids, due_at=None
    )
    events.append(step_changed(tx, received))
    ground = GraphTarget(chat, graph_id, received.task_id)
    seen = seen_by(tx, chat, tx.graphs.get(graph_id), begun, changed=changed)
    drafts, step_events = write_steps(tx, ground, plan.steps, seen, environment)
    events += [TaskGraphReplaced(graph_snapshot(tx, graph_id), tx.revision), *step_events]
    if old:
        events += save_edits(tx, old, drafts, now)
    if trust_now(chat, now) not in SILENT:
        add_memories(tx, ground, plan.memories, environment)
    if plan.no_answer and begun.trigger_ids:
        tx.chats.set_planned_up_to(chat.chat_id, begun.trigger_ids[-1])
    forget_used_pins(tx, begun.chat)
    problem = summary(plan)
    if problem != chat.planning_problem:
        tx.chats.set_planning_problem(chat.chat_id, problem)
    return [*events, ChatChanged(tx.chats.get(chat.chat_id), tx.revision)]


def supersede(tx: Transaction, chat_id: ChatId) -> tuple[tuple[Approval, ...], list[EngineEvent]]:
    """Cancel the steps that a new plan replaces, including the variants of the old plan.

    Returns:
        The drafts as they were before, in plan order, and what to publish.
    """
    old: list[Approval] = []
    events: list[EngineEvent] = []
    for step in _replaceable(tx, tx.tasks.current_of_chat(chat_id)):
        if step.kind not in PLANNED_KINDS:
            events += cancel_steps(tx, [step], CancelReason.SUPERSEDED)
            continue
        approval = tx.approvals.of_task(step.task_id)
        if step.status is not TaskStatus.PARKED:
            old.append(approval)
        events.append(ApprovalResolved(cancel_planned(tx, step, _why(tx, approval)), tx.revision))
    current = tx.graphs.current_of(chat_id)
    if current is not None and tx.graphs.variants_of(current.graph_id):
        retire_variants(tx, current.graph_id)
    return tuple(old), events


def _replaceable(tx: Transaction, steps: Iterable[TaskRow]) -> list[TaskRow]:
    """Return the steps without unmade plans, the operator's own messages and sends that may have been delivered."""
    standings: dict[GraphId, GraphStanding] = {}
    found = []
    for step in steps:
        if step.kind is TaskKind.RECEIVED or step.graph_id is None:
            continue
        if step.graph_id not in standings:
            standings[step.graph_id] = tx.graphs.get(step.graph_id).standing
        if standings[step.graph_id] is GraphStanding.BESIDE:
            continue
        if step.kind in PLANNED_KINDS and (step.status not in UNSENT or in_doubt(tx, step)):
            continue
        found.append(step)
    return found


def in_doubt(tx: Transaction, step: TaskRow) -> bool:
    """Tell whether a planned send may have arrived. Such a send survives the replacement of its plan."""
    if step.kind not in PLANNED_KINDS:
        return False
    approval = tx.approvals.of_task(step.task_id)
    return any(row.state is LedgerState.UNKNOWN for row in tx.ledger.of_approval(approval.approval_id))


def _why(tx: Transaction, approval: Approval) -> CancelReason:
    """Return why a send is cancelled. An unedited approval by the operator is offered again with "send anyway".

    An approval that its claim or a hold has put back counts too, until the operator decides otherwise. A partly
    delivered send is not offered, because another copy would repeat the delivered part.
    """
    if approval.is_edited or has_left(tx, approval):
        return CancelReason.SUPERSEDED
    if approval.task_status is TaskStatus.APPROVED:
        by_operator = not approval.by_rule
    else:
        last = tx.decisions.last_of(approval)
        by_operator = last is not None and last.decision == Approve.__name__ and last.by == OPERATOR
    return CancelReason.SUPERSEDED_AFTER_APPROVAL if by_operator else CancelReason.SUPERSEDED


def write_steps(
    tx: Transaction,
    ground: GraphTarget,
    steps: tuple[PlannedStep | PlannedWait, ...],
    seen: PromptCoverage,
    environment: TransactionEnvironment,
) -> tuple[tuple[Approval, ...], list[EngineEvent]]:
    """Store the steps of a plan, each depending on the one before. Planned sends pass the trust gate.

    Returns:
        The planned sends in order, and what to publish.
    """
    drafts: list[Approval] = []
    events: list[EngineEvent] = []
    before, is_settled = ground.before, ground.is_settled
    for position, step in enumerate(steps, start=1):
        if isinstance(step, PlannedWait):
            wait = _add_wait(tx, ground, step, before, position)
            before = wait.task_id
            if trust_now(ground.chat, environment.now()) in SILENT and not ground.parked:
                wait = move_task(tx, wait, TaskStatus.SKIPPED, reason=OBSERVED_NOTE)
                events.append(step_changed(tx, wait))
                continue
            if is_settled and not ground.parked:
                events += begin_wait(tx, wait, environment)
            else:
                events.append(step_changed(tx, wait))
            is_settled = False
            continue
        place = StepPosition(ground.chat, ground.graph_id, () if before is None else (before,), position)
        approval = add_planned_send(tx, place, step, seen, environment)
        before, is_settled = approval.task_id, False
        drafts.append(approval)
        if not ground.parked:
            events.append(ApprovalRequested(approval, tx.revision))
    return tuple(drafts), events


def _add_wait(tx: Transaction, ground: GraphTarget, step: PlannedWait, before: TaskId | None, position: int) -> TaskRow:
    task_id = tx.tasks.add(
        ground.chat.chat_id,
        TaskKind.WAIT,
        TaskStatus.PENDING,
        graph_id=ground.graph_id,
        depends_on=() if before is None else (before,),
        position=position,
        wait_s=step.wait_s,
    )
    return tx.tasks.get(task_id)


def add_memories(
    tx: Transaction, ground: GraphTarget, memories: tuple[str, ...], environment: TransactionEnvironment
) -> tuple[MemoryEffect, ...]:
    """Store the memories of the reply; they are written to the agent's file after the commit."""
    state = MemoryState.PARKED if ground.parked else MemoryState.PREPARED
    effects = tuple(
        MemoryEffect(ground.graph_id, index, ground.chat.agent_id, ground.chat.chat_id, text, state, environment.now())
        for index, text in enumerate(memories)
    )
    for effect in effects:
        tx.effects.add_memory(effect)
    return effects


def seen_by(
    tx: Transaction, chat: Chat, graph: GraphRow, begun: PlanInputs, *, changed: bool = False
) -> PromptCoverage:
    """Return which messages the model had seen. Drafts are marked as changed at once if newer ones came.

    Args:
        tx: The transaction that stores the plan.
        chat: The conversation as it is in this transaction.
        graph: The plan.
        begun: The inputs of the plan.
        changed: The conversation has changed by something other than a new message.
    """
    if chat.newest_in_id <= begun.covers_up_to:
        return PromptCoverage(begun.revision, begun.covers_up_to, changed, is_unsure=begun.is_unsure)
    account, peer = chat.info.account_id, chat.info.peer_id
    came = tx.messages.incoming_above(account, peer, above_id=begun.covers_up_to, limit=_MOST_NEWER)
    concerning = [message for message in came if not message.deleted and concerns(tx, chat, graph, message)]
    newer = tx.messages.count_in(account, peer, above_id=begun.covers_up_to) - len(concerning)
    is_changed = changed or bool(concerning)
    return PromptCoverage(begun.revision, begun.covers_up_to, is_changed, max(0, newer), is_unsure=begun.is_unsure)
