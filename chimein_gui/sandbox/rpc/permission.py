"""Who may send what where; every refusal is the one that live Telegram gives.

Whoever has blocked the sender refuses nothing: the send succeeds and is not delivered, as on live Telegram. The
sender's own block list does refuse (YOU_BLOCKED_USER).
"""

from chimein_gui.sandbox.privacy import may_write
from chimein_gui.sandbox.records import Group
from chimein_gui.sandbox.rpc.call import Call, RpcFault
from chimein_gui.sandbox.tl import TLObject

PLAIN = "plain"
"""The kind of a message without media; the others are named as `MediaRef.kind`."""

_LIMITS: dict[str, tuple[str, str]] = {
    PLAIN: ("send_plain", "CHAT_SEND_PLAIN_FORBIDDEN"),
    "photo": ("send_photos", "CHAT_SEND_PHOTOS_FORBIDDEN"),
    "video": ("send_videos", "CHAT_SEND_VIDEOS_FORBIDDEN"),
    "round": ("send_roundvideos", "CHAT_SEND_ROUNDVIDEOS_FORBIDDEN"),
    "sticker": ("send_stickers", "CHAT_SEND_STICKERS_FORBIDDEN"),
    "gif": ("send_gifs", "CHAT_SEND_GIFS_FORBIDDEN"),
    "voice": ("send_voices", "CHAT_SEND_VOICES_FORBIDDEN"),
    "audio": ("send_audios", "CHAT_SEND_AUDIOS_FORBIDDEN"),
    "document": ("send_docs", "CHAT_SEND_DOCS_FORBIDDEN"),
    "poll": ("send_polls", "CHAT_SEND_POLL_FORBIDDEN"),
}
"""What forbids a kind of message in a group (a field of ChatBannedRights), and how that is said."""

_MEDIA_LIMIT = ("send_media", "CHAT_SEND_MEDIA_FORBIDDEN")


def check_send(call: Call, peer_id: int, kind: str = PLAIN) -> None:
    """Refuse a send that Telegram would refuse.

    Raises:
        RpcFault: If the caller may not send this to the peer now.
    """
    if peer_id > 0:
        _check_user(call, peer_id)
    else:
        _check_group(call, call.world.groups.get(peer_id), kind)


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


def check_right(call: Call, group: Group, right: str) -> None:
    """Refuse a member who lacks a right that admins have and members may be denied.

    Args:
        call: Who asks.
        group: Where.
        right: A field of ChatBannedRights, such as `pin_messages`.

    Raises:
        RpcFault: If the caller is no member or is denied it.
    """
    check_member(call, group)
    rights = group.default_rights
    if rights is not None and getattr(rights, right) and not group.is_admin(call.user_id):
        raise RpcFault(400, "CHAT_ADMIN_REQUIRED")


def _check_user(call: Call, user_id: int) -> None:
    sender_id = call.user_id
    if sender_id == user_id:
        return
    directory = call.world.directory
    if directory.users[user_id].is_deleted:
        raise RpcFault(400, "INPUT_USER_DEACTIVATED")
    if directory.has_blocked(sender_id, user_id):
        raise RpcFault(400, "YOU_BLOCKED_USER")
    theirs = call.world.box(user_id)
    if not may_write(directory, sender_id, user_id, lambda: theirs.wrote_to(sender_id)):
        raise RpcFault(406, "PRIVACY_PREMIUM_REQUIRED")


def _check_group(call: Call, group: Group, kind: str) -> None:
    check_member(call, group)
    sender_id = call.user_id
    if (group.default_rights is None and not group.slow_mode_s) or group.is_admin(sender_id):
        return
    rights = group.default_rights
    if rights is not None:
        if rights.send_messages:
            raise RpcFault(403, "CHAT_WRITE_FORBIDDEN")
        right, words = _LIMITS.get(kind, _MEDIA_LIMIT)
        if getattr(rights, right):
            raise RpcFault(403, words)
        if kind != PLAIN and rights.send_media:
            raise RpcFault(403, _MEDIA_LIMIT[1])
    remaining = group.people[sender_id].last_sent_at + group.slow_mode_s - call.world.now()
    if group.slow_mode_s and remaining > 0:
        raise RpcFault(420, f"SLOWMODE_WAIT_{remaining}")
