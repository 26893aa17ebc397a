"""The planner: one `received` task becomes a task graph (SPEC §3.5)."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING

from chimein_gui.domain.errors import ModelKeyError, ModelRefusedError, ModelTransientError, StoreWriteError
from chimein_gui.domain.events import (
    ApprovalRequested,
    ApprovalResolved,
    ChatChanged,
    EngineEvent,
    TaskGraphReplaced,
)
from chimein_gui.domain.ids import MessageId
from chimein_gui.domain.messages import MessageKey
from chimein_gui.domain.replies import parse_reply
from chimein_gui.domain.tasks import PLANNED_KINDS, UNSENT, LedgerState, TaskKind, TaskStatus
from chimein_gui.engine.chat_work import ChatWork, next_work
from chimein_gui.engine.fault_line import FaultLine
from chimein_gui.engine.gate import Place, add_planned_send
from chimein_gui.engine.plan_reading import PlannedSend, planned_sends, summary
from chimein_gui.engine.ports import Durability
from chimein_gui.engine.prompt_builder import PromptInputs, build_prompt
from chimein_gui.engine.transitions import cancel_planned, move_task
from chimein_gui.engine.triggers import REWRITTEN, mark_rewritten, unanswered

if TYPE_CHECKING:
    from datetime import datetime

    from chimein_gui.domain.agents import AgentSpec
    from chimein_gui.domain.chats import Chat
    from chimein_gui.domain.ids import AgentId, ChatId, GraphId, TaskId
    from chimein_gui.domain.preferences import Preferences
    from chimein_gui.domain.replies import Reply
    from chimein_gui.engine.event_bus import EventBus
    from chimein_gui.engine.ports import Clock, LanguageModel, Store, TaskRow, Transaction

_log = logging.getLogger(__name__)

MODEL_S = 60.0
"""Longest model call (SPEC §3a)."""

ATTEMPTS = 10
"""Attempts at one plan before it is given up (SPEC §3, Failures)."""

RETRY_S = 10.0
"""Pause between two attempts."""

STORE_RETRY_S = 2.0
"""Pause before a plan that could not be stored is tried again."""

MOST_RESTARTS = 2
"""How often newer triggers may send a finished reply back before it is used all the same (SPEC §3.3)."""


ClaimDue = Callable[["Transaction", "ChatWork | None"], "tuple[ChatWork | None, list[EngineEvent]]"]


@dataclass(frozen=True, slots=True)
class PlanBegun:
    """What a plan was begun with."""

    task: TaskRow
    chat: Chat
    inputs: PromptInputs


class Planner:
    """Makes plans, a bounded number at once; plans beyond it wait in the order they became due."""

    def __init__(  # noqa: PLR0913, PLR0917 - one service each
        self,
        store: Store,
        bus: EventBus,
        clock: Clock,
        preferences: Preferences,
        model: LanguageModel,
        spec_of: Callable[[AgentId], AgentSpec],
        claim_due: ClaimDue,
        model_prompt: str = "",
    ) -> None:
        """Wire the services; `spec_of` returns an agent's file as it is now, `claim_due` is the outbox's."""
        self._store = store
        self._bus = bus
        self._clock = clock
        self._preferences = preferences
        self._model = model
        self._spec_of = spec_of
        self._claim_due = claim_due
        self._model_prompt = model_prompt
        self._slots = asyncio.Semaphore(preferences.parallel_plans)
        self._restarts: dict[TaskId, int] = {}
        self._fault = FaultLine(bus, "planner", "It is tried again every 2 s; nothing is lost.")

    async def plan(self, chat_id: ChatId) -> ChatWork | None:
        """Make the plan that the chat's open `received` task asks for; returns what the chat has to do next."""
        async with self._slots:
            begun, events = await self._store.transact(partial(self._begin, chat_id=chat_id))
            self._bus.publish(*events)
            if begun is None:
                return await self._store.read(lambda tx: next_work(tx, chat_id, self._preferences))
            try:
                async with self._clock.timeout(MODEL_S):
                    answer = await self._model.generate(build_prompt(begun.inputs))
                reply = parse_reply(answer.text)
            except asyncio.CancelledError:
                # An orderly end is no crash: the next start plans again.
                self._store.submit(partial(_put_off, task_id=begun.task.task_id))
                raise
            except (ModelRefusedError, ModelKeyError) as error:
                return await self._commit(partial(self._give_up, begun=begun, explanation=str(error)), chat_id)
            except Exception as error:  # noqa: BLE001 - whatever it was, the trigger is not lost
                if not isinstance(error, ModelTransientError | TimeoutError):
                    _log.exception("A plan failed in a way nobody foresaw")
                return await self._commit(partial(self._retry, begun=begun, error=error), chat_id)
            graph = partial(self._store_graph, begun=begun, reply=reply)
            return await self._commit(graph, chat_id, Durability.FULL)

    def _begin(self, tx: Transaction, chat_id: ChatId) -> tuple[PlanBegun | None, list[EngineEvent]]:
        task = tx.tasks.open_received(chat_id)
        if task is None or task.status not in {TaskStatus.WAITING, TaskStatus.READY}:
            return None, []
        chat = tx.chats.get(chat_id)
        task = replace(task, trigger_ids=unanswered(tx, chat))
        if not task.trigger_ids:
            # Answered by a send or by the operator while it waited.
            move_task(tx, task, TaskStatus.CANCELLED, reason="answered meanwhile")
            tx.chats.set_planning_problem(chat_id, "")
            return None, [ChatChanged(tx.chats.get(chat_id), tx.revision)]
        way = (TaskStatus.RUNNING,) if task.status is TaskStatus.READY else (TaskStatus.READY, TaskStatus.RUNNING)
        task = move_task(tx, replace(task, attempts=task.attempts + 1), *way)
        chat = tx.chats.get(chat_id)
        account, peer = chat.info.account_id, chat.info.peer_id
        history = tx.messages.before(account, peer, before_id=None, limit=self._preferences.history_limit)
        target = tx.messages.get(MessageKey(account, peer, task.trigger_ids[-1])) if task.trigger_ids else None
        anchor = None
        if target is not None and target.reply_to_id is not None:
            anchor = tx.messages.get(MessageKey(account, peer, target.reply_to_id))
        inputs = PromptInputs(
            agent=self._spec_of(chat.agent_id),
            chat=chat,
            history=history,
            anchor=anchor,
            trigger_ids=task.trigger_ids,
            model_prompt=self._model_prompt,
            default_model=self._preferences.model,
            now=self._clock.now(),
        )
        return PlanBegun(task, chat, inputs), [ChatChanged(chat, tx.revision)]

    def _retry(self, tx: Transaction, *, begun: PlanBegun, error: Exception) -> list[EngineEvent]:
        cause = str(error) or f"The model did not answer within {MODEL_S:.0f} s"
        if begun.task.attempts >= ATTEMPTS:
            return self._give_up(tx, begun=begun, explanation=f"{cause} ({ATTEMPTS} attempts)")
        task = tx.tasks.get(begun.task.task_id)
        wait_s = getattr(error, "retry_after_s", None) or RETRY_S
        until = self._clock.now() + timedelta(seconds=wait_s)
        move_task(tx, replace(task, due_at=until), TaskStatus.WAITING, reason=cause)
        problem = f"{cause}. Attempt {begun.task.attempts} of {ATTEMPTS}; the next one comes by itself."
        tx.chats.set_planning_problem(begun.chat.chat_id, problem)
        return [ChatChanged(tx.chats.get(begun.chat.chat_id), tx.revision)]

    def _give_up(self, tx: Transaction, *, begun: PlanBegun, explanation: str) -> list[EngineEvent]:
        move_task(tx, tx.tasks.get(begun.task.task_id), TaskStatus.FAILED, reason=explanation)
        tx.chats.set_planning_problem(begun.chat.chat_id, f"No plan: {explanation}")
        return [ChatChanged(tx.chats.get(begun.chat.chat_id), tx.revision)]

    def _store_graph(self, tx: Transaction, *, begun: PlanBegun, reply: Reply) -> list[EngineEvent]:
        """Replace the chat's plan in one transaction; newer triggers may send the reply back first."""
        task = tx.tasks.get(begun.task.task_id)
        if task.status is not TaskStatus.RUNNING:
            return []
        chat = tx.chats.get(task.chat_id)
        newer = tuple(trigger for trigger in task.trigger_ids if trigger not in begun.task.trigger_ids)
        if chat.planned_up_to >= begun.task.trigger_ids[-1]:
            # Answered while the model was thinking: this plan is not wanted, and the old one stays.
            return self._drop(tx, task, newer)
        if newer and self._restarts.get(task.task_id, 0) < MOST_RESTARTS:
            self._restarts[task.task_id] = self._restarts.get(task.task_id, 0) + 1
            move_task(tx, replace(task, due_at=self._debounced()), TaskStatus.READY, reason="a newer message came")
            return [ChatChanged(tx.chats.get(task.chat_id), tx.revision)]
        self._restarts.pop(task.task_id, None)
        events = _supersede(tx, task.chat_id)
        sends, problems = planned_sends(tx, chat, reply)
        graph_id = tx.tasks.add_graph(task.chat_id, problems=problems, created_at=self._clock.now())
        move_task(tx, replace(task, graph_id=graph_id, trigger_ids=begun.task.trigger_ids), TaskStatus.DONE)
        events.append(TaskGraphReplaced(task.chat_id, graph_id, problems, tx.revision))
        events += self._add_sends(tx, begun, chat, graph_id, sends)
        if task.reason == REWRITTEN:
            events += mark_rewritten(tx, chat, begun.inputs.history[-1])
        if summary(sends, problems) != chat.planning_problem:
            tx.chats.set_planning_problem(task.chat_id, summary(sends, problems))
        if not sends:
            tx.chats.set_planned_up_to(task.chat_id, begun.task.trigger_ids[-1])
        if newer:
            tx.tasks.add(
                task.chat_id,
                TaskKind.RECEIVED,
                TaskStatus.WAITING,
                trigger_ids=task.trigger_ids,
                due_at=self._debounced(),
            )
        return [*events, ChatChanged(tx.chats.get(task.chat_id), tx.revision)]

    def _drop(self, tx: Transaction, task: TaskRow, newer: tuple[MessageId, ...]) -> list[EngineEvent]:
        if newer:
            again = replace(task, trigger_ids=newer, due_at=self._debounced())
            move_task(tx, again, TaskStatus.READY, reason="a newer message came")
        else:
            move_task(tx, task, TaskStatus.CANCELLED, reason="answered meanwhile")
        return [ChatChanged(tx.chats.get(task.chat_id), tx.revision)]

    def _add_sends(
        self, tx: Transaction, begun: PlanBegun, chat: Chat, graph_id: GraphId, sends: list[PlannedSend]
    ) -> list[EngineEvent]:
        """Hand the planned sends to the gate, each behind the one before it."""
        events: list[EngineEvent] = []
        before, before_is_settled = begun.task.task_id, True
        seen = _newest_seen(begun)
        for position, send in enumerate(sends, start=1):
            place = Place(chat, graph_id, before, position, before_is_settled=before_is_settled)
            approval = add_planned_send(tx, place, send, seen, self._clock.now(), self._preferences)
            before, before_is_settled = approval.task_id, False
            events.append(ApprovalRequested(approval, tx.revision))
        return events

    def _debounced(self) -> datetime:
        return self._clock.now() + timedelta(seconds=self._preferences.debounce_s)

    async def _commit(
        self,
        outcome: Callable[[Transaction], list[EngineEvent]],
        chat_id: ChatId,
        durability: Durability = Durability.NORMAL,
    ) -> ChatWork | None:
        def work(tx: Transaction) -> tuple[list[EngineEvent], ChatWork | None]:
            events, further = outcome(tx), next_work(tx, chat_id, self._preferences)
            if durability is Durability.FULL:
                further, claimed = self._claim_due(tx, further)
                events = [*events, *claimed]
            return events, further

        while True:
            try:
                events, further = await self._store.transact(work, durability=durability)
            except StoreWriteError as error:
                self._fault.show(f"A plan could not be stored: {error}")
                await self._clock.sleep_until(self._clock.now() + timedelta(seconds=STORE_RETRY_S))
                continue
            self._fault.clear()
            self._bus.publish(*events)
            return further


def _put_off(tx: Transaction, *, task_id: TaskId) -> None:
    """Take a plan back that an orderly end has cut off; the attempt does not count."""
    task = tx.tasks.get(task_id)
    if task.status is TaskStatus.RUNNING:
        move_task(tx, replace(task, attempts=task.attempts - 1), TaskStatus.READY, reason="the program was closed")


def _newest_seen(begun: PlanBegun) -> MessageId:
    incoming = [message.key.message_id for message in begun.inputs.history if not message.out]
    return max([*incoming, *begun.task.trigger_ids], default=MessageId(0))


def _supersede(tx: Transaction, chat_id: ChatId) -> list[EngineEvent]:
    """Cancel what the new plan replaces; what perhaps was delivered already stays (SPEC §3a)."""
    events: list[EngineEvent] = []
    for task in tx.tasks.current_of_chat(chat_id):
        if task.kind not in PLANNED_KINDS or task.status not in UNSENT:
            continue
        approval = tx.approvals.of_task(task.task_id)
        row = tx.ledger.current(approval.approval_id)
        if row is not None and row.state is LedgerState.UNKNOWN:
            continue
        after = " after approval" if task.status is TaskStatus.APPROVED else ""
        events.append(ApprovalResolved(cancel_planned(tx, task, f"superseded{after}"), tx.revision))
    return events
