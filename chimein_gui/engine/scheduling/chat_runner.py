"""Runs one step of one chat: dispatches its next action to planner and outbox."""

from __future__ import annotations

import logging
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING

from chimein_gui.domain.errors import note_of
from chimein_gui.domain.events import FaultReported
from chimein_gui.domain.ids import Revision
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.faults import FaultReason
from chimein_gui.engine.scheduling.scheduler import Again
from chimein_gui.engine.tasks.completion import end_wait
from chimein_gui.engine.tasks.next_action import (
    AT_ONCE,
    Claim,
    EndWait,
    Plan,
    Resolve,
    Send,
    Upload,
    next_action,
    only_plan,
)
from chimein_gui.reporting.log_lines import about

if TYPE_CHECKING:
    from collections.abc import Callable

    from chimein_gui.domain.events import EngineEvent
    from chimein_gui.domain.ids import AgentId, ChatId
    from chimein_gui.engine.core.commits import UnitOfWork
    from chimein_gui.engine.core.environment import TransactionEnvironment
    from chimein_gui.engine.core.event_bus import EventBus
    from chimein_gui.engine.core.fair_semaphore import FairSemaphore
    from chimein_gui.engine.planning.planner import Planner
    from chimein_gui.engine.ports import Transaction
    from chimein_gui.engine.sending.outbox import Outbox
    from chimein_gui.engine.tasks.next_action import NextAction, Work

_log = logging.getLogger(__name__)

STORE_RETRY_S = 5.0
"""Seconds before a step that the store could not commit is retried."""


class ChatRunner:
    """Runs steps of chats; errors are isolated per chat."""

    def __init__(  # noqa: PLR0913 - one service each
        self,
        bus: EventBus,
        environment: TransactionEnvironment,
        unit: UnitOfWork,
        slots: FairSemaphore,
        planner: Planner,
        outbox: Outbox,
        *,
        is_known: Callable[[AgentId], bool],
        wake: Callable[[ChatId], None],
    ) -> None:
        """Create the service.

        Args:
            bus: Reports steps that failed.
            environment: What transactions need beside the database.
            unit: The database.
            slots: Limits how many plans are made at once.
            planner: Makes plans.
            outbox: Sends approved sends.
            is_known: Returns whether an agent has, or had since the start, a file.
            wake: Has a chat checked now.
        """
        self._bus = bus
        self._environment = environment
        self._unit = unit
        self._slots = slots
        self._planner = planner
        self._outbox = outbox
        self._is_known = is_known
        self._wake = wake
        self._faulty: set[ChatId] = set()

    def queue(self, chat_id: ChatId, plan: Plan) -> bool:
        """Have a due plan wait for a slot without a step, if nothing is to be done before; see `Scheduler.run`."""
        if self._slots.spare or plan.meanwhile is not None or not self._is_known(plan.agent_id):
            return False
        if plan.at > self._environment.now():
            return False  # a takeover, for example, ends later than the quiet window for which the chat was woken
        if not self._planner.has_all(chat_id, plan.group_account):
            return False
        return not self._ask(plan)

    async def step(self, chat_id: ChatId, plan: Plan | None) -> Again | None:
        """Run a chat's due work, beginning with `plan` if given; returns when to check the chat again."""
        with about(chat_id=chat_id, agent_id=plan.agent_id if plan is not None else None):
            try:
                again = await self._run_due(chat_id, plan)
            except Exception as error:  # noqa: BLE001 - one chat's trouble must not end the others
                # A step that can't be committed changes nothing; the chat waits and the operator is notified.
                _log.exception("A step of chat %s failed", chat_id)
                self._faulty.add(chat_id)
                self._report(chat_id, Note(FaultReason.STEP_UNFINISHED, cause=note_of(error)))
                return Again(self._environment.now() + timedelta(seconds=STORE_RETRY_S))
            if chat_id in self._faulty:
                self._faulty.discard(chat_id)
                self._report(chat_id, None)
            return again

    async def _run_due(self, chat_id: ChatId, plan: Plan | None) -> Again | None:
        look = partial(self._look, chat_id=chat_id)
        work: Work | None
        try:
            if self._slots.is_reserved(chat_id):
                # It waited for this turn with a due plan, which usually still is due, so one transaction is enough.
                work = await self._planner.plan(chat_id, look=look)
            else:
                is_current = plan is not None and self._is_known(plan.agent_id)
                work = plan if is_current else await self._unit.read(look)
            while isinstance(work, Claim | Upload) or (work is not None and work.at <= self._environment.now()):
                work = await self._do(work)
        finally:
            self._slots.release(chat_id)
        return None if work is None else Again(work.at, only_plan(work))

    def _look(self, tx: Transaction, *, chat_id: ChatId) -> NextAction | None:
        """Return a chat's next action; runs on the writer or reader thread."""
        if not self._is_known(tx.chats.get(chat_id).agent_id):
            return None  # when its file returns, its account connects, which wakes all its chats
        return next_action(tx, chat_id, self._environment)

    async def _do(self, work: Work) -> Work | None:
        match work:
            case Plan():
                return await self._plan(work)
            case EndWait():
                return await self._unit.run(partial(self._end_wait, wait=work), wakes=False)
            case Send():
                return await self._outbox.send(work)
            case Upload():
                return self._outbox.upload(work)
            case Claim():
                return await self._outbox.dispatch(work)
            case Resolve():
                return await self._outbox.resolve(work)

    async def _plan(self, work: Plan) -> Work | None:
        chat_id = work.chat_id
        await self._planner.fetch_missing(chat_id, work.group_account)
        if not self._ask(work):
            # A step waiting for a slot would block the chat's approved sends.
            return work.meanwhile
        return await self._planner.plan(chat_id)

    def _ask(self, plan: Plan) -> bool:
        """Ask for a slot for a due plan; if there is none, the chat is woken when its turn comes."""
        due_at = plan.at if plan.at > AT_ONCE else self._environment.now()
        return self._slots.ask(plan.chat_id, due_at, plan.agent_id, lambda: self._wake(plan.chat_id))

    def _end_wait(self, tx: Transaction, *, wait: EndWait) -> tuple[list[EngineEvent], Work | None]:
        """End a wait and claim the send that is due by it, in one commit. It runs on the writer thread."""
        events = end_wait(tx, wait.task_id, self._environment)
        further, claimed = self._outbox.claim_due(tx, next_action(tx, wait.chat_id, self._environment))
        return [*events, *claimed], further

    def _report(self, chat_id: ChatId, cause: Note | None) -> None:
        remedy = Note(FaultReason.TRIED_IN_A_MOMENT)
        self._bus.publish(FaultReported(f"chat {chat_id}", cause, remedy, Revision(0)))
