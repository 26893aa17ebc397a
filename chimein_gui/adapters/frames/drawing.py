"""The result of rendering, for both kinds of animated stickers."""

from __future__ import annotations

import zlib
from dataclasses import dataclass, field

MAX_SIDE = 512
"""Most pixels per side that are rendered."""

MAX_SECONDS = 10.0
"""Longest sticker that is rendered, in seconds; Telegram's own limit is 3 s."""

MAX_FPS = 60

COMPRESSION = 1
"""Level of zlib; frames are mostly empty, so the fastest level already saves four fifths."""


class CannotDrawError(Exception):
    """This sticker can't be rendered; the text says why."""


@dataclass(slots=True)
class Drawing:
    """Rendered frames.

    Attributes:
        width: Pixels.
        height: Pixels.
        fps: Frames per second for playback.
        is_premultiplied: Colours are multiplied by their opacity.
        packed: Each frame, compressed.
    """

    width: int
    height: int
    fps: float
    is_premultiplied: bool = True
    packed: list[bytes] = field(default_factory=list)

    def add(self, pixels: bytes) -> None:
        """Add the next frame: `width` × `height` pixels of 4 bytes."""
        self.packed.append(zlib.compress(pixels, COMPRESSION))


def fitting(width: int, height: int, longest: int) -> tuple[int, int]:
    """Return the size of a drawing whose longest side is `longest` pixels."""
    scale = min(longest, MAX_SIDE) / max(width, height)
    return max(1, round(width * scale)), max(1, round(height * scale))
