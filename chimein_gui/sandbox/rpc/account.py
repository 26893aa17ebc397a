"""account.*: settings."""

from chimein_gui.sandbox.rpc.call import Call, Handlers
from chimein_gui.sandbox.tl import TLObject, functions, types


def _get_notify_settings(call: Call, request: TLObject) -> TLObject:
    if isinstance(request.peer, types.InputNotifyPeer):
        call.peer_id(request.peer.peer)
    return types.PeerNotifySettings()


def _update_status(call: Call, _request: TLObject) -> TLObject:
    return bool(call.user_id)


HANDLERS: Handlers = {
    functions.account.GetNotifySettingsRequest: _get_notify_settings,
    functions.account.UpdateStatusRequest: _update_status,
}
