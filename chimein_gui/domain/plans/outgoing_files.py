"""Photos and files that the operator sends as the agent."""

from dataclasses import dataclass
from pathlib import Path

MAX_FILE_BYTES = 2_000 * 2**20
"""Largest file that Telegram accepts from accounts without Premium: 4,000 parts of 512 KB."""

MAX_PHOTO_BYTES = 10 * 2**20
"""Largest picture that Telegram accepts as a photo; a larger one is sent as a file."""

MAX_CAPTION_UNITS = 1024
"""Longest caption, in UTF-16 units."""


@dataclass(frozen=True, slots=True)
class OutgoingFile:
    """A photo or file to be sent; its bytes are copied into the state directory before the decision.

    Attributes:
        stored_as: Name of the copy.
        file_name: As the receiver sees it; never used as a path.
        size: Bytes.
        mime_type: Determined from its name and content.
        as_photo: True: Telegram shows it as a photo. False: it arrives as an unchanged file.
        width: Pixels of a picture; 0 if unknown.
        height: Pixels; 0 if unknown.
    """

    stored_as: str
    file_name: str
    size: int
    mime_type: str
    as_photo: bool = False
    width: int = 0
    height: int = 0

    @property
    def media_kind(self) -> str:
        """Return the media kind of its message."""
        return "photo" if self.as_photo else "document"


@dataclass(frozen=True, slots=True)
class FileToSend:
    """The operator's choice, before it is copied.

    Attributes:
        source: Its path, or its bytes if it came from the clipboard.
        file_name: As the receiver sees it.
        as_photo: See `OutgoingFile`.
        width: Pixels of a picture; 0 if unknown.
        height: Pixels; 0 if unknown.
    """

    source: Path | bytes
    file_name: str
    as_photo: bool = False
    width: int = 0
    height: int = 0
