"""The messages of one chat: a window of rows that is paged from the store."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, Qt, Signal

from chimein_gui.domain.events import ChatChanged, MessageStored
from chimein_gui.domain.ids import MessageId
from chimein_gui.viewmodels.live_rows import LiveRows
from chimein_gui.viewmodels.message_words import message_words
from chimein_gui.viewmodels.roles import SPOKEN, Index, ItemRole, KeyRole, SortRole

if TYPE_CHECKING:
    from chimein_gui.domain.chats import Chat
    from chimein_gui.domain.events import EngineEvent
    from chimein_gui.domain.messages import Message
    from chimein_gui.engine.ports import Spawn
    from chimein_gui.viewmodels.bridge import EngineBridge
    from chimein_gui.viewmodels.clock_face import ClockFace
    from chimein_gui.viewmodels.console import Console

WINDOW_ROWS = 500
"""Most rows at once: QListView with exact heights gets slow beyond (FACTS)."""

PAGE_ROWS = 100
"""Rows of one page."""


@dataclass(frozen=True, slots=True)
class TranscriptRow:
    """What the delegate needs to draw one message.

    Attributes:
        message: The snapshot.
        reply_to: The message it answers, where that is in the window.
        day: Heading above it, where a new day begins; else empty.
        clock: Its time of day.
        read: True once the partner has read it; only for ours.
        own_name: The agent's name, for quotes.
        continues: Its author has also written the message above it.
    """

    message: Message
    reply_to: Message | None
    day: str
    clock: str
    read: bool
    own_name: str
    continues: bool = False


class TranscriptModel(QAbstractListModel):
    """A window over one chat, oldest first.

    Attributes:
        opened: Another chat's rows are there; carries the chat id.
        failed: What could not be read.
    """

    opened = Signal(object)
    failed = Signal(str)

    def __init__(self, bridge: EngineBridge, clock: ClockFace, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._clock = clock
        self._console: Console | None = None
        self._spawn: Spawn | None = None
        self._chat: Chat | None = None
        self._own_name = ""
        self._rows: list[Message] = []
        self._ids: list[int] = []
        self._made: dict[int, TranscriptRow] = {}
        self._today = clock.now().astimezone().date()
        clock.ticked.connect(self._look_at_date)
        self._older_exist = False
        self._at_newest = True
        self._paging = False
        self._live = LiveRows(bridge, self._apply, self)
        self._older = LiveRows(bridge, lambda _event: None, self)
        for live in (self._live, self._older):
            live.failed.connect(self.failed)

    def attach(self, console: Console, spawn: Spawn) -> None:
        """Remember whom to ask; nothing is fetched before a chat is opened."""
        self._console, self._spawn = console, spawn
        if self._chat is not None:
            self.open(self._chat, self._own_name)

    @property
    def chat(self) -> Chat | None:
        """The open chat's newest snapshot."""
        return self._chat

    @property
    def at_newest(self) -> bool:
        """False while the newest rows have been paged out."""
        return self._at_newest

    def open(self, chat: Chat, own_name: str) -> None:
        """Show a chat from its newest messages."""
        same = self._chat is not None and self._chat.chat_id == chat.chat_id
        self._chat, self._own_name = chat, own_name
        self._made.clear()
        if not same:
            self._clear()
        self._older.forget()
        self._paging = False
        if self._console is not None and self._spawn is not None:
            console = self._console
            self._live.fetch(
                self._spawn,
                lambda: console.load_transcript(chat.chat_id, before_id=None, limit=PAGE_ROWS),
                self._install,
                name=f"load transcript {chat.chat_id}",
            )

    def load_older(self) -> None:
        """Fetch the page above the first row, if there is one and none is on its way."""
        if self._console is None or self._spawn is None or self._chat is None or not self._rows:
            return
        if self._paging or not self._older_exist:
            return
        self._paging = True
        console, chat_id, before = self._console, self._chat.chat_id, MessageId(self._ids[0])
        self._older.fetch(
            self._spawn,
            lambda: console.load_transcript(chat_id, before_id=before, limit=PAGE_ROWS),
            self._prepend,
            name=f"load older {chat_id}",
        )

    def load_newest(self) -> None:
        """Come back to the newest rows after they were paged out."""
        if self._chat is not None and not self._at_newest:
            self._clear()
            self.open(self._chat, self._own_name)

    def message(self, message_id: MessageId | None) -> Message | None:
        """Return a message of the window."""
        if message_id is None:
            return None
        row = bisect_left(self._ids, message_id)
        return self._rows[row] if row < len(self._ids) and self._ids[row] == message_id else None

    # --- Qt -------------------------------------------------------------------------------------------------------

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid() or not 0 <= index.row() < len(self._rows):
            return None
        message = self._rows[index.row()]
        if role == ItemRole:
            return self.row_at(index.row())
        if role == KeyRole:
            return message.key
        if role == SortRole:
            return message.key.message_id
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return self._sentence(self.row_at(index.row()))
        return None

    def row_at(self, row: int) -> TranscriptRow:
        """Return what a row shows, the same object until it changes, without the way through Qt."""
        made = self._made.get(self._ids[row])
        if made is None:
            made = self._made[self._ids[row]] = self._make(row)
        return made

    def _make(self, row: int) -> TranscriptRow:
        message = self._rows[row]
        before = self._rows[row - 1] if row else None
        new_day = before is None or before.sent_at.astimezone().date() != message.sent_at.astimezone().date()
        read_up_to = self._chat.partner_read_up_to if self._chat else 0
        return TranscriptRow(
            message,
            self.message(message.reply_to_id),
            self._clock.day(message.sent_at) if new_day else "",
            self._clock.clock(message.sent_at),
            message.out and message.key.message_id <= read_up_to,
            self._own_name,
            before is not None and not new_day and not before.is_service and before.sender_id == message.sender_id,
        )

    def _sentence(self, row: TranscriptRow) -> str:
        message = row.message
        who = (self._own_name if message.out else message.sender_name)[:SPOKEN]
        parts = [f"{who}: {message_words(message)}", row.clock]
        if row.reply_to is not None:
            parts.append(self.tr("in reply to {text}").format(text=message_words(row.reply_to)[:80]))
        if message.edited_at is not None:
            parts.append(self.tr("edited"))
        if message.out:
            parts.append(self.tr("read") if row.read else self.tr("sent"))
        return ", ".join(parts)

    # --- changes --------------------------------------------------------------------------------------------------

    def _clear(self) -> None:
        self._live.forget()
        if self._rows:
            self.beginRemoveRows(QModelIndex(), 0, len(self._rows) - 1)
            self._rows, self._ids = [], []
            self._made.clear()
            self.endRemoveRows()
        self._older_exist, self._at_newest = False, True

    def _install(self, messages: tuple[Message, ...]) -> None:
        known = len(self._rows)
        for message in messages:
            self._upsert(message)
        if known == 0:
            self._older_exist = len(messages) >= PAGE_ROWS
        if self._chat is not None:
            self.opened.emit(self._chat.chat_id)

    def _prepend(self, messages: tuple[Message, ...]) -> None:
        self._paging = False
        self._older_exist = len(messages) >= PAGE_ROWS
        fresh = [message for message in messages if not self._ids or message.key.message_id < self._ids[0]]
        if not fresh:
            return
        self.beginInsertRows(QModelIndex(), 0, len(fresh) - 1)
        self._rows[:0] = fresh
        self._ids[:0] = [message.key.message_id for message in fresh]
        self._made.clear()  # what could not be quoted before can be now
        self.endInsertRows()
        self._changed(len(fresh), len(fresh))  # its day line may be superfluous now
        if (surplus := len(self._rows) - WINDOW_ROWS) > 0:
            self._at_newest = False
            self.beginRemoveRows(QModelIndex(), WINDOW_ROWS, WINDOW_ROWS + surplus - 1)
            del self._rows[WINDOW_ROWS:], self._ids[WINDOW_ROWS:]
            self.endRemoveRows()

    def _apply(self, event: EngineEvent) -> None:
        if self._chat is None:
            return
        if isinstance(event, MessageStored) and event.chat_id == self._chat.chat_id:
            self._upsert(event.message)
        elif isinstance(event, ChatChanged) and event.chat.chat_id == self._chat.chat_id:
            old, self._chat = self._chat, event.chat
            if old.partner_read_up_to != event.chat.partner_read_up_to:
                first = bisect_left(self._ids, old.partner_read_up_to)
                self._changed(first, len(self._rows) - 1)

    def _upsert(self, message: Message) -> None:
        message_id = message.key.message_id
        row = bisect_left(self._ids, message_id)
        if row < len(self._ids) and self._ids[row] == message_id:
            if self._rows[row] != message:
                self._rows[row] = message
                self._changed(row, row)
                self._change_quotes(message_id)
            return
        beyond = row == len(self._ids) and not self._at_newest
        if beyond or (row == 0 and self._ids and self._older_exist):
            return  # outside of the window: paging brings it
        self.beginInsertRows(QModelIndex(), row, row)
        self._rows.insert(row, message)
        self._ids.insert(row, message_id)
        self.endInsertRows()
        self._changed(row + 1, row + 1)
        if row + 1 < len(self._rows):
            self._change_quotes(message_id)
        if len(self._rows) > WINDOW_ROWS:
            self.beginRemoveRows(QModelIndex(), 0, 0)
            self._made.pop(self._ids[0], None)
            del self._rows[0], self._ids[0]
            self.endRemoveRows()
            self._changed(0, 0)  # it gets the day line
            self._older_exist = True

    def _change_quotes(self, message_id: int) -> None:
        """Make those rows anew that quote a message."""
        for row, message in enumerate(self._rows):
            if message.reply_to_id == message_id:
                self._changed(row, row)

    def _look_at_date(self) -> None:
        """At midnight, "Today" becomes "Yesterday"."""
        today = self._clock.now().astimezone().date()
        if today != self._today:
            self._today = today
            self._changed(0, len(self._rows) - 1)

    def _changed(self, first: int, last: int) -> None:
        last = min(last, len(self._rows) - 1)
        if 0 <= first <= last:
            for message_id in self._ids[first : last + 1]:
                self._made.pop(message_id, None)
            self.dataChanged.emit(self.index(first, 0), self.index(last, 0))
