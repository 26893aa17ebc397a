"""The texts in a PNG or APNG: the picture itself is never decoded."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chimein_gui.domain.errors import RefusedError
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.character_cards import CardReason

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

SIGNATURE = b"\x89PNG\r\n\x1a\n"
MOST_CHUNKS = 20_000
MOST_KEYWORD = 79
"""Bytes of a text's keyword, by the specification of PNG."""

_FRAME = 12
"""Bytes of a chunk besides its body: length, kind and checksum."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """A part of a PNG.

    Attributes:
        kind: Four letters, such as ``tEXt``.
        start: Index of the first byte of its length.
        body: What is in it.
        end: Index behind its checksum.
    """

    kind: bytes
    start: int
    body: memoryview
    end: int


def chunks(data: bytes) -> Iterator[Chunk]:
    """Yield the chunks of a PNG up to its end chunk.

    Raises:
        RefusedError: The file is cut off, a checksum is wrong, or there are too many chunks.
    """
    view = memoryview(data)
    place = len(SIGNATURE)
    for _ in range(MOST_CHUNKS):
        length = int.from_bytes(view[place : place + 4], "big")
        end = place + _FRAME + length
        if place + _FRAME > len(data) or end > len(data):
            raise RefusedError(Note(CardReason.CUT_OFF))
        kind = bytes(view[place + 4 : place + 8])
        if zlib.crc32(view[place + 4 : end - 4]) != int.from_bytes(view[end - 4 : end], "big"):
            raise RefusedError(Note(CardReason.CHECKSUM, kind.decode("ascii", "replace")))
        yield Chunk(kind, place, view[place + 8 : end - 4], end)
        if kind == b"IEND":
            return
        place = end
    raise RefusedError(Note(CardReason.TOO_MANY_PARTS))


def keyword_of(chunk: Chunk) -> str:
    """Return the keyword of a text in lower case; empty for a chunk without text."""
    if chunk.kind not in (b"tEXt", b"zTXt", b"iTXt"):
        return ""
    return bytes(chunk.body[: MOST_KEYWORD + 1]).partition(b"\0")[0].decode("latin-1").lower()


def text_of(chunk: Chunk, most: int) -> bytes:
    """Return the bytes of a text, unpacked.

    Raises:
        RefusedError: They are damaged, or more than `most`.
    """
    rest = bytes(chunk.body).partition(b"\0")[2]
    if chunk.kind == b"tEXt":
        return rest
    if chunk.kind == b"zTXt":
        return _unpacked(rest[1:], most)
    is_packed, rest = rest[:1] == b"\1", rest[2:]
    text = rest.partition(b"\0")[2].partition(b"\0")[2]
    return _unpacked(text, most) if is_packed else text


def with_texts(data: bytes, texts: Mapping[str, bytes]) -> bytes:
    """Replace texts by their keywords, each in the place of the first one with it; all other bytes stay."""
    left = dict(texts)
    pieces: list[bytes | memoryview] = []
    view, place = memoryview(data), 0
    for chunk in chunks(data):
        keyword = keyword_of(chunk)
        if keyword in texts:
            pieces.append(view[place : chunk.start])
            place = chunk.end
            if keyword in left:
                pieces.append(text_chunk(keyword, left.pop(keyword)))
    return b"".join((*pieces, view[place:]))


def text_chunk(keyword: str, text: bytes) -> bytes:
    """Return a ``tEXt`` chunk."""
    body = b"tEXt" + keyword.encode("latin-1") + b"\0" + text
    return (len(body) - 4).to_bytes(4, "big") + body + zlib.crc32(body).to_bytes(4, "big")


def _unpacked(packed: bytes, most: int) -> bytes:
    decoder = zlib.decompressobj()
    try:
        text = decoder.decompress(packed, most + 1)
    except zlib.error as error:
        raise RefusedError(Note(CardReason.CUT_OFF)) from error
    if len(text) > most:
        raise RefusedError(Note(CardReason.UNPACKED_TOO_LARGE, number=most // 1_000_000))
    if not decoder.eof:
        raise RefusedError(Note(CardReason.CUT_OFF))
    return text
