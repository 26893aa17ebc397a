"""A few frames of an animation side by side in one picture (PNG), for models that take pictures only."""

from __future__ import annotations

import struct
import zlib

from chimein_gui.adapters.frames.drawing import Drawing

COLUMNS = 3

_PNG = b"\x89PNG\r\n\x1a\n"
_OPAQUE = bytes(0 if alpha < 128 else 255 for alpha in range(256))


def sheet_of(drawing: Drawing, most: int) -> bytes:
    """Return frames of equal distance as one PNG, in rows of three, on white.

    Args:
        drawing: The animation.
        most: Maximum number of frames.
    """
    chosen = [_on_white(zlib.decompress(one), drawing) for one in _spread(drawing.packed, most)]
    width, columns = drawing.width * 3, min(COLUMNS, len(chosen))
    blank = b"\xff" * len(chosen[0])
    rows = bytearray()
    for first in range(0, len(chosen), columns):
        line = (chosen[first : first + columns] + [blank] * columns)[:columns]
        for y in range(drawing.height):
            rows.append(0)  # the row's filter: none
            for pixels in line:
                rows += pixels[y * width : (y + 1) * width]
    height = -(-len(chosen) // columns) * drawing.height
    return _png(drawing.width * columns, height, bytes(rows))


def _spread(frames: list[bytes], most: int) -> list[bytes]:
    """Return at most so many frames, the first one and others of equal distance, each different from the one before."""
    count = min(most, len(frames))
    chosen: list[bytes] = []
    for place in range(count):
        frame = frames[place * len(frames) // count]
        if not chosen or frame != chosen[-1]:
            chosen.append(frame)
    return chosen


def _on_white(pixels: bytes, drawing: Drawing) -> bytes:
    """Return BGRA pixels as RGB on white.

    All bytes of a channel are calculated at once, as one number: this is a hundred times as fast as one by one.
    """
    alpha, count = pixels[3::4], len(pixels) // 4
    white = (1 << 8 * count) - 1
    found = bytearray(3 * count)
    behind = white - int.from_bytes(alpha if drawing.is_premultiplied else alpha.translate(_OPAQUE))
    for place, channel in enumerate((pixels[2::4], pixels[1::4], pixels[0::4])):
        value = int.from_bytes(channel)
        # A colour that is multiplied by its opacity is at most its opacity, so no sum runs over into the next byte.
        mixed = value + behind & white if drawing.is_premultiplied else value | behind
        found[place::3] = mixed.to_bytes(count)
    return bytes(found)


def _png(width: int, height: int, rows: bytes) -> bytes:
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return _PNG + _chunk(b"IHDR", header) + _chunk(b"IDAT", zlib.compress(rows, 6)) + _chunk(b"IEND", b"")


def _chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
