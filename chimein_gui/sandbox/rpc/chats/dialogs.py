"""The chat list, and an account's read marks and notification settings in it."""

from chimein_gui.sandbox.rpc.answers import affected
from chimein_gui.sandbox.rpc.call import Call, Handlers
from chimein_gui.sandbox.rpc.chats.found import MAX_PART, seconds
from chimein_gui.sandbox.rpc.refusal import RpcFault
from chimein_gui.sandbox.wire.tl import TLObject, functions, types
from chimein_gui.sandbox.world.records import StoredMessage

_Top = tuple[int, StoredMessage]


def _get_dialogs(call: Call, request: TLObject) -> TLObject:
    """Return a part of the chat list by date; there are no folders, so the archive is empty."""
    offset = (seconds(request.offset_date), request.offset_id)
    listed = [] if request.folder_id else _newest_first(call)
    total = len(listed)
    if offset != (0, 0):
        listed = [top for top in listed if _is_after(top[1], offset)]
    part = listed[: min(max(request.limit, 1), MAX_PART)]
    dialogs, messages, chats, users = _rendered(call, part)
    if len(part) == total:
        return types.messages.Dialogs(dialogs, messages, chats, users)
    return types.messages.DialogsSlice(total, dialogs, messages, chats, users)


def _newest_first(call: Call) -> list[_Top]:
    tops = [*call.box.newest_first(), *call.world.supergroups.tops(call.user_id)]
    return sorted(tops, key=lambda top: (top[1].sent_at, top[1].message_id), reverse=True)


def _is_after(top: StoredMessage, offset: tuple[int, int]) -> bool:
    """Whether a chat comes after the last one of the previous part."""
    date, message_id = offset
    return (top.sent_at, top.message_id) < (date, message_id) if date else top.message_id < message_id


def _rendered(call: Call, part: list[_Top]) -> tuple[list[TLObject], list[TLObject], list[TLObject], list[TLObject]]:
    """Return dialogs, their newest messages, chats, users."""
    viewer_id = call.user_id
    peers = dict.fromkeys(peer_id for peer_id, _ in part) | call.views.peers_in(message for _, message in part)
    return (
        [call.views.dialog(viewer_id, peer_id) for peer_id, _ in part],
        [call.views.message(message) for _, message in part],
        call.views.chats(viewer_id, peers),
        call.views.users(viewer_id, peers),
    )


def _read_history(call: Call, request: TLObject) -> TLObject:
    return affected(call, call.world.read(call.user_id, call.own_peer_id(request.peer), request.max_id))


def _get_settings(call: Call, request: TLObject) -> TLObject:
    return call.world.settings.notify(call.user_id, _chat(call, request.peer))


def _update_settings(call: Call, request: TLObject) -> TLObject:
    owner_id, peer_id = call.user_id, _chat(call, request.peer)
    known = call.world.settings.notify(owner_id, peer_id)
    call.world.settings.set_notify(owner_id, peer_id, _merged(known, request.settings))
    return True


def _chat(call: Call, peer: TLObject) -> int:
    """Return the chat of a request; the sandbox has no settings for all chats of a kind."""
    if not isinstance(peer, types.InputNotifyPeer):
        raise RpcFault(400, "PEER_ID_INVALID")
    return call.peer_id(peer.peer)


def _merged(known: TLObject, given: TLObject) -> TLObject:
    """Return the settings after a change that has only some of them."""
    return types.PeerNotifySettings(
        show_previews=known.show_previews if given.show_previews is None else given.show_previews,
        silent=known.silent if given.silent is None else given.silent,
        mute_until=known.mute_until if given.mute_until is None else given.mute_until,
    )


HANDLERS: Handlers = {
    functions.messages.GetDialogsRequest: _get_dialogs,
    functions.messages.ReadHistoryRequest: _read_history,
    functions.account.GetNotifySettingsRequest: _get_settings,
    functions.account.UpdateNotifySettingsRequest: _update_settings,
}
