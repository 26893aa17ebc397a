"""auth.*: whose key this is. Signing in comes with the handshake; today's keys are logged in from the start."""

from chimein_gui.sandbox.rpc.call import Call, Handlers
from chimein_gui.sandbox.tl import TLObject, functions, types


def _log_out(call: Call, _request: TLObject) -> TLObject:
    _ = call.user_id  # a key that is not logged in can't log out
    key_id = call.caller.key_id
    call.world.log_out(key_id)
    call.around.hub.expel(key_id)
    return types.auth.LoggedOut()


HANDLERS: Handlers = {functions.auth.LogOutRequest: _log_out}
