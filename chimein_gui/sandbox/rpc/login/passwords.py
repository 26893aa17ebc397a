"""account.getPassword: the challenge of the second factor."""

from chimein_gui.sandbox.rpc.call import Call, Handlers
from chimein_gui.sandbox.wire.tl import TLObject, functions


def _get_password(call: Call, _request: TLObject) -> TLObject:
    """Return the challenge; also for a session whose password is pending."""
    owing = call.around.sign_in.owes_password(call.caller.key_id)
    return call.around.sign_in.passwords.describe(call.user_id if owing is None else owing)


HANDLERS: Handlers = {
    functions.account.GetPasswordRequest: _get_password,
}
