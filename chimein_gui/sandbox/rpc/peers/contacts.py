"""Users: their details, the contact list, user names, and whom an account has blocked."""

from chimein_gui.sandbox.rpc.call import Call, Handlers
from chimein_gui.sandbox.rpc.refusal import RpcFault
from chimein_gui.sandbox.wire.tl import TLObject, functions, types
from chimein_gui.sandbox.world.peers import peer_of
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


_MAX_PART = 100


def _block(call: Call, request: TLObject) -> TLObject:
    return _set(call, request.id, blocked=True)


def _unblock(call: Call, request: TLObject) -> TLObject:
    return _set(call, request.id, blocked=False)


def _set(call: Call, peer: TLObject, *, blocked: bool) -> bool:
    """Change the block list; the caller's other sessions are notified, the blocked user is not."""
    owner_id, other_id = call.user_id, call.peer_id(peer)
    if other_id < 0 or other_id == owner_id:
        raise RpcFault(400, "CONTACT_ID_INVALID")
    directory = call.world.directory
    if blocked:
        is_news = directory.block(owner_id, other_id, call.world.now())
    else:
        is_news = directory.unblock(owner_id, other_id)
    if is_news:
        call.world.post.tell(owner_id, types.UpdatePeerBlocked(peer_of(other_id), blocked=blocked or None), other_id)
    return True


def _get_blocked(call: Call, request: TLObject) -> TLObject:
    viewer_id = call.user_id
    everybody = call.world.directory.blocked_by(viewer_id)
    start = max(request.offset, 0)
    part = everybody[start : start + max(0, min(request.limit, _MAX_PART))]
    blocked = [types.PeerBlocked(types.PeerUser(user_id), moment) for user_id, moment in part]
    users = [call.views.user(viewer_id, user_id) for user_id, _ in part]
    if len(part) == len(everybody):
        return types.contacts.Blocked(blocked, [], users)
    return types.contacts.BlockedSlice(len(everybody), blocked, [], users)


HANDLERS: Handlers = {
    functions.contacts.ResolveUsernameRequest: _resolve_username,
    functions.contacts.GetContactsRequest: _get_contacts,
    functions.users.GetUsersRequest: _get_users,
    functions.contacts.BlockRequest: _block,
    functions.contacts.UnblockRequest: _unblock,
    functions.contacts.GetBlockedRequest: _get_blocked,
}
