"""The window of a transcript over one chat: which part of the chat it holds, and how pages come and go at its ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chimein_gui.viewmodels.transcript.list import TranscriptList

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtCore import QObject

    from chimein_gui.domain.ids import MessageId
    from chimein_gui.domain.messages import Message
    from chimein_gui.viewmodels.core.bridge import EngineBridge
    from chimein_gui.viewmodels.core.clock import ClockFace

WINDOW_ROWS = 300
"""Most rows at once: QListView asks every row for its height with each change of any."""

FIRST_ROWS = 40
"""Messages a chat opens with: more than most screens hold; a view that shows them all asks for older ones."""

PAGE_ROWS = 20
"""Messages of a further page: they are measured all at once, and that must fit into a frame."""


class TranscriptPages(TranscriptList):
    """Rows that are a window: what is above and below it is told by two flags."""

    def __init__(self, bridge: EngineBridge, clock: ClockFace, parent: QObject | None = None) -> None:
        super().__init__(bridge, clock, parent)
        self._older_exist = False
        self._at_newest = True
        self._newest_id = 0

    @property
    def at_newest(self) -> bool:
        """False while the newest rows have been paged out."""
        return self._at_newest

    def _clear(self) -> None:
        self._remove(0, len(self._entries) - 1)
        self._older_exist, self._at_newest = False, True

    def _put_newest(self, messages: Sequence[Message]) -> None:
        """Take the newest page, into an empty window or over what is there."""
        if len(self._entries):
            for message in messages:
                self._upsert(message, may_insert=message.key.message_id > self._entries.first_id)
        else:
            self._older_exist = len(messages) >= FIRST_ROWS
            self._add_page(messages, above=False)
        if self._at_newest:
            self._newest_id = self._entries.last_id

    def _put_around(self, message_id: MessageId, messages: Sequence[Message]) -> None:
        """Take the messages around one in place of everything."""
        self._remove(0, len(self._entries) - 1)
        below = sum(1 for message in messages if message.key.message_id < message_id)
        self._older_exist = below >= PAGE_ROWS
        self._at_newest = len(messages) - below < PAGE_ROWS
        self._add_page(messages, above=False)

    def _put_above(self, messages: Sequence[Message]) -> None:
        self._older_exist = len(messages) >= PAGE_ROWS
        first = self._entries.first_id
        self._add_page([one for one in messages if one.key.message_id < first], above=True)
        if (surplus := len(self._entries) - WINDOW_ROWS) > 0:
            self._at_newest = False
            self._remove(WINDOW_ROWS, WINDOW_ROWS + surplus - 1)

    def _put_below(self, messages: Sequence[Message]) -> None:
        self._at_newest = len(messages) < PAGE_ROWS
        last = self._entries.last_id
        self._add_page([one for one in messages if one.key.message_id > last], above=False)
        self._trim_above()

    def _take(self, message: Message) -> bool:
        """Take what has just happened to a message; return whether it is the newest of the chat now."""
        message_id = message.key.message_id
        above_window = self._older_exist and message_id < self._entries.first_id
        below_window = not self._at_newest and message_id > self._entries.last_id
        if self._upsert(message, may_insert=not above_window and not below_window):
            self._trim_above()
        is_new = message_id > self._newest_id
        self._newest_id = max(self._newest_id, message_id)
        return is_new

    def _trim_above(self) -> None:
        if (surplus := len(self._entries) - WINDOW_ROWS) > 0:
            self._older_exist = True
            self._remove(0, surplus - 1)
