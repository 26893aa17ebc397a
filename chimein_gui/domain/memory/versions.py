"""Versions of a memory file: when it changed, by whom, and what changed."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from chimein_gui.domain.memory.edits import file_entries

if TYPE_CHECKING:
    from datetime import datetime

    from chimein_gui.domain.memory.entries import MemoryFile, MemoryKind


class Author(StrEnum):
    """Who changed a file."""

    OPERATOR = "operator"
    UNDO = "undo"
    """The operator took a change back."""
    RESTORE = "restore"
    """The operator restored an earlier version."""
    REPLY = "reply"
    """The agent, with a `remember` of a reply."""
    ORDER = "order"
    """A partner, with an order to remember."""
    EXTRACTION = "extraction"
    """The operator accepted what was read out of a conversation."""
    OUTSIDE = "outside"
    """Another program; it is noticed when the file is looked at or changed."""


@dataclass(frozen=True, slots=True)
class EntryCounts:
    """How many entries a change added, removed and edited."""

    added: int = 0
    removed: int = 0
    edited: int = 0


@dataclass(frozen=True, slots=True)
class MemoryVersion:
    """A version of a file.

    Attributes:
        name: Identifies it among the versions of its file.
        at: When the file became so, aware UTC.
        author: Who changed it.
        counts: What changed against the version before.
        plan: Number of the plan whose reply changed it, or None.
    """

    name: str
    at: datetime
    author: Author
    counts: EntryCounts = EntryCounts()
    plan: int | None = None


@dataclass(frozen=True, slots=True)
class FileRestored:
    """An earlier version was restored, which can be undone.

    Attributes:
        file: Which file.
        before: Its content before.
        after: Its content now.
    """

    file: MemoryFile
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class OutsideChange:
    """What another program has made of a file.

    Attributes:
        before: What the file held when it was last seen or written.
        after: What it holds now; empty if it is missing.
        is_missing: There is no such file now.
    """

    before: str
    after: str
    is_missing: bool


def counts_of(kind: MemoryKind, before: str, after: str) -> EntryCounts:
    """Compare two contents; an entry that went and one that came in its place count as one edit."""
    old = Counter(one.block.strip() for one in file_entries(kind, before))
    new = Counter(one.block.strip() for one in file_entries(kind, after))
    gone, come = (old - new).total(), (new - old).total()
    edited = min(gone, come)
    return EntryCounts(come - edited, gone - edited, edited)
