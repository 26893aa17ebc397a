"""Entries as they are stored in PostgreSQL."""

from __future__ import annotations

import zlib
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from chimein_gui.domain.ids import PeerId
from chimein_gui.domain.memory.entries import MemoryFile, MemoryKind
from chimein_gui.domain.memory.recall import IndexedEntry, text_hash
from chimein_gui.domain.memory.terms import terms_of

if TYPE_CHECKING:
    from collections.abc import Sequence

NOBODY = 0
"""Stored peer of a file that is about nobody; no peer of Telegram has this id."""

ENTRY = "id, text, line, at, chat, agent, kind, peer"
"""The columns that `entry_of` reads, in this order."""


class StoredPlace(NamedTuple):
    """What is stored of an entry and may change while its text stays."""

    line: int
    at: datetime | None
    chat: int | None


class NewRow(NamedTuple):
    """An entry that is to be added, with its terms and their weights."""

    id: str
    text: str
    text_hash: str
    place: StoredPlace
    terms: list[int]
    weights: list[int]


def key_of(file: MemoryFile) -> tuple[str, str, int]:
    """Return agent, kind and peer of a file."""
    return file.agent_name, file.kind.value, NOBODY if file.peer is None else int(file.peer)


def place_of(entry: IndexedEntry) -> StoredPlace:
    """Return where an entry stands."""
    return StoredPlace(entry.line, entry.at, None if entry.chat is None else int(entry.chat))


def row_of(entry: IndexedEntry) -> NewRow:
    """Return an entry as it is stored; PostgreSQL takes no NUL in a text."""
    text = entry.text.encode("utf-8", "replace").decode().replace("\0", "")
    terms = {zlib.crc32(term.encode("utf-8", "surrogatepass")): weight for term, weight in terms_of(entry.text).items()}
    return NewRow(entry.id, text, text_hash(entry.text), place_of(entry), [*terms], [*terms.values()])


def entry_of(row: Sequence[Any]) -> IndexedEntry:
    """Return an entry of the columns `ENTRY`."""
    key, text, line, at, chat, agent, kind, peer = row
    file = MemoryFile(MemoryKind(kind), agent, None if peer == NOBODY else PeerId(peer))
    when = None if at is None else at.astimezone(UTC)
    return IndexedEntry(key, file, text, line, when, None if chat is None else PeerId(chat))
