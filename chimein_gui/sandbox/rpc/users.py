"""users.*: who somebody is."""

from chimein_gui.sandbox.rpc.call import Call, Handlers
from chimein_gui.sandbox.tl import TLObject, functions, types


def _get_users(call: Call, request: TLObject) -> TLObject:
    viewer_id = call.user_id
    return [call.views.user(viewer_id, call.peer_id(wanted, "USER_ID_INVALID")) for wanted in request.id]


def _get_full_user(call: Call, request: TLObject) -> TLObject:
    viewer_id = call.user_id
    target_id = call.peer_id(request.id, "USER_ID_INVALID")
    full = types.UserFull(
        id=target_id,
        settings=types.PeerSettings(),
        notify_settings=types.PeerNotifySettings(),
        common_chats_count=0,
    )
    return types.users.UserFull(full, [], [call.views.user(viewer_id, target_id)])


HANDLERS: Handlers = {
    functions.users.GetUsersRequest: _get_users,
    functions.users.GetFullUserRequest: _get_full_user,
}
