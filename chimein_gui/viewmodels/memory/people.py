"""Of whom there are memories: a row for all chats of each agent, and one for each chat or person."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from chimein_gui.domain.memory.entries import MemoryFile, MemoryKind
from chimein_gui.viewmodels.core.keyed_list import KeyedListModel
from chimein_gui.viewmodels.core.sanitize import spoken

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from chimein_gui.domain.ids import PeerId

translate = QCoreApplication.translate


@dataclass(frozen=True, slots=True)
class PersonRow:
    """One row.

    Attributes:
        agent_name: Whose memories.
        peer: The chat or person; None for all chats.
        title: Name of the chat; empty if there is no such chat.
        kinds: Which files exist.
    """

    agent_name: str
    peer: PeerId | None
    title: str = ""
    kinds: frozenset[MemoryKind] = frozenset()

    @property
    def key(self) -> tuple[str, PeerId | None]:
        """Return agent and peer."""
        return self.agent_name, self.peer


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


def rows_of(
    agents: Iterable[str], files: Iterable[MemoryFile], titles: Mapping[tuple[str, PeerId], str], more: PersonRow | None
) -> list[PersonRow]:
    """Return the rows.

    Args:
        agents: Names of all agents.
        files: The files that exist.
        titles: Titles of chats by agent and peer.
        more: A row that is shown even if it has no file.
    """
    kinds: dict[tuple[str, PeerId | None], set[MemoryKind]] = {(name, None): set() for name in agents}
    if more is not None:
        kinds.setdefault(more.key, set())
    for file in files:
        kinds.setdefault((file.agent_name, file.peer), set()).add(file.kind)
    return [
        PersonRow(name, peer, "" if peer is None else titles.get((name, peer), ""), frozenset(found))
        for (name, peer), found in kinds.items()
    ]


class PeopleModel(KeyedListModel[PersonRow]):
    """By agent; all chats first, then by name."""

    def key_of(self, item: PersonRow) -> tuple[str, PeerId | None]:
        return item.key

    def order_of(self, item: PersonRow) -> tuple[str, str, bool, str, int]:
        name = item.agent_name
        return name.casefold(), name, item.peer is not None, item.title.casefold(), int(item.peer or 0)

    def sentence_of(self, item: PersonRow) -> str:
        return ", ".join((spoken(person_words(item)), spoken(item.agent_name), files_words(item)))
