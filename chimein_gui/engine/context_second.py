"""Stage two of the choice of context: candidates with high recall are pruned or rescued by an embedder (SPEC §4).

It is asked between the transaction that begins a plan and the model call, for two seconds at most; without an answer
the first choice stands.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace
from typing import TYPE_CHECKING

from chimein_gui.domain.errors import ModelError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chimein_gui.domain.context import Choice
    from chimein_gui.engine.context import Context
    from chimein_gui.engine.plan_begun import PlanBegun
    from chimein_gui.engine.ports import Clock, Embedder

_log = logging.getLogger(__name__)

PATIENCE_S = 2.0
"""Longest wait for the vectors of one plan."""

MAX_TEXT = 1_000
"""Characters of a message that are embedded."""

_KEPT = 1_000

Vector = tuple[float, ...]


class SecondStage:
    """Refines chosen contexts; vectors of texts are kept, so that a plan asks for new ones only."""

    def __init__(self, embedder: Embedder | None, clock: Clock) -> None:
        """Take the embedder; without one nothing is refined."""
        self._embedder = embedder
        self._clock = clock
        self._vectors: dict[str, Vector] = {}

    async def refine(self, begun: PlanBegun) -> PlanBegun:
        """Choose a plan's context anew with what the texts mean; never fails."""
        if self._embedder is None or begun.context is None or not begun.context.choices:
            return begun
        from chimein_gui.domain.context.second_stage import candidates

        texts = {
            int(message.key.message_id): message.text[:MAX_TEXT]
            for message in begun.context.considered
            if message.text.strip()
        }
        wanted = [number for number in candidates(begun.context.choices) if number in texts]
        try:
            async with self._clock.timeout(PATIENCE_S):
                await self._look_up(self._embedder, [texts[number] for number in wanted])
        except (ModelError, TimeoutError) as error:
            _log.info("The context of a plan was not refined: %s", error or "no answer in time")
            return begun
        vectors = {number: self._vectors[texts[number]] for number in wanted if texts[number] in self._vectors}
        choices = await asyncio.to_thread(_chosen, begun.context.choices, vectors)
        return _with_choices(begun, begun.context, choices)

    async def _look_up(self, embedder: Embedder, texts: Sequence[str]) -> None:
        missing = [text for text in dict.fromkeys(texts) if text not in self._vectors]
        if missing:
            self._vectors.update(zip(missing, await embedder.embed(missing), strict=True))
        for text in texts:
            self._vectors[text] = self._vectors.pop(text)  # used last
        while len(self._vectors) > _KEPT:
            del self._vectors[next(iter(self._vectors))]


def _chosen(choices: tuple[Choice, ...], vectors: dict[int, Vector]) -> tuple[Choice, ...]:
    from chimein_gui.domain.context.second_stage import second_stage

    return second_stage(choices, vectors)


def _with_choices(begun: PlanBegun, context: Context, choices: tuple[Choice, ...]) -> PlanBegun:
    """Return the plan with another choice; what is in by itself, such as its triggers, stays in."""
    left_out = {one.message_id for one in choices if not one.included}
    taken = {one.message_id for one in choices if one.included}
    before = {int(message.key.message_id) for message in context.messages}
    messages = tuple(
        message
        for message in context.considered
        if int(message.key.message_id) in taken
        or (int(message.key.message_id) in before and int(message.key.message_id) not in left_out)
    )
    refined = replace(context, messages=messages, choices=choices)
    inputs = replace(begun.inputs, history=messages)
    return replace(begun, inputs=inputs, context=refined, span=refined.span(begun.span.extra))
