"""updates.* of supergroups: hints for a client that was away, and the missed updates."""

from collections.abc import Iterator

from chimein_gui.sandbox.rpc.call import Call, Handlers
from chimein_gui.sandbox.rpc.chats.found import seconds
from chimein_gui.sandbox.rpc.refusal import RpcFault
from chimein_gui.sandbox.wire.tl import TLObject, functions, types
from chimein_gui.sandbox.world.peers import bare_channel_id, is_channel
from chimein_gui.sandbox.world.records import LogEntry, LogKind, Notice
from chimein_gui.sandbox.world.supergroups import new_channels

_SLICE = 100
"""Maximum number of log entries in one answer, whatever the client requests."""


def channel_news(call: Call, part: list[LogEntry], request: TLObject, *, is_last: bool) -> list[Notice]:
    """Return the updates about supergroups in an account's difference.

    A supergroup that is new to the client comes with its first message, because a client can only ask from a `pts` that
    it knows. For the others, and for later messages, updateChannelTooLong is sent.

    Args:
        call: The call; its user is the account.
        part: The entries of the account's log in this answer.
        request: GetDifference; its date says how long the client was away.
        is_last: Whether this is the last part of the difference.
    """
    known_pts: dict[int, int] = {}
    news: list[Notice] = []
    for peer_id in _begun(call, part):
        first = next(iter(call.world.post.channel(peer_id).log), None)
        if first is None or first.kind is not LogKind.MESSAGE:
            continue
        known_pts[peer_id] = first.pts
        about = tuple(call.views.peers_of(call.user_id, (first,)))
        news.append(Notice(call.user_id, types.UpdateChannel(bare_channel_id(peer_id)), about))
        news.append(Notice(call.user_id, call.views.update(call.user_id, first), about))
    return [*news, *_behind(call, known_pts, seconds(request.date))] if is_last else news


def _begun(call: Call, part: list[LogEntry]) -> list[int]:
    """Return the supergroups that the caller's groups have migrated to in a part of the log."""
    found = [call.box.live(entry.ids[0]) for entry in part if entry.kind is LogKind.MESSAGE and entry.peer_id < 0]
    mine = {box.owner_id for box in call.world.supergroups.of(call.user_id)}
    return [peer_id for peer_id in new_channels(one for one in found if one is not None) if peer_id in mine]


def _behind(call: Call, known_pts: dict[int, int], since: int) -> Iterator[Notice]:
    """Yield a hint for each supergroup with changes that the client may not know."""
    for box in call.world.supergroups.of(call.user_id):
        if box.changed_at >= since and box.pts > known_pts.get(box.owner_id, 0):
            hint = types.UpdateChannelTooLong(bare_channel_id(box.owner_id), box.pts)
            yield Notice(call.user_id, hint, (box.owner_id,))


def _get_channel_difference(call: Call, request: TLObject) -> TLObject:
    viewer_id, peer_id = call.user_id, call.peer_id(request.channel, "CHANNEL_INVALID")
    if not is_channel(peer_id):
        raise RpcFault(400, "CHANNEL_INVALID")
    box = call.world.post.channel(peer_id)
    if not request.pts:
        raise RpcFault(400, "PERSISTENT_TIMESTAMP_EMPTY")
    if not 0 < request.pts <= box.pts:
        raise RpcFault(400, "PERSISTENT_TIMESTAMP_INVALID")
    missed = box.since(request.pts)
    if missed is None:
        return _too_long(call, peer_id)
    if not missed:
        return types.updates.ChannelDifferenceEmpty(box.pts, final=True)
    part = missed[: max(1, min(request.limit, _SLICE))]
    fresh = [call.world.live(viewer_id, peer_id, one.ids[0]) for one in part if one.kind is LogKind.MESSAGE]
    others = [call.views.update(viewer_id, entry) for entry in part if entry.kind is not LogKind.MESSAGE]
    peers = call.views.peers_of(viewer_id, part)
    return types.updates.ChannelDifference(
        part[-1].pts,
        [call.views.message(message) for message in fresh if message is not None],
        others,
        call.views.chats(viewer_id, peers),
        call.views.users(viewer_id, peers),
        final=(len(part) == len(missed)) or None,
    )


def _too_long(call: Call, peer_id: int) -> TLObject:
    """Return only the current state of the chat, with its newest message."""
    viewer_id, box = call.user_id, call.world.post.channel(peer_id)
    newest = [] if box.top is None else [call.world.supergroups.seen_by(viewer_id, box.top)]
    peers = (*call.views.peers_in(newest), peer_id)
    return types.updates.ChannelDifferenceTooLong(
        call.views.dialog(viewer_id, peer_id),
        [call.views.message(message) for message in newest],
        call.views.chats(viewer_id, peers),
        call.views.users(viewer_id, peers),
        final=True,
    )


HANDLERS: Handlers = {functions.updates.GetChannelDifferenceRequest: _get_channel_difference}
