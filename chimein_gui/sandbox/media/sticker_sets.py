"""Sticker sets: which stickers they contain, and the emoji of each."""

import zlib
from collections.abc import Iterable
from dataclasses import dataclass

from chimein_gui.sandbox.media.records import StoredFile


@dataclass(frozen=True, slots=True)
class StickerSet:
    """A sticker set.

    Attributes:
        set_id: Telegram's id.
        short_name: The name by which clients request it.
        stickers: In display order.
    """

    set_id: int
    short_name: str
    title: str
    stickers: tuple[StoredFile, ...]

    @property
    def content_hash(self) -> int:
        """Hash of the content; a client that sends it is answered *not modified*."""
        known = " ".join(f"{sticker.file_id}{sticker.emoji}" for sticker in self.stickers)
        return zlib.crc32(f"{self.title} {known}".encode()) & 0x7FFFFFFF

    def packs(self) -> dict[str, list[int]]:
        """Return the ids of stickers by emoji."""
        found: dict[str, list[int]] = {}
        for sticker in self.stickers:
            found.setdefault(sticker.emoji, []).append(sticker.file_id)
        return found


class StickerSets:
    """All sets of the world."""

    def __init__(self, sets: Iterable[StickerSet]) -> None:
        self._by_id = {one.set_id: one for one in sets}
        self._by_name = {one.short_name.casefold(): one for one in self._by_id.values()}

    def by_id(self, set_id: int) -> StickerSet | None:
        """Return a set by its id."""
        return self._by_id.get(set_id)

    def by_name(self, short_name: str) -> StickerSet | None:
        """Return a set by its short name, regardless of case."""
        return self._by_name.get(short_name.casefold())
