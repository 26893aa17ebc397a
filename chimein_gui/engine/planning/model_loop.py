"""One reply of a model: enriched inputs, tools, web pages, one repair. Each call is booked before the next one.

Plans and their variants are made this way, from the same services.
See docs/behaviour.md, "What the model may look up", "Web pages" and "The reply grammar".
"""

from __future__ import annotations

import logging
import secrets
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING

from chimein_gui.domain.costs import PLAN, TOOL_ROUND
from chimein_gui.domain.errors import ModelCapError, ModelRefusedError, ModelTransientError, StoreError
from chimein_gui.domain.notes import Note
from chimein_gui.domain.prompt.foreign import mask
from chimein_gui.domain.prompt.marks import NOT_FROM_CHAT
from chimein_gui.domain.prompt.model_faults import ModelFault
from chimein_gui.domain.prompt.prompts import Role, Turn
from chimein_gui.domain.prompt.tool_calls import ToolRound
from chimein_gui.domain.replies.problems import ReplyFault, ReplyProblem
from chimein_gui.domain.replies.replies import BlockKind, Reply, parse_reply
from chimein_gui.domain.retrieval.host_lists import HostLists
from chimein_gui.domain.spending.caps import Payer
from chimein_gui.domain.traces.entries import Parsed, PromptBuilt, RepairAsked
from chimein_gui.engine.llm.calls import CallInterruptedError, book, was_free
from chimein_gui.engine.memory.orders import NOTHING, with_fixed_answers
from chimein_gui.engine.planning.recording import Recorder
from chimein_gui.engine.ports import Durability
from chimein_gui.engine.prompt.builder import build_prompt, fold_in
from chimein_gui.engine.prompt.inputs import enriched
from chimein_gui.engine.prompt.reply_steps import ReadReply, look_up_stickers
from chimein_gui.engine.retrieval.lookups import Lookups, RoundBudget, wants_pages
from chimein_gui.engine.tools.declarations import TOOLS
from chimein_gui.engine.tools.executor import Toolbox

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Container, Hashable
    from datetime import datetime

    from chimein_gui.domain.ids import AccountId, ChatId, MessageId, PeerId
    from chimein_gui.domain.prompt.prompts import ModelReply, Prompt
    from chimein_gui.engine.core.commits import UnitOfWork
    from chimein_gui.engine.core.environment import TransactionEnvironment
    from chimein_gui.engine.core.event_bus import EventBus
    from chimein_gui.engine.core.fair_semaphore import FairSemaphore
    from chimein_gui.engine.llm.calls import ModelCalls, PlanTrace
    from chimein_gui.engine.ports import Clock, PageFetcher, Store
    from chimein_gui.engine.prompt.inputs import Enricher, FindMemories, PlanInputs, PromptSource
    from chimein_gui.engine.prompt.reply_steps import FindSticker


def _nothing(_account_id: AccountId, _peer_id: PeerId, _up_to: MessageId) -> None:
    return


async def _all_there(_whose: ChatId | AccountId) -> bool:
    return True


def _nothing_kept() -> None:
    return


def _not_heard(_chat_id: ChatId, _up_to: MessageId) -> None:
    return


def _not_kept(_made: tuple[ChatId, PlanTrace]) -> None:
    return


@dataclass(frozen=True, slots=True)
class PlanningServices:
    """Dependencies shared by `Planner` and `Variants`.

    Attributes:
        store: The database.
        bus: Reports the outcome of sends.
        clock: Time.
        environment: What transactions need beside the database.
        unit: The database, for changes that publish events.
        calls: Calls of the model.
        slots: Limits how many plans are made at once.
        source: The parts of prompts that are not in the database.
        find_sticker: Returns an account's look-up of stickers, or None while it is not connected.
        on_due: Called with a chat that has something to do, and when.
        on_stored: Called after memories were stored.
        mark_read: Marks a chat as read up to a message, at the beginning of a plan that a rule decides.
        fetch_missing: Fetches data that a plan needs and the store lacks; returns whether all of it is stored now.
        complete_chats: The chats that lack nothing, for which it need not be called.
        knows_blocked: Tells whether it is known whom an account has blocked; asks for at most 10 s.
        orders: Adds to the inputs of a plan what became of the orders that it answers, before all enrichers.
        enrichers: Add to the inputs of a plan, in this order, between its beginning and its first model call.
        forget_meanings: Called when the embedding model may have changed.
        on_chosen: Called after a plan with chosen context was stored, with the newest message that was considered.
            It is not awaited: a send may be claimed already.
        on_made: Called with the chat and the trace of an attempt that was stored; its prompts are stored later.
        find_memories: Searches memories for the model; without it none are found.
        pages: Fetches web pages; without it none can be looked up.
        recorder: Stores the traces of plans.
    """

    store: Store
    bus: EventBus
    clock: Clock
    environment: TransactionEnvironment
    unit: UnitOfWork
    calls: ModelCalls
    slots: FairSemaphore
    source: PromptSource
    find_sticker: Callable[[AccountId], FindSticker | None]
    on_due: Callable[[ChatId, datetime], None]
    on_stored: Callable[[], None]
    mark_read: Callable[[AccountId, PeerId, MessageId], object] = _nothing
    fetch_missing: Callable[[ChatId], Awaitable[bool]] = _all_there
    complete_chats: Container[ChatId] = ()
    knows_blocked: Callable[[AccountId], Awaitable[bool]] = _all_there
    orders: Enricher | None = None
    enrichers: tuple[Enricher, ...] = ()
    forget_meanings: Callable[[], object] = _nothing_kept
    on_chosen: Callable[[ChatId, MessageId], object] = _not_heard
    on_made: Callable[[tuple[ChatId, PlanTrace]], object] = _not_kept
    find_memories: FindMemories | None = None
    pages: PageFetcher | None = None
    recorder: Recorder = field(default_factory=Recorder)


_log = logging.getLogger(__name__)

MOST_CALLS = 13
"""Maximum number of model calls of one plan, in all attempts and rounds."""

MOST_ROUNDS = 3
"""Maximum number of the model's turns in which tools are run."""

REPAIR = "repair"
"""Purpose under which the call of a repair is booked."""

_PROBLEM_WORDS = {
    ReplyFault.UNKNOWN_TYPE: "«{}» is not a type of block",
    ReplyFault.NO_NUMBER: "“{}” behind «{}» is not a message number",
    ReplyFault.WAIT_NEEDS_DELAY: "a «wait» needs a line such as “delay: 5”",
    ReplyFault.STICKER_NEEDS_NAME: "a «sticker» needs two lines: the set and the name",
    ReplyFault.RETRIEVE_NEEDS_ADDRESS: "a «retrieve» needs at least one http(s) address on a line of its own",
    ReplyFault.NO_PART: "this line is no part of a «{}»; a text for the chat needs a heading # «send» of its own",
    ReplyFault.NO_PAGES: "web pages cannot be looked up here; answer with what you know",
}
"""Text for the model about each fault of the grammar; it is part of a prompt, so it is never translated."""


@dataclass(slots=True)
class CallBudget:
    """What a plan may still use in all its attempts.

    Attributes:
        left: Model calls; free ones don't count.
        rounds: Rounds in which web pages are looked up.
    """

    left: int = MOST_CALLS
    rounds: RoundBudget = field(default_factory=RoundBudget)


def _never() -> bool:
    return False


class ModelLoop:
    """Gets one reply from the model, with tools, web pages and one repair.

    Attributes:
        inputs: The current inputs of the plan: enriched, and with the messages that tools have shown.
    """

    def __init__(
        self,
        services: PlanningServices,
        inputs: PlanInputs,
        *,
        key: Hashable,
        purpose: str,
        budget: CallBudget,
        is_stopped: Callable[[], bool] = _never,
        has_fixed_answers: bool = False,
    ) -> None:
        """Create the loop; `reply` makes the first call.

        Args:
            services: Shared by plans and variants.
            inputs: The inputs of the plan; every step is added to their trace.
            key: The key with which `ModelCalls.interrupt` ends the loop.
            purpose: The purpose under which its calls are booked.
            budget: Each call uses it up; the last one is always made without tools.
            is_stopped: Called before each call; True ends the loop as an interrupt does.
            has_fixed_answers: Commands of the partner get their fixed answers; otherwise the model answers them, too.
        """
        self._services = services
        self._key, self._purpose, self._budget, self._is_stopped = key, purpose, budget, is_stopped
        self._has_fixed_answers = has_fixed_answers
        self.inputs = inputs
        self._tools: Toolbox | None = None
        self._tool_rounds: tuple[ToolRound, ...] = ()
        self._may_repair = self._may_use_tools = True

    async def reply(self) -> ReadReply:
        """Ask until there is a reply. A reply with problems is repaired once, and then only the second one counts.

        Raises:
            ModelError: A call failed for a reason that another attempt may cure, or the first was refused, or the
                reply broke off before there was anything in it.
            CallInterruptedError: The loop was interrupted or stopped.
            StoreError: The cost of an earlier call could not be booked.
        """
        services, chat = self._services, self.inputs.chat
        self.inputs.trace.payer = Payer(chat.agent_id, chat.chat_id)
        if services.orders is not None and self.inputs.inputs.orders:
            self.inputs = await enriched((services.orders,), services.clock, self.inputs)
        if self._has_fixed_answers and self.inputs.needs_no_model():
            return ReadReply(with_fixed_answers(self.inputs, NOTHING))
        if enrichers := [one for one in services.enrichers if one.applies(self.inputs)]:
            self.inputs = await enriched(enrichers, services.clock, self.inputs)
        reply = _usable(await self._with_pages())
        if self._tools is not None:
            self.inputs = self.inputs.with_shown(self._tools.shown.values())
        self.inputs.trace.reply = "\n".join(one.body for one in reply.blocks if one.kind is BlockKind.SEND)
        if self._has_fixed_answers and self.inputs.inputs.orders:
            reply = with_fixed_answers(self.inputs, reply)
        finder = partial(services.find_sticker, self.inputs.chat.info.account_id)
        return await look_up_stickers(reply, finder, services.clock)

    async def _with_pages(self) -> Reply:
        """Ask, and look up the pages that are asked for, until a reply asks for none, or none can be offered.

        One call is always left for the reply to a prompt that offers no pages.
        """
        lookups = self._lookups()
        while True:
            offers = lookups is not None and lookups.is_open and self._budget.left > 1
            pages = lookups.pages if lookups is not None else ()
            nonce = secrets.token_hex(8) if pages else ""
            before = self.inputs.inputs
            if nonce or before.pages or offers != before.offers_pages:
                now = replace(before, offers_pages=offers, pages=pages, pages_nonce=nonce)
                self.inputs = replace(self.inputs, inputs=now)
            is_skipped = lookups is not None and self._budget.rounds.is_skipped
            reply = await self._answered(self._prompt(without_pages=is_skipped), offers_pages=offers)
            if lookups is None or not offers or not wants_pages(reply):
                return reply
            if lookups.is_open:  # the operator may have closed it while the model was asked
                await self._services.calls.interruptible(self._key, lookups.look_up(reply))

    def _lookups(self) -> Lookups | None:
        """Return what looks up pages for this plan; None if its agent gets none."""
        services, inputs = self._services, self.inputs.inputs
        if services.pages is None or not inputs.offers_pages:
            return None
        lists = HostLists(inputs.agent.allowed_hosts, inputs.agent.denied_hosts)
        return Lookups(services.pages, services.clock, lists, self.inputs.trace, self._budget.rounds)

    async def _answered(self, prompt: Prompt, *, offers_pages: bool) -> Reply:
        """Ask with tools if there are any, and once more for a reply with problems that does not ask for pages."""
        spare = int(offers_pages)
        if self._tool_rounds:
            prompt = replace(prompt, rounds=self._tool_rounds)
        if prompt.tools and self._may_use_tools:
            if self._tools is None:
                store, find, clock = self._services.store, self._services.find_memories, self._services.clock
                self._tools = Toolbox(store, self.inputs, prompt.tools, find, clock=clock)
            answer, asked = await self._with_tools(prompt, self._tools, spare)
        else:
            asked = fold_in(prompt)
            answer = await self._without_tools(asked, self._purpose)
        reply = self._read(answer, offers_pages=offers_pages)
        if offers_pages and wants_pages(reply):
            return reply
        return await self._repaired(reply, answer, asked, offers_pages=offers_pages)

    async def _with_tools(self, prompt: Prompt, tools: Toolbox, spare: int) -> tuple[ModelReply, Prompt]:
        """Ask the model and run the tools that it calls, until it answers.

        Args:
            prompt: With the rounds so far.
            tools: They know what was shown.
            spare: Calls that are left for what follows the answer.

        Returns:
            The reply, and its prompt with the tool results folded in, which can be asked again without tools.
        """
        while len(prompt.rounds) < MOST_ROUNDS and self._budget.left > 1 + spare:
            try:
                reply = await self._ask(prompt, self._purpose)
            except ModelRefusedError as error:
                # This model may accept no tools, or not these answers. A blocked prompt is refused once more.
                _log.info("Asked with tools, the model refused: %s", error)
                self._may_use_tools = False
                break
            if reply.is_garbled and not reply.text.strip():
                break  # the tool call cannot be understood
            if not reply.calls:
                return reply, fold_in(prompt)
            looked_up = await self._services.calls.interruptible(self._key, tools.answer(reply.calls))
            self._tool_rounds = (*prompt.rounds, ToolRound(reply.said, looked_up))
            prompt = replace(prompt, rounds=self._tool_rounds)
        prompt = fold_in(prompt)
        return await self._without_tools(prompt, self._purpose), prompt

    async def _without_tools(self, prompt: Prompt, purpose: str) -> ModelReply:
        """Ask without tools. A tool call in the answer does not count as the choice to say nothing."""
        reply = await self._ask(prompt, purpose)
        if not reply.text.strip() and (reply.calls or reply.is_garbled):
            fault = Note(ModelFault.ONLY_LOOKS_UP)
            raise ModelTransientError("The model wants to look something up and writes no reply", fault=fault)
        return reply

    async def _repaired(self, reply: Reply, answer: ModelReply, asked: Prompt, *, offers_pages: bool) -> Reply:
        """Return the reply. If it has problems, the model gets them, and its second reply is returned; once a plan."""
        if not reply.needs_repair or not self._may_repair or self._budget.left <= int(offers_pages):
            return reply
        self._may_repair = False
        self.inputs.trace.note(RepairAsked(reply.problems))
        try:
            again = await self._without_tools(repair_prompt(asked, answer.text, reply), REPAIR)
            return self._read(again, offers_pages=offers_pages)
        except (ModelRefusedError, ModelCapError):
            return reply  # there is no second reply: the valid blocks of the first one are used

    def _prompt(self, *, without_pages: bool) -> Prompt:
        """Compose the prompt of the first call, or of the first one with further pages."""
        began_at = self._services.clock.now()
        prompt = build_prompt(self.inputs.inputs, TOOLS)
        took_s = self._since(began_at)
        sections, turns = len(prompt.sections), len(prompt.turns)
        self.inputs.trace.note(PromptBuilt(began_at, took_s, sections, turns, without_pages))
        return prompt

    def _read(self, answer: ModelReply, *, offers_pages: bool) -> Reply:
        began_at = self._services.clock.now()
        reply = _read(answer, offers_pages=offers_pages)
        kinds = tuple(block.kind.value for block in reply.blocks)
        self.inputs.trace.note(Parsed(began_at, self._since(began_at), kinds, reply.problems))
        return reply

    def _since(self, began_at: datetime) -> float:
        return max(0.0, (self._services.clock.now() - began_at).total_seconds())

    async def _ask(self, prompt: Prompt, purpose: str) -> ModelReply:
        """Make one call, after the cost of earlier calls is booked."""
        trace = self.inputs.trace
        await book_now(self._services, self.inputs.chat.chat_id, trace)
        if self._is_stopped():
            raise CallInterruptedError
        try:
            if purpose == PLAN and (self._tool_rounds or self.inputs.inputs.pages):
                purpose = TOOL_ROUND
            return await self._services.calls.ask(self._key, prompt, purpose, trace)
        finally:
            if trace.unbooked and not was_free(trace.unbooked[-1]):
                self._budget.left -= 1


async def book_now(services: PlanningServices, chat_id: ChatId, trace: PlanTrace) -> None:
    """Book the calls of a plan that are not booked yet, even if the job is cancelled meanwhile.

    Raises:
        StoreError: The calls could not be stored and are still to be booked.
    """
    calls = trace.take_unbooked()
    if not calls:
        return
    try:
        await services.unit.apply(lambda tx: book(tx, chat_id, calls), durability=Durability.NORMAL, wakes=False)
    except StoreError:
        trace.restore_unbooked(calls)
        raise


def problem_words(problem: ReplyProblem) -> str:
    """Return the text for the model about a fault in its reply, without the line."""
    return _PROBLEM_WORDS[problem.fault].format(*problem.said)


def repair_prompt(prompt: Prompt, text: str, reply: Reply) -> Prompt:
    """Return the prompt with the reply and its problems added, to be asked once more.

    Args:
        prompt: The original prompt, with the tool results folded in.
        text: The reply, without its thoughts; the line numbers of the problems refer to it.
        reply: The same, parsed.
    """
    wrong = "\n".join(f"- line {problem.line}: {mask(problem_words(problem))}" for problem in reply.problems)
    complaint = (
        "Your last reply could not be used as it is:\n"
        f"{wrong}\n"
        "Nothing of it was sent. Write the whole reply once more, without these problems."
    )
    return replace(prompt, repair=(Turn(Role.MODEL, (text,)), Turn(Role.USER, (NOT_FROM_CHAT, complaint))))


def _read(answer: ModelReply, *, offers_pages: bool) -> Reply:
    reply = parse_reply(answer.text)
    if answer.is_cut_off:
        reply = replace(reply, is_cut_off=True)
    if reply.wants_only_pages and not offers_pages:
        line = next(block.line for block in reply.blocks if block.kind is BlockKind.RETRIEVE)
        wrong = ReplyProblem(ReplyFault.NO_PAGES, line)
        return replace(reply, problems=(*reply.problems, wrong))
    return reply


def _usable(reply: Reply) -> Reply:
    if reply.wants_only_pages:
        fault = Note(ModelFault.ONLY_PAGES)
        raise ModelRefusedError("The model asked for web pages, which it cannot look up, instead of answering", fault)
    if reply.is_cut_off and reply.has_no_task:
        fault = Note(ModelFault.BROKE_OFF)
        raise ModelRefusedError("The model's reply broke off before there was anything to send", fault)
    return reply
