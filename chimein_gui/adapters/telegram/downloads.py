"""Downloads: finds files of messages and stickers, and fetches them in pieces."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Any

from telethon import errors

from chimein_gui.adapters.telegram.failures import code_of
from chimein_gui.adapters.telegram.mapping.peers import is_channel
from chimein_gui.adapters.telegram.transport.client import AccountClient
from chimein_gui.adapters.telegram.transport.data_centres import ask_at
from chimein_gui.adapters.telegram.transport.tl import TLObject, functions, types
from chimein_gui.domain.errors import MediaTrouble, MediaUnavailableError
from chimein_gui.domain.ids import MessageId, PeerId

PIECE = 512 * 1024
"""Bytes per request: a divisor of 1 MB, whose borders no piece may cross."""

SMALL_SIDE = 300
"""Smallest longer side of a thumbnail in pixels; smaller ones are used only if there is no other."""

_STALE_REFERENCE = "FILE_REFERENCE_"
_RENEWALS = 2
"""How often a file reference may expire during one download."""

Ask = Callable[[TLObject], Awaitable[TLObject]]
Asking = Callable[[Awaitable[bytes]], Awaitable[bytes]]


@dataclass(frozen=True, slots=True)
class FileLocation:
    """Location of a file.

    Attributes:
        file_id: Id of the photo or document.
        dc_id: The data centre.
        location: Its location in a request; None if its bytes are in `inline`.
        size: Bytes, 0 if unknown.
        inline: The file's bytes, if Telegram sent them along.
    """

    file_id: int
    dc_id: int
    location: TLObject | None
    size: int
    inline: bytes = b""


class Download:
    """Implements `engine.ports.FoundFile`."""

    def __init__(
        self,
        client: AccountClient,
        ask: Ask,
        place: FileLocation,
        find_again: Callable[[], Awaitable[FileLocation]],
        asking: Asking,
    ) -> None:
        """Create the download; nothing is fetched yet.

        Args:
            client: The client whose data centre is asked directly.
            ask: Sends a request there.
            place: Location of the file.
            find_again: Looks it up again, with a fresh file reference.
            asking: Awaits a query and translates its failure into the port's errors.
        """
        self._client = client
        self._ask = ask
        self._place = place
        self._find_again = find_again
        self._asking = asking

    @property
    def file_id(self) -> int:
        return self._place.file_id

    @property
    def size(self) -> int:
        return self._place.size

    async def pieces(self) -> AsyncGenerator[bytes, None]:
        """Fetch it, piece by piece."""
        if self._place.inline:
            yield self._place.inline
            return
        came = 0
        while True:
            piece = await self._asking(self._piece(came))
            came += len(piece)
            if piece:
                yield piece
            if len(piece) < PIECE or came == self.size:
                break
        if not came or came < self.size:
            raise MediaUnavailableError("Telegram handed out only a part of this file.", MediaTrouble.GONE)

    async def _piece(self, offset: int) -> bytes:
        for renewals in range(_RENEWALS + 1):
            request = functions.upload.GetFileRequest(self._place.location, offset=offset, limit=PIECE)
            try:
                answer = await self._asked(request)
            except errors.FileMigrateError as error:
                self._place = replace(self._place, dc_id=error.new_dc)
            except errors.BadRequestError as error:
                if renewals == _RENEWALS or not code_of(error).startswith(_STALE_REFERENCE):
                    raise
                self._place = await self._find_again()
            else:
                if not isinstance(answer, types.upload.File):
                    break  # it lies on servers of other companies, which we do not ask
                return bytes(answer.bytes)
        raise MediaUnavailableError("Telegram does not hand out this file.", MediaTrouble.GONE)

    async def _asked(self, request: TLObject) -> TLObject:
        if self._place.dc_id == self._client.session.dc_id:
            return await self._ask(request)
        return await ask_at(self._client, self._place.dc_id, request)


async def find_in_message(ask: Ask, peer: TLObject, peer_id: PeerId, message_id: MessageId) -> TLObject:
    """Return the current photo or document of a message.

    Raises:
        MediaUnavailableError: It has none, or is gone.
    """
    wanted = [types.InputMessageID(message_id)]
    if is_channel(peer_id):
        channel = types.InputChannel(peer.channel_id, peer.access_hash)
        answer = await ask(functions.channels.GetMessagesRequest(channel, wanted))
    else:
        answer = await ask(functions.messages.GetMessagesRequest(wanted))
    found = next((one for one in answer.messages if one.id == message_id), None)
    if found is None or isinstance(found, types.MessageEmpty):
        raise MediaUnavailableError("The message does not exist any more.", MediaTrouble.GONE)
    return _file_of(getattr(found, "media", None))


def _file_of(media: TLObject) -> TLObject:
    if isinstance(media, types.MessageMediaPhoto) and isinstance(media.photo, types.Photo):
        return media.photo
    if isinstance(media, types.MessageMediaDocument) and isinstance(media.document, types.Document):
        return media.document
    if isinstance(media, types.MessageMediaPhoto | types.MessageMediaDocument):
        raise MediaUnavailableError("The file of this message has expired.", MediaTrouble.GONE)
    raise MediaUnavailableError("This message has no file.", MediaTrouble.NO_FILE)


def place_of(file: TLObject, *, thumbnail: bool) -> FileLocation:
    """Return the location of a photo or document, or of its thumbnail.

    Raises:
        MediaUnavailableError: There is no thumbnail.
    """
    if isinstance(file, types.Photo):
        sizes = _pictures(file.sizes)
        chosen = _small(sizes) if thumbnail else max(sizes, key=_side, default=None)
        if chosen is None:
            raise MediaUnavailableError("Telegram has no picture of this size.", MediaTrouble.NO_FILE)
        return _place(file, chosen)
    if not thumbnail:
        return FileLocation(file.id, file.dc_id, _location(file, ""), file.size)
    chosen = _small(_pictures(file.thumbs or []))
    if chosen is None:
        raise MediaUnavailableError("There is no small picture of this file.", MediaTrouble.NO_FILE)
    return _place(file, chosen)


def _pictures(sizes: list[Any]) -> list[Any]:
    """Drop outlines and previews of a few bytes."""
    return [
        one for one in sizes if isinstance(one, types.PhotoSize | types.PhotoSizeProgressive | types.PhotoCachedSize)
    ]


def _small(sizes: list[Any]) -> TLObject | None:
    """Return the smallest sufficient size, else the largest."""
    enough = [one for one in sizes if _side(one) >= SMALL_SIDE]
    return min(enough, key=_side) if enough else max(sizes, key=_side, default=None)


def _side(size: TLObject) -> int:
    return int(max(size.w, size.h))


def _place(file: TLObject, size: TLObject) -> FileLocation:
    if isinstance(size, types.PhotoCachedSize):
        return FileLocation(file.id, file.dc_id, None, len(size.bytes), bytes(size.bytes))
    count = max(size.sizes, default=0) if isinstance(size, types.PhotoSizeProgressive) else size.size
    return FileLocation(file.id, file.dc_id, _location(file, size.type), count)


def _location(file: TLObject, letter: str) -> TLObject:
    kind = types.InputPhotoFileLocation if isinstance(file, types.Photo) else types.InputDocumentFileLocation
    return kind(file.id, file.access_hash, file.file_reference, letter)
