"""Deletes old data that is no longer needed, a little at a time.

See docs/behaviour.md, "Storing first".

Of the functions that take a transaction, `old` runs on the reader thread and `forget` on the writer thread.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from chimein_gui.engine.core.clock import pause

if TYPE_CHECKING:
    from collections.abc import Callable

    from chimein_gui.domain.ids import GraphId
    from chimein_gui.domain.messages import MessageKey
    from chimein_gui.domain.prompt.sent import CallId
    from chimein_gui.engine.ports import Clock, Store, Transaction

    Portion = tuple[tuple[GraphId, ...], tuple[MessageKey, ...], tuple[CallId, ...]]

CHOICES_KEPT = timedelta(days=30)
"""How long a replaced plan keeps its choice of messages; about 5 kB per plan of a busy group."""

RAW_KEPT = timedelta(days=90)
"""How long a message of an unknown kind, or a service message, keeps Telegram's raw data."""

PROMPTS_KEPT = RAW_KEPT
"""How long the prompt of a call is kept; about 3 kB per call, and 40 kB with five hundred messages."""

MOST_PLANS = 50
MOST_MESSAGES = 200
MOST_PROMPTS = 50
"""Maximum numbers of plans, messages and prompts changed in one transaction, which takes a few milliseconds."""

FIRST_S = 60.0
EVERY_S = 3600.0
BETWEEN_S = 1.0
"""Pauses: after the start, between two rounds, and between two transactions or two checks for running work."""


class Retention:
    """Deletes old data while no chat has anything to do."""

    def __init__(self, store: Store, clock: Clock, is_idle: Callable[[], bool]) -> None:
        self._store = store
        self._clock = clock
        self._is_idle = is_idle

    async def run(self) -> None:
        """Delete old data until cancelled.

        Raises:
            StoreError: The database failed; portions deleted before stay deleted.
        """
        await self._clock.sleep_until(self._clock.now() + timedelta(seconds=FIRST_S))
        while True:
            while await self._forget_some():
                await pause(self._clock, BETWEEN_S)
            await self._clock.sleep_until(self._clock.now() + timedelta(seconds=EVERY_S))

    async def _forget_some(self) -> bool:
        """Delete one portion; returns whether there was any."""
        while not self._is_idle():
            await pause(self._clock, BETWEEN_S)
        now = self._clock.now()

        def old(tx: Transaction) -> Portion:
            plans = tx.retention.plans_before(now - CHOICES_KEPT, limit=MOST_PLANS)
            messages = tx.retention.raw_before(now - RAW_KEPT, limit=MOST_MESSAGES)
            return plans, messages, tx.retention.prompts_before(now - PROMPTS_KEPT, limit=MOST_PROMPTS)

        portion = await self._store.read(old)
        if not any(portion):
            return False
        plans, messages, prompts = portion

        def forget(tx: Transaction) -> None:
            tx.retention.forget_choices(plans)
            tx.retention.forget_raw(messages)
            tx.retention.forget_prompts(prompts)

        await self._store.transact(forget)
        return True
