"""Descriptions of media: a JSON file each, written by people, other programs, and models.

See docs/behaviour.md, "Descriptions of media".
"""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import threading
import time
from contextlib import contextmanager, suppress
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

from chimein_gui.adapters.files.atomic import make_private, write_atomic
from chimein_gui.adapters.files.config_watch import POLL_S, ConfigWatch
from chimein_gui.adapters.files.media.traces import MediaTraces, media_folders
from chimein_gui.adapters.files.texts import UnreadableFileError, read_text
from chimein_gui.domain.errors import RefusedError
from chimein_gui.domain.media.record_text import RecordError, record_of, text_of
from chimein_gui.domain.media.records import DescriptionStatus, MediaPlace, MediaRecord, PlaceKind
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.files import FileReason

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Collection, Iterator, Mapping, Sequence

_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
"""What a file may be called: Telegram's numbers, and the ids of other programs."""

_CURATED_MODE = 0o644
_SAME_MOMENT_NS = 2_000_000_000
"""A file that was written so recently is read each time: another edit may have the same size and the same time."""

_Stamp = tuple[int, int, int, int]


class MediaRecordFiles:
    """Implements `engine.ports.MediaRecords`; files are read in threads, and written one at a time."""

    def __init__(
        self, state: Path, config: Sequence[Path] = (), samples: Path | None = None, poll_s: float = POLL_S
    ) -> None:
        """Create the adapter; nothing is read.

        Args:
            state: Holds the cache, and the operator's descriptions where only samples are given.
            config: The config directories, earlier ones first.
            samples: The config directory that comes with Chimein; nothing is written there.
            poll_s: Seconds between two checks of the files without a notification.
        """
        self._samples, self._poll_s = samples, poll_s
        given = tuple(dict.fromkeys(config))
        has_own = any(folder != samples for folder in given)
        self._config = given if has_own else (state / "notes", *given)
        self._cache = MediaPlace(PlaceKind.CACHE, str(state / "media"))
        self._write_lock = threading.Lock()
        self._is_swept = False
        self._traces = MediaTraces(self._config, Path(self._cache.folder))
        self._listed: Mapping[str, bytes] | None = None
        self._read: dict[str, tuple[_Stamp, MediaRecord]] = {}

    def places(self, agent_name: str) -> tuple[MediaPlace, ...]:
        """Return the directories that an agent's descriptions are looked for in, in order."""
        own = [
            MediaPlace(
                PlaceKind.OWN, str(folder / "agents" / agent_name / "media"), agent_name, folder != self._samples
            )
            for folder in self._config
        ]
        return (*(own if agent_name else ()), *self._shared(), self._cache)

    def _shared(self) -> tuple[MediaPlace, ...]:
        return tuple(
            MediaPlace(PlaceKind.SHARED, str(folder / "media"), is_writable=folder != self._samples)
            for folder in self._config
        )

    async def find(
        self, places: Sequence[MediaPlace], unique_ids: Collection[str]
    ) -> Mapping[str, tuple[MediaRecord, ...]]:
        """Return the records of some media in the order of the places; those without any are left out."""
        return await asyncio.to_thread(self._find, tuple(places), tuple(dict.fromkeys(unique_ids)))

    async def all(self) -> tuple[MediaRecord, ...]:
        """Return the records of all places and agents."""
        return await asyncio.to_thread(self._all)

    async def write(self, record: MediaRecord, place: MediaPlace) -> MediaRecord:
        """Write a record, completely or not at all; what it does not say stays in the file.

        Raises:
            RefusedError: The file was changed meanwhile, there is another record, or it can't be written.
        """
        return await asyncio.to_thread(self._written, record, place)

    async def move(self, record: MediaRecord, place: MediaPlace) -> MediaRecord:
        """Move a record and the copy of its medium to another directory.

        Raises:
            RefusedError: As `write`; a record that stays in both places is no harm, and is not lost.
        """
        return await asyncio.to_thread(self._moved, record, place)

    async def delete(self, record: MediaRecord) -> None:
        """Delete the file of a record; the copy of its medium stays.

        Raises:
            RefusedError: The file was changed meanwhile, or it can't be removed.
        """
        await asyncio.to_thread(self._delete, record)

    async def changes(self) -> AsyncGenerator[frozenset[str], None]:
        """Yield the ids of media whose files were changed, once after each burst; runs until closed.

        Changes between the last `all` and the first step count, too.
        """
        known = self._listed
        if known is None:
            known = await asyncio.to_thread(self._traces.take, thorough=False)
        changed, loop, seen = asyncio.Event(), asyncio.get_running_loop(), [known]

        def tell() -> None:
            loop.call_soon_threadsafe(changed.set)

        watch = ConfigWatch(self._traces, lambda found: found == seen[0], tell, self._poll_s)
        watch.start()
        try:
            while True:
                await changed.wait()
                changed.clear()
                found = watch.reported
                if found is None or found == seen[0]:
                    continue
                differing = {path for path, _trace in seen[0].items() ^ found.items()}
                seen[0] = found
                yield frozenset(Path(path).stem for path in differing)
        finally:
            await asyncio.to_thread(watch.close)

    # --- in threads -----------------------------------------------------------------------------------------------

    def _find(self, places: Sequence[MediaPlace], unique_ids: Sequence[str]) -> dict[str, tuple[MediaRecord, ...]]:
        found = {}
        for unique_id in unique_ids:
            if _ID.fullmatch(unique_id):
                records = [self._record(place, unique_id) for place in places]
                if present := tuple(record for record in records if record is not None):
                    found[unique_id] = present
        return found

    def _all(self) -> tuple[MediaRecord, ...]:
        self._listed = self._traces.take(thorough=False)  # first, so that changes during the reading are reported
        return tuple(self._every())

    def _every(self) -> Iterator[MediaRecord]:
        places = [*self._shared(), self._cache]
        for folder in self._config:
            places.extend(
                MediaPlace(PlaceKind.OWN, str(own), own.parent.name, folder != self._samples)
                for own in media_folders(folder / "agents")
            )
        for place in places:
            try:
                names = os.listdir(place.folder)  # noqa: PTH208 - ten thousand of them, each as a path, take a while
            except OSError:
                continue
            for name in sorted(names):
                if name.endswith(".json") and _ID.fullmatch(name[:-5]):
                    record = self._record(place, name[:-5])
                    if record is not None:
                        yield record

    def _record(self, place: MediaPlace, unique_id: str) -> MediaRecord | None:
        """Return a record; files that are as they were are not read again."""
        path = f"{place.folder}{os.sep}{unique_id}.json"
        try:
            state = os.stat(path)  # noqa: PTH116 - it is asked for each medium of a prompt in each directory
        except (FileNotFoundError, NotADirectoryError):
            self._read.pop(path, None)
            return None
        except OSError as error:
            problem = Note(FileReason.UNREADABLE, str(error.strerror or error))
            return MediaRecord(unique_id, path=path, place=place, problem=problem)
        stamp = (state.st_dev, state.st_ino, state.st_size, state.st_mtime_ns)
        known = self._read.get(path)
        if known is not None and known[0] == stamp and known[1].place == place:
            return known[1]
        record = _read_record(place, unique_id, Path(path))
        if time.time_ns() - state.st_mtime_ns > _SAME_MOMENT_NS:
            self._read[path] = stamp, record
        return record

    def _written(self, record: MediaRecord, place: MediaPlace) -> MediaRecord:
        path = _path_in(place, record.unique_id)
        with self._write_lock, _refusals():
            base = _text_at(path)
            _refuse_conflict(record, place, path, base)
            _make(place)
            if place.kind is PlaceKind.CACHE:
                self._sweep()
            try:
                text = text_of(record, base)
            except RecordError as error:
                if place.kind is not PlaceKind.CACHE:
                    raise RefusedError(Note(FileReason.NO_JSON, str(error))) from error
                text = text_of(record)
            if text != base:
                write_atomic(path, text, *(() if place.kind is PlaceKind.CACHE else (_CURATED_MODE,)))
        return _read_record(place, record.unique_id, path)

    def _sweep(self) -> None:
        """Remove, once, the incomplete files in the cache that a killed program left."""
        if not self._is_swept:
            self._is_swept = True
            for path in Path(self._cache.folder).glob(".*.json.*.tmp"):
                path.unlink(missing_ok=True)

    def _moved(self, record: MediaRecord, place: MediaPlace) -> MediaRecord:
        if record.place == place:
            return record
        with _refusals():
            medium = _copy_medium(record, place)
        moved = self._written(replace(record, path="", place=None, stamp="", media_file=medium), place)
        self._delete(record)
        if medium is not None and record.media_file is not None:
            with suppress(OSError):
                Path(record.path).with_name(record.media_file).unlink()
        return moved

    def _delete(self, record: MediaRecord) -> None:
        if record.place is None:
            return
        path = _path_in(record.place, record.unique_id)
        with self._write_lock, _refusals():
            text = _text_at(path)
            if text is None:
                return
            if record.stamp and _stamp_of(text) != record.stamp:
                raise RefusedError(Note(FileReason.DESCRIPTION_CHANGED))
            path.unlink()


def _read_record(place: MediaPlace, unique_id: str, path: Path) -> MediaRecord:
    default = DescriptionStatus.GENERATED if place.kind is PlaceKind.CACHE else DescriptionStatus.CURATED
    try:
        text = read_text(path, is_exact=True)
        record = record_of(text, unique_id, default)
    except UnreadableFileError as error:
        return MediaRecord(unique_id, path=str(path), place=place, problem=error.note)
    except RecordError as error:
        problem = Note(FileReason.NO_JSON, str(error)[:200])
        return MediaRecord(unique_id, path=str(path), place=place, problem=problem)
    return replace(record, path=str(path), place=place, stamp=_stamp_of(text))


def _path_in(place: MediaPlace, unique_id: str) -> Path:
    """Return the path of a record that is to be changed.

    Raises:
        RefusedError: Nothing may be written there, or the id can't name a file.
    """
    if not place.is_writable or not _ID.fullmatch(unique_id):
        raise RefusedError(Note(FileReason.FOLDER_READ_ONLY, place.folder))
    return Path(place.folder) / f"{unique_id}.json"


def _text_at(path: Path) -> str | None:
    """Return the content of a file as it is; None if there is none.

    Raises:
        RefusedError: It is there, but can't be read.
    """
    try:
        return read_text(path, is_exact=True)
    except UnreadableFileError as error:
        if error.note.kind is FileReason.NOT_THERE or isinstance(error.__cause__, NotADirectoryError):
            return None
        raise RefusedError(error.note) from error


def _refuse_conflict(record: MediaRecord, place: MediaPlace, path: Path, base: str | None) -> None:
    """Refuse to write over words that the writer has not seen."""
    if place.kind is PlaceKind.CACHE:
        return
    was_there = record.place is not None and record.path == str(path)
    if was_there and record.stamp and (base is None or _stamp_of(base) != record.stamp):
        raise RefusedError(Note(FileReason.DESCRIPTION_CHANGED))
    if not was_there and base is not None:
        raise RefusedError(Note(FileReason.DESCRIPTION_EXISTS, str(path)))


def _make(place: MediaPlace) -> None:
    if place.kind is PlaceKind.CACHE:
        make_private(Path(place.folder))
    else:
        Path(place.folder).mkdir(parents=True, exist_ok=True)


def _copy_medium(record: MediaRecord, place: MediaPlace) -> str | None:
    """Copy the medium beside a record to another directory; return its name, or None if there is none."""
    name = record.media_file
    if name is None or not record.path or Path(name).name != name:
        return None
    source, target = Path(record.path).with_name(name), Path(place.folder) / name
    if not source.is_file() or source.is_symlink():
        return None
    _path_in(place, record.unique_id)
    _make(place)
    if not target.exists():
        shutil.copyfile(source, target)
    return name


@contextmanager
def _refusals() -> Iterator[None]:
    """Turn the system's errors into refusals that say what happened."""
    try:
        yield
    except OSError as error:
        where = f" ({error.filename})" if error.filename else ""
        raise RefusedError(Note(FileReason.NOT_WRITTEN, f"{error.strerror or error}{where}")) from error


def _stamp_of(text: str) -> str:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
