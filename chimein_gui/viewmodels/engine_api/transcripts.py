"""Engine protocol that reads one chat: its messages, and the invisible steps of plans between them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chimein_gui.domain.ids import ChatId, MessageId
    from chimein_gui.domain.loaded import Loaded
    from chimein_gui.domain.messages import FoundMessage, Message
    from chimein_gui.domain.plans.hidden_steps import HiddenStep


class TranscriptService(Protocol):
    """Messages of one chat. Every result is one consistent snapshot; an unknown chat raises NotFoundError."""

    async def before(self, chat_id: ChatId, before_id: MessageId | None, limit: int) -> Loaded[Message]:
        """Return up to `limit` newest messages below `before_id` (None: from the end), oldest first."""
        ...

    async def after(self, chat_id: ChatId, after_id: MessageId, limit: int) -> Loaded[Message]:
        """Return up to `limit` oldest messages above `after_id`, oldest first."""
        ...

    async def around(self, chat_id: ChatId, message_id: MessageId, limit: int) -> Loaded[Message]:
        """Return up to `limit` messages around one, half of them older, oldest first.

        If one side has too few, the other does not fill up. The message itself is among them if it is stored.
        """
        ...

    async def messages(self, chat_id: ChatId, ids: Sequence[MessageId]) -> Loaded[Message]:
        """Return those of `ids` that are stored, oldest first."""
        ...

    async def search(
        self, chat_id: ChatId, words: str, *, before_id: MessageId | None = ..., limit: int = ...
    ) -> Loaded[Message]:
        """Return up to `limit` messages that contain all of the words, ignoring case, newest first.

        Args:
            chat_id: The chat.
            words: Separated by blanks; an empty text finds nothing.
            before_id: Only messages older than this: the last one found, to continue. None starts at the end.
            limit: Most messages.
        """
        ...

    async def search_everywhere(self, words: str, *, limit: int = ...) -> Loaded[FoundMessage]:
        """Return up to `limit` messages of all chats that contain all of the words, newest first."""
        ...

    async def steps(
        self, chat_id: ChatId, *, since_id: MessageId, until_id: MessageId | None, limit: int
    ) -> Loaded[HiddenStep]:
        """Return up to `limit` invisible steps of plans between two messages (None: to the end), in their order."""
        ...
