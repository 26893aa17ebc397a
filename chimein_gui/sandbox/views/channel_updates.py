"""The updates about what happens in a supergroup; each names the channel, and its `pts` is the channel's own."""

from collections.abc import Callable

from chimein_gui.sandbox.wire.tl import TLObject, types
from chimein_gui.sandbox.world.peers import bare_channel_id
from chimein_gui.sandbox.world.records import LogEntry, LogKind


def channel_update(entry: LogEntry, message: TLObject | None) -> TLObject:
    """Return the update that takes a client to `entry.pts` of the channel.

    Args:
        entry: A step of the channel's log.
        message: The message it is about, as the viewer sees it; None for one that is gone by now, and for steps about
            no single message.
    """
    pts = {"pts": entry.pts, "pts_count": entry.pts_count}
    if entry.kind in _WITH_MESSAGE and message is not None:
        return _WITH_MESSAGE[entry.kind](message, **pts)
    return types.UpdateDeleteChannelMessages(bare_channel_id(entry.peer_id), list(entry.ids), **pts)


_WITH_MESSAGE: dict[LogKind, Callable[..., TLObject]] = {
    LogKind.MESSAGE: types.UpdateNewChannelMessage,
    LogKind.EDIT: types.UpdateEditChannelMessage,
}
