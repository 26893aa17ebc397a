"""MTProto's service messages: what clients send that is no call and gets no RpcResult.

Those that the real clients send; of the others (states, salts of the future, answers that nobody wants any more) the
sandbox says that it does not know them.
"""

from chimein_gui.sandbox.wire.mtproto_session import MtprotoSession
from chimein_gui.sandbox.wire.tl import TLObject, functions, types

_IGNORED = (types.HttpWait, types.MsgsAllInfo, types.MsgsStateInfo)
"""HTTP waits make no sense over TCP, and we never ask a client for the states of messages."""


def is_service(request: TLObject) -> bool:
    """Tell service messages from calls."""
    return isinstance(request, (functions.PingRequest, types.MsgsAck, *_IGNORED))


def react(session: MtprotoSession, message_id: int, request: TLObject) -> bytes | None:
    """Do what a service message asks; returns the serialised answer, None where there is none."""
    if isinstance(request, functions.PingRequest):
        return bytes(types.Pong(message_id, request.ping_id))
    if isinstance(request, types.MsgsAck):
        session.confirm(request.msg_ids)
    return None
