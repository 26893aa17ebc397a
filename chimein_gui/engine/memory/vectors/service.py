"""What the operator sees and does about the index of memories: how far it is, stop, continue, rebuild."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from chimein_gui.domain.errors import StoreError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from chimein_gui.domain.memory.embedding import EmbeddingStatus
    from chimein_gui.engine.memory.vectors.job import VectorJob


class MemoryIndexService:
    """The part of the engine behind the head of the Memory pane."""

    def __init__(self, job: VectorJob, rebuild: Callable[[], Awaitable[None]]) -> None:
        """`rebuild` removes all entries from the index, and indexes all memory files."""
        self._job = job
        self._rebuild = rebuild

    def status(self) -> EmbeddingStatus:
        """Return how far the index is; changes of it are events."""
        return self._job.status

    async def stop(self) -> None:
        """Stop making vectors; that outlives a restart.

        Raises:
            StoreError: It could not be stored; the job goes on.
        """
        await self._job.stop()

    async def go_on(self) -> None:
        """Let the job go on, or try again after a problem.

        Raises:
            StoreError: It could not be stored.
        """
        await self._job.go_on()

    async def rebuild(self) -> None:
        """Index all memory files anew. Vectors of texts that are still there are kept, so nothing is paid twice.

        Raises:
            StoreError: The index can't be written.
        """
        try:
            await self._rebuild()
        finally:
            self._job.again()

    async def move(self) -> None:
        """Index all memory files in another place; why that fails is shown with the status of the index."""
        with suppress(StoreError):
            await self.rebuild()
