"""Adds long chats to the search index in the background, in small portions."""

from __future__ import annotations

import logging
from datetime import timedelta
from typing import TYPE_CHECKING

from chimein_gui.domain.errors import StoreError

if TYPE_CHECKING:
    from chimein_gui.engine.ports import Clock, Spawn, Store

_log = logging.getLogger(__name__)

AT_ONCE = 100
"""Number of messages indexed in one transaction, which takes the writer some 10 ms."""

PAUSE_S = 0.05
"""Pause between two transactions, for other work of the writer."""

AFTER_START_S = 20.0
"""Pause after the start, which has enough other work."""

AGAIN_AFTER_S = 60.0
"""Pause between two checks whether a chat has become long enough."""


class SearchIndexer:
    """Keeps the search index up to date."""

    def __init__(self, store: Store, clock: Clock, spawn: Spawn) -> None:
        """Create the indexer; nothing happens before `begin`."""
        self._store = store
        self._clock = clock
        self._spawn = spawn

    def begin(self) -> None:
        """Index what was stored before this start, and from then on what comes."""
        self._spawn(self._run(), name="search index")

    async def _run(self) -> None:
        await self._pause(AFTER_START_S)
        while True:
            try:
                while await self._store.read(lambda tx: tx.search.has_work()):
                    await self._store.transact(lambda tx: tx.search.index_some(AT_ONCE))
                    await self._pause(PAUSE_S)
            except StoreError:
                _log.warning("The search index could not be written; it is tried again in a minute", exc_info=True)
            await self._pause(AGAIN_AFTER_S)

    async def _pause(self, seconds: float) -> None:
        await self._clock.sleep_until(self._clock.now() + timedelta(seconds=seconds))
