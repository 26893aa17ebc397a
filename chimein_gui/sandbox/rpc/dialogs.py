"""messages.* about the chat list."""

from chimein_gui.sandbox.records import StoredMessage
from chimein_gui.sandbox.rpc.call import Call, Handlers, RpcFault
from chimein_gui.sandbox.tl import TLObject, functions, types

_MAX_PART = 100


def _get_dialogs(call: Call, request: TLObject) -> TLObject:
    tops = [] if request.folder_id else call.box.newest_first()
    total = len(tops)
    after = (int(request.offset_date.timestamp()) if request.offset_date else 0, request.offset_id)
    if after[0] or after[1]:
        tops = [top for top in tops if _is_after(top[1], after)]
    part = tops[: min(max(request.limit, 1), _MAX_PART)]
    dialogs, messages, users = _rendered(call, part)
    if len(part) == total:
        return types.messages.Dialogs(dialogs, messages, [], users)
    return types.messages.DialogsSlice(total, dialogs, messages, [], users)


def _is_after(top: StoredMessage, offset: tuple[int, int]) -> bool:
    """Whether a chat comes later in the list than the last one of the previous part."""
    date, message_id = offset
    return (top.sent_at, top.message_id) < (date, message_id) if date else top.message_id < message_id


def _get_peer_dialogs(call: Call, request: TLObject) -> TLObject:
    if not all(isinstance(wanted, types.InputDialogPeer) for wanted in request.peers):
        raise RpcFault(400, "PEER_ID_INVALID")
    peer_ids = [call.peer_id(wanted.peer) for wanted in request.peers]
    box = call.box
    part = [(peer_id, box.messages[ids[-1]]) for peer_id in peer_ids if (ids := box.thread(peer_id).ids)]
    dialogs, messages, users = _rendered(call, part)
    return types.messages.PeerDialogs(dialogs, messages, [], users, call.views.state(call.user_id))


def _rendered(
    call: Call, part: list[tuple[int, StoredMessage]]
) -> tuple[list[TLObject], list[TLObject], list[TLObject]]:
    viewer_id = call.user_id
    return (
        [call.views.dialog(viewer_id, peer_id) for peer_id, _ in part],
        [call.views.message(message) for _, message in part],
        call.views.users(viewer_id, (peer_id for peer_id, _ in part)),
    )


HANDLERS: Handlers = {
    functions.messages.GetDialogsRequest: _get_dialogs,
    functions.messages.GetPeerDialogsRequest: _get_peer_dialogs,
}
