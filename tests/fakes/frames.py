"""A renderer that draws nothing: frames of one colour, without a process."""

from __future__ import annotations

import zlib
from pathlib import Path

from chimein_gui.domain.errors import NotDrawableError
from chimein_gui.domain.messages import FrameKind
from chimein_gui.engine.ports import Frames


class FakeFrameRenderer:
    """Returns two frames for every sticker; a test says which stickers are broken."""

    def __init__(self) -> None:
        self.kinds = frozenset({FrameKind.TGS})
        self.asked: list[tuple[Path, FrameKind, int, int]] = []
        self.broken: set[Path] = set()

    def draws(self, kind: FrameKind) -> bool:
        return kind in self.kinds

    async def render(self, path: Path, kind: FrameKind, size: int, *, fps: int = 30) -> Frames:
        self.asked.append((path, kind, size, fps))
        if path in self.broken:
            raise NotDrawableError("it is broken")
        colours = (b"\x00\x00\xff\xff", b"\xff\x00\x00\xff")
        return Frames(size, size, float(fps), tuple(zlib.compress(colour * size * size) for colour in colours))

    async def sheet(self, path: Path, kind: FrameKind, size: int, most: int) -> bytes:
        self.asked.append((path, kind, size, most))
        if path in self.broken:
            raise NotDrawableError("it is broken")
        return b"\x89PNG\r\n\x1a\n a sheet"
