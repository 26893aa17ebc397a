"""The size of a picture by the first bytes of its file; nothing is decoded."""

from __future__ import annotations

import struct

MOST_PIXELS = 16 * 2**20
"""Largest picture that anybody is asked to decode: this program, or a model."""

_JPEG_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_JPEG_BARE = frozenset((0x01, *range(0xD0, 0xD8)))
_LOW_14 = 0x3FFF


def is_bomb(data: bytes) -> bool:
    """Return whether the header of a PNG, JPEG, WEBP or GIF announces more pixels than anybody should decode."""
    width, height = size_of(data)
    return width * height > MOST_PIXELS


def size_of(data: bytes) -> tuple[int, int]:
    """Return width and height in pixels; (0, 0) for another or damaged file."""
    try:
        if data.startswith(b"\x89PNG\r\n\x1a\n"):
            return _pair(">II", data, 16)
        if data.startswith((b"GIF87a", b"GIF89a")):
            return _pair("<HH", data, 6)
        if data.startswith(b"\xff\xd8"):
            return _jpeg(data)
        if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
            return _webp(data)
    except (struct.error, IndexError):
        pass
    return 0, 0


def _pair(form: str, data: bytes, at: int) -> tuple[int, int]:
    width, height = struct.unpack_from(form, data, at)
    return int(width), int(height)


def _jpeg(data: bytes) -> tuple[int, int]:
    at = 2
    while data[at] == 0xFF:  # noqa: PLR2004 - the format's mark
        marker = data[at + 1]
        if marker in _JPEG_FRAMES:
            height, width = _pair(">HH", data, at + 5)
            return width, height
        at += 2 if marker in _JPEG_BARE else 2 + _pair(">HH", data, at + 2)[0]
    return 0, 0


def _webp(data: bytes) -> tuple[int, int]:
    kind = data[12:16]
    if kind == b"VP8X":
        return 1 + int.from_bytes(data[24:27], "little"), 1 + int.from_bytes(data[27:30], "little")
    if kind == b"VP8L":
        bits = int.from_bytes(data[21:25], "little")
        return (bits & _LOW_14) + 1, (bits >> 14 & _LOW_14) + 1
    width, height = _pair("<HH", data, 26)
    return width & _LOW_14, height & _LOW_14
