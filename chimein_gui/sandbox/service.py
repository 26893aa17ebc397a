"""MTProto's service messages: what clients send that is no call and gets no RpcResult."""

from collections.abc import Callable

from chimein_gui.sandbox.tl import TLObject, functions, types

_Answer = Callable[[int, TLObject], TLObject]


def _pong(message_id: int, request: TLObject) -> TLObject:
    return types.Pong(message_id, request.ping_id)


def _no_state(message_id: int, request: TLObject) -> TLObject:
    """All answers have been sent at once, so every message counts as received (state 4)."""
    return types.MsgsStateInfo(message_id, "\x04" * len(request.msg_ids))


def _salts(message_id: int, _request: TLObject) -> TLObject:
    return types.FutureSalts(message_id, 0, [])


def _destroyed(_message_id: int, request: TLObject) -> TLObject:
    return types.DestroySessionOk(request.session_id)


_ANSWERS: dict[type, _Answer] = {
    functions.PingRequest: _pong,
    functions.PingDelayDisconnectRequest: _pong,
    functions.GetFutureSaltsRequest: _salts,
    functions.DestroySessionRequest: _destroyed,
    types.MsgsStateReq: _no_state,
}
_SILENT = (types.MsgsAck, types.HttpWait, types.MsgsStateInfo, types.MsgsAllInfo, types.MsgResendReq)


def is_service(request: TLObject) -> bool:
    """Tell service messages from calls."""
    return type(request) in _ANSWERS or isinstance(request, _SILENT)


def answer(message_id: int, request: TLObject) -> bytes | None:
    """Return the serialised answer to a service message, None where there is none."""
    make = _ANSWERS.get(type(request))
    return None if make is None else bytes(make(message_id, request))
