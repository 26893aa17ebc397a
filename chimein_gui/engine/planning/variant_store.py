"""Effects of regenerating, choosing and discarding a variant on the store, each in one transaction.

Functions that take a transaction run on the writer thread.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from chimein_gui.domain.approvals import AskReason, with_reason
from chimein_gui.domain.events import ApprovalRequested, ChatChanged, EngineEvent, TaskGraphReplaced, VariantStored
from chimein_gui.domain.notes import Note, NoteKind, PlanningProblem
from chimein_gui.domain.notes.reasons import Reason
from chimein_gui.domain.plans.planned_steps import PlannedWait
from chimein_gui.domain.tasks import PLANNED_KINDS, UNSENT, CancelReason, TaskKind, TaskStatus
from chimein_gui.engine.context.selection import forget_used_pins
from chimein_gui.engine.planning.graph_writer import GraphTarget, add_memories, in_doubt, seen_by, write_steps
from chimein_gui.engine.planning.lifecycle import confirmed_since, is_one_ours, not_in_prompt, operator_writes
from chimein_gui.engine.policy.trust import SILENT, trust_now
from chimein_gui.engine.ports import GraphStanding, MemoryState, NewGraph
from chimein_gui.engine.prompt.inputs import keep_instruction, read_begun
from chimein_gui.engine.prompt.reply_steps import read_plan, summary
from chimein_gui.engine.tasks.completion import cancel_steps
from chimein_gui.engine.tasks.graphs import move_memories, retire_variants
from chimein_gui.engine.tasks.saved_edits import save_edits
from chimein_gui.engine.tasks.transitions import begin_wait, graph_snapshot, move_task, settled

if TYPE_CHECKING:
    from datetime import datetime

    from chimein_gui.domain.approvals import Approval
    from chimein_gui.domain.ids import GraphId, TaskId
    from chimein_gui.engine.core.environment import TransactionEnvironment
    from chimein_gui.engine.ports import GraphRow, TaskRow, Transaction
    from chimein_gui.engine.prompt.inputs import PlanInputs, PromptSource
    from chimein_gui.engine.prompt.reply_steps import ReadReply

REPLACED = Note(Reason.PLAN_REPLACED)
NOTHING_LEFT = Note(Reason.NOTHING_LEFT)
NEXT_PLAN = Note(Reason.NEXT_PLAN)
IN_DOUBT = Note(Reason.SEND_IN_DOUBT)
NO_VARIANT = Note(Reason.NO_VARIANT)

ANEW = "Write your reply anew, in another way."
"""The instruction for the model if the operator gives none."""


@dataclass(frozen=True, slots=True)
class Stored:
    """The result of storing a regenerated reply.

    Attributes:
        graph_id: The variant, or None.
        note: Why there is no variant, or None.
        problem: The fault in the reply, if it is the reason.
        again: A part of the plan was sent meanwhile, so the variant has to be made once more.
        events: What to publish.
    """

    graph_id: GraphId | None = None
    note: Note | None = None
    problem: PlanningProblem | None = None
    again: bool = False
    events: tuple[EngineEvent, ...] = ()


@dataclass(frozen=True, slots=True)
class NotBegun:
    """A variant cannot be made now.

    Attributes:
        note: Why.
        has_next_plan: A new plan is due; the instruction is passed to it.
    """

    note: Note
    has_next_plan: bool = False


def begin_variant(
    tx: Transaction, graph_id: GraphId, instruction: str, source: PromptSource, environment: TransactionEnvironment
) -> PlanInputs | NotBegun:
    """Return the inputs of a regenerate's prompt, or why no variant can be made now."""
    graph = tx.graphs.get(graph_id)
    if graph.standing is not GraphStanding.CURRENT:
        return NotBegun(REPLACED)
    if tx.tasks.open_received(graph.chat_id) is not None:
        keep_for_next_plan(tx, graph_id, instruction, environment.now())
        return NotBegun(NEXT_PLAN, has_next_plan=True)
    planned = [step for step in tx.tasks.of_graph(graph_id) if step.kind in PLANNED_KINDS]
    if _unknown_outcome(tx, graph):
        return NotBegun(IN_DOUBT)
    rest = [step for step in planned if step.status in UNSENT]
    if not rest:
        return NotBegun(NOTHING_LEFT)
    chat = tx.chats.get(graph.chat_id)
    begun = read_begun(tx, chat, graph.trigger_ids, source, environment, instruction or ANEW)
    sent = [step for step in planned if step.status in {TaskStatus.DONE, TaskStatus.SENDING}]
    inputs = replace(begun.inputs, sent=_texts(tx, sent), drafts=_texts(tx, rest))
    return replace(begun, inputs=inputs)


def keep_for_next_plan(tx: Transaction, graph_id: GraphId, instruction: str, now: datetime) -> None:
    """Keep an instruction as the operator's note for the next plan."""
    graph = tx.graphs.get(graph_id)
    if instruction and graph.standing is GraphStanding.CURRENT:
        keep_instruction(tx, tx.chats.get(graph.chat_id), graph_id, instruction, now)


def store_variant(
    tx: Transaction,
    begun: PlanInputs,
    graph_id: GraphId,
    read: ReadReply,
    instruction: str,
    environment: TransactionEnvironment,
) -> Stored:
    """Store a reply as a variant of a plan. Its sends are parked and none of its steps begins."""
    graph = tx.graphs.get(graph_id)
    if graph.standing is not GraphStanding.CURRENT:
        return Stored(note=REPLACED)
    chat = tx.chats.get(graph.chat_id)
    if tx.tasks.open_received(chat.chat_id) is not None:
        keep_for_next_plan(tx, graph_id, instruction, environment.now())
        return Stored(note=NEXT_PLAN)
    unseen = not_in_prompt(tx, chat, begun)
    if is_one_ours(tx, unseen):
        return Stored(note=Note(NoteKind.SENT_MEANWHILE), again=True)
    if not any(step.kind in PLANNED_KINDS and step.status in UNSENT for step in tx.tasks.of_graph(graph_id)):
        return Stored(note=NOTHING_LEFT)  # the plan was rejected meanwhile
    plan = read_plan(tx, chat, read)
    if not any(not isinstance(step, PlannedWait) for step in plan.steps):
        return Stored(problem=summary(plan), note=Note(Reason.NO_REPLY_TO_SEND))
    new = NewGraph(
        chat.chat_id,
        environment.now(),
        standing=GraphStanding.VARIANT,
        variant_of=graph_id,
        trigger_ids=begun.trigger_ids,
        span=begun.span,
        instruction=instruction,
        problems=plan.problems,
    )
    begun.trace.graph_id = variant_id = tx.graphs.add(new)
    ground = GraphTarget(chat, variant_id, _last_kept(tx, graph_id), is_settled=False, parked=True)
    changed = bool(unseen) or operator_writes(tx, chat) or _rewritten(tx, graph_id, begun)
    seen = seen_by(tx, chat, tx.graphs.get(variant_id), begun, changed=changed)
    drafts, _ = write_steps(tx, ground, plan.steps, seen, environment)
    if trust_now(chat, environment.now()) not in SILENT:
        add_memories(tx, ground, plan.memories, environment)
    events: list[EngineEvent] = [VariantStored(graph_snapshot(tx, variant_id), drafts, tx.revision)]
    if forget_used_pins(tx, begun.chat):
        events.append(ChatChanged(tx.chats.get(chat.chat_id), tx.revision))
    return Stored(variant_id, events=tuple(events))


def _rewritten(tx: Transaction, graph_id: GraphId, begun: PlanInputs) -> bool:
    """Tell whether a message was edited or deleted during the call.

    The plan's own drafts are marked for changes in their prompt. Messages that tools have shown are compared here.
    """
    if any(approval.changed_at > begun.revision for approval in tx.approvals.of_graph(graph_id)):
        return True
    now = ((one, tx.messages.get(one.key)) for one in begun.shown)
    return any(found is None or (found.text, found.deleted) != (one.text, one.deleted) for one, found in now)


def choose_variant(
    tx: Transaction, graph_id: GraphId, environment: TransactionEnvironment
) -> tuple[list[EngineEvent], Note | None]:
    """Replace a plan by its variant: unsent steps of the plan are cancelled, the variant's sends ask for a decision.

    Returns:
        The events to publish, and why it is refused, or None.
    """
    variant = tx.graphs.get(graph_id)
    if variant.standing is not GraphStanding.VARIANT or variant.variant_of is None:
        return [], NO_VARIANT
    old = tx.graphs.get(variant.variant_of)
    if old.standing is not GraphStanding.CURRENT:
        return [], REPLACED
    if _unknown_outcome(tx, old):
        return [], IN_DOUBT
    if not any(step.status is TaskStatus.PARKED for step in tx.tasks.of_graph(graph_id)):
        return [], NO_VARIANT
    steps = [step for step in tx.tasks.of_graph(old.graph_id) if not in_doubt(tx, step)]
    replaced = tuple(
        tx.approvals.of_task(step.task_id) for step in steps if step.kind in PLANNED_KINDS and step.status in UNSENT
    )
    events = cancel_steps(tx, steps, CancelReason.VARIANT)
    tx.graphs.save(replace(variant, standing=GraphStanding.CURRENT))
    for other in tx.graphs.variants_of(old.graph_id):
        if other.standing is GraphStanding.VARIANT:
            events += cancel_steps(tx, tx.tasks.of_graph(other.graph_id), CancelReason.VARIANT)
    retire_variants(tx, old.graph_id)
    drafts, step_events = _unpark(tx, variant, _last_kept(tx, old.graph_id), environment)
    events += [TaskGraphReplaced(graph_snapshot(tx, graph_id), tx.revision), *step_events]
    events += save_edits(tx, replaced, drafts, environment.now())
    is_silent = trust_now(tx.chats.get(old.chat_id), environment.now()) in SILENT
    move_memories(tx, graph_id, MemoryState.PARKED, MemoryState.UNDONE if is_silent else MemoryState.PREPARED)
    return [*events, ChatChanged(tx.chats.get(old.chat_id), tx.revision)], None


def discard_variant(tx: Transaction, graph_id: GraphId) -> tuple[list[EngineEvent], Note | None]:
    """Discard a variant: its parked sends are cancelled and its memories are not written."""
    variant = tx.graphs.get(graph_id)
    if variant.standing is not GraphStanding.VARIANT:
        return [], NO_VARIANT
    events = cancel_steps(tx, tx.tasks.of_graph(graph_id), CancelReason.VARIANT)
    tx.graphs.save(replace(variant, standing=GraphStanding.RETIRED))
    move_memories(tx, graph_id, MemoryState.PARKED, MemoryState.UNDONE)
    return events, None


def _unpark(
    tx: Transaction, variant: GraphRow, before: TaskId | None, environment: TransactionEnvironment
) -> tuple[tuple[Approval, ...], list[EngineEvent]]:
    """Let the steps of the chosen variant begin. Drafts written before the newest send are marked as changed."""
    chat = tx.chats.get(variant.chat_id)
    kept = () if before is None else (before,)
    is_old = bool(confirmed_since(tx, chat, variant.span.high))
    drafts: list[Approval] = []
    events: list[EngineEvent] = []
    for index, parked in enumerate(tx.tasks.of_graph(variant.graph_id)):
        step = parked
        if index == 0 and step.depends_on != kept:
            step = replace(step, depends_on=kept)
            tx.tasks.save(step)
        if step.kind is TaskKind.WAIT:
            if step.status is TaskStatus.PENDING and index == 0 and settled(tx, step.depends_on):
                events += begin_wait(tx, step, environment)
            continue
        move_task(tx, step, TaskStatus.AWAITING_DECISION)
        approval = tx.approvals.of_task(step.task_id)
        if is_old:
            reasons = with_reason(approval.reasons, AskReason.CHANGED)
            tx.approvals.save(replace(approval, reasons=reasons, changed_at=tx.revision, version=approval.version + 1))
            approval = tx.approvals.of_task(step.task_id)
        drafts.append(approval)
        events.append(ApprovalRequested(approval, tx.revision))
    return tuple(drafts), events


def _last_kept(tx: Transaction, graph_id: GraphId) -> TaskId | None:
    """Return the last step of a plan that is sent or on its way; new steps depend on it."""
    kept = [
        step
        for step in tx.tasks.of_graph(graph_id)
        if step.status in {TaskStatus.DONE, TaskStatus.SENDING} and step.kind in {*PLANNED_KINDS, TaskKind.RECEIVED}
    ]
    return kept[-1].task_id if kept else None


def _unknown_outcome(tx: Transaction, graph: GraphRow) -> bool:
    return any(step.status is TaskStatus.UNKNOWN for step in tx.tasks.current_of_chat(graph.chat_id))


def _texts(tx: Transaction, steps: list[TaskRow]) -> tuple[str, ...]:
    return tuple(tx.approvals.of_task(step.task_id).text or f"({step.kind})" for step in steps)
