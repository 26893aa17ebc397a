"""messages.readHistory: marks a chat as read."""

from chimein_gui.sandbox.rpc.answers import affected
from chimein_gui.sandbox.rpc.call import Call, Handlers
from chimein_gui.sandbox.wire.tl import TLObject, functions


def _read_history(call: Call, request: TLObject) -> TLObject:
    return affected(call, call.world.read(call.user_id, call.own_peer_id(request.peer), request.max_id))


HANDLERS: Handlers = {
    functions.messages.ReadHistoryRequest: _read_history,
}
