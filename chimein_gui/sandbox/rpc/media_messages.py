"""messages.* that send photos, stickers, voice and files: one, an album, or an upload that is sent later."""

from functools import partial

from chimein_gui.sandbox.media.records import AUDIO, DOCUMENT, PHOTO, STICKER, VIDEO
from chimein_gui.sandbox.media.shelves import Shelf
from chimein_gui.sandbox.records import Draft, StoredMessage
from chimein_gui.sandbox.rpc.answers import mark, sent
from chimein_gui.sandbox.rpc.call import Call, Handlers, RpcFault
from chimein_gui.sandbox.rpc.media_input import Prepared, prepared
from chimein_gui.sandbox.rpc.messages import answered_in, quote_of
from chimein_gui.sandbox.rpc.permission import check_send, refuse_scheduled
from chimein_gui.sandbox.rpc.text import checked_caption
from chimein_gui.sandbox.tl import TLObject, functions, types

_ALBUM = 10
_ALBUM_KINDS = ({PHOTO, VIDEO}, {AUDIO}, {DOCUMENT})
"""What can be together in one album."""

_ALBUM_MEDIA = (types.InputMediaPhoto, types.InputMediaDocument)
"""Files have to be uploaded (`uploadMedia`) before an album names them."""

_Caption = tuple[str, tuple[TLObject, ...]]


def _send_media(call: Call, request: TLObject) -> TLObject:
    """Answer with the message, as live Telegram does where there is media."""
    peer_id = call.peer_id(request.peer)
    _refuse_repeats(call, [request.random_id])
    refuse_scheduled(request)
    media = prepared(call, request.media)
    caption = checked_caption(call, request.message, request.entities)
    check_send(call, peer_id, media.kind)
    start = mark(call)
    return sent(call, start, [_post(call, peer_id, request, _draft(call, request, request, media, caption))])


def _send_album(call: Call, request: TLObject) -> TLObject:
    peer_id, parts = call.peer_id(request.peer), request.multi_media
    names = [part.random_id for part in parts]
    _refuse_repeats(call, names)
    refuse_scheduled(request)
    media = _album_media(call, parts)
    captions = [checked_caption(call, part.message, part.entities) for part in parts]
    for kind in sorted({one.kind for one in media}):
        check_send(call, peer_id, kind)
    start = mark(call)
    grouped_id = _grouped_id(call, names) if len(parts) > 1 else 0
    drafts = [_draft(call, request, *one, grouped_id) for one in zip(parts, media, captions, strict=True)]
    return sent(call, start, [_post(call, peer_id, request, draft) for draft in drafts])


def _upload_media(call: Call, request: TLObject) -> TLObject:
    """Store a file that an album will name."""
    viewer_id = call.user_id
    call.peer_id(request.peer)
    return call.around.media.render(viewer_id, prepared(call, request.media).take())


def _refuse_repeats(call: Call, names: list[int]) -> None:
    if not all(names):
        raise RpcFault(400, "RANDOM_ID_EMPTY")
    if len(set(names)) < len(names) or any(map(partial(call.world.post.knows_name, call.user_id), names)):
        raise RpcFault(500, "RANDOM_ID_DUPLICATE")


def _album_media(call: Call, parts: list[TLObject]) -> list[Prepared]:
    if not parts:
        raise RpcFault(400, "MEDIA_EMPTY")
    if len(parts) > _ALBUM:
        raise RpcFault(400, "MULTI_MEDIA_TOO_LONG")
    if not all(isinstance(part.media, _ALBUM_MEDIA) for part in parts):
        raise RpcFault(400, "MEDIA_INVALID")
    media = [prepared(call, part.media, place=str(number)) for number, part in enumerate(parts)]
    kinds = {one.kind for one in media}
    if len(media) > 1 and not any(kinds <= together for together in _ALBUM_KINDS):
        raise RpcFault(400, "MEDIA_INVALID")
    return media


def _draft(
    call: Call, request: TLObject, part: TLObject, media: Prepared, caption: _Caption, grouped_id: int = 0
) -> Draft:
    """Return what shall be sent; everything that can be refused has been by now.

    Args:
        call: Who sends.
        request: SendMedia or SendMultiMedia.
        part: What carries the `random_id`: the request itself, or a part of the album.
        media: What goes with it; it is stored now.
        caption: Text and entities.
        grouped_id: The album, 0 for none.
    """
    text, entities = caption
    return Draft(
        text,
        entities,
        getattr(request.reply_to, "reply_to_msg_id", 0),
        part.random_id,
        media.take(),
        grouped_id,
        quote=quote_of(request.reply_to),
        silent=bool(request.silent),
        reply_to_peer_id=answered_in(call, request.reply_to),
    )


def _grouped_id(call: Call, names: list[int]) -> int:
    return int.from_bytes(call.world.keys.seal(f"album {call.user_id} {names}")[:8], "little") >> 1


def _post(call: Call, peer_id: int, request: TLObject, draft: Draft) -> StoredMessage:
    sender_id, ref = call.user_id, draft.media
    if request.clear_draft:
        call.world.settings.save_draft(sender_id, peer_id, None)
    if ref is not None and ref.kind == STICKER:
        call.around.media.shelves.add(sender_id, Shelf.RECENT, ref.file_id)
    return call.world.send(sender_id, peer_id, draft)


HANDLERS: Handlers = {
    functions.messages.SendMediaRequest: _send_media,
    functions.messages.SendMultiMediaRequest: _send_album,
    functions.messages.UploadMediaRequest: _upload_media,
}
