"""Who is asked for the description of a medium: small sources, of which a chain asks one after the other.

See docs/behaviour.md, "Descriptions of media".
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING, Protocol

from chimein_gui.domain.errors import (
    ChimeinError,
    DescriptionError,
    MediaTrouble,
    MediaUnavailableError,
    ModelError,
    ModelKeyError,
    ModelRefusedError,
    NotDrawableError,
    RefusedError,
)
from chimein_gui.domain.media.formats import is_supported
from chimein_gui.domain.media.records import (
    MODEL_KEY,
    MOST_MET,
    DescriptionStatus,
    Failure,
    MediaFault,
    MediaPlace,
    MediaRecord,
    Met,
    pause_after,
    retry_at,
    unique_id_of,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from datetime import datetime

    from chimein_gui.domain.ids import AccountId
    from chimein_gui.domain.messages import Media, Message, MessageKey
    from chimein_gui.engine.core.event_bus import FaultLine
    from chimein_gui.engine.media.budget import DescriptionBudget
    from chimein_gui.engine.ports import Clock, MediaRecords, Spawn

_log = logging.getLogger(__name__)

AT_ONCE = 8
"""So many descriptions are made at the same time; more wait as if the budget were spent."""

KEY_PAUSE = timedelta(seconds=60)
"""How long no model is asked after its key was refused."""


@dataclass(frozen=True, slots=True)
class MediaItem:
    """A medium that may be described.

    Attributes:
        unique_id: Its id, as in `unique_id_of`.
        kind: Compact name, as in `Message.media_kind`.
        media: What is known about its file; all of it is foreign.
        account_id: The account that can fetch it.
        message: The message that carries it; None for a sticker of a set.
        sent_at: When that was sent, aware UTC; None without a message.
        name: Its name in its sticker set, or empty.
        text: The caption, foreign text; a hint for the model.
        neighbours: Texts of messages before it, oldest first, foreign; hints, too.
    """

    unique_id: str
    kind: str
    media: Media
    account_id: AccountId
    message: MessageKey | None = None
    sent_at: datetime | None = None
    name: str = ""
    text: str = ""
    neighbours: tuple[str, ...] = ()

    @property
    def hinted_in(self) -> str:
        """Return the chat from which the model gets hints, in one account; empty without hints."""
        return self.chat if self.text or self.neighbours else ""

    @property
    def chat(self) -> str:
        """Return the chat in which it was met, in one account; empty for a sticker of a set."""
        return f"{self.account_id}:{self.message.peer_id}" if self.message is not None else ""


def fits(record: MediaRecord, item: MediaItem) -> bool:
    """Return whether words may stand in the chat of an item.

    A model's words that were made with hints from another chat could repeat something of it.
    """
    return not record.hinted_in or record.is_curated or record.hinted_in == item.chat


def item_of(message: Message) -> MediaItem | None:
    """Return the medium of a message; None if it has none that could be described."""
    media = message.media
    if media is None or message.is_service or message.deleted or not unique_id_of(media):
        return None
    return MediaItem(
        unique_id_of(media),
        message.media_kind,
        media,
        message.key.account_id,
        message.key,
        message.sent_at,
        media.emoji,
        message.text,
    )


class MediaSource(Protocol):
    """Somebody who may know a description."""

    async def get(self, item: MediaItem, agent_name: str) -> MediaRecord | None:
        """Return the record with which the search ends, with or without words; None if others shall be asked."""
        ...


class Describer(Protocol):
    """Fetches a medium and lets a model describe it; one call of a model each."""

    async def describe(self, item: MediaItem, agent_name: str, instruction: str = "") -> str:
        """Return the words.

        Args:
            item: What is described.
            agent_name: The agent who pays for it.
            instruction: What the operator wants otherwise, or empty.

        Raises:
            DescriptionError: It can't be described.
            MediaUnavailableError: The file can't be fetched.
            NotDrawableError: The file is broken.
            ModelError: The model failed.
        """
        ...

    def model_of(self, agent_name: str) -> str:
        """Return the model that is asked for an agent; empty if that is not known."""
        ...


class Nothing:
    """Knows nothing."""

    async def get(self, _item: MediaItem, _agent_name: str) -> MediaRecord | None:
        """Return None."""
        return None


class Directory:
    """The descriptions in one directory; a file without words is no answer."""

    def __init__(self, records: MediaRecords, place: MediaPlace) -> None:
        """Look into one place."""
        self._records, self._place = records, place

    async def get(self, item: MediaItem, _agent_name: str) -> MediaRecord | None:
        """Return the record in the directory, if it has words."""
        found = (await self._records.find((self._place,), (item.unique_id,))).get(item.unique_id, ())
        return next((record for record in found if record.has_words), None)


class Composite:
    """Several sources; the first answer wins."""

    def __init__(self, sources: Sequence[MediaSource]) -> None:
        """Ask these, in order."""
        self._sources = tuple(sources)

    async def get(self, item: MediaItem, agent_name: str) -> MediaRecord | None:
        """Return the first answer."""
        for source in self._sources:
            record = await source.get(item, agent_name)
            if record is not None:
                return record
        return None


class AICache:
    """What models have said, and what is known to have no description."""

    def __init__(self, records: MediaRecords, place: MediaPlace, clock: Clock, fault: FaultLine | None = None) -> None:
        """Look into the place of the cache; `fault` is shown while it can't be written."""
        self._records, self._place, self._clock, self._fault = records, place, clock, fault
        self._unwritten: dict[str, MediaRecord] = {}
        self._unwanted: set[str] = set()

    async def get(self, item: MediaItem, _agent_name: str) -> MediaRecord | None:
        """Return the record, unless it may be tried again now."""
        record = await self.record(item.unique_id)
        is_known = record is not None and is_final(record, self._clock.now()) and fits(record, item)
        return record if is_known else None

    async def record(self, unique_id: str) -> MediaRecord | None:
        """Return what is known of a medium, whatever it is."""
        found = (await self._records.find((self._place,), (unique_id,))).get(unique_id, ())
        usable = next((record for record in found if record.problem is None), None)
        return self._unwritten.get(unique_id, usable)

    async def keep(self, record: MediaRecord) -> MediaRecord:
        """Write a record; if the disk refuses, it is kept in memory, because it may have cost money."""
        if record.unique_id in self._unwanted:
            self._unwanted.discard(record.unique_id)
            return record
        try:
            written = await self._records.write(record, self._place)
        except RefusedError as error:
            _log.warning("The description of %s can't be written: %s", record.unique_id, error)
            self._unwritten[record.unique_id] = record
            if self._fault is not None and error.note is not None:
                self._fault.show(error.note)
            return record
        self._unwritten.pop(record.unique_id, None)
        if self._fault is not None:
            self._fault.clear()
        return written

    def forget(self, unique_ids: Collection[str]) -> None:
        """Do not store what is being said of these media, because a person is forgotten."""
        self._unwanted.update(unique_ids)

    async def drop(self, unique_ids: Collection[str]) -> None:
        """Remove what is stored of these media; what can't be removed is logged."""
        for unique_id in unique_ids:
            self._unwritten.pop(unique_id, None)
        for records in (await self._records.find((self._place,), unique_ids)).values():
            for record in records:
                try:
                    await self._records.delete(record)
                except RefusedError as error:
                    _log.warning("The description of %s can't be removed: %s", record.unique_id, error)


def is_final(record: MediaRecord, now: datetime) -> bool:
    """Return whether a record of the cache ends the search, at a time that is aware UTC."""
    if record.problem is not None:
        return False
    if record.status is DescriptionStatus.TEMPORARY_FAILURE:
        again_at = retry_at(record)
        return again_at is not None and now < again_at
    return record.has_words or record.status in {DescriptionStatus.UNSUPPORTED, DescriptionStatus.PERMANENT_FAILURE}


class UnsupportedFormat:
    """Refuses what no model can be shown, and remembers it."""

    def __init__(self, cache: AICache, clock: Clock) -> None:
        """Remember in the cache."""
        self._cache, self._clock = cache, clock

    async def get(self, item: MediaItem, agent_name: str) -> MediaRecord | None:
        """Return a record without words for what is not supported."""
        if is_supported(item.kind, item.media.mime_type):
            return None
        failure = Failure(MediaFault.KIND, item.media.mime_type)
        return await self._cache.keep(
            _record(item, agent_name, self._clock.now(), DescriptionStatus.UNSUPPORTED, failure)
        )


class BudgetExhausted:
    """Refuses everything while the budget is spent, but what is paid for and running; nothing is stored."""

    def __init__(self, budget: DescriptionBudget, clock: Clock, generating: AIGenerating) -> None:
        """Look at a budget, and at what is running."""
        self._budget, self._clock, self._generating = budget, clock, generating

    async def get(self, item: MediaItem, agent_name: str) -> MediaRecord | None:
        """Return a record without words if the budget is spent."""
        if self._budget.left or item.unique_id in self._generating.running:
            return None
        return _record(item, agent_name, self._clock.now(), DescriptionStatus.BUDGET)


@dataclass(slots=True)
class _SetPause:
    """A sticker set that can't be fetched: since how many attempts, and until when it is left alone."""

    attempts: int
    until: datetime


@dataclass(frozen=True, slots=True)
class _Outcome:
    """How an attempt ended that brought no words."""

    fault: MediaFault
    words: str = ""
    is_free: bool = False
    is_stored: bool = True


class AIGenerating:
    """Lets a model describe a medium. What has begun goes on even if the asker does not wait."""

    def __init__(
        self, describer: Describer, cache: AICache, budget: DescriptionBudget, clock: Clock, spawn: Spawn
    ) -> None:
        """Create the source; each attempt takes one of the budget."""
        self._describer, self._cache, self._budget = describer, cache, budget
        self._clock, self._spawn = clock, spawn
        self._running: dict[str, asyncio.Future[MediaRecord]] = {}
        self._sets: dict[str, _SetPause] = {}
        self._key_until: datetime | None = None

    async def get(self, item: MediaItem, agent_name: str) -> MediaRecord | None:
        """Return the description, or why there is none; simultaneous requests for a medium share one attempt."""
        running = self._running.get(item.unique_id)
        if running is None:
            waits = self._waits(item, agent_name)
            if waits is not None:
                return waits
            tick = self._budget.take() if len(self._running) < AT_ONCE else None
            if tick is None:
                return _record(item, agent_name, self._clock.now(), DescriptionStatus.BUDGET)
            running = self._begin(item, agent_name, tick)
        return await asyncio.shield(running)

    async def again(self, item: MediaItem, agent_name: str, instruction: str = "") -> MediaRecord:
        """Describe a medium anew, because the operator asks for it: no budget, no pause, no cached answer counts."""
        running = self._running.get(item.unique_id)
        while running is not None:
            await asyncio.wait([running])
            running = self._running.get(item.unique_id)
        return await asyncio.shield(self._begin(item, agent_name, None, instruction))

    @property
    def running(self) -> frozenset[str]:
        """Return the ids of the media that are being described."""
        return frozenset(self._running)

    def _waits(self, item: MediaItem, agent_name: str) -> MediaRecord | None:
        """Return a record without words while its sticker set or the model's key has a pause."""
        now = self._clock.now()
        pause = self._sets.get(item.media.set_name) if item.media.set_name else None
        fault = MediaFault.SET_UNAVAILABLE if pause is not None and now < pause.until else None
        if self._key_until is not None and now < self._key_until:
            fault = MediaFault.MODEL_KEY
        if fault is None:
            return None
        return _record(item, agent_name, now, DescriptionStatus.TEMPORARY_FAILURE, Failure(fault))

    def _begin(
        self, item: MediaItem, agent_name: str, tick: int | None, instruction: str = ""
    ) -> asyncio.Future[MediaRecord]:
        future: asyncio.Future[MediaRecord] = asyncio.get_running_loop().create_future()
        self._running[item.unique_id] = future
        future.add_done_callback(lambda _future: self._running.pop(item.unique_id, None))
        self._spawn(self._run(item, agent_name, tick, instruction, future), name=f"describe {item.unique_id}")
        return future

    async def _run(
        self,
        item: MediaItem,
        agent_name: str,
        tick: int | None,
        instruction: str,
        future: asyncio.Future[MediaRecord],
    ) -> None:
        try:
            record = await self._attempt(item, agent_name, tick, instruction)
        except Exception as error:  # noqa: BLE001 - those who wait for it get an answer
            _log.exception("Unexpected error while the description of %s was stored", item.unique_id)
            failure = Failure(MediaFault.UNEXPECTED, type(error).__name__)
            record = _record(item, agent_name, self._clock.now(), DescriptionStatus.TEMPORARY_FAILURE, failure)
        except asyncio.CancelledError:
            future.cancel()
            raise
        if not future.done():
            future.set_result(record)

    async def _attempt(self, item: MediaItem, agent_name: str, tick: int | None, instruction: str) -> MediaRecord:
        before = await self._cache.record(item.unique_id)
        if tick is not None and before is not None and is_final(before, self._clock.now()) and fits(before, item):
            self._budget.restore(tick)  # it was described between the look into the cache and now
            return before
        if before is not None and not fits(before, item):
            item = replace(item, text="", neighbours=())  # words without hints may stand in every chat
        try:
            words = (await self._describer.describe(item, agent_name, instruction)).strip()
            outcome = None if words else _Outcome(MediaFault.NOTHING_SAID)
        except (ChimeinError, TimeoutError) as error:
            words, outcome = "", _outcome_of(error)
            _log.info("The medium %s was not described: %s", item.unique_id, error)
        except Exception as error:  # noqa: BLE001 - any error of one medium must not end the others
            words, outcome = "", _Outcome(MediaFault.UNEXPECTED, type(error).__name__)
            _log.exception("Unexpected error while the medium %s was described", item.unique_id)
        now = self._clock.now()
        if outcome is None:
            self._sets.pop(item.media.set_name, None)
            made = _record(item, agent_name, now, DescriptionStatus.GENERATED, before=before)
            model = self._describer.model_of(agent_name)
            rest = {**made.rest, MODEL_KEY: model} if model else made.rest
            return await self._cache.keep(replace(made, description=words, rest=rest))
        self._pause(item, outcome, now)
        if outcome.is_free and tick is not None:
            self._budget.restore(tick)
        failed = _record(item, agent_name, now, _status_of(outcome), Failure(outcome.fault, outcome.words), before)
        if before is not None and before.has_words:
            return failed  # a description that is there is worth more than why there is no newer one
        return await self._cache.keep(failed) if outcome.is_stored else failed

    def _pause(self, item: MediaItem, outcome: _Outcome, now: datetime) -> None:
        if outcome.fault is MediaFault.MODEL_KEY:
            self._key_until = now + KEY_PAUSE
        if outcome.fault is MediaFault.SET_UNAVAILABLE and item.media.set_name:
            known = self._sets.get(item.media.set_name)
            attempts = 1 if known is None else known.attempts + 1
            self._sets[item.media.set_name] = _SetPause(attempts, now + pause_after(attempts))


_OF_TROUBLE = {
    MediaTrouble.OFFLINE: _Outcome(MediaFault.OFFLINE, is_free=True, is_stored=False),
    MediaTrouble.WAIT: _Outcome(MediaFault.ASKED_TO_WAIT, is_free=True, is_stored=False),
    MediaTrouble.DISK: _Outcome(MediaFault.DISK, is_stored=False),
    MediaTrouble.TOO_BIG: _Outcome(MediaFault.TOO_BIG),
    MediaTrouble.GONE: _Outcome(MediaFault.GONE),
    MediaTrouble.NO_FILE: _Outcome(MediaFault.NO_FILE),
}
"""What follows from a file that can't be fetched. Nothing was tried while the account is offline or has to wait."""

_FREE = frozenset({MediaFault.OFFLINE, MediaFault.ASKED_TO_WAIT, MediaFault.SET_UNAVAILABLE, MediaFault.MODEL_KEY})
"""Faults that cost nothing, and say nothing about the medium itself, so they are not stored with it."""

_PERMANENT = frozenset({MediaFault.TOO_BIG, MediaFault.NO_FILE, MediaFault.BROKEN, MediaFault.MODEL_REFUSED})


def _outcome_of(error: Exception) -> _Outcome:
    """Return what follows from an error."""
    match error:
        case MediaUnavailableError():
            outcome = _OF_TROUBLE[error.trouble]
        case DescriptionError():
            outcome = _Outcome(error.fault, error.said, error.fault in _FREE, error.fault not in _FREE)
        case NotDrawableError():
            outcome = _Outcome(MediaFault.BROKEN)
        case ModelKeyError():
            outcome = _Outcome(MediaFault.MODEL_KEY, is_free=True, is_stored=False)
        case ModelRefusedError():
            outcome = _Outcome(MediaFault.MODEL_REFUSED, "" if error.fault is None else str(error.fault))
        case ModelError() | TimeoutError():
            outcome = _Outcome(MediaFault.MODEL_BUSY)
        case _:
            outcome = _Outcome(MediaFault.UNEXPECTED, type(error).__name__)
    return outcome


def _status_of(outcome: _Outcome) -> DescriptionStatus:
    if outcome.fault is MediaFault.KIND:
        return DescriptionStatus.UNSUPPORTED
    if outcome.fault in _PERMANENT:
        return DescriptionStatus.PERMANENT_FAILURE
    return DescriptionStatus.TEMPORARY_FAILURE


def _record(
    item: MediaItem,
    agent_name: str,
    now: datetime,
    status: DescriptionStatus,
    failure: Failure | None = None,
    before: MediaRecord | None = None,
) -> MediaRecord:
    """Return a record of an item, with what an earlier one knows."""
    met = () if before is None else before.met
    if item.message is not None:
        here = Met(agent_name, int(item.message.peer_id), int(item.message.message_id))
        met = (here, *(one for one in met if one != here))[:MOST_MET]
    failed_before = 0 if before is None else before.attempts
    return MediaRecord(
        item.unique_id,
        item.kind,
        item.media.set_name or ("" if before is None else before.sticker_set_name),
        item.name or ("" if before is None else before.sticker_name),
        status=status,
        failure_reason=None if failure is None else str(failure),
        at=now,
        mime_type=item.media.mime_type,
        duration_s=item.media.duration_s,
        met=met,
        attempts=failed_before + 1 if status is DescriptionStatus.TEMPORARY_FAILURE else 0,
        hinted_in=item.hinted_in,
        rest={} if before is None else before.rest,
    )
