"""account.getPassword and its kin: the second factor."""

from chimein_gui.sandbox.rpc.call import Call, Handlers, RpcFault
from chimein_gui.sandbox.tl import TLObject, functions


def _get_password(call: Call, _request: TLObject) -> TLObject:
    """Ask for the password; also of a session that is about to be logged in."""
    owing = call.around.sign_in.owes_password(call.caller.key_id)
    return call.around.sign_in.passwords.describe(call.user_id if owing is None else owing)


def _update_password(call: Call, request: TLObject) -> TLObject:
    passwords, settings = call.around.sign_in.passwords, request.new_settings
    passwords.check(call.user_id, request.password)
    if settings.email or settings.new_secure_settings:
        raise RpcFault(400, "NEW_SETTINGS_INVALID")
    passwords.change(call.user_id, settings)
    return True


HANDLERS: Handlers = {
    functions.account.GetPasswordRequest: _get_password,
    functions.account.UpdatePasswordSettingsRequest: _update_password,
}
