"""Whom each account has blocked. Their messages do not trigger in groups, where Telegram still delivers them.

The store has Telegram's last list. It is valid for 60 s, or until somebody is blocked or unblocked. After that the next
callout in a group requests it again, all pages at once and never for each message. Functions that take a transaction
run on the writer thread.
"""

from __future__ import annotations

import asyncio
import logging
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING

from chimein_gui.domain.errors import GatewayError, StoreError
from chimein_gui.engine.core.clock import pause

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from chimein_gui.domain.ids import AccountId, ChatId, PeerId
    from chimein_gui.domain.messages import MessageKey
    from chimein_gui.engine.ports import Clock, Spawn, Store, TelegramGateway, Transaction

_log = logging.getLogger(__name__)

FRESH = timedelta(seconds=60)
"""How long an answer is valid; a failed look-up is no answer."""

LOOK_UP_S = 10.0
"""How long a plan waits for an answer; without one it is made, but no rule decides about it."""

AGAIN_S = 30.0
"""Pause before the list of blocked people is requested again for ignored messages."""

_MOST_IGNORED = 1_000


class Blocks:
    """Knows for groups whether the store's list of blocked people is current, and updates it."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        spawn: Spawn,
        gateway_of: Callable[[AccountId], TelegramGateway | None],
        look_again: Callable[[Sequence[MessageKey]], object],
    ) -> None:
        """Create the service.

        Args:
            store: The database.
            clock: Time.
            spawn: Starts owned jobs.
            gateway_of: Returns an account's connected gateway, or None.
            look_again: Called with messages that were ignored because of an outdated list.
        """
        self._store = store
        self._clock = clock
        self._spawn = spawn
        self._gateway_of = gateway_of
        self._look_again = look_again
        self._loaded_at: dict[AccountId, datetime] = {}
        self._asking: dict[AccountId, asyncio.Future[bool]] = {}
        self._overtaken: set[AccountId] = set()
        self._ignored: dict[AccountId, dict[MessageKey, None]] = {}
        self._chasing: set[AccountId] = set()
        self._connection = asyncio.Event()

    def connected(self, account_id: AccountId) -> None:
        """Mark the list of an account as outdated, because changes during its absence were not reported."""
        self.changed(account_id)
        self._connection.set()
        self._connection = asyncio.Event()
        self._chase_soon(account_id)

    def changed(self, account_id: AccountId) -> None:
        """Mark the list of an account as outdated, because somebody was blocked or unblocked."""
        self._loaded_at.pop(account_id, None)
        self._overtaken.add(account_id)

    def look_up(self, account_id: AccountId) -> None:
        """Update the list of an account in one of whose groups a message has triggered, because the plan needs it."""
        if not self._is_fresh(account_id):
            self._spawn(self._ahead(account_id), name=f"whom has account {account_id} blocked?")

    def ignored(self, _chat_id: ChatId, keys: Sequence[MessageKey]) -> None:
        """Update an outdated list because of messages that would trigger if their authors were not in it."""
        for key in keys:
            if not self._is_fresh(key.account_id):
                waiting = self._ignored.setdefault(key.account_id, {})
                waiting[key] = None
                if len(waiting) > _MOST_IGNORED:
                    del waiting[next(iter(waiting))]
                self._chase_soon(key.account_id)

    def _chase_soon(self, account_id: AccountId) -> None:
        if self._ignored.get(account_id) and account_id not in self._chasing:
            self._chasing.add(account_id)
            self._spawn(self._chase(account_id), name=f"was account {account_id} right to ignore?")

    async def _chase(self, account_id: AccountId) -> None:
        """Ask until the ignored messages were checked again. After a lost connection the next one continues."""
        try:
            while self._ignored.get(account_id):
                gateway = self._gateway_of(account_id)
                if gateway is None or not gateway.is_up():
                    return
                if not await self._ask(account_id, gateway):
                    await pause(self._clock, AGAIN_S)
        finally:
            self._chasing.discard(account_id)

    async def _ahead(self, account_id: AccountId) -> None:
        await self.is_known(account_id)

    async def is_known(self, account_id: AccountId) -> bool:
        """Tell whether the store's list of an account is current; if necessary after asking for at most 10 s."""
        try:
            async with self._clock.timeout(LOOK_UP_S):
                while not self._is_fresh(account_id):
                    gateway = self._gateway_of(account_id)
                    if gateway is None or not gateway.is_up():
                        await self._connection.wait()
                    elif not await self._ask(account_id, gateway):
                        return False
        except TimeoutError:
            return False
        return True

    def _is_fresh(self, account_id: AccountId) -> bool:
        loaded_at = self._loaded_at.get(account_id)
        return loaded_at is not None and self._clock.now() - loaded_at < FRESH

    async def _ask(self, account_id: AccountId, gateway: TelegramGateway) -> bool:
        """Ask Telegram, or wait for the running request; returns whether there is an answer."""
        asking = self._asking.get(account_id)
        if asking is None:
            asking = self._asking[account_id] = asyncio.get_running_loop().create_future()
            self._spawn(self._fetch(account_id, gateway, asking), name=f"whom account {account_id} has blocked")
        return await asyncio.shield(asking)

    async def _fetch(self, account_id: AccountId, gateway: TelegramGateway, asking: asyncio.Future[bool]) -> None:
        is_loaded = False
        try:
            while not is_loaded:
                self._overtaken.discard(account_id)
                at, people = self._clock.now(), await gateway.blocked()
                if account_id not in self._overtaken:
                    await self._store.transact(partial(_note, account_id=account_id, people=people))
                is_loaded = account_id not in self._overtaken
            self._loaded_at[account_id] = at
        except (GatewayError, StoreError) as error:
            _log.info("Could not look up whom account %s has blocked: %s", account_id, error)
        finally:
            del self._asking[account_id]
            asking.set_result(is_loaded)
        waiting = self._ignored.pop(account_id, {}) if is_loaded else {}
        if waiting:
            self._look_again(tuple(waiting))


def _note(tx: Transaction, *, account_id: AccountId, people: frozenset[PeerId]) -> None:
    if tx.accounts.blocked(account_id) != people:
        tx.accounts.set_blocked(account_id, people)
