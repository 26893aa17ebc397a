"""Enrichers add to a plan's inputs between the transaction that begins it and its first model call.

So far there is one enricher, stage two of the choice of context: an embedder removes or adds candidates from a set
with high recall. Without its answer the first choice stands.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from chimein_gui.domain.errors import ChimeinError, ModelTransientError
from chimein_gui.engine.llm.calls import Enriched, EnrichEnd
from chimein_gui.engine.prompt.inputs import PlanInputs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from chimein_gui.domain.context import Choice
    from chimein_gui.engine.context.selection import Context
    from chimein_gui.engine.llm.calls import EmbeddingCalls, PlanTrace, Vector
    from chimein_gui.engine.ports import Clock

_log = logging.getLogger(__name__)


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
    inputs.trace.note(Enriched(enricher.name, end, took_s, error))
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


PATIENCE_S = 2.0
"""Longest wait for the vectors of one plan."""

MAX_TEXT = 1_000
"""Maximum number of characters of a message that are embedded."""

_MOST_KEPT = 1_000


class Rerank:
    """Chooses contexts anew by the meaning of texts. Vectors are cached, so a plan asks only for new ones."""

    name = "rerank"
    bound_s = PATIENCE_S

    applies = staticmethod(PlanInputs.has_choices)

    def __init__(self, calls: EmbeddingCalls) -> None:
        """`calls` are those of the embedder."""
        self._calls = calls
        self._kept: dict[str, Vector] = {}

    def forget(self) -> None:
        """Drop all vectors, because the embedding model may change and vectors of two models can't be compared."""
        self._kept = {}

    async def enrich(self, inputs: PlanInputs, trace: PlanTrace) -> PlanInputs:
        """Return the inputs with a new choice of context.

        Raises:
            ModelError: The embedder failed or gave an invalid answer.
        """
        from chimein_gui.domain.context.second_stage import candidates

        context = inputs.context
        if context is None:
            return inputs
        texts = {
            int(message.key.message_id): message.text[:MAX_TEXT]
            for message in context.considered
            if message.text.strip()
        }
        wanted = {number: texts[number] for number in candidates(context.choices) if number in texts}
        known = await self._look_up(self._calls, tuple(dict.fromkeys(wanted.values())), trace)
        vectors = {number: known[text] for number, text in wanted.items()}
        choices = await asyncio.to_thread(_chosen, context.choices, vectors)
        return _with_choices(inputs, context, choices)

    async def _look_up(self, calls: EmbeddingCalls, texts: Sequence[str], trace: PlanTrace) -> Mapping[str, Vector]:
        """Return the vectors of texts, held apart from the cache, where other plans may evict them meanwhile."""
        from chimein_gui.domain.context.second_stage import tells

        kept = self._kept  # vectors dropped meanwhile are not stored again
        found = {text: kept[text] for text in texts if text in kept}
        missing = [text for text in texts if text not in found]
        for start in range(0, len(missing), calls.most_texts):
            part = missing[start : start + calls.most_texts]
            vectors = await calls.ask(part, trace)
            if len(vectors) != len(part) or len({len(vector) for vector in vectors}) > 1:
                raise ModelTransientError(f"{len(vectors)} vectors, or of several lengths, came for {len(part)} texts")
            found.update(zip(part, vectors, strict=True))
        for text in texts:
            kept.pop(text, None)
            if tells(found[text]):
                kept[text] = found[text]  # most recently used
        while len(kept) > _MOST_KEPT:
            del kept[next(iter(kept))]
        return found


def _chosen(choices: tuple[Choice, ...], vectors: dict[int, Vector]) -> tuple[Choice, ...]:
    from chimein_gui.domain.context.second_stage import second_stage

    return second_stage(choices, vectors)


def _with_choices(begun: PlanInputs, context: Context, choices: tuple[Choice, ...]) -> PlanInputs:
    """Return the plan with another choice. Messages that are always in, such as its triggers, stay."""
    chosen_from = {one.message_id for one in choices}
    taken = {one.message_id for one in choices if one.included}
    taken.update(int(one.key.message_id) for one in context.messages if one.key.message_id not in chosen_from)
    refined = context.holding(taken, choices)
    inputs = replace(begun.inputs, history=refined.messages, is_partial=refined.is_partial, left_out=refined.left_out)
    return replace(begun, inputs=inputs, context=refined, span=refined.span(begun.span.extra))
