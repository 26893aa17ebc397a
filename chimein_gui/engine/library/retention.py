"""Deletes old data that is no longer needed, a little at a time.

See docs/behaviour.md, "Storing first".

Of the functions that take a transaction, `old` runs on the reader thread and `forget` on the writer thread.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from chimein_gui.domain.events import TracesRemoved
from chimein_gui.domain.settings.preferences import Preferences
from chimein_gui.engine.core.clock import pause
from chimein_gui.engine.core.environment import LivePreferences

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from chimein_gui.domain.ids import GraphId, Revision
    from chimein_gui.domain.messages import MessageKey
    from chimein_gui.domain.prompt.sent import CallId
    from chimein_gui.domain.traces.summaries import TraceId
    from chimein_gui.engine.core.event_bus import EventBus
    from chimein_gui.engine.ports import Clock, Store, Transaction

    Portion = tuple[tuple[GraphId, ...], tuple[MessageKey, ...], tuple[CallId, ...], tuple[TraceId, ...]]

MEGABYTE = 1_000_000

CHOICES_KEPT = timedelta(days=30)
"""How long a replaced plan keeps its choice of messages; about 5 kB per plan of a busy group."""

KEPT = timedelta(days=Preferences().keep_days)
"""How long raw data of messages, prompts and traces are kept, unless the operator sets another time.

A prompt takes about 3 kB, and 40 kB with five hundred messages; a trace about 2 kB, and more with pages of the web.
"""

MOST_PLANS = 50
MOST_MESSAGES = 200
MOST_PROMPTS = 50
MOST_TRACES = 50
"""Maximum numbers of plans, messages, prompts and traces changed in one transaction, which takes a few milliseconds."""

FIRST_S = 60.0
EVERY_S = 3600.0
BETWEEN_S = 1.0
"""Pauses: after the start, between two rounds, and between two transactions or two checks for running work."""


class Retention:
    """Deletes old data while no chat has anything to do, and makes the index of traces' words meanwhile."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        is_idle: Callable[[], bool],
        preferences: LivePreferences | None = None,
        bus: EventBus | None = None,
    ) -> None:
        """`bus` is notified when traces were deleted; without preferences their defaults hold."""
        self._store = store
        self._clock = clock
        self._is_idle = is_idle
        self._preferences = LivePreferences(Preferences()) if preferences is None else preferences
        self._bus = bus

    async def run(self) -> None:
        """Delete old data until cancelled.

        Raises:
            StoreError: The database failed; portions deleted before stay deleted.
        """
        await self._clock.sleep_until(self._clock.now() + timedelta(seconds=FIRST_S))
        while True:
            while await self._forget_some() or await self._index_some():
                await pause(self._clock, BETWEEN_S)
            await self._clock.sleep_until(self._clock.now() + timedelta(seconds=EVERY_S))

    async def _forget_some(self) -> bool:
        """Delete one portion; returns whether there was any."""
        while not self._is_idle():
            await pause(self._clock, BETWEEN_S)
        now, preferences = self._clock.now(), self._preferences.now
        kept = timedelta(days=preferences.keep_days)

        def old(tx: Transaction) -> Portion:
            plans = tx.retention.plans_before(now - CHOICES_KEPT, limit=MOST_PLANS)
            messages = tx.retention.raw_before(now - kept, limit=MOST_MESSAGES)
            prompts = tx.retention.prompts_before(now - kept, limit=MOST_PROMPTS)
            traces = tx.traces.oldest(now - kept, limit=MOST_TRACES)
            if not prompts and not traces and tx.traces.sizes().all_bytes > preferences.keep_mb * MEGABYTE:
                prompts, traces = _largest(tx, now)
            return plans, messages, prompts, traces

        portion = await self._store.read(old)
        if not any(portion):
            return False
        plans, messages, prompts, traces = portion

        def forget(tx: Transaction) -> Revision:
            tx.retention.forget_choices(plans)
            tx.retention.forget_raw(messages)
            tx.retention.forget_prompts(prompts)
            tx.traces.remove(traces)
            return tx.revision

        revision = await self._store.transact(forget)
        if traces and self._bus is not None:
            self._bus.publish(TracesRemoved(revision))
        return True

    async def _index_some(self) -> bool:
        """Index the words of some traces; returns whether there were any."""
        if not await self._store.read(lambda tx: tx.traces.has_words_to_index()):
            return False
        await self._store.transact(lambda tx: tx.traces.index_words(MOST_TRACES))
        return True


def _largest(tx: Transaction, now: datetime) -> tuple[tuple[CallId, ...], tuple[TraceId, ...]]:
    """Return what goes first when there is too much: the oldest traces, and prompts as old as they are."""
    traces = tx.traces.oldest(None, limit=MOST_TRACES)
    newest = tx.traces.summary(traces[-1]) if traces else None
    until = now if newest is None else newest.ended_at
    return tx.retention.prompts_before(until, limit=MOST_PROMPTS), traces
