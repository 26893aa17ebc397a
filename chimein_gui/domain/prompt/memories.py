"""The sections of a prompt with memories, and what of them does not fit."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from chimein_gui.domain.memory.edits import file_entries
from chimein_gui.domain.memory.entries import MemoryKind
from chimein_gui.domain.memory.files import entries_of, shown
from chimein_gui.domain.prompt.left_out import LeftOut, LeftOutKind
from chimein_gui.domain.prompt.marks import quote, unmarked
from chimein_gui.domain.prompt.prompts import PromptSection

if TYPE_CHECKING:
    from chimein_gui.domain.ids import PeerId
    from chimein_gui.domain.memory.entries import MemoryEntry, MemoryText, MemoryView

MOST_CHARACTERS = 8_000
"""Most characters of each kind of memories in a prompt; of more remembered entries the newest."""

TITLES = {
    MemoryKind.CURATED: "Memory: your operator's notes on this chat",
    MemoryKind.REMEMBERED: "Memory: remembered",
    MemoryKind.ABOUT_PARTNER: "Memory: about the partner",
}

_LEADS = {
    MemoryKind.REMEMBERED: "You have noted, oldest first. What comes from another chat is not for passing on:",
    MemoryKind.ABOUT_PARTNER: "You have noted about the one you answer, oldest first:",
}


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
            section, missing = _curated(title, one) if kind is MemoryKind.CURATED else _remembered(title, one, view)
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


def _remembered(title: str, one: MemoryText, view: MemoryView | None) -> tuple[PromptSection | None, int]:
    """Return the newest entries that fit, oldest first; and how many are left out."""
    entries = entries_of(one.text)
    here = view.scope.chat if view is not None else None
    kept: list[str] = []
    size = 0
    for entry in reversed(entries):
        line = _line(entry, here if one.kind is MemoryKind.REMEMBERED else None)
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
    day = f"{entry.at:%Y-%m-%d}" if entry.at is not None else ""
    other = "from another chat" if here is not None and entry.chat is not None and entry.chat != here else ""
    facts = ", ".join(filter(None, (day, other)))
    return f"[{facts}] {entry.text}" if facts else entry.text
