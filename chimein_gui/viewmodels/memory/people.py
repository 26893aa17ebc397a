"""Of whom there are memories: a row for all chats of each agent, and one for each chat or person."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, Qt

from chimein_gui.domain.memory.entries import MemoryFile, MemoryKind
from chimein_gui.viewmodels.core.keyed_list import KeyedListModel
from chimein_gui.viewmodels.core.sanitize import spoken

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from chimein_gui.domain.ids import PeerId
    from chimein_gui.domain.memory.provenance import FileCount
    from chimein_gui.viewmodels.core.roles import Index

translate = QCoreApplication.translate


@dataclass(frozen=True, slots=True)
class PersonRow:
    """One row.

    Attributes:
        agent_name: Whose memories.
        peer: The chat or person; None for all chats.
        title: Name of the chat; empty if there is no such chat.
        kinds: Which files exist.
        curated: Number of the operator's notes.
        remembered: Number of entries that the agent remembers.
        is_heading: It stands above the rows of its agent, and can't be chosen.
        scope: Of a heading: the memory scope of the agent.
        has_conflict: A change of the operator and one of another program must be merged.
        from_others: Number of entries that the chat would read, though somebody else said them elsewhere.
        is_next: The next prompt of the chat holds its entries.
    """

    agent_name: str
    peer: PeerId | None
    title: str = ""
    kinds: frozenset[MemoryKind] = frozenset()
    curated: int = 0
    remembered: int = 0
    is_heading: bool = False
    scope: str = ""
    has_conflict: bool = False
    from_others: int = 0
    is_next: bool = False

    def has(self, file: MemoryFile) -> bool:
        """Return whether a file is shown with the row."""
        return file.agent_name == self.agent_name and file.peer in (self.peer, None)

    @property
    def key(self) -> tuple[str, PeerId | None, bool]:
        """Return what identifies the row."""
        return self.agent_name, self.peer, self.is_heading


def person_words(row: PersonRow) -> str:
    """Return the name of a row."""
    if row.peer is None:
        return translate("MemoryPane", "All chats")
    return row.title or translate("MemoryPane", "id {number}").format(number=int(row.peer))


def files_words(row: PersonRow) -> str:
    """Return which files there are."""
    if row.peer is None:
        return translate("MemoryPane", "remembered") if row.kinds else translate("MemoryPane", "nothing yet")
    if not row.kinds:
        return translate("MemoryPane", "nothing yet")
    if len(row.kinds) > 1:
        return translate("MemoryPane", "both files")
    return (
        translate("MemoryPane", "curated") if MemoryKind.CURATED in row.kinds else translate("MemoryPane", "remembered")
    )


def file_words(file: MemoryFile) -> str:
    """Return which file it is."""
    match file.kind:
        case MemoryKind.CURATED:
            return translate("MemoryPane", "your notes")
        case MemoryKind.ABOUT_PARTNER:
            return translate("MemoryPane", "about the partner")
    return translate("MemoryPane", "for all chats")


def others_words(row: PersonRow) -> str:
    """Return how many entries the chat would read that somebody else said elsewhere; empty for none."""
    count = row.from_others
    return translate("MemoryPane", "%n from others", "", count) if count else ""


def next_words() -> str:
    """Return what the mark of a row says whose entries the next prompt of its chat holds."""
    return translate("MemoryPane", "in the next prompt")


def conflict_words() -> str:
    """Return one word for two changes that must be merged."""
    return translate("MemoryPane", "conflict")


def count_words(row: PersonRow) -> str:
    """Return how many entries there are; of both files where there are two."""
    if row.curated and row.remembered:
        return f"{row.curated} / {row.remembered}"
    return str(row.curated or row.remembered or "")


def scope_words(row: PersonRow) -> str:
    """Return for whom the agent of a heading remembers."""
    if row.scope == "per-partner":
        return translate("MemoryPane", "per partner")
    return translate("MemoryPane", "global")


@dataclass(frozen=True, slots=True)
class KnownMemories:
    """What is known of all memories.

    Attributes:
        scopes: The memory scopes of the agents, by name.
        counts: Number of entries of the files that exist.
        titles: Titles of chats by agent and peer.
        conflicts: Files with a conflict.
    """

    scopes: Mapping[str, str]
    counts: Mapping[MemoryFile, FileCount]
    titles: Mapping[tuple[str, PeerId], str]
    conflicts: frozenset[MemoryFile] = frozenset()


def rows_of(known: KnownMemories, more: PersonRow | None, words: str = "") -> list[PersonRow]:
    """Return the rows.

    Args:
        known: What is known.
        more: A row that is shown even if it has no file.
        words: Only rows with these words, or of agents with them, are shown.
    """
    files: dict[tuple[str, PeerId | None], list[MemoryFile]] = {(name, None): [] for name in known.scopes}
    if more is not None:
        files.setdefault((more.agent_name, more.peer), [])
    for file in known.counts:
        files.setdefault((file.agent_name, file.peer), []).append(file)
    made: list[PersonRow] = []
    for (name, peer), found in files.items():
        curated = sum(known.counts[one].entries for one in found if one.kind is MemoryKind.CURATED)
        remembered = sum(known.counts[one].entries for one in found) - curated
        is_known = (name, peer) in known.titles
        row = PersonRow(
            name,
            peer,
            "" if peer is None else known.titles.get((name, peer), ""),
            frozenset(one.kind for one in found),
            curated,
            remembered,
            has_conflict=not known.conflicts.isdisjoint(found),
            from_others=_from_others(known, name, peer, found) if is_known else 0,
            is_next=is_known and bool(curated or remembered),
        )
        if words.strip().casefold() in f"{person_words(row)} {name}".casefold():
            made.append(row)
    names = dict.fromkeys(row.agent_name for row in made)
    return [*made, *(PersonRow(one, None, is_heading=True, scope=known.scopes.get(one, "")) for one in names)]


def _from_others(known: KnownMemories, name: str, peer: PeerId | None, files: Iterable[MemoryFile]) -> int:
    if peer is None:
        return 0
    read = {*files, MemoryFile(MemoryKind.REMEMBERED, name)}
    return sum(known.counts[one].from_others(peer) for one in read if one in known.counts)


class PeopleModel(KeyedListModel[PersonRow]):
    """By agent: a heading, chats and people by name, then all chats."""

    def key_of(self, item: PersonRow) -> tuple[str, PeerId | None, bool]:
        return item.key

    def order_of(self, item: PersonRow) -> tuple[str, str, bool, bool, str, int]:
        name, title = item.agent_name, item.title.casefold()
        return name.casefold(), name, not item.is_heading, item.peer is None, title, int(item.peer or 0)

    def sentence_of(self, item: PersonRow) -> str:
        if item.is_heading:
            return ", ".join((spoken(item.agent_name), scope_words(item)))
        facts = [spoken(person_words(item)), spoken(item.agent_name), files_words(item)]
        curated, remembered = item.curated, item.remembered
        if curated:
            facts.append(translate("MemoryPane", "%n curated", "", curated))
        if remembered:
            facts.append(translate("MemoryPane", "%n remembered", "", remembered))
        if item.from_others:
            facts.append(others_words(item))
        if item.is_next:
            facts.append(next_words())
        if item.has_conflict:
            facts.append(conflict_words())
        return ", ".join(facts)

    def flags(self, index: Index) -> Qt.ItemFlag:
        row = self.item_at(index.row())
        return Qt.ItemFlag.NoItemFlags if row is None or row.is_heading else super().flags(index)
