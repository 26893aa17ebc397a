"""The queue between Telethon's sender and its update loop."""

from __future__ import annotations

import asyncio
from collections import deque

from chimein_gui.adapters.telegram.transport.tl import TLObject

ASYNCIO_NEEDS_NO_TASK = (3, 12)
"""Python from which on `asyncio.wait_for` awaits a coroutine as it is. A future must not be used there: an update that
comes in the moment of the time-out would be lost with it, where Python 3.11 returns it."""


class UpdateQueue:
    """Has the methods of an `asyncio.Queue` that Telethon uses, for one reader.

    Telethon waits for each update with a time limit, and Python 3.11 makes a task of a coroutine for that. Here `get`
    returns a future, which needs none.
    """

    def __init__(self) -> None:
        """Start empty."""
        self._updates: deque[TLObject] = deque()
        self._reader: asyncio.Future[TLObject] | None = None

    def put_nowait(self, update: TLObject) -> None:
        """Add an update; only on the loop's thread."""
        reader, self._reader = self._reader, None
        if reader is None or reader.done():  # one that was given up is cancelled
            self._updates.append(update)
        else:
            reader.set_result(update)

    async def put(self, update: TLObject) -> None:
        """Do the same; there is always room."""
        self.put_nowait(update)

    def get(self) -> asyncio.Future[TLObject]:
        """Return the oldest update, or the next one. The caller cancels the future if it does not wait any longer."""
        reader: asyncio.Future[TLObject] = asyncio.get_running_loop().create_future()
        if self._updates:
            reader.set_result(self._updates.popleft())
        else:
            self._reader = reader
        return reader
