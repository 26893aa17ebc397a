"""Uploaded files on their way into the library: checked as Telegram's server checks them, and named by kind."""

from chimein_gui.sandbox.media.image_size import image_size
from chimein_gui.sandbox.media.library import NewFile
from chimein_gui.sandbox.media.records import AUDIO, DOCUMENT, GIF, PHOTO, ROUND, STICKER, VIDEO, VOICE
from chimein_gui.sandbox.media.uploads import SMALL_FILE, WholeUpload
from chimein_gui.sandbox.rpc.call import Call, RpcFault
from chimein_gui.sandbox.rpc.upload import uploading
from chimein_gui.sandbox.tl import TLObject, types, vector_bytes

_MAX_PHOTO = 10 * 1_024 * 1_024
_MAX_SIDES = 10_000
_MAX_RATIO = 20
_MAX_ATTRIBUTES = 4_096
_MAX_MIME = 255
_MAX_THUMB = 200 * 1_024
_SOUND_TRACK = b"soun"
"""The handler of a sound track in an MP4."""

_STICKER_TYPES = ("image/webp", "application/x-tgsticker", "video/webm")


def new_photo(call: Call, given: TLObject) -> NewFile:
    """Return an uploaded picture as the photo to be stored.

    Live Telegram makes a JPEG and smaller sizes of it; the sandbox can't and keeps the picture as it came.

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
        call: Who uploads.
        media: InputMediaUploadedDocument.

    Raises:
        RpcFault: If parts are missing or what is said about it is not plausible.
    """
    upload = _whole(call, media.file)
    attributes = _attributes(media, upload)
    if len(vector_bytes(attributes)) > _MAX_ATTRIBUTES or len(media.mime_type) > _MAX_MIME:
        raise RpcFault(400, "MEDIA_INVALID")
    sticker = _find(attributes, types.DocumentAttributeSticker)
    return NewFile(
        kind=_kind(attributes, media.mime_type),
        pieces=upload.pieces(),
        mime_type=media.mime_type or "application/octet-stream",
        attributes=attributes,
        thumb=_thumb(call, media.thumb) if media.thumb else None,
        emoji=sticker.alt if sticker else "",
    )


def _whole(call: Call, given: TLObject) -> WholeUpload:
    if not isinstance(given, (types.InputFile, types.InputFileBig)):
        raise RpcFault(400, "MEDIA_INVALID")
    user_id, desk = call.user_id, call.around.media.uploads
    upload = uploading(lambda: desk.whole(user_id, given.id, given.parts))
    if isinstance(given, types.InputFile):
        if upload.size > SMALL_FILE:
            raise RpcFault(400, "FILE_PARTS_INVALID")
        if given.md5_checksum and given.md5_checksum.lower() != upload.md5():
            raise RpcFault(400, "MD5_CHECKSUM_INVALID")
    return upload


def _attributes(media: TLObject, upload: WholeUpload) -> tuple[TLObject, ...]:
    """Return what the client says of the file, less what only the server may say, and the file's name."""
    given = media.attributes
    if media.force_file:
        given = [one for one in given if isinstance(one, types.DocumentAttributeFilename)]
    kept = [_own_sticker(one) for one in given if not isinstance(one, types.DocumentAttributeCustomEmoji)]
    if media.file.name and _find(kept, types.DocumentAttributeFilename) is None:
        kept.append(types.DocumentAttributeFilename(media.file.name))
    video = _find(kept, types.DocumentAttributeVideo)
    is_silent = video is not None and not video.round_message and not media.nosound_video and _is_silent(media, upload)
    if is_silent and _find(kept, types.DocumentAttributeAnimated) is None:
        kept.append(types.DocumentAttributeAnimated())
    return tuple(kept)


def _own_sticker(attribute: TLObject) -> TLObject:
    """A file that somebody uploads belongs to no set, whatever they say."""
    if isinstance(attribute, types.DocumentAttributeSticker):
        return types.DocumentAttributeSticker(attribute.alt, types.InputStickerSetEmpty())
    return attribute


def _is_silent(media: TLObject, upload: WholeUpload) -> bool:
    """Whether it is an MP4 without a sound track, which Telegram shows as a gif."""
    if media.mime_type != "video/mp4" or upload.size > SMALL_FILE:
        return False
    return _SOUND_TRACK not in b"".join(upload.pieces())


def _kind(attributes: tuple[TLObject, ...], mime_type: str) -> str:
    audio, video = (_find(attributes, kind) for kind in (types.DocumentAttributeAudio, types.DocumentAttributeVideo))
    if _find(attributes, types.DocumentAttributeSticker) is not None and mime_type in _STICKER_TYPES:
        return STICKER
    if _find(attributes, types.DocumentAttributeAnimated) is not None:
        return GIF
    if video is not None:
        return ROUND if video.round_message else VIDEO
    if audio is not None:
        return VOICE if audio.voice else AUDIO
    return DOCUMENT


def _find(attributes: tuple[TLObject, ...] | list[TLObject], kind: type) -> TLObject | None:
    return next((one for one in attributes if isinstance(one, kind)), None)


def _thumb(call: Call, given: TLObject) -> tuple[bytes, int, int] | None:
    """Return the client's own preview; one that is no small picture is dropped, as Telegram does."""
    upload = _whole(call, given)
    sides = image_size(upload.head())
    if sides is None or upload.size > _MAX_THUMB:
        return None
    return b"".join(upload.pieces()), *sides
