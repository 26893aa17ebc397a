"""Results of calls that change the caller's own box.

Other sessions of the caller get the change as a push, the calling session only as the result of its call.
"""

from chimein_gui.sandbox.rpc.call import Call
from chimein_gui.sandbox.rpc.refusal import RpcFault
from chimein_gui.sandbox.wire.tl import TLObject, types
from chimein_gui.sandbox.world.records import Change, LogEntry, Notice, StoredMessage


def mark(call: Call) -> int:
    """Return the current end of the world's happenings, for `updates_since`."""
    return len(call.world.happenings)


def updates_since(call: Call, start: int, *first: TLObject) -> TLObject:
    """Return the caller's updates since `start` as Updates.

    Args:
        call: The call; its user is the receiver.
        start: The result of `mark` before the change.
        first: Updates to put before the others.
    """
    owner_id = call.user_id
    mine = [one for one in call.world.happenings[start:] if owner_id in call.world.receivers(one)]
    entries = [one.entry for one in mine if isinstance(one, Change)]
    notices = [one for one in mine if isinstance(one, Notice)]
    updates = [call.views.update(owner_id, entry) for entry in entries] + [notice.update for notice in notices]
    peers = call.views.peers_of(owner_id, entries)
    peers.update((peer_id, None) for notice in notices for peer_id in notice.peer_ids)
    return call.views.bundle(owner_id, [*first, *updates], peers)


def sent(call: Call, start: int, messages: list[StoredMessage]) -> TLObject:
    """Return the result of a sending call: UpdateMessageID for each random id, then the messages.

    Args:
        call: The call; its user is the sender.
        start: The result of `mark` before the change.
        messages: The sender's copies, with their random ids.
    """
    names = (types.UpdateMessageID(one.message_id, one.random_id) for one in messages if one.random_id)
    return updates_since(call, start, *names)


def affected(call: Call, entry: LogEntry | None) -> TLObject:
    """Return the caller's `pts` after a change that has no other result."""
    if entry is None:
        return types.messages.AffectedMessages(call.box.pts, 0)
    return types.messages.AffectedMessages(entry.pts, entry.pts_count)


def affected_history(call: Call, entry: LogEntry | None, remaining: int = 0) -> TLObject:
    """Return `pts` after a change of a whole chat; if `remaining` is not 0 the client calls again."""
    if entry is None:
        return types.messages.AffectedHistory(call.box.pts, 0, remaining)
    return types.messages.AffectedHistory(entry.pts, entry.pts_count, remaining)


def live_message(call: Call, peer: TLObject, message_id: int) -> StoredMessage:
    """Return a message of a chat.

    Raises:
        RpcFault: If the peer is not one of the caller's, or there is no such message in that chat.
    """
    peer_id = call.peer_id(peer)
    message = call.world.live(call.user_id, peer_id, message_id)
    if message is None or message.peer_id != peer_id:
        raise RpcFault(400, "MESSAGE_ID_INVALID")
    return message
