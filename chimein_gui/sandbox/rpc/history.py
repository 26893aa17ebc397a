"""messages.* that look up what was said."""

from chimein_gui.sandbox.records import StoredMessage
from chimein_gui.sandbox.rpc.call import Call, Handlers
from chimein_gui.sandbox.rpc.found import answer, window_of
from chimein_gui.sandbox.tl import TLObject, functions, patched, types


def _get_history(call: Call, request: TLObject) -> TLObject:
    peer_id = call.peer_id(request.peer)
    part, total = call.box_of(peer_id).history(peer_id, window_of(request))
    return answer(call, part, total, peer_id)


def _get_unread_mentions(call: Call, request: TLObject) -> TLObject:
    peer_id = call.peer_id(request.peer)
    unseen = set(call.box.thread(peer_id).mentions)
    part, total = call.box_of(peer_id).history(peer_id, window_of(request), lambda one: one.message_id in unseen)
    return answer(call, part, total, peer_id)


def _get_unread_reactions(call: Call, request: TLObject) -> TLObject:
    peer_id = call.peer_id(request.peer)
    unseen = set(call.box.thread(peer_id).fresh_reactions)
    part, total = call.box_of(peer_id).history(peer_id, window_of(request), lambda one: one.message_id in unseen)
    return answer(call, part, total, peer_id)


def _get_messages(call: Call, request: TLObject) -> TLObject:
    wanted = [_wanted(call, reference) for reference in request.id]
    found = [message for _, message in wanted if message is not None]
    rendered = [
        call.views.message(message) if message else patched.MessageEmpty(message_id, None)
        for message_id, message in wanted
    ]
    peers = call.views.peers_in(found)
    users, chats = call.views.users(call.user_id, peers), call.views.chats(call.user_id, peers)
    return types.messages.Messages(rendered, [], chats, users)


def _wanted(call: Call, reference: TLObject) -> tuple[int, StoredMessage | None]:
    """Resolve an InputMessageID, or an InputMessageReplyTo to the message that is replied to; others mean none here."""
    if not isinstance(reference, (types.InputMessageID, types.InputMessageReplyTo)):
        return 0, None  # the pinned one is asked for by its kind in channels only
    message = call.box.live(reference.id)
    if isinstance(reference, types.InputMessageReplyTo):
        return reference.id, call.box.live(message.reply_to_id) if message else None
    return reference.id, message


HANDLERS: Handlers = {
    functions.messages.GetHistoryRequest: _get_history,
    functions.messages.GetMessagesRequest: _get_messages,
    functions.messages.GetUnreadMentionsRequest: _get_unread_mentions,
    functions.messages.GetUnreadReactionsRequest: _get_unread_reactions,
}
