"""What the Media pane shows of one file: its descriptions, where it was seen, and who can send it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from chimein_gui.domain.media.records import DescriptionStatus

if TYPE_CHECKING:
    from datetime import datetime

    from chimein_gui.domain.ids import ChatId, MessageId
    from chimein_gui.domain.media.records import MediaPlace, MediaRecord
    from chimein_gui.domain.messages import Media, MessageKey


SETTLED = (DescriptionStatus.CURATED, DescriptionStatus.UNSUPPORTED)
"""States in which a description needs no look by the operator."""


@dataclass(frozen=True, slots=True)
class MetMedia:
    """The file of one message of a chat.

    Attributes:
        message_id: The message.
        out: The account sent it.
        at: When, aware UTC.
        kind: As `Message.media_kind`.
        media: What is known about the file.
    """

    message_id: MessageId
    out: bool
    at: datetime
    kind: str
    media: Media


@dataclass(frozen=True, slots=True)
class Sighting:
    """A file in one chat.

    Attributes:
        agent_name: Whose account has the chat.
        chat_id: The chat.
        title: Its name, foreign text.
        key: The newest message with the file.
        at: When that was sent, aware UTC.
        count: How many messages of the chat have the file.
        sent: How many of them the account sent.
    """

    agent_name: str
    chat_id: ChatId
    title: str
    key: MessageKey
    at: datetime
    count: int = 1
    sent: int = 0


@dataclass(frozen=True, slots=True)
class MediaEntry:
    """One file that was met, or has a description.

    Attributes:
        unique_id: Telegram's id of the photo or document.
        kind: Compact name of the media, as `Message.media_kind`.
        set_name: Short name of a sticker's set; else empty.
        name: The emoji of a sticker, the name of a file; may be empty. Foreign text.
        media: How Telegram described it; None if it was never met.
        curated: The operator's records, the one that is used first.
        generated: What the model said, or why it said nothing; None if it was never asked.
        seen: The chats in which it was met, newest first.
        uses: In how many prompts it stood.
        sendable_by: Names of the agents that may send it.
    """

    unique_id: str
    kind: str
    set_name: str = ""
    name: str = ""
    media: Media | None = None
    curated: tuple[MediaRecord, ...] = ()
    generated: MediaRecord | None = None
    seen: tuple[Sighting, ...] = ()
    uses: int = 0
    sendable_by: tuple[str, ...] = ()

    @property
    def status(self) -> DescriptionStatus:
        """Return what is the case with its description."""
        if self.curated:
            return DescriptionStatus.CURATED
        return self.generated.status if self.generated is not None else DescriptionStatus.PENDING

    @property
    def text(self) -> str:
        """Return the description that prompts use; empty if there is none."""
        record = self.curated[0] if self.curated else self.generated
        return record.description if record is not None else ""

    @property
    def needs_look(self) -> bool:
        """Whether the operator has not written its description yet, although one is possible."""
        return self.status not in SETTLED


@dataclass(frozen=True, slots=True)
class MediaLibrary:
    """All files.

    Attributes:
        entries: The files, in no order.
        places: Directories to which curated records can be written, the shared ones first.
        version: Another one means that something changed.
    """

    entries: tuple[MediaEntry, ...]
    places: tuple[MediaPlace, ...]
    version: int = 0
