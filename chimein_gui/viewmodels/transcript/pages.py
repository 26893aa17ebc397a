"""The part of a chat that a transcript holds, and how pages are added and removed at its ends."""

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
"""Most rows at once: after each change QListView asks every row for its height."""

FIRST_ROWS = 40
"""Messages of the first page: more than fit on most screens; a view that shows all of them loads older ones."""

PAGE_ROWS = 20
"""Messages of a further page: they are measured all at once, and that must fit into a frame."""


class TranscriptPages(TranscriptList):
    """The rows of a window over a chat; two flags tell whether there are more above and below it."""

    def __init__(self, bridge: EngineBridge, clock: ClockFace, parent: QObject | None = None) -> None:
        super().__init__(bridge, clock, parent)
        self._older_exist = False
        self._at_newest = True
        self._newest_id = 0

    @property
    def at_newest(self) -> bool:
        """Whether the window reaches the newest message."""
        return self._at_newest

    def _clear(self) -> None:
        self._remove(0, len(self._entries) - 1)
        self._older_exist, self._at_newest = False, True

    def _put_newest(self, messages: Sequence[Message]) -> None:
        """Apply the newest page, to an empty window or over its rows."""
        if len(self._entries):
            for message in messages:
                self._upsert(message, may_insert=message.key.message_id > self._entries.first_id)
        else:
            self._older_exist = len(messages) >= FIRST_ROWS
            self._add_page(messages, above=False)
        if self._at_newest:
            self._newest_id = self._entries.last_id

    def _put_around(self, message_id: MessageId, messages: Sequence[Message]) -> None:
        """Replace all rows by the messages around one."""
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
        """Apply a message's new snapshot; return whether it is a new message of the chat."""
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
