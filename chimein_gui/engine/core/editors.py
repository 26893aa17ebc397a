"""Chats in which a draft is being edited: nothing leaves automatically beside an open editor."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from chimein_gui.domain.ids import ChatId


class Editors:
    """Counts the open editors of each chat; `is_open` may be asked from any thread."""

    def __init__(self, on_closed: Callable[[ChatId], None]) -> None:
        """Begin with none; `on_closed` hears of chats whose last editor was closed."""
        self._on_closed = on_closed
        self._open: dict[ChatId, int] = {}

    def is_open(self, chat_id: ChatId) -> bool:
        """Tell whether a draft of this chat is being edited."""
        return chat_id in self._open

    def begin(self, chat_id: ChatId) -> None:
        """An editor was opened."""
        self._open[chat_id] = self._open.get(chat_id, 0) + 1

    def end(self, chat_id: ChatId) -> None:
        """An editor was closed; closing more than were opened is harmless."""
        left = self._open.pop(chat_id, 0) - 1
        if left > 0:
            self._open[chat_id] = left
        elif left == 0:
            self._on_closed(chat_id)
