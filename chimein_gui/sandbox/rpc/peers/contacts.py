"""Users: their details, the contact list, and user names."""

from chimein_gui.sandbox.rpc.call import Call, Handlers, RpcFault
from chimein_gui.sandbox.wire.tl import TLObject, functions, types
from chimein_gui.sandbox.world.records import User


def _resolve_username(call: Call, request: TLObject) -> TLObject:
    _ = call.user_id
    user = call.world.username(request.username.removeprefix("@"))
    if user is None:
        raise RpcFault(400, "USERNAME_NOT_OCCUPIED")
    return _resolved(call, user)


def _resolved(call: Call, user: User) -> TLObject:
    users = [call.views.user(call.user_id, user.user_id)]
    return types.contacts.ResolvedPeer(types.PeerUser(user.user_id), [], users)


def _get_contacts(call: Call, _request: TLObject) -> TLObject:
    viewer_id = call.user_id
    known = call.world.directory.contacts_of(viewer_id)
    contacts = [types.Contact(other, call.world.directory.is_contact(other, viewer_id)) for other in known]
    return types.contacts.Contacts(contacts, 0, [call.views.user(viewer_id, other) for other in known])


def _get_users(call: Call, request: TLObject) -> TLObject:
    viewer_id = call.user_id
    return [call.views.user(viewer_id, call.peer_id(wanted, "USER_ID_INVALID")) for wanted in request.id]


HANDLERS: Handlers = {
    functions.contacts.ResolveUsernameRequest: _resolve_username,
    functions.contacts.GetContactsRequest: _get_contacts,
    functions.users.GetUsersRequest: _get_users,
}
