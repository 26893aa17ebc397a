"""Memories of agents: Markdown files in the state directory that people read and edit.

See docs/behaviour.md, "Memory".
"""

from __future__ import annotations

import asyncio
import contextlib
import re
import shutil
import threading
import zlib
from datetime import UTC
from typing import TYPE_CHECKING

from chimein_gui.adapters.files.atomic import make_private, write_atomic

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

    from chimein_gui.domain.ids import PeerId

KEPT_VERSIONS = 5
"""Previous versions that are kept of a file, the newest with the lowest number."""

_HEADING = "# Memory from "
_ENTRY = re.compile(r"^# Memory from ", re.MULTILINE)
_DANGEROUS = re.compile(r"^([ \t]*)(?=\\*(?:#[ \t]*Memory from|-->|#[ \t]*«))", re.MULTILINE)
_LINE_ENDS = re.compile(r"\r\n|[\r\v\f\x1c-\x1e\x85\u2028\u2029]")


class MarkdownMemoryFiles:
    """Implements `engine.ports.MemoryFiles`; files are read and written in a thread, one at a time."""

    def __init__(self, state: Path) -> None:
        """Create the adapter for a state directory."""
        self._state = state
        self._lock = threading.Lock()

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
            for start, end in _entries(old):
                if _mark(key) in old[start:end] and _is_untouched(old[start:end]):
                    _replace(path, f"{old[:start]}{old[end:]}", had=True)
                    return True
        return False


def entry_of(text: str, *, at: datetime, provenance: str, key: str) -> str:
    """Compose one entry: heading with its time in UTC, comment with its provenance, the text."""
    heading = f"{_HEADING}{at.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC"
    body = escaped(text)
    return f"{heading}\n<!-- {_in_comment(provenance)} {_mark(key)} [sum {_sum(body)}] -->\n\n{body}\n"


def escaped(text: str) -> str:
    """Put a backslash before lines that would begin an entry, end a comment or begin a block of a reply.

    Such lines that begin with backslashes get one more, so that `unescaped` is the inverse.
    """
    lines = _LINE_ENDS.sub("\n", text).strip("\n")
    return _DANGEROUS.sub(r"\1\\", lines.replace("\x00", ""))


def unescaped(text: str) -> str:
    """Remove the backslashes of `escaped`."""
    return re.sub(r"^([ \t]*)\\(?=\\*(?:#[ \t]*Memory from|-->|#[ \t]*«))", r"\1", text, flags=re.MULTILINE)


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


def _read(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8", "surrogateescape")
    except FileNotFoundError:
        return ""


def _entries(content: str) -> list[tuple[int, int]]:
    starts = [match.start() for match in _ENTRY.finditer(content)]
    return list(zip(starts, [*starts[1:], len(content)], strict=True))


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
