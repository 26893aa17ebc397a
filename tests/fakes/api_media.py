"""Media and their descriptions for tests of the window: in memory, nothing waits."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from chimein_gui.domain.costs import PRICES
from chimein_gui.domain.errors import RefusedError
from chimein_gui.domain.media.library import MediaEntry, MediaLibrary
from chimein_gui.domain.media.records import DescriptionStatus, MediaPlace, MediaRecord, PlaceKind
from chimein_gui.domain.media.requests import DescribingProgress, DescriptionEstimate, estimate, set_name_of
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.files import FileReason

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from tests.fakes.engine_api import FakeEngineApi

SHARED = MediaPlace(PlaceKind.SHARED, "config/media")
OWN = MediaPlace(PlaceKind.OWN, "config/agents/Nora Vale/media", "Nora Vale")
CACHE = MediaPlace(PlaceKind.CACHE, "state/media")


class FakeMedia:
    """Keeps entries in a dict.

    Attributes:
        entries: The files by their ids; a test that changes them calls `touch`.
        refuse: Raised by the next changes, if set.
        saved: The texts that were saved, in order.
    """

    def __init__(self, api: FakeEngineApi) -> None:
        self._api = api
        self.entries: dict[str, MediaEntry] = {}
        self.refuse: RefusedError | None = None
        self.saved: list[str] = []
        self.version = 0

    def put(self, *entries: MediaEntry) -> None:
        self.entries |= {entry.unique_id: entry for entry in entries}
        self.touch()

    def now(self) -> datetime:
        return self._api.now()

    def touch(self) -> None:
        self.version += 1

    async def load(self, known: int = -1) -> MediaLibrary | None:
        if known == self.version:
            return None
        return MediaLibrary(tuple(self.entries.values()), (SHARED, OWN), self.version)

    async def save(self, entry: MediaEntry, text: str, place: MediaPlace | None = None) -> MediaRecord:
        self._may()
        own = entry.curated[0] if entry.curated else None
        place = place or (own.place if own is not None else None) or SHARED
        base = own if own is not None and own.place == place else entry.generated or MediaRecord(entry.unique_id)
        record = replace(
            base,
            description=text.strip(),
            status=DescriptionStatus.CURATED,
            at=self._api.now(),
            place=place,
            path=f"{place.folder}/{entry.unique_id}.json",
        )
        self.saved.append(text)
        self._keep(record)
        return record

    async def move(self, record: MediaRecord, place: MediaPlace) -> MediaRecord:
        self._may()
        self._drop(record)
        moved = replace(record, place=place, path=f"{place.folder}/{record.unique_id}.json")
        self._keep(moved)
        return moved

    async def delete(self, record: MediaRecord) -> None:
        self._may()
        self._drop(record)

    async def restore(self, record: MediaRecord) -> MediaRecord:
        self._may()
        self._keep(record)
        return record

    def _may(self) -> None:
        if self.refuse is not None:
            raise self.refuse

    def _keep(self, record: MediaRecord) -> None:
        entry = self.entries[record.unique_id]
        others = tuple(one for one in entry.curated if one.place != record.place)
        self.put(replace(entry, curated=(record, *others)))

    def _drop(self, record: MediaRecord) -> None:
        entry = self.entries[record.unique_id]
        self.put(replace(entry, curated=tuple(one for one in entry.curated if one.place != record.place)))


class FakeDescribing:
    """A model that describes at once; its words are those that a test gives.

    Attributes:
        asked: Ids of the files that were described, and the instruction of each.
        words: What the model says next; the error is raised instead.
        sets: Stickers of sets, by name.
    """

    def __init__(self, media: FakeMedia) -> None:
        self._media = media
        self.asked: list[tuple[str, str]] = []
        self.words: str | RefusedError = "A model's words."
        self.sets: dict[str, tuple[MediaEntry, ...]] = {}
        self.budget = (5, 8, 0)
        self.stop_after = 10**6
        self.was_cancelled = False

    async def describe_again(self, entry: MediaEntry, instruction: str = "") -> MediaRecord:
        if isinstance(self.words, RefusedError):
            raise self.words
        self.asked.append((entry.unique_id, instruction))
        record = MediaRecord(
            entry.unique_id,
            description=self.words,
            status=DescriptionStatus.GENERATED,
            at=self._media.now(),
            place=CACHE,
        )
        self._media.put(replace(self._media.entries[entry.unique_id], generated=record))
        return record

    def estimate(self, entries: Sequence[MediaEntry]) -> DescriptionEstimate:
        return estimate(len([one for one in entries if not one.text]), "gemini-2.5-flash", PRICES, self.budget[1], 2.0)

    async def describe_all(
        self, entries: Sequence[MediaEntry], progress: Callable[[DescribingProgress], None]
    ) -> DescribingProgress:
        wanted = [one for one in entries if not one.text]
        done = 0
        for one in wanted[: self.stop_after]:
            await self.describe_again(one)
            done += 1
            progress(DescribingProgress(done, 0, len(wanted), is_waiting=done == self.stop_after))
        over = DescribingProgress(done, 0, len(wanted), is_over=done == len(wanted))
        progress(over)
        return over

    def cancel(self) -> None:
        self.was_cancelled = True

    async def import_set(self, typed: str) -> tuple[str, int]:
        name = set_name_of(typed)
        if name not in self.sets:
            raise RefusedError(Note(FileReason.NO_SUCH_SET, typed))
        self._media.put(*self.sets[name])
        return name, len(self.sets[name])
