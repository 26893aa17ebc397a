"""What the operator has seen of each chat.

An account marks a chat as read when it begins to plan or to answer, as a person does; until then its messages are
unread in Telegram. To the operator, who has had them before his eyes, they are not.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from chimein_gui.domain.ids import MessageId

if TYPE_CHECKING:
    from chimein_gui.domain.chats import Chat
    from chimein_gui.domain.ids import ChatId


@dataclass(frozen=True, slots=True)
class _Seen:
    """How far the operator has seen a chat that its account has not read as far.

    Attributes:
        chat: The chat as the engine tells it.
        up_to: The newest message of others that was seen.
        unread: How many up to that one are unread to the account.
    """

    chat: Chat
    up_to: MessageId
    unread: int


class SeenMessages:
    """Turns what is unread to an account into what is unread to the operator."""

    def __init__(self) -> None:
        self._reading: ChatId | None = None
        self._seen: dict[ChatId, _Seen] = {}

    def read(self, chat: Chat | None) -> None:
        """Note which chat's newest messages are before the operator's eyes from now on; None for no chat's."""
        self._reading = None if chat is None else chat.chat_id

    def see(self, chat: Chat) -> None:
        """Take all messages of a chat, as the engine told it last, for seen by the operator."""
        self._seen[chat.chat_id] = _Seen(chat, max(chat.newest_in_id, chat.read_up_to), chat.unread)

    def is_read(self, chat_id: ChatId | None) -> bool:
        """Tell whether this is the chat whose newest messages are before the operator's eyes."""
        return self._reading == chat_id

    def told(self, chat: Chat) -> Chat:
        """Return a chat as the engine told it last."""
        seen = self._seen.get(chat.chat_id)
        return chat if seen is None else seen.chat

    def to_operator(self, chat: Chat) -> Chat:
        """Return a chat of the engine with what is unread to the operator."""
        seen = self._seen.get(chat.chat_id)
        if chat.chat_id == self._reading:
            seen = _Seen(chat, max(chat.newest_in_id, chat.read_up_to), chat.unread)
        if seen is None or seen.up_to <= chat.read_up_to or not chat.unread:
            self._seen.pop(chat.chat_id, None)
            return replace(chat, unread=0) if chat.chat_id == self._reading and chat.unread else chat
        self._seen[chat.chat_id] = replace(seen, chat=chat)
        # A seen message that was deleted since is not counted any more: a newer one must be, all the same.
        least = int(chat.newest_in_id > seen.up_to)
        return replace(chat, unread=max(least, chat.unread - seen.unread), read_up_to=max(chat.read_up_to, seen.up_to))
