"""messages.* about a group: what it is, what it is called, what members may do, and that it becomes a supergroup."""

from chimein_gui.sandbox.group_views import no_limits, seen_participants
from chimein_gui.sandbox.records import Group
from chimein_gui.sandbox.rpc.answers import mark, updates_since
from chimein_gui.sandbox.rpc.call import Call, Handlers, RpcFault
from chimein_gui.sandbox.rpc.permission import check_member, check_right
from chimein_gui.sandbox.tl import TLObject, functions, types

_MAX_TITLE = 128
_MAX_ABOUT = 255


def group_of(call: Call, chat_id: int) -> Group:
    """Return a group that the caller is or was in.

    Raises:
        RpcFault: If there is none.
    """
    group = call.world.groups.find(-chat_id)
    if group is None or call.user_id not in group.people:
        raise RpcFault(400, "CHAT_ID_INVALID")
    return group


def group_at(call: Call, peer: TLObject) -> Group:
    """Return the group that an InputPeer means.

    Raises:
        RpcFault: If it is no group of the caller's.
    """
    peer_id = call.peer_id(peer)
    if peer_id > 0:
        raise RpcFault(400, "PEER_ID_INVALID")
    return call.world.groups.get(peer_id)


def checked_title(given: str) -> str:
    """Return a title without outer blanks.

    Raises:
        RpcFault: If nothing is left of it, or it is too long.
    """
    title = given.strip()
    if not title or len(title) > _MAX_TITLE:
        raise RpcFault(400, "CHAT_TITLE_EMPTY")
    return title


def _get_chats(call: Call, request: TLObject) -> TLObject:
    groups = [group_of(call, chat_id) for chat_id in request.id]
    return types.messages.Chats(call.views.chats(call.user_id, [group.peer_id for group in groups]))


def _get_full_chat(call: Call, request: TLObject) -> TLObject:
    viewer_id, group = call.user_id, group_of(call, request.chat_id)
    pinned = call.box.thread(group.peer_id).pinned
    full = types.ChatFull(
        id=group.group_id,
        about=group.about,
        participants=seen_participants(group, viewer_id),
        notify_settings=call.world.settings.notify(viewer_id, group.peer_id),
        pinned_msg_id=pinned[-1] if pinned else None,
        available_reactions=types.ChatReactionsAll(),
    )
    people = group.member_ids if group.has(viewer_id) else ()
    chats = call.views.chats(viewer_id, (group.peer_id,))
    return types.messages.ChatFull(full, chats, call.views.users(viewer_id, people))


def _get_common_chats(call: Call, request: TLObject) -> TLObject:
    viewer_id, other_id = call.user_id, call.peer_id(request.user_id, "USER_ID_INVALID")
    common = call.world.groups.common(viewer_id, other_id)
    older = [group for group in common if not request.max_id or group.group_id < request.max_id]
    part = older[: max(0, min(request.limit, 100))]
    chats = call.views.chats(viewer_id, [group.peer_id for group in part])
    return types.messages.Chats(chats) if len(part) == len(common) else types.messages.ChatsSlice(len(common), chats)


def _edit_title(call: Call, request: TLObject) -> TLObject:
    group = group_of(call, request.chat_id)
    check_right(call, group, "change_info")
    title = checked_title(request.title)
    if title == group.title:
        raise RpcFault(400, "CHAT_NOT_MODIFIED")
    start = mark(call)
    call.world.groups.rename(group, call.user_id, title)
    return updates_since(call, start)


def _edit_about(call: Call, request: TLObject) -> TLObject:
    group = group_at(call, request.peer)
    check_right(call, group, "change_info")
    if len(request.about) > _MAX_ABOUT:
        raise RpcFault(400, "CHAT_ABOUT_TOO_LONG")
    if request.about == group.about:
        raise RpcFault(400, "CHAT_ABOUT_NOT_MODIFIED")
    call.world.groups.describe(group, request.about)
    return True


def _edit_default_rights(call: Call, request: TLObject) -> TLObject:
    group = group_at(call, request.peer)
    check_member(call, group)
    if not group.is_admin(call.user_id):
        raise RpcFault(400, "CHAT_ADMIN_REQUIRED")
    if bytes(request.banned_rights) == bytes(group.default_rights or no_limits()):
        raise RpcFault(400, "CHAT_NOT_MODIFIED")
    start = mark(call)
    call.world.groups.set_default_rights(group, request.banned_rights)
    return updates_since(call, start)


def _migrate(call: Call, request: TLObject) -> TLObject:
    group = group_of(call, request.chat_id)
    check_member(call, group)
    if not group.is_admin(call.user_id):
        raise RpcFault(400, "CHAT_ADMIN_REQUIRED")
    start = mark(call)
    call.world.supergroups.migrate(group, call.user_id)
    return updates_since(call, start)


HANDLERS: Handlers = {
    functions.messages.GetChatsRequest: _get_chats,
    functions.messages.GetFullChatRequest: _get_full_chat,
    functions.messages.GetCommonChatsRequest: _get_common_chats,
    functions.messages.EditChatTitleRequest: _edit_title,
    functions.messages.EditChatAboutRequest: _edit_about,
    functions.messages.EditChatDefaultBannedRightsRequest: _edit_default_rights,
    functions.messages.MigrateChatRequest: _migrate,
}
