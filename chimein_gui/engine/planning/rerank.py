"""Stage two of the choice of context: an embedder removes or adds candidates from a set with high recall.

Without its answer the first choice stands.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace
from typing import TYPE_CHECKING

from chimein_gui.domain.errors import ModelTransientError
from chimein_gui.domain.traces.entries import EnricherName
from chimein_gui.engine.prompt.inputs import PlanInputs

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from chimein_gui.domain.context import Choice
    from chimein_gui.engine.context.selection import Context
    from chimein_gui.engine.llm.calls import EmbeddingCalls, PlanTrace, Vector

_log = logging.getLogger(__name__)


PATIENCE_S = 2.0
"""Longest wait for the vectors of one plan."""

MAX_TEXT = 1_000
"""Maximum number of characters of a message that are embedded."""

_MOST_KEPT = 1_000


class Rerank:
    """Chooses contexts anew by the meaning of texts. Vectors are cached, so a plan asks only for new ones."""

    name = EnricherName.RERANK
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
