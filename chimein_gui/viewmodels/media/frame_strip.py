"""The frames of an animated sticker, decompressed one by one as they are shown."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING

from PySide6.QtGui import QImage

if TYPE_CHECKING:
    from chimein_gui.engine.ports import Frames


class FrameStrip:
    """A rendered animation that loops.

    Attributes:
        width: Pixels.
        height: Pixels.
        fps: Frames a second.
        count: Number of frames.
        size: Bytes in memory, compressed.
    """

    def __init__(self, frames: Frames) -> None:
        self.width, self.height = frames.width, frames.height
        self.fps = frames.fps
        self.count = len(frames.packed)
        self.size = frames.size
        self._packed = frames.packed
        self._format = (
            QImage.Format.Format_ARGB32_Premultiplied if frames.is_premultiplied else QImage.Format.Format_ARGB32
        )
        self._shown = (-1, QImage())

    @property
    def duration_s(self) -> float:
        """Seconds of one loop."""
        return self.count / self.fps

    def number_at(self, seconds: float) -> int:
        """Return the number of the frame to show this many seconds after the first."""
        return int(seconds * self.fps) % self.count

    def image(self, number: int) -> QImage:
        """Return one frame, and keep it decompressed until another is requested; a null image if it is damaged."""
        if self._shown[0] != number:
            self._shown = (number, self._unpacked(number))
        return self._shown[1]

    def _unpacked(self, number: int) -> QImage:
        row, needed = self.width * 4, self.width * 4 * self.height
        try:
            pixels = zlib.decompressobj().decompress(self._packed[number], needed)
        except zlib.error:
            pixels = b""
        if len(pixels) != needed:  # QImage would read beyond the end of `pixels`
            return QImage()
        # A QImage over borrowed memory is safe only while we hold that memory: both branches copy.
        borrowed = QImage(pixels, self.width, self.height, row, self._format)
        if self._format is QImage.Format.Format_ARGB32:
            return borrowed.convertToFormat(QImage.Format.Format_ARGB32_Premultiplied)
        return borrowed.copy()
