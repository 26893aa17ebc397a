"""The operator's actions on a plan or one of its steps.

Functions that take a transaction run on the writer thread or on the reader thread.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from chimein_gui.domain.events import ChatChanged, EngineEvent, StepChanged
from chimein_gui.domain.ids import MessageId
from chimein_gui.domain.loaded import Loaded
from chimein_gui.domain.notes import Note, NoteKind
from chimein_gui.domain.tasks import TaskKind, TaskStatus
from chimein_gui.engine.operator.decision_log import log_regenerate
from chimein_gui.engine.tasks.completion import let_wait_begin, skip_wait
from chimein_gui.engine.tasks.graphs import reject_rest
from chimein_gui.engine.tasks.transitions import move_task, step_changed
from chimein_gui.engine.triggers.triggers import unanswered

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from chimein_gui.domain.chats import Chat
    from chimein_gui.domain.ids import ChatId, GraphId, TaskId
    from chimein_gui.engine.core.commits import UnitOfWork
    from chimein_gui.engine.core.environment import TransactionEnvironment
    from chimein_gui.engine.planning.variants import Regenerated, Variants
    from chimein_gui.engine.ports import Transaction

CANCELLED_NOTE = Note(NoteKind.CANCELLED_BY_OPERATOR)

_NOT_BEGUN = frozenset({TaskStatus.WAITING, TaskStatus.READY})
_IN_THE_MAKING = _NOT_BEGUN | {TaskStatus.RUNNING}


class Plans:
    """Lists open steps; rejects, regenerates and retries plans; skips and allows waits."""

    def __init__(
        self,
        unit: UnitOfWork,
        environment: TransactionEnvironment,
        variants: Variants,
        skip_pages: Callable[[ChatId, TaskId], None],
    ) -> None:
        """`skip_pages` is the planner's; the rest is shared."""
        self._unit = unit
        self._environment = environment
        self._variants = variants
        self._skip_pages = skip_pages

    async def load(self, chat_id: ChatId) -> Loaded[StepChanged]:
        """Return a chat's unfinished steps that are invisible outside, such as a plan being made and waits."""
        return await self._unit.read(lambda tx: Loaded(_unseen_steps(tx, chat_id), tx.revision))

    async def reject(self, graph_id: GraphId, reason: str = "") -> None:
        """Cancel the unsent part of a plan; its messages count as answered, also if it was given up.

        Args:
            graph_id: The plan.
            reason: The operator's words for the next prompt; may be empty.

        Raises:
            NotFoundError: There is no such plan.
            StoreError: Nothing has changed.
        """
        await self._unit.apply(lambda tx: reject_rest(tx, graph_id, reason, self._environment.now()))

    async def regenerate(self, graph_id: GraphId, instruction: str = "", *, without_pages: bool = False) -> Regenerated:
        """Ask the model for another version of the unsent part of a plan; it waits to be chosen.

        Args:
            graph_id: The plan.
            instruction: The operator's; may be empty.
            without_pages: Let the model look up no web page for it.

        Raises:
            NotFoundError: There is no such plan.
            StoreError: Nothing was stored.
        """
        log = partial(log_regenerate, graph_id=graph_id, instruction=instruction, now=self._environment.now())
        await self._unit.apply(log, wakes=False)
        return await self._variants.regenerate(graph_id, instruction, without_pages=without_pages)

    async def skip_wait(self, task_id: TaskId) -> None:
        """End a wait; automatic sends that depend on it ask the operator.

        Raises:
            NotFoundError: There is no such step.
            StoreError: Nothing has changed.
        """
        await self._unit.apply(lambda tx: skip_wait(tx, task_id, self._environment))

    async def let_wait_begin(self, task_id: TaskId) -> None:
        """Allow a wait of more than 24 h; it counts from now.

        Raises:
            NotFoundError: There is no such step.
            StoreError: Nothing has changed.
        """
        await self._unit.apply(lambda tx: let_wait_begin(tx, task_id, self._environment))

    async def cancel_planning(self, task_id: TaskId) -> None:
        """Cancel a plan that waits to be made or is being made; its messages count as answered.

        Raises:
            NotFoundError: There is no such step.
            StoreError: Nothing has changed.
        """
        await self._unit.apply(partial(_cancel_planning, task_id=task_id))

    async def retry(self, chat_id: ChatId, *, without_pages: bool = False) -> None:
        """Plan now, instead of at the next attempt or after the plan was given up.

        Args:
            chat_id: The conversation.
            without_pages: Let the model look up no (further) web page for this plan.

        Raises:
            NotFoundError: There is no such chat.
            StoreError: Nothing has changed.
        """

        def committed(task_id: TaskId | None) -> None:
            if without_pages and task_id is not None:
                self._skip_pages(chat_id, task_id)

        retried = partial(_retried, chat_id=chat_id, now=self._environment.now())
        await self._unit.run(retried, committed=committed)


def _retried(tx: Transaction, *, chat_id: ChatId, now: datetime) -> tuple[list[EngineEvent], TaskId | None]:
    """Let the plan of a chat be made at once; returns with the events the task that asks for it, if there is one."""
    events = plan_now(tx, chat_id=chat_id, now=now)
    task = tx.tasks.open_received(chat_id)
    return events, task.task_id if task is not None else None


def _unseen_steps(tx: Transaction, chat_id: ChatId) -> tuple[StepChanged, ...]:
    steps = tx.tasks.current_of_chat(chat_id)
    return tuple(step_changed(tx, step) for step in steps if step.kind in {TaskKind.RECEIVED, TaskKind.WAIT})


def _cancel_planning(tx: Transaction, *, task_id: TaskId) -> list[EngineEvent]:
    task = tx.tasks.get(task_id)
    if task.kind is not TaskKind.RECEIVED or task.status not in _IN_THE_MAKING:
        return []
    moved = move_task(tx, task, TaskStatus.CANCELLED, reason=CANCELLED_NOTE, due_at=None)
    if task.trigger_ids:
        tx.chats.set_planned_up_to(task.chat_id, MessageId(max(task.trigger_ids)))
    tx.chats.set_planning_problem(task.chat_id, None)
    return [step_changed(tx, moved), _chat_changed(tx, tx.chats.get(task.chat_id))]


def plan_now(tx: Transaction, *, chat_id: ChatId, now: datetime) -> list[EngineEvent]:
    """Let the plan of a chat be made at once, if one waits to be made or messages are unanswered."""
    chat, task = tx.chats.get(chat_id), tx.tasks.open_received(chat_id)
    if task is not None:
        if task.status not in _NOT_BEGUN:
            return []
        again = replace(task, due_at=now)
        tx.tasks.save(again)
    else:
        trigger_ids = unanswered(tx, chat)
        if not trigger_ids:
            return []
        task_id = tx.tasks.add(
            chat_id,
            TaskKind.RECEIVED,
            TaskStatus.WAITING,
            trigger_ids=trigger_ids,
            due_at=now,
            window_began_at=now,
        )
        again = tx.tasks.get(task_id)
    tx.chats.set_planning_problem(chat_id, None)
    return [step_changed(tx, again), _chat_changed(tx, tx.chats.get(chat_id))]


def _chat_changed(tx: Transaction, chat: Chat) -> ChatChanged:
    return ChatChanged(chat, tx.revision)
