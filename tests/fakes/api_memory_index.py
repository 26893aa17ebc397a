"""The index of memories as the window sees it: a test says how it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chimein_gui.domain.events import MemoryEmbeddingChanged
from chimein_gui.domain.ids import Revision
from chimein_gui.domain.memory.embedding import EmbeddingStatus

if TYPE_CHECKING:
    from chimein_gui.engine.core.event_bus import EventBus


class FakeMemoryIndex:
    """Implements `viewmodels.engine_api.memory.MemoryIndexService`.

    Attributes:
        calls: The commands, in their order.
        error: Raised by each command.
    """

    def __init__(self, bus: EventBus, status: EmbeddingStatus | None = None) -> None:
        self._bus, self._status = bus, status or EmbeddingStatus()
        self.calls: list[str] = []
        self.error: Exception | None = None

    def become(self, status: EmbeddingStatus) -> None:
        """Be like this, and tell it."""
        self._status = status
        self._bus.publish(MemoryEmbeddingChanged(status, Revision(1)))

    def status(self) -> EmbeddingStatus:
        return self._status

    async def stop(self) -> None:
        self._called("stop")

    async def go_on(self) -> None:
        self._called("go on")

    async def rebuild(self) -> None:
        self._called("rebuild")

    def _called(self, name: str) -> None:
        self.calls.append(name)
        if self.error is not None:
            raise self.error
