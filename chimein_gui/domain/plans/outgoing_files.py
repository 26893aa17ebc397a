"""Photos and files that the operator sends as the agent."""

from dataclasses import dataclass
from pathlib import Path

MAX_FILE_BYTES = 2_000 * 2**20
"""Largest file that Telegram takes of everybody: 4,000 parts of 512 KB."""

MAX_PHOTO_BYTES = 10 * 2**20
"""Largest picture that Telegram makes a photo of; a larger one goes as a file."""

MAX_CAPTION_UNITS = 1024
"""Longest caption, in UTF-16 units."""


@dataclass(frozen=True, slots=True)
class OutgoingFile:
    """A photo or file about to leave; its bytes are copied into the state directory before it is decided upon.

    Attributes:
        stored_as: Name of the copy.
        file_name: As the receiver sees it; never used as a path.
        size: Bytes.
        mime_type: By its name and content.
        as_photo: Telegram makes a photo of it, which is shown at once; otherwise it arrives as it is.
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
        """Return the name that its message carries."""
        return "photo" if self.as_photo else "document"


@dataclass(frozen=True, slots=True)
class FileToSend:
    """What the operator chose, before it is copied.

    Attributes:
        source: Where it lies, or its bytes where it came from the clipboard.
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
