"""Messages as the owner of a copy sees them."""

from collections.abc import Callable, Iterator
from typing import Any

from chimein_gui.sandbox.wire.tl import TLObject, patched, types
from chimein_gui.sandbox.world.peers import bare_channel_id, channel_peer_id, marked, peer_of
from chimein_gui.sandbox.world.records import LogEntry, LogKind, StoredMessage


def seen_message(
    message: StoredMessage, media: TLObject | None, reactions: TLObject | None, answered_in: int = 0
) -> TLObject:
    """Return the TL object of a message; a service message if it has an action.

    In private chats, an incoming message has no sender, as on live Telegram; in groups each has one.

    Args:
        message: The copy.
        media: Its media as the owner sees it.
        reactions: Its MessageReactions as the owner sees them.
        answered_in: The marked id of the chat with the message replied to; 0 for the same chat.
    """
    both: dict[str, Any] = {
        "id": message.message_id,
        "peer_id": peer_of(message.peer_id),
        "from_id": types.PeerUser(message.sender_id) if message.outgoing or message.peer_id < 0 else None,
        "out": message.outgoing,
        "date": message.sent_at,
        "mentioned": message.mentioned,
        "silent": message.silent,
        "reply_to": _reply_header(message, answered_in) if message.reply_to_id else None,
        "reactions": reactions,
    }
    if message.action is not None:
        return patched.MessageService(**both, action=message.action)
    return patched.Message(
        **both,
        message=message.text,
        entities=list(message.entities) or None,
        media=media,
        fwd_from=message.forward,
        grouped_id=message.grouped_id or None,
        edit_date=message.edited_at or None,
    )


def people_in(message: StoredMessage) -> Iterator[int]:
    """Yield the marked ids of everyone in a message besides its chat and its sender."""
    if message.forward is not None and message.forward.from_id is not None:
        yield marked(message.forward.from_id)
    if message.action is not None:
        yield from getattr(message.action, "users", ())
        yield getattr(message.action, "user_id", message.sender_id)
        if isinstance(message.action, types.MessageActionChatMigrateTo):
            yield channel_peer_id(message.action.channel_id)
        if isinstance(message.action, types.MessageActionChannelMigrateFrom):
            yield -message.action.chat_id
    for entity in message.entities:
        if isinstance(entity, types.MessageEntityMentionName):
            yield entity.user_id


def _reply_header(message: StoredMessage, answered_in: int) -> TLObject:
    header = types.MessageReplyHeader(reply_to_msg_id=message.reply_to_id)
    if answered_in:
        header.reply_to_peer_id = peer_of(answered_in)
    return header


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
