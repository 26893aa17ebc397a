"""Converts the media of a message to be sent: InputMedia → MediaRef."""

from collections.abc import Callable
from dataclasses import dataclass

from chimein_gui.sandbox.media.library import NewFile
from chimein_gui.sandbox.media.records import PHOTO, MediaRef, StoredFile
from chimein_gui.sandbox.rpc.call import Call
from chimein_gui.sandbox.rpc.media.documents import new_document, new_photo
from chimein_gui.sandbox.rpc.media.files import meant_file
from chimein_gui.sandbox.rpc.refusal import RpcFault
from chimein_gui.sandbox.wire.tl import TLObject, types


@dataclass(frozen=True, slots=True)
class Prepared:
    """Media that can be sent; nothing is stored yet, so that a client need not upload again after a refusal.

    Attributes:
        kind: As in `MediaRef`.
        take: Stores the uploaded file, and returns the reference.
    """

    kind: str
    take: Callable[[], MediaRef]


def prepared(call: Call, media: TLObject) -> Prepared:
    """Check the media of a message: a file that is uploaded now, or a known one.

    Args:
        call: The call; its user is the sender.
        media: The InputMedia.

    Raises:
        RpcFault: If it can't be sent.
    """
    if type(media) in _UPLOADED:
        return _uploaded(call, media, _UPLOADED[type(media)](call, media))
    if isinstance(media, (types.InputMediaPhoto, types.InputMediaDocument)):
        ref = _known(call, media)
        return Prepared(ref.kind, lambda: ref)
    raise RpcFault(400, _REFUSED.get(type(media), "MEDIA_INVALID"))


def _uploaded(call: Call, media: TLObject, new: NewFile) -> Prepared:
    library, user_id = call.around.media, call.user_id

    def take() -> MediaRef:
        file = library.store(new)
        library.uploads.forget(user_id, media.file.id)
        return _ref(file, media)

    return Prepared(new.kind, take)


def _known(call: Call, media: TLObject) -> MediaRef:
    file = meant_file(call, media.id, "MEDIA_EMPTY")
    if file.effect is not None:  # nobody has premium
        raise RpcFault(403, "PREMIUM_ACCOUNT_REQUIRED")
    return _ref(file, media)


def _ref(file: StoredFile, media: TLObject) -> MediaRef:
    """Return a reference to a file, with the sender's flags."""
    spoiler, ttl = bool(media.spoiler) or None, media.ttl_seconds
    if not spoiler and not ttl:
        return MediaRef(file.kind, file.file_id)
    kind = types.MessageMediaPhoto if file.kind == PHOTO else types.MessageMediaDocument
    return MediaRef(file.kind, file.file_id, bytes(kind(spoiler=spoiler, ttl_seconds=ttl)))


_UPLOADED: dict[type, Callable[[Call, TLObject], NewFile]] = {
    types.InputMediaUploadedPhoto: lambda call, media: new_photo(call, media.file),
    types.InputMediaUploadedDocument: new_document,
}

_REFUSED: dict[type, str] = {
    types.InputMediaEmpty: "MEDIA_EMPTY",
    types.InputMediaPhotoExternal: "WEBPAGE_CURL_FAILED",  # the sandbox fetches nothing from the web
    types.InputMediaDocumentExternal: "WEBPAGE_CURL_FAILED",
    types.InputMediaWebPage: "WEBPAGE_NOT_FOUND",
}
