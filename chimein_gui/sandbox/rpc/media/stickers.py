"""messages.getStickerSet: the stickers of a set."""

from chimein_gui.sandbox.media.sticker_sets import StickerSet
from chimein_gui.sandbox.rpc.call import Call, Handlers, RpcFault
from chimein_gui.sandbox.wire.tl import TLObject, functions, types


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
    functions.messages.GetStickerSetRequest: _get_sticker_set,
}
