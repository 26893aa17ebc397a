"""The memories, shown files, descriptions of media and lines of logs about one person."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
from typing import TYPE_CHECKING

from chimein_gui.adapters.files.atomic import write_atomic
from chimein_gui.adapters.files.memory_history.drafts import MemoryDrafts
from chimein_gui.adapters.files.memory_history.versions import FOLDER
from chimein_gui.adapters.files.people.archive import archive
from chimein_gui.domain.media.record_text import RecordError, record_of
from chimein_gui.domain.memory.edits import file_entries
from chimein_gui.domain.memory.entries import MemoryKind
from chimein_gui.domain.memory.files import without_person
from chimein_gui.domain.people.holdings import HoldingKind
from chimein_gui.engine.ports import HeldFile

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
    from contextlib import AbstractContextManager
    from pathlib import Path

    from chimein_gui.domain.ids import PeerId
    from chimein_gui.engine.ports import PersonArchive

_SHORTEST_NAME = 3
_SMALLEST_NUMBER = 10_000
"""Shorter names and smaller numbers would be found in lines about something else."""


class PersonFolders:
    """Implements `engine.ports.PersonFiles`."""

    def __init__(
        self,
        state: Path,
        config: Sequence[Path],
        shown_files: Path,
        logs: Path,
        lock: AbstractContextManager[object],
        *,
        samples: Path | None = None,
        logs_closed: Callable[[], AbstractContextManager[object]] = contextlib.nullcontext,
    ) -> None:
        """Create the adapter.

        Args:
            state: The state directory.
            config: The config directories.
            shown_files: The directory of files that were fetched to be shown.
            logs: The directory of logs.
            lock: Held while memories are rewritten.
            samples: The config directory that comes with the program; nothing is removed there.
            logs_closed: Closes the open log while logs are rewritten.
        """
        self._state = state
        self._config = (*(folder for folder in config if folder != samples), state / "notes")
        self._shown, self._logs, self._lock, self._logs_closed = shown_files, logs, lock, logs_closed

    async def held(self, person: PeerId, names: Collection[str]) -> tuple[HeldFile, ...]:
        return await asyncio.to_thread(lambda: (*self._memories(person), *self._log_lines(person, names)))

    async def media(self, files: Collection[int]) -> tuple[tuple[Path, int], ...]:
        return await asyncio.to_thread(lambda: tuple(self._media(files)))

    async def forget_memories(self, person: PeerId) -> None:
        await asyncio.to_thread(self._forget_memories, person)

    async def forget_lines(self, person: PeerId, names: Collection[str]) -> None:
        await asyncio.to_thread(self._forget_lines, person, names)

    async def forget_media(self, files: Collection[int]) -> None:
        def forget() -> None:
            for path, _size in self._media(files):
                path.unlink(missing_ok=True)

        await asyncio.to_thread(forget)

    def archive(self, target: Path) -> AbstractContextManager[PersonArchive]:
        return archive(target)

    # --- memories -------------------------------------------------------------------------------------------------

    def _whole(self, person: PeerId) -> Iterator[tuple[HoldingKind, str, Path, list[Path]]]:
        """Yield the files about the person alone: kind, agent, path and former versions; whether they exist or not."""
        name = f"{int(person)}.md"
        agents = {folder.name for folder in _folders(self._state)}
        for agent_name in sorted(agents):
            path = self._state / agent_name / "memory" / name
            yield HoldingKind.MEMORIES, agent_name, path, self._former(path, agent_name, f"about {int(person)}")
        for config in self._config:
            for folder in _folders(config / "agents"):
                path, kept = folder / "memory" / name, f"curated {int(person)}"
                yield HoldingKind.NOTES, folder.name, path, self._former(path, folder.name, kept)

    def _former(self, path: Path, agent_name: str, kept: str) -> list[Path]:
        """Return the former versions of a file: those beside it, and those in the folder of versions."""
        folder = self._state / agent_name / FOLDER / kept
        return [*_versions(path), *sorted(one for one in _children(folder) if one.is_file())]

    def _shared(self, person: PeerId) -> Iterator[tuple[str, Path, list[Path]]]:
        """Yield what agents remember for all chats, and the notes on other chats: agent, path and former versions."""
        for folder in _folders(self._state):
            path = folder / "memory.md"
            yield folder.name, path, self._former(path, folder.name, "remembered")
        for config in self._config:
            for folder in _folders(config / "agents"):
                kept = (one.name for one in _children(self._state / folder.name / FOLDER))
                numbers = {one.stem for one in _children(folder / "memory") if one.suffix == ".md"}
                numbers |= {name.removeprefix("curated ") for name in kept if name.startswith("curated ")}
                for number in sorted(numbers - {str(int(person))}):
                    path = folder / "memory" / f"{number}.md"
                    yield folder.name, path, self._former(path, folder.name, f"curated {number}")

    def _memories(self, person: PeerId) -> Iterator[HeldFile]:
        for kind, agent_name, path, former in self._whole(person):
            if path.exists() or former:
                text = _read(path)
                entries = file_entries(MemoryKind.CURATED if kind is HoldingKind.NOTES else MemoryKind.REMEMBERED, text)
                texts = tuple(one.entry.text for one in entries)
                size = sum(_size(one) for one in (path, *former))
                yield HeldFile(kind, agent_name, str(path), len(texts), size, texts, tuple(map(_read, former)))
        for agent_name, path, former in self._shared(person):
            texts = without_person(_read(path), person)[1]
            old = [text for one in former for text in without_person(_read(one), person)[1]]
            if texts or old:
                size = sum(len(text.encode("utf-8", "replace")) for text in (*texts, *old))
                kind = HoldingKind.SHARED_MEMORIES
                yield HeldFile(kind, agent_name, str(path), len(texts), size, texts, tuple(dict.fromkeys(old)))

    def _forget_memories(self, person: PeerId) -> None:
        with self._lock:
            for _kind, _agent_name, path, former in self._whole(person):
                for one in (*former, path):
                    one.unlink(missing_ok=True)
                for folder in {one.parent for one in former if one.parent != path.parent}:
                    with contextlib.suppress(OSError):
                        folder.rmdir()
            self._forget_typed(person)
            self._rewrite(
                (one for _agent_name, path, former in self._shared(person) for one in (*former, path)),
                lambda content: without_person(content, person)[0],
            )

    def _rewrite(self, paths: Iterable[Path], rest_of: Callable[[str], str]) -> None:
        """Leave in each file what `rest_of` returns.

        Raises:
            OSError: A file can't be read or written, so nobody knows what is in it; all others were done. It names the
                file.
        """
        failed: OSError | None = None
        for path in paths:
            try:
                content = path.read_bytes().decode("utf-8", "surrogateescape")
                rest = rest_of(content)
                if rest != content:
                    write_atomic(path, rest.encode("utf-8", "surrogateescape"))
            except FileNotFoundError:
                continue
            except OSError as error:
                failed = OSError(error.errno, f"{error.strerror} ({path})")
        if failed is not None:
            raise failed

    def _forget_typed(self, person: PeerId) -> None:
        """Drop what is being typed about a person, or into a file that has entries about them."""
        drafts = MemoryDrafts(self._state)
        for draft in drafts.all():
            if draft.file.peer == person or without_person(draft.base, person)[1]:
                drafts.drop(draft.file)

    # --- media ----------------------------------------------------------------------------------------------------

    def _media(self, files: Collection[int]) -> Iterator[tuple[Path, int]]:
        """Yield the shown files, what models said of them, and what the operator wrote about all but stickers."""
        described = self._state / "media"
        curated = [folder / "media" for config in self._config for folder in (config, *_folders(config / "agents"))]
        for number in sorted(files):
            name = f"{number}.json"
            own = [folder / name for folder in curated if (folder / name).is_file() and not _is_sticker(folder / name)]
            for path in (self._shown / str(number), self._shown / f"{number}.thumb", described / name, *own):
                with contextlib.suppress(OSError):
                    yield path, path.stat().st_size

    # --- logs -----------------------------------------------------------------------------------------------------

    def _log_lines(self, person: PeerId, names: Collection[str]) -> Iterator[HeldFile]:
        is_about = _finder(person, names)
        for path in self._log_files():
            lines = [line for line in _read(path).splitlines(keepends=True) if is_about(line)]
            if lines:
                size = sum(len(line.encode("utf-8", "surrogateescape")) for line in lines)
                yield HeldFile(HoldingKind.LOGS, "", str(path), len(lines), size)

    def _forget_lines(self, person: PeerId, names: Collection[str]) -> None:
        is_about = _finder(person, names)
        if not any(_is_unreadable(path) or is_about(_read(path)) for path in self._log_files()):
            return
        with self._logs_closed():
            self._rewrite(
                self._log_files(),
                lambda content: "".join(line for line in content.splitlines(keepends=True) if not is_about(line)),
            )

    def _log_files(self) -> list[Path]:
        return sorted(path for path in _children(self._logs) if path.is_file())


def _is_sticker(path: Path) -> bool:
    """Return whether a description is of a sticker, which belongs to nobody."""
    try:
        return record_of(_read(path), path.stem).kind == "sticker"
    except RecordError:
        return False


def _finder(person: PeerId, names: Collection[str]) -> Callable[[str], bool]:
    """Return what tells whether a text names a person; in JSON a name may be escaped."""
    wanted = {name for name in names if len(name) >= _SHORTEST_NAME}
    escaped = {json.dumps(name)[1:-1] for name in wanted}
    choices = [*map(re.escape, wanted | escaped)]
    if abs(int(person)) >= _SMALLEST_NUMBER:
        choices.append(str(int(person)))
    pattern = re.compile(rf"(?<!\w)(?:{'|'.join(choices)})(?!\w)") if choices else None
    return lambda text: pattern is not None and pattern.search(text) is not None


def _folders(parent: Path) -> list[Path]:
    return sorted(path for path in _children(parent) if path.is_dir() and not path.is_symlink())


def _children(parent: Path) -> list[Path]:
    try:
        return list(parent.iterdir())
    except OSError:
        return []


def _versions(path: Path) -> list[Path]:
    """Return the former versions of a file, which lie hidden beside it."""
    return [one for one in _children(path.parent) if one.name.startswith(f".{path.name}.")]


def _read(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8", "surrogateescape")
    except OSError:
        return ""


def _is_unreadable(path: Path) -> bool:
    try:
        path.open("rb").close()
    except FileNotFoundError:
        return False
    except OSError:
        return True
    return False


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0
