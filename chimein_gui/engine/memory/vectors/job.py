"""The job that gives every memory a vector of the chosen model.

It takes what the index says is missing, batch by batch, so it goes on where it was after any end. The vectors of the
model before stay in use until the new ones are complete; only then are they dropped.

Functions that take a transaction run on the writer thread or on the reader thread.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from chimein_gui.domain.errors import (
    ChimeinError,
    MixedModelsError,
    ModelError,
    ModelRefusedError,
    ModelTransientError,
    StoreError,
    note_of,
)
from chimein_gui.domain.events import MemoryEmbeddingChanged, SecretsChanged
from chimein_gui.domain.ids import Revision
from chimein_gui.domain.memory.embedding import (
    EmbedderChoice,
    Embedding,
    EmbeddingState,
    EmbeddingStatus,
    choice_of_key,
)
from chimein_gui.domain.memory.recall import text_hash
from chimein_gui.engine.ports import Durability, TextUse

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from chimein_gui.domain.events import EngineEvent
    from chimein_gui.domain.memory.recall import IndexedEntry
    from chimein_gui.engine.core.commits import UnitOfWork
    from chimein_gui.engine.core.event_bus import EventBus
    from chimein_gui.engine.memory.vectors.embedders import ChosenEmbedder, MemoryEmbedders
    from chimein_gui.engine.ports import Clock, IndexStatus, MemoryIndex, Transaction

_log = logging.getLogger(__name__)

FETCHED = 200
"""Entries without a vector that are fetched at once; batches are made of them."""

AGAIN_S, LATEST_AGAIN_S = 30.0, 600.0
"""First and longest wait after a temporary failure, in seconds."""

LOOK_S = 600.0
"""Longest time between two looks at the index, in seconds; a change of it wakes the job earlier."""


class VectorJob:
    """Runs for as long as the engine; the operator may stop it, and let it go on."""

    def __init__(
        self,
        index: MemoryIndex,
        embedders: MemoryEmbedders,
        unit: UnitOfWork,
        bus: EventBus,
        clock: Clock,
        choice: Callable[[], EmbedderChoice],
    ) -> None:
        """`choice` returns what the operator has chosen, at any time."""
        self._index = index
        self._embedders = embedders
        self._unit = unit
        self._bus = bus
        self._clock = clock
        self._choice = choice
        self._state = EmbeddingState()
        self._is_read = False
        self._status = EmbeddingStatus(choice())
        self._in_use: ChosenEmbedder | None = None
        self._woken = asyncio.Event()
        self._again_s = AGAIN_S
        self._rests_until: datetime | None = None
        self._refused: set[str] = set()
        self._revision = 0

    @property
    def status(self) -> EmbeddingStatus:
        """Return how far it has come."""
        return self._status

    @property
    def in_use(self) -> ChosenEmbedder | None:
        """Return the embedder whose vectors are searched; None for words alone."""
        return None if self._choice().embedding is Embedding.WORDS else self._in_use

    # --- the operator -----------------------------------------------------------------------------------------------

    def wake(self) -> None:
        """Look at the index now, because something of it has changed; after a failure no earlier than it was said."""
        self._woken.set()

    def again(self) -> None:
        """Look at everything now, also after a failure: the choice or the key has changed."""
        self._rests_until, self._again_s = None, AGAIN_S
        self._refused.clear()  # another model may take them
        self._woken.set()

    def hear(self, event: EngineEvent) -> None:
        """Take notice of an event that may have changed something."""
        if isinstance(event, SecretsChanged):
            self.again()
        else:
            self.wake()

    async def stop(self) -> None:
        """Stop the job of the current choice; that outlives a restart.

        Raises:
            StoreError: It could not be stored; the job goes on.
        """
        await self._read_state()
        await self._keep(replace(self._state, stopped=self._choice().key))
        self._show(is_stopped=True, is_running=False)

    async def go_on(self) -> None:
        """Let the job go on, or try again after a problem.

        Raises:
            StoreError: It could not be stored.
        """
        await self._read_state()
        if self._state.stopped:
            await self._keep(replace(self._state, stopped=""))
        self._embedders.keep_only()  # a model's files may have been put in order meanwhile
        self._show(is_stopped=False, problem=None)
        self.again()

    # --- the job ----------------------------------------------------------------------------------------------------

    async def run(self) -> None:
        """Embed what lacks a vector, and wait for more; never ends by itself.

        Raises:
            StoreError: The state can't be read; the caller restarts the job.
        """
        await self._read_state()
        while True:
            self._woken.clear()
            wait_s = await self._round()
            with suppress(TimeoutError):
                async with self._clock.timeout(wait_s):
                    await self._woken.wait()

    async def _round(self) -> float:
        """Do all that can be done now; returns the seconds until the next look."""
        choice = self._choice()
        if self._rests_until is not None and (left := self._rests_until - self._clock.now()) > timedelta(0):
            return min(LATEST_AGAIN_S, left.total_seconds())
        try:
            if choice.embedding is Embedding.WORDS:
                await self._use_words(choice)
            else:
                await self._use(choice)
        except (ModelError, MixedModelsError, StoreError) as error:
            wait_s = self._wait_after(error)
            self._rests_until = self._clock.now() + timedelta(seconds=wait_s)
            self._fail(choice, error)
            return wait_s
        self._again_s = AGAIN_S
        return LOOK_S

    async def _use_words(self, choice: EmbedderChoice) -> None:
        """Stop using vectors at once. They stay in the index, so that nothing is paid again later."""
        self._in_use = None
        self._embedders.keep_only()
        if self._state.in_use:
            await self._keep(replace(self._state, in_use=""))
        status = await self._index.status()
        self._set(EmbeddingStatus(choice, entries=status.entries, is_stale=status.stale, problem=status.problem))

    async def _use(self, choice: EmbedderChoice) -> None:
        chosen = await self._embedders.get(choice)
        index = await self._index.status()
        self._in_use = await self._used_meanwhile(chosen, index)
        is_stopped = self._state.stopped == choice.key
        self._set(
            EmbeddingStatus(
                choice,
                chosen.model,
                "" if self._in_use is None else self._in_use.model,
                index.entries,
                index.with_vector.get(chosen.model, 0),
                is_stopped=is_stopped,
                is_stale=index.stale,
                problem=index.problem,
            )
        )
        if is_stopped or not await self._fill(chosen):
            return
        index = await self._index.status()
        if self._choice() != chosen.choice:
            self._show(is_running=False)
            return  # what is chosen now may need the vectors that would be dropped
        if not index.stale and any(model != chosen.model for model, count in index.with_vector.items() if count):
            await self._index.drop_vectors(chosen.model)
        if not index.stale:
            await self._adopt(chosen)
        self._show(
            in_use="" if self._in_use is None else self._in_use.model,
            embedded=index.with_vector.get(chosen.model, 0),
            entries=index.entries,
            is_running=False,
        )

    async def _used_meanwhile(self, chosen: ChosenEmbedder, index: IndexStatus) -> ChosenEmbedder | None:
        """Return the embedder to search with until all memories have a vector of the chosen one; None: by words."""
        if self._state.in_use == chosen.choice.key or not self._others(chosen, index):
            await self._adopt(chosen)
            return chosen
        if not self._state.in_use:
            return None
        with suppress(ModelError):
            before = await self._embedders.get(choice_of_key(self._state.in_use))
            if index.with_vector.get(before.model):
                return before
        return None

    def _others(self, chosen: ChosenEmbedder, index: IndexStatus) -> bool:
        """Tell whether there are vectors of other models, which can't be searched together with those of this one."""
        return any(count for model, count in index.with_vector.items() if model != chosen.model)

    async def _adopt(self, chosen: ChosenEmbedder) -> None:
        self._in_use = chosen
        if self._state.in_use != chosen.choice.key:
            await self._keep(replace(self._state, in_use=chosen.choice.key))
        self._embedders.keep_only(chosen.choice)

    async def _fill(self, chosen: ChosenEmbedder) -> bool:
        """Embed what lacks a vector; returns False if the choice has changed or the job was stopped meanwhile."""
        while True:
            missing = await self._index.missing(chosen.model, FETCHED + len(self._refused))
            wanted = [entry for entry in missing if text_hash(entry.text) not in self._refused]
            if not wanted:
                return True
            self._show(is_running=True)
            for batch in _batches(wanted, chosen.embedder.most_texts):
                if self._choice() != chosen.choice or self._state.stopped == chosen.choice.key:
                    self._show(is_running=False)
                    return False
                await self._embed(chosen, batch)
                index = await self._index.status()
                self._show(embedded=index.with_vector.get(chosen.model, 0), entries=index.entries)

    async def _embed(self, chosen: ChosenEmbedder, batch: Sequence[IndexedEntry]) -> None:
        """Embed a batch. If it is refused, each text is tried alone, and those that are refused are left out."""
        texts = [entry.text for entry in batch]
        try:
            vectors = await self._embedders.embed(chosen, batch[0].file.agent_name, texts, TextUse.STORED)
        except ModelRefusedError:
            if not chosen.costs_money:
                raise  # a model on this computer that fails once fails always
            if len(batch) > 1:
                for entry in batch:
                    await self._embed(chosen, (entry,))
                return
            _log.info("A memory could not be embedded; it is found by its words")
            self._refused.add(text_hash(texts[0]))
            return
        hashes = [text_hash(text) for text in texts]
        await self._index.put_vectors(chosen.model, list(zip(hashes, vectors, strict=True)))

    # --- state ------------------------------------------------------------------------------------------------------

    async def _read_state(self) -> None:
        if not self._is_read:
            self._state = await self._unit.read(lambda tx: tx.effects.embedding_state())
            self._is_read = True

    async def _keep(self, state: EmbeddingState) -> None:
        def work(tx: Transaction) -> list[EngineEvent]:
            tx.effects.set_embedding_state(state)
            return []

        await self._unit.apply(work, durability=Durability.NORMAL, wakes=False)
        self._state = state

    def _wait_after(self, error: ChimeinError) -> float:
        """Return the seconds until the next try; what no time will change is tried again now and then all the same."""
        if not isinstance(error, ModelTransientError | StoreError):
            return LATEST_AGAIN_S
        if isinstance(error, ModelTransientError) and error.retry_after_s is not None:
            return max(1.0, error.retry_after_s)
        wait_s, self._again_s = self._again_s, min(self._again_s * 2, LATEST_AGAIN_S)
        return wait_s

    def _fail(self, choice: EmbedderChoice, error: ChimeinError) -> None:
        _log.info("Memories can't be embedded: %s", error)
        cause = error.fault if isinstance(error, ModelError) and error.fault is not None else note_of(error)
        if self._status.choice != choice:
            self._status = EmbeddingStatus(choice, entries=self._status.entries)
        in_use = "" if self._in_use is None else self._in_use.model
        self._show(is_running=False, in_use=in_use, problem=cause)

    def _show(self, **values: object) -> None:
        self._set(replace(self._status, **values))  # type: ignore[arg-type]

    def _set(self, status: EmbeddingStatus) -> None:
        if status != self._status:
            self._status = status
            self._revision += 1
            self._bus.publish(MemoryEmbeddingChanged(status, Revision(self._revision)))


def _batches(entries: Sequence[IndexedEntry], most: int) -> list[list[IndexedEntry]]:
    """Return the entries in batches, each of one agent, under which its cost is booked."""
    by_agent: dict[str, list[IndexedEntry]] = {}
    for entry in entries:
        by_agent.setdefault(entry.file.agent_name, []).append(entry)
    return [group[start : start + most] for group in by_agent.values() for start in range(0, len(group), most)]
