"""account.* about notifications: muted until when, shown how."""

from chimein_gui.sandbox.rpc.call import Call, Handlers, RpcFault
from chimein_gui.sandbox.tl import TLObject, functions, types

_SCOPES = {
    types.InputNotifyUsers: types.NotifyUsers,
    types.InputNotifyChats: types.NotifyChats,
    types.InputNotifyBroadcasts: types.NotifyBroadcasts,
}


def _get(call: Call, request: TLObject) -> TLObject:
    owner_id = call.user_id
    if isinstance(request.peer, types.InputNotifyPeer):
        return call.world.settings.notify(owner_id, call.peer_id(request.peer.peer))
    return call.world.settings.notify_default(owner_id, _scope(request.peer))


def _update(call: Call, request: TLObject) -> TLObject:
    owner_id, given = call.user_id, request.settings
    if isinstance(request.peer, types.InputNotifyPeer):
        peer_id = call.peer_id(request.peer.peer)
        call.world.settings.set_notify(owner_id, peer_id, _merged(call.world.settings.notify(owner_id, peer_id), given))
    else:
        scope = _scope(request.peer)
        known = call.world.settings.notify_default(owner_id, scope)
        call.world.settings.set_notify_default(owner_id, scope, _merged(known, given))
    return True


def _reset(call: Call, _request: TLObject) -> TLObject:
    call.world.settings.reset_notify(call.user_id)
    return True


def _scope(peer: TLObject) -> TLObject:
    kind = _SCOPES.get(type(peer))
    if kind is None:
        raise RpcFault(400, "PEER_ID_INVALID")
    return kind()


def _merged(known: TLObject, given: TLObject) -> TLObject:
    """Return the settings after a change that names only some of them."""
    return types.PeerNotifySettings(
        show_previews=known.show_previews if given.show_previews is None else given.show_previews,
        silent=known.silent if given.silent is None else given.silent,
        mute_until=known.mute_until if given.mute_until is None else given.mute_until,
    )


HANDLERS: Handlers = {
    functions.account.GetNotifySettingsRequest: _get,
    functions.account.UpdateNotifySettingsRequest: _update,
    functions.account.ResetNotifySettingsRequest: _reset,
}
