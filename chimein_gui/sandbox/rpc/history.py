"""messages.* that look up what was said."""

from chimein_gui.sandbox.boxes import Window
from chimein_gui.sandbox.records import StoredMessage
from chimein_gui.sandbox.rpc.call import Call, Handlers, RpcFault
from chimein_gui.sandbox.tl import TLObject, functions, patched, types

_MAX_PART = 100


def _get_history(call: Call, request: TLObject) -> TLObject:
    return _part(call, request, _window(request))


def _search(call: Call, request: TLObject) -> TLObject:
    if not isinstance(request.filter, types.InputMessagesFilterEmpty):
        return types.messages.Messages([], [], [], [])  # nothing but text exists in this world
    if isinstance(request.peer, types.InputPeerEmpty):
        raise RpcFault(400, "PEER_ID_INVALID")
    return _part(call, request, _window(request), request.q)


def _window(request: TLObject) -> Window:
    before = getattr(request, "offset_date", None) or getattr(request, "max_date", None)
    return Window(
        limit=min(max(request.limit, 0), _MAX_PART),
        offset_id=request.offset_id,
        offset_date=_seconds(before),
        add_offset=request.add_offset,
        max_id=request.max_id,
        min_id=request.min_id,
    )


def _seconds(moment: TLObject) -> int:
    """Telethon reads dates as aware datetimes; absent is 1970."""
    return int(moment.timestamp()) if moment else 0


def _part(call: Call, request: TLObject, window: Window, containing: str = "") -> TLObject:
    peer_id = call.peer_id(request.peer)
    part, total = call.box.history(peer_id, window, containing=containing)
    users = call.views.users(call.user_id, (peer_id,))
    rendered = [call.views.message(message) for message in part]
    if len(part) == total:
        return types.messages.Messages(rendered, [], [], users)
    return types.messages.MessagesSlice(total, rendered, [], [], users)


def _get_messages(call: Call, request: TLObject) -> TLObject:
    wanted = [_wanted(call, reference) for reference in request.id]
    found = [message for _, message in wanted if message is not None]
    rendered = [
        call.views.message(message) if message else patched.MessageEmpty(message_id, None)
        for message_id, message in wanted
    ]
    users = call.views.users(call.user_id, (message.peer_id for message in found))
    return types.messages.Messages(rendered, [], [], users)


def _wanted(call: Call, reference: TLObject) -> tuple[int, StoredMessage | None]:
    """Resolve an InputMessageID, or an InputMessageReplyTo to the message that is replied to."""
    message = call.box.live(reference.id)
    if isinstance(reference, types.InputMessageReplyTo):
        return reference.id, call.box.live(message.reply_to_id) if message else None
    return reference.id, message


HANDLERS: Handlers = {
    functions.messages.GetHistoryRequest: _get_history,
    functions.messages.SearchRequest: _search,
    functions.messages.GetMessagesRequest: _get_messages,
}
