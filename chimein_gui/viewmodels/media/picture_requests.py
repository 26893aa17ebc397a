"""Requests for missing pictures, and the reasons why one stays missing."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from chimein_gui.domain.errors import MediaTrouble, MediaUnavailableError
from chimein_gui.domain.media.formats import frame_kind
from chimein_gui.viewmodels.media.still_pictures import PictureState
from chimein_gui.viewmodels.words.errors import error_words

if TYPE_CHECKING:
    from chimein_gui.domain.ids import AccountId
    from chimein_gui.domain.messages import FrameKind, Message, MessageKey

_WHOLE_FILE_MIMES = {"image/webp", "image/png", "image/jpeg", ""}

MOST_UNASKED = 2 * 2**20
"""Largest animation that is fetched whole although nobody asked for it, in bytes; as of stickers."""

FileKey = tuple["AccountId", object]
PictureKey = tuple[FileKey, int, int, int]
"""File, width, height, frames a second (0: a still)."""


@dataclass(slots=True)
class PictureRequest:
    """A requested picture, with the messages that show it."""

    key: PictureKey
    message: Message
    waiting: set[MessageKey] = field(default_factory=set)
    is_wanted: bool = True
    is_hidden: bool = False


@dataclass(frozen=True, slots=True)
class PictureFailure:
    """Why a picture is not shown; with `can_pass` it may be requested again later."""

    state: PictureState
    why: str
    can_pass: bool = False
    retry_after_s: float | None = None
    waiting: tuple[MessageKey, ...] = ()


def file_key(message: Message) -> FileKey:
    """Return a key that is equal for all messages of an account with the same file."""
    file_id = message.media.file_id if message.media is not None else None
    return message.key.account_id, message.key if file_id is None else file_id


def moving_kind(message: Message) -> FrameKind | None:
    """Return how the frames of a message's file are drawn; None if it does not move, or is too large for that."""
    return frame_kind(message.media_kind, message.media)


def is_thumbnail(request: PictureRequest) -> bool:
    """Tell whether a still is made from the thumbnail, such as that of a video, instead of the whole file."""
    message, fps = request.message, request.key[3]
    if fps or message.media_kind == "photo":
        return False
    mime = message.media.mime_type if message.media is not None else ""
    if message.media_kind == "gif" and mime == "image/gif" and message.media is not None:
        return message.media.size > MOST_UNASKED
    return not (message.media_kind == "sticker" and mime in _WHOLE_FILE_MIMES)


def failure_of(error: MediaUnavailableError) -> PictureFailure:
    """Return the failure for a missing file; `why` is empty for a message without a file, so that none is logged."""
    state = {MediaTrouble.OFFLINE: PictureState.OFFLINE, MediaTrouble.TOO_BIG: PictureState.TOO_BIG}
    why = "" if error.trouble is MediaTrouble.NO_FILE else error_words(error)
    return PictureFailure(
        state.get(error.trouble, PictureState.WAITING if error.can_retry else PictureState.BROKEN),
        why,
        error.can_retry,
        error.retry_after_s,
    )
