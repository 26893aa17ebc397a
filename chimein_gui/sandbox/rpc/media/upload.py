"""Uploads, downloads, and the stickers of a set."""

from collections.abc import Callable
from typing import TypeVar

from chimein_gui.sandbox.media.sticker_sets import StickerSet
from chimein_gui.sandbox.media.uploads import UploadFault
from chimein_gui.sandbox.rpc.call import Call, Handlers
from chimein_gui.sandbox.rpc.media.files import meant_content
from chimein_gui.sandbox.rpc.refusal import RpcFault
from chimein_gui.sandbox.wire.tl import TLObject, functions, types

_KB = 1_024
_MB = 1_024 * _KB
_TYPES = {
    "image/webp": types.storage.FileWebp,
    "image/png": types.storage.FilePng,
    "image/gif": types.storage.FileGif,
    "video/mp4": types.storage.FileMp4,
    "audio/mpeg": types.storage.FileMp3,
    "application/pdf": types.storage.FilePdf,
}
_Result = TypeVar("_Result")


def uploading(work: Callable[[], _Result]) -> _Result:
    """Run the body, and convert refusals of the uploads.

    Raises:
        RpcFault: The upload is refused.
    """
    try:
        return work()
    except UploadFault as fault:
        raise RpcFault(400, str(fault)) from fault


def _save_part(call: Call, request: TLObject) -> TLObject:
    user_id = call.user_id
    total = getattr(request, "file_total_parts", None)
    uploads = call.around.media.uploads
    uploading(lambda: uploads.save(user_id, request.file_id, request.file_part, request.bytes, total=total))
    return True


def _get_file(call: Call, request: TLObject) -> TLObject:
    _check_window(request)
    file, content = meant_content(call, request.location)
    kind = types.storage.FileJpeg if file.is_photo else _TYPES.get(file.mime_type, types.storage.FileUnknown)
    return types.upload.File(kind(), file.stored_at, content.read(request.offset, request.limit))


def _check_window(request: TLObject) -> None:
    """Check the requested part of a file by Telegram's rules.

    Offset and limit are multiples of 4 KB (1 KB with `precise`), a limit is a divisor of 1 MB unless precise, and no
    part crosses a boundary of 1 MB.
    """
    offset, limit = request.offset, request.limit
    step = _KB if request.precise else 4 * _KB
    if offset < 0 or offset % step:
        raise RpcFault(400, "OFFSET_INVALID")
    if not 0 < limit <= _MB or limit % step or (not request.precise and _MB % limit):
        raise RpcFault(400, "LIMIT_INVALID")
    if offset // _MB != (offset + limit - 1) // _MB:
        raise RpcFault(400, "LIMIT_INVALID")


def _get_sticker_set(call: Call, request: TLObject) -> TLObject:
    viewer_id = call.user_id
    one = _meant_set(call, request.stickerset)
    if request.hash and request.hash == one.content_hash:
        return types.messages.StickerSetNotModified()
    return call.around.media.views.full_set(viewer_id, one)


def _meant_set(call: Call, given: TLObject) -> StickerSet:
    """Resolve an InputStickerSet; the sandbox does not have Telegram's own collections (animated emoji, dice …)."""
    viewer_id, sets = call.user_id, call.around.media.sets
    one = None
    if isinstance(given, types.InputStickerSetShortName):
        one = sets.by_name(given.short_name)
    elif isinstance(given, types.InputStickerSetID):
        is_theirs = given.access_hash == call.world.keys.access_hash(viewer_id, given.id)
        one = sets.by_id(given.id) if is_theirs else None
    if one is None:
        raise RpcFault(400, "STICKERSET_INVALID")
    return one


HANDLERS: Handlers = {
    functions.upload.SaveFilePartRequest: _save_part,
    functions.upload.SaveBigFilePartRequest: _save_part,
    functions.upload.GetFileRequest: _get_file,
    functions.messages.GetStickerSetRequest: _get_sticker_set,
}
