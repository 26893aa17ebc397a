"""What a model is shown of a medium: a still picture, a few frames side by side, or a sound.

Nothing of a file is decoded here: pictures and sounds are told apart by their first bytes, and moving ones are drawn by
a process of their own.
"""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING, NamedTuple, Protocol

from chimein_gui.domain.errors import (
    DescriptionError,
    MediaTrouble,
    MediaUnavailableError,
    NotDrawableError,
)
from chimein_gui.domain.ids import MessageId, PeerId
from chimein_gui.domain.media.formats import Shown as Form
from chimein_gui.domain.media.formats import frame_kind, shown_as
from chimein_gui.domain.media.in_prompts import SOUNDS
from chimein_gui.domain.media.picture_size import is_bomb
from chimein_gui.domain.media.records import MediaFault
from chimein_gui.domain.messages import MessageKey
from chimein_gui.domain.prompt.prompts import InlineFile

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from chimein_gui.domain.messages import FrameKind, Media
    from chimein_gui.engine.media.sources import MediaItem
    from chimein_gui.engine.ports import FrameRenderer

MOST_PICTURE = 2**20
"""Largest picture that is sent, in bytes; of a larger one Telegram's small version is taken.

A request is composed on the loop: 1 MB costs it 5 ms.
"""

MOST_SOUND = 2 * 2**20
"""Largest sound that is sent, in bytes."""

LONGEST_SOUND_S = 120.0
"""Longest sound that is written down, in seconds."""

FRAMES, FRAME_SIDE = 6, 256
"""Frames on one sheet, and the longest side of each in pixels."""

_PICTURE_TYPES = {"image/jpeg": rb"\xff\xd8\xff", "image/png": rb"\x89PNG\r\n\x1a\n", "image/webp": rb"RIFF....WEBP"}
_SOUND_TYPES = {
    "audio/ogg": rb"OggS",
    "audio/mp3": rb"ID3|\xff[\xe2\xe3\xf2\xf3\xfa\xfb]",
    "audio/flac": rb"fLaC",
    "audio/wav": rb"RIFF....WAVE",
    "audio/mp4": rb"....ftyp",
    "audio/aac": rb"\xff[\xf0\xf1\xf8\xf9]",
}
"""How the files begin that models take, whatever their sender calls them."""


class Shown(NamedTuple):
    """What a model is shown.

    Attributes:
        file: The picture or sound.
        is_sheet: It shows several frames of one animation.
        is_still: Of something that moves, only a still picture is shown.
    """

    file: InlineFile
    is_sheet: bool = False
    is_still: bool = False


class FetchFile(Protocol):
    """Fetches the file of a message or sticker, as `MediaFiles.file` does."""

    async def __call__(self, key: MessageKey, *, thumbnail: bool = False, media: Media | None = None) -> Path:
        """Return the fetched file; raises MediaUnavailableError."""
        ...


class MediaContents:
    """Fetches media, and turns them into what a model can be shown.

    Attributes:
        on_disk: The same, but it takes only files that are on this computer.
    """

    def __init__(self, fetch: FetchFile, frames: FrameRenderer, kept: FetchFile | None = None) -> None:
        """`frames` draws what moves; `kept` returns files without fetching any."""
        self._fetch, self._frames = fetch, frames
        self.on_disk = self if kept is None else MediaContents(kept, frames)

    async def of(self, item: MediaItem) -> Shown:
        """Return what a model is shown of a medium.

        Raises:
            DescriptionError: It is broken, too long, or its sticker set can't be fetched.
            MediaUnavailableError: It can't be fetched.
            NotDrawableError: It can't be drawn, and Telegram has no still picture of it.
        """
        if item.kind in SOUNDS:
            return await self._sound(item)
        if shown_as(item.kind, item.media.mime_type) is not Form.FRAMES:
            return await self._still(item)
        return await self._moving(item, frame_kind(item.kind, item.media))

    async def _sound(self, item: MediaItem) -> Shown:
        if item.media.duration_s > LONGEST_SOUND_S or item.media.size > MOST_SOUND:
            raise DescriptionError(MediaFault.TOO_BIG)
        data = await _read(await self._file(item), MOST_SOUND)
        if data is None:
            raise DescriptionError(MediaFault.TOO_BIG)
        return Shown(InlineFile(_type_of(data, _SOUND_TYPES), data))

    async def _still(self, item: MediaItem) -> Shown:
        if item.media.size <= MOST_PICTURE:
            data = await _read(await self._file(item), MOST_PICTURE)
            if data is not None and not is_bomb(data):
                return Shown(_picture(data))
        return await self._smaller(item)

    async def _smaller(self, item: MediaItem) -> Shown:
        """Return the thumbnail of a picture that is too large itself."""
        try:
            return await self._thumbnail(item)
        except MediaUnavailableError as error:
            if error.trouble is MediaTrouble.NO_FILE:
                raise DescriptionError(MediaFault.TOO_BIG) from error
            raise

    async def _moving(self, item: MediaItem, kind: FrameKind | None) -> Shown:
        broken: NotDrawableError | None = None
        if kind is not None and self._frames.draws(kind):
            try:
                sheet = await self._frames.sheet(await self._file(item), kind, FRAME_SIDE, FRAMES)
                return Shown(InlineFile("image/png", sheet), is_sheet=True)
            except NotDrawableError as error:
                broken = error
        try:
            shown = await self._thumbnail(item)
        except MediaUnavailableError as error:
            if broken is not None and error.trouble in (MediaTrouble.NO_FILE, MediaTrouble.GONE):
                raise broken from error
            raise
        return shown._replace(is_still=True)

    async def _thumbnail(self, item: MediaItem) -> Shown:
        data = await _read(await self._file(item, thumbnail=True), MOST_PICTURE)
        if data is None or is_bomb(data):
            raise DescriptionError(MediaFault.TOO_BIG)
        return Shown(_picture(data))

    async def _file(self, item: MediaItem, *, thumbnail: bool = False) -> Path:
        if item.message is not None:
            return await self._fetch(item.message, thumbnail=thumbnail)
        nowhere = MessageKey(item.account_id, PeerId(0), MessageId(0))
        try:
            return await self._fetch(nowhere, thumbnail=thumbnail, media=item.media)
        except MediaUnavailableError as error:
            if error.trouble is MediaTrouble.GONE and not thumbnail:
                raise DescriptionError(MediaFault.SET_UNAVAILABLE, str(error)) from error
            raise


async def _read(path: Path, most: int) -> bytes | None:
    """Read a file; None if it is larger."""

    def read() -> bytes:
        with path.open("rb") as file:
            return file.read(most + 1)

    try:
        data = await asyncio.to_thread(read)
    except OSError as error:
        raise DescriptionError(MediaFault.DISK, str(error.strerror or error)) from error
    return data if len(data) <= most else None


def _picture(data: bytes) -> InlineFile:
    """Return a picture with the type that its first bytes say."""
    return InlineFile(_type_of(data, _PICTURE_TYPES), data)


def _type_of(data: bytes, types: Mapping[str, bytes]) -> str:
    """Return the type of a file from its first bytes.

    Raises:
        DescriptionError: It is none of these.
    """
    found = next((name for name, beginning in types.items() if re.match(beginning, data, re.DOTALL)), None)
    if found is None:
        raise DescriptionError(MediaFault.BROKEN)
    return found
