"""What is added to a plan's inputs between the transaction that begins the plan and its first model call.

So far that is one enricher, stage two of the choice of context: candidates with high recall are pruned or rescued by
an embedder; without its answer the first choice stands.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from chimein_gui.domain.errors import ChimeinError, ModelTransientError
from chimein_gui.engine.llm.calls import Enriched, EnrichEnd

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from chimein_gui.domain.context import Choice
    from chimein_gui.engine.context.selection import Context
    from chimein_gui.engine.llm.calls import EmbeddingCalls, PlanTrace, Vector
    from chimein_gui.engine.ports import Clock
    from chimein_gui.engine.prompt.inputs import PlanInputs

_log = logging.getLogger(__name__)


class Enricher(Protocol):
    """Adds one kind of thing to the inputs of plans."""

    @property
    def name(self) -> str:
        """Return what the trace calls it."""
        ...

    @property
    def bound_s(self) -> float:
        """Return how long a plan waits for it, in seconds."""
        ...

    async def enrich(self, inputs: PlanInputs, trace: PlanTrace) -> PlanInputs:
        """Return the inputs with what it adds; it is cancelled at its bound, and may raise whatever it likes.

        Args:
            inputs: As the enrichers before it left them.
            trace: Gets the model calls that it makes.
        """
        ...


async def enriched(enrichers: Iterable[Enricher], clock: Clock, inputs: PlanInputs) -> PlanInputs:
    """Run enrichers one after the other; one that is late or fails is noted in the trace, and left out.

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
    """Return the inputs, and what went wrong; a time-out of the enricher's own is one of those."""
    try:
        return await enricher.enrich(inputs, inputs.trace), ""
    except ChimeinError as error:
        _log.info("A plan goes on without its enricher %s: %s", enricher.name, error)
        return inputs, str(error) or type(error).__name__
    except Exception as error:  # noqa: BLE001 - the plan is good enough without it, whatever this was
        _log.exception("Unexpected error in the enricher %s; the plan goes on without it", enricher.name)
        return inputs, f"{type(error).__name__}: {error}"


PATIENCE_S = 2.0
"""Longest wait for the vectors of one plan."""

MAX_TEXT = 1_000
"""Characters of a message that are embedded."""

_MOST_KEPT = 1_000


class Rerank:
    """Chooses contexts anew with what the texts mean; vectors are kept, so that a plan asks for new ones only."""

    name = "rerank"
    bound_s = PATIENCE_S

    def __init__(self, calls: EmbeddingCalls | None) -> None:
        """Take the embedder's calls; without them every first choice stands."""
        self._calls = calls
        self._kept: dict[str, Vector] = {}

    def forget(self) -> None:
        """Another model may tell from now on: vectors of two models can't be compared."""
        self._kept = {}

    async def enrich(self, inputs: PlanInputs, trace: PlanTrace) -> PlanInputs:
        """Return the inputs with another choice of their context.

        Raises:
            ModelError: The embedder did not answer as it should.
        """
        from chimein_gui.domain.context.second_stage import candidates

        context = inputs.context
        if self._calls is None or context is None or not context.choices:
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
        """Return the vectors of texts. Those of other plans come and go meanwhile; these are held here."""
        from chimein_gui.domain.context.second_stage import tells

        kept = self._kept  # what is forgotten meanwhile stays so
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
                kept[text] = found[text]  # used last
        while len(kept) > _MOST_KEPT:
            del kept[next(iter(kept))]
        return found


def _chosen(choices: tuple[Choice, ...], vectors: dict[int, Vector]) -> tuple[Choice, ...]:
    from chimein_gui.domain.context.second_stage import second_stage

    return second_stage(choices, vectors)


def _with_choices(begun: PlanInputs, context: Context, choices: tuple[Choice, ...]) -> PlanInputs:
    """Return the plan with another choice; what is in by itself, such as its triggers, stays in."""
    chosen_from = {one.message_id for one in choices}
    taken = {one.message_id for one in choices if one.included}
    taken.update(int(one.key.message_id) for one in context.messages if one.key.message_id not in chosen_from)
    refined = context.holding(taken, choices)
    inputs = replace(begun.inputs, history=refined.messages, is_partial=refined.is_partial)
    return replace(begun, inputs=inputs, context=refined, span=refined.span(begun.span.extra))
