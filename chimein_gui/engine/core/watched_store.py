"""The store, watched: whichever commit fails, everything is held in memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from chimein_gui.domain.errors import StoreWriteError
from chimein_gui.engine.ports import Durability

if TYPE_CHECKING:
    from collections.abc import Callable

    from chimein_gui.engine.ports import Store, Transaction

T = TypeVar("T")


class WatchedStore:
    """Implements `engine.ports.Store` on another one."""

    def __init__(self, store: Store, on_failure: Callable[[str], None]) -> None:
        """Take the store, and what to do when a commit failed, with its cause."""
        self._store = store
        self._on_failure = on_failure

    async def transact(self, work: Callable[[Transaction], T], *, durability: Durability = Durability.NORMAL) -> T:
        """Run `work` and commit it; see `Store`."""
        try:
            return await self._store.transact(work, durability=durability)
        except StoreWriteError as error:
            self._on_failure(str(error))
            raise

    def submit(self, work: Callable[[Transaction], object], *, durability: Durability = Durability.NORMAL) -> None:
        """Queue `work` without waiting; see `Store`."""
        self._store.submit(work, durability=durability)

    async def read(self, work: Callable[[Transaction], T]) -> T:
        """Read one consistent snapshot; see `Store`."""
        return await self._store.read(work)

    async def aclose(self) -> None:
        """Close the store; see `Store`."""
        await self._store.aclose()
