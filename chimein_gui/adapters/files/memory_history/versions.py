"""Keeps every version of a memory file, in a folder of the state directory.

A version is a file with the whole content. Its name says when, by whom and what changed, so that a list of versions
needs no file to be read.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from chimein_gui.adapters.files.atomic import make_private, write_atomic
from chimein_gui.domain.errors import NotFoundError
from chimein_gui.domain.memory.entries import MemoryKind
from chimein_gui.domain.memory.versions import Author, EntryCounts, MemoryVersion, counts_of

if TYPE_CHECKING:
    from pathlib import Path

    from chimein_gui.domain.memory.entries import MemoryFile

MOST_VERSIONS = 200
"""Versions that are kept of a file; the oldest go first."""

MOST_BYTES = 20_000_000
"""Most bytes of all versions of a file, so that a large file does not fill the disk."""

LEAST_VERSIONS = 5
"""The newest versions stay, whatever their size."""

FOLDER = "memory-versions"

_STAMP = "%Y%m%dT%H%M%S.%fZ"
_NAME = re.compile(r"(?P<at>\d{8}T\d{6}\.\d{6}Z) (?P<author>[a-z]+)(?:-(?P<plan>\d+))? \+(\d+) -(\d+) ~(\d+)\.md")
_STEMS = {MemoryKind.CURATED: "curated", MemoryKind.REMEMBERED: "remembered", MemoryKind.ABOUT_PARTNER: "about"}


class MemoryVersions:
    """Its methods read and write files, one at a time; the caller runs them in a thread."""

    def __init__(self, state: Path) -> None:
        """`state` is the state directory."""
        self._state = state

    def folder_of(self, file: MemoryFile) -> Path:
        """Return the folder with the versions of a file."""
        peer = "" if file.peer is None else f" {int(file.peer)}"
        return self._state / file.agent_name / FOLDER / f"{_STEMS[file.kind]}{peer}"

    def all_of(self, file: MemoryFile) -> list[MemoryVersion]:
        """Return the versions of a file, newest first."""
        return [made for name in reversed(self._names(file)) if (made := _version_of(name)) is not None]

    def content_of(self, file: MemoryFile, name: str) -> str:
        """Return the content of a version.

        Raises:
            NotFoundError: There is no such version any more.
            OSError: It can't be read.
        """
        if name not in self._names(file):
            raise NotFoundError(name)
        return (self.folder_of(file) / name).read_bytes().decode("utf-8", "surrogateescape")

    def notice(self, file: MemoryFile, content: str, at: datetime) -> None:
        """Keep a content that another program wrote, if it differs from the newest version.

        Args:
            file: Which file.
            content: What it holds.
            at: When it was written, aware UTC.
        """
        newest = self._newest(file)
        if content != newest and (content or newest):
            self._keep(file, content, newest or "", at, Author.OUTSIDE, None)

    def known_before(self, file: MemoryFile, content: str) -> str | None:
        """Return what a file held before another program wrote a content; None if it is known, or no other one is."""
        if self._newest(file) in (None, content):
            return None
        for name in reversed(self._names(file)):
            made, held = _version_of(name), self._read(file, name)
            if made is not None and held is not None and (held or made.author is not Author.OUTSIDE):
                return held
        return None

    def keep(self, file: MemoryFile, content: str, at: datetime, author: Author, plan: int | None = None) -> None:
        """Keep the content that was just written.

        Args:
            file: Which file.
            content: What it holds now.
            at: When it was written, aware UTC.
            author: Who changed it.
            plan: Number of the plan whose reply changed it.

        Raises:
            OSError: It is not kept.
        """
        self._keep(file, content, self._newest(file) or "", at, author, plan)

    def _keep(
        self, file: MemoryFile, content: str, before: str, at: datetime, author: Author, plan: int | None
    ) -> None:
        folder = self.folder_of(file)
        make_private(folder)
        counts = counts_of(file.kind, before, content)
        newest = next(iter(self.all_of(file)), None)
        if newest is not None and at <= newest.at:  # the clock was set back, or the file has an old time
            at = newest.at + timedelta(microseconds=1)
        said = author.value if plan is None else f"{author.value}-{plan}"
        name = f"{at:{_STAMP}} {said} +{counts.added} -{counts.removed} ~{counts.edited}.md"
        write_atomic(folder / name, content.encode("utf-8", "surrogateescape"))
        self._bound(file)

    def _bound(self, file: MemoryFile) -> None:
        folder, size = self.folder_of(file), 0
        for count, name in enumerate(reversed(self._names(file)), 1):
            path = folder / name
            size += path.stat().st_size
            if count > MOST_VERSIONS or (count > LEAST_VERSIONS and size > MOST_BYTES):
                path.unlink(missing_ok=True)

    def _names(self, file: MemoryFile) -> list[str]:
        try:
            return sorted(path.name for path in self.folder_of(file).iterdir() if _NAME.fullmatch(path.name))
        except OSError:
            return []

    def _newest(self, file: MemoryFile) -> str | None:
        names = self._names(file)
        return self._read(file, names[-1]) if names else None

    def _read(self, file: MemoryFile, name: str) -> str | None:
        try:
            return (self.folder_of(file) / name).read_bytes().decode("utf-8", "surrogateescape")
        except OSError:
            return None


def _version_of(name: str) -> MemoryVersion | None:
    found = _NAME.fullmatch(name)
    if found is None:
        return None
    try:
        at = datetime.strptime(found["at"], _STAMP).replace(tzinfo=UTC)
        author = Author(found["author"])
    except ValueError:
        return None
    added, removed, edited = (int(number) for number in found.groups()[3:])
    plan = int(found["plan"]) if found["plan"] is not None else None
    return MemoryVersion(name, at, author, EntryCounts(added, removed, edited), plan)
