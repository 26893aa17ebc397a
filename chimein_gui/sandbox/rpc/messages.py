"""messages.* that change something: send, edit, delete, read, type."""

from chimein_gui.engine.sandbox_port import DuplicateMode
from chimein_gui.sandbox.records import LogEntry
from chimein_gui.sandbox.rpc.call import Call, Handler, Handlers, RpcFault
from chimein_gui.sandbox.tl import TLObject, functions, types
from chimein_gui.sandbox.world import Draft

_MAX_TEXT = 4_096


def _send_message(call: Call, request: TLObject) -> TLObject:
    """Answer with the short form, as live Telegram does for a text in a DM: id, date and pts, not the message."""
    sender_id = call.user_id
    peer_id = call.peer_id(request.peer)
    text, entities = _checked_text(call, request)
    if request.random_id in call.box.sent:
        return _REPEATED[call.around.duplicate_mode](call, request)
    reply_to = getattr(request.reply_to, "reply_to_msg_id", 0)
    draft = Draft(text, entities, reply_to, request.random_id)
    sent = call.world.send(sender_id, peer_id, draft)
    entry = _own_entry(call, sent.message_id)
    return types.UpdateShortSentMessage(
        id=sent.message_id,
        pts=entry.pts,
        pts_count=entry.pts_count,
        date=sent.sent_at,
        out=True,
        entities=list(entities) or None,
    )


def _refuse_repeat(_call: Call, _request: TLObject) -> TLObject:
    raise RpcFault(500, "RANDOM_ID_DUPLICATE")


_REPEATED: dict[DuplicateMode, Handler] = {DuplicateMode.ERROR: _refuse_repeat}


def _own_entry(call: Call, message_id: int) -> LogEntry:
    """Return the log entry of a message just sent; to oneself it is the last, and so it is to others."""
    entry = call.box.log[-1]
    if entry.ids != (message_id,):
        raise RuntimeError(f"the last step of {call.user_id} is {entry}, not message {message_id}")
    return entry


def _checked_text(call: Call, request: TLObject) -> tuple[str, tuple[TLObject, ...]]:
    """Return the text without outer blanks, which Telegram drops too, and the entities that fit it."""
    given: str = request.message or ""
    text = given.strip()
    if not text:
        raise RpcFault(400, "MESSAGE_EMPTY")
    if _units(text) > _MAX_TEXT:
        raise RpcFault(400, "MESSAGE_TOO_LONG")
    dropped = _units(given) - _units(given.lstrip())
    return text, tuple(_stored_entity(call, entity, dropped) for entity in request.entities or ())


def _units(text: str) -> int:
    """Length as Telegram counts: UTF-16 units."""
    return len(text.encode("utf-16-le")) // 2


def _stored_entity(call: Call, entity: TLObject, dropped: int) -> TLObject:
    """Keep an entity as given, moved by what the text lost in front; a mention by hash becomes one by id."""
    entity.offset = max(0, entity.offset - dropped)
    if isinstance(entity, types.InputMessageEntityMentionName):
        return types.MessageEntityMentionName(entity.offset, entity.length, call.peer_id(entity.user_id))
    return entity


def _edit_message(call: Call, request: TLObject) -> TLObject:
    owner_id = call.user_id
    call.peer_id(request.peer)
    message = call.box.live(request.id)
    if message is None:
        raise RpcFault(400, "MESSAGE_ID_INVALID")
    if not message.outgoing:
        raise RpcFault(403, "MESSAGE_AUTHOR_REQUIRED")
    text, entities = _checked_text(call, request)
    if (text, [bytes(e) for e in entities]) == (message.text, [bytes(e) for e in message.entities]):
        raise RpcFault(400, "MESSAGE_NOT_MODIFIED")
    entry = call.world.edit(owner_id, request.id, text, entities)
    return call.views.updates(owner_id, [entry])


def _delete_messages(call: Call, request: TLObject) -> TLObject:
    entry = call.world.delete(call.user_id, request.id, revoke=bool(request.revoke))
    return _affected(call, entry)


def _read_history(call: Call, request: TLObject) -> TLObject:
    entry = call.world.read(call.user_id, call.peer_id(request.peer), request.max_id)
    return _affected(call, entry)


def _affected(call: Call, entry: LogEntry | None) -> TLObject:
    if entry is None:
        return types.messages.AffectedMessages(call.box.pts, 0)
    return types.messages.AffectedMessages(entry.pts, entry.pts_count)


def _set_typing(call: Call, request: TLObject) -> TLObject:
    call.world.typing(call.user_id, call.peer_id(request.peer), request.action)
    return True


HANDLERS: Handlers = {
    functions.messages.SendMessageRequest: _send_message,
    functions.messages.EditMessageRequest: _edit_message,
    functions.messages.DeleteMessagesRequest: _delete_messages,
    functions.messages.ReadHistoryRequest: _read_history,
    functions.messages.SetTypingRequest: _set_typing,
}
