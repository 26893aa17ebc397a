"""photos.*: what people look like."""

from chimein_gui.sandbox.media.records import StoredFile
from chimein_gui.sandbox.media.shelves import Shelf
from chimein_gui.sandbox.rpc.call import Call, Handlers, RpcFault
from chimein_gui.sandbox.rpc.documents import new_photo
from chimein_gui.sandbox.rpc.files import meant_file, shown_portrait
from chimein_gui.sandbox.rpc.upload import uploading
from chimein_gui.sandbox.tl import LongVector, TLObject, functions, types

_MAX_PART = 100


def _get_user_photos(call: Call, request: TLObject) -> TLObject:
    viewer_id, media = call.user_id, call.around.media
    target_id = call.peer_id(request.user_id, "USER_ID_INVALID")
    shows = shown_portrait(call, target_id) is not None
    ids = list(media.shelves.items(target_id, Shelf.PORTRAITS)) if shows else []
    wanted = ids[ids.index(request.max_id) :] if request.max_id in ids else ids
    part = wanted[max(request.offset, 0) :][: min(max(request.limit, 0) or _MAX_PART, _MAX_PART)]
    photos = [media.views.photo(viewer_id, file) for file_id in part if (file := media.file(file_id))]
    users = [call.views.user(viewer_id, target_id)]
    if len(part) == len(ids):
        return types.photos.Photos(photos, users)
    return types.photos.PhotosSlice(len(ids), photos, users)


def _upload(call: Call, request: TLObject) -> TLObject:
    if request.file is None:
        raise RpcFault(400, "PHOTO_CROP_FILE_MISSING")
    media, new = call.around.media, new_photo(call, request.file)
    file = uploading(lambda: media.store(new))
    media.uploads.forget(call.user_id, request.file.id)
    return _shown(call, file)


def _update(call: Call, request: TLObject) -> TLObject:
    if isinstance(request.id, types.InputPhotoEmpty):
        call.around.media.shelves.remove(call.user_id, Shelf.PORTRAITS, _present_id(call))
        _changed(call)
        return types.photos.Photo(types.PhotoEmpty(0), [call.views.user(call.user_id, call.user_id)])
    return _shown(call, meant_file(call, request.id, "PHOTO_ID_INVALID"))


def _delete(call: Call, request: TLObject) -> TLObject:
    shelves, user_id = call.around.media.shelves, call.user_id
    wanted = [meant_file(call, given, "PHOTO_ID_INVALID").file_id for given in request.id]
    gone = [file_id for file_id in wanted if shelves.remove(user_id, Shelf.PORTRAITS, file_id)]
    _changed(call)
    return LongVector(gone)


def _shown(call: Call, file: StoredFile) -> TLObject:
    user_id = call.user_id
    call.around.media.shelves.add(user_id, Shelf.PORTRAITS, file.file_id)
    _changed(call)
    photo = call.around.media.views.photo(user_id, file)
    return types.photos.Photo(photo, [call.views.user(user_id, user_id)])


def _changed(call: Call) -> None:
    """Tell the caller's other sessions, and whoever has them as a contact, that they look different now."""
    world, user_id = call.world, call.user_id
    world.directory.revision += 1
    for other_id in dict.fromkeys((user_id, *world.directory.known_to(user_id))):
        world.post.tell(other_id, types.UpdateUser(user_id), user_id)


def _present_id(call: Call) -> int:
    return call.around.media.shelves.newest(call.user_id, Shelf.PORTRAITS)


HANDLERS: Handlers = {
    functions.photos.GetUserPhotosRequest: _get_user_photos,
    functions.photos.UploadProfilePhotoRequest: _upload,
    functions.photos.UpdateProfilePhotoRequest: _update,
    functions.photos.DeletePhotosRequest: _delete,
}
