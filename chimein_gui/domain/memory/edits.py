"""Memory files as entries that can be edited one by one; all other bytes of a file stay as they are.

Remembered files hold entries with a heading. In the operator's notes each paragraph is an entry.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from chimein_gui.domain.memory.entries import MemoryEntry, MemoryFile, MemoryKind
from chimein_gui.domain.memory.files import HEADING, entries_of, entry_of, escaped, origin_words, places_of, shown
from chimein_gui.domain.memory.recall import IndexedEntry, entry_id

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from chimein_gui.domain.notes import Note

_PARAGRAPH = re.compile(r"(?:^[^\S\r\n]*\S[^\r\n]*(?:\r\n|\n|\Z))+", re.MULTILINE)
_HEADINGS = re.compile(rf"^(?={HEADING})", re.MULTILINE)
_COMMENT = re.compile(r"\A[^\r\n]*(?:\r\n|\n)(?:\s*<!--.*?-->[^\r\n]*(?:\r\n|\n))?", re.DOTALL)


@dataclass(frozen=True, slots=True)
class FileEntry:
    """An entry with its place in a file.

    Attributes:
        block: All of its characters in the file, with the heading.
        start: Offset of the block.
        entry: What it says.
    """

    block: str
    start: int
    entry: MemoryEntry


@dataclass(frozen=True, slots=True)
class MemoryPage:
    """One memory file as the operator sees it.

    Attributes:
        file: Which file.
        path: Its path.
        entries: In the order of the file.
        problem: Why it can't be read, or None.
        content: What the file holds, byte for byte.
    """

    file: MemoryFile
    path: str
    entries: tuple[FileEntry, ...] = ()
    problem: Note | None = None
    content: str = ""


@dataclass(frozen=True, slots=True)
class MemoryChange:
    """A change that was made, and can be undone.

    Attributes:
        file: Which file.
        before: The block as it was; empty for a new entry.
        after: The block as it is; empty for one that was removed.
        place: Where it stood.
    """

    file: MemoryFile
    before: str
    after: str
    place: int


@lru_cache(maxsize=8)
def file_entries(kind: MemoryKind, content: str) -> tuple[FileEntry, ...]:
    """Return the entries of a file, in its order: in the operator's notes also paragraphs above the first heading.

    The newest contents are kept, because a change and the pane look at the same ones several times.
    """
    blocks = places_of(content)
    above = content[: blocks[0][0] if blocks else len(content)] if kind is MemoryKind.CURATED else ""
    found = []
    line = counted = 0
    for match in _PARAGRAPH.finditer(above):
        text = match[0].removeprefix("\ufeff").strip()
        line, counted = line + content.count("\n", counted, match.start()), match.start()
        if text:
            found.append(FileEntry(match[0], match.start(), MemoryEntry(text, None, None, line + 1)))
    for start, end in blocks:
        line, counted = line + content.count("\n", counted, start), start
        block = content[start:end]
        read = entries_of.__wrapped__(block)  # whole files are kept, not each of their entries
        found += [FileEntry(block, start, replace(one, line=one.line + line)) for one in read]
    return tuple(found)


def texts_of(kind: MemoryKind, content: str) -> frozenset[str]:
    """Return what the entries of a file say."""
    return frozenset(one.entry.text for one in file_entries(kind, content))


def indexed_entries(file: MemoryFile, content: str) -> tuple[IndexedEntry, ...]:
    """Return the entries of a file as they are searched; of equal ones the first."""
    entries = entries_of(content)
    if file.kind is MemoryKind.CURATED:
        read = (one.entry for one in file_entries(file.kind, content))
        entries = tuple(replace(one, text=shown(one.text)) for one in read)
    found: dict[str, IndexedEntry] = {}
    for one in entries:
        number = entry_id(file, one.text)
        found.setdefault(number, IndexedEntry(number, file, one.text, one.line, one.at, one.chat))
    return tuple(found.values())


def _plain(text: str) -> str:
    """Return a text as a paragraph of notes: no line of it begins an entry with a heading."""
    return _HEADINGS.sub(" ", text.replace("\r\n", "\n").strip("\n"))


def with_text(block: str, text: str) -> str:
    """Return the block of an entry with another text; its heading, line ends and blank lines stay."""
    end = "\r\n" if "\r\n" in block else "\n"
    head = _COMMENT.match(block) if block.startswith(HEADING) else None
    body = escaped(text) if head is not None else _plain(text)
    begin = head.end() if head is not None else len(block) - len(block.removeprefix("\ufeff"))
    rest = block[begin:]
    before = rest[: len(rest) - len(rest.lstrip())] if rest.strip() else end
    behind = rest[len(rest.rstrip()) :]
    return block[:begin] + before + end.join(body.split("\n")) + (behind or end)


def replaced(kind: MemoryKind, content: str, before: str, after: str) -> str | None:
    """Return a file with one block replaced, or removed by an empty one; None if it has no such block.

    Blank lines behind the block may differ, because an entry that is added at the end brings one; they stay. In notes
    a block may have become several entries, because its text has paragraphs.
    """
    entries = file_entries(kind, content)
    same = [one for one in entries if one.block == before]
    for one in same or [one for one in entries if one.block.rstrip() == before.rstrip()]:
        behind = one.block[len(one.block.rstrip()) :]
        block = after if one.block == before or not after else after.rstrip() + behind
        return content[: one.start] + block + content[one.start + len(one.block) :]
    return _with_run_replaced(entries, content, before.rstrip(), after)


def _with_run_replaced(entries: Sequence[FileEntry], content: str, before: str, after: str) -> str | None:
    """Return a file with neighbouring entries replaced that together are a text; None if there are none."""
    ends = {one.start + len(one.block.rstrip()): one.start + len(one.block) for one in entries}
    for one in entries:
        body_end = one.start + len(before)
        if before and body_end in ends and content.startswith(before, one.start):
            behind = content[body_end : ends[body_end]]
            return content[: one.start] + (after.rstrip() + behind if after else "") + content[ends[body_end] :]
    return None


def with_block(kind: MemoryKind, content: str, block: str, place: int) -> str:
    """Return a file with a block put back in its place; if there is another text now, at the end.

    A paragraph of notes stays above the entries with headings, because it would be a part of such an entry below.
    """
    before, rest = content[:place], content[place:]
    if block.startswith(HEADING):
        is_free = rest.startswith(HEADING) and place in {one.start for one in file_entries(kind, content)}
        return before + block + rest if is_free else with_entry(content, block)
    headings = places_of(content)
    above = headings[0][0] if headings else len(content)
    is_behind_gap = not before.strip("\ufeff") or before.endswith(("\n\n", "\r\n\r\n"))
    if place <= above and is_behind_gap and rest[:1] in ("", "\r", "\n"):
        return before + block + rest
    gap = "" if above == len(content) else "\r\n" if "\r\n" in content else "\n"
    return with_entry(content[:above], block) + gap + content[above:]


def with_entry(content: str, block: str) -> str:
    """Return a file with a block at its end, after a blank line."""
    end = "\r\n" if "\r\n" in content else "\n"
    gap = "" if not content.strip("\ufeff") or content.endswith(end * 2) else end if content.endswith(end) else end * 2
    return f"{content}{gap}{block}"


def new_block(file: MemoryFile, content: str, text: str, *, at: datetime, key: str) -> str:
    """Return the block of a new entry by the operator, in the style of a file: notes may be plain paragraphs."""
    if file.kind is MemoryKind.CURATED and content.strip("\ufeff \r\n") and not places_of(content):
        return _plain(text) + "\n"
    about = f"partner {int(file.peer)}, " if file.peer is not None else ""
    return entry_of(text, at=at, provenance=f"{about}source: the operator", key=key)


def moved_block(file: MemoryFile, content: str, entry: FileEntry, *, at: datetime, key: str) -> str:
    """Return the block of an entry that comes from another file: its time and what is known of its origin stay.

    Args:
        file: Where it goes.
        content: What that file holds.
        entry: The entry.
        at: The time of an entry that has none, aware UTC.
        key: The key of the new entry.
    """
    words = origin_words(entry.block)
    if not words:
        return new_block(file, content, entry.entry.text, at=at, key=key)
    return entry_of(entry.entry.text, at=entry.entry.at or at, provenance=words, key=key)
