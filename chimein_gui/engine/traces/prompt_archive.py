"""Stores the prompts of plans, some seconds after them, so that no message waits for it.

Composing and compressing the bytes runs on an executor thread, and many prompts share one transaction. A killed program
loses the prompts of its last seconds, and nothing else.

Functions that take a transaction run on the writer thread.
"""

from __future__ import annotations

import asyncio
import zlib
from collections import deque
from typing import TYPE_CHECKING, NamedTuple

from chimein_gui.domain.prompt.sent import outline_of
from chimein_gui.engine.core.clock import pause
from chimein_gui.engine.ports import Durability

if TYPE_CHECKING:
    from chimein_gui.domain.costs import ModelCall
    from chimein_gui.domain.ids import ChatId, GraphId, TaskId
    from chimein_gui.domain.prompt.sent import PromptOutline
    from chimein_gui.engine.llm.calls import ModelRouter, PlanTrace
    from chimein_gui.engine.ports import Clock, Store, Transaction

    Made = tuple[ChatId, PlanTrace]

EVERY_S = 10.0
"""Pause between two rounds."""

MOST_PLANS = 50
"""Maximum number of plans whose prompts are stored in one transaction."""

_LEVEL = 1
"""Of zlib: half the time of the default for a tenth more bytes."""


class _Row(NamedTuple):
    graph_id: GraphId | None
    chat_id: ChatId
    call: ModelCall
    outline: PromptOutline
    packed: bytes
    task_id: TaskId | None


class PromptArchive:
    """Stores the prompts of the calls of plans, and of attempts that brought none."""

    def __init__(self, store: Store, clock: Clock, models: ModelRouter) -> None:
        self._store, self._clock, self._models = store, clock, models
        self._waiting: deque[Made] = deque()
        self._one_at_a_time = asyncio.Lock()
        self.take = self._waiting.append
        """Takes the chat and the trace of an attempt at a plan that was stored; it costs a message nothing."""

    async def run(self) -> None:
        """Store what is waiting, every few seconds, until cancelled.

        Raises:
            StoreError: The database failed; what could not be stored waits for the next round.
        """
        while True:
            await pause(self._clock, EVERY_S)
            await self.flush()

    async def flush(self) -> None:
        """Store what is waiting now.

        Raises:
            StoreError: The database failed; what could not be stored still waits.
        """
        async with self._one_at_a_time:
            while self._waiting:
                plans = [self._waiting.popleft() for _ in range(min(len(self._waiting), MOST_PLANS))]
                try:
                    await self._write(plans)
                except BaseException:
                    self._waiting.extendleft(reversed(plans))
                    raise

    async def _write(self, plans: list[Made]) -> None:
        rows = await asyncio.to_thread(self._packed, plans)

        def add(tx: Transaction) -> None:
            for row in rows:
                tx.prompts.add(*row)

        await self._store.transact(add, durability=Durability.NORMAL)

    def _packed(self, plans: list[Made]) -> list[_Row]:
        return [
            _Row(
                trace.graph_id,
                chat_id,
                call,
                outline_of(prompt, trace.reply),
                pack(self._models.request_of(prompt)),
                trace.task_id if trace.graph_id is None else None,
            )
            for chat_id, trace in plans
            for call, prompt in trace.prompts
        ]


def pack(body: bytes) -> bytes:
    """Compress the bytes of a request."""
    return zlib.compress(body, _LEVEL)


def unpack(packed: bytes) -> bytes:
    """Return the bytes of a request; raises zlib.error for bytes that `pack` has not made."""
    return zlib.decompress(packed)
