"""account.* about the notification settings of chats."""

from chimein_gui.sandbox.rpc.call import Call, Handlers, RpcFault
from chimein_gui.sandbox.wire.tl import TLObject, functions, types


def _get(call: Call, request: TLObject) -> TLObject:
    return call.world.settings.notify(call.user_id, _chat(call, request.peer))


def _update(call: Call, request: TLObject) -> TLObject:
    owner_id, peer_id = call.user_id, _chat(call, request.peer)
    known = call.world.settings.notify(owner_id, peer_id)
    call.world.settings.set_notify(owner_id, peer_id, _merged(known, request.settings))
    return True


def _chat(call: Call, peer: TLObject) -> int:
    """Return the chat of a request; the sandbox has no settings for all chats of a kind."""
    if not isinstance(peer, types.InputNotifyPeer):
        raise RpcFault(400, "PEER_ID_INVALID")
    return call.peer_id(peer.peer)


def _merged(known: TLObject, given: TLObject) -> TLObject:
    """Return the settings after a change that has only some of them."""
    return types.PeerNotifySettings(
        show_previews=known.show_previews if given.show_previews is None else given.show_previews,
        silent=known.silent if given.silent is None else given.silent,
        mute_until=known.mute_until if given.mute_until is None else given.mute_until,
    )


HANDLERS: Handlers = {
    functions.account.GetNotifySettingsRequest: _get,
    functions.account.UpdateNotifySettingsRequest: _update,
}
