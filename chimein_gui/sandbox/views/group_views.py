"""Groups as their current and former members see them."""

from collections.abc import Callable

from chimein_gui.sandbox.wire.tl import TLObject, types
from chimein_gui.sandbox.world.peers import bare_channel_id
from chimein_gui.sandbox.world.records import Group, Member, MemberState

_ADMIN_RIGHTS = {
    "change_info": True,
    "delete_messages": True,
    "ban_users": True,
    "invite_users": True,
    "pin_messages": True,
    "add_admins": True,
    "manage_call": True,
    "other": True,
}
"""Rights of a creator; admins of basic groups have them too."""

_FOREVER = 2**31 - 1


def _no_limits() -> TLObject:
    """Return member rights that forbid nothing."""
    return types.ChatBannedRights(until_date=_FOREVER)


def seen_group(group: Group, viewer_id: int, access_hash: Callable[[int], int]) -> TLObject:
    """Return the TL object of a group as the viewer sees it; those who were kicked see only its name.

    Args:
        group: The group or supergroup.
        viewer_id: The viewer's user id.
        access_hash: Returns the viewer's hash of a supergroup, by its marked id.
    """
    if group.migrated_from:
        return _seen_channel(group, viewer_id, access_hash(group.peer_id))
    member = group.people.get(viewer_id)
    if member is None or (not member.is_in and not has_left(member)):
        return types.ChatForbidden(group.group_id, group.title)
    is_creator = viewer_id == group.creator_id
    moved_to = group.migrated_to
    return types.Chat(
        id=group.group_id,
        title=group.title,
        photo=types.ChatPhotoEmpty(),
        participants_count=len(group.member_ids),
        date=group.created_at,
        version=group.version,
        creator=is_creator or None,
        left=(not member.is_in) or None,
        deactivated=bool(moved_to) or None,
        migrated_to=types.InputChannel(bare_channel_id(moved_to), access_hash(moved_to)) if moved_to else None,
        admin_rights=types.ChatAdminRights(**_ADMIN_RIGHTS) if group.is_admin(viewer_id) else None,
        default_banned_rights=_no_limits(),
    )


def _seen_channel(group: Group, viewer_id: int, access_hash: int) -> TLObject:
    if not group.has(viewer_id):
        return types.ChannelForbidden(group.group_id, access_hash, group.title, megagroup=True)
    return types.Channel(
        id=group.group_id,
        access_hash=access_hash,
        title=group.title,
        photo=types.ChatPhotoEmpty(),
        date=group.people[viewer_id].joined_at,
        megagroup=True,
        slowmode_enabled=bool(group.slow_mode_s) or None,
        creator=(viewer_id == group.creator_id) or None,
        admin_rights=types.ChatAdminRights(**_ADMIN_RIGHTS) if group.is_admin(viewer_id) else None,
        default_banned_rights=_no_limits(),
        participants_count=len(group.member_ids),
    )


def seen_participants(group: Group, viewer_id: int) -> TLObject:
    """Return the participants of a group; none for viewers who are not in it."""
    if not group.has(viewer_id):
        return types.ChatParticipantsForbidden(group.group_id)
    people = [_participant(group, member) for member in group.people.values() if member.is_in]
    return types.ChatParticipants(group.group_id, people, group.version)


def has_left(member: Member) -> bool:
    """Whether a user left a group themselves."""
    return member.state is MemberState.LEFT


def _participant(group: Group, member: Member) -> TLObject:
    if member.user_id == group.creator_id:
        return types.ChatParticipantCreator(member.user_id)
    kind = types.ChatParticipantAdmin if member.state is MemberState.ADMIN else types.ChatParticipant
    return kind(member.user_id, member.inviter_id, member.joined_at)
