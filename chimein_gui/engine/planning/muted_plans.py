"""What a muted DM means for its plans: they are taken back, and made once it is heard again."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from chimein_gui.domain.approvals import AskReason
from chimein_gui.domain.events import ChatChanged, EngineEvent
from chimein_gui.domain.notes import Note, is_of
from chimein_gui.domain.tasks import FINAL, PLANNED_KINDS, UNSENT, CancelReason, TaskStatus
from chimein_gui.engine.ports import GraphStanding
from chimein_gui.engine.tasks.completion import cancel_steps
from chimein_gui.engine.tasks.graphs import retire_variants
from chimein_gui.engine.tasks.steps import step_changed
from chimein_gui.engine.tasks.transitions import back_to_review, changed, has_left, move_task
from chimein_gui.engine.triggers.debounce import open_window
from chimein_gui.engine.triggers.triggers import unanswered

if TYPE_CHECKING:
    from chimein_gui.domain.ids import ChatId, GraphId
    from chimein_gui.engine.core.environment import TransactionEnvironment
    from chimein_gui.engine.ports import GraphRow, TaskRow, Transaction

MUTED_NOTE = Note(CancelReason.MUTED)

_IN_THE_MAKING = frozenset({TaskStatus.READY, TaskStatus.WAITING, TaskStatus.RUNNING})


def take_back(tx: Transaction, chat_id: ChatId, environment: TransactionEnvironment) -> list[EngineEvent]:
    """End what was planned in a chat that is muted, and what is planned now; its messages stay unanswered.

    What the operator edited or approved stays, and so does what stands before it in the plan, and what has left in
    part: he decides, and nothing of it leaves by a rule. While an editor is open there, the claim alone keeps watch.
    """
    events = _end_planning(tx, chat_id)
    current = tx.tasks.current_graph(chat_id)
    if current is not None and not environment.is_editing(chat_id):
        events += _end_drafts(tx, current)
    if events:
        events.append(ChatChanged(tx.chats.get(chat_id), tx.revision))
    return events


def _end_planning(tx: Transaction, chat_id: ChatId) -> list[EngineEvent]:
    received = tx.tasks.open_received(chat_id)
    if received is None or received.status not in _IN_THE_MAKING:
        return []
    ended = move_task(tx, replace(received, due_at=None), TaskStatus.CANCELLED, reason=MUTED_NOTE)
    # What an earlier plan came to says nothing of these messages, and no attempt comes any more: see `hear_again`.
    tx.chats.set_planning_problem(chat_id, None)
    return [step_changed(tx, ended)]


def _end_drafts(tx: Transaction, current: GraphRow) -> list[EngineEvent]:
    steps = [step for step in tx.tasks.of_graph(current.graph_id) if step.status not in FINAL]
    own = [index for index, step in enumerate(steps) if _is_the_operators(tx, step)]
    kept = own[-1] + 1 if own else 0
    events = cancel_steps(tx, steps[kept:], CancelReason.MUTED)
    for step in steps[:kept]:
        if step.kind in PLANNED_KINDS and step.status is TaskStatus.APPROVED:
            approval = tx.approvals.of_task(step.task_id)
            if approval.by_rule:
                events += changed(tx, back_to_review(tx, approval, AskReason.MUTED, MUTED_NOTE))
    return events if own else events + _end_variants(tx, current.graph_id)


def _is_the_operators(tx: Transaction, step: TaskRow) -> bool:
    """Tell whether a step is his to decide: he edited or approved it, or a part of it has left, or perhaps has."""
    if step.kind not in PLANNED_KINDS:
        return False
    approval = tx.approvals.of_task(step.task_id)
    if step.status not in UNSENT or approval.is_edited or has_left(tx, approval):
        return True
    return step.status is TaskStatus.APPROVED and not approval.by_rule


def _end_variants(tx: Transaction, graph_id: GraphId) -> list[EngineEvent]:
    events: list[EngineEvent] = []
    for variant in tx.tasks.variants_of(graph_id):
        if variant.standing is GraphStanding.VARIANT:
            events += cancel_steps(tx, tx.tasks.of_graph(variant.graph_id), CancelReason.MUTED)
    retire_variants(tx, graph_id)
    return events


def on_unmuted(tx: Transaction, chat_id: ChatId, environment: TransactionEnvironment) -> list[EngineEvent]:
    """A chat is not muted any more: what came meanwhile, and what was taken back, is planned.

    Not what a plan was given up for, or a send failed for: that waits for the next message, as without a mute.
    """
    chat = tx.chats.get(chat_id)
    trigger_ids = unanswered(tx, chat)
    if not trigger_ids or chat.planning_problem or tx.tasks.open_received(chat_id) is not None:
        return []
    graph = tx.tasks.current_graph(chat_id)
    is_planned = graph is not None and graph.trigger_ids[-1:] == trigger_ids[-1:]
    if graph is not None and is_planned and not _was_taken_back(tx, graph):
        return []
    open_window(tx, chat, trigger_ids, environment)
    received = tx.tasks.open_received(chat_id)
    began = [] if received is None else [step_changed(tx, received)]
    return [*began, ChatChanged(tx.chats.get(chat_id), tx.revision)]


def _was_taken_back(tx: Transaction, graph: GraphRow) -> bool:
    """Tell whether nothing of a plan is open, and that for the mute."""
    steps = tx.tasks.of_graph(graph.graph_id)
    if any(step.status not in FINAL for step in steps):
        return False
    return any(is_of(step.reason, CancelReason.MUTED) for step in steps)
