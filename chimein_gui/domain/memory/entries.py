"""The entries of memory files, and which of them a chat may see."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime

    from chimein_gui.domain.ids import PeerId
    from chimein_gui.domain.notes import Note


class MemoryKind(StrEnum):
    """Who wrote a memory file."""

    CURATED = "curated"
    """The operator, for one chat."""
    REMEMBERED = "remembered"
    """The agent, for all its chats."""
    ABOUT_PARTNER = "about partner"
    """The agent, about one person; it is seen in no other chat."""


@dataclass(frozen=True, slots=True)
class MemoryScope:
    """What one chat may see; every read names it. People are known by their ids alone.

    Attributes:
        agent_name: Whose memories.
        chat: The chat, whose curated memories are read.
        person: Whose entries are read: the partner of a direct chat, in a group the author of the message that is
            answered; None if nobody has written.
    """

    agent_name: str
    chat: PeerId
    person: PeerId | None


@dataclass(frozen=True, slots=True)
class MemoryFile:
    """Which file: whose, of which kind, and about whom.

    Attributes:
        kind: Who writes it.
        agent_name: Whose memories.
        peer: The chat of the operator's notes, or the person; None for what the agent remembers for all chats.
    """

    kind: MemoryKind
    agent_name: str
    peer: PeerId | None = None


@dataclass(frozen=True, slots=True)
class MemoryText:
    """One memory file that a chat may see, as it was read.

    Attributes:
        kind: Who wrote it.
        path: Its path.
        text: Its content; empty if there is a problem.
        problem: Why it can't be read, or None.
    """

    kind: MemoryKind
    path: str
    text: str = ""
    problem: Note | None = None


@dataclass(frozen=True, slots=True)
class MemoryEntry:
    """One remembered entry.

    Attributes:
        text: What is remembered, unescaped.
        at: When it was written, aware UTC; None if its heading has no time.
        chat: The chat in which it was learned; None if unknown.
        line: The line of the file with which the entry begins, from 1.
        in_own_words: The partner ordered it: *I* in its text is the partner.
    """

    text: str
    at: datetime | None
    chat: PeerId | None
    line: int
    in_own_words: bool = False


@dataclass(frozen=True, slots=True)
class MemoryView:
    """What one chat sees at one moment.

    Attributes:
        scope: Whose view it is.
        texts: The files that exist.
    """

    scope: MemoryScope
    texts: tuple[MemoryText, ...] = ()
