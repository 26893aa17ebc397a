"""messages.* that search: by words, by kind of media, by author, by date; in one chat or in all."""

from collections.abc import Callable
from functools import partial

from chimein_gui.sandbox.boxes import Keep
from chimein_gui.sandbox.records import StoredMessage
from chimein_gui.sandbox.rpc.call import Call, Handlers, RpcFault
from chimein_gui.sandbox.rpc.found import MAX_PART, answer, seconds, window_of
from chimein_gui.sandbox.tl import TLObject, functions, types

_LINKS = (types.MessageEntityUrl, types.MessageEntityTextUrl)


def _of_kind(*kinds: str) -> Keep:
    return lambda message: message.media is not None and message.media.kind in kinds


def _has_link(message: StoredMessage) -> bool:
    return any(isinstance(entity, _LINKS) for entity in message.entities) or _of_kind("webpage")(message)


_FILTERS: dict[type, Keep] = {
    types.InputMessagesFilterEmpty: lambda _message: True,
    types.InputMessagesFilterPhotos: _of_kind("photo"),
    types.InputMessagesFilterVideo: _of_kind("video"),
    types.InputMessagesFilterPhotoVideo: _of_kind("photo", "video"),
    types.InputMessagesFilterDocument: _of_kind("document"),
    types.InputMessagesFilterMusic: _of_kind("audio"),
    types.InputMessagesFilterVoice: _of_kind("voice"),
    types.InputMessagesFilterRoundVideo: _of_kind("round"),
    types.InputMessagesFilterRoundVoice: _of_kind("voice", "round"),
    types.InputMessagesFilterGif: _of_kind("gif"),
    types.InputMessagesFilterGeo: _of_kind("geo", "geo_live", "venue"),
    types.InputMessagesFilterContacts: _of_kind("contact"),
    types.InputMessagesFilterUrl: _has_link,
    types.InputMessagesFilterPinned: lambda message: message.pinned,
    types.InputMessagesFilterMyMentions: lambda message: message.mentioned,
}


def _search(call: Call, request: TLObject) -> TLObject:
    if isinstance(request.peer, types.InputPeerEmpty):
        raise RpcFault(400, "PEER_ID_INVALID")
    peer_id = call.peer_id(request.peer)
    from_id = None if request.from_id is None else call.peer_id(request.from_id)
    matches, seen = _matcher(request), partial(call.world.supergroups.seen_by, call.user_id)
    part, total = call.box_of(peer_id).history(
        peer_id, window_of(request), lambda one: from_id in (None, one.sender_id) and matches(seen(one))
    )
    return answer(call, part, total, peer_id)


def _search_global(call: Call, request: TLObject) -> TLObject:
    """Search all chats, newest first; the next part begins below the id of the last message of this one."""
    matches, scope = _matcher(request), _scope(request)
    everything = [one for one in call.box.messages.values() if scope(one.peer_id) and matches(one)]
    everything.sort(key=lambda one: one.message_id, reverse=True)
    rest = [one for one in everything if not request.offset_id or one.message_id < request.offset_id]
    part = rest[: min(max(request.limit, 1), MAX_PART)]
    rate = part[-1].sent_at if part and len(part) < len(rest) else None
    return answer(call, part, len(everything), next_rate=rate)


def _get_counters(call: Call, request: TLObject) -> TLObject:
    peer_id = call.peer_id(request.peer)
    box = call.box_of(peer_id)
    messages = [box.messages[message_id] for message_id in box.thread(peer_id).ids]
    return [
        types.messages.SearchCounter(one, sum(map(_FILTERS.get(type(one), _nothing), messages)))
        for one in request.filters
    ]


def _scope(request: TLObject) -> Callable[[int], bool]:
    if request.groups_only:
        return lambda peer_id: peer_id < 0
    if request.users_only:
        return lambda peer_id: peer_id > 0
    return lambda _peer_id: not request.broadcasts_only


def _matcher(request: TLObject) -> Keep:
    """Return what tells whether a message has the words, is of the kind and from the time that are searched."""
    of_kind = _FILTERS.get(type(request.filter), _nothing)
    words = request.q.casefold().split()
    since, until = seconds(request.min_date), seconds(request.max_date)

    def matches(message: StoredMessage) -> bool:
        if message.sent_at < since or (until and message.sent_at >= until) or not of_kind(message):
            return False
        text = message.text.casefold() if words else ""
        return all(word in text for word in words)

    return matches


def _nothing(_message: StoredMessage) -> bool:
    """Stand in for filters on what this world does not have."""
    return False


HANDLERS: Handlers = {
    functions.messages.SearchRequest: _search,
    functions.messages.SearchGlobalRequest: _search_global,
    functions.messages.GetSearchCountersRequest: _get_counters,
}
