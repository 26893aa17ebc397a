"""Adds long chats to the search index in the background, in small portions."""

from __future__ import annotations

import logging
from datetime import timedelta
from typing import TYPE_CHECKING

from chimein_gui.domain.errors import StoreError
from chimein_gui.domain.events import EngineEvent, MessageStored

if TYPE_CHECKING:
    from chimein_gui.engine.ports import Clock, Spawn, Store

_log = logging.getLogger(__name__)

AT_ONCE = 100
"""Messages that come into the index in one transaction: some 10 ms of the writer."""

PAUSE_S = 0.05
"""Pause between two of these: the writer has other things to do, too."""

AFTER_START_S = 20.0
"""A start has enough to do."""

AGAIN_AFTER = 1_000
"""After so many new messages it looks whether another chat has become long."""


class SearchIndexer:
    """Keeps the search index up to date."""

    def __init__(self, store: Store, clock: Clock, spawn: Spawn) -> None:
        """Create the indexer; nothing happens before `begin`."""
        self._store = store
        self._clock = clock
        self._spawn = spawn
        self._heard = 0
        self._is_running = False

    def begin(self) -> None:
        """Index the messages that were stored before this start."""
        self._start(AFTER_START_S)

    def hear(self, event: EngineEvent) -> None:
        """Look again after many new messages."""
        if isinstance(event, MessageStored):
            self._heard += 1
            if self._heard >= AGAIN_AFTER and not self._is_running:
                self._start(PAUSE_S)

    def _start(self, delay_s: float) -> None:
        self._is_running = True
        self._heard = 0
        self._spawn(self._run(delay_s), name="search index")

    async def _run(self, delay_s: float) -> None:
        try:
            await self._pause(delay_s)
            while await self._store.read(lambda tx: tx.search.has_work()):
                await self._store.transact(lambda tx: tx.search.index_some(AT_ONCE))
                await self._pause(PAUSE_S)
        except StoreError:
            _log.warning("The search index could not be written; the next start goes on with it", exc_info=True)
        finally:
            self._is_running = False

    async def _pause(self, seconds: float) -> None:
        await self._clock.sleep_until(self._clock.now() + timedelta(seconds=seconds))
