"""The embedders that can be chosen, and their calls: checked, and booked under the agent whose memories they read."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chimein_gui.domain.errors import ModelRefusedError, ModelTransientError
from chimein_gui.domain.events import ModelCallBooked
from chimein_gui.domain.memory.embedding import Embedding
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.embedders import EmbedderReason
from chimein_gui.domain.spending.caps import Payer
from chimein_gui.engine.llm.calls import EmbeddingCalls, PlanTrace
from chimein_gui.engine.ports import Durability

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from chimein_gui.domain.costs import ModelCall, Price
    from chimein_gui.domain.events import EngineEvent
    from chimein_gui.domain.ids import AgentId
    from chimein_gui.domain.memory.embedding import EmbedderChoice
    from chimein_gui.engine.core.commits import UnitOfWork
    from chimein_gui.engine.llm.calls import Vector
    from chimein_gui.engine.llm.gate import Gate
    from chimein_gui.engine.ports import Clock, Embedder, LocalModels, TextUse, Transaction

MAX_TEXT = 2_000
"""Maximum number of characters of a text that are embedded; models cut longer ones, or refuse them."""


@dataclass(frozen=True, slots=True)
class ChosenEmbedder:
    """An embedder that can be used.

    Attributes:
        choice: As the operator chose it.
        embedder: Makes the vectors.
    """

    choice: EmbedderChoice
    embedder: Embedder

    @property
    def model(self) -> str:
        """Return the name of its model."""
        return self.embedder.model

    @property
    def costs_money(self) -> bool:
        """Tell whether its calls are booked."""
        return self.choice.embedding is Embedding.GEMINI


class MemoryEmbedders:
    """Gives the embedder of a choice, and makes its calls."""

    def __init__(
        self,
        unit: UnitOfWork,
        clock: Clock,
        gemini: Embedder | None,
        local: LocalModels | None,
        agent_id_of: Callable[[str], AgentId | None],
        prices: Callable[[], tuple[Price, ...]],
    ) -> None:
        """Create it; nothing is loaded yet.

        Args:
            unit: Books the calls.
            clock: Time.
            gemini: Google's embedder.
            local: Loads models of this computer.
            agent_id_of: Returns the agent of a name.
            prices: Returns the price list.
        """
        self._unit = unit
        self._clock = clock
        self._gemini = gemini
        self._local = local
        self._agent_id_of = agent_id_of
        self._prices = prices
        self.gate: Gate | None = None
        """Keeps the calls within the caps; set before the first one."""
        self._loaded: dict[str, ChosenEmbedder] = {}

    async def get(self, choice: EmbedderChoice) -> ChosenEmbedder:
        """Return the embedder of a choice that is not words alone; a local model is loaded once.

        Raises:
            ModelRefusedError: It can't be used; the note says why.
        """
        known = self._loaded.get(choice.key)
        if known is not None:
            return known
        embedder = self._gemini
        if choice.embedding is Embedding.LOCAL:
            embedder = None if self._local is None else await self._local.load(choice.directory)
        if embedder is None:
            note = Note(EmbedderReason.NO_EMBEDDER)
            raise ModelRefusedError(note, note)
        self._loaded[choice.key] = found = ChosenEmbedder(choice, embedder)
        return found

    def keep_only(self, *choices: EmbedderChoice) -> None:
        """Drop all other loaded models, which take much memory."""
        kept = {choice.key for choice in choices}
        self._loaded = {key: one for key, one in self._loaded.items() if key in kept}

    async def embed(
        self, by: ChosenEmbedder, agent_name: str, texts: Sequence[str], use: TextUse
    ) -> tuple[Vector, ...]:
        """Make one call, and book it if it costs money, whether it succeeds or not.

        Args:
            by: The embedder.
            agent_name: Whose memories; the call is booked under this agent.
            texts: At most `most_texts` of the embedder.
            use: What the vectors are for.

        Raises:
            ModelError: The call failed, or its vectors can't be used.
            StoreError: It could not be booked.
        """
        short = [text.strip()[:MAX_TEXT] or "-" for text in texts]
        if by.costs_money:
            vectors = await self._paid(by, agent_name, short, use)
        else:
            vectors = (await by.embedder.embed(short, use)).vectors
        sizes = {len(vector) for vector in vectors}
        if len(vectors) != len(short) or len(sizes) != 1 or 0 in sizes:
            raise _odd()
        if not all(math.isfinite(value) for vector in vectors for value in vector):
            raise _odd()
        return vectors

    async def _paid(
        self, by: ChosenEmbedder, agent_name: str, texts: Sequence[str], use: TextUse
    ) -> tuple[Vector, ...]:
        trace = PlanTrace(Payer(self._agent_id_of(agent_name)))
        try:
            embedding = EmbeddingCalls(by.embedder, self._clock, self._prices(), self.gate)
            return await embedding.ask(texts, trace, use)
        finally:
            agent_id, calls = trace.payer.agent_id, trace.take_unbooked()
            await self._unit.apply(lambda tx: _book(tx, agent_id, calls), durability=Durability.NORMAL, wakes=False)


def _book(tx: Transaction, agent_id: AgentId | None, calls: tuple[ModelCall, ...]) -> list[EngineEvent]:
    """Book calls under an agent (writer thread)."""
    for call in calls:
        tx.effects.book_of_agent(agent_id, call)
    return [ModelCallBooked(None, call, tx.revision) for call in calls]


def _odd() -> ModelTransientError:
    note = Note(EmbedderReason.VECTORS_ODD)
    return ModelTransientError(note, fault=note)
