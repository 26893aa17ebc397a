"""Stage two of the choice of context: candidates with high recall are pruned or rescued by an embedder.

The first enricher of a plan (`engine.planning.enrichers`); without its answer the first choice stands.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

from chimein_gui.domain.errors import ModelTransientError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from chimein_gui.domain.context import Choice
    from chimein_gui.engine.context.selection import Context
    from chimein_gui.engine.llm.calls import EmbeddingCalls, Vector
    from chimein_gui.engine.llm.trace import PlanTrace
    from chimein_gui.engine.prompt.inputs import PlanInputs

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
