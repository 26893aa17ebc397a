"""How somebody who is or was in a group sees it."""

from chimein_gui.sandbox.records import Group, Member, MemberState
from chimein_gui.sandbox.tl import TLObject, types

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
"""What a creator may do; admins of basic groups may do all of it as well."""

_FOREVER = 2**31 - 1


def no_limits() -> TLObject:
    """Return the rights of members where nothing is forbidden."""
    return types.ChatBannedRights(until_date=_FOREVER)


def seen_group(group: Group, viewer_id: int) -> TLObject:
    """Return the short form: for those who were made to leave only its name."""
    member = group.people.get(viewer_id)
    if member is None or (not member.is_in and not has_left(member)):
        return types.ChatForbidden(group.group_id, group.title)
    is_creator = viewer_id == group.creator_id
    return types.Chat(
        id=group.group_id,
        title=group.title,
        photo=types.ChatPhotoEmpty(),
        participants_count=len(group.member_ids),
        date=group.created_at,
        version=group.version,
        creator=is_creator or None,
        left=(not member.is_in) or None,
        admin_rights=types.ChatAdminRights(**_ADMIN_RIGHTS) if group.is_admin(viewer_id) else None,
        default_banned_rights=group.default_rights or no_limits(),
    )


def seen_participants(group: Group, viewer_id: int) -> TLObject:
    """Return who is in it; nothing for those who are not."""
    if not group.has(viewer_id):
        return types.ChatParticipantsForbidden(group.group_id)
    people = [_participant(group, member) for member in group.people.values() if member.is_in]
    return types.ChatParticipants(group.group_id, people, group.version)


def has_left(member: Member) -> bool:
    """Whether somebody went by themselves."""
    return member.state is MemberState.LEFT


def _participant(group: Group, member: Member) -> TLObject:
    if member.user_id == group.creator_id:
        return types.ChatParticipantCreator(member.user_id)
    kind = types.ChatParticipantAdmin if member.state is MemberState.ADMIN else types.ChatParticipant
    return kind(member.user_id, member.inviter_id, member.joined_at)
