"""The rows of a transcript as a Qt model: a window over a chat, whose pages are added and removed at its ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, Qt

from chimein_gui.viewmodels.core.roles import Index, ItemRole, KeyRole, SortRole
from chimein_gui.viewmodels.transcript.making import RowMaker
from chimein_gui.viewmodels.transcript.parents import Parents
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

    from chimein_gui.domain.ids import MessageId
    from chimein_gui.domain.messages import Message
    from chimein_gui.domain.plans.hidden_steps import HiddenStep
    from chimein_gui.viewmodels.core.bridge import EngineBridge
    from chimein_gui.viewmodels.core.clock import ClockFace
    from chimein_gui.viewmodels.transcript.rows import AnyRow
    from chimein_gui.viewmodels.transcript.window import Key


WINDOW_ROWS = 300
"""Most rows at once: after each change QListView asks every row for its height."""

FIRST_ROWS = 40
"""Messages of the first page: more than fit on most screens; a view that shows all of them loads older ones."""

PAGE_ROWS = 20
"""Messages of a further page: they are measured all at once, and that must fit into a frame."""

_WORDS: dict[int, Callable[[AnyRow], str]] = {
    Qt.ItemDataRole.DisplayRole: row_sentence,
    Qt.ItemDataRole.AccessibleTextRole: row_sentence,
    Qt.ItemDataRole.AccessibleDescriptionRole: key_sentence,
}


class TranscriptList(QAbstractListModel):
    """Rows of messages, albums and hidden steps, oldest first.

    Attributes:
        entries: What the rows are made of.
        parents: The quoted messages outside of the window.
        maker: Makes the rows.
        older_exist: There are older messages above the window.
        at_newest: The window reaches the newest message.
    """

    def __init__(self, bridge: EngineBridge, clock: ClockFace, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._clock = clock
        self.entries = Entries()
        self.parents = Parents(bridge, self)
        self.maker = RowMaker(clock, self.entries, self.parents)
        self.older_exist, self.at_newest = False, True
        self._newest_id = 0
        clock.ticked.connect(self._look_at_date)
        self.parents.found.connect(self._change_quotes_of)

    # --- queries --------------------------------------------------------------------------------------------------

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else len(self.entries)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid() or not 0 <= index.row() < len(self.entries):
            return None
        entry = self.entries[index.row()]
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
        return self.maker.row_at(row)

    def key_at(self, row: int) -> Key:
        """Return the id of a row, which stays the same as long as the row exists."""
        return self.entries[row].key

    def row_of_key(self, key: Key) -> int:
        """Return the row with this id, or -1."""
        row = self.entries.place_of(key)
        return row if row < len(self.entries) and self.entries[row].key == key else -1

    def row_of(self, message_id: int) -> int:
        """Return the row with a message, or -1."""
        return self.entries.row_of(message_id)

    def message(self, message_id: int | None) -> Message | None:
        """Return a message of the window, or one that is quoted there; None for any other id, and for None."""
        if message_id is None:
            return None
        return self.entries.message(message_id) or self.parents.get(message_id)[0]

    def reveal(self, row: int, *, secrets: bool = False, whole: bool = False) -> None:
        """Show the spoilers or the full text of a row, until another chat is opened."""
        if self.maker.reveal(row, secrets=secrets, whole=whole):
            self.change_rows(row, row)

    # --- changes --------------------------------------------------------------------------------------------------

    def _insert(self, row: int, entries: Sequence[Entry]) -> None:
        """Insert new rows."""
        if not entries:
            return
        self.beginInsertRows(QModelIndex(), row, row + len(entries) - 1)
        self.entries.put(row, entries)
        self.endInsertRows()
        below = self.entries.message_row_from(row + len(entries))
        self.change_rows(below, below)  # its day heading and its author may not be needed any more

    def _remove(self, first: int, last: int) -> None:
        """Remove rows, the last one included; messages that remaining rows quote are kept as parents."""
        if last < first:
            return
        self.beginRemoveRows(QModelIndex(), first, last)
        gone = self.entries.take(first, last)
        for entry in gone:
            self.maker.forget(entry.key)
        self.endRemoveRows()
        quoted = {one.reply_to_id for entry in self.entries for one in entry.messages}
        for entry in gone:
            for message in entry.messages:
                if message.key.message_id in quoted:
                    self.parents.keep(message)
        below = self.entries.message_row_from(first)
        self.change_rows(below, below)

    def _add_page(self, messages: Sequence[Message], *, above: bool) -> None:
        """Insert a page of messages at one end; an album that is split between two pages becomes one row."""
        pages = entries_of(messages)
        if not pages:
            return
        if len(self.entries):
            edge = self.entries.row_of(self.entries.first_id if above else self.entries.last_id)
            joined = join(self.entries[edge], pages, above=above) if edge >= 0 else None
            if joined is not None:
                self._replace(edge, joined)
        self._insert(0 if above else len(self.entries), pages)

    def _replace(self, row: int, entry: Entry) -> None:
        self.maker.forget(self.entries[row].key)
        self.entries.change(row, entry)
        self.change_rows(row, row)

    def _upsert(self, message: Message, *, may_insert: bool) -> bool:
        """Apply a message's newest snapshot; return whether it is in the window now."""
        message_id = message.key.message_id
        row = self.entries.row_of(message_id)
        if row >= 0:
            if self.entries.message(message_id) != message:
                self._replace(row, with_message(self.entries[row], message))
                self._change_quotes_of((message_id,))
            return True
        if self.parents.knows(message_id):
            self.parents.keep(message)
            self._change_quotes_of((message_id,))
        if not may_insert:
            return False
        place = self.entries.place_of(message_entry((message,)).key)
        album = self.entries.album_beside(place, message)
        if album >= 0:
            self._replace(album, with_message(self.entries[album], message))
        else:
            self._insert(place, [message_entry((message,))])
        if place + 1 < len(self.entries):
            self._change_quotes_of((message_id,))
        return True

    def put_steps(self, steps: Sequence[HiddenStep]) -> None:
        """Replace the hidden steps between the messages."""
        wanted = {entry.key: entry for entry in map(step_entry, steps)}
        for row in range(len(self.entries) - 1, -1, -1):
            entry = self.entries[row]
            if entry.step is not None and entry.key not in wanted:
                self._remove(row, row)
        for key, entry in sorted(wanted.items()):
            row = self.row_of_key(key)
            if row < 0:
                self._insert(self.entries.place_of(key), [entry])
            elif self.entries[row].step != entry.step:
                self._replace(row, entry)

    def _change_quotes_of(self, ids: Collection[int]) -> None:
        """Rebuild the rows that quote one of these messages."""
        for row, entry in enumerate(self.entries):
            if any(one.reply_to_id in ids for one in entry.messages):
                self.change_rows(row, row)

    def _look_at_date(self) -> None:
        """Rebuild all rows after midnight: "Today" becomes "Yesterday"."""
        today = self._clock.now().astimezone().date()
        if today != self.maker.today:
            self.maker.today = today
            self.change_rows(0, len(self.entries) - 1)

    def change_rows(self, first: int, last: int) -> None:
        """Make these rows anew, the last one included."""
        last = min(last, len(self.entries) - 1)
        if 0 <= first <= last:
            for row in range(first, last + 1):
                self.maker.forget(self.entries[row].key)
            self.dataChanged.emit(self.index(first, 0), self.index(last, 0))

    # --- pages ----------------------------------------------------------------------------------------------------

    def clear(self) -> None:
        """Remove all rows."""
        self._remove(0, len(self.entries) - 1)
        self.older_exist, self.at_newest = False, True

    def put_newest(self, messages: Sequence[Message]) -> None:
        """Apply the newest page, to an empty window or over its rows."""
        if len(self.entries):
            for message in messages:
                self._upsert(message, may_insert=message.key.message_id > self.entries.first_id)
        else:
            self.older_exist = len(messages) >= FIRST_ROWS
            self._add_page(messages, above=False)
        if self.at_newest:
            self._newest_id = self.entries.last_id

    def put_around(self, message_id: MessageId, messages: Sequence[Message]) -> None:
        """Replace all rows by the messages around one."""
        self._remove(0, len(self.entries) - 1)
        below = sum(1 for message in messages if message.key.message_id < message_id)
        self.older_exist = below >= PAGE_ROWS
        self.at_newest = len(messages) - below < PAGE_ROWS
        self._add_page(messages, above=False)

    def put_above(self, messages: Sequence[Message]) -> None:
        """Add an older page; rows that are too many go at the other end."""
        self.older_exist = len(messages) >= PAGE_ROWS
        first = self.entries.first_id
        self._add_page([one for one in messages if one.key.message_id < first], above=True)
        if (surplus := len(self.entries) - WINDOW_ROWS) > 0:
            self.at_newest = False
            self._remove(WINDOW_ROWS, WINDOW_ROWS + surplus - 1)

    def put_below(self, messages: Sequence[Message]) -> None:
        """Add a newer page; rows that are too many go at the other end."""
        self.at_newest = len(messages) < PAGE_ROWS
        last = self.entries.last_id
        self._add_page([one for one in messages if one.key.message_id > last], above=False)
        self._trim_above()

    def take(self, message: Message) -> bool:
        """Apply a message's new snapshot; return whether it is a new message of the chat."""
        message_id = message.key.message_id
        above_window = self.older_exist and message_id < self.entries.first_id
        below_window = not self.at_newest and message_id > self.entries.last_id
        if self._upsert(message, may_insert=not above_window and not below_window):
            self._trim_above()
        is_new = message_id > self._newest_id
        self._newest_id = max(self._newest_id, message_id)
        return is_new

    def _trim_above(self) -> None:
        if (surplus := len(self.entries) - WINDOW_ROWS) > 0:
            self.older_exist = True
            self._remove(0, surplus - 1)
