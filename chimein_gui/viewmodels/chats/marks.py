"""The operator's marks on chats: pinned and muted. They are local: Telegram does not learn of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

if TYPE_CHECKING:
    from collections.abc import Iterable

    from chimein_gui.domain.ids import ChatId


class ChatMarks(QObject):
    """The marks of all chats; the chats pane saves them between runs.

    Attributes:
        changed: The marks of a chat changed; its id.
        read: The operator marks a chat as read; its id. Telegram's read state does not change.
        pinned: These chats come before the others of their agent.
        muted: These chats show no notifications.
    """

    changed = Signal(object)
    read = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.pinned: set[ChatId] = set()
        self.muted: set[ChatId] = set()

    def toggle_pinned(self, chat_id: ChatId) -> None:
        self._toggle(self.pinned, chat_id)

    def toggle_muted(self, chat_id: ChatId) -> None:
        self._toggle(self.muted, chat_id)

    def restore(self, pinned: Iterable[ChatId], muted: Iterable[ChatId]) -> None:
        """Add the marks of the last run."""
        for marks, kept in ((self.pinned, pinned), (self.muted, muted)):
            for chat_id in kept:
                if chat_id not in marks:
                    self._toggle(marks, chat_id)

    def _toggle(self, marks: set[ChatId], chat_id: ChatId) -> None:
        marks ^= {chat_id}
        self.changed.emit(chat_id)
