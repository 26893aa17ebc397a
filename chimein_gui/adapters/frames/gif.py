"""GIF files. Qt reads them; it is loaded in the rendering process only."""

from __future__ import annotations

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, Qt
from PySide6.QtGui import QImage, QImageReader

from chimein_gui.adapters.frames.drawing import MAX_SECONDS, CannotDrawError, Drawing, Effort, fitting

MAX_CANVAS = 4_096
MEMORY_MB = 64
"""Most memory that Qt may take for one picture."""

MAX_FPS = 20.0
MOST_READ = 2_000
"""Pictures that are read of one file; some show hundreds a second."""

_LEAST_DELAY_MS = 20
_USUAL_DELAY_MS = 100
"""A GIF without a sensible delay is shown like this everywhere."""

_SMALLEST = bytes.fromhex("47494638396101000100800000000000ffffff2c00000000010001000002024401003b")


def warm_up() -> None:
    """Read a picture, so that Qt loads its plugin while files can still be opened."""
    QImageReader.setAllocationLimit(MEMORY_MB)
    draw(_SMALLEST, 8, 10)


def draw(data: bytes, longest: int, fps: int) -> Drawing:
    """Render a GIF, at most its first ten seconds.

    Args:
        data: The file.
        longest: Longest side in pixels.
        fps: Most frames per second.

    Raises:
        CannotDrawError: It is damaged or too large.
    """
    buffer = QBuffer()
    buffer.setData(QByteArray(data))
    buffer.open(QIODevice.OpenModeFlag.ReadOnly)
    reader = QImageReader(buffer, QByteArray(b"gif"))
    reader.setAutoDetectImageFormat(False)
    size = reader.size()
    if not (1 <= size.width() <= MAX_CANVAS and 1 <= size.height() <= MAX_CANVAS):
        raise CannotDrawError("its picture has no sensible size")
    return _draw(reader, *fitting(size.width(), size.height(), longest), min(float(fps), MAX_FPS))


def _draw(reader: QImageReader, width: int, height: int, fps: float) -> Drawing:
    drawing, effort, ends_s = Drawing(width, height, fps), Effort(), 0.0
    for number in range(MOST_READ):
        image = reader.read()
        if image.isNull():
            break
        delay_ms = reader.nextImageDelay()
        delay_s = (delay_ms if delay_ms >= _LEAST_DELAY_MS else _USUAL_DELAY_MS) / 1_000
        if not number:
            drawing.fps = max(1.0, min(fps, 1 / delay_s))
        ends_s = min(MAX_SECONDS, ends_s + delay_s)
        if missing := round(ends_s * drawing.fps) - len(drawing.packed):
            drawing.add(_pixels(image, width, height), max(1, missing))
        if ends_s >= MAX_SECONDS or drawing.is_full or effort.is_spent:
            break
    if not drawing.packed:
        raise CannotDrawError("it is damaged")
    return drawing


def _pixels(image: QImage, width: int, height: int) -> bytes:
    smooth = Qt.TransformationMode.SmoothTransformation
    scaled = image.scaled(width, height, Qt.AspectRatioMode.IgnoreAspectRatio, smooth)
    kept = scaled.convertToFormat(QImage.Format.Format_ARGB32_Premultiplied)  # its bytes live only as long as it does
    return bytes(kept.constBits())
