"""account.getAuthorizations and its kin: an account's sessions, and ending others."""

from chimein_gui.sandbox.rpc.call import Call, Handlers, RpcFault
from chimein_gui.sandbox.sessions import KeyRecord
from chimein_gui.sandbox.tl import TLObject, functions, types

_TTL_DAYS = 183


def describe(record: KeyRecord, now: int, *, current: bool = False) -> TLObject:
    """Return a session as other sessions of the account see it; the current one is called 0."""
    device = record.device
    return types.Authorization(
        hash=0 if current else record.public_hash,
        device_model=device.model,
        platform=device.system_version.partition(" ")[0],
        system_version=device.system_version,
        api_id=device.api_id,
        app_name="Chimein",
        app_version=device.app_version,
        date_created=record.logged_in_at or record.used_at or now,
        date_active=record.used_at or now,
        ip="127.0.0.1",
        country="Sandbox",
        region="",
        current=current or None,
    )


def _get_authorizations(call: Call, _request: TLObject) -> TLObject:
    """List the sessions that a client has ever used."""
    own, now = call.caller.key_id, call.world.now()
    used = [record for record in call.world.keys.records_of(call.user_id) if record.used_at or record.key_id == own]
    used.sort(key=lambda record: (record.key_id != own, -record.used_at))
    return types.account.Authorizations(
        _TTL_DAYS, [describe(record, now, current=record.key_id == own) for record in used]
    )


def _reset_authorization(call: Call, request: TLObject) -> TLObject:
    for record in call.world.keys.records_of(call.user_id):
        if record.public_hash == request.hash and record.key_id != call.caller.key_id:
            call.around.sign_in.revoke(record.key_id)
            return True
    raise RpcFault(400, "HASH_INVALID")


def _reset_authorizations(call: Call, _request: TLObject) -> TLObject:
    call.around.sign_in.revoke_all(call.user_id, spare=call.caller.key_id)
    return True


HANDLERS: Handlers = {
    functions.account.GetAuthorizationsRequest: _get_authorizations,
    functions.account.ResetAuthorizationRequest: _reset_authorization,
    functions.auth.ResetAuthorizationsRequest: _reset_authorizations,
}
