"""MTProto's service messages: what clients send that is no call and gets no RpcResult (with one exception)."""

from collections.abc import Callable, Sequence
from typing import Protocol

from chimein_gui.sandbox.timekeeping import wall_clock
from chimein_gui.sandbox.wire.mtproto_session import MtprotoSession, MtprotoSessions
from chimein_gui.sandbox.wire.salts import Salts
from chimein_gui.sandbox.wire.tl import TLObject, functions, types


class Line(Protocol):
    """A connection as service messages see it.

    Attributes:
        key_id: Its auth key.
        session: Its MTProto session.
        sessions: All sessions of the server.
        salts: Those of its key.
    """

    key_id: int
    session: MtprotoSession
    sessions: MtprotoSessions
    salts: Salts

    def answer(self, request_id: int, body: bytes) -> None:
        """Answer a call."""
        ...

    def send_again(self, message_ids: Sequence[int]) -> None:
        """Send messages of ours again that the client has not confirmed."""
        ...

    def hang_up_after(self, seconds: float) -> None:
        """Cut the connection unless the client asks for more time before."""
        ...


_Reaction = Callable[[Line, int, TLObject], TLObject | None]


def _ping(_line: Line, message_id: int, request: TLObject) -> TLObject:
    return types.Pong(message_id, request.ping_id)


def _ping_or_hang_up(line: Line, message_id: int, request: TLObject) -> TLObject:
    line.hang_up_after(request.disconnect_delay)
    return types.Pong(message_id, request.ping_id)


def _states(line: Line, message_id: int, request: TLObject) -> TLObject:
    return types.MsgsStateInfo(message_id, line.session.states(request.msg_ids))


def _resend(line: Line, message_id: int, request: TLObject) -> TLObject:
    line.send_again(request.msg_ids)
    return _states(line, message_id, request)


def _confirm(line: Line, _message_id: int, request: TLObject) -> None:
    line.session.confirm(request.msg_ids)


def _salts(line: Line, message_id: int, request: TLObject) -> TLObject:
    return types.FutureSalts(message_id, int(wall_clock()), line.salts.future(request.num))


def _destroy(line: Line, _message_id: int, request: TLObject) -> TLObject:
    is_known = line.sessions.destroy(line.key_id, request.session_id)
    return (types.DestroySessionOk if is_known else types.DestroySessionNone)(request.session_id)


def _drop_answer(line: Line, message_id: int, request: TLObject) -> None:
    """Unlike all others its answer is an RpcResult."""
    line.answer(message_id, bytes(line.session.drop_answer(request.req_msg_id)))


def _ignore(_line: Line, _message_id: int, _request: TLObject) -> None:
    """HTTP waits make no sense over TCP, and we never ask a client for the states of messages."""


_REACTIONS: dict[type, _Reaction] = {
    functions.DestroySessionRequest: _destroy,
    functions.GetFutureSaltsRequest: _salts,
    functions.PingDelayDisconnectRequest: _ping_or_hang_up,
    functions.PingRequest: _ping,
    functions.RpcDropAnswerRequest: _drop_answer,
    types.HttpWait: _ignore,
    types.MsgResendReq: _resend,
    types.MsgsAck: _confirm,
    types.MsgsAllInfo: _ignore,
    types.MsgsStateInfo: _ignore,
    types.MsgsStateReq: _states,
}


def is_service(request: TLObject) -> bool:
    """Tell service messages from calls."""
    return type(request) in _REACTIONS


def react(line: Line, message_id: int, request: TLObject) -> bytes | None:
    """Do what a service message asks; returns the serialised answer, None where there is none."""
    answer = _REACTIONS[type(request)](line, message_id, request)
    return None if answer is None else bytes(answer)
