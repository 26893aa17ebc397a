"""Facets of the Media pane: which files there are, by status, kind, set, agent and chat, and which are shown."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from chimein_gui.domain.media.library import SETTLED
from chimein_gui.domain.media.records import DescriptionStatus

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from chimein_gui.domain.media.library import MediaEntry

MOST_OF_A_SECTION = 40
"""Facets of one section that are listed, the largest first; the search finds the others."""


class Section(StrEnum):
    """What the files are told apart by."""

    STATUS = "status"
    KIND = "kind"
    SET = "set"
    AGENT = "agent"
    CHAT = "chat"
    SENDING = "sending"


NEEDS_LOOK = "needs a look"
SENDABLE, NOT_SENDABLE = "sendable", "not sendable"
NONE = ""
"""Without a set, or not met by any agent."""

_KINDS = {
    "sticker": "sticker",
    "photo": "photo",
    "gif": "moving",
    "video": "moving",
    "round video": "moving",
    "voice": "audio",
    "audio": "audio",
}
KINDS = ("sticker", "photo", "moving", "audio", "other")
STATUSES = (
    NEEDS_LOOK,
    DescriptionStatus.CURATED,
    DescriptionStatus.GENERATED,
    DescriptionStatus.PENDING,
    DescriptionStatus.BUDGET,
    DescriptionStatus.TEMPORARY_FAILURE,
    DescriptionStatus.PERMANENT_FAILURE,
    DescriptionStatus.UNSUPPORTED,
)


@dataclass(frozen=True, slots=True)
class Facet:
    """One line of the facets.

    Attributes:
        section: Its section.
        value: What its files have in common; for a heading of a section it is `HEADING`.
        count: How many files these are.
        name: Foreign text to show, for a chat.
    """

    section: Section
    value: str
    count: int
    name: str = ""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which files are shown: those that have all of this.

    Attributes:
        chosen: For each section the value; a section that is missing does not matter.
        words: Words that stand in description, name, set or chat, in lower case.
    """

    chosen: Mapping[Section, str]
    words: tuple[str, ...] = ()


def facets_of(entries: Collection[MediaEntry]) -> dict[Section, tuple[Facet, ...]]:
    """Return the facets of each section, those of a fixed order in it, the others largest first."""
    statuses = Counter([entry.status for entry in entries])
    status = Counter({one.value: count for one, count in statuses.items()})
    status[NEEDS_LOOK] = sum(count for one, count in statuses.items() if one not in SETTLED)
    kinds: Counter[str] = Counter()
    for kind, count in Counter([entry.kind for entry in entries]).items():
        kinds[_KINDS.get(kind, "other")] += count
    stickers = [bool(entry.sendable_by) for entry in entries if entry.kind == "sticker"]
    sending = Counter({SENDABLE: sum(stickers), NOT_SENDABLE: len(stickers) - sum(stickers)})
    agents, chats, titles = _places_of(entries)
    return {
        Section.STATUS: _in_order(Section.STATUS, status, STATUSES),
        Section.KIND: _in_order(Section.KIND, kinds, KINDS),
        Section.SENDING: _in_order(Section.SENDING, sending, (SENDABLE, NOT_SENDABLE)),
        Section.SET: _largest_first(Section.SET, Counter([entry.set_name for entry in entries]), {}),
        Section.AGENT: _largest_first(Section.AGENT, agents, {}),
        Section.CHAT: _largest_first(Section.CHAT, chats, titles),
    }


def _places_of(entries: Collection[MediaEntry]) -> tuple[Counter[str], Counter[str], dict[str, str]]:
    """Return in how many files agents and chats stand, and the titles of the chats."""
    seen = [entry.seen for entry in entries if entry.seen]
    agents = Counter([name for ones in seen for name in {one.agent_name for one in ones}])
    agents[NONE] = len(entries) - len(seen)
    titles = {str(int(one.chat_id)): one.title for ones in seen for one in ones}
    return agents, Counter([str(int(one.chat_id)) for ones in seen for one in ones]), titles


def _in_order(section: Section, counts: Counter[str], order: Sequence[str]) -> tuple[Facet, ...]:
    return tuple(Facet(section, str(value), counts[value]) for value in order if counts[value])


def _largest_first(section: Section, counts: Counter[str], names: Mapping[str, str]) -> tuple[Facet, ...]:
    values = sorted((one for one in counts if counts[one]), key=lambda value: (not value, -counts[value], value))
    return tuple(Facet(section, one, counts[one], names.get(one, "")) for one in values[:MOST_OF_A_SECTION])


def _test_of(section: Section, value: str) -> Callable[[MediaEntry], bool]:
    """Return a function that tells whether an entry stands under a value of a section."""
    if section is Section.STATUS:
        if value == NEEDS_LOOK:
            return lambda entry: entry.needs_look
        status = DescriptionStatus(value)
        return lambda entry: entry.status is status
    tests: dict[Section, Callable[[MediaEntry], bool]] = {
        Section.KIND: lambda entry: _KINDS.get(entry.kind, "other") == value,
        Section.SET: lambda entry: entry.set_name == value,
        Section.SENDING: lambda entry: entry.kind == "sticker" and bool(entry.sendable_by) is (value == SENDABLE),
        Section.AGENT: lambda entry: any(one.agent_name == value for one in entry.seen) if value else not entry.seen,
        Section.CHAT: lambda entry: any(str(int(one.chat_id)) == value for one in entry.seen),
    }
    return tests[section]


def searched_text(entry: MediaEntry) -> str:
    """Return what the search looks at."""
    records = [*entry.curated, *([entry.generated] if entry.generated is not None else [])]
    texts = [entry.name, entry.set_name, *(one.description for one in records), *(one.title for one in entry.seen)]
    return "\n".join(texts).casefold()


class MediaFilter(QObject):
    """Which files are shown.

    Attributes:
        changed: Others are.
    """

    changed = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._wanted = Wanted({})
        self._searched: dict[str, tuple[MediaEntry, str]] = {}

    def chosen(self, section: Section) -> str | None:
        """Return the value that is chosen in a section; None if all are shown."""
        return self._wanted.chosen.get(section)

    @property
    def is_active(self) -> bool:
        """Whether some files are left out."""
        return bool(self._wanted.chosen or self._wanted.words)

    @property
    def has_facets(self) -> bool:
        """Whether facets leave something out."""
        return bool(self._wanted.chosen)

    def choose(self, section: Section, value: str | None) -> None:
        """Show only the files with a value; None shows those of all values."""
        chosen = {key: one for key, one in self._wanted.chosen.items() if key is not section}
        self._take(Wanted(chosen if value is None else {**chosen, section: value}, self._wanted.words))

    def search(self, words: str) -> None:
        """Show only the files with all of these words."""
        self._take(Wanted(self._wanted.chosen, tuple(words.casefold().split())))

    def clear_facets(self) -> None:
        """Take back the choices of all sections; the search stays."""
        self._take(Wanted({}, self._wanted.words))

    def show_all(self) -> None:
        """Leave nothing out."""
        self._take(Wanted({}))

    def fitting(self, entries: Collection[MediaEntry]) -> list[MediaEntry]:
        """Return the files that are shown."""
        found, words = list(entries), self._wanted.words
        for section, value in self._wanted.chosen.items():
            test = _test_of(section, value)
            found = [entry for entry in found if test(entry)]
        if words:
            found = [entry for entry in found if all(word in self._searched_of(entry) for word in words)]
        return found

    def _searched_of(self, entry: MediaEntry) -> str:
        known = self._searched.get(entry.unique_id)
        if known is None or known[0] is not entry:
            known = self._searched[entry.unique_id] = (entry, searched_text(entry))
        return known[1]

    def _take(self, wanted: Wanted) -> None:
        if wanted != self._wanted:
            self._wanted = wanted
            self.changed.emit()
