"""The rows of a transcript as a Qt model. Subclasses decide where the rows come from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, Qt

from chimein_gui.viewmodels.core.roles import Index, ItemRole, KeyRole, SortRole
from chimein_gui.viewmodels.transcript.parents import Parents
from chimein_gui.viewmodels.transcript.rows import CLOSED, AnyRow, Opened, Parent, StepRow, TranscriptRow
from chimein_gui.viewmodels.transcript.window import (
    Entries,
    Entry,
    entries_of,
    join,
    message_entry,
    step_entry,
    with_message,
)
from chimein_gui.viewmodels.transcript.words import key_sentence, row_sentence

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from chimein_gui.domain.messages import Message
    from chimein_gui.domain.plans.hidden_steps import HiddenStep
    from chimein_gui.viewmodels.core.bridge import EngineBridge
    from chimein_gui.viewmodels.core.clock import ClockFace
    from chimein_gui.viewmodels.transcript.window import Key


_WORDS: dict[int, Callable[[AnyRow], str]] = {
    Qt.ItemDataRole.DisplayRole: row_sentence,
    Qt.ItemDataRole.AccessibleTextRole: row_sentence,
    Qt.ItemDataRole.AccessibleDescriptionRole: key_sentence,
}


@dataclass(slots=True)
class Surroundings:
    """What all rows of one chat depend on.

    Attributes:
        own_name: The agent's name.
        read_up_to: Newest outgoing message that the partner has read; 0 if none.
        unread_from: First message that was unread when the chat was opened; 0 if none was.
    """

    own_name: str = ""
    read_up_to: int = 0
    unread_from: int = 0


class TranscriptList(QAbstractListModel):
    """Rows of messages, albums and hidden steps, oldest first."""

    def __init__(self, bridge: EngineBridge, clock: ClockFace, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._clock = clock
        self._around = Surroundings()
        self._entries = Entries()
        self._parents = Parents(bridge, self)
        self._opened: dict[int, Opened] = {}
        self._made: dict[Key, AnyRow] = {}
        self._today = clock.now().astimezone().date()
        clock.ticked.connect(self._look_at_date)
        self._parents.found.connect(self._change_quotes_of)

    # --- queries --------------------------------------------------------------------------------------------------

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else len(self._entries)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid() or not 0 <= index.row() < len(self._entries):
            return None
        entry = self._entries[index.row()]
        if role == ItemRole:
            return self.row_at(index.row())
        if role == KeyRole:
            return entry.messages[0].key if entry.messages else None
        if role == SortRole:
            return entry.key[0]
        words = _WORDS.get(role)
        return words(self.row_at(index.row())) if words is not None else None

    def row_at(self, row: int) -> AnyRow:
        """Return what a row shows, without going through Qt; the same object until the row changes."""
        key = self._entries[row].key
        made = self._made.get(key)
        if made is None:
            made = self._made[key] = self._make(row)
        return made

    def key_at(self, row: int) -> Key:
        """Return the id of a row, which stays the same as long as the row exists."""
        return self._entries[row].key

    def row_of_key(self, key: Key) -> int:
        """Return the row with this id, or -1."""
        row = self._entries.place_of(key)
        return row if row < len(self._entries) and self._entries[row].key == key else -1

    def row_of(self, message_id: int) -> int:
        """Return the row with a message, or -1."""
        return self._entries.row_of(message_id)

    def message(self, message_id: int | None) -> Message | None:
        """Return a message of the window, or one that is quoted there; None for any other id, and for None."""
        if message_id is None:
            return None
        return self._entries.message(message_id) or self._parents.get(message_id)[0]

    def reveal(self, row: int, *, secrets: bool = False, whole: bool = False) -> None:
        """Show the spoilers or the full text of a row, until another chat is opened."""
        shown = self.row_at(row)
        if isinstance(shown, TranscriptRow):
            old = shown.opened
            opened = Opened(old.secrets or secrets, old.whole or whole)
            self._opened[self._entries[row].key[0]] = opened
            self._changed(row, row)

    # --- making rows ----------------------------------------------------------------------------------------------

    def _make(self, row: int) -> AnyRow:
        entry, around = self._entries[row], self._around
        if entry.step is not None:
            return StepRow(entry.step, self._clock.clock(entry.step.at))
        message = next((one for one in entry.messages if not one.deleted), entry.messages[0])
        above = self._entries.message_before(row)
        before = above.messages[-1] if above is not None else None
        new_day = before is None or _day_of(before) != _day_of(message)
        day = self._clock.day(message.sent_at) if new_day or _day_of(message) != self._today else ""
        unread = bool(around.unread_from) and self._entries.begins_unread(row, around.unread_from)
        reply_to, parent = self._parent_of(message)
        follows = before is not None and not new_day and not unread and not before.is_service
        return TranscriptRow(
            message,
            reply_to,
            day if new_day else "",
            self._clock.clock(message.sent_at),
            message.out and message.key.message_id <= around.read_up_to,
            around.own_name,
            follows and before is not None and before.sender_id == message.sender_id,
            album=entry.messages if len(entry.messages) > 1 else (),
            parent=parent,
            unread=unread,
            opened=self._opened.get(entry.key[0], CLOSED),
            date=day,
        )

    def _parent_of(self, message: Message) -> tuple[Message | None, Parent]:
        if message.reply_to_id is None:
            return None, Parent.NONE
        found = self._entries.message(message.reply_to_id)
        return (found, Parent.FOUND) if found is not None else self._parents.get(message.reply_to_id)

    # --- changes --------------------------------------------------------------------------------------------------

    def _insert(self, row: int, entries: Sequence[Entry]) -> None:
        """Insert new rows."""
        if not entries:
            return
        self.beginInsertRows(QModelIndex(), row, row + len(entries) - 1)
        self._entries.put(row, entries)
        self.endInsertRows()
        below = self._entries.message_row_from(row + len(entries))
        self._changed(below, below)  # its day heading and its author may not be needed any more

    def _remove(self, first: int, last: int) -> None:
        """Remove rows, the last one included; messages that remaining rows quote are kept as parents."""
        if last < first:
            return
        self.beginRemoveRows(QModelIndex(), first, last)
        gone = self._entries.take(first, last)
        for entry in gone:
            self._made.pop(entry.key, None)
        self.endRemoveRows()
        quoted = {one.reply_to_id for entry in self._entries for one in entry.messages}
        for entry in gone:
            for message in entry.messages:
                if message.key.message_id in quoted:
                    self._parents.keep(message)
        below = self._entries.message_row_from(first)
        self._changed(below, below)

    def _add_page(self, messages: Sequence[Message], *, above: bool) -> None:
        """Insert a page of messages at one end; an album that is split between two pages becomes one row."""
        pages = entries_of(messages)
        if not pages:
            return
        if len(self._entries):
            edge = self._entries.row_of(self._entries.first_id if above else self._entries.last_id)
            joined = join(self._entries[edge], pages, above=above) if edge >= 0 else None
            if joined is not None:
                self._replace(edge, joined)
        self._insert(0 if above else len(self._entries), pages)

    def _replace(self, row: int, entry: Entry) -> None:
        self._made.pop(self._entries[row].key, None)
        self._entries.change(row, entry)
        self._changed(row, row)

    def _upsert(self, message: Message, *, may_insert: bool) -> bool:
        """Apply a message's newest snapshot; return whether it is in the window now."""
        message_id = message.key.message_id
        row = self._entries.row_of(message_id)
        if row >= 0:
            if self._entries.message(message_id) != message:
                self._replace(row, with_message(self._entries[row], message))
                self._change_quotes_of((message_id,))
            return True
        if self._parents.knows(message_id):
            self._parents.keep(message)
            self._change_quotes_of((message_id,))
        if not may_insert:
            return False
        place = self._entries.place_of(message_entry((message,)).key)
        album = self._entries.album_beside(place, message)
        if album >= 0:
            self._replace(album, with_message(self._entries[album], message))
        else:
            self._insert(place, [message_entry((message,))])
        if place + 1 < len(self._entries):
            self._change_quotes_of((message_id,))
        return True

    def _put_steps(self, steps: Sequence[HiddenStep]) -> None:
        """Replace the hidden steps between the messages."""
        wanted = {entry.key: entry for entry in map(step_entry, steps)}
        for row in range(len(self._entries) - 1, -1, -1):
            entry = self._entries[row]
            if entry.step is not None and entry.key not in wanted:
                self._remove(row, row)
        for key, entry in sorted(wanted.items()):
            row = self.row_of_key(key)
            if row < 0:
                self._insert(self._entries.place_of(key), [entry])
            elif self._entries[row].step != entry.step:
                self._replace(row, entry)

    def _change_quotes_of(self, ids: Collection[int]) -> None:
        """Rebuild the rows that quote one of these messages."""
        for row, entry in enumerate(self._entries):
            if any(one.reply_to_id in ids for one in entry.messages):
                self._changed(row, row)

    def _look_at_date(self) -> None:
        """Rebuild all rows after midnight: "Today" becomes "Yesterday"."""
        today = self._clock.now().astimezone().date()
        if today != self._today:
            self._today = today
            self._changed(0, len(self._entries) - 1)

    def _changed(self, first: int, last: int) -> None:
        last = min(last, len(self._entries) - 1)
        if 0 <= first <= last:
            for row in range(first, last + 1):
                self._made.pop(self._entries[row].key, None)
            self.dataChanged.emit(self.index(first, 0), self.index(last, 0))


def _day_of(message: Message) -> object:
    return message.sent_at.astimezone().date()
