"""Calls of the embedder, booked with what they cost as model calls are, cancelled ones included."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chimein_gui.domain.costs import EMBED, PRICES, CallEnd, ModelCall, cost_usd
from chimein_gui.domain.errors import ModelError
from chimein_gui.domain.prompt.prompts import Usage
from chimein_gui.engine.llm.calls import is_free, tokens_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chimein_gui.domain.costs import Price
    from chimein_gui.engine.llm.trace import PlanTrace
    from chimein_gui.engine.ports import Clock, Embedder

Vector = tuple[float, ...]


class EmbeddingCalls:
    """Asks one embedder; the trace of the plan gets what a call has cost."""

    def __init__(self, embedder: Embedder, clock: Clock, prices: tuple[Price, ...] = PRICES) -> None:
        """Take note of the embedder and of what calls cost."""
        self._embedder = embedder
        self._clock = clock
        self._prices = prices

    @property
    def most_texts(self) -> int:
        """How many texts one call takes."""
        return self._embedder.most_texts

    async def ask(self, texts: Sequence[str], trace: PlanTrace) -> tuple[Vector, ...]:
        """Make one call and note in the trace what it cost, whatever becomes of it.

        Args:
            texts: Up to `most_texts`.
            trace: Gets the call at its end.

        Raises:
            ModelError: As the port says.
        """
        began_at, end, usage = self._clock.now(), CallEnd.CANCELLED, Usage()
        is_estimated = True
        try:
            embedded = await self._embedder.embed(texts)
            end, usage = CallEnd.ANSWERED, embedded.usage
            is_estimated = not usage.prompt_tokens
        except ModelError as error:
            end, is_estimated = CallEnd.FAILED, not is_free(error)
            raise
        except Exception:
            end = CallEnd.FAILED
            raise
        finally:
            if is_estimated:
                usage = Usage(tokens_of(texts))
            latency_s = max(0.0, (self._clock.now() - began_at).total_seconds())
            model = self._embedder.model
            cost = cost_usd(model, usage, self._prices)
            trace.note(ModelCall(model, EMBED, began_at, latency_s, end, usage, is_estimated, cost))
        return embedded.vectors
