"""The rows that panes fetch when they open, with their revision."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from chimein_gui.domain.loaded import Loaded

if TYPE_CHECKING:
    from chimein_gui.domain.approvals import Approval
    from chimein_gui.domain.chats import Chat
    from chimein_gui.engine.ports import Clock, Store

RECENT = timedelta(hours=1)
"""How long a decision counts as recent."""


class Queries:
    """Reads rows for the window; each answer is one consistent snapshot."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def chats(self) -> Loaded[Chat]:
        """Return all chats, newest message first."""
        return await self._store.read(lambda tx: Loaded(tx.chats.all(), tx.revision))

    async def approvals(self) -> Loaded[Approval]:
        """Return all planned sends that are not final, oldest first."""
        return await self._store.read(lambda tx: Loaded(tx.approvals.waiting(), tx.revision))

    async def recent_decisions(self, *, limit: int) -> Loaded[Approval]:
        """Return the decisions of the last hour, newest first."""
        since = self._clock.now() - RECENT
        return await self._store.read(lambda tx: Loaded(tx.approvals.resolved_since(since, limit=limit), tx.revision))
