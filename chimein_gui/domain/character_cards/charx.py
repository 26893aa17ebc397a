"""CHARX: a zip archive with `card.json` and assets. Nothing in it is ever unpacked to the disk."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from contextlib import contextmanager
from typing import TYPE_CHECKING

from chimein_gui.domain.errors import RefusedError
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.character_cards import CardReason

if TYPE_CHECKING:
    from collections.abc import Iterator

SIGNATURE = b"PK\x03\x04"
MOST_ENTRIES = 2_000
MOST_UNPACKED = 50_000_000
"""Bytes of all entries together."""

_CARD = "card.json"
_METHODS = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})
_BROKEN = (
    zipfile.BadZipFile,
    NotImplementedError,
    RuntimeError,
    zlib.error,
    EOFError,
    ValueError,
    struct.error,
    OSError,
)
"""What `zipfile` raises for archives that are cut off, damaged, encrypted or made to harm."""


def card_of(data: bytes, most: int) -> bytes:
    """Return the bytes of `card.json`.

    Raises:
        RefusedError: The archive is broken, leads out of itself or is a bomb, or has no card.
    """
    with _opened(data) as archive:
        return _read(archive, _CARD, most)


def with_card(data: bytes, card: bytes) -> bytes:
    """Replace `card.json`; the names, order and contents of all other entries stay.

    Raises:
        RefusedError: As for `card_of`.
    """
    target = io.BytesIO()
    with _opened(data) as archive, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as changed:
        changed.comment = archive.comment
        for entry in archive.infolist():
            content = card if entry.filename == _CARD else _read(archive, entry.filename, MOST_UNPACKED)
            changed.writestr(entry, content, entry.compress_type)
    return target.getvalue()


@contextmanager
def _opened(data: bytes) -> Iterator[zipfile.ZipFile]:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            _check(archive)
            yield archive
    except _BROKEN as error:
        raise RefusedError(Note(CardReason.ARCHIVE_BROKEN)) from error


def _check(archive: zipfile.ZipFile) -> None:
    entries = archive.infolist()
    names = {entry.filename for entry in entries}
    if len(entries) > MOST_ENTRIES:
        raise RefusedError(Note(CardReason.TOO_MANY_PARTS))
    for entry in entries:
        if _leads_out(entry.orig_filename):
            raise RefusedError(Note(CardReason.ARCHIVE_PATH, entry.orig_filename[:200]))
        if entry.compress_type not in _METHODS:
            raise zipfile.BadZipFile
    if len(names) < len(entries):
        raise zipfile.BadZipFile  # which of the two is meant depends on the program that reads it
    if sum(entry.file_size for entry in entries) > MOST_UNPACKED:
        raise RefusedError(Note(CardReason.UNPACKED_TOO_LARGE, number=MOST_UNPACKED // 1_000_000))
    if _CARD not in names:
        raise RefusedError(Note(CardReason.NO_CARD))


def _leads_out(name: str) -> bool:
    return name.startswith("/") or any(mark in name for mark in ("\\", ":", "\0")) or ".." in name.split("/")


def _read(archive: zipfile.ZipFile, name: str, most: int) -> bytes:
    with archive.open(name) as entry:
        content = entry.read(most + 1)
    if len(content) > most:
        raise RefusedError(Note(CardReason.UNPACKED_TOO_LARGE, number=most // 1_000_000))
    return content
