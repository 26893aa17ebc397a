"""The part of the console that fetches the files of messages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from pathlib import Path

    from chimein_gui.domain.messages import Media, MessageKey


class MediaFilesConsole(Protocol):
    """Files of messages, fetched from Telegram once and kept for a while."""

    async def file(self, key: MessageKey, *, thumbnail: bool = ..., media: Media | None = ...) -> Path:
        """Return a whole file of a message, or its small still picture, fetching it if need be.

        The file is complete whenever its path is returned, and its content is foreign: nothing of it has been looked
        into. It may be removed later to make room; ask again then. Asking twice at once fetches once.

        Args:
            key: Which message.
            thumbnail: The small picture Telegram made of it: JPEG or WebP. For a photo it is a small size of it.
            media: `Message.media`; only the sticker of a plan needs it, whose message is not there yet.

        Raises:
            MediaUnavailableError: There is none, or not now; `trouble` says which, `can_retry` whether to ask again.
        """
        ...
