"""The media of messages, and the files they refer to."""

from dataclasses import dataclass
from typing import Protocol

from chimein_gui.sandbox.wire.tl import TLObject

PHOTO = "photo"
STICKER = "sticker"
GIF = "gif"
VIDEO = "video"
ROUND = "round"
VOICE = "voice"
AUDIO = "audio"
DOCUMENT = "document"

PREMIUM_EFFECT = "f"
"""Telegram's type letter of the full-screen animation that makes a sticker a premium one."""


@dataclass(frozen=True, slots=True)
class MediaRef:
    """The media of a message, by reference.

    Attributes:
        kind: Short name: photo, sticker, gif, video, round (a video message), voice, audio, document, or that of a
            kind without a file (geo, contact, dice, poll …).
        file_id: A stored file; 0 for kinds without one.
        raw: The serialised MessageMedia. For kinds without a file it is complete and the same for every viewer. For
            kinds with a file it has only the flags (spoiler, self-destruction), or is empty.
    """

    kind: str
    file_id: int = 0
    raw: bytes = b""


class Content(Protocol):
    """Bytes that can be read in parts."""

    @property
    def size(self) -> int:
        """Length in bytes."""
        ...

    def read(self, offset: int, limit: int) -> bytes:
        """Return at most `limit` bytes from `offset`; empty beyond the end."""
        ...


@dataclass(frozen=True, slots=True)
class Thumb:
    """A smaller picture of a file.

    Attributes:
        letter: Telegram's size type: m for chats, a for lists.
        width: Pixels.
        height: Pixels.
    """

    letter: str
    width: int
    height: int
    content: Content


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A photo or document.

    Attributes:
        file_id: Telegram's photo or document id.
        kind: As in `MediaRef`.
        content: The bytes that clients download.
        stored_at: Whole seconds since the epoch.
        mime_type: Empty for photos, which have none.
        attributes: DocumentAttributes; a sticker's is made for each viewer, because it contains the set's access hash.
        width: Pixels, of photos only.
        height: Pixels, of photos only.
        stripped: A tiny preview in Telegram's own encoding, sent with the file's description; may be empty.
        emoji: The emoji that a sticker stands for.
        set_id: The sticker's set, 0 for none.
        effect: The animation of a premium sticker.
    """

    file_id: int
    kind: str
    content: Content
    stored_at: int
    mime_type: str = ""
    attributes: tuple[TLObject, ...] = ()
    width: int = 0
    height: int = 0
    thumb: Thumb | None = None
    stripped: bytes = b""
    emoji: str = ""
    set_id: int = 0
    effect: Content | None = None

    @property
    def is_photo(self) -> bool:
        """Whether it is a photo to Telegram, not a document."""
        return self.kind == PHOTO

    @property
    def full_letter(self) -> str:
        """Telegram's size type of a photo in full size, which depends on its longer side."""
        longer = max(self.width, self.height)
        return next((letter for limit, letter in ((320, "m"), (800, "x"), (1_280, "y")) if longer <= limit), "w")
