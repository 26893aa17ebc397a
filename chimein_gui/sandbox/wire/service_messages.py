"""MTProto service messages: requests of clients that are not calls and get no RpcResult.

Only those that our clients send are supported. The sandbox treats others (message states, future salts, dropped
answers) as unknown methods.
"""

from chimein_gui.sandbox.wire.mtproto_session import MtprotoSession
from chimein_gui.sandbox.wire.tl import TLObject, functions, types

_IGNORED = (types.HttpWait, types.MsgsAllInfo, types.MsgsStateInfo)
"""The client's HTTP waits have no use over TCP, and the sandbox never asks for states of messages."""


def is_service(request: TLObject) -> bool:
    """Tell service messages from calls."""
    return isinstance(request, (functions.PingRequest, types.MsgsAck, *_IGNORED))


def react(session: MtprotoSession, message_id: int, request: TLObject) -> bytes | None:
    """Process a service message; returns the serialised answer, or None if there is none."""
    if isinstance(request, functions.PingRequest):
        return bytes(types.Pong(message_id, request.ping_id))
    if isinstance(request, types.MsgsAck):
        session.confirm(request.msg_ids)
    return None
