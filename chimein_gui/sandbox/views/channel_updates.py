"""Updates about supergroups; each names the channel and has the channel's own `pts`."""

from collections.abc import Callable

from chimein_gui.sandbox.wire.tl import TLObject, types
from chimein_gui.sandbox.world.peers import bare_channel_id
from chimein_gui.sandbox.world.records import LogEntry, LogKind


def channel_update(entry: LogEntry, message: TLObject | None) -> TLObject:
    """Return the update that brings a client to `entry.pts` of the channel.

    Args:
        entry: An entry of the channel's log.
        message: Its message as the viewer sees it; None if that has been deleted, or if the entry is not about a single
            message.
    """
    pts = {"pts": entry.pts, "pts_count": entry.pts_count}
    if entry.kind in _WITH_MESSAGE and message is not None:
        return _WITH_MESSAGE[entry.kind](message, **pts)
    return types.UpdateDeleteChannelMessages(bare_channel_id(entry.peer_id), list(entry.ids), **pts)


_WITH_MESSAGE: dict[LogKind, Callable[..., TLObject]] = {
    LogKind.MESSAGE: types.UpdateNewChannelMessage,
    LogKind.EDIT: types.UpdateEditChannelMessage,
}
