"""messages.* about pinned messages."""

from chimein_gui.sandbox.peers import is_channel
from chimein_gui.sandbox.rpc.answers import affected_history, live_message, mark, updates_since
from chimein_gui.sandbox.rpc.call import Call, Handlers, RpcFault
from chimein_gui.sandbox.rpc.permission import check_right
from chimein_gui.sandbox.tl import TLObject, functions, types


def _update_pinned(call: Call, request: TLObject) -> TLObject:
    message = live_message(call, request.peer, request.id)
    _check(call, message.peer_id)
    if message.action is not None:
        raise RpcFault(400, "MESSAGE_ID_INVALID")
    if message.pinned is not bool(request.unpin):
        raise RpcFault(400, "CHAT_NOT_MODIFIED")
    start = mark(call)
    if request.unpin:
        call.world.pins.unpin(message)
    else:
        is_alone = bool(request.pm_oneside) and message.peer_id > 0
        call.world.pins.pin(message, silent=bool(request.silent), one_sided=is_alone)
    return updates_since(call, start)


def _unpin_all(call: Call, request: TLObject) -> TLObject:
    peer_id = call.peer_id(request.peer)
    _check(call, peer_id)
    entry = call.world.pins.unpin_all(call.user_id, peer_id)
    if entry is None and is_channel(peer_id):
        return types.messages.AffectedHistory(call.box_of(peer_id).pts, 0, 0)
    return affected_history(call, entry)


def _check(call: Call, peer_id: int) -> None:
    if peer_id < 0:
        check_right(call, call.world.groups.get(peer_id), "pin_messages")


HANDLERS: Handlers = {
    functions.messages.UpdatePinnedMessageRequest: _update_pinned,
    functions.messages.UnpinAllMessagesRequest: _unpin_all,
}
