"""auth.exportLoginToken and related calls: logging in by a QR code that another session accepts."""

from chimein_gui.sandbox.rpc.call import Call, Handlers, RpcFault
from chimein_gui.sandbox.rpc.login.auth import authorization
from chimein_gui.sandbox.wire.tl import TLObject, functions, types


def _export(call: Call, request: TLObject) -> TLObject:
    """Return a token to show; after it has been accepted, the same call logs the session in."""
    desk = call.around.sign_in
    if request.api_id <= 0 or not request.api_hash:
        raise RpcFault(400, "API_ID_INVALID")
    token = desk.tokens.show(call.caller.key_id, call.caller.push)
    if not token.accepted_by:
        return types.auth.LoginToken(token.expires_at, token.token)
    return _success(call, token.accepted_by)


def _import(call: Call, request: TLObject) -> TLObject:
    """Log in the session that shows the token; other sessions can't use it."""
    token = call.around.sign_in.tokens.find(request.token)
    if token.key_id != call.caller.key_id:
        raise RpcFault(400, "AUTH_TOKEN_INVALID")
    if not token.accepted_by:
        return types.auth.LoginToken(token.expires_at, token.token)
    return _success(call, token.accepted_by)


def _success(call: Call, user_id: int) -> TLObject:
    call.around.sign_in.enter(call.caller.key_id, user_id)
    return types.auth.LoginTokenSuccess(authorization(call, user_id))


HANDLERS: Handlers = {
    functions.auth.ExportLoginTokenRequest: _export,
    functions.auth.ImportLoginTokenRequest: _import,
}
