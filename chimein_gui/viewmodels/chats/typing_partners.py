"""The partners that are typing now; each ends at its time."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

if TYPE_CHECKING:
    from chimein_gui.domain.ids import ChatId
    from chimein_gui.viewmodels.core.clock import ClockFace

_GRACE_MS = 20


class TypingPartners(QObject):
    """The chats whose partner is typing.

    Attributes:
        changed: Typing began or ended in a chat; carries the chat id.
    """

    changed = Signal(object)

    def __init__(self, clock: ClockFace, parent: QObject) -> None:
        super().__init__(parent)
        self._clock = clock
        self._until: dict[ChatId, datetime] = {}
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.look_again)

    def __contains__(self, chat_id: object) -> bool:
        return chat_id in self._until

    def note(self, chat_id: ChatId, until: datetime) -> None:
        """Record that a partner types until then, unless a later call extends it."""
        began = chat_id not in self._until
        self._until[chat_id] = until
        if began:
            self.changed.emit(chat_id)
        self.look_again()

    def stop(self) -> None:
        """Stop the timer."""
        self._timer.stop()

    def look_again(self) -> None:
        """Remove those whose time is over, and set the timer for the next."""
        self._timer.stop()
        now = self._clock.now()
        for chat_id in [key for key, until in self._until.items() if until <= now]:
            del self._until[chat_id]
            self.changed.emit(chat_id)
        if self._until:
            left = min(self._until.values()) - now
            self._timer.start(max(_GRACE_MS, int(left.total_seconds() * 1000) + _GRACE_MS))
