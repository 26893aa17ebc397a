"""users.*: details of users."""

from chimein_gui.sandbox.rpc.call import Call, Handlers
from chimein_gui.sandbox.wire.tl import TLObject, functions


def _get_users(call: Call, request: TLObject) -> TLObject:
    viewer_id = call.user_id
    return [call.views.user(viewer_id, call.peer_id(wanted, "USER_ID_INVALID")) for wanted in request.id]


HANDLERS: Handlers = {
    functions.users.GetUsersRequest: _get_users,
}
