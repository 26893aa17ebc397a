"""Engine protocols for the operator's own messages, before and after they are sent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from chimein_gui.domain.chats import Unsent
    from chimein_gui.domain.ids import AgentId, ChatId, MessageId
    from chimein_gui.domain.notes import Note
    from chimein_gui.domain.plans.outgoing_files import FileToSend
    from chimein_gui.domain.plans.stickers import StickerRef
    from chimein_gui.engine.operator.composer import Written


class ComposerService(Protocol):
    """Sends the operator's messages as the agent, and saves unsent ones."""

    async def write(
        self,
        chat_id: ChatId,
        text: str,
        *,
        client_id: str,
        reply_to_id: MessageId | None = ...,
        confirm: bool = ...,
        attached: StickerRef | FileToSend | None = ...,
    ) -> Written:
        """Send a message as the agent; takes the chat over, and deletes what was saved of the message.

        A sticker is sent instead of the text; a file is sent with the text as its caption.
        """
        ...

    async def keep(self, unsent: Unsent) -> None:
        """Save what is typed in a chat, so that no crash loses it; an empty text deletes it."""
        ...

    async def load_kept(self) -> tuple[Unsent, ...]:
        """Return the saved unsent texts of all chats."""
        ...


class StickersService(Protocol):
    """The stickers that agents can send."""

    async def load(self, agent_id: AgentId) -> tuple[StickerRef, ...]:
        """Return an agent's stickers, single stickers first."""
        ...


class SentService(Protocol):
    """Edits and deletes sent messages."""

    async def edit(self, chat_id: ChatId, message_id: MessageId, text: str) -> Note | None:
        """Replace the text of a sent message; returns why it was not done, None if it was."""
        ...

    async def delete(self, chat_id: ChatId, message_id: MessageId) -> Note | None:
        """Delete a sent message for everyone, with all its parts; returns why it was not done, None if it was."""
        ...
