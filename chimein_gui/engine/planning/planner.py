"""The planner turns one `received` task into a task graph.

Functions that take a transaction run on the writer thread.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from chimein_gui.domain.costs import PLAN
from chimein_gui.domain.errors import (
    ModelCapError,
    ModelError,
    ModelKeyError,
    ModelRefusedError,
    ModelTransientError,
)
from chimein_gui.domain.notes import Note
from chimein_gui.domain.prompt.model_faults import ModelFault
from chimein_gui.domain.replies.replies import BlockKind
from chimein_gui.domain.traces.entries import Backfilled
from chimein_gui.engine.llm.calls import CallInterruptedError
from chimein_gui.engine.planning.backfill import INCOMPLETE
from chimein_gui.engine.planning.lifecycle import (
    MOST_RESTARTS,
    begin,
    finish,
    give_up,
    interrupted,
    let_key_waiters_go,
    requeue_cancelled,
    retry,
    revert_running,
    stop_for_cap,
    stop_for_key,
)
from chimein_gui.engine.planning.model_loop import MOST_CALLS, CallBudget, ModelLoop
from chimein_gui.engine.ports import Durability
from chimein_gui.engine.ports.model import MAIN_PROVIDER
from chimein_gui.engine.tasks.next_action import Plan, Send, next_action
from chimein_gui.reporting.log_lines import FROM_OUTSIDE, about

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable
    from datetime import datetime

    from chimein_gui.domain.events import EngineEvent
    from chimein_gui.domain.ids import AccountId, ChatId, TaskId
    from chimein_gui.engine.planning.model_loop import PlanningServices
    from chimein_gui.engine.ports import Transaction
    from chimein_gui.engine.prompt.inputs import PlanInputs
    from chimein_gui.engine.tasks.next_action import NextAction, Work

    ClaimDue = Callable[[Transaction, NextAction | None], tuple[Work | None, list[EngineEvent]]]
    End = Callable[[Transaction], list[EngineEvent]]
    Look = Callable[[Transaction], NextAction | None]

_log = logging.getLogger(__name__)


def _leave(_tx: Transaction, work: NextAction | None) -> tuple[Work | None, list[EngineEvent]]:
    return work, []


class Planner:
    """Makes plans, a bounded number at once. Further plans wait in the order in which they became due."""

    def __init__(self, services: PlanningServices, claim_due: ClaimDue | None = None) -> None:
        """Create the service.

        Args:
            services: Shared with the variants.
            claim_due: Method of the outbox; claims a send that the new plan makes due, in the same commit.
        """
        self._services = services
        self._claim_due = claim_due or _leave
        self._running: dict[ChatId, PlanInputs] = {}
        self._budgets: dict[ChatId, tuple[TaskId, CallBudget]] = {}
        self._remembers: set[ChatId] = set()
        self._incomplete: set[ChatId] = set()
        self._unsure: set[ChatId] = set()
        self._fetched: dict[ChatId, Backfilled] = {}

    async def fetch_missing(self, chat_id: ChatId, group_account: AccountId | None = None) -> None:
        """Fetch what the chat's next plan needs. If some of it is unavailable, the plan says so.

        It fetches history for at most 2 s, and in groups the people whom the account has blocked. Without that list no
        rule decides.

        Call it before asking for a slot: an account that answers slowly would hold the slot meanwhile.

        Args:
            chat_id: The conversation.
            group_account: Its account if it is a group, otherwise None.
        """
        self._incomplete.discard(chat_id)
        services = self._services
        if chat_id not in services.complete_chats:
            began_at = services.clock.now()
            is_complete = await services.fetch_missing(chat_id)
            took_s = max(0.0, (services.clock.now() - began_at).total_seconds())
            self._fetched[chat_id] = Backfilled(began_at, took_s, is_complete)
            if not is_complete:
                self._incomplete.add(chat_id)
        self._unsure.discard(chat_id)
        if group_account is not None and not await services.knows_blocked(group_account):
            self._unsure.add(chat_id)

    def has_all(self, chat_id: ChatId, group_account: AccountId | None) -> bool:
        """Return whether `fetch_missing` would fetch nothing, as in most private chats."""
        left = chat_id in self._incomplete or chat_id in self._unsure
        return group_account is None and not left and chat_id in self._services.complete_chats

    async def plan(
        self, chat_id: ChatId, *, due_at: datetime | None = None, owner: Hashable = None, look: Look | None = None
    ) -> Work | None:
        """Make the plan that the chat's open `received` task asks for.

        Args:
            chat_id: The conversation.
            due_at: Since when it is due, aware UTC. The chat that has been due longest goes first.
            owner: The owner of the chat. Chats due at the same moment take turns by owner.
            look: Called again in the transaction that begins the plan, if time has passed since it was due; returns
                what the chat has to do next. If that is no longer this plan, nothing is planned.

        Returns:
            The next action of the chat.

        Raises:
            StoreError: The plan could not be begun and nothing has changed.
        """
        services = self._services
        async with services.slots.turn(due_at or services.clock.now(), owner, chat_id):
            begun, further = await self._begin(chat_id, look)
            if begun is None:
                return further
            if (fetched := self._fetched.pop(chat_id, None)) is not None:
                begun.trace.note(fetched)
            if chat_id in self._unsure:
                begun = replace(begun, is_unsure=True, shows_read=False)
            if begun.shows_read:
                services.mark_read(begun.chat.info.account_id, begun.chat.info.peer_id, begun.covers_up_to)
            self._running[chat_id] = begun
            try:
                noted = replace(begun, notes=(INCOMPLETE,)) if chat_id in self._incomplete else begun
                with about(agent_id=begun.chat.agent_id, chat_id=chat_id, task_id=begun.trace.task_id):
                    end = await self._make(noted, self._budget(begun))
            finally:
                del self._running[chat_id]
        return await self._commit(end, begun)

    def skip_pages(self, chat_id: ChatId, task_id: TaskId) -> None:
        """Let a plan look up no further web page, in all its attempts while the program runs.

        Of one that is being made, no more is fetched, and the next prompt offers none.

        Args:
            chat_id: The conversation.
            task_id: The `received` task that asks for the plan.
        """
        self._budget_of(chat_id, task_id).rounds.is_skipped = True

    def newer_trigger(self, chat_id: ChatId) -> None:
        """Cancel the chat's model call because a trigger was stored, at most twice for one set of triggers.

        After that the call finishes, and the newer trigger is planned afterwards.
        """
        begun = self._running.get(chat_id)
        if begun is not None and begun.task is not None and begun.task.restarts < MOST_RESTARTS:
            self._services.calls.interrupt(chat_id)

    async def model_key_changed(self, provider: str = MAIN_PROVIDER) -> None:
        """Make the plans that waited for a key, after a key was changed or the program has started."""
        services = self._services
        services.calls.key_changed(provider)
        services.forget_meanings()
        now = services.clock.now()
        for chat_id in await services.store.transact(lambda tx: let_key_waiters_go(tx, now)):
            services.on_due(chat_id, now)

    async def _begin(self, chat_id: ChatId, look: Look | None) -> tuple[PlanInputs | None, NextAction | None]:
        """Start the open `received` task of a chat; without a plan return the next action of the chat."""
        services, environment = self._services, self._services.environment

        def work(tx: Transaction) -> tuple[list[EngineEvent], tuple[PlanInputs | None, NextAction | None]]:
            if look is not None:
                due = look(tx)
                if not isinstance(due, Plan) or due.at > environment.now():
                    return [], (None, due)
            calls = services.calls
            begun, events = begin(
                tx,
                chat_id,
                services.source,
                environment,
                calls.key_problem,
                calls.cap_problem,
                lambda stopped: services.recorder.plan(tx, stopped, environment.now()),
            )
            return events, (begun, None if begun is not None else next_action(tx, chat_id, environment))

        try:
            return await services.unit.run(work, durability=Durability.NORMAL, wakes=False)
        except asyncio.CancelledError:
            # It may be stored all the same. No job makes the plan now, and an orderly end is not a crash.
            services.store.submit(partial(revert_running, chat_id=chat_id))
            raise

    async def _make(self, begun: PlanInputs, budget: CallBudget) -> End:
        """Ask the model; returns the body of the transaction that ends the plan."""
        services, environment = self._services, self._services.environment
        if not budget.left:
            used_up = ModelRefusedError(
                f"{MOST_CALLS} model calls brought no reply", Note(ModelFault.CALLS_USED_UP, number=MOST_CALLS)
            )
            return partial(give_up, begun=begun, error=used_up, environment=environment)
        chat_id = begun.chat.chat_id
        loop = ModelLoop(services, begun, key=chat_id, purpose=PLAN, budget=budget, has_fixed_answers=True)
        try:
            read = await loop.reply()
        except CallInterruptedError:
            return partial(interrupted, begun=loop.inputs, environment=environment)
        except asyncio.CancelledError:
            # An orderly end is not a crash: the next start plans again.
            services.store.submit(partial(self._left, begun=begun, end=partial(requeue_cancelled, begun=loop.inputs)))
            raise
        except (ModelKeyError, ModelCapError) as error:
            return self._stop(loop.inputs, error)
        except ModelRefusedError as error:
            return partial(give_up, begun=loop.inputs, error=error, environment=environment)
        except Exception as error:  # noqa: BLE001 - after any error the trigger must not be lost
            if isinstance(error, ModelTransientError):
                _log.info("The model call failed and is repeated: %s", error)
            else:
                _log.exception("A plan failed unexpectedly")
            return partial(retry, begun=loop.inputs, error=error, environment=environment)
        if any(block.kind is BlockKind.REMEMBER for block in read.reply.blocks):
            self._remembers.add(chat_id)
        return partial(finish, begun=loop.inputs, read=read, environment=environment)

    def _stop(self, begun: PlanInputs, error: ModelError) -> End:
        """Let a plan wait, because no call can be made now."""
        calls, environment = self._services.calls, self._services.environment
        if isinstance(error, ModelCapError):
            return partial(stop_for_cap, begun=begun, cap_problem=calls.cap_problem, environment=environment)
        key_problem = partial(calls.key_problem, begun.inputs.model)
        return partial(stop_for_key, begun=begun, key_problem=key_problem, environment=environment)

    def _budget(self, begun: PlanInputs) -> CallBudget:
        """Return the call budget that is left to a plan since the program started."""
        if begun.task is None:
            return CallBudget()
        return self._budget_of(begun.chat.chat_id, begun.task.task_id)

    def _budget_of(self, chat_id: ChatId, task_id: TaskId) -> CallBudget:
        """Return a task's budget. That of the task before it is dropped, in whatever way it ended."""
        of, budget = self._budgets.get(chat_id, (None, None))
        if budget is None or of != task_id:
            budget = CallBudget()
            self._budgets[chat_id] = (task_id, budget)
        return budget

    async def _commit(self, end: End, begun: PlanInputs) -> Work | None:
        """Store how a plan ended, or a failed attempt if that raises; returns the next action of the chat."""
        services, chat_id = self._services, begun.chat.chat_id

        def work(tx: Transaction) -> tuple[list[EngineEvent], tuple[Work | None, bool]]:
            return self._end(tx, end=end, begun=begun)

        try:
            further, is_over = await services.unit.record(work)
        except asyncio.CancelledError:
            reverted = partial(revert_running, chat_id=chat_id, calls=begun.trace.unbooked)
            services.store.submit(partial(self._left, begun=begun, end=reverted))
            raise
        except Exception as error:  # noqa: BLE001 - an abandoned plan would block all later messages
            _log.exception("A plan of chat %s could not be stored", chat_id)
            begun.trace.graph_id = begun.trace.failure = None
            again = partial(retry, begun=begun, error=error, environment=services.environment)
            further, is_over = await services.unit.record(partial(self._end, end=again, begun=begun, claims=False))
        if begun.trace.graph_id is not None:
            made, asked = begun.trace.graph_id, begun.trace.task_id
            with about(agent_id=begun.chat.agent_id, chat_id=chat_id, graph_id=made, task_id=asked):
                if begun.trace.failure is None:
                    _log.info("A plan was made and saved")
                else:
                    _log.error("The model call failed for good: %s", begun.trace.failure, extra=FROM_OUTSIDE)
        if begun.trace.prompts:
            services.on_made((chat_id, begun.trace))
        if begun.span.choices:
            services.on_chosen(chat_id, begun.covers_up_to)
        if is_over:
            self._budgets.pop(chat_id, None)
        if chat_id in self._remembers:
            self._remembers.discard(chat_id)
            services.on_stored()
        return further

    def _left(self, tx: Transaction, *, begun: PlanInputs, end: End) -> list[EngineEvent]:
        """End an attempt that an orderly shutdown has interrupted; nothing is recorded of one that is stored."""
        events = end(tx)
        task = tx.tasks.open_received(begun.chat.chat_id)
        if begun.task is not None and task is not None and task.task_id == begun.task.task_id:
            self._services.recorder.plan(tx, begun, self._services.environment.now())
        return events

    def _end(
        self, tx: Transaction, *, end: End, begun: PlanInputs, claims: bool = True
    ) -> tuple[list[EngineEvent], tuple[Work | None, bool]]:
        """Return the events to publish, the next action of the chat, and whether the plan is over."""
        chat_id = begun.chat.chat_id
        events = end(tx)
        self._services.recorder.plan(tx, begun, self._services.environment.now())
        received = tx.tasks.open_received(chat_id)
        is_over = begun.task is None or received is None or received.task_id != begun.task.task_id
        further: Work | None = next_action(tx, chat_id, self._services.environment)
        if claims and isinstance(further, Send):
            further, claimed = self._claim_due(tx, further)
            events += claimed
        return events, (further, is_over)
