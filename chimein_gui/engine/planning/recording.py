"""Stores the trace of a plan in the transaction that ends it, of another version of a plan, and of a dry run.

What became of a plan is read from its steps in that transaction; `engine/tasks/transitions.py` follows later changes.
Functions that take a transaction run on the writer thread.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from chimein_gui.domain.costs import CallEnd, ModelCall
from chimein_gui.domain.errors import NotFoundError
from chimein_gui.domain.notes import Note, NoteKind
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.domain.traces.entries import AttemptEnded, Debounced, Replied
from chimein_gui.domain.traces.records import TraceRecord
from chimein_gui.domain.traces.summaries import TraceKind, TraceState
from chimein_gui.engine.llm.calls import book
from chimein_gui.engine.ports import Durability
from chimein_gui.engine.tasks.transitions import outcome_of

if TYPE_CHECKING:
    from datetime import datetime

    from chimein_gui.domain.events import EngineEvent
    from chimein_gui.domain.ids import ChatId, GraphId
    from chimein_gui.domain.traces.entries import TraceEntry
    from chimein_gui.engine.core.commits import UnitOfWork
    from chimein_gui.engine.ports import Clock, TaskRow, Transaction
    from chimein_gui.engine.prompt.inputs import PlanInputs

_BY_REASON = {
    NoteKind.MODEL_FAILED: TraceState.RETRYING,
    NoteKind.NO_KEY: TraceState.NO_KEY,
    NoteKind.WAITS_FOR_CAP: TraceState.CAPPED,
}
"""The state of a plan that is made again, by the reason of its `received` step; for all others something came."""


class Recorder:
    """Stores traces. The benchmark of what recording costs puts another one in its place."""

    def plan(self, tx: Transaction, begun: PlanInputs, now: datetime) -> None:
        """Store an attempt at a plan, after the transaction has moved its `received` step.

        Args:
            tx: The transaction that ends the attempt.
            begun: The inputs of the plan.
            now: Aware UTC.
        """
        if begun.task is None:
            return
        try:
            task = tx.tasks.get(begun.task.task_id)
        except NotFoundError:  # the chat was forgotten meanwhile, and nothing of it is kept
            return
        state = _state_of(tx, task)
        entries = (*_quiet_window(begun), *begun.trace.entries)
        if task.status not in {TaskStatus.DONE, TaskStatus.FAILED}:
            is_counted = task.attempts >= begun.task.attempts
            entries = (*entries, AttemptEnded(now, begun.task.attempts, task.reason, is_counted))
        problem = None if task.status is TaskStatus.DONE else task.reason
        tx.traces.record(
            TraceRecord(
                TraceKind.PLAN,
                begun.chat.chat_id,
                begun.chat.agent_id,
                state,
                _beginning(entries, begun.inputs.now),
                now,
                entries,
                problem,
                _first_words(begun),
                task.graph_id,
                task.task_id,
                begun.trigger_ids,
            )
        )

    def variant(
        self,
        tx: Transaction,
        begun: PlanInputs,
        state: TraceState,
        now: datetime,
        *,
        graph_id: GraphId | None = None,
        problem: Note | None = None,
        instruction: str = "",
    ) -> None:
        """Store how another version of a plan was made, or why it was not.

        Args:
            tx: The transaction that ends it.
            begun: The inputs of its last attempt; the trace has all of them.
            state: What became of it.
            now: Aware UTC.
            graph_id: The version, if there is one.
            problem: Why there is none.
            instruction: The operator's instruction.
        """
        entries = begun.trace.entries
        tx.traces.record(
            TraceRecord(
                TraceKind.VARIANT,
                begun.chat.chat_id,
                begun.chat.agent_id,
                state,
                _beginning(entries, begun.inputs.now),
                now,
                entries,
                problem,
                _first_words(begun),
                graph_id,
                trigger_ids=begun.trigger_ids,
                instruction=instruction,
            )
        )

    def dry_run(
        self,
        tx: Transaction,
        chat_id: ChatId,
        entries: tuple[TraceEntry, ...],
        now: datetime,
        problem: Note | None = None,
    ) -> None:
        """Store a dry run of the operator's, in the transaction that books it, with why there is no answer."""
        calls = [one for one in entries if isinstance(one, ModelCall)]
        if not calls:
            return
        ends = {CallEnd.ANSWERED: TraceState.ANSWERED, CallEnd.CANCELLED: TraceState.STOPPED}
        said = next((one.text for one in entries if isinstance(one, Replied)), "")
        tx.traces.record(
            TraceRecord(
                TraceKind.DRY_RUN,
                chat_id,
                tx.chats.get(chat_id).agent_id,
                ends.get(calls[-1].end, TraceState.FAILED),
                calls[0].began_at,
                now,
                entries,
                problem,
                said,
            )
        )


async def book_dry_run(
    unit: UnitOfWork,
    clock: Clock,
    chat_id: ChatId,
    calls: tuple[ModelCall, ...],
    entries: tuple[TraceEntry, ...],
    problem: Note | None,
) -> None:
    """Book the calls of a dry run, and store its trace with why there is no answer, in one commit.

    Raises:
        StoreError: Nothing is stored.
    """

    def work(tx: Transaction) -> list[EngineEvent]:
        Recorder().dry_run(tx, chat_id, entries, clock.now(), problem)
        return book(tx, chat_id, calls)

    await unit.apply(work, durability=Durability.NORMAL, wakes=False)


def _state_of(tx: Transaction, task: TaskRow) -> TraceState:
    if task.status is TaskStatus.DONE and task.graph_id is not None:
        return outcome_of(tx.tasks.of_graph(task.graph_id))
    if task.status is TaskStatus.FAILED:
        # Only where another attempt is pointless there is no number of attempts.
        given_up = task.reason is not None and task.reason.number > 0
        return TraceState.FAILED if given_up else TraceState.REFUSED
    if task.status in {TaskStatus.CANCELLED, TaskStatus.SKIPPED}:
        return TraceState.UNNEEDED
    kind = None if task.reason is None else task.reason.kind
    return _BY_REASON.get(kind, TraceState.BEGUN_ANEW) if isinstance(kind, NoteKind) else TraceState.BEGUN_ANEW


def _quiet_window(begun: PlanInputs) -> tuple[Debounced, ...]:
    """Return the wait for further messages before the plan; an attempt after a failed one has none."""
    task = begun.task
    if task is None or task.window_began_at is None:
        return ()
    until = begun.inputs.now if task.due_at is None else min(task.due_at, begun.inputs.now)
    took_s = max(0.0, (until - task.window_began_at).total_seconds())
    return (Debounced(task.window_began_at, took_s, len(begun.trigger_ids)),)


def _beginning(entries: tuple[TraceEntry, ...], otherwise: datetime) -> datetime:
    began = [at for one in entries if (at := getattr(one, "began_at", None)) is not None]
    return min(began, default=otherwise)


def _first_words(begun: PlanInputs) -> str:
    target = begun.inputs.target
    return "" if target is None or target.deleted else target.text
