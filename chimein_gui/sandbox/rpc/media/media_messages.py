"""messages.sendMedia: sends photos, stickers, voice messages and files."""

from chimein_gui.sandbox.rpc.answers import mark, sent
from chimein_gui.sandbox.rpc.call import Call, Handlers, RpcFault
from chimein_gui.sandbox.rpc.chats.messages import answered_in
from chimein_gui.sandbox.rpc.media.media_input import prepared
from chimein_gui.sandbox.rpc.permission import check_send, refuse_scheduled
from chimein_gui.sandbox.rpc.text import checked_caption
from chimein_gui.sandbox.wire.tl import TLObject, functions
from chimein_gui.sandbox.world.records import Draft


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
    return sent(call, start, [call.world.send(call.user_id, peer_id, draft)])


HANDLERS: Handlers = {functions.messages.SendMediaRequest: _send_media}
