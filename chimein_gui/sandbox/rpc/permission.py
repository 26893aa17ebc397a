"""Who may send what where; every refusal is the one that live Telegram gives.

Whoever has blocked the sender refuses nothing: the send succeeds and is not delivered, as on live Telegram. The
sender's own block list does refuse (YOU_BLOCKED_USER).
"""

from chimein_gui.sandbox.rpc.call import Call, RpcFault
from chimein_gui.sandbox.wire.tl import TLObject
from chimein_gui.sandbox.world.records import Group


def check_send(call: Call, peer_id: int) -> None:
    """Refuse a send that Telegram would refuse.

    Raises:
        RpcFault: If the caller may not send this to the peer now.
    """
    if peer_id > 0:
        _check_user(call, peer_id)
    else:
        _check_group(call, call.world.groups.get(peer_id))


def refuse_scheduled(request: TLObject) -> None:
    """Refuse a message for later: the sandbox keeps none.

    Raises:
        RpcFault: If the request names a date.
    """
    if getattr(request, "schedule_date", None) is not None:
        raise RpcFault(400, "SCHEDULE_DATE_INVALID")


def check_member(call: Call, group: Group) -> None:
    """Refuse whoever is not in a group any more.

    Raises:
        RpcFault: If the group has become a supergroup, or the caller has left or was made to leave.
    """
    if group.migrated_to:
        raise RpcFault(400, "CHAT_ID_INVALID")
    if not group.has(call.user_id):
        raise RpcFault(403, "CHAT_WRITE_FORBIDDEN")


def _check_user(call: Call, user_id: int) -> None:
    sender_id = call.user_id
    if sender_id == user_id:
        return
    directory = call.world.directory
    if directory.users[user_id].is_deleted:
        raise RpcFault(400, "INPUT_USER_DEACTIVATED")
    if directory.has_blocked(sender_id, user_id):
        raise RpcFault(400, "YOU_BLOCKED_USER")


def _check_group(call: Call, group: Group) -> None:
    check_member(call, group)
    sender_id = call.user_id
    remaining = group.people[sender_id].last_sent_at + group.slow_mode_s - call.world.now()
    if group.slow_mode_s and remaining > 0 and not group.is_admin(sender_id):
        raise RpcFault(420, f"SLOWMODE_WAIT_{remaining}")
