"""Regenerating: another version of a plan is made beside it and stays parked until it is chosen.

See docs/behaviour.md, "Other versions of a plan". Functions that take a transaction run on the writer thread.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING

from chimein_gui.domain.errors import ModelError, ModelRefusedError, StoreError
from chimein_gui.domain.events import TaskStatusChanged
from chimein_gui.domain.notes import Note, NoteKind, PlanningProblem
from chimein_gui.domain.notes.reasons import Reason
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.domain.traces.summaries import TraceState
from chimein_gui.engine.llm.calls import CallInterruptedError, PlanTrace, book
from chimein_gui.engine.planning.lifecycle import said_by
from chimein_gui.engine.planning.model_loop import CallBudget, ModelLoop
from chimein_gui.engine.planning.variant_store import (
    NotBegun,
    Stored,
    begin_variant,
    choose_variant,
    discard_variant,
    keep_for_next_plan,
    store_variant,
)
from chimein_gui.engine.ports import Durability
from chimein_gui.reporting.log_lines import about

if TYPE_CHECKING:
    from collections.abc import Callable

    from chimein_gui.domain.costs import ModelCall
    from chimein_gui.domain.events import EngineEvent
    from chimein_gui.domain.ids import ChatId, GraphId
    from chimein_gui.engine.planning.model_loop import PlanningServices
    from chimein_gui.engine.ports import Transaction
    from chimein_gui.engine.prompt.inputs import PlanInputs

    Work = Callable[[Transaction], list[EngineEvent]]
    Decide = Callable[[Transaction], tuple[list[EngineEvent], Note | None]]

REGENERATE = "regenerate"
"""Purpose under which the call of a regenerate is booked."""

BUSY = Note(Reason.VERSION_BUSY)
STOPPED = Note(Reason.VERSION_STOPPED)
KEPT = Note(Reason.INSTRUCTION_KEPT)


@dataclass(frozen=True, slots=True)
class Regenerated:
    """The result of a regenerate.

    Attributes:
        graph_id: The variant, parked; None if there is none.
        note: Why there is no variant, or None.
        problem: The fault in the reply, if it is the reason; it says more than the note.
    """

    graph_id: GraphId | None
    note: Note | None = None
    problem: PlanningProblem | None = None


@dataclass(slots=True)
class _Making:
    """A regenerate that is under way.

    Attributes:
        graph_id: The plan.
        restart: The variant is made once more, because a part of the plan was sent meanwhile.
        stopped: The operator has stopped it.
        budget: The number of model calls it may still make, in all its attempts.
        trace: The steps so far, in all its attempts.
        is_storing: The reply and its cost are being stored.
        begun: The inputs of the last attempt; None before the first.
    """

    graph_id: GraphId
    restart: bool = False
    stopped: bool = False
    budget: CallBudget = field(default_factory=CallBudget)
    trace: PlanTrace = field(default_factory=PlanTrace)
    is_storing: bool = False
    begun: PlanInputs | None = None


class Variants:
    """Makes, chooses and discards variants of plans; makes one at a time for each chat."""

    def __init__(self, services: PlanningServices, triggers: list[Callable[[ChatId], object]] | None = None) -> None:
        """Create the service.

        Args:
            services: Shared with the planner.
            triggers: What ingest calls with chats that have a new trigger.
        """
        self._services = services
        self._triggers = [] if triggers is None else triggers
        self._making: dict[ChatId, _Making] = {}
        self._stop_listening: list[Callable[[], object]] = []

    async def regenerate(self, graph_id: GraphId, instruction: str = "", *, without_pages: bool = False) -> Regenerated:
        """Ask the model for another version of the unsent part of a plan.

        A send during the call restarts it. A partner's message ends it, and the instruction is kept for the next plan.

        Args:
            graph_id: The chat's current plan.
            instruction: The operator's instruction; may be empty.
            without_pages: It looks up no web page.

        Raises:
            NotFoundError: There is no such plan.
            StoreError: Nothing was stored.
        """
        services = self._services
        chat_id = (await services.store.read(lambda tx: tx.graphs.get(graph_id))).chat_id
        if chat_id in self._making:
            return Regenerated(None, BUSY)
        making = self._making[chat_id] = _Making(graph_id)
        if without_pages:
            making.budget.rounds.is_skipped = True
        self._listen()
        try:
            async with services.slots.turn(services.clock.now(), chat_id):
                with about(chat_id=chat_id, graph_id=graph_id):
                    return await self._make(chat_id, making, instruction)
        finally:
            del self._making[chat_id]
            self._listen()

    def _listen(self) -> None:
        """Listen to triggers and sends while a variant is being made, and only then."""
        if self._making and not self._stop_listening:
            self._triggers.append(self.partner_wrote)
            unsubscribe = self._services.bus.subscribe(self._on_event, TaskStatusChanged)
            self._stop_listening = [unsubscribe, partial(self._triggers.remove, self.partner_wrote)]
        elif not self._making:
            for stop in self._stop_listening:
                stop()
            self._stop_listening = []

    def partner_wrote(self, chat_id: ChatId) -> None:
        """End the regenerate of a chat in which a trigger was stored."""
        making = self._making.get(chat_id)
        if making is not None:
            making.restart = False
            self._services.calls.interrupt(_key(chat_id))

    def stop(self, chat_id: ChatId) -> None:
        """Stop the regenerate of a chat: the call ends, its cost is booked, and no variant is stored."""
        making = self._making.get(chat_id)
        if making is not None:
            making.stopped, making.restart = True, False
            self._services.calls.interrupt(_key(chat_id))

    async def choose(self, graph_id: GraphId) -> Note | None:
        """Replace a plan by its variant, in one transaction.

        Returns:
            Why the variant cannot be chosen; None if it is the chat's plan now.
        """
        return await self._decide(lambda tx: choose_variant(tx, graph_id, self._services.environment))

    async def discard(self, graph_id: GraphId) -> Note | None:
        """Discard a variant; returns why that cannot be done, or None."""
        return await self._decide(lambda tx: discard_variant(tx, graph_id))

    async def _decide(self, work: Decide) -> Note | None:
        services = self._services
        refusal = await services.unit.run(work)
        if not refusal:
            services.on_stored()
        return refusal

    async def _make(self, chat_id: ChatId, making: _Making, instruction: str) -> Regenerated:
        services = self._services
        while True:
            making.restart = False
            begun = await services.store.transact(
                lambda tx: begin_variant(tx, making.graph_id, instruction, services.source, services.environment)
            )
            if isinstance(begun, NotBegun):
                if begun.has_next_plan:
                    services.calls.interrupt(chat_id)  # a plan that is being made does not have the instruction
                return Regenerated(None, begun.note)
            try:
                stored = await self._attempt(chat_id, making, begun, instruction)
            except CallInterruptedError:
                if making.restart and making.budget.left:
                    continue
                return await self._keep(chat_id, making, instruction)
            except asyncio.CancelledError:
                services.store.submit(self._kept(chat_id, making, instruction))
                raise
            except ModelError as error:
                words, fault = said_by(error)
                note = Note(Reason.NO_VERSION, words, cause=fault)
                is_refused = isinstance(error, ModelRefusedError)
                state = TraceState.REFUSED if is_refused else TraceState.FAILED
                await self._end(chat_id, making, state, instruction, Note(NoteKind.MODEL_FAILED, words, cause=fault))
                return Regenerated(None, note)
            if not stored.again or not making.budget.left:
                return Regenerated(stored.graph_id, stored.note, stored.problem)

    async def _attempt(self, chat_id: ChatId, making: _Making, begun: PlanInputs, instruction: str) -> Stored:
        services = self._services
        making.begun = begun
        for one in begun.trace.entries:
            making.trace.note(one)
        loop = ModelLoop(
            services,
            replace(begun, trace=making.trace),
            key=_key(chat_id),
            purpose=REGENERATE,
            budget=making.budget,
            is_stopped=lambda: making.stopped,
        )
        read = await loop.reply()
        made, calls = loop.inputs, making.trace.unbooked

        def work(tx: Transaction) -> tuple[list[EngineEvent], Stored]:
            booked = book(tx, chat_id, calls)
            stored = store_variant(tx, made, making.graph_id, read, instruction, services.environment)
            if not stored.again or not making.budget.left:
                state = TraceState.UNNEEDED if stored.graph_id is None else TraceState.PARKED
                self._record(tx, making, state, instruction, graph_id=stored.graph_id)
            return [*booked, *stored.events], stored

        making.is_storing = True
        stored = await services.unit.record(work)
        making.is_storing = False
        making.trace.take_unbooked()
        if making.trace.graph_id is not None:
            services.on_made((chat_id, making.trace))
        if made.span.choices:
            services.on_chosen(chat_id, made.covers_up_to)
        return stored

    async def _keep(self, chat_id: ChatId, making: _Making, instruction: str) -> Regenerated:
        if making.stopped:
            await self._end(chat_id, making, TraceState.STOPPED, instruction)
            return Regenerated(None, STOPPED)
        kept = self._kept(chat_id, making, instruction)
        await self._services.unit.apply(kept, durability=Durability.NORMAL, wakes=False)
        return Regenerated(None, KEPT)

    def _kept(self, chat_id: ChatId, making: _Making, instruction: str) -> Work:
        calls, now, is_storing = making.trace.unbooked, self._services.clock.now(), making.is_storing

        def work(tx: Transaction) -> list[EngineEvent]:
            if is_storing and _are_booked(tx, chat_id, calls):
                return []  # the job was cancelled, but its result is stored
            keep_for_next_plan(tx, making.graph_id, instruction, now)
            self._record(tx, making, TraceState.STOPPED, instruction)
            return book(tx, chat_id, calls)

        return work

    async def _end(
        self, chat_id: ChatId, making: _Making, state: TraceState, instruction: str, problem: Note | None = None
    ) -> None:
        """Book what was not booked, and store how it ended, in one commit."""
        calls = making.trace.take_unbooked()

        def work(tx: Transaction) -> list[EngineEvent]:
            self._record(tx, making, state, instruction, problem=problem)
            return book(tx, chat_id, calls)

        try:
            await self._services.unit.apply(work, durability=Durability.NORMAL, wakes=False)
        except StoreError:
            making.trace.restore_unbooked(calls)
            raise

    def _record(
        self,
        tx: Transaction,
        making: _Making,
        state: TraceState,
        instruction: str,
        *,
        graph_id: GraphId | None = None,
        problem: Note | None = None,
    ) -> None:
        if making.begun is None or not making.trace.entries:
            return
        now = self._services.environment.now()
        begun = replace(making.begun, trace=making.trace)
        self._services.recorder.variant(
            tx, begun, state, now, graph_id=graph_id, problem=problem, instruction=instruction
        )

    def _on_event(self, event: EngineEvent) -> None:
        """Restart the variant when a part of its plan was sent: the draft would repeat that part, or not follow it."""
        if not isinstance(event, TaskStatusChanged) or event.approval.task_status is not TaskStatus.DONE:
            return
        making = self._making.get(event.approval.chat_id)
        if making is not None and making.graph_id == event.approval.graph_id:
            making.restart = self._services.calls.interrupt(_key(event.approval.chat_id)) or making.restart


def _are_booked(tx: Transaction, chat_id: ChatId, calls: tuple[ModelCall, ...]) -> bool:
    """Tell whether these calls, oldest first, are in the cost ledger. They are stored together with their reply."""
    return bool(calls) and calls[-1] in tx.cards.calls_between(chat_id, calls[0].began_at, calls[-1].began_at)


def _key(chat_id: ChatId) -> tuple[str, ChatId]:
    return REGENERATE, chat_id
