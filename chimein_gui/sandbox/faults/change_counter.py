"""A counter of changes, for those who watch a rehearsal."""

import asyncio


class ChangeCounter:
    """A number that rises with every change and can be awaited.

    Attributes:
        revision: The number; 0 before the first change.
    """

    def __init__(self) -> None:
        self.revision = 0
        self._changed = asyncio.Event()

    def change(self) -> None:
        """Raise the number and wake all waiting callers."""
        self.revision += 1
        self._changed.set()
        self._changed = asyncio.Event()

    async def above(self, revision: int) -> None:
        """Wait until the number is above `revision`."""
        while self.revision <= revision:
            await self._changed.wait()
