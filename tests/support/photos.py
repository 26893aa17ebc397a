"""Pictures as files: harmless, huge and damaged ones."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

from PySide6.QtGui import QColor, QImage


def one_colour(path: Path, width: int, height: int, colour: str = "teal") -> Path:
    """Write a picture in the format of the path's suffix."""
    image = QImage(width, height, QImage.Format.Format_RGB32)
    image.fill(QColor(colour))
    assert image.save(str(path), quality=90)
    return path


def huge_png(path: Path, side: int = 10_000) -> Path:
    """Write a picture of 100 megapixels that takes 100 kB on the disk."""

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    packer = zlib.compressobj(9)
    row = b"\0" + b"\x7f" * side
    pixels = b"".join(packer.compress(row * 100) for _ in range(side // 100)) + packer.flush()
    header = struct.pack(">IIBBBBB", side, side, 8, 0, 0, 0, 0)
    chunks = (chunk(b"IHDR", header), chunk(b"IDAT", pixels), chunk(b"IEND", b""))
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + b"".join(chunks))
    return path


def turned_jpeg(path: Path, width: int, height: int) -> Path:
    """Write a JPEG whose EXIF data says that it lies on its side."""
    plain = one_colour(path, width, height).read_bytes()
    entry = struct.pack(">HHHHHI", 1, 0x0112, 3, 0, 1, 6 << 16)
    tiff = b"MM\0*\0\0\0\x08" + entry + b"\0\0\0\0"
    exif = b"Exif\0\0" + tiff
    path.write_bytes(plain[:2] + b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif + plain[2:])
    return path


def cut(path: Path, share: float = 0.5) -> Path:
    """Truncate a file."""
    data = path.read_bytes()
    path.write_bytes(data[: int(len(data) * share)])
    return path
