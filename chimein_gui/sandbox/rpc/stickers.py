"""messages.* about sticker sets and what each user keeps of stickers and gifs."""

from chimein_gui.sandbox.media.records import GIF, STICKER, StoredFile
from chimein_gui.sandbox.media.shelves import Shelf
from chimein_gui.sandbox.media.sticker_sets import StickerSet
from chimein_gui.sandbox.rpc.call import Call, Handlers, RpcFault
from chimein_gui.sandbox.rpc.files import meant_file
from chimein_gui.sandbox.tl import TLObject, functions, types

# -- sets -------------------------------------------------------------------------------------------------------------


def _get_sticker_set(call: Call, request: TLObject) -> TLObject:
    viewer_id = call.user_id
    one = _meant_set(call, request.stickerset)
    if request.hash and request.hash == one.content_hash:
        return types.messages.StickerSetNotModified()
    return call.around.media.views.full_set(viewer_id, one, installed=_is_installed(call, one))


def _meant_set(call: Call, given: TLObject) -> StickerSet:
    """Resolve an InputStickerSet; Telegram's own collections (animated emoji, dice …) don't exist in the sandbox."""
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


def _is_installed(call: Call, one: StickerSet) -> bool:
    return one.set_id in call.around.media.shelves.items(call.user_id, Shelf.SETS)


def _get_all_stickers(call: Call, request: TLObject) -> TLObject:
    media, viewer_id = call.around.media, call.user_id
    installed = [one for set_id in media.shelves.items(viewer_id, Shelf.SETS) if (one := media.sets.by_id(set_id))]
    known = _fingerprint([one.content_hash for one in installed])
    if request.hash and request.hash == known:
        return types.messages.AllStickersNotModified()
    rendered = [media.views.sticker_set(viewer_id, one, installed=True) for one in installed]
    return types.messages.AllStickers(known, rendered)


def _install(call: Call, request: TLObject) -> TLObject:
    one = _meant_set(call, request.stickerset)
    call.around.media.shelves.add(call.user_id, Shelf.SETS, one.set_id)
    return types.messages.StickerSetInstallResultSuccess()


def _uninstall(call: Call, request: TLObject) -> TLObject:
    one = _meant_set(call, request.stickerset)
    return call.around.media.shelves.remove(call.user_id, Shelf.SETS, one.set_id)


def _get_stickers(call: Call, request: TLObject) -> TLObject:
    viewer_id, media = call.user_id, call.around.media
    if not request.emoticon.strip():
        raise RpcFault(400, "EMOTICON_EMPTY")
    found = media.sets.for_emoji(request.emoticon)
    known = _fingerprint([file.file_id for file in found])
    if request.hash and request.hash == known:
        return types.messages.StickersNotModified()
    return types.messages.Stickers(known, _documents(call, viewer_id, found))


def _get_custom_emoji(call: Call, _request: TLObject) -> TLObject:
    """Custom emoji don't exist in the sandbox; unknown ids are left out of the answer, as on live Telegram."""
    _ = call.user_id
    return []


# -- what a user keeps ------------------------------------------------------------------------------------------------


def _get_recent(call: Call, request: TLObject) -> TLObject:
    viewer_id, files = call.user_id, _shelved(call, Shelf.RECENT)
    known = _fingerprint([file.file_id for file in files])
    if request.hash and request.hash == known:
        return types.messages.RecentStickersNotModified()
    packs, documents = _packs(files), _documents(call, viewer_id, files)
    return types.messages.RecentStickers(known, packs, documents, [call.world.now()] * len(files))


def _get_favourites(call: Call, request: TLObject) -> TLObject:
    viewer_id, files = call.user_id, _shelved(call, Shelf.FAVOURITES)
    known = _fingerprint([file.file_id for file in files])
    if request.hash and request.hash == known:
        return types.messages.FavedStickersNotModified()
    return types.messages.FavedStickers(known, _packs(files), _documents(call, viewer_id, files))


def _get_gifs(call: Call, request: TLObject) -> TLObject:
    viewer_id, files = call.user_id, _shelved(call, Shelf.GIFS)
    known = _fingerprint([file.file_id for file in files])
    if request.hash and request.hash == known:
        return types.messages.SavedGifsNotModified()
    return types.messages.SavedGifs(known, _documents(call, viewer_id, files))


def _fave_sticker(call: Call, request: TLObject) -> TLObject:
    return _keep(call, request, Shelf.FAVOURITES, STICKER, take_off=request.unfave)


def _save_recent(call: Call, request: TLObject) -> TLObject:
    return _keep(call, request, Shelf.RECENT, STICKER, take_off=request.unsave)


def _save_gif(call: Call, request: TLObject) -> TLObject:
    return _keep(call, request, Shelf.GIFS, GIF, take_off=request.unsave)


def _clear_recent(call: Call, _request: TLObject) -> TLObject:
    shelves, user_id = call.around.media.shelves, call.user_id
    for item_id in shelves.items(user_id, Shelf.RECENT):
        shelves.remove(user_id, Shelf.RECENT, item_id)
    return True


def _keep(call: Call, request: TLObject, shelf: Shelf, kind: str, *, take_off: bool) -> TLObject:
    fault = "GIF_ID_INVALID" if kind == GIF else "STICKER_ID_INVALID"
    file = meant_file(call, request.id, fault)
    if file.kind != kind:
        raise RpcFault(400, fault)
    if take_off:
        call.around.media.shelves.remove(call.user_id, shelf, file.file_id)
    else:
        call.around.media.shelves.add(call.user_id, shelf, file.file_id)
    return True


def _shelved(call: Call, shelf: Shelf) -> list[StoredFile]:
    media = call.around.media
    return [file for file_id in media.shelves.items(call.user_id, shelf) if (file := media.file(file_id))]


def _documents(call: Call, viewer_id: int, files: list[StoredFile]) -> list[TLObject]:
    return [call.around.media.views.document(viewer_id, file) for file in files]


def _packs(files: list[StoredFile]) -> list[TLObject]:
    by_emoji: dict[str, list[int]] = {}
    for file in files:
        by_emoji.setdefault(file.emoji, []).append(file.file_id)
    return [types.StickerPack(emoji, ids) for emoji, ids in by_emoji.items()]


def _fingerprint(numbers: list[int]) -> int:
    """Return Telegram's hash of a list, by which a client says that it knows it."""
    known = 0
    for number in numbers:
        known ^= known >> 21
        known ^= known << 35 & 0xFFFFFFFFFFFFFFFF
        known ^= known >> 4
        known = known + number & 0xFFFFFFFFFFFFFFFF
    return known - (1 << 64) if known >> 63 else known


HANDLERS: Handlers = {
    functions.messages.GetStickerSetRequest: _get_sticker_set,
    functions.messages.GetAllStickersRequest: _get_all_stickers,
    functions.messages.InstallStickerSetRequest: _install,
    functions.messages.UninstallStickerSetRequest: _uninstall,
    functions.messages.GetStickersRequest: _get_stickers,
    functions.messages.GetCustomEmojiDocumentsRequest: _get_custom_emoji,
    functions.messages.GetRecentStickersRequest: _get_recent,
    functions.messages.GetFavedStickersRequest: _get_favourites,
    functions.messages.GetSavedGifsRequest: _get_gifs,
    functions.messages.FaveStickerRequest: _fave_sticker,
    functions.messages.SaveRecentStickerRequest: _save_recent,
    functions.messages.SaveGifRequest: _save_gif,
    functions.messages.ClearRecentStickersRequest: _clear_recent,
}
