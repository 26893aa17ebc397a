"""Files of messages: what Telegram hands out, where it is kept for a while, and how animated stickers are drawn."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from chimein_gui.domain.ids import MessageId, PeerId
from chimein_gui.domain.plans.outgoing_files import FileToSend, OutgoingFile
from chimein_gui.domain.plans.stickers import StickerRef

if TYPE_CHECKING:
    from chimein_gui.domain.messages import FrameKind


@dataclass(frozen=True, slots=True)
class FileWanted:
    """Which file.

    Attributes:
        peer_id: The chat.
        message_id: The message that carries it.
        file_id: Telegram's id of it, if known: another file in its place is not wanted.
        thumbnail: The small still picture of it is meant.
        sticker: Wanted without a message: the sticker of a plan.
    """

    peer_id: PeerId
    message_id: MessageId
    file_id: int | None = None
    thumbnail: bool = False
    sticker: StickerRef | None = None


class OutgoingFiles(Protocol):
    """Copies of the files that the operator sends, under names of their own."""

    async def take(self, given: FileToSend) -> OutgoingFile:
        """Copy a file; it is whole on the disk when this returns.

        Raises:
            RefusedError: It is empty or too large, cannot be read, or the disk does not take it.
        """
        ...

    async def find(self, name: str) -> Path | None:
        """Return where a copy lies; None if it is gone."""
        ...

    async def drop(self, name: str) -> None:
        """Remove a copy."""
        ...

    async def sweep(self, kept: frozenset[str]) -> None:
        """Remove all copies but these."""
        ...


class FoundFile(Protocol):
    """A file that Telegram would hand out now.

    Attributes:
        file_id: Telegram's id of the photo or document.
        size: Bytes that will come, as Telegram says; 0 if it does not say.
    """

    @property
    def file_id(self) -> int:
        """Telegram's id of the photo or document."""
        ...

    @property
    def size(self) -> int:
        """Bytes that will come, as Telegram says; 0 if it does not say."""
        ...

    def pieces(self) -> AsyncGenerator[bytes, None]:
        """Fetch it, piece by piece; failures raise as `TelegramGateway.find_file` does."""
        ...


class MediaCache(Protocol):
    """Files that were fetched, under names made of ids; the least recently used go when there are too many."""

    async def find(self, name: str) -> Path | None:
        """Return a kept file, which counts as used now; None if there is none."""
        ...

    async def keep(self, name: str, pieces: AsyncGenerator[bytes, None]) -> Path:
        """Keep a file under a name; it appears at once and whole, or not at all.

        Raises:
            OSError: The disk does not take it.
            Exception: Whatever `pieces` raised.
        """
        ...


@dataclass(frozen=True, slots=True)
class Frames:
    """A drawn animation.

    Attributes:
        width: Pixels.
        height: Pixels.
        fps: Frames a second, as they are to be shown.
        packed: Each frame, compressed with zlib: `height` rows of `width` pixels, ARGB of 32 bits in the machine's byte
            order.
        is_premultiplied: Colours are multiplied by their opacity.
    """

    width: int
    height: int
    fps: float
    packed: tuple[bytes, ...]
    is_premultiplied: bool = True

    @property
    def size(self) -> int:
        """Bytes that all frames take, compressed as they are."""
        return sum(map(len, self.packed))


class FrameRenderer(Protocol):
    """Draws animated stickers."""

    def draws(self, kind: FrameKind) -> bool:
        """Tell whether what draws this kind is installed."""
        ...

    async def render(self, path: Path, kind: FrameKind, size: int, *, fps: int = ...) -> Frames:
        """Draw all frames of a sticker.

        Args:
            path: The file; its name is what a sticker that cannot be drawn is remembered by.
            kind: What it is made of.
            size: Longest side, in pixels.
            fps: Most frames a second.

        Raises:
            NotDrawableError: It is broken, too much, or made the process that draws hang or die.
        """
        ...
