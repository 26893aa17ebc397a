"""The entries of one side of the Memory pane, as cards: where each comes from, and who reads it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from PySide6.QtCore import QAbstractListModel, QCoreApplication, QModelIndex, QObject, Qt

from chimein_gui.domain.memory.entries import MemoryKind
from chimein_gui.domain.memory.files import shown
from chimein_gui.domain.memory.provenance import Provenance, Source, provenance_of
from chimein_gui.domain.memory.recall import entry_id
from chimein_gui.viewmodels.core.numbers import decimal_words
from chimein_gui.viewmodels.core.roles import Index, ItemRole
from chimein_gui.viewmodels.core.sanitize import spoken

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from chimein_gui.domain.ids import MessageId, PeerId
    from chimein_gui.domain.memory.edits import FileEntry, MemoryPage
    from chimein_gui.domain.memory.entries import MemoryFile
    from chimein_gui.viewmodels.core.clock import ClockFace

translate = QCoreApplication.translate


class MarkKind(StrEnum):
    """What a mark of a card says."""

    ALWAYS = "always"
    """It is in every prompt of the chat."""
    NEXT = "next"
    """It is among those that the text in the recall test would bring up."""
    FROM = "from"
    """It was learned in another chat than the chosen one."""
    SAME = "same"
    """The other side has an entry with the same words."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A mark of a card.

    Attributes:
        kind: What it says.
        name: For `FROM` the name of the other chat.
        rank: For `NEXT` the rank, from 1.
    """

    kind: MarkKind
    name: str = ""
    rank: int = 0


@dataclass(frozen=True, slots=True)
class MemoryAudience:
    """For whom the cards are shown.

    Attributes:
        peer: The chosen chat or person; None for all chats.
        title: Its name.
        title_of: Returns the present name of a chat; empty if unknown.
        members: Number of members of a group; 0 if unknown.
    """

    peer: PeerId | None
    title: str
    title_of: Callable[[PeerId], str] = field(compare=False)
    members: int = 0


@dataclass(frozen=True, slots=True)
class Card:
    """One entry.

    Attributes:
        file: The file that has it.
        found: The entry, with its place in the file.
        origin: Where it comes from.
        marks: What is special about it.
        reader: Who would read what was said in another chat; None if it was learned here.
        score: How well it fits the text of the recall test, 0 to 1; None without one.
    """

    file: MemoryFile
    found: FileEntry
    origin: Provenance
    marks: tuple[Mark, ...] = ()
    reader: MemoryAudience | None = None
    score: float | None = None

    @property
    def key(self) -> tuple[MemoryFile, str]:
        """Return what identifies it while the file changes around it."""
        return self.file, self.found.block.strip()

    @property
    def entry_id(self) -> str:
        """Return its id among what is searched."""
        return entry_id(self.file, self.found.entry.text)

    @property
    def text(self) -> str:
        """Return what it says."""
        return shown(self.found.entry.text)

    @property
    def message(self) -> MessageId | None:
        """Return the message that it comes from."""
        return self.origin.messages[0] if self.origin.messages else None


def mark_words(mark: Mark, shown_name: Callable[[str], str]) -> str:
    """Return a mark in words; `shown_name` makes a foreign name fit to be shown."""
    match mark.kind:
        case MarkKind.ALWAYS:
            return translate("MemoryPane", "always")
        case MarkKind.NEXT:
            return translate("MemoryPane", "next · rank {number}").format(number=mark.rank)
        case MarkKind.FROM:
            return translate("MemoryPane", "from {name}").format(name=shown_name(mark.name))
    return translate("MemoryPane", "same as curated")


def leak_words(card: Card, shown_name: Callable[[str], str]) -> str:
    """Return one sentence about who would read what was said in another chat; empty if nobody would."""
    place = card.reader
    if place is None:
        return ""
    who = shown_name(next((mark.name for mark in card.marks if mark.kind is MarkKind.FROM), ""))
    if place.peer is None:
        words = translate("MemoryPane", "Learned in the chat with {name}; the prompts of all other chats hold it, too.")
    elif int(place.peer) < 0 and place.members:
        count = place.members
        words = translate(
            "MemoryPane", "Learned in the chat with {name}; in this group %n member(s) may read the answers.", "", count
        )
    elif int(place.peer) < 0:
        words = translate("MemoryPane", "Learned in the chat with {name}; in this group everybody reads the answers.")
    else:
        words = translate("MemoryPane", "Learned in the chat with {name}; {reader} may read it in an answer.")
    return words.format(name=who, reader=shown_name(place.title))


def source_words(card: Card) -> str:
    """Return where an entry comes from."""
    origin = card.origin
    match origin.source:
        case Source.OPERATOR:
            return translate("MemoryPane", "written by you")
        case Source.REPLY if origin.plan is not None:
            return translate("MemoryPane", "remembered by the reply of plan {number}").format(number=origin.plan)
        case Source.REPLY:
            return translate("MemoryPane", "remembered by a reply")
        case Source.ORDER:
            return translate("MemoryPane", "the partner asked for it")
        case Source.EXTRACTION:
            return translate("MemoryPane", "extraction, accepted by you")
    return translate("MemoryPane", "source unknown")


def link_words(card: Card) -> str:
    """Return the words of the link to the message of an entry; empty without one."""
    if card.message is None or card.origin.chat is None:
        return ""
    return translate("MemoryPane", "message {number}").format(number=int(card.message))


def cards_of(pages: Iterable[MemoryPage], place: MemoryAudience, others: Iterable[str] = ()) -> tuple[Card, ...]:
    """Return the cards of some files.

    Args:
        pages: The files.
        place: For whom they are shown.
        others: Texts of the other side.
    """
    known = {" ".join(text.casefold().split()) for text in others}
    made = []
    for page in pages:
        for found in page.entries:
            origin, marks = provenance_of(found.block), []
            if page.file.kind is MemoryKind.CURATED:
                if origin.source is Source.UNKNOWN:  # a heading without a comment
                    origin = replace(origin, source=Source.OPERATOR)
                marks.append(Mark(MarkKind.ALWAYS))
            elif " ".join(shown(found.entry.text).casefold().split()) in known:
                marks.append(Mark(MarkKind.SAME))
            reader = None
            if page.file.kind is MemoryKind.REMEMBERED and origin.chat is not None and origin.chat != place.peer:
                name = place.title_of(origin.chat) or origin.chat_title or str(int(origin.chat))
                marks.append(Mark(MarkKind.FROM, name))
                reader = place
            made.append(Card(page.file, found, origin, tuple(marks), reader))
    return tuple(made)


class EntriesModel(QAbstractListModel):
    """The cards of one side.

    Attributes:
        page: The file that new entries go to; None while it is not read.
        cards: In the order in which they are shown.
        contents: What their files hold.
    """

    def __init__(self, clock: ClockFace, parent: QObject) -> None:
        super().__init__(parent)
        self._clock = clock
        self.page: MemoryPage | None = None
        self.cards: tuple[Card, ...] = ()
        self.contents: dict[MemoryFile, str] = {}

    def show_pages(self, pages: Sequence[MemoryPage], place: MemoryAudience, others: Iterable[str] = ()) -> None:
        """Show the cards of some files; new entries go to the first."""
        self.contents = {page.file: page.content for page in pages}
        self.show(pages[0] if pages else None, cards_of(pages, place, others))

    def show(self, page: MemoryPage | None, cards: tuple[Card, ...] = ()) -> None:
        """Show other cards; the same ones with other marks keep their rows."""
        if page == self.page and cards == self.cards:
            return
        stays = [one.key for one in cards] == [one.key for one in self.cards] and (page is None) is (self.page is None)
        if stays:
            self.page, self.cards = page, cards
            if cards:
                self.dataChanged.emit(self.index(0, 0), self.index(len(cards) - 1, 0))
            return
        self.beginResetModel()
        self.page, self.cards = page, cards
        self.endResetModel()

    def mark_recalled(self, ranks: Mapping[str, tuple[int, float]]) -> None:
        """Show rank and score of the entries that a recall test found; by id."""
        made = []
        for card in self.cards:
            rank, score = ranks.get(card.entry_id, (0, None)) if ranks else (0, None)
            kept = tuple(mark for mark in card.marks if mark.kind is not MarkKind.NEXT)
            marks = (Mark(MarkKind.NEXT, rank=rank), *kept) if rank else kept
            made.append(replace(card, marks=marks, score=score))
        self.show(self.page, tuple(made))

    def card_at(self, row: int) -> Card | None:
        """Return the card in a row; None if there is no such row."""
        return self.cards[row] if 0 <= row < len(self.cards) else None

    def entry_at(self, row: int) -> FileEntry | None:
        """Return the entry of the file that the card in a row stands for; None if it has none."""
        card = self.card_at(row)
        return card.found if card is not None else None

    def row_of(self, key: tuple[MemoryFile, str]) -> int:
        """Return the row of a card, or -1."""
        return next((row for row, card in enumerate(self.cards) if card.key == key), -1)

    def day_of(self, entry: FileEntry) -> str:
        """Return when an entry was written; empty if unknown."""
        at = entry.entry.at
        return "" if at is None else f"{self._clock.day(at)}, {self._clock.clock(at)}"

    def short_day_of(self, entry: FileEntry) -> str:
        """Return the same as short as can be: the clock today, the weekday this week, else the date."""
        at = entry.entry.at
        return "" if at is None else self._clock.stamp(at)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else len(self.cards)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        card = self.card_at(index.row()) if index.isValid() else None
        if card is None:
            return None
        if role == ItemRole:
            return card
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return self._sentence(card)
        return None

    def _sentence(self, card: Card) -> str:
        score = "" if card.score is None else decimal_words(card.score, 2)
        marks = ", ".join(mark_words(mark, spoken) for mark in card.marks)
        text, leak = spoken(card.text), leak_words(card, spoken)
        facts = (self.day_of(card.found), marks, score, text, source_words(card), leak)
        return ". ".join(filter(None, facts))
