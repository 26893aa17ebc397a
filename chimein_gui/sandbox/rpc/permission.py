"""Permission to send; each refusal uses the error of live Telegram.

A block by the receiver is no refusal: the send succeeds and is not delivered, as on live Telegram. The sender's own
block list does refuse (YOU_BLOCKED_USER).
"""

from chimein_gui.sandbox.rpc.call import Call
from chimein_gui.sandbox.rpc.refusal import RpcFault
from chimein_gui.sandbox.wire.tl import TLObject
from chimein_gui.sandbox.world.records import Group


def check_send(call: Call, peer_id: int) -> None:
    """Refuse a send that Telegram would refuse.

    Raises:
        RpcFault: If the caller may not send to the peer now.
    """
    if peer_id > 0:
        _check_user(call, peer_id)
    else:
        _check_group(call, call.world.groups.get(peer_id))


def refuse_scheduled(request: TLObject) -> None:
    """Refuse a scheduled message, which the sandbox does not support.

    Raises:
        RpcFault: If the request has a date.
    """
    if getattr(request, "schedule_date", None) is not None:
        raise RpcFault(400, "SCHEDULE_DATE_INVALID")


def check_member(call: Call, group: Group) -> None:
    """Refuse a caller who is not a member of the group.

    Raises:
        RpcFault: If the group was migrated to a supergroup, or the caller left or was removed.
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
