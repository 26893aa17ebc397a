"""Messages that are quoted in the window but are outside it: fetched by id, once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from chimein_gui.viewmodels.core.live_query import LiveQuery
from chimein_gui.viewmodels.transcript.rows import Parent

if TYPE_CHECKING:
    from collections.abc import Iterable

    from chimein_gui.domain.ids import ChatId, MessageId
    from chimein_gui.domain.messages import Message
    from chimein_gui.engine.ports import Spawn
    from chimein_gui.viewmodels.core.bridge import EngineBridge
    from chimein_gui.viewmodels.engine_api.transcripts import TranscriptService

MOST = 2000
"""Most quoted messages kept for one chat; beyond that all are dropped."""


class Parents(QObject):
    """The quoted messages outside the window.

    Attributes:
        found: The messages with these ids were fetched, or do not exist.
    """

    found = Signal(object)

    def __init__(self, bridge: EngineBridge, parent: QObject) -> None:
        super().__init__(parent)
        self._known: dict[int, Message | None] = {}
        self._asked: set[MessageId] = set()
        self._rows = LiveQuery(bridge, lambda _event: None, self, kinds=frozenset())
        self._rows.failed.connect(self._asked.clear)

    def clear(self) -> None:
        """Forget all messages, for another chat."""
        self._rows.forget()
        self._known.clear()
        self._asked.clear()

    def ask(self, source: TranscriptService, spawn: Spawn, chat_id: ChatId, ids: Iterable[MessageId]) -> None:
        """Fetch those that are neither known nor being fetched."""
        wanted = {one for one in ids if one not in self._known} - self._asked
        if not wanted:
            return
        self._asked |= wanted
        asked = tuple(sorted(self._asked))  # all of them: this fetch cancels one that is running

        def install(messages: tuple[Message, ...]) -> None:
            if len(self._known) > MOST:
                self._known.clear()
            self._known.update({one: None for one in asked if self._known.get(one) is None})
            self._known.update({one.key.message_id: one for one in messages})
            self._asked.difference_update(asked)
            self.found.emit(asked)

        self._rows.fetch(spawn, lambda: source.messages(chat_id, asked), install, name=f"load quoted {chat_id}")

    def keep(self, message: Message) -> None:
        """Store the newest snapshot of a message."""
        self._known[message.key.message_id] = message

    def knows(self, message_id: int) -> bool:
        """Tell whether a message is stored here, or is known not to exist."""
        return message_id in self._known

    def get(self, message_id: int) -> tuple[Message | None, Parent]:
        """Return a quoted message or None, and what is known of it."""
        if message_id not in self._known:
            return None, Parent.ASKED
        found = self._known[message_id]
        return found, Parent.FOUND if found is not None else Parent.GONE
