"""The sections of a prompt with memories, and what of them does not fit."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from chimein_gui.domain.memory.choice import RecallFact, RecallStatus, statuses_by_rank
from chimein_gui.domain.memory.edits import file_entries
from chimein_gui.domain.memory.entries import MemoryEntry, MemoryKind
from chimein_gui.domain.memory.files import HEADING, entries_of, shown
from chimein_gui.domain.prompt.left_out import LeftOut, LeftOutKind
from chimein_gui.domain.prompt.marks import quote, unmarked
from chimein_gui.domain.prompt.prompts import PromptSection

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chimein_gui.domain.ids import PeerId
    from chimein_gui.domain.memory.entries import MemoryText, MemoryView
    from chimein_gui.domain.memory.recall import IndexedEntry, Recall

MOST_CHARACTERS = 8_000
"""Most characters of each kind of memories in a prompt; of more remembered entries the newest."""

RELEVANT = "Relevant context about the user"
"""Title of the section with the memories that fit the messages best."""

RELEVANT_CHARACTERS = 4_000
"""Most characters of that section's entries."""

LONGEST_RELEVANT = 1_000
"""Most characters of one entry in it."""

TITLES = {
    MemoryKind.CURATED: "Memory: your operator's notes on this chat",
    MemoryKind.REMEMBERED: "Memory: remembered",
    MemoryKind.ABOUT_PARTNER: "Memory: about the partner",
}

_LEADS = {
    MemoryKind.REMEMBERED: "You have noted, oldest first. What comes from another chat is not for passing on:",
    MemoryKind.ABOUT_PARTNER: "You have noted about the one you answer, oldest first:",
}


def forget_read() -> None:
    """Drop what is kept of memory files that were read, because a person shall be forgotten."""
    for kept in (entries_of, file_entries, _remembered):
        kept.cache_clear()


class MemorySections(NamedTuple):
    """The sections, and what is not in them."""

    sections: tuple[PromptSection, ...] = ()
    left_out: tuple[LeftOut, ...] = ()


def memory_sections(view: MemoryView | None) -> MemorySections:
    """Compose the sections in their order: curated, remembered, about the partner."""
    sections, left_out = [], []
    for kind, title in TITLES.items():
        for one in view.texts if view is not None else ():
            if one.kind is not kind:
                continue
            if one.problem is not None:
                left_out.append(LeftOut(LeftOutKind.MEMORY_UNREADABLE, one.path))
                continue
            here = view.scope.chat if view is not None and kind is MemoryKind.REMEMBERED else None
            section, missing = _curated(title, one) if kind is MemoryKind.CURATED else _remembered(title, one, here)
            if section is not None:
                sections.append(section)
            if missing:
                left_out.append(LeftOut(LeftOutKind.MEMORY_OVER_LIMIT, title, missing))
    return MemorySections(tuple(sections), tuple(left_out))


def _curated(title: str, one: MemoryText) -> tuple[PromptSection | None, int]:
    """Return the operator's notes in their order, cut behind an entry; and how many entries are cut off."""
    entries = file_entries(one.kind, one.text)
    kept: list[str] = []
    size = missing = 0
    for entry in entries:
        line = _line(replace(entry.entry, text=shown(entry.entry.text)), None)
        size += len(line) + 2
        if size > MOST_CHARACTERS:
            missing = len(entries) - len(kept)
            if not kept:  # a part of it is better than nothing
                kept.append(line[:MOST_CHARACTERS].rpartition("\n")[0] or line[:MOST_CHARACTERS])
            break
        kept.append(line)
    if not kept:
        return None, missing
    last = entries[len(kept) - 1]
    last_line = last.entry.line + last.block.rstrip().count("\n")
    text = unmarked("\n\n".join(kept))
    return PromptSection(title, text, one.path, entries[0].entry.line, last_line=last_line), missing


@lru_cache(maxsize=64)
def _remembered(title: str, one: MemoryText, here: PeerId | None) -> tuple[PromptSection | None, int]:
    """Return the newest entries that fit, oldest first; and how many are left out.

    The newest are kept, because a file is read for every plan and seldom changes.

    Args:
        title: Of the section.
        one: The file.
        here: The chat whose entries need no mark; None if no entry needs one.
    """
    entries = entries_of(one.text)
    kept: list[str] = []
    size = 0
    for entry in reversed(entries):
        line = _indented(_line(entry, here))
        size += len(line) + 1
        if size > MOST_CHARACTERS:
            break
        kept.append(line)
    missing = len(entries) - len(kept)
    if not kept:
        return None, missing
    text = f"{_LEADS[one.kind]}\n{quote(chr(10).join(reversed(kept)))}"
    last = one.text.count("\n") + (not one.text.endswith("\n"))
    return PromptSection(title, text, one.path, entries[missing].line, last_line=last), missing


def _line(entry: MemoryEntry, here: PeerId | None) -> str:
    """Return an entry with its day; `here` is the chat whose entries need no mark, None if no entry needs one."""
    day = entry.at.date().isoformat() if entry.at is not None else ""
    other = "from another chat" if here is not None and entry.chat is not None and entry.chat != here else ""
    own = "the partner's own words" if entry.in_own_words else ""
    facts = ", ".join(filter(None, (day, other, own)))
    return f"[{facts}] {entry.text}" if facts else entry.text


_FITTING = (
    "Of what is noted, this fits the newest messages best, the best first. What comes from another chat is not for "
    "passing on:"
)


class RelevantMemories(NamedTuple):
    """The memories that fit the messages: their section, and what became of each that was found."""

    section: PromptSection | None = None
    left_out: tuple[LeftOut, ...] = ()
    facts: tuple[RecallFact, ...] = ()


def relevant_memories(view: MemoryView | None, recall: Recall | None) -> RelevantMemories:
    """Compose the section of what was found for the messages that are answered; nothing found makes no section."""
    if view is None or recall is None:
        return RelevantMemories()
    texts = {one.kind: one for one in view.texts}
    file_lines = {one.kind: one.text.split("\n") for one in view.texts}
    lines: list[str] = []
    facts: list[RecallFact] = []
    room = RELEVANT_CHARACTERS
    for found, status in statuses_by_rank(recall):
        entry, file = found.entry, texts.get(found.entry.file.kind)
        path = file.path if file is not None else ""
        if status is RecallStatus.IN_PROMPT:
            line = recalled_line(entry, view.scope.chat)
            room -= len(line)
            if room < 0:
                status = RecallStatus.NO_ROOM  # noqa: PLW2901 - what it became
                room += len(line)
            else:
                lines.append(line)
        text, last_line = entry.text[:LONGEST_RELEVANT], _last_line(entry, file_lines.get(entry.file.kind, []))
        place = (path, entry.line, last_line)
        facts.append(RecallFact(text, *place, found.rank, found.score, found.words, found.meaning, status))
    missing = sum(one.status is RecallStatus.NO_ROOM for one in facts)
    left_out = (LeftOut(LeftOutKind.MEMORY_OVER_LIMIT, RELEVANT, missing),) if missing else ()
    if not lines:
        return RelevantMemories(None, left_out, tuple(facts))
    section = PromptSection(RELEVANT, f"{_FITTING}\n{quote(chr(10).join(lines))}")
    return RelevantMemories(section, left_out, tuple(facts))


def recalled_line(entry: IndexedEntry, here: PeerId) -> str:
    """Return an entry that was found, marked as everywhere in prompts; a long one is cut.

    Args:
        entry: The entry.
        here: The chat whose prompt it is for.
    """
    text = entry.text if len(entry.text) <= LONGEST_RELEVANT else f"{entry.text[:LONGEST_RELEVANT]} …"
    is_shared = entry.file.kind is MemoryKind.REMEMBERED
    line = _line(MemoryEntry(text, entry.at, entry.chat, entry.line, entry.in_own_words), here if is_shared else None)
    return _indented(f"[your operator's note] {line}" if entry.file.kind is MemoryKind.CURATED else line)


def _indented(line: str) -> str:
    """Return an entry whose further lines are indented: no line of its text can look like another entry with marks."""
    return line.replace("\n", "\n  ")


def _last_line(entry: IndexedEntry, file: Sequence[str]) -> int:
    """Return the line of the file with which an entry ends: before the next heading, or with a note's paragraph."""
    first = entry.line - 1
    if first >= len(file) or not file[first].startswith(HEADING):
        return entry.line + entry.text.count("\n")
    behind = first + 1
    while behind < len(file) and not file[behind].startswith(HEADING):
        behind += 1
    while behind > first + 1 and not file[behind - 1].strip():
        behind -= 1
    return behind
