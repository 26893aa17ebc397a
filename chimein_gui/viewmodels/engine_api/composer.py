"""What view models may ask of the engine about the operator's own messages, before and after they leave."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from chimein_gui.domain.chats import Unsent
    from chimein_gui.domain.ids import AgentId, ChatId, MessageId
    from chimein_gui.domain.notes import Note
    from chimein_gui.domain.plans.outgoing_files import FileToSend
    from chimein_gui.domain.plans.stickers import StickerRef
    from chimein_gui.engine.operator.composer import Written


class ComposerConsole(Protocol):
    """The operator writes as the agent."""

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
        """Send a message as the agent, which pauses in this chat from now on; what was kept of it is forgotten.

        A sticker leaves instead of the text; a file with the text as its caption.
        """
        ...

    async def keep(self, unsent: Unsent) -> None:
        """Keep what is typed in a chat, so that no crash loses it; an empty text forgets it."""
        ...

    async def load_kept(self) -> tuple[Unsent, ...]:
        """Return what was typed and not sent, by chat."""
        ...


class StickersConsole(Protocol):
    """What stickers the agents may send."""

    async def load(self, agent_id: AgentId) -> tuple[StickerRef, ...]:
        """Return what an agent may send, single stickers first."""
        ...


class SentConsole(Protocol):
    """What has been sent can be changed for a while."""

    async def edit(self, chat_id: ChatId, message_id: MessageId, text: str) -> Note | None:
        """Give a message of ours another text; returns why it was not done, None if it was."""
        ...

    async def delete(self, chat_id: ChatId, message_id: MessageId) -> Note | None:
        """Delete a message of ours for everyone, all its parts; returns why it was not done, None if it was."""
        ...
