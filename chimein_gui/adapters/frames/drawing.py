"""The result of rendering, for all kinds of animations, and what it may cost."""

from __future__ import annotations

import sys
import time
import zlib
from dataclasses import dataclass, field

MAX_SIDE = 512
"""Most pixels per side that are rendered."""

MAX_SECONDS = 10.0
"""Longest sticker that is rendered, in seconds; Telegram's own limit is 3 s."""

MAX_FPS = 60

MOST_BYTES = 16 * 2**20
"""Bytes of all frames of one file, compressed; a longer one ends there."""

BUSY_S = 1.0
"""Seconds that the frames of a video or GIF may take; it ends there."""

CLOCKS = (time.perf_counter,) if sys.platform == "win32" else (time.perf_counter, time.process_time)
"""The smaller of both clocks counts: other load on the processor must not reduce a sticker's frames.

Windows measures processor time in steps of 16 ms, which is too coarse.
"""

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

    def add(self, pixels: bytes, count: int = 1) -> None:
        """Add the next frame, `count` times: `width` × `height` pixels of 4 bytes."""
        self.packed += [zlib.compress(pixels, COMPRESSION)] * count

    @property
    def is_full(self) -> bool:
        """Whether the frames are as large as they may be."""
        return sum(map(len, self.packed)) >= MOST_BYTES


class Effort:
    """The time that a file has taken so far."""

    def __init__(self) -> None:
        self._began = [clock() for clock in CLOCKS]

    @property
    def seconds(self) -> float:
        """Return the seconds since the beginning, by the clock that says less."""
        return min(clock() - at for clock, at in zip(CLOCKS, self._began, strict=True))

    @property
    def is_spent(self) -> bool:
        """Whether it has taken as long as a file may."""
        return self.seconds > BUSY_S


def fitting(width: int, height: int, longest: int) -> tuple[int, int]:
    """Return the size of a drawing whose longest side is `longest` pixels."""
    scale = min(longest, MAX_SIDE) / max(width, height)
    return max(1, round(width * scale)), max(1, round(height * scale))
