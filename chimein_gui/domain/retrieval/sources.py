"""The source of a page as it is kept: compressed, because pages repeat themselves."""

from __future__ import annotations

import zlib

MOST_CHARACTERS = 400_000
"""Characters of a page's source that are kept."""


def packed(source: str) -> bytes:
    """Return the beginning of a source, compressed; empty of an empty one."""
    kept = source[:MOST_CHARACTERS].encode("utf-8", "replace")
    return zlib.compress(kept) if kept else b""


def unpacked(kept: bytes) -> str:
    """Return what `packed` has kept."""
    return zlib.decompress(kept).decode("utf-8", "replace") if kept else ""
