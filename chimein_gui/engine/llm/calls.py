"""Calls of models and of the embedder: bounded, interruptible, and booked with their cost, also when cancelled.

The router hands each call to the provider of its model. The trace of a plan notes model calls, tools, repairs and
enrichers, in their order; it is stored in the transaction that ends the plan. Functions that take a transaction run on
the writer thread.
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections import Counter
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from chimein_gui.domain.costs import EMBED, PRICES, CallEnd, ModelCall, cost_usd
from chimein_gui.domain.errors import ModelError, ModelKeyError, ModelRefusedError, ModelTransientError
from chimein_gui.domain.events import ModelCallBooked
from chimein_gui.domain.notes import Note, NoteKind
from chimein_gui.domain.prompt.model_faults import ModelFault
from chimein_gui.domain.prompt.prompts import Usage
from chimein_gui.domain.replies.think import may_think, without_thoughts
from chimein_gui.domain.spending.caps import NOBODY
from chimein_gui.domain.text.tokens import tokens_of
from chimein_gui.domain.traces.entries import Replied
from chimein_gui.engine.llm.gate import UnderWay
from chimein_gui.engine.ports.model import MAIN_PROVIDER, TextUse
from chimein_gui.reporting.log_lines import FROM_OUTSIDE, about

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Hashable, Iterable, Sequence
    from contextlib import AbstractContextManager
    from datetime import datetime

    from chimein_gui.domain.costs import Price
    from chimein_gui.domain.events import EngineEvent
    from chimein_gui.domain.ids import ChatId, GraphId, TaskId
    from chimein_gui.domain.prompt.prompts import ModelReply, Prompt
    from chimein_gui.domain.prompt.sent import RequestText
    from chimein_gui.domain.spending.caps import Payer
    from chimein_gui.domain.traces.entries import TraceEntry
    from chimein_gui.engine.llm.gate import Gate
    from chimein_gui.engine.ports import Clock, Embedder, LanguageModel, ModelProvider, Transaction


_log = logging.getLogger(__name__)


class PlanTrace:
    """The trace of one plan. Its model calls are to be booked in the cost ledger, each once.

    Attributes:
        prompts: The calls with their prompts, oldest first.
        reply: What the model wants to send, once it is known.
        graph_id: The plan that came of it; set in the transaction that stores the plan.
        task_id: The `received` step of the attempt; None for a trace of another kind.
        failure: Why there is none; set in the transaction that gives it up.
        payer: For whom its calls are made.
    """

    def __init__(self, payer: Payer = NOBODY) -> None:
        self.payer = payer
        self.prompts: list[tuple[ModelCall, Prompt]] = []
        self.reply = ""
        self.graph_id: GraphId | None = None
        self.failure: Exception | None = None
        self.task_id: TaskId | None = None
        self._entries: list[TraceEntry] = []
        self._unbooked: list[ModelCall] = []

    @property
    def entries(self) -> tuple[TraceEntry, ...]:
        """Return all entries, oldest first."""
        return tuple(self._entries)

    @property
    def unbooked(self) -> tuple[ModelCall, ...]:
        """Return the calls that are not booked yet, oldest first."""
        return tuple(self._unbooked)

    def note(self, entry: TraceEntry) -> None:
        """Add an entry."""
        self._entries.append(entry)
        if isinstance(entry, ModelCall):
            self._unbooked.append(entry)

    def take_unbooked(self) -> tuple[ModelCall, ...]:
        """Return the calls that are not booked yet and mark them as booked; the caller stores them."""
        taken = self.unbooked
        self._unbooked.clear()
        return taken

    def restore_unbooked(self, calls: tuple[ModelCall, ...]) -> None:
        """Mark taken calls as not booked, because they could not be stored."""
        self._unbooked[:0] = calls


def _about(trace: PlanTrace) -> AbstractContextManager[None]:
    """Return the context in which each line of the log is about what a call is made for."""
    return about(agent_id=trace.payer.agent_id, chat_id=trace.payer.chat_id, task_id=trace.task_id)


def _begun(gate: Gate, call: UnderWay) -> int:
    """Note a call that begins while there is no cap; returns its number."""
    token = random.getrandbits(62) + 1  # no secret: it only tells one call from another in memory
    gate.under_way[token] = call
    return token


def _ended(gate: Gate, token: int) -> int:
    """Note the end of a call; returns the number under which it is to be booked, 0 if nothing is stored."""
    if not gate.has_caps and gate.under_way.pop(token, None) is not None:
        return 0
    return gate.end(token)


class ModelRouter:
    """Hands each call to the provider of its model (port `LanguageModel`)."""

    def __init__(self, main: LanguageModel, further: Iterable[ModelProvider] = ()) -> None:
        """`main` provides all models that match no prefix of a further provider.

        Raises:
            ValueError: Two providers have the same name.
        """
        self._models: dict[str, LanguageModel] = {MAIN_PROVIDER: main}
        self._prefixes: list[tuple[str, str]] = []
        for provider in further:
            if provider.name in self._models:
                raise ValueError(f"There are two providers named {provider.name!r}")
            self._models[provider.name] = provider.model
            self._prefixes += [(prefix, provider.name) for prefix in provider.prefixes]
        self._prefixes.sort(key=lambda one: len(one[0]), reverse=True)

    def provider_of(self, model: str) -> str:
        """Return the provider of a model; the longest matching prefix decides."""
        return next((name for prefix, name in self._prefixes if model.startswith(prefix)), MAIN_PROVIDER)

    async def generate(self, prompt: Prompt) -> ModelReply:
        """Make one model call; raises what the provider's `generate` does."""
        return await self._models[self.provider_of(prompt.model)].generate(prompt)

    async def generate_again(self, model: str, body: bytes) -> ModelReply:
        """Make one call with the bytes of `request_of`; raises what the provider's `generate_again` does."""
        return await self._models[self.provider_of(model)].generate_again(model, body)

    def request_of(self, prompt: Prompt) -> bytes:
        """Return the body of the request that `generate` would send, without the model's thoughts; on any thread."""
        return self._models[self.provider_of(prompt.model)].request_of(prompt)

    def read_request(self, model: str, body: bytes) -> RequestText:
        """Read the body of a request to a model; raises what the provider's `read_request` does; on any thread."""
        return self._models[self.provider_of(model)].read_request(body)

    def counting_steps(self, model: str, body: bytes) -> tuple[bytes, ...]:
        """Return the requests that count the parts of a request; raises what the provider's does; on any thread."""
        return self._models[self.provider_of(model)].counting_steps(body)

    async def count(self, model: str, body: bytes) -> int:
        """Count the tokens of a request; raises what the provider's `count` does."""
        return await self._models[self.provider_of(model)].count(model, body)

    async def aclose(self) -> None:
        """Close the connections of all providers."""
        for model in self._models.values():
            await model.aclose()


T = TypeVar("T")

MODEL_S = 60.0
"""Longest model call."""

_TOKENS_PER_FILE = 258
"""Tokens of a picture at Gemini."""

_TOKENS_OF_SOUND = 32 * 120
"""Tokens of the longest sound that is sent, at Gemini: 32 a second."""


class CallInterruptedError(Exception):
    """A call was interrupted, for example because its prompt is outdated."""


class _Question(NamedTuple):
    """What a call asks.

    Attributes:
        model: Model name.
        purpose: For the cost ledger.
        generate: Makes the call.
        tokens: Estimates the tokens of the prompt.
        ended: Called with the call at its end.
        payer: For whom it is made.
    """

    model: str
    purpose: str
    generate: Callable[[], Awaitable[ModelReply]]
    tokens: Callable[[], int]
    ended: Callable[[ModelCall], object]
    payer: Payer = NOBODY


@dataclass(slots=True)
class _OpenCall:
    """A call that can be interrupted without cancelling the job that made it."""

    job: asyncio.Task[object]
    interrupted: bool = False


class ModelCalls:
    """Makes the calls of all plans. A provider with a bad key gets no calls until the key is changed."""

    def __init__(
        self,
        models: ModelRouter,
        clock: Clock,
        prices: tuple[Price, ...] = PRICES,
        gate: Gate | None = None,
    ) -> None:
        """`prices` gives the cost of calls; `gate` keeps them within the caps."""
        self._models = models
        self._gate = gate
        self._clock = clock
        self.prices = prices
        """What calls cost that end from now on."""
        self._open: dict[Hashable, _OpenCall] = {}
        self._keys: Counter[str] = Counter()
        self._key_problems: dict[str, Note] = {}

    def key_problem(self, model: str) -> Note | None:
        """Return why a model gets no call; None unless the key of its provider is known to be bad."""
        return self._key_problems.get(self._models.provider_of(model))

    def cap_problem(self, tx: Transaction, payer: Payer, model: str) -> Note | None:
        """Return the cap that allows no plan now; None if there is none (writer thread)."""
        gate = self._gate
        return None if gate is None or not gate.has_caps else gate.problem(tx, payer, model)

    def key_changed(self, provider: str) -> None:
        """Allow calls of a provider again after the operator has changed its key."""
        self._keys[provider] += 1
        self._key_problems.pop(provider, None)

    def interrupt(self, key: Hashable) -> bool:
        """Cancel the call with this key, if there is one; its caller gets `CallInterruptedError`."""
        call = self._open.get(key)
        if call is None or call.interrupted:
            return False
        call.interrupted = True
        call.job.cancel()
        return True

    async def ask(self, key: Hashable, prompt: Prompt, purpose: str, trace: PlanTrace) -> ModelReply:
        """Make one call and add it with its cost to the trace, whether it succeeds or not.

        Args:
            key: The key for `interrupt`; one call per key at a time.
            prompt: The prompt.
            purpose: ``plan``, ``repair`` or ``regenerate``.
            trace: The call is added to it at its end.

        Returns:
            The reply without the model's thoughts, which no caller sees.

        Raises:
            ModelError: See the port; a call of more than 60 s is transient.
            ModelCapError: No call was made, because a cap on costs is reached or can't hold.
            StoreError: No call was made, because what it may cost could not be stored.
            CallInterruptedError: `interrupt` was called.
            asyncio.CancelledError: The job itself was cancelled; the call is booked all the same.
        """

        def ended(entry: ModelCall) -> None:
            trace.note(entry)
            trace.prompts.append((entry, prompt))

        generate = partial(self._models.generate, prompt)
        tokens = partial(estimated_tokens, prompt)
        question = _Question(prompt.model, purpose, generate, tokens, ended, trace.payer)
        with _about(trace):
            return await self._ask(key, question, trace)

    async def ask_again(self, key: Hashable, model: str, body: bytes, purpose: str, trace: PlanTrace) -> ModelReply:
        """Make one call with the bytes of a request; otherwise as `ask`. The prompt is not added to the trace.

        Raises:
            ValueError: The bytes are no request.
            ModelError: As `ask`, and so are the others.
        """
        text = self._models.read_request(model, body)
        said = (text.instruction, *text.tools, *(part for turn in text.turns for part in turn.parts))
        generate = partial(self._models.generate_again, model, body)
        tokens = partial(tokens_of, said)
        question = _Question(model, purpose, generate, tokens, trace.note, trace.payer)
        with _about(trace):
            return await self._ask(key, question, trace)

    async def _ask(self, key: Hashable, question: _Question, trace: PlanTrace) -> ModelReply:
        provider, problem = self._models.provider_of(question.model), self.key_problem(question.model)
        if problem is not None:
            raise ModelKeyError(problem, problem)
        token = await self._reserved(key, question)
        began_at, end, usage = self._clock.now(), CallEnd.FAILED, None
        why: Note | None = None
        key_number = self._keys[provider]
        try:
            reply = await self.interruptible(key, self._generated(question))
            end, usage = CallEnd.ANSWERED, reply.usage
        except (CallInterruptedError, asyncio.CancelledError):
            end = CallEnd.CANCELLED
            raise
        except ModelError as error:
            usage, why = (Usage() if is_free(error) else None), _fault_of(error)
            if isinstance(error, ModelKeyError):
                if key_number != self._keys[provider]:
                    # The call used the old key, so its failure says nothing about the new one.
                    fault = Note(ModelFault.CHANGED_KEY)
                    raise ModelTransientError("The key was changed during the call", fault=fault) from error
                if provider not in self._key_problems:
                    _log.error(
                        "The API key for %s does not work; plans wait: %s", question.model, error, extra=FROM_OUTSIDE
                    )
                self._key_problems[provider] = _fault_of(error)
            raise
        finally:
            question.ended(self._entry(question, began_at, end, usage, token, why))
        text = without_thoughts(reply.text) if may_think(reply.text) else reply.text
        names = tuple(call.name for call in reply.calls)
        trace.note(Replied(text, reply.finish_reason, names, reply.is_cut_off))
        return reply if text == reply.text else replace(reply, text=text)

    async def _reserved(self, key: Hashable, question: _Question) -> int:
        if self._gate is None:
            return 0
        call = UnderWay(question.payer, question.model, question.purpose, question.tokens)
        if not self._gate.has_caps:
            return _begun(self._gate, call)
        return await self.interruptible(key, self._gate.reserve(*call[:3], call.tokens()))

    async def interruptible(self, key: Hashable, work: Awaitable[T]) -> T:
        """Run work that belongs to a call, such as its tools, so that it can be interrupted, too.

        Raises:
            CallInterruptedError: `interrupt` was called.
        """
        job = asyncio.current_task()
        if job is None:
            raise RuntimeError("A model call needs a job")
        call = self._open[key] = _OpenCall(job)
        before = job.cancelling()
        try:
            return await work
        except asyncio.CancelledError:
            if call.interrupted and job.cancelling() - 1 <= before:
                raise CallInterruptedError from None
            raise
        finally:
            del self._open[key]
            if call.interrupted:
                job.uncancel()

    async def _generated(self, question: _Question) -> ModelReply:
        try:
            async with self._clock.timeout(MODEL_S):
                return await question.generate()
        except TimeoutError:
            fault = Note(ModelFault.NO_ANSWER, number=round(MODEL_S))
            raise ModelTransientError(f"The model did not answer within {MODEL_S:.0f} s", fault=fault) from None

    def _entry(
        self, question: _Question, began_at: datetime, end: CallEnd, usage: Usage | None, token: int, why: Note | None
    ) -> ModelCall:
        latency_s = max(0.0, (self._clock.now() - began_at).total_seconds())
        is_counted = usage is not None and (usage.prompt_tokens > 0 or end is not CallEnd.ANSWERED)
        if usage is None or not is_counted:
            replied = usage.reply_tokens if usage is not None else 0
            thought = usage.thinking_tokens if usage is not None else 0
            usage = Usage(question.tokens(), replied, thought)
        model, purpose = question.model, question.purpose
        cost = cost_usd(model, usage, self.prices)
        held = 0 if self._gate is None else _ended(self._gate, token)
        return ModelCall(model, purpose, began_at, latency_s, end, usage, not is_counted, cost, held, why)


def estimated_tokens(prompt: Prompt) -> int:
    """Estimate the tokens of a prompt for a call without a reported number."""
    said = [part for turn in prompt.contents for part in turn.parts]
    answers = [answer for one in prompt.rounds for answer in one.answers]
    answered = [part for answer in answers for parts in (*answer.messages, answer.memories or ()) for part in parts]
    called = [repr(one.said) for one in prompt.rounds]
    asked = [word for tool in prompt.tools for word in (tool.name, tool.about)]
    asked += [word for tool in prompt.tools for one in tool.parameters for word in (one.name, one.about)]
    files = [file for turn in prompt.contents for file in turn.files]
    return tokens_of((prompt.system_instruction, prompt.schema, *said, *called, *answered, *asked)) + sum(
        _TOKENS_OF_SOUND if file.mime_type.startswith("audio/") else _TOKENS_PER_FILE for file in files
    )


def book(tx: Transaction, chat_id: ChatId, calls: Iterable[ModelCall]) -> list[EngineEvent]:
    """Book calls in the cost ledger."""
    events: list[EngineEvent] = []
    for call in calls:
        tx.effects.book(chat_id, call)
        events.append(ModelCallBooked(chat_id, call, tx.revision))
    return events


def _fault_of(error: ModelError) -> Note:
    return error.fault or Note(NoteKind.OTHER, str(error))


def was_free(call: ModelCall) -> bool:
    """Tell whether a call cost nothing; such a call does not count in a plan's budget."""
    return call.end is CallEnd.FAILED and call.usage == Usage()


def is_free(error: ModelError) -> bool:
    """Tell whether the service refused before it read the prompt: bad key, 4xx, or 429 with a delay."""
    if isinstance(error, ModelKeyError | ModelRefusedError):
        return True
    return isinstance(error, ModelTransientError) and error.retry_after_s is not None


Vector = tuple[float, ...]


class EmbeddingCalls:
    """Calls one embedder and adds the cost to the trace of the plan."""

    def __init__(
        self,
        embedder: Embedder,
        clock: Clock,
        prices: tuple[Price, ...] = PRICES,
        gate: Gate | None = None,
    ) -> None:
        """`prices` gives the cost of calls; `gate` keeps them within the caps, and has prices of its own."""
        self._embedder = embedder
        self._gate = gate
        self._clock = clock
        self._prices = prices

    @property
    def most_texts(self) -> int:
        """The maximum number of texts in one call."""
        return self._embedder.most_texts

    async def ask(self, texts: Sequence[str], trace: PlanTrace, use: TextUse = TextUse.ALIKE) -> tuple[Vector, ...]:
        """Make one call and add it with its cost to the trace, whether it succeeds or not.

        Args:
            texts: Up to `most_texts`.
            trace: The call is added to it at its end.
            use: What the vectors are for.

        Raises:
            ModelError: See the port.
            ModelCapError: No call was made, because a cap on costs is reached or can't hold.

        """
        model, gate, token = self._embedder.model, self._gate, 0
        if gate is not None and gate.has_caps:
            token = await gate.reserve(trace.payer, model, EMBED, tokens_of(texts))
        elif gate is not None:
            token = _begun(gate, UnderWay(trace.payer, model, EMBED, partial(tokens_of, texts)))
        began_at, end, usage = self._clock.now(), CallEnd.CANCELLED, Usage()
        is_estimated, why = True, None
        try:
            with _about(trace):
                embedded = await self._embedder.embed(texts, use)
            end, usage = CallEnd.ANSWERED, embedded.usage
            is_estimated = not usage.prompt_tokens
        except ModelError as error:
            end, is_estimated, why = CallEnd.FAILED, not is_free(error), _fault_of(error)
            raise
        except Exception:
            end = CallEnd.FAILED
            raise
        finally:
            if is_estimated:
                usage = Usage(tokens_of(texts))
            latency_s = max(0.0, (self._clock.now() - began_at).total_seconds())
            cost = cost_usd(model, usage, self._prices if gate is None else gate.prices)
            held = 0 if gate is None else _ended(gate, token)
            trace.note(ModelCall(model, EMBED, began_at, latency_s, end, usage, is_estimated, cost, held, why))
        return embedded.vectors
