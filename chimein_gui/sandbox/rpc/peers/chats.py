"""messages.* about a group: its details, and its migration to a supergroup."""

from chimein_gui.sandbox.rpc.answers import mark, updates_since
from chimein_gui.sandbox.rpc.call import Call, Handlers
from chimein_gui.sandbox.rpc.permission import check_member
from chimein_gui.sandbox.rpc.refusal import RpcFault
from chimein_gui.sandbox.wire.tl import TLObject, functions, types
from chimein_gui.sandbox.world.records import Group

_MAX_TITLE = 128


def group_of(call: Call, chat_id: int) -> Group:
    """Return a group that the caller is or was in.

    Raises:
        RpcFault: If there is none.
    """
    group = call.world.groups.find(-chat_id)
    if group is None or call.user_id not in group.people:
        raise RpcFault(400, "CHAT_ID_INVALID")
    return group


def checked_title(given: str) -> str:
    """Return a title without outer blanks.

    Raises:
        RpcFault: If it is blank or too long.
    """
    title = given.strip()
    if not title or len(title) > _MAX_TITLE:
        raise RpcFault(400, "CHAT_TITLE_EMPTY")
    return title


def _get_chats(call: Call, request: TLObject) -> TLObject:
    groups = [group_of(call, chat_id) for chat_id in request.id]
    return types.messages.Chats(call.views.chats(call.user_id, [group.peer_id for group in groups]))


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
    functions.messages.MigrateChatRequest: _migrate,
}
