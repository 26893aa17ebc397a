"""All media for the operator: what was met, what is known of each file, and the changes of descriptions.

The files of descriptions are the truth: what another program writes is part of the next answer.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import TYPE_CHECKING

from chimein_gui.domain.costs import DESCRIPTION
from chimein_gui.domain.errors import RefusedError
from chimein_gui.domain.events import DescriptionsChanged, MessageStored, PersonForgotten, has_media
from chimein_gui.domain.ids import MessageId, Revision
from chimein_gui.domain.media.library import MediaEntry, MediaLibrary, Sighting
from chimein_gui.domain.media.records import (
    MODEL_KEY,
    DescriptionStatus,
    MediaRecord,
    PlaceKind,
    unique_id_of,
)
from chimein_gui.domain.media.requests import ASSUMED, measured
from chimein_gui.domain.messages import MessageKey
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.files import FileReason

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from datetime import datetime

    from chimein_gui.domain.agents import AgentSpec
    from chimein_gui.domain.chats import Chat
    from chimein_gui.domain.events import EngineEvent
    from chimein_gui.domain.ids import AgentId, ChatId
    from chimein_gui.domain.media.library import MetMedia
    from chimein_gui.domain.media.records import MediaPlace
    from chimein_gui.domain.messages import Media
    from chimein_gui.engine.core.event_bus import EventBus
    from chimein_gui.engine.ports import Clock, MediaRecords, Spawn, Store, Transaction

MOST_OF_CHAT = 5_000
"""Messages with media that are read of a chat, the newest."""

CHATS_AT_ONCE = 40
"""Chats that are read in one transaction, so that other reads come in between."""


MEASURED_OVER, MEASURED_AGAIN = timedelta(days=30), timedelta(minutes=5)
"""How far back calls are measured, and how often."""


@dataclass(slots=True)
class _MetInChat:
    """What was met in one chat, by the id of the file.

    Attributes:
        read_up_to: The newest message that was read.
        files: For each file its newest message, how many there are, and how many the account sent.
    """

    read_up_to: MessageId = MessageId(0)
    files: dict[str, tuple[MetMedia, int, int]] = field(default_factory=dict)

    def add(self, found: Sequence[MetMedia]) -> None:
        """Take newer messages in, newest first."""
        for one in reversed(found):
            unique_id = unique_id_of(one.media)
            if unique_id:
                _older, count, sent = self.files.get(unique_id, (one, 0, 0))
                self.files[unique_id] = (one, count + 1, sent + one.out)
        if found:
            self.read_up_to = max(self.read_up_to, found[0].message_id)


class MediaLibraryService:
    """Reads the store once, and then only the chats in which something was met since.

    Attributes:
        usage: What a description takes, by the calls of the last 30 days.
    """

    def __init__(
        self,
        store: Store,
        bus: EventBus,
        clock: Clock,
        spawn: Spawn,
        records: MediaRecords | None,
        agents: Callable[[], Mapping[AgentId, AgentSpec]],
    ) -> None:
        """Create the service; nothing is read.

        Args:
            store: The database.
            bus: Tells of new messages.
            clock: Time.
            spawn: Runs the job that follows the files, from the first `load` on.
            records: The files of descriptions; None where there are none.
            agents: Returns all agents.
        """
        self._store, self._clock, self._records, self._agents = store, clock, records, agents
        self._chats: dict[ChatId, Chat] = {}
        self._met: defaultdict[ChatId, _MetInChat] = defaultdict(_MetInChat)
        self._dirty: set[ChatId] | None = None
        self._version = 0
        self._known: dict[str, MediaEntry] = {}
        self._last: tuple[object, ...] = ()
        self._lock = asyncio.Lock()
        self._bus = bus
        self._spawn = spawn
        self._read: tuple[MediaRecord, ...] = ()
        self._is_changed, self._is_following = True, False
        self.usage = ASSUMED
        self._measured_at: datetime | None = None
        bus.subscribe(self._hear, PersonForgotten)
        bus.subscribe(self._hear, MessageStored, only=has_media)

    def _hear(self, event: EngineEvent) -> None:
        if isinstance(event, PersonForgotten):
            self._forget(event)
        elif isinstance(event, MessageStored) and self._dirty is not None:
            if event.message.deleted:
                # Only the newest message with a file is known, so the whole chat is read again.
                self._met.pop(event.chat_id, None)
            self._dirty.add(event.chat_id)

    def _forget(self, event: PersonForgotten) -> None:
        for chat_id in (*event.chats, *event.groups):
            self._met.pop(chat_id, None)
            if self._dirty is not None:
                self._dirty.add(chat_id)

    # --- reading --------------------------------------------------------------------------------------------------

    async def load(self, known: int = -1) -> MediaLibrary | None:
        """Return all files; None if nothing changed since the version `known`."""
        async with self._lock:
            await self._measure()
            records = await self._all_records()
            has_met = await self._read_met()
            uses = await self._store.read(lambda tx: tx.media.uses())
            agents = self._agents()
            now = (records, uses, tuple(agents.values()))
            if has_met or now != self._last:
                self._version += 1
                self._last = now
            if known == self._version:
                return None
            entries = await asyncio.to_thread(self._entries, records, uses, dict(agents))
            self._known = {entry.unique_id: entry for entry in entries}
            return MediaLibrary(entries, self._places(agents.values()), self._version)

    async def _measure(self) -> None:
        """Look up what descriptions have cost; not with each look at the files."""
        now = self._clock.now()
        if self._measured_at is None or now - self._measured_at >= MEASURED_AGAIN:
            self._measured_at = now
            self.usage = measured(
                *await self._store.read(lambda tx: tx.effects.usage_between(DESCRIPTION, now - MEASURED_OVER, now))
            )

    async def _all_records(self) -> tuple[MediaRecord, ...]:
        """Return all records; the files are looked at again only after a change."""
        if self._records is None:
            return ()
        if not self._is_following:
            self._is_following = True
            self._spawn(self._follow(self._records), name="follow descriptions of media")
        if self._is_changed:
            self._is_changed = False
            self._read = await self._records.all()
        return self._read

    async def _follow(self, records: MediaRecords) -> None:
        async with aclosing(records.changes()) as changes:
            async for unique_ids in changes:
                self._is_changed = True
                self._bus.publish(DescriptionsChanged(unique_ids, Revision(0)))

    async def _read_met(self) -> bool:
        """Read what is new in the chats; return whether there is anything."""
        if self._dirty is None:
            self._chats = {chat.chat_id: chat for chat in await self._store.read(lambda tx: tx.chats.all())}
            self._dirty = set(self._chats)
        wanted, self._dirty = list(self._dirty), set()
        for start in range(0, len(wanted), CHATS_AT_ONCE):
            part = wanted[start : start + CHATS_AT_ONCE]
            found = await self._store.read(lambda tx, part=part: self._of_chats(tx, part))  # type: ignore[misc]
            for chat, media in found:
                self._chats[chat.chat_id] = chat
                self._met[chat.chat_id].add(media)
        return bool(wanted)

    def _of_chats(self, tx: Transaction, chats: Sequence[ChatId]) -> list[tuple[Chat, tuple[MetMedia, ...]]]:
        """Read chats; runs on the reader thread."""
        found = []
        for chat_id in chats:
            chat = self._chats.get(chat_id) or tx.chats.get(chat_id)
            above = self._met[chat_id].read_up_to if chat_id in self._met else MessageId(0)
            info = chat.info
            found.append((chat, tx.media.of_chat(info.account_id, info.peer_id, above_id=above, limit=MOST_OF_CHAT)))
        return found

    def _entries(
        self, records: Iterable[MediaRecord], uses: Mapping[str, int], agents: Mapping[AgentId, AgentSpec]
    ) -> tuple[MediaEntry, ...]:
        """Join everything by the ids of the files; runs in a thread."""
        curated: defaultdict[str, list[MediaRecord]] = defaultdict(list)
        generated: dict[str, MediaRecord] = {}
        for record in records:
            if record.place is not None and record.place.kind is PlaceKind.CACHE:
                generated.setdefault(record.unique_id, record)
            elif record.has_words or record.problem is not None:
                curated[record.unique_id].append(record)
        seen, newest = self._sightings(agents)
        senders = _senders(agents.values())
        made = []
        for unique_id in {**dict.fromkeys(curated), **dict.fromkeys(generated), **dict.fromkeys(seen)}:
            own = sorted(curated.get(unique_id, ()), key=_is_shared)
            cached = generated.get(unique_id)
            kind, media = newest.get(unique_id, ("", None))
            made.append(_entry(unique_id, own, cached, kind, media))
            set_name = made[-1].set_name
            made[-1] = replace(
                made[-1],
                seen=seen.get(unique_id, ()),
                uses=uses.get(unique_id, 0),
                sendable_by=senders.get(set_name, ()) if set_name else (),
            )
        known = self._known  # the same object tells at once that nothing changed
        return tuple(known[one.unique_id] if known.get(one.unique_id) == one else one for one in made)

    def _sightings(
        self, agents: Mapping[AgentId, AgentSpec]
    ) -> tuple[dict[str, tuple[Sighting, ...]], dict[str, tuple[str, Media]]]:
        """Return where each file was seen, newest first, and its newest kind and description."""
        found: defaultdict[str, list[Sighting]] = defaultdict(list)
        newest: dict[str, tuple[MetMedia, str]] = {}
        for chat_id, met in tuple(self._met.items()):
            chat = self._chats[chat_id]
            spec = agents.get(chat.agent_id)
            if spec is None:
                continue
            info = chat.info
            for unique_id, (one, count, sent) in tuple(met.files.items()):
                key = MessageKey(info.account_id, info.peer_id, one.message_id)
                found[unique_id].append(Sighting(spec.name, chat_id, info.title, key, one.at, count, sent))
                before = newest.get(unique_id)
                if before is None or before[0].at < one.at:
                    newest[unique_id] = (one, one.kind)
        for sightings in found.values():
            sightings.sort(key=lambda one: one.at, reverse=True)
        return (
            {unique_id: tuple(ones) for unique_id, ones in found.items()},
            {unique_id: (kind, one.media) for unique_id, (one, kind) in newest.items()},
        )

    def _places(self, agents: Iterable[AgentSpec]) -> tuple[MediaPlace, ...]:
        """Return the directories for curated records, the shared ones first."""
        if self._records is None:
            return ()
        every = [place for name in ("", *(spec.name for spec in agents)) for place in self._records.places(name)]
        wanted = [place for place in every if place.is_writable and place.kind is not PlaceKind.CACHE]
        return tuple(dict.fromkeys(sorted(wanted, key=lambda place: place.kind is PlaceKind.OWN)))

    # --- changes --------------------------------------------------------------------------------------------------

    async def save(self, entry: MediaEntry, text: str, place: MediaPlace | None = None) -> MediaRecord:
        """Write the operator's description: into its curated record, else as a new one.

        Raises:
            RefusedError: The file was changed meanwhile, or can't be written.
        """
        own = next((one for one in entry.curated if one.place is not None and one.place.is_writable), None)
        if own is not None and own.place is not None and (place is None or place == own.place):
            return await self._write(self._with_words(own, text), own.place)
        base = entry.generated or (entry.curated[0] if entry.curated else _blank(entry))
        others = {key: value for key, value in base.rest.items() if key != MODEL_KEY}
        fresh = replace(base, path="", place=None, stamp="", problem=None, attempts=0, met=(), rest=others)
        return await self._write(self._with_words(fresh, text), place or self._default_place(entry))

    def _with_words(self, record: MediaRecord, text: str) -> MediaRecord:
        return replace(
            record,
            description=text.strip(),
            status=DescriptionStatus.CURATED,
            failure_reason=None,
            at=self._clock.now(),
        )

    def _default_place(self, entry: MediaEntry) -> MediaPlace:
        """Return the directory for a new record: of all agents, unless one is for this agent alone."""
        places = self._places(self._agents().values())
        if not places:
            raise RefusedError(Note(FileReason.FOLDER_READ_ONLY, entry.unique_id))
        return places[0]

    async def move(self, record: MediaRecord, place: MediaPlace) -> MediaRecord:
        """Move a curated record to another directory; the same errors as `save`."""
        try:
            return await self._files().move(record, place)
        finally:
            self._is_changed = True

    async def delete(self, record: MediaRecord) -> None:
        """Delete a record; the same errors as `save`."""
        try:
            await self._files().delete(record)
        finally:
            self._is_changed = True

    async def restore(self, record: MediaRecord) -> MediaRecord:
        """Write a deleted record again; the same errors as `save`."""
        assert record.place is not None
        return await self._write(replace(record, path="", place=None, stamp=""), record.place)

    async def _write(self, record: MediaRecord, place: MediaPlace) -> MediaRecord:
        try:
            return await self._files().write(record, place)
        finally:
            self._is_changed = True  # that it was written is not noticed before the next look at the files

    def _files(self) -> MediaRecords:
        if self._records is None:
            raise RefusedError(Note(FileReason.FOLDER_READ_ONLY, "media"))
        return self._records


def _is_shared(record: MediaRecord) -> bool:
    return record.place is None or record.place.kind is not PlaceKind.OWN


def _entry(
    unique_id: str, own: Sequence[MediaRecord], cached: MediaRecord | None, kind: str, media: Media | None
) -> MediaEntry:
    """Return what records and Telegram say of a file; Telegram is right about the set."""
    record = own[0] if own else cached
    set_name = media.set_name if media is not None else ""
    return MediaEntry(
        unique_id,
        kind or (record.kind if record is not None else ""),
        set_name or next((one.sticker_set_name for one in (*own, cached) if one and one.sticker_set_name), ""),
        _name_of(media, record),
        media,
        tuple(own),
        cached,
    )


def _blank(entry: MediaEntry) -> MediaRecord:
    media = entry.media
    return MediaRecord(
        entry.unique_id,
        kind=entry.kind,
        sticker_set_name=entry.set_name,
        sticker_name=entry.name,
        mime_type=media.mime_type if media is not None else "",
        duration_s=media.duration_s if media is not None else 0.0,
    )


def _name_of(media: Media | None, record: MediaRecord | None) -> str:
    """Return what a file is called, as its record says, or else Telegram; may be empty."""
    if record is not None and record.sticker_name:
        return record.sticker_name
    return (media.emoji or media.title or media.file_name) if media is not None else ""


def _senders(agents: Iterable[AgentSpec]) -> dict[str, tuple[str, ...]]:
    """Return which agents may send stickers of each set."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for spec in agents:
        for set_name in (*spec.sticker_sets, *(name for name, _sticker in spec.stickers)):
            if spec.name not in found[set_name]:
                found[set_name].append(spec.name)
    return {set_name: tuple(names) for set_name, names in found.items()}
