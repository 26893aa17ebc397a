"""Ports for message files: downloads from Telegram, the cache, and the rendering of animated stickers."""

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
    """A file to fetch.

    Attributes:
        peer_id: The chat.
        message_id: The message that carries it.
        file_id: Telegram's id of it, if known; a file with another id is not fetched.
        thumbnail: Fetch its thumbnail.
        sticker: The sticker of a plan, which has no message yet.
    """

    peer_id: PeerId
    message_id: MessageId
    file_id: int | None = None
    thumbnail: bool = False
    sticker: StickerRef | None = None


class OutgoingFiles(Protocol):
    """Copies of the files that the operator sends, under generated names."""

    async def take(self, given: FileToSend) -> OutgoingFile:
        """Copy a file; the copy is complete on disk when this returns.

        Raises:
            RefusedError: It is empty or too large, cannot be read, or the disk write fails.
        """
        ...

    async def find(self, name: str) -> Path | None:
        """Return the path of a copy; None if it is gone."""
        ...

    async def drop(self, name: str) -> None:
        """Remove a copy."""
        ...

    async def sweep(self, kept: frozenset[str]) -> None:
        """Remove all copies except these."""
        ...


class FoundFile(Protocol):
    """A file that Telegram can deliver now.

    Attributes:
        file_id: Telegram's id of the photo or document.
        size: Bytes to come, as Telegram says; 0 if it does not say.
    """

    @property
    def file_id(self) -> int:
        """Return Telegram's id of the photo or document."""
        ...

    @property
    def size(self) -> int:
        """Return the bytes to come, as Telegram says; 0 if it does not say."""
        ...

    def pieces(self) -> AsyncGenerator[bytes, None]:
        """Fetch it piece by piece; raises the same errors as `TelegramGateway.find_file`."""
        ...


class MediaCache(Protocol):
    """Cache of fetched files, named by ids; the least recently used are removed when there are too many."""

    async def find(self, name: str) -> Path | None:
        """Return a cached file and mark it as used now; None if it is not cached."""
        ...

    async def keep(self, name: str, pieces: AsyncGenerator[bytes, None]) -> Path:
        """Store a file under a name, atomically.

        Raises:
            OSError: The disk write failed.
            Exception: An exception of `pieces`.
        """
        ...


@dataclass(frozen=True, slots=True)
class Frames:
    """A rendered animation.

    Attributes:
        width: Pixels.
        height: Pixels.
        fps: Frames per second for playback.
        packed: Each frame, compressed with zlib: `height` rows of `width` pixels, ARGB of 32 bits in native byte order.
        is_premultiplied: Colours are multiplied by their opacity.
    """

    width: int
    height: int
    fps: float
    packed: tuple[bytes, ...]
    is_premultiplied: bool = True

    @property
    def size(self) -> int:
        """Return the bytes of all compressed frames."""
        return sum(map(len, self.packed))


class FrameRenderer(Protocol):
    """Renders animated stickers."""

    def draws(self, kind: FrameKind) -> bool:
        """Return whether the library for this kind is installed."""
        ...

    async def render(self, path: Path, kind: FrameKind, size: int, *, fps: int = ...) -> Frames:
        """Render all frames of a sticker.

        Args:
            path: The file; a sticker that can't be rendered is remembered by its name.
            kind: Format of the sticker.
            size: Longest side, in pixels.
            fps: Most frames per second.

        Raises:
            NotDrawableError: It is broken, too large, or made the rendering process hang or crash.
        """
        ...

    async def sheet(self, path: Path, kind: FrameKind, size: int, most: int) -> bytes:
        """Return frames of a sticker or video side by side, on white, as one PNG.

        Args:
            path: The file.
            kind: Format of the file.
            size: Longest side of each frame, in pixels.
            most: Maximum number of frames.

        Raises:
            NotDrawableError: As `render`.
        """
        ...
