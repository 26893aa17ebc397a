"""Checks uploaded files like Telegram's server, and converts them to files of the library."""

from chimein_gui.sandbox.media.image_size import image_size
from chimein_gui.sandbox.media.library import NewFile
from chimein_gui.sandbox.media.records import AUDIO, DOCUMENT, GIF, PHOTO, ROUND, VIDEO, VOICE
from chimein_gui.sandbox.media.uploads import SMALL_FILE, WholeUpload
from chimein_gui.sandbox.rpc.call import Call
from chimein_gui.sandbox.rpc.media.upload import uploading
from chimein_gui.sandbox.rpc.refusal import RpcFault
from chimein_gui.sandbox.wire.tl import TLObject, types, vector_bytes

_MAX_PHOTO = 10 * 1_024 * 1_024
_MAX_SIDES = 10_000
_MAX_RATIO = 20
_MAX_ATTRIBUTES = 4_096
_MAX_MIME = 255
_SERVERS_OWN = (types.DocumentAttributeCustomEmoji, types.DocumentAttributeSticker)
"""An uploaded file belongs to no set, whatever the client sends."""


def new_photo(call: Call, given: TLObject) -> NewFile:
    """Return an uploaded picture as the photo to be stored.

    Live Telegram converts it to JPEG and smaller sizes; the sandbox keeps it unchanged.

    Raises:
        RpcFault: If it is no picture, too large or too narrow.
    """
    upload = _whole(call, given)
    if upload.size > _MAX_PHOTO:
        raise RpcFault(400, "PHOTO_SAVE_FILE_INVALID")
    sides = image_size(upload.head())
    if sides is None:
        raise RpcFault(400, "IMAGE_PROCESS_FAILED")
    width, height = sides
    if width + height > _MAX_SIDES or max(sides) > _MAX_RATIO * min(sides):
        raise RpcFault(400, "PHOTO_INVALID_DIMENSIONS")
    return NewFile(PHOTO, upload.pieces(), width=width, height=height)


def new_document(call: Call, media: TLObject) -> NewFile:
    """Return an uploaded file as the document to be stored.

    Args:
        call: The call; its user is the sender.
        media: InputMediaUploadedDocument.

    Raises:
        RpcFault: If parts are missing or its description is not plausible.
    """
    upload = _whole(call, media.file)
    attributes = _attributes(media)
    if len(vector_bytes(attributes)) > _MAX_ATTRIBUTES or len(media.mime_type) > _MAX_MIME:
        raise RpcFault(400, "MEDIA_INVALID")
    return NewFile(
        kind=_kind(attributes),
        pieces=upload.pieces(),
        mime_type=media.mime_type or "application/octet-stream",
        attributes=attributes,
    )


def _whole(call: Call, given: TLObject) -> WholeUpload:
    if not isinstance(given, (types.InputFile, types.InputFileBig)):
        raise RpcFault(400, "MEDIA_INVALID")
    user_id, uploads = call.user_id, call.around.media.uploads
    upload = uploading(lambda: uploads.whole(user_id, given.id, given.parts))
    if isinstance(given, types.InputFile):
        if upload.size > SMALL_FILE:
            raise RpcFault(400, "FILE_PARTS_INVALID")
        if given.md5_checksum and given.md5_checksum.lower() != upload.md5():
            raise RpcFault(400, "MD5_CHECKSUM_INVALID")
    return upload


def _attributes(media: TLObject) -> tuple[TLObject, ...]:
    """Return the client's attributes of the file, without those that only the server may set, and the file's name."""
    given = media.attributes
    if media.force_file:
        given = [one for one in given if isinstance(one, types.DocumentAttributeFilename)]
    kept = [one for one in given if not isinstance(one, _SERVERS_OWN)]
    if media.file.name and _find(kept, types.DocumentAttributeFilename) is None:
        kept.append(types.DocumentAttributeFilename(media.file.name))
    return tuple(kept)


def _kind(attributes: tuple[TLObject, ...]) -> str:
    audio, video = (_find(attributes, kind) for kind in (types.DocumentAttributeAudio, types.DocumentAttributeVideo))
    if _find(attributes, types.DocumentAttributeAnimated) is not None:
        return GIF
    if video is not None:
        return ROUND if video.round_message else VIDEO
    if audio is not None:
        return VOICE if audio.voice else AUDIO
    return DOCUMENT


def _find(attributes: tuple[TLObject, ...] | list[TLObject], kind: type) -> TLObject | None:
    return next((one for one in attributes if isinstance(one, kind)), None)
