"""updates.*: the state of an account and its missed updates."""

from chimein_gui.sandbox.rpc.call import Call, Handlers
from chimein_gui.sandbox.rpc.chats.channel_updates import channel_news
from chimein_gui.sandbox.rpc.refusal import RpcFault
from chimein_gui.sandbox.wire.tl import TLObject, functions, types
from chimein_gui.sandbox.world.records import LogKind

_SLICE = 1_000
"""Maximum number of log entries in one answer; a longer difference is sent in slices."""


def _get_state(call: Call, _request: TLObject) -> TLObject:
    return call.views.state(call.user_id)


def _get_difference(call: Call, request: TLObject) -> TLObject:
    owner_id, box = call.user_id, call.box
    if not 0 < request.pts <= box.pts:
        raise RpcFault(400, "PERSISTENT_TIMESTAMP_INVALID")
    if call.around.faults.difference_fault(owner_id) is not None:
        return types.updates.DifferenceTooLong(box.pts)
    missed = box.since(request.pts)
    if missed is None:
        return types.updates.DifferenceTooLong(box.pts)
    part = missed[:_SLICE]
    is_last = len(part) == len(missed)
    about_channels = channel_news(call, part, request, is_last=is_last)
    if not part and not about_channels:
        return types.updates.DifferenceEmpty(call.world.now(), 0)
    fresh = [box.live(entry.ids[0]) for entry in part if entry.kind is LogKind.MESSAGE]
    others = [call.views.update(owner_id, entry) for entry in part if entry.kind is not LogKind.MESSAGE]
    state = call.views.state(owner_id)
    state.pts = part[-1].pts if part else box.pts
    peers = call.views.peers_of(owner_id, part)
    peers.update((peer_id, None) for news in about_channels for peer_id in news.peer_ids)
    kind = types.updates.Difference if is_last else types.updates.DifferenceSlice
    return kind(
        [call.views.message(message) for message in fresh if message is not None],
        [],
        [*others, *(news.update for news in about_channels)],
        call.views.chats(owner_id, peers),
        call.views.users(owner_id, peers),
        state,
    )


HANDLERS: Handlers = {
    functions.updates.GetStateRequest: _get_state,
    functions.updates.GetDifferenceRequest: _get_difference,
}
