"""messages.forwardMessages: old words in another chat, with or without their author."""

from chimein_gui.sandbox import privacy
from chimein_gui.sandbox.records import Draft, StoredMessage
from chimein_gui.sandbox.rpc.answers import mark, sent
from chimein_gui.sandbox.rpc.call import Call, Handlers, RpcFault
from chimein_gui.sandbox.rpc.permission import PLAIN, check_send, refuse_scheduled
from chimein_gui.sandbox.tl import TLObject, functions, types

_MAX_FORWARDED = 100


def _forward(call: Call, request: TLObject) -> TLObject:
    sender_id, to_id = call.user_id, call.peer_id(request.to_peer)
    if not request.id:
        raise RpcFault(400, "MESSAGE_IDS_EMPTY")
    if len(request.id) > _MAX_FORWARDED or len(request.random_id) != len(request.id):
        raise RpcFault(400, "RANDOM_ID_INVALID")
    if any(call.world.post.knows_name(sender_id, random_id) for random_id in request.random_id):
        raise RpcFault(500, "RANDOM_ID_DUPLICATE")
    refuse_scheduled(request)
    sources = _sources(call, request)
    for source, _ in sources:
        check_send(call, to_id, source.media.kind if source.media else PLAIN)
    start = mark(call)
    albums: dict[int, int] = {}
    copies = []
    for source, random_id in sources:
        album = albums.setdefault(source.grouped_id, call.world.post.next_album_id()) if source.grouped_id else 0
        draft = _draft(call, request, source, random_id, album)
        copies.append(call.world.send(sender_id, to_id, draft))
    return sent(call, start, copies)


def _sources(call: Call, request: TLObject) -> list[tuple[StoredMessage, int]]:
    """Return the messages that still exist, with the names their copies shall have."""
    from_id = None if isinstance(request.from_peer, types.InputPeerEmpty) else call.peer_id(request.from_peer)
    found = []
    for message_id, random_id in zip(request.id, request.random_id, strict=True):
        message = call.box_of(from_id or 0).live(message_id)
        if message is not None and message.action is None and from_id in (None, message.peer_id):
            found.append((message, random_id))
    if not found:
        raise RpcFault(400, "MESSAGE_ID_INVALID")
    return found


def _draft(call: Call, request: TLObject, source: StoredMessage, random_id: int, album: int) -> Draft:
    keeps_text = not (request.drop_media_captions and source.media)
    return Draft(
        text=source.text if keeps_text else "",
        entities=source.entities if keeps_text else (),
        random_id=random_id,
        media=source.media,
        grouped_id=album,
        forward=None if request.drop_author else _header(call, source),
        silent=bool(request.silent),
    )


def _header(call: Call, source: StoredMessage) -> TLObject:
    """Say where a message comes from: the first author stays; who wants no link to themselves is only named."""
    if source.forward is not None:
        return source.forward
    directory = call.world.directory
    if privacy.allows(directory, source.sender_id, privacy.FORWARDS, call.user_id):
        return types.MessageFwdHeader(date=source.sent_at, from_id=types.PeerUser(source.sender_id))
    return types.MessageFwdHeader(date=source.sent_at, from_name=directory.users[source.sender_id].name)


HANDLERS: Handlers = {functions.messages.ForwardMessagesRequest: _forward}
