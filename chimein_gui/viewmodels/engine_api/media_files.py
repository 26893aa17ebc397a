"""Engine protocol that fetches the files of messages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from pathlib import Path

    from chimein_gui.domain.messages import Media, MessageKey


class MediaFilesService(Protocol):
    """Files of messages, fetched from Telegram once and cached for a while."""

    async def file(self, key: MessageKey, *, thumbnail: bool = ..., media: Media | None = ...) -> Path:
        """Return the path of a message's file, or of its thumbnail; fetches it if need be.

        The file is complete when its path is returned. Its content is foreign and unchecked. It may be removed later to
        free space; call again then. Two calls at once fetch it once.

        Args:
            key: The message.
            thumbnail: Return Telegram's small picture of it, JPEG or WebP; for a photo a small size of it.
            media: `Message.media`; needed only for a planned sticker, whose message does not exist yet.

        Raises:
            MediaUnavailableError: There is none, or not now; `trouble` says which, `can_retry` whether to try again.
        """
        ...
