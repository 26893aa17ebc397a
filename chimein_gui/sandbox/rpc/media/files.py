"""Resolves InputPhoto, InputDocument and file locations for a caller."""

from chimein_gui.sandbox.media.library import part_of
from chimein_gui.sandbox.media.records import Content, StoredFile
from chimein_gui.sandbox.media.references import StaleReferenceError
from chimein_gui.sandbox.rpc.call import Call
from chimein_gui.sandbox.rpc.refusal import RpcFault
from chimein_gui.sandbox.wire.tl import TLObject, types

_FILE_LOCATIONS = (types.InputDocumentFileLocation, types.InputPhotoFileLocation)


def meant_file(call: Call, given: TLObject, fault: str) -> StoredFile:
    """Resolve an InputPhoto, an InputDocument or a location of one.

    Args:
        call: The call; access hash and file reference must be those of its user.
        given: The TL object of the client.
        fault: Telegram's error for a file that does not exist for this caller.

    Raises:
        RpcFault: If there is no such file for the caller, or the file reference is not accepted.
    """
    media, viewer_id = call.around.media, call.user_id
    file = None if not hasattr(given, "access_hash") else media.open_to(viewer_id, given.id, given.access_hash)
    if file is None or file.is_photo is not isinstance(given, (types.InputPhoto, types.InputPhotoFileLocation)):
        raise RpcFault(400, fault)
    try:
        media.references.check(viewer_id, file.file_id, given.file_reference)
    except StaleReferenceError as error:
        raise RpcFault(400, f"FILE_REFERENCE_{error}") from error
    return file


def meant_content(call: Call, location: TLObject) -> tuple[StoredFile, Content]:
    """Resolve an InputFileLocation to a file and the bytes of the requested size.

    Raises:
        RpcFault: If there is no such file or size for the caller, or the file reference is not accepted.
    """
    if isinstance(location, _FILE_LOCATIONS):
        if call.around.media.file(location.id) is None:
            raise RpcFault(400, "FILE_ID_INVALID")
        file = meant_file(call, location, "LOCATION_INVALID")
        return file, _present(part_of(file, location.thumb_size))
    _ = call.user_id
    raise RpcFault(400, "LOCATION_INVALID")


def _present(content: Content | None) -> Content:
    if content is None:
        raise RpcFault(400, "LOCATION_INVALID")
    return content
