"""Reads width and height of a picture from its first bytes, because the sandbox uses no image library."""

import struct

_JPEG_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_JPEG_BARE = frozenset((0x01, *range(0xD0, 0xD8)))


def image_size(head: bytes) -> tuple[int, int] | None:
    """Return (width, height) in pixels of a JPEG, PNG, GIF or WEBP; None for any other or damaged file.

    Args:
        head: The beginning of the file; 64 KB contain the header of nearly every JPEG.
    """
    try:
        if head.startswith(b"\xff\xd8"):
            return _jpeg(head)
        if head.startswith(b"\x89PNG\r\n\x1a\n"):
            return _plausible(*struct.unpack_from(">II", head, 16))
        if head.startswith((b"GIF87a", b"GIF89a")):
            return _plausible(*struct.unpack_from("<HH", head, 6))
        if head.startswith(b"RIFF") and head[8:12] == b"WEBP":
            return _webp(head)
    except (struct.error, IndexError):
        return None
    return None


def _jpeg(head: bytes) -> tuple[int, int] | None:
    position = 2
    while head[position] == 0xFF:
        marker = head[position + 1]
        if marker in _JPEG_FRAMES:
            height, width = struct.unpack_from(">HH", head, position + 5)
            return _plausible(width, height)
        if marker in _JPEG_BARE:
            position += 2
        else:
            position += 2 + int(struct.unpack_from(">H", head, position + 2)[0])
    return None


def _webp(head: bytes) -> tuple[int, int] | None:
    chunk = head[12:16]
    if chunk == b"VP8X":
        width, height = (1 + int.from_bytes(head[at : at + 3], "little") for at in (24, 27))
        return _plausible(width, height)
    if chunk == b"VP8 ":
        width, height = (side & 0x3FFF for side in struct.unpack_from("<HH", head, 26))
        return _plausible(width, height)
    if chunk == b"VP8L":
        (bits,) = struct.unpack_from("<I", head, 21)
        return _plausible((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
    return None


def _plausible(width: int, height: int) -> tuple[int, int] | None:
    return (width, height) if width and height else None
