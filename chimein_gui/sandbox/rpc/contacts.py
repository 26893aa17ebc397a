"""contacts.*: who knows whom, and by which name."""

from chimein_gui.sandbox import privacy
from chimein_gui.sandbox.records import User
from chimein_gui.sandbox.rpc.call import Call, Handlers, RpcFault
from chimein_gui.sandbox.rpc.users import peer_settings
from chimein_gui.sandbox.tl import TLObject, functions, types

_MOST_FOUND = 50


def _resolve_username(call: Call, request: TLObject) -> TLObject:
    _ = call.user_id
    user = call.world.username(request.username.removeprefix("@"))
    if user is None:
        raise RpcFault(400, "USERNAME_NOT_OCCUPIED")
    return _resolved(call, user)


def _resolve_phone(call: Call, request: TLObject) -> TLObject:
    user = call.world.directory.by_phone(request.phone)
    if user is None or not privacy.allows(call.world.directory, user.user_id, privacy.BY_PHONE, call.user_id):
        raise RpcFault(400, "PHONE_NOT_OCCUPIED")
    return _resolved(call, user)


def _resolved(call: Call, user: User) -> TLObject:
    users = [call.views.user(call.user_id, user.user_id)]
    return types.contacts.ResolvedPeer(types.PeerUser(user.user_id), [], users)


def _get_contacts(call: Call, _request: TLObject) -> TLObject:
    viewer_id = call.user_id
    known = call.world.directory.contacts_of(viewer_id)
    contacts = [types.Contact(other, call.world.directory.is_contact(other, viewer_id)) for other in known]
    return types.contacts.Contacts(contacts, 0, [call.views.user(viewer_id, other) for other in known])


def _get_statuses(call: Call, _request: TLObject) -> TLObject:
    viewer_id = call.user_id
    known = call.world.directory.contacts_of(viewer_id)
    return [types.ContactStatus(other, call.world.presence.seen(viewer_id, other)) for other in known]


def _add(call: Call, request: TLObject) -> TLObject:
    owner_id, contact_id = call.user_id, call.peer_id(request.id, "CONTACT_ID_INVALID")
    if contact_id == owner_id:
        raise RpcFault(400, "CONTACT_ID_INVALID")
    if not request.first_name.strip():
        raise RpcFault(400, "CONTACT_NAME_EMPTY")
    call.world.directory.add_contact(owner_id, contact_id, request.first_name.strip(), request.last_name.strip())
    if request.add_phone_privacy_exception:
        _show_phone(call, contact_id)
    return _changed(call, [contact_id])


def _show_phone(call: Call, contact_id: int) -> None:
    """Let a new contact see the caller's number, whatever the rules say of others."""
    directory = call.world.directory
    rules = directory.rules(call.user_id, privacy.PHONE)
    directory.set_rules(call.user_id, privacy.PHONE, (types.PrivacyValueAllowUsers([contact_id]), *rules))


def _import(call: Call, request: TLObject) -> TLObject:
    """Add whoever has one of the numbers; numbers of nobody, or of people who hide, are passed over in silence."""
    owner_id, directory = call.user_id, call.world.directory
    imported = []
    for one in request.contacts:
        user = directory.by_phone(one.phone)
        if user is None or user.user_id == owner_id:
            continue
        if not privacy.allows(directory, user.user_id, privacy.BY_PHONE, owner_id):
            continue
        directory.add_contact(owner_id, user.user_id, one.first_name, one.last_name)
        imported.append(types.ImportedContact(user.user_id, one.client_id))
    ids = [one.user_id for one in imported]
    _changed(call, ids)
    return types.contacts.ImportedContacts(imported, [], [], [call.views.user(owner_id, user_id) for user_id in ids])


def _delete(call: Call, request: TLObject) -> TLObject:
    owner_id = call.user_id
    ids = [call.peer_id(user, "CONTACT_ID_INVALID") for user in request.id]
    gone = [contact_id for contact_id in ids if call.world.directory.remove_contact(owner_id, contact_id)]
    return _changed(call, gone)


def _changed(call: Call, contact_ids: list[int]) -> TLObject:
    """Tell the caller's sessions how these people look to them now."""
    owner_id = call.user_id
    updates = [types.UpdatePeerSettings(types.PeerUser(one), peer_settings(call, one)) for one in contact_ids]
    for contact_id, update in zip(contact_ids, updates, strict=True):
        call.world.post.tell(owner_id, update, contact_id)
    return call.views.bundle(owner_id, updates, contact_ids)


def _search(call: Call, request: TLObject) -> TLObject:
    """Find contacts by the beginning of a name, and anybody by the beginning of a username."""
    viewer_id, directory = call.user_id, call.world.directory
    wanted = request.q.removeprefix("@").casefold().strip()
    if not wanted:
        raise RpcFault(400, "SEARCH_QUERY_EMPTY")
    limit = max(1, min(request.limit, _MOST_FOUND))
    own = [other for other in directory.contacts_of(viewer_id) if _is_called(call, other, wanted)]
    others = [
        user.user_id
        for user in directory.users.values()
        if any(name.casefold().startswith(wanted) for name in user.usernames) and user.user_id not in own
    ]
    own, others = own[:limit], others[:limit]
    peers = [[types.PeerUser(user_id) for user_id in ids] for ids in (own, others)]
    return types.contacts.Found(*peers, [], [call.views.user(viewer_id, one) for one in (*own, *others)])


def _is_called(call: Call, user_id: int, wanted: str) -> bool:
    names = (*call.world.directory.names_for(call.user_id, user_id), *call.world.users[user_id].usernames)
    return any(word.casefold().startswith(wanted) for name in names for word in name.split())


HANDLERS: Handlers = {
    functions.contacts.ResolveUsernameRequest: _resolve_username,
    functions.contacts.ResolvePhoneRequest: _resolve_phone,
    functions.contacts.GetContactsRequest: _get_contacts,
    functions.contacts.GetStatusesRequest: _get_statuses,
    functions.contacts.AddContactRequest: _add,
    functions.contacts.ImportContactsRequest: _import,
    functions.contacts.DeleteContactsRequest: _delete,
    functions.contacts.SearchRequest: _search,
}
