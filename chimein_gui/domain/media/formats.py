"""Which media a model can be shown, and in which form."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from chimein_gui.domain.messages import FrameKind

if TYPE_CHECKING:
    from chimein_gui.domain.messages import Media

MOST_VIDEO = 20 * 2**20
"""Largest video of which frames are drawn, in bytes; of a larger one Telegram's still picture is taken."""

_STICKERS = {"application/x-tgsticker": FrameKind.TGS, "video/webm": FrameKind.WEBM}
_VIDEOS = frozenset({"gif", "video", "round video"})


class Shown(StrEnum):
    """In which form a model gets a medium."""

    PICTURE = "picture"
    """As it is."""
    FRAMES = "frames"
    """Some of its pictures on one sheet."""
    SOUND = "sound"
    """As sound, for a transcript."""


_STILL = {"": Shown.PICTURE, "image/jpeg": Shown.PICTURE, "image/png": Shown.PICTURE, "image/webp": Shown.PICTURE}
_MOVING = {"video/mp4": Shown.FRAMES, "video/webm": Shown.FRAMES, "video/quicktime": Shown.FRAMES}
_SOUNDS = (
    "audio/aac", "audio/flac", "audio/mp3", "audio/mp4", "audio/mpeg", "audio/ogg", "audio/opus", "audio/wav",
    "audio/x-m4a", "audio/x-wav",
)  # fmt: skip

_FORMS = {
    "sticker": {
        "image/webp": Shown.PICTURE,
        "image/png": Shown.PICTURE,
        "application/x-tgsticker": Shown.FRAMES,
        "video/webm": Shown.FRAMES,
    },
    "photo": _STILL,
    "gif": {**_MOVING, "image/gif": Shown.FRAMES},
    "video": _MOVING,
    "round video": _MOVING,
    "voice": dict.fromkeys(_SOUNDS, Shown.SOUND),
    "audio": dict.fromkeys(_SOUNDS, Shown.SOUND),
}
"""For each kind of media: its formats, and in which form a model gets them."""


def is_described(kind: str) -> bool:
    """Return whether media of a kind have descriptions; documents, places or polls say what they are themselves."""
    return kind in _FORMS


def shown_as(kind: str, mime_type: str) -> Shown | None:
    """Return in which form a model gets a medium; None if it can't be shown to any.

    Args:
        kind: Compact name, as in `Message.media_kind`.
        mime_type: As the sender's app says; empty for photos.
    """
    return _FORMS.get(kind, {}).get(mime_type.partition(";")[0].strip().lower())


def is_supported(kind: str, mime_type: str) -> bool:
    """Return whether a model can be shown a medium of this kind and type."""
    return shown_as(kind, mime_type) is not None


def frame_kind(kind: str, media: Media | None) -> FrameKind | None:
    """Return how the frames of a medium are drawn; None if it does not move, or is too large for that.

    Args:
        kind: Compact name, as in `Message.media_kind`.
        media: What is known about the file; None if nothing is.
    """
    if media is None or media.size > MOST_VIDEO:
        return None
    mime_type = media.mime_type.partition(";")[0].strip().lower()
    if kind == "sticker":
        return _STICKERS.get(mime_type)
    if kind in _VIDEOS:
        return FrameKind.GIF if mime_type == "image/gif" else FrameKind.VIDEO
    return None
