"""Animated stickers, drawn outside of the program: what draws may hang or die, the window never does."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from chimein_gui.domain.messages import FrameKind


@dataclass(frozen=True, slots=True)
class Frames:
    """A drawn animation.

    Attributes:
        width: Pixels.
        height: Pixels.
        fps: Frames a second, as they are to be shown.
        packed: Each frame, compressed with zlib: `height` rows of `width` pixels, ARGB of 32 bits in the machine's byte
            order.
        is_premultiplied: Colours are multiplied by their opacity.
    """

    width: int
    height: int
    fps: float
    packed: tuple[bytes, ...]
    is_premultiplied: bool = True

    @property
    def size(self) -> int:
        """Bytes that all frames take, compressed as they are."""
        return sum(map(len, self.packed))


class FrameRenderer(Protocol):
    """Draws animated stickers."""

    def draws(self, kind: FrameKind) -> bool:
        """Tell whether what draws this kind is installed."""
        ...

    async def render(self, path: Path, kind: FrameKind, size: int, *, fps: int = ...) -> Frames:
        """Draw all frames of a sticker.

        Args:
            path: The file; its name is what a sticker that cannot be drawn is remembered by.
            kind: What it is made of.
            size: Longest side, in pixels.
            fps: Most frames a second.

        Raises:
            NotDrawableError: It is broken, too much, or made the process that draws hang or die.
        """
        ...
