"""messages.* about the chat list."""

from chimein_gui.sandbox.records import StoredMessage
from chimein_gui.sandbox.rpc.call import Call, Handlers, RpcFault
from chimein_gui.sandbox.rpc.found import MAX_PART, seconds
from chimein_gui.sandbox.rpc.reads import dialog_peer_id
from chimein_gui.sandbox.tl import TLObject, functions, types

_Top = tuple[int, StoredMessage]
_MAX_PINNED, _MAX_PINNED_PREMIUM = 5, 10


def _get_dialogs(call: Call, request: TLObject) -> TLObject:
    """Return a part of the list: chats on top first, then by date; there are no folders, so an archive is empty."""
    offset = (seconds(request.offset_date), request.offset_id)
    on_top = [] if request.folder_id else _pinned(call)
    pinned_ids = {peer_id for peer_id, _ in on_top}
    others = [] if request.folder_id else [top for top in _newest_first(call) if top[0] not in pinned_ids]
    listed = others if request.exclude_pinned else [*on_top, *others]
    total = len(listed)
    if offset != (0, 0):
        listed = [top for top in others if _is_after(top[1], offset)]
    part = listed[: min(max(request.limit, 1), MAX_PART)]
    dialogs, messages, chats, users = _rendered(call, [peer_id for peer_id, _ in part], part)
    if len(part) == total:
        return types.messages.Dialogs(dialogs, messages, chats, users)
    return types.messages.DialogsSlice(total, dialogs, messages, chats, users)


def _newest_first(call: Call) -> list[_Top]:
    tops = [*call.box.newest_first(), *call.world.supergroups.tops(call.user_id)]
    return sorted(tops, key=lambda top: (top[1].sent_at, top[1].message_id), reverse=True)


def _is_after(top: StoredMessage, offset: tuple[int, int]) -> bool:
    """Whether a chat comes later in the list than the last one of the previous part."""
    date, message_id = offset
    return (top.sent_at, top.message_id) < (date, message_id) if date else top.message_id < message_id


def _pinned(call: Call) -> list[_Top]:
    return _tops(call, call.world.settings.pinned_chats(call.user_id))


def _tops(call: Call, peer_ids: list[int]) -> list[_Top]:
    """Return chats with their newest messages; those without any are left out."""
    wanted = set(peer_ids)
    tops = {peer_id: top for peer_id, top in call.world.supergroups.tops(call.user_id) if peer_id in wanted}
    for peer_id in wanted - tops.keys():
        ids = call.box.thread(peer_id).ids
        if ids:
            tops[peer_id] = call.box.messages[ids[-1]]
    return [(peer_id, tops[peer_id]) for peer_id in peer_ids if peer_id in tops]


def _get_peer_dialogs(call: Call, request: TLObject) -> TLObject:
    """Return chats by peer, also those in which nothing has been said."""
    asked = [dialog_peer_id(call, wanted) for wanted in request.peers]
    return _peer_dialogs(call, asked, _tops(call, asked))


def _get_pinned(call: Call, request: TLObject) -> TLObject:
    part = [] if request.folder_id else _pinned(call)
    return _peer_dialogs(call, [peer_id for peer_id, _ in part], part)


def _toggle_pin(call: Call, request: TLObject) -> TLObject:
    owner_id, peer_id = call.user_id, dialog_peer_id(call, request.peer)
    pinned = call.world.settings.pinned_chats(owner_id)
    most = _MAX_PINNED_PREMIUM if call.world.users[owner_id].is_premium else _MAX_PINNED
    if request.pinned and peer_id not in pinned and len(pinned) >= most:
        raise RpcFault(400, "PINNED_DIALOGS_TOO_MUCH")
    call.world.settings.pin_chat(owner_id, peer_id, pinned=bool(request.pinned))
    return True


def _reorder_pinned(call: Call, request: TLObject) -> TLObject:
    order = [dialog_peer_id(call, wanted) for wanted in request.order]
    call.world.settings.order_pinned(call.user_id, order)
    return True


def _peer_dialogs(call: Call, peer_ids: list[int], part: list[_Top]) -> TLObject:
    return types.messages.PeerDialogs(*_rendered(call, peer_ids, part), call.views.state(call.user_id))


def _rendered(
    call: Call, peer_ids: list[int], part: list[_Top]
) -> tuple[list[TLObject], list[TLObject], list[TLObject], list[TLObject]]:
    """Return dialogs, the newest messages of those that have any, chats, users."""
    viewer_id = call.user_id
    peers = dict.fromkeys(peer_ids) | call.views.peers_in(message for _, message in part)
    return (
        [call.views.dialog(viewer_id, peer_id) for peer_id in peer_ids],
        [call.views.message(message) for _, message in part],
        call.views.chats(viewer_id, peers),
        call.views.users(viewer_id, peers),
    )


HANDLERS: Handlers = {
    functions.messages.GetDialogsRequest: _get_dialogs,
    functions.messages.GetPeerDialogsRequest: _get_peer_dialogs,
    functions.messages.GetPinnedDialogsRequest: _get_pinned,
    functions.messages.ToggleDialogPinRequest: _toggle_pin,
    functions.messages.ReorderPinnedDialogsRequest: _reorder_pinned,
}
