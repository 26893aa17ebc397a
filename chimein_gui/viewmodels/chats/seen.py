"""What the operator has seen of each chat, and what he has postponed.

An account marks a chat as read when it begins to plan or to answer, as a person does; until then its messages are
unread in Telegram. For the operator they are not, once they were on the screen.
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
        chat: The engine's last snapshot.
        up_to: The newest incoming message that was seen.
        unread: Number of messages up to that one that are unread for the account.
    """

    chat: Chat
    up_to: MessageId
    unread: int


class SeenMessages:
    """Turns the counts of an account into those of the operator."""

    def __init__(self) -> None:
        self._reading: ChatId | None = None
        self._seen: dict[ChatId, _Seen] = {}
        self._postponed: dict[ChatId, int] = {}

    def read(self, chat: Chat | None) -> None:
        """Set the chat whose newest messages are on the screen from now on; None for no chat."""
        self._reading = None if chat is None else chat.chat_id

    def see(self, chat: Chat) -> None:
        """Mark all messages of this snapshot of a chat as seen by the operator."""
        self._seen[chat.chat_id] = _Seen(chat, max(chat.newest_in_id, chat.read_up_to), chat.unread)

    def is_read(self, chat_id: ChatId | None) -> bool:
        """Tell whether this is the chat whose newest messages are on the screen."""
        return self._reading == chat_id

    def as_reported(self, chat: Chat) -> Chat:
        """Return the engine's last snapshot of a chat."""
        seen = self._seen.get(chat.chat_id)
        if seen is not None:
            return seen.chat
        return replace(chat, pending=chat.pending + chat.postponed, postponed=0) if chat.postponed else chat

    def set_postponed(self, chat_id: ChatId, number: int) -> bool:
        """Set how many drafts of a chat are postponed; tell whether that is another number than before."""
        before = self._postponed.pop(chat_id, 0)
        if number:
            self._postponed[chat_id] = number
        return number != before

    def to_operator(self, chat: Chat) -> Chat:
        """Return the engine's snapshot of a chat with the operator's counts."""
        postponed = min(chat.pending, self._postponed.get(chat.chat_id, 0))
        shown = self._with_unread(chat)
        return replace(shown, pending=chat.pending - postponed, postponed=postponed) if postponed else shown

    def _with_unread(self, chat: Chat) -> Chat:
        seen = self._seen.get(chat.chat_id)
        if chat.chat_id == self._reading:
            seen = _Seen(chat, max(chat.newest_in_id, chat.read_up_to), chat.unread)
        if seen is None or seen.up_to <= chat.read_up_to or not chat.unread:
            self._seen.pop(chat.chat_id, None)
            return replace(chat, unread=0) if chat.chat_id == self._reading and chat.unread else chat
        self._seen[chat.chat_id] = replace(seen, chat=chat)
        # A seen message deleted since lowers the engine's count, but a newer unseen one still counts.
        least = int(chat.newest_in_id > seen.up_to)
        return replace(chat, unread=max(least, chat.unread - seen.unread), read_up_to=max(chat.read_up_to, seen.up_to))
