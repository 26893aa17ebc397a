"""messages.* that look up messages."""

from chimein_gui.sandbox.rpc.call import Call, Handlers
from chimein_gui.sandbox.rpc.chats.found import answer, window_of
from chimein_gui.sandbox.wire.tl import TLObject, functions, patched, types
from chimein_gui.sandbox.world.boxes import Window
from chimein_gui.sandbox.world.records import StoredMessage

_SHORT = Window(limit=3)
"""The window of a short history."""


def _get_history(call: Call, request: TLObject) -> TLObject:
    peer_id = call.peer_id(request.peer)
    box, window = call.box_of(peer_id), window_of(request)
    # A narrow window asks for single messages, which are found however old they are.
    if not request.min_id and call.around.faults.history_fault(call.user_id) is not None:
        newest, _ = box.history(peer_id, _SHORT)
        since = newest[-1].message_id if newest else 0
        part, total = box.history(peer_id, window, lambda one: one.message_id >= since)
        return answer(call, part, total, peer_id)
    part, total = box.history(peer_id, window)
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
    """Resolve an InputMessageID, or an InputMessageReplyTo to the message replied to; all others to none."""
    if not isinstance(reference, (types.InputMessageID, types.InputMessageReplyTo)):
        return 0, None  # the pinned one is asked for by its kind in channels only
    message = call.box.live(reference.id)
    if isinstance(reference, types.InputMessageReplyTo):
        return reference.id, call.box.live(message.reply_to_id) if message else None
    return reference.id, message


HANDLERS: Handlers = {
    functions.messages.GetHistoryRequest: _get_history,
    functions.messages.GetMessagesRequest: _get_messages,
}
