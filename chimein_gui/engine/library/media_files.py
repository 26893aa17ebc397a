"""Files of messages for the window: each is fetched once, a few at a time, and kept for a while.

See docs/behaviour.md, "Files of messages".
"""

from __future__ import annotations

import asyncio
import errno
import logging
from collections import defaultdict
from contextlib import aclosing
from datetime import timedelta
from typing import TYPE_CHECKING

from chimein_gui.domain.errors import (
    GatewayError,
    MediaTrouble,
    MediaUnavailableError,
    NotConnectedError,
    RateLimitedError,
)
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.faults import FaultReason
from chimein_gui.domain.plans.stickers import StickerRef
from chimein_gui.engine.core.event_bus import FaultLine
from chimein_gui.engine.ports import FileWanted

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable
    from datetime import datetime
    from pathlib import Path

    from chimein_gui.domain.ids import AccountId, MessageId, PeerId
    from chimein_gui.domain.messages import Media, Message, MessageKey
    from chimein_gui.engine.core.event_bus import EventBus
    from chimein_gui.engine.ports import Clock, FoundFile, MediaCache, Spawn, Store, TelegramGateway

_log = logging.getLogger(__name__)

MB = 2**20
MOST_BYTES = {"photo": 20 * MB, "sticker": 2 * MB}
"""Largest whole file that is fetched, by kind of media."""

MOST_BYTES_OF_OTHERS = 64 * MB
"""Largest file of other kinds, which are fetched only when the operator opens them."""

MOST_BYTES_OF_THUMBNAIL = 2 * MB

AT_ONCE = 6
"""Maximum number of downloads at the same time."""

AT_ONCE_OF_ACCOUNT = 2
"""Maximum number of downloads of one account, because its messages share the connection."""

_FULL = frozenset({errno.ENOSPC, errno.EDQUOT})


_Same = tuple["AccountId", "int | tuple[PeerId, MessageId]", bool]
"""Key of a running download: its account, its file or else its message, whether it is the thumbnail."""


class MediaFiles:
    """Fetches and keeps files of messages; simultaneous requests for a file share one download."""

    def __init__(
        self,
        store: Store,
        bus: EventBus,
        clock: Clock,
        spawn: Spawn,
        cache: MediaCache | None,
        gateway_of: Callable[[AccountId], TelegramGateway | None],
    ) -> None:
        """Create the service.

        Args:
            store: The database.
            bus: Receives the event that the disk takes no files.
            clock: Time.
            spawn: Starts owned jobs.
            cache: Keeps the files; without it no file is available.
            gateway_of: Finds an account's gateway.
        """
        self._store = store
        self._clock = clock
        self._spawn = spawn
        self._cache = cache
        self._gateway_of = gateway_of
        self._fetching: dict[_Same, asyncio.Future[Path]] = {}
        self._wait_until: dict[AccountId, datetime] = {}
        self._slots = asyncio.Semaphore(AT_ONCE)
        self._slots_of: defaultdict[AccountId, asyncio.Semaphore] = defaultdict(
            lambda: asyncio.Semaphore(AT_ONCE_OF_ACCOUNT)
        )
        self._fault = FaultLine(bus, "shown files", FaultReason.PICTURES_WAIT)

    async def file(self, key: MessageKey, *, thumbnail: bool = False, media: Media | None = None) -> Path:
        """Return a file of a message or its small still picture; it is fetched if necessary.

        Args:
            key: The message.
            thumbnail: True for the small picture that Telegram made of it.
            media: The file's description, for the sticker of a plan that has no message yet.

        Raises:
            MediaUnavailableError: There is no such file, or it is not available now.
        """
        message = await self._store.read(lambda tx: tx.messages.get(key))
        wanted, most = _wanted(key, message, media, thumbnail=thumbnail)
        kept = await self._kept(wanted)
        if kept is not None:
            return kept
        known = media if message is None else message.media
        if known is not None and known.size > most and not thumbnail:
            raise _too_big(known.size)
        return await asyncio.shield(self._running(key.account_id, wanted, most))

    async def kept(self, key: MessageKey, *, thumbnail: bool = False, media: Media | None = None) -> Path:
        """Return a file as `file` does, but fetch nothing.

        Raises:
            MediaUnavailableError: There is no such file, or it is not on this computer.
        """
        message = await self._store.read(lambda tx: tx.messages.get(key))
        kept = await self._kept(_wanted(key, message, media, thumbnail=thumbnail)[0])
        if kept is None:
            raise MediaUnavailableError("This file is not on this computer.", MediaTrouble.OFFLINE)
        return kept

    async def _kept(self, wanted: FileWanted) -> Path | None:
        if self._cache is None:
            raise MediaUnavailableError("This run keeps no files.", MediaTrouble.NO_FILE)
        if wanted.file_id is None:
            return None
        return await self._cache.find(_name(wanted.file_id, thumbnail=wanted.thumbnail))

    def _running(self, account_id: AccountId, wanted: FileWanted, most: int) -> asyncio.Future[Path]:
        """Return the running download of a file, or begin one. It continues even if nobody waits for it."""
        # A file's id is unique everywhere, a message's id only in its chat.
        same = account_id, wanted.file_id or (wanted.peer_id, wanted.message_id), wanted.thumbnail
        future = self._fetching.get(same)
        if future is None:
            future = asyncio.get_running_loop().create_future()
            future.add_done_callback(_look_at_failure)
            self._spawn(self._fetch(account_id, wanted, most, future), name=f"fetch file {same[1]}")
            self._fetching[same] = future
            future.add_done_callback(lambda _future: self._fetching.pop(same, None))
        return future

    async def _fetch(self, account_id: AccountId, wanted: FileWanted, most: int, future: asyncio.Future[Path]) -> None:
        try:
            async with self._slots_of[account_id], self._slots:
                path = await self._fetched(account_id, wanted, most)
            future.set_result(path)
        except MediaUnavailableError as error:
            future.set_exception(error)
        except Exception:  # noqa: BLE001 - raised to the waiting callers, and logged
            _log.exception("Fetching a file failed unexpectedly")
            future.set_exception(MediaUnavailableError("The file could not be fetched.", MediaTrouble.GONE))
        finally:
            future.cancel()

    async def _fetched(self, account_id: AccountId, wanted: FileWanted, most: int) -> Path:
        assert self._cache is not None
        gateway = self._connected(account_id)
        try:
            found = await gateway.find_file(wanted)
            if found.size > most:
                raise _too_big(found.size)
            path = await self._cache.keep(_name(found.file_id, thumbnail=wanted.thumbnail), _capped(found, most))
        except RateLimitedError as error:
            self._wait_until[account_id] = self._clock.now() + timedelta(seconds=error.retry_after_s)
            raise MediaUnavailableError(error.note or str(error), MediaTrouble.WAIT, error.retry_after_s) from error
        except NotConnectedError as error:
            raise MediaUnavailableError(error.note or str(error), MediaTrouble.OFFLINE) from error
        except GatewayError as error:
            raise MediaUnavailableError(error.note or str(error), MediaTrouble.GONE) from error
        except OSError as error:
            failure = _disk_failure(error)
            self._fault.show(failure)
            raise MediaUnavailableError(failure, MediaTrouble.DISK) from error
        self._fault.clear()
        return path

    def _connected(self, account_id: AccountId) -> TelegramGateway:
        """Return the account's gateway, unless it is offline or Telegram told it to wait."""
        until = self._wait_until.get(account_id)
        if until is not None:
            left_s = (until - self._clock.now()).total_seconds()
            if left_s > 0:
                raise MediaUnavailableError(f"Downloads wait for {left_s:.0f} s.", MediaTrouble.WAIT, left_s)
            del self._wait_until[account_id]
        gateway = self._gateway_of(account_id)
        if gateway is None or not gateway.is_up():
            raise MediaUnavailableError("This account is not connected.", MediaTrouble.OFFLINE)
        return gateway


def _wanted(
    key: MessageKey, message: Message | None, media: Media | None, *, thumbnail: bool
) -> tuple[FileWanted, int]:
    """Return the wanted file and its maximum size in bytes."""
    most = MOST_BYTES_OF_THUMBNAIL
    if message is not None:
        if (
            not message.media_kind
            or message.is_service
            or (message.media is not None and message.media.file_id is None)
        ):
            raise MediaUnavailableError("This message has no file.", MediaTrouble.NO_FILE)
        file_id = None if message.media is None else message.media.file_id
        if not thumbnail:
            most = MOST_BYTES.get(message.media_kind, MOST_BYTES_OF_OTHERS)
        return FileWanted(key.peer_id, key.message_id, file_id, thumbnail), most
    if media is None or media.file_id is None or not media.set_name:
        raise MediaUnavailableError("The message is not stored.", MediaTrouble.GONE)
    sticker = StickerRef(media.set_name, media.emoji, media.file_id, media.emoji)
    if not thumbnail:
        most = MOST_BYTES["sticker"]
    return FileWanted(key.peer_id, key.message_id, media.file_id, thumbnail, sticker), most


async def _capped(found: FoundFile, most: int) -> AsyncGenerator[bytes, None]:
    """Pass pieces on; raise if there are more than `most` bytes, because the announced size may be wrong."""
    came = 0
    async with aclosing(found.pieces()) as pieces:
        async for piece in pieces:
            came += len(piece)
            if came > most:
                raise _too_big(came)
            yield piece


def _name(file_id: int, *, thumbnail: bool) -> str:
    return f"{file_id}.thumb" if thumbnail else str(file_id)


def _too_big(size: int) -> MediaUnavailableError:
    return MediaUnavailableError(f"The file is too big to be shown: {size / MB:.1f} MB.", MediaTrouble.TOO_BIG)


def _disk_failure(error: OSError) -> Note:
    if error.errno in _FULL:
        return Note(FaultReason.FILE_NOT_KEPT_FULL)
    return Note(FaultReason.FILE_NOT_KEPT, str(error.strerror or error))


def _look_at_failure(future: asyncio.Future[Path]) -> None:
    """Retrieve the exception even if nobody waits for it, so that asyncio does not report it."""
    if not future.cancelled():
        future.exception()
