"""What both kinds of animated stickers are turned into."""

from __future__ import annotations

import zlib
from dataclasses import dataclass, field

MAX_SIDE = 512
"""Pixels that are drawn of one side; more is not asked for."""

MAX_SECONDS = 10.0
"""Longest sticker that is drawn; Telegram's own limit is 3 s."""

MAX_FPS = 60

COMPRESSION = 1
"""Stickers are mostly empty: the fastest level already leaves a fifth."""


class CannotDrawError(Exception):
    """This sticker cannot be drawn; the words say why."""


@dataclass(slots=True)
class Drawing:
    """Frames as they are made.

    Attributes:
        width: Pixels.
        height: Pixels.
        fps: Frames a second, as they are to be shown.
        is_premultiplied: Colours are multiplied by their opacity.
        packed: Each frame, compressed.
    """

    width: int
    height: int
    fps: float
    is_premultiplied: bool = True
    packed: list[bytes] = field(default_factory=list)

    def add(self, pixels: bytes) -> None:
        """Take the next frame: `width` × `height` pixels of 4 bytes."""
        self.packed.append(zlib.compress(pixels, COMPRESSION))


def fitting(width: int, height: int, longest: int) -> tuple[int, int]:
    """Return the size of a drawing whose longest side is `longest` pixels."""
    scale = min(longest, MAX_SIDE) / max(width, height)
    return max(1, round(width * scale)), max(1, round(height * scale))
