"""The chain of sources of descriptions, and those that wait for budget.

See docs/behaviour.md, "Descriptions of media".
"""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from chimein_gui.domain.events import PersonForgotten
from chimein_gui.domain.media.formats import is_described
from chimein_gui.domain.media.records import DescriptionStatus, MediaRecord, PlaceKind
from chimein_gui.domain.notes.faults import FaultReason
from chimein_gui.engine.core.event_bus import FaultLine
from chimein_gui.engine.media.sources import (
    AICache,
    AIGenerating,
    BudgetExhausted,
    Composite,
    Directory,
    MediaItem,
    MediaSource,
    Nothing,
    UnsupportedFormat,
    fits,
    is_final,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from chimein_gui.domain.events import EngineEvent
    from chimein_gui.domain.ids import PeerId
    from chimein_gui.engine.core.event_bus import EventBus
    from chimein_gui.engine.media.budget import DescriptionBudget
    from chimein_gui.engine.media.sources import Describer
    from chimein_gui.engine.ports import Clock, MediaRecords, Spawn

_log = logging.getLogger(__name__)

MOST_WAITING = 2_000
"""So many media wait for budget at most; the oldest are dropped, and asked for again with the next prompt."""

LATE_S = 60.0
"""Longest wait for what is described with a later tick, in seconds; only the log learns of it."""

_LONG_AGO = datetime(1, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A medium that waits for budget, and for whom."""

    item: MediaItem
    agent_name: str


class MediaChain:
    """Finds descriptions: the agent's own, the shared ones, those of models, and new ones within the budget."""

    def __init__(
        self,
        records: MediaRecords,
        budget: DescriptionBudget,
        clock: Clock,
        spawn: Spawn,
        describer: Describer | None = None,
        bus: EventBus | None = None,
    ) -> None:
        """Create the chain.

        Args:
            records: The files of descriptions.
            budget: How many may be made; the chain goes on with what waits whenever it is renewed.
            clock: Time.
            spawn: Starts owned jobs.
            describer: Makes new descriptions; without it none are made.
            bus: Receives the event that descriptions can't be stored.
        """
        self.records = records
        self._budget, self._clock, self._spawn = budget, clock, spawn
        fault = None if bus is None else FaultLine(bus, "descriptions", FaultReason.DESCRIPTIONS_NOT_KEPT)
        self.cache = AICache(records, records.places("")[-1], clock, fault)
        unsupported = UnsupportedFormat(self.cache, clock)
        self._generating: AIGenerating | None = None
        self._made = Composite((unsupported, Nothing()))
        if describer is not None:
            self._generating = generating = AIGenerating(describer, self.cache, budget, clock, spawn)
            self._made = Composite((unsupported, BudgetExhausted(budget, clock, generating), generating))
        self._waiting: dict[str, _Waiting] = {}
        self._asked: dict[str, MediaItem] = {}
        budget.on_renewed(self._go_on)
        if bus is not None:
            bus.subscribe(self._person_forgotten, PersonForgotten)

    def sources(self, agent_name: str) -> MediaSource:
        """Return the whole chain of an agent, in order."""
        places = self.records.places(agent_name)
        curated = [Directory(self.records, place) for place in places if place.kind is not PlaceKind.CACHE]
        return Composite((*curated, self.cache, self._made))

    async def known(self, agent_name: str, unique_ids: Collection[str]) -> dict[str, MediaRecord]:
        """Return what is known of some media; nothing is made, spent or stored.

        A record without words says why there are none.
        """
        found = await self.records.find(self.records.places(agent_name), unique_ids)
        known = {}
        for unique_id, records in found.items():
            worded = next((record for record in records if record.has_words), None)
            last = next((record for record in reversed(records) if record.problem is None), None)
            if (record := worded or last) is not None:
                known[unique_id] = record
        return known

    async def get(self, item: MediaItem, agent_name: str) -> MediaRecord | None:
        """Return the answer of the chain; what the budget does not allow now is made later.

        Returns:
            A record, perhaps without words and with the reason; None for what is never described.
        """
        if not is_described(item.kind):
            return None
        return await self._ask(self.sources(agent_name), item, agent_name)

    async def described(self, items: Iterable[MediaItem], agent_name: str, within_s: float) -> dict[str, MediaRecord]:
        """Return the descriptions of some media, as far as they are there in time.

        Those of the newest messages are made first. What is not ready goes on, and is there for the next prompt.

        Args:
            items: The media; twice the same counts once.
            agent_name: For whom.
            within_s: Longest wait, in seconds.
        """
        wanted = {item.unique_id: item for item in newest_first(items) if is_described(item.kind)}
        found = await self.known(agent_name, wanted)
        now = self._clock.now()
        open_items = [item for unique_id, item in wanted.items() if not _is_answer(found.get(unique_id), item, now)]
        await self._make(open_items, agent_name, found, within_s)
        return found

    async def _make(
        self, items: list[MediaItem], agent_name: str, found: dict[str, MediaRecord], within_s: float
    ) -> None:
        """Add what is made in time to what was found. The rest goes on by itself."""
        left, ready = len(items), asyncio.Event()

        async def make(item: MediaItem) -> None:
            nonlocal left
            try:
                record = await self._ask(self._made, item, agent_name)
                if record is not None:
                    found[item.unique_id] = record
            finally:
                left -= 1
                if not left:
                    ready.set()

        for item in items:
            self._spawn(make(item), name=f"find the description of {item.unique_id}")
        try:
            async with self._clock.timeout(within_s):
                if items:
                    await ready.wait()
        except TimeoutError:
            _log.info("%d of %d descriptions are not ready after %s s", left, len(items), within_s)

    async def again(self, item: MediaItem, agent_name: str, instruction: str = "") -> MediaRecord | None:
        """Let a model describe a medium anew, because the operator asks for it; None if no model can."""
        if self._generating is None:
            return None
        return await self._generating.again(item, agent_name, instruction)

    @property
    def waiting(self) -> tuple[str, ...]:
        """Return the ids of the media that wait for budget, those of the newest messages first."""
        return tuple(one.item.unique_id for one in self._in_order())

    @property
    def running(self) -> frozenset[str]:
        """Return the ids of the media that are being described."""
        return frozenset() if self._generating is None else self._generating.running

    async def _ask(self, source: MediaSource, item: MediaItem, agent_name: str) -> MediaRecord | None:
        self._asked.pop(item.unique_id, None)
        self._asked[item.unique_id] = item
        if len(self._asked) > MOST_WAITING:
            del self._asked[next(iter(self._asked))]
        record = await source.get(item, agent_name)
        if record is not None and record.status is DescriptionStatus.BUDGET:
            self._wait(item, agent_name)
        return record

    def _person_forgotten(self, event: EngineEvent) -> None:
        """Describe nothing more of a person's chats, and drop what was described while the person was forgotten."""
        if isinstance(event, PersonForgotten):
            for item in [one.item for one in self._waiting.values()]:
                if _is_of(item, event.person):
                    del self._waiting[item.unique_id]
            asked = {key for key, item in self._asked.items() if _is_of(item, event.person)}
            self.cache.forget(asked & self.running)
            self._spawn(self.cache.drop(asked), name="drop descriptions of a person")

    def _wait(self, item: MediaItem, agent_name: str) -> None:
        self._waiting[item.unique_id] = _Waiting(item, agent_name)
        self._budget.expect_renewal()
        if len(self._waiting) > MOST_WAITING:
            self._waiting.pop(self._in_order()[-1].item.unique_id)

    def _in_order(self) -> list[_Waiting]:
        return sorted(self._waiting.values(), key=lambda one: one.item.sent_at or _LONG_AGO, reverse=True)

    def _go_on(self) -> bool:
        """Describe what waits, as far as the new budget goes; returns whether anything waited."""
        waiting = self._in_order()
        chosen: defaultdict[str, list[MediaItem]] = defaultdict(list)
        for one in waiting[: self._budget.left]:
            del self._waiting[one.item.unique_id]
            chosen[one.agent_name].append(one.item)
        for agent_name, items in chosen.items():
            self._spawn(self._describe_late(items, agent_name), name=f"describe what waited for {agent_name}")
        return bool(waiting)

    async def _describe_late(self, items: list[MediaItem], agent_name: str) -> None:
        await self.described(items, agent_name, LATE_S)


def newest_first(items: Iterable[MediaItem]) -> list[MediaItem]:
    """Return items in the order in which they are described: those of the newest messages first, each once."""
    found: dict[str, MediaItem] = {}
    for item in sorted(items, key=lambda item: item.sent_at or _LONG_AGO, reverse=True):
        found.setdefault(item.unique_id, item)
    return list(found.values())


def _is_of(item: MediaItem, person: PeerId) -> bool:
    return item.message is not None and item.message.peer_id == person


def _is_answer(record: MediaRecord | None, item: MediaItem, now: datetime) -> bool:
    return record is not None and (record.is_curated or is_final(record, now)) and fits(record, item)
