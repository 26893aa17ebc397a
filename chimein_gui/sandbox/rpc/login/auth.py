"""Logging in by code, by password, and by a QR code that another session accepts; logging out."""

from chimein_gui.sandbox.rpc.call import Call, Handlers
from chimein_gui.sandbox.rpc.refusal import RpcFault
from chimein_gui.sandbox.sign_in.codes import CODE_LENGTH, LoginCode, Way, plain_number
from chimein_gui.sandbox.wire.tl import TLObject, functions, types

_TIMEOUT_S = 60
"""Seconds until a client may request the code by the next way; the sandbox does not enforce it."""

_SENT = {
    Way.APP: types.auth.SentCodeTypeApp,
    Way.SMS: types.auth.SentCodeTypeSms,
    Way.CALL: types.auth.SentCodeTypeCall,
}
_NEXT = {Way.SMS: types.auth.CodeTypeSms, Way.CALL: types.auth.CodeTypeCall}


def authorization(call: Call, user_id: int) -> TLObject:
    """Return the answer for a session that has just been logged in."""
    return types.auth.Authorization(user=call.views.user(user_id, user_id))


def _sent(code: LoginCode) -> TLObject:
    following = _NEXT[code.ways[1]]() if len(code.ways) > 1 else None
    way = code.ways[0]
    if way.in_words:
        kind = types.auth.SentCodeTypeSmsWord if way is Way.SMS_WORD else types.auth.SentCodeTypeSmsPhrase
        sent = kind(beginning=code.code.split()[0] if way is Way.SMS_PHRASE else code.code[:1])
    else:
        sent = _SENT[way](CODE_LENGTH)
    return types.auth.SentCode(
        type=sent,
        phone_code_hash=code.code_hash,
        next_type=following,
        timeout=_TIMEOUT_S if following else None,
    )


def _send_code(call: Call, request: TLObject) -> TLObject:
    if request.api_id <= 0 or not request.api_hash:
        raise RpcFault(400, "API_ID_INVALID")
    return _sent(call.around.sign_in.send_code(request.phone_number))


def _resend_code(call: Call, request: TLObject) -> TLObject:
    return _sent(call.around.sign_in.codes.again(plain_number(request.phone_number), request.phone_code_hash))


def _cancel_code(call: Call, request: TLObject) -> TLObject:
    call.around.sign_in.codes.cancel(plain_number(request.phone_number), request.phone_code_hash)
    return True


def _sign_in(call: Call, request: TLObject) -> TLObject:
    user_id = call.around.sign_in.enter_with_code(
        call.caller.key_id, request.phone_number, request.phone_code_hash, request.phone_code or ""
    )
    return types.auth.AuthorizationSignUpRequired() if user_id is None else authorization(call, user_id)


def _sign_up(_call: Call, request: TLObject) -> TLObject:
    """Refuse: third-party applications can't create accounts, as on live Telegram."""
    plain_number(request.phone_number)
    raise RpcFault(406, "UPDATE_APP_TO_LOGIN")


def _check_password(call: Call, request: TLObject) -> TLObject:
    return authorization(call, call.around.sign_in.enter_with_password(call.caller.key_id, request.password))


def _log_out(call: Call, _request: TLObject) -> TLObject:
    _ = call.user_id  # a key that is not logged in can't log out
    call.around.sign_in.log_out(call.caller.key_id)
    return types.auth.LoggedOut()


def _export_authorization(call: Call, _request: TLObject) -> TLObject:
    """Refuse: there is only one data centre, so no authorisation is ever moved."""
    _ = call.user_id
    raise RpcFault(400, "DC_ID_INVALID")


def _get_password(call: Call, _request: TLObject) -> TLObject:
    """Return the challenge; also for a session whose password is pending."""
    owing = call.around.sign_in.owes_password(call.caller.key_id)
    return call.around.sign_in.passwords.describe(call.user_id if owing is None else owing)


def _export_token(call: Call, request: TLObject) -> TLObject:
    """Return a token to show; after it has been accepted, the same call logs the session in."""
    sign_in = call.around.sign_in
    if request.api_id <= 0 or not request.api_hash:
        raise RpcFault(400, "API_ID_INVALID")
    token = sign_in.tokens.show(call.caller.key_id, call.caller.push)
    if not token.accepted_by:
        return types.auth.LoginToken(token.expires_at, token.token)
    return _success(call, token.accepted_by)


def _import_token(call: Call, request: TLObject) -> TLObject:
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
    functions.auth.CancelCodeRequest: _cancel_code,
    functions.auth.CheckPasswordRequest: _check_password,
    functions.auth.ExportAuthorizationRequest: _export_authorization,
    functions.auth.LogOutRequest: _log_out,
    functions.auth.ResendCodeRequest: _resend_code,
    functions.auth.SendCodeRequest: _send_code,
    functions.auth.SignInRequest: _sign_in,
    functions.auth.SignUpRequest: _sign_up,
    functions.account.GetPasswordRequest: _get_password,
    functions.auth.ExportLoginTokenRequest: _export_token,
    functions.auth.ImportLoginTokenRequest: _import_token,
}
