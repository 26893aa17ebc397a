"""Vectors of queries and of new entries: one short call for each new text, none again for a text asked before."""

from __future__ import annotations

import logging
from collections import OrderedDict
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from chimein_gui.domain.errors import ChimeinError, ModelError, ModelTransientError
from chimein_gui.domain.memory.recall import TOP, text_hash
from chimein_gui.domain.notes import Note
from chimein_gui.domain.prompt.model_faults import ModelFault
from chimein_gui.engine.ports import TextUse, Vector

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from chimein_gui.domain.memory.entries import MemoryFile, MemoryScope
    from chimein_gui.engine.memory.vectors.embedders import MemoryEmbedders
    from chimein_gui.engine.memory.vectors.job import VectorJob
    from chimein_gui.engine.ports import Clock, MemoryIndex

_log = logging.getLogger(__name__)

PATIENCE_S = 2.0
"""Longest wait for a query's vector, in seconds."""

REST_S = 30.0
"""After a failure no call is made for this long, in seconds: every plan would wait for it."""

MOST_KEPT = 500


class QueryVectors:
    """The hook of `MemoryRecall`. The vectors of queries are kept in memory only, because queries are messages."""

    def __init__(self, job: VectorJob, embedders: MemoryEmbedders, clock: Clock) -> None:
        self._job = job
        self._embedders = embedders
        self._clock = clock
        self._kept: OrderedDict[tuple[str, TextUse, str], Vector] = OrderedDict()
        self._rests_until: datetime | None = None

    def forget(self) -> None:
        """Drop all vectors: they are of messages that may have to be forgotten."""
        self._kept.clear()

    async def __call__(self, scope: MemoryScope, text: str, may_pay: bool = True) -> Vector | None:  # noqa: FBT001, FBT002
        """Return the vector of a query, of the model whose vectors are in use; None if memories are found by words.

        Args:
            scope: Whose memories are searched; a call is booked under the agent.
            text: The query.
            may_pay: A call that costs money may be made; otherwise such a vector is there or it is not.

        Raises:
            ModelError: There is none within two seconds, or there was none a moment ago; the search goes on by words.
            StoreError: The call could not be booked.
        """
        return await self._vector(scope.agent_name, text, TextUse.QUERY, may_pay=may_pay)

    async def of_entry(self, agent_name: str, text: str, *, may_pay: bool = True) -> Vector | None:
        """Return the vector of a text that is compared with stored entries; otherwise as a query's.

        Args:
            agent_name: Whose entries; a call is booked under the agent.
            text: The text.
            may_pay: As for a query.

        Raises:
            ModelError: As for a query.
            StoreError: The call could not be booked.
        """
        return await self._vector(agent_name, text, TextUse.STORED, may_pay=may_pay)

    async def _vector(self, agent_name: str, text: str, use: TextUse, *, may_pay: bool) -> Vector | None:
        by = self._job.in_use
        if by is None or not text.strip():
            return None
        key = (by.model, use, text_hash(text))
        if (known := self._kept.get(key)) is not None:
            self._kept.move_to_end(key)
            return known
        if by.costs_money and not may_pay:
            return None
        now = self._clock.now()
        if self._rests_until is not None and now < self._rests_until <= now + timedelta(seconds=REST_S):
            raise _no_answer()
        try:
            async with self._clock.timeout(PATIENCE_S):
                (values,) = await self._embedders.embed(by, agent_name, (text,), use)
        except (TimeoutError, ModelError) as error:
            self._rests_until = self._clock.now() + timedelta(seconds=REST_S)
            if isinstance(error, ModelError):
                raise
            raise _no_answer() from error
        self._rests_until = None
        self._kept[key] = vector = Vector(by.model, values)
        while len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)
        return vector


class Likeness:
    """Compares a text with the nearest entries of some files; without vectors, or after a failure, with none."""

    def __init__(self, index: MemoryIndex, vectors: QueryVectors) -> None:
        self._index, self._vectors = index, vectors

    async def __call__(self, files: Sequence[MemoryFile], text: str) -> Mapping[str, float]:
        """Return the cosines of the nearest entries, by their texts; it takes at most about two seconds.

        Args:
            files: Files of one agent, under which a call is booked; others see nothing of it.
            text: What is compared.
        """
        return await self._cosines(files, text, may_pay=True)

    async def unpaid(self, files: Sequence[MemoryFile], text: str) -> Mapping[str, float]:
        """Return the same if the text has a vector already, or gets one for nothing; otherwise nothing."""
        return await self._cosines(files, text, may_pay=False)

    async def _cosines(self, files: Sequence[MemoryFile], text: str, *, may_pay: bool) -> Mapping[str, float]:
        try:
            vector = await self._vectors.of_entry(files[0].agent_name, text, may_pay=may_pay)
            if vector is None:
                return {}
            found = await self._index.search(text, files, vector=vector, limit=2 * TOP)
        except ChimeinError as error:
            _log.info("A new memory is compared by words alone: %s", error)
            return {}
        return {one.entry.text: one.meaning for one in (*found.best, *found.losers) if one.meaning is not None}


def _no_answer() -> ModelTransientError:
    note = Note(ModelFault.NO_ANSWER, number=round(PATIENCE_S))
    return ModelTransientError(note, fault=note)
