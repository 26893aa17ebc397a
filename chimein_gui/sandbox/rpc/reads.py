"""messages.* about what has been seen: read marks, mentions, chats marked as unread by hand."""

from chimein_gui.sandbox.peers import is_channel, peer_of
from chimein_gui.sandbox.rpc.answers import affected, affected_history
from chimein_gui.sandbox.rpc.call import Call, Handlers, RpcFault
from chimein_gui.sandbox.tl import TLObject, functions, types


def _read_history(call: Call, request: TLObject) -> TLObject:
    return affected(call, call.world.read(call.user_id, call.own_peer_id(request.peer), request.max_id))


def _read_contents(call: Call, request: TLObject) -> TLObject:
    return affected(call, call.world.marks.read_contents(call.user_id, request.id))


def _read_mentions(call: Call, request: TLObject) -> TLObject:
    peer_id = call.peer_id(request.peer)
    if is_channel(peer_id):
        call.world.supergroups.see_mentions(call.user_id, peer_id)
        return types.messages.AffectedHistory(call.box_of(peer_id).pts, 0, 0)
    return affected_history(call, call.world.marks.read_mentions(call.user_id, peer_id))


def _mark_unread(call: Call, request: TLObject) -> TLObject:
    owner_id, peer_id = call.user_id, dialog_peer_id(call, request.peer)
    if call.box.thread(peer_id).unread_mark != bool(request.unread):
        call.world.marks.mark_unread(owner_id, peer_id, unread=bool(request.unread))
    return True


def _unread_marks(call: Call, _request: TLObject) -> TLObject:
    marked = [peer_id for peer_id, thread in call.box.threads.items() if thread.unread_mark]
    return [types.DialogPeer(peer_of(peer_id)) for peer_id in marked]


def dialog_peer_id(call: Call, wanted: TLObject) -> int:
    """Resolve an InputDialogPeer to a marked id.

    Raises:
        RpcFault: If it is a folder or no peer of the caller's.
    """
    if not isinstance(wanted, types.InputDialogPeer):
        raise RpcFault(400, "PEER_ID_INVALID")
    return call.peer_id(wanted.peer)


HANDLERS: Handlers = {
    functions.messages.ReadHistoryRequest: _read_history,
    functions.messages.ReadMessageContentsRequest: _read_contents,
    functions.messages.ReadMentionsRequest: _read_mentions,
    functions.messages.MarkDialogUnreadRequest: _mark_unread,
    functions.messages.GetDialogUnreadMarksRequest: _unread_marks,
}
