"""Where memory files are, and what each holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chimein_gui.domain.errors import NotFoundError, note_of
from chimein_gui.domain.ids import PeerId
from chimein_gui.domain.memory.edits import file_entries
from chimein_gui.domain.memory.entries import MemoryFile, MemoryKind, MemoryText
from chimein_gui.domain.memory.files import entries_of
from chimein_gui.domain.memory.provenance import FileCount, count_of
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.files import FileReason

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from chimein_gui.domain.memory.entries import MemoryScope

MOST_BYTES = 5_000_000
"""A larger file is not read: no prompt could hold a thousandth of it."""


class MemoryPlaces:
    """Finds memory files; its methods read the disk, and the caller runs them in a thread."""

    def __init__(self, state: Path, config: Sequence[Path], samples: Path | None) -> None:
        """Take the directories, as `MarkdownMemoryFiles` does."""
        self._state, self._samples = state, samples
        own = [folder for folder in config if folder != samples]
        self._config: tuple[Path, ...] = (
            *(own or (state / "notes",)),
            *(folder for folder in config if folder == samples),
        )
        self._counted: dict[MemoryFile, tuple[tuple[int, int], FileCount]] = {}

    def texts(self, scope: MemoryScope) -> Iterator[MemoryText]:
        """Yield the files that a chat may see and that exist."""
        name = f"{int(scope.chat)}.md"
        curated = [folder / "agents" / scope.agent_name / "memory" / name for folder in self._config]
        remembered = self._remembered(scope.agent_name, None)
        about = [] if scope.person is None else [self._remembered(scope.agent_name, scope.person)]
        for kind, paths in (
            (MemoryKind.CURATED, curated),
            (MemoryKind.REMEMBERED, [remembered]),
            (MemoryKind.ABOUT_PARTNER, about),
        ):
            found = (text_of(kind, path) for path in paths)
            first = next((one for one in found if one is not None), None)
            if first is not None:
                if kind is not MemoryKind.CURATED:
                    entries_of(first.text)  # kept, so that whoever composes a prompt need not read a long file again
                yield first

    def files(self, agent_names: tuple[str, ...]) -> Iterator[MemoryFile]:
        """Yield the files that exist of some agents, some of them twice."""
        for name in agent_names:
            if self._remembered(name, None).exists():
                yield MemoryFile(MemoryKind.REMEMBERED, name)
            for peer in _peers(self._state / name / "memory"):
                yield MemoryFile(MemoryKind.ABOUT_PARTNER, name, peer)
            for folder in self._config:
                for peer in _peers(folder / "agents" / name / "memory"):
                    yield MemoryFile(MemoryKind.CURATED, name, peer)

    def counts(self, agent_names: tuple[str, ...]) -> dict[MemoryFile, FileCount]:
        """Count, and read only what has changed since the last time."""
        counted: dict[MemoryFile, tuple[tuple[int, int], FileCount]] = {}
        for file in dict.fromkeys(self.files(agent_names)):
            path = self.path_of(file)
            try:
                state = path.stat()
            except OSError:
                continue
            stamp, known = (state.st_mtime_ns, state.st_size), self._counted.get(file)
            if known is None or known[0] != stamp:
                found = text_of(file.kind, path)
                entries = file_entries(file.kind, found.text) if found is not None else ()
                known = stamp, count_of([one.block for one in entries])
            counted[file] = known
        self._counted = counted
        return {file: count for file, (_stamp, count) in counted.items()}

    def path_of(self, file: MemoryFile) -> Path:
        """Return where a file is read."""
        if file.kind is not MemoryKind.CURATED:
            return self._remembered(file.agent_name, file.peer)
        if file.peer is None:
            raise NotFoundError("the operator's notes are about a chat")
        paths = [folder / "agents" / file.agent_name / "memory" / f"{int(file.peer)}.md" for folder in self._config]
        return next((path for path in paths if path.exists()), paths[0])

    def place_of(self, file: MemoryFile) -> Path:
        """Return where a file is written: a note that comes with Chimein is copied to the operator's own."""
        path = self.path_of(file)
        if self._samples is None or not path.is_relative_to(self._samples):
            return path
        return self._config[0] / path.relative_to(self._samples)

    def _remembered(self, agent_name: str, partner: PeerId | None) -> Path:
        folder = self._state / agent_name
        return folder / "memory.md" if partner is None else folder / "memory" / f"{int(partner)}.md"


def text_of(kind: MemoryKind, path: Path) -> MemoryText | None:
    """Read one file; None if there is none."""
    try:
        size = path.stat().st_size
        if size > MOST_BYTES:
            return MemoryText(kind, str(path), problem=Note(FileReason.MEMORY_TOO_LARGE))
        return MemoryText(kind, str(path), path.read_bytes().decode("utf-8", "surrogateescape"))
    except FileNotFoundError:
        return None
    except OSError as error:
        return MemoryText(kind, str(path), problem=note_of(error))


def _peers(folder: Path) -> Iterator[PeerId]:
    """Yield the peers that a folder has files of."""
    try:
        names = sorted(path.name for path in folder.iterdir())
    except OSError:
        return
    for name in names:
        number = name.removesuffix(".md")
        if name.endswith(".md") and number.removeprefix("-").isdecimal() and number.isascii():
            yield PeerId(int(number))
