"""What a message carries besides its text."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class MediaRef:
    """The media of a message, by reference.

    Attributes:
        kind: Compact name: photo, sticker, gif, video, voice, audio, document, or that of a kind without a file
            (geo, contact, dice, poll, webpage …).
        file_id: A stored file; 0 for kinds without one.
        raw: The serialised MessageMedia of kinds without a file; the same for every viewer.
    """

    kind: str
    file_id: int = 0
    raw: bytes = b""
