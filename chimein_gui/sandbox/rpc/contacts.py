"""contacts.*: who knows whom, and by which name."""

from chimein_gui.sandbox.rpc.call import Call, Handlers, RpcFault
from chimein_gui.sandbox.tl import TLObject, functions, types


def _resolve_username(call: Call, request: TLObject) -> TLObject:
    viewer_id = call.user_id
    user = call.world.username(request.username.removeprefix("@"))
    if user is None or not user.username:
        raise RpcFault(400, "USERNAME_NOT_OCCUPIED")
    return types.contacts.ResolvedPeer(types.PeerUser(user.user_id), [], [call.views.user(viewer_id, user.user_id)])


def _get_contacts(call: Call, _request: TLObject) -> TLObject:
    viewer_id = call.user_id
    known = sorted(other for viewer, other in call.world.contacts if viewer == viewer_id)
    contacts = [types.Contact(other, (other, viewer_id) in call.world.contacts) for other in known]
    return types.contacts.Contacts(contacts, 0, [call.views.user(viewer_id, other) for other in known])


def _get_blocked(call: Call, _request: TLObject) -> TLObject:
    _ = call.user_id
    return types.contacts.Blocked([], [], [])


HANDLERS: Handlers = {
    functions.contacts.ResolveUsernameRequest: _resolve_username,
    functions.contacts.GetContactsRequest: _get_contacts,
    functions.contacts.GetBlockedRequest: _get_blocked,
}
