"""messages.* that change messages: send texts and media, edit, delete; and typing."""

from chimein_gui.sandbox.rpc.answers import affected, affected_history, live_message, mark
from chimein_gui.sandbox.rpc.answers import sent as sent_updates
from chimein_gui.sandbox.rpc.call import Call, Handlers
from chimein_gui.sandbox.rpc.media.media_input import prepared
from chimein_gui.sandbox.rpc.permission import check_member, check_send, refuse_scheduled
from chimein_gui.sandbox.rpc.refusal import RpcFault
from chimein_gui.sandbox.rpc.text import checked_caption, checked_text
from chimein_gui.sandbox.wire.tl import TLObject, functions, types
from chimein_gui.sandbox.world.peers import is_channel
from chimein_gui.sandbox.world.records import Draft, LogEntry, StoredMessage

_DELETED_AT_ONCE = 1_000


def _send_message(call: Call, request: TLObject) -> TLObject:
    """Answer with the short form, as live Telegram does for a text: id, date and pts, not the message.

    In a supergroup the answer has the message, because the short form could not say whose `pts` it means.
    """
    sender_id = call.user_id
    peer_id = call.peer_id(request.peer)
    text, entities = checked_text(call, request.message, request.entities)
    if call.world.post.knows_name(sender_id, request.random_id):
        raise RpcFault(500, "RANDOM_ID_DUPLICATE")
    refuse_scheduled(request)
    check_send(call, peer_id)
    draft = Draft(
        text,
        entities,
        getattr(request.reply_to, "reply_to_msg_id", 0),
        request.random_id,
        silent=bool(request.silent),
        reply_to_peer_id=answered_in(call, request.reply_to),
    )
    start = mark(call)
    sent = call.world.send(sender_id, peer_id, draft)
    if is_channel(peer_id):
        return sent_updates(call, start, [sent])
    entry = _own_entry(call, sent)
    return types.UpdateShortSentMessage(
        id=sent.message_id,
        pts=entry.pts,
        pts_count=entry.pts_count,
        date=sent.sent_at,
        out=True,
        entities=list(sent.entities) or None,
    )


def answered_in(call: Call, reply_to: TLObject | None) -> int:
    """Return the marked id of the chat with the message replied to, if it is another one; 0 for the same chat.

    Raises:
        RpcFault: If that is no peer of the caller's.
    """
    other = getattr(reply_to, "reply_to_peer_id", None)
    return 0 if other is None else call.peer_id(other)


def _own_entry(call: Call, sent: StoredMessage) -> LogEntry:
    """Return the log entry of a message just sent: the last one, also in the chat with oneself."""
    entry = call.box.log[-1]
    if entry.ids != (sent.message_id,):
        raise RuntimeError(f"the last step of {call.user_id} is {entry}, not message {sent.message_id}")
    return entry


def _edit_message(call: Call, request: TLObject) -> TLObject:
    owner_id = call.user_id
    message = live_message(call, request.peer, request.id)
    _check_edit(call, message)
    refuse_scheduled(request)
    if request.media is not None:
        raise RpcFault(400, "MEDIA_NEW_INVALID")  # the sandbox changes texts and captions only
    check = checked_text if message.media is None else checked_caption
    text, given = check(call, request.message, request.entities)
    entities = call.world.mail.full_entities(text, given)
    if (text, [bytes(e) for e in entities]) == (message.text, [bytes(e) for e in message.entities]):
        raise RpcFault(400, "MESSAGE_NOT_MODIFIED")
    holder_id = call.box_of(message.peer_id).owner_id
    entry = call.world.edit(holder_id, request.id, text, entities)
    return call.views.updates(owner_id, [entry])


def _check_edit(call: Call, message: StoredMessage) -> None:
    if message.peer_id < 0:
        check_member(call, call.world.groups.get(message.peer_id))
    if message.action is not None:
        raise RpcFault(400, "MESSAGE_ID_INVALID")
    if not message.outgoing or message.forward is not None:
        raise RpcFault(403, "MESSAGE_AUTHOR_REQUIRED")
    limit = call.world.mail.edit_limit_s
    if limit and call.world.now() - message.sent_at > limit and message.peer_id != call.user_id:
        raise RpcFault(400, "MESSAGE_EDIT_TIME_EXPIRED")


def _delete_messages(call: Call, request: TLObject) -> TLObject:
    """Delete messages, with `revoke` for all; in groups only admins may do so with messages of others."""
    owner_id = call.user_id
    revoke = bool(request.revoke)
    if revoke:
        for message_id in request.id:
            message = call.box.live(message_id)
            if message is not None and message.peer_id < 0 and not message.outgoing:
                group = call.world.groups.get(message.peer_id)
                if not group.is_admin(owner_id):
                    raise RpcFault(403, "MESSAGE_DELETE_FORBIDDEN")
    return affected(call, call.world.delete(owner_id, request.id, revoke=revoke))


def _delete_history(call: Call, request: TLObject) -> TLObject:
    """Delete a chat for the caller, with `revoke` a DM for both; at most 1,000 messages per call."""
    owner_id, peer_id = call.user_id, call.own_peer_id(request.peer)
    since, until = _seconds(request.min_date), _seconds(request.max_date)
    thread_ids = call.box.thread(peer_id).ids
    wanted = [
        message_id
        for message_id in thread_ids
        if (not request.max_id or message_id <= request.max_id)
        and (not since or call.box.messages[message_id].sent_at > since)
        and (not until or call.box.messages[message_id].sent_at < until)
    ]
    part = wanted[-_DELETED_AT_ONCE:]
    entry = call.world.delete(owner_id, part, revoke=bool(request.revoke) and peer_id > 0)
    remaining = len(wanted) - len(part)
    if request.just_clear and not remaining and entry is not None:
        draft = Draft(action=types.MessageActionHistoryClear())
        call.world.mail.send_to((owner_id,), owner_id, peer_id, draft)
        return types.messages.AffectedHistory(call.box.pts, entry.pts_count + 1, 0)
    return affected_history(call, entry, remaining)


def _seconds(moment: TLObject) -> int:
    return int(moment.timestamp()) if moment else 0


def _set_typing(call: Call, request: TLObject) -> TLObject:
    peer_id = call.peer_id(request.peer)
    if peer_id < 0:
        check_member(call, call.world.groups.get(peer_id))
    call.world.typing(call.user_id, peer_id, request.action)
    return True


def _send_media(call: Call, request: TLObject) -> TLObject:
    """Answer with the message, as live Telegram does for media."""
    peer_id = call.peer_id(request.peer)
    if not request.random_id:
        raise RpcFault(400, "RANDOM_ID_EMPTY")
    if call.world.post.knows_name(call.user_id, request.random_id):
        raise RpcFault(500, "RANDOM_ID_DUPLICATE")
    refuse_scheduled(request)
    media = prepared(call, request.media)
    text, entities = checked_caption(call, request.message, request.entities)
    check_send(call, peer_id)
    start = mark(call)
    draft = Draft(
        text,
        entities,
        getattr(request.reply_to, "reply_to_msg_id", 0),
        request.random_id,
        media.take(),  # everything that can be refused has been by now
        silent=bool(request.silent),
        reply_to_peer_id=answered_in(call, request.reply_to),
    )
    return sent_updates(call, start, [call.world.send(call.user_id, peer_id, draft)])


HANDLERS: Handlers = {
    functions.messages.SendMessageRequest: _send_message,
    functions.messages.EditMessageRequest: _edit_message,
    functions.messages.DeleteMessagesRequest: _delete_messages,
    functions.messages.DeleteHistoryRequest: _delete_history,
    functions.messages.SetTypingRequest: _set_typing,
    functions.messages.SendMediaRequest: _send_media,
}
