"""messages.* about the members of a basic group: create, add, leave, kick."""

from chimein_gui.sandbox.rpc.answers import mark, updates_since
from chimein_gui.sandbox.rpc.call import Call, Handlers
from chimein_gui.sandbox.rpc.peers.chats import checked_title, group_of
from chimein_gui.sandbox.rpc.permission import check_member
from chimein_gui.sandbox.rpc.refusal import RpcFault
from chimein_gui.sandbox.views.group_views import seen_participants
from chimein_gui.sandbox.wire.tl import TLObject, functions, types
from chimein_gui.sandbox.world.records import Group

_MAX_MEMBERS = 200


def _create(call: Call, request: TLObject) -> TLObject:
    creator_id = call.user_id
    title = checked_title(request.title)
    asked = [call.peer_id(user, "USER_ID_INVALID") for user in request.users]
    invited = [user_id for user_id in dict.fromkeys(asked) if user_id != creator_id]
    if not invited:
        raise RpcFault(400, "USERS_TOO_FEW")
    if len(invited) >= _MAX_MEMBERS:
        raise RpcFault(400, "USERS_TOO_MUCH")
    willing = [user_id for user_id in invited if _may_invite(call, user_id)]
    start = mark(call)
    group = call.world.create_group(creator_id, title, willing)
    update = types.UpdateChatParticipants(seen_participants(group, creator_id))
    missing = [types.MissingInvitee(user_id) for user_id in invited if user_id not in willing]
    return types.messages.InvitedUsers(_with_members(call, group, start, update), missing)


def _add(call: Call, request: TLObject) -> TLObject:
    group, user_id = group_of(call, request.chat_id), call.peer_id(request.user_id, "USER_ID_INVALID")
    check_member(call, group)
    if group.has(user_id):
        raise RpcFault(400, "USER_ALREADY_PARTICIPANT")
    if len(group.member_ids) >= _MAX_MEMBERS:
        raise RpcFault(400, "USERS_TOO_MUCH")
    empty = types.Updates([], [], [], call.world.now(), 0)
    if not _may_invite(call, user_id):
        return types.messages.InvitedUsers(empty, [types.MissingInvitee(user_id)])
    start = mark(call)
    call.world.groups.add(group, call.user_id, user_id)
    update = types.UpdateChatParticipants(seen_participants(group, call.user_id))
    return types.messages.InvitedUsers(_with_members(call, group, start, update), [])


def _remove(call: Call, request: TLObject) -> TLObject:
    """Leave, or remove a member, which only admins and the member's inviter may do."""
    remover_id, group = call.user_id, group_of(call, request.chat_id)
    user_id = call.peer_id(request.user_id, "USER_ID_INVALID")
    check_member(call, group)
    if not group.has(user_id):
        raise RpcFault(400, "USER_NOT_PARTICIPANT")
    if user_id == group.creator_id != remover_id:
        raise RpcFault(400, "CHAT_ADMIN_REQUIRED")
    is_own_guest = group.people[user_id].inviter_id == remover_id
    if user_id != remover_id and not group.is_admin(remover_id) and not is_own_guest:
        raise RpcFault(400, "CHAT_ADMIN_REQUIRED")
    start = mark(call)
    call.world.groups.remove(group, remover_id, user_id)
    if request.revoke_history:
        call.world.delete(user_id, list(call.world.box(user_id).thread(group.peer_id).ids), revoke=False)
    return updates_since(call, start)


def _may_invite(call: Call, user_id: int) -> bool:
    """Whether the caller can add a user, who must not have blocked them or be deleted."""
    directory = call.world.directory
    return not directory.has_blocked(user_id, call.user_id) and not directory.users[user_id].is_deleted


def _with_members(call: Call, group: Group, start: int, update: TLObject) -> TLObject:
    """Return what happened, with all members of the group."""
    updates = updates_since(call, start, update)
    updates.users = call.views.users(call.user_id, group.member_ids)
    return updates


HANDLERS: Handlers = {
    functions.messages.CreateChatRequest: _create,
    functions.messages.AddChatUserRequest: _add,
    functions.messages.DeleteChatUserRequest: _remove,
}
