"""A describer whose answers a test sets."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from chimein_gui.engine.media.sources import MediaItem


class FakeDescriber:
    """Implements `engine.media.sources.Describer`.

    Attributes:
        asked: The ids of the media that were asked for, in order.
        told: The operator's instructions that came with them.
        errors: Raised for media, by id.
        gate: A description waits until it is set.
        before: Called with each medium as it is asked for.
    """

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.told: list[str] = []
        self.errors: dict[str, Exception] = {}
        self.gate = asyncio.Event()
        self.gate.set()
        self.before: Callable[[MediaItem], None] = lambda _item: None
        self._was_asked = asyncio.Condition()

    async def describe(self, item: MediaItem, _agent_name: str, instruction: str = "") -> str:
        async with self._was_asked:
            self.asked.append(item.unique_id)
            self.told.append(instruction)
            self._was_asked.notify_all()
        self.before(item)
        await self.gate.wait()
        if item.unique_id in self.errors:
            raise self.errors[item.unique_id]
        return f"by the model: {item.unique_id} {instruction}"

    def model_of(self, _agent_name: str) -> str:
        return "gemini-2.5-flash"

    async def were_asked(self, count: int) -> None:
        """Wait until so many descriptions were asked for."""
        async with self._was_asked:
            await self._was_asked.wait_for(lambda: len(self.asked) >= count)
