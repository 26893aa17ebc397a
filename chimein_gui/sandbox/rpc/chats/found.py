"""Results of calls that look messages up, with the users and chats in them."""

from chimein_gui.sandbox.rpc.call import Call
from chimein_gui.sandbox.wire.tl import TLObject, types
from chimein_gui.sandbox.world.boxes import Window
from chimein_gui.sandbox.world.peers import is_channel
from chimein_gui.sandbox.world.records import StoredMessage

MAX_PART = 100


def window_of(request: TLObject) -> Window:
    """Return the part of a history that a request wants."""
    return Window(
        limit=min(max(request.limit, 0), MAX_PART),
        offset_id=request.offset_id,
        offset_date=seconds(getattr(request, "offset_date", None)),
        add_offset=request.add_offset,
        max_id=request.max_id,
        min_id=request.min_id,
    )


def seconds(moment: TLObject | None) -> int:
    """Return a date, which Telethon reads as an aware datetime, as seconds since the epoch; 0 for none."""
    return int(moment.timestamp()) if moment else 0


def answer(call: Call, part: list[StoredMessage], total: int, *peer_ids: int, next_rate: int | None = None) -> TLObject:
    """Return a part of `total` messages: as a slice if it is not all of them, for a supergroup with its `pts`."""
    part = call.world.supergroups.all_seen_by(call.user_id, part)
    peers = (*call.views.peers_in(part), *peer_ids)
    users, chats = call.views.users(call.user_id, peers), call.views.chats(call.user_id, peers)
    rendered = [call.views.message(message) for message in part]
    in_channel = next(filter(is_channel, peer_ids), 0)
    if in_channel:
        return types.messages.ChannelMessages(call.box_of(in_channel).pts, total, rendered, [], chats, users)
    if len(part) == total:
        return types.messages.Messages(rendered, [], chats, users)
    return types.messages.MessagesSlice(total, rendered, [], chats, users, next_rate=next_rate)
