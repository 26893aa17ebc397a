"""The inputs of a plan: everything that its prompt needs, read in one transaction, and what enrichers add to it.

Enrichers run between the transaction that begins a plan and its first model call.

Functions that take a transaction run on the writer thread.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import TYPE_CHECKING, Protocol

from chimein_gui.domain.chats import ChatKind
from chimein_gui.domain.errors import ChimeinError
from chimein_gui.domain.ids import MessageId, PeerId
from chimein_gui.domain.media.in_prompts import DESCRIBED
from chimein_gui.domain.memory.choice import query_from
from chimein_gui.domain.memory.entries import MemoryScope, MemoryView
from chimein_gui.domain.messages import MessageKey, as_messages, first_parts
from chimein_gui.domain.notes import Note, NoteKind
from chimein_gui.domain.notes.faults import FaultReason
from chimein_gui.domain.traces.entries import ContextChosen, Enriched, EnrichEnd, EnricherName
from chimein_gui.engine.context.selection import ContextChooser
from chimein_gui.engine.core.event_bus import FaultLine
from chimein_gui.engine.llm.calls import PlanTrace
from chimein_gui.engine.ports import GraphStanding, NewGraph
from chimein_gui.engine.prompt.builder import RETRIEVE, PromptInputs

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from datetime import datetime

    from chimein_gui.domain.agents import AgentSpec
    from chimein_gui.domain.chats import Chat
    from chimein_gui.domain.ids import AgentId, GraphId, Revision
    from chimein_gui.domain.memory.orders.given import GivenOrder
    from chimein_gui.domain.memory.recall import Recall, Recalled
    from chimein_gui.domain.messages import Message
    from chimein_gui.domain.prompt.spans import PromptSpan
    from chimein_gui.domain.replies.problems import ReplyProblem
    from chimein_gui.engine.context.selection import Context
    from chimein_gui.engine.core.environment import TransactionEnvironment
    from chimein_gui.engine.core.event_bus import EventBus
    from chimein_gui.engine.ports import Clock, MemoryFiles, TaskRow, Transaction

_log = logging.getLogger(__name__)

CUT_OFF = Note(NoteKind.CUT_OFF)
"""Why a regenerate made no variant; its instruction is kept."""

NOTE_AGE = timedelta(hours=24)
"""How long the reason of a rejection is put into prompts."""


@dataclass(frozen=True, slots=True)
class PlanInputs:
    """The inputs and the progress of a plan that is being made.

    Attributes:
        chat: The conversation at the beginning of the plan.
        inputs: The contents of the prompt.
        trigger_ids: The messages it answers, oldest first; the last is the target.
        span: The messages in the prompt.
        covers_up_to: Newest incoming message that was considered for the prompt.
        revision: The revision of the store when the prompt was read.
        task: Its `received` task; None for a regenerate.
        shows_read: The level is `auto` and nothing must ask, so the partner may see now that the message was read.
        trace: The steps so far; the model calls in it are booked with the plan.
        considered: The messages considered for the prompt; those not in the prompt are left out on purpose.
        notes: Notes for the operator on how the plan was made, such as an incomplete history.
        context: The choice of context, which stage two may refine.
        shown: The messages that tools have shown to the model beside the prompt.
        is_unsure: It is unknown whether this account has blocked the author, so no rule decides.
    """

    chat: Chat
    inputs: PromptInputs
    trigger_ids: tuple[MessageId, ...]
    span: PromptSpan
    covers_up_to: MessageId
    revision: Revision
    task: TaskRow | None = None
    shows_read: bool = False
    trace: PlanTrace = field(default_factory=PlanTrace)
    considered: frozenset[MessageId] = frozenset()
    notes: tuple[ReplyProblem, ...] = ()
    context: Context | None = None
    shown: tuple[Message, ...] = ()
    is_unsure: bool = False

    def has_choices(self) -> bool:
        """Return whether messages were chosen; if the prompt holds the whole chat, there is nothing to refine."""
        return self.context is not None and bool(self.context.choices)

    def has_media(self) -> bool:
        """Return whether anything in the prompt could have a description."""
        spec, shown = self.inputs.agent, (*self.inputs.history, self.inputs.anchor)
        has_stickers = bool(spec.stickers or spec.sticker_sets)
        return has_stickers or any(one is not None and one.media_kind in DESCRIBED for one in shown)

    def needs_no_model(self) -> bool:
        """Return whether every message that is answered is a command with a fixed answer."""
        answered = {order.message_id for order in self.inputs.orders if order.has_fixed_answer}
        return bool(answered) and answered.issuperset(self.trigger_ids)

    def with_shown(self, shown: Iterable[Message]) -> PlanInputs:
        """Add messages that tools have shown to the prompt's span: an edit or delete of them makes drafts stale."""
        messages = tuple(shown)
        ids = [message.key.message_id for message in messages]
        extra = (*self.span.extra, *(number for number in ids if not self.span.holds(number)))
        return replace(self, shown=messages, span=replace(self.span, extra=extra))


class Enricher(Protocol):
    """Adds one kind of thing to the inputs of plans."""

    @property
    def name(self) -> str:
        """Return its name in the trace."""
        ...

    @property
    def bound_s(self) -> float:
        """Return the longest time a plan waits for it, in seconds."""
        ...

    @property
    def applies(self) -> Callable[[PlanInputs], bool]:
        """Return the function that tells whether there is anything to add to the inputs with which a plan begins."""
        ...

    async def enrich(self, inputs: PlanInputs, trace: PlanTrace, /) -> PlanInputs:
        """Return the enriched inputs; called only for inputs to which it applies.

        It is cancelled after `bound_s` and may raise any exception.

        Args:
            inputs: The inputs, as the enrichers before it returned them.
            trace: Its model calls are added here.
        """
        ...


async def enriched(enrichers: Iterable[Enricher], clock: Clock, inputs: PlanInputs) -> PlanInputs:
    """Run enrichers in order. One that fails or takes too long is noted in the trace and left out.

    Raises:
        asyncio.CancelledError: The plan was cancelled.
    """
    for enricher in enrichers:
        inputs = await _one(enricher, clock, inputs)
    return inputs


async def _one(enricher: Enricher, clock: Clock, inputs: PlanInputs) -> PlanInputs:
    began_at, made, error = clock.now(), inputs, ""
    try:
        async with clock.timeout(enricher.bound_s):
            made, error = await _attempt(enricher, inputs)
        end = EnrichEnd.FAILED if error else EnrichEnd.DONE
    except TimeoutError:
        end = EnrichEnd.LATE
        _log.info("A plan goes on without its enricher %s: it took more than %s s", enricher.name, enricher.bound_s)
    took_s = max(0.0, (clock.now() - began_at).total_seconds())
    inputs.trace.note(Enriched(enricher.name, end, took_s, error, began_at))
    return made


async def _attempt(enricher: Enricher, inputs: PlanInputs) -> tuple[PlanInputs, str]:
    """Return the inputs and the error, which may also be a time-out raised by the enricher itself."""
    try:
        return await enricher.enrich(inputs, inputs.trace), ""
    except ChimeinError as error:
        _log.info("A plan goes on without its enricher %s: %s", enricher.name, error)
        return inputs, str(error) or type(error).__name__
    except Exception as error:  # noqa: BLE001 - the plan goes on without it after any error
        _log.exception("Unexpected error in the enricher %s; the plan goes on without it", enricher.name)
        return inputs, f"{type(error).__name__}: {error}"


MEMORY_PATIENCE_S = 6.0
"""Longest wait for the memories of one plan: the files, and the search in them, which is bounded by itself."""


class Recaller(Protocol):
    """Chooses memories for prompts; implemented in `engine/memory/recall.py`."""

    async def for_prompt(self, view: MemoryView, query: str) -> Recall | None:
        """Return the entries of a view that fit best; None if they can't be searched. It never raises.

        Args:
            view: What the chat sees.
            query: What is searched for.
        """
        ...


FindMemories = Callable[[MemoryScope, str, int], Awaitable[tuple["Recalled", ...]]]
"""Returns at most so many entries that fit a query, best first, of those that a chat may see."""


def query_of(inputs: PromptInputs) -> str:
    """Return what is searched for in memories: the messages that are answered; blank if there are none."""
    firsts, asked = first_parts(inputs.history), set(inputs.trigger_ids)
    found = [one for one in inputs.history if firsts.get(one.key.message_id, one.key.message_id) in asked]
    if not found and inputs.target is not None:
        found = [inputs.target]
    return query_from(one.text for one in found if not one.deleted)


def scope_of(inputs: PromptInputs) -> MemoryScope:
    """Return what the chat of a prompt may see."""
    info = inputs.chat.info
    person: PeerId | None = info.peer_id
    if info.kind is not ChatKind.DM:
        sender = inputs.target.sender_id if inputs.target is not None else None
        person = PeerId(int(sender)) if sender is not None else None
    return MemoryScope(inputs.agent.name, info.peer_id, person)


class MemoryReader:
    """The one door through which prompts get memories; the files are read anew for each.

    A file that can't be read is reported, and the prompt goes on without it.
    """

    name = EnricherName.MEMORY
    bound_s = MEMORY_PATIENCE_S

    def __init__(self, files: MemoryFiles | None, bus: EventBus, recaller: Recaller | None = None) -> None:
        """Without files there are no memories; without a recaller none are chosen for the messages."""
        self._files, self._recaller = files, recaller
        self._fault = FaultLine(bus, "memory files", FaultReason.MEMORY_IS_LEFT_OUT)

    def applies(self, _inputs: PlanInputs) -> bool:
        """Return whether there can be memories."""
        return self._files is not None

    async def read(self, scope: MemoryScope) -> MemoryView:
        """Return what a chat sees now."""
        if self._files is None:
            return MemoryView(scope)
        view = MemoryView(scope, await self._files.texts(scope))
        broken = next((one for one in view.texts if one.problem is not None), None)
        if broken is not None:
            _log.info("The memory file %s can't be read", broken.path)
            self._fault.show(Note(FaultReason.MEMORY_UNREADABLE, broken.path, cause=broken.problem))
        else:
            self._fault.clear()
        return view

    async def into(self, inputs: PromptInputs) -> PromptInputs:
        """Return the inputs of a prompt with the memories of its chat, and which of them fit what is answered."""
        view = await self.read(scope_of(inputs))
        return replace(inputs, memories=view, recall=await self._recalled(view, query_of(inputs)))

    async def _recalled(self, view: MemoryView, query: str) -> Recall | None:
        if self._recaller is None or not query or not any(one.text for one in view.texts):
            return None
        return await self._recaller.for_prompt(view, query)

    async def enrich(self, inputs: PlanInputs, trace: PlanTrace) -> PlanInputs:
        """Put the memories into the inputs of a plan; the trace says if they could be found by words only."""
        made = await self.into(inputs.inputs)
        if made.recall is not None and made.recall.problem is not None:
            trace.note(
                Enriched(EnricherName.BY_MEANING, EnrichEnd.FAILED, made.recall.took_s, str(made.recall.problem))
            )
        return replace(inputs, inputs=made)


@dataclass(frozen=True, slots=True)
class PromptSource:
    """The parts of prompts that are not in the database.

    Attributes:
        spec_of: Returns the current contents of an agent's file.
        model_prompt: Returns the current model-specific prompt and its file, or empty strings.
        contexts: Chooses which messages a prompt holds.
        offers_pages: Web pages can be looked up.
    """

    spec_of: Callable[[AgentId], AgentSpec]
    model_prompt: Callable[[], tuple[str, str]] = lambda: ("", "")
    contexts: ContextChooser = field(default_factory=ContextChooser)
    offers_pages: bool = False


def read_begun(  # noqa: PLR0913 - one fact each
    tx: Transaction,
    chat: Chat,
    trigger_ids: tuple[MessageId, ...],
    source: PromptSource,
    environment: TransactionEnvironment,
    note: str = "",
    *,
    task: TaskRow | None = None,
    shows_read: bool = False,
) -> PlanInputs:
    """Read everything that a prompt needs.

    Args:
        tx: The transaction that begins the plan.
        chat: The conversation.
        trigger_ids: Unanswered messages, oldest first; the last is the target.
        source: The parts of prompts that are not in the database.
        environment: Preferences and time.
        note: The operator's note; by default his last words on a rejected draft.
        task: The `received` step of the plan; None for a prompt of another kind.
        shows_read: See `PlanInputs`.
    """
    account, peer = chat.info.account_id, chat.info.peer_id
    preferences, now = environment.preferences, environment.now()
    spec = source.spec_of(chat.agent_id)
    context = source.contexts.choose(tx, chat, spec, trigger_ids, preferences)
    asked = as_messages(trigger_ids, first_parts(context.messages))
    target = _target(tx, MessageKey(account, peer, asked[-1]), context.considered) if asked else None
    anchor = None if target is None or target.reply_to_id is None else _anchor(tx, target.key, target.reply_to_id)
    model_prompt, model_prompt_source = source.model_prompt()
    inputs = PromptInputs(
        agent=spec,
        chat=chat,
        history=context.messages,
        anchor=anchor,
        trigger_ids=asked,
        model_prompt=model_prompt,
        model_prompt_source=model_prompt_source,
        default_model=preferences.model,
        now=now,
        note=note or operators_note(tx, chat, now),
        target=target,
        is_partial=context.is_partial,
        changes_last=preferences.changes_last,
        left_out=context.left_out,
        orders=orders_of(tx, chat, trigger_ids),
        offers_pages=source.offers_pages and RETRIEVE in spec.role_prompts,
    )
    incoming = [message.key.message_id for message in context.considered if not message.out]
    covers = max([*incoming, *trigger_ids], default=MessageId(0))
    beside = [anchor.key.message_id] if anchor is not None else []
    span = context.span([*beside, *trigger_ids])
    considered = frozenset([message.key.message_id for message in context.considered])
    begun = PlanInputs(
        chat, inputs, trigger_ids, span, covers, tx.revision, task, shows_read, considered=considered, context=context
    )
    took_s = max(0.0, (environment.now() - now).total_seconds())
    begun.trace.note(_chosen(context, now, took_s))
    return begun


def _anchor(tx: Transaction, answer: MessageKey, number: MessageId) -> Message | None:
    """Return the message that another one answers; nothing that is deleted is put into a prompt."""
    anchor = tx.messages.get(MessageKey(answer.account_id, answer.peer_id, number))
    return None if anchor is None or anchor.deleted else anchor


def _chosen(context: Context, at: datetime, took_s: float) -> ContextChosen:
    """Return the trace's entry of the choice of messages."""
    held = len(context.messages)
    of = max(held, len(context.considered))
    return ContextChosen(at, took_s, held, of, is_chosen=bool(context.choices))


def orders_of(tx: Transaction, chat: Chat, trigger_ids: Collection[MessageId]) -> tuple[GivenOrder, ...]:
    """Return the orders to remember something that some messages gave, oldest first."""
    found = (tx.memory_orders.get(chat.chat_id, number) for number in sorted(trigger_ids))
    return tuple(order for order in found if order is not None)


def _target(tx: Transaction, key: MessageKey, history: tuple[Message, ...]) -> Message | None:
    """Return the message that is answered, which may be older than the history or deleted."""
    return next((message for message in reversed(history) if message.key == key), None) or tx.messages.get(key)


def operators_note(tx: Transaction, chat: Chat, now: datetime) -> str:
    """Return the operator's note for the next plan of a chat, or an empty string.

    It is the instruction of a regenerate that a partner's message interrupted, or else his words on a draft that he
    rejected in the last 24 h.
    """
    current = tx.graphs.current_of(chat.chat_id)
    kept = "" if current is None else kept_instruction(tx, current.graph_id)
    return kept or tx.decisions.last_rejection(chat.chat_id, now - NOTE_AGE)


def keep_instruction(tx: Transaction, chat: Chat, graph_id: GraphId, instruction: str, now: datetime) -> None:
    """Keep the instruction of an interrupted regenerate for the plan that replaces this one."""
    kept = NewGraph(
        chat.chat_id, now, standing=GraphStanding.RETIRED, variant_of=graph_id, instruction=instruction, problems=()
    )
    stored = tx.graphs.get(tx.graphs.add(kept))
    tx.graphs.save(replace(stored, failed=CUT_OFF))


def kept_instruction(tx: Transaction, graph_id: GraphId) -> str:
    """Return the newest instruction kept for the plan that replaces this one, or an empty string."""
    kept = [graph.instruction for graph in tx.graphs.variants_of(graph_id) if graph.failed == CUT_OFF]
    return kept[-1] if kept else ""
