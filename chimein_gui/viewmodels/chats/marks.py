"""What the operator has marked in the list of chats: pinned, muted. It is his alone: Telegram is told nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

if TYPE_CHECKING:
    from collections.abc import Iterable

    from chimein_gui.domain.ids import ChatId


class ChatMarks(QObject):
    """Kept from run to run by the pane of the chats.

    Attributes:
        changed: A chat has other marks; its id.
        read: The operator takes a chat for read; its id. What its account has read stays as it is.
        pinned: These chats stand before the others of their agent.
        muted: Of these chats no notification is shown.
    """

    changed = Signal(object)
    read = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.pinned: set[ChatId] = set()
        self.muted: set[ChatId] = set()

    def toggle_pinned(self, chat_id: ChatId) -> None:
        """Pin a chat, or unpin it."""
        self._toggle(self.pinned, chat_id)

    def toggle_muted(self, chat_id: ChatId) -> None:
        """Mute a chat, or let it notify again."""
        self._toggle(self.muted, chat_id)

    def restore(self, pinned: Iterable[ChatId], muted: Iterable[ChatId]) -> None:
        """Take the marks of the last run."""
        for marks, kept in ((self.pinned, pinned), (self.muted, muted)):
            for chat_id in kept:
                if chat_id not in marks:
                    self._toggle(marks, chat_id)

    def _toggle(self, marks: set[ChatId], chat_id: ChatId) -> None:
        marks ^= {chat_id}
        self.changed.emit(chat_id)
