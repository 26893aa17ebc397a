"""Memories of agents: Markdown files in the state directory that people read and edit.

See docs/behaviour.md, "Memory".
"""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import threading
import zlib
from datetime import UTC
from typing import TYPE_CHECKING

from chimein_gui.adapters.files.atomic import make_private, write_atomic
from chimein_gui.domain.errors import note_of
from chimein_gui.domain.memory.entries import MemoryKind, MemoryText
from chimein_gui.domain.memory.files import HEADING, escaped, places_of
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.files import FileReason

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime
    from pathlib import Path

    from chimein_gui.domain.ids import PeerId
    from chimein_gui.domain.memory.entries import MemoryScope

KEPT_VERSIONS = 5
"""Previous versions that are kept of a file, the newest with the lowest number."""

MOST_BYTES = 5_000_000
"""A larger file is not read: no prompt could hold a thousandth of it."""


class MarkdownMemoryFiles:
    """Implements `engine.ports.MemoryFiles`; files are read and written in a thread, one at a time."""

    def __init__(self, state: Path, config: Sequence[Path] = ()) -> None:
        """Create the adapter.

        Args:
            state: Holds what agents remember.
            config: The config directories with the operator's notes, earlier ones first.
        """
        self._state, self._config = state, tuple(config)
        self._lock = threading.Lock()

    async def texts(self, scope: MemoryScope) -> tuple[MemoryText, ...]:
        """Read the memory files that a chat may see; one that can't be read has a problem."""
        return await asyncio.to_thread(lambda: tuple(self._texts(scope)))

    def _texts(self, scope: MemoryScope) -> Iterator[MemoryText]:
        name = f"{int(scope.chat)}.md"
        curated = [folder / "agents" / scope.agent_name / "memory" / name for folder in self._config]
        remembered = self._path(scope.agent_name, None)
        about = [] if scope.person is None else [self._path(scope.agent_name, scope.person)]
        for kind, paths in (
            (MemoryKind.CURATED, curated),
            (MemoryKind.REMEMBERED, [remembered]),
            (MemoryKind.ABOUT_PARTNER, about),
        ):
            found = (_text_of(kind, path) for path in paths)
            first = next((one for one in found if one is not None), None)
            if first is not None:
                yield first

    async def append(
        self, agent_name: str, text: str, *, at: datetime, provenance: str, key: str, partner: PeerId | None = None
    ) -> None:
        """Append one entry to ``<agent>/memory.md``, or to the partner's file; an existing key is left unchanged.

        Raises:
            OSError: Nothing was written.
        """
        entry = entry_of(text, at=at, provenance=provenance, key=key)
        await asyncio.to_thread(self._append, self._path(agent_name, partner), entry, key)

    async def remove(self, agent_name: str, *, key: str, partner: PeerId | None = None) -> bool:
        """Remove one entry; returns False if the operator has already removed it, or changed its text.

        Raises:
            OSError: Nothing was changed.
        """
        return await asyncio.to_thread(self._remove, self._path(agent_name, partner), key)

    def _path(self, agent_name: str, partner: PeerId | None) -> Path:
        folder = self._state / agent_name
        return folder / "memory.md" if partner is None else folder / "memory" / f"{int(partner)}.md"

    def _append(self, path: Path, entry: str, key: str) -> None:
        with self._lock:
            old = _read(path)
            if _mark(key) in old:
                return
            make_private(path.parent)
            gap = "" if not old or old.endswith("\n\n") else "\n" if old.endswith("\n") else "\n\n"
            _replace(path, f"{old}{gap}{entry}", had=bool(old))

    def _remove(self, path: Path, key: str) -> bool:
        with self._lock:
            old = _read(path)
            for start, end in places_of(old):
                if _mark(key) in old[start:end] and _is_untouched(old[start:end]):
                    _replace(path, f"{old[:start]}{old[end:]}", had=True)
                    return True
        return False


def entry_of(text: str, *, at: datetime, provenance: str, key: str) -> str:
    """Compose one entry: heading with its time in UTC, comment with its provenance, the text."""
    heading = f"{HEADING}{at.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC"
    body = escaped(text)
    return f"{heading}\n<!-- {_in_comment(provenance)} {_mark(key)} [sum {_sum(body)}] -->\n\n{body}\n"


def _mark(key: str) -> str:
    return f"[key {_in_comment(key)}]"


def _sum(body: str) -> str:
    """Return a checksum of a text, to detect changes by the operator."""
    return f"{zlib.crc32(body.strip().encode('utf-8', 'surrogateescape')):08x}"


def _is_untouched(entry: str) -> bool:
    _heading, _, rest = entry.partition("\n")
    comment, _, body = rest.partition("\n")
    return f"[sum {_sum(body)}] -->" in comment


def _in_comment(words: str) -> str:
    """Return foreign words so that they neither end the comment, nor break its line, nor look like a key."""
    line = " ".join(words.split()).replace("[key", "(key").replace("[sum", "(sum")
    return line.replace("--", "––").replace(">", "›")


def _text_of(kind: MemoryKind, path: Path) -> MemoryText | None:
    """Read one file; None if there is none."""
    try:
        size = path.stat().st_size
        if size > MOST_BYTES:
            return MemoryText(kind, str(path), problem=Note(FileReason.TOO_LARGE, number=MOST_BYTES // 1_000_000))
        # Characters that are no UTF-8 are shown as such, and stay in the file.
        return MemoryText(kind, str(path), path.read_bytes().decode("utf-8", "replace"))
    except FileNotFoundError:
        return None
    except OSError as error:
        return MemoryText(kind, str(path), problem=note_of(error))


def _read(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8", "surrogateescape")
    except FileNotFoundError:
        return ""


def _replace(path: Path, content: str, *, had: bool) -> None:
    """Write new content and keep the old version; failing to keep that copy is no error."""
    if had:
        with contextlib.suppress(OSError):
            _keep_version(path)
    write_atomic(path, content.encode("utf-8", "surrogateescape"))


def _keep_version(path: Path) -> None:
    versions = [path.with_name(f".{path.name}.{number}") for number in range(1, KEPT_VERSIONS + 1)]
    for older, newer in zip(reversed(versions), [*reversed(versions[:-1])], strict=False):
        if newer.exists():
            newer.replace(older)
    shutil.copy2(path, versions[0])
