"""users.*: who somebody is."""

from chimein_gui.sandbox import privacy
from chimein_gui.sandbox.rpc.call import Call, Handlers
from chimein_gui.sandbox.rpc.files import shown_portrait
from chimein_gui.sandbox.tl import TLObject, functions, types


def _get_users(call: Call, request: TLObject) -> TLObject:
    viewer_id = call.user_id
    return [call.views.user(viewer_id, call.peer_id(wanted, "USER_ID_INVALID")) for wanted in request.id]


def _get_full_user(call: Call, request: TLObject) -> TLObject:
    viewer_id = call.user_id
    target_id = call.peer_id(request.id, "USER_ID_INVALID")
    directory = call.world.directory
    portrait = shown_portrait(call, target_id)
    pinned = call.box.thread(target_id).pinned
    full = types.UserFull(
        id=target_id,
        settings=peer_settings(call, target_id),
        notify_settings=call.world.settings.notify(viewer_id, target_id),
        common_chats_count=0 if target_id == viewer_id else len(call.world.groups.common(viewer_id, target_id)),
        blocked=directory.has_blocked(viewer_id, target_id) or None,
        can_pin_message=True,
        about=directory.users[target_id].about or None,
        pinned_msg_id=pinned[-1] if pinned else None,
        profile_photo=None if portrait is None else call.around.media.views.photo(viewer_id, portrait),
    )
    return types.users.UserFull(full, [], [call.views.user(viewer_id, target_id)])


def _get_requirements(call: Call, request: TLObject) -> TLObject:
    """Say what it takes to write to people for the first time."""
    return [_requirement(call, call.peer_id(wanted, "USER_ID_INVALID")) for wanted in request.id]


def _requirement(call: Call, target_id: int) -> TLObject:
    viewer_id, theirs = call.user_id, call.world.box(target_id)
    if privacy.may_write(call.world.directory, viewer_id, target_id, lambda: theirs.wrote_to(viewer_id)):
        return types.RequirementToContactEmpty()
    return types.RequirementToContactPremium()


def peer_settings(call: Call, peer_id: int) -> TLObject:
    """Return which buttons a client offers above a chat: for strangers those to add, block or report them."""
    viewer_id, directory = call.user_id, call.world.directory
    if peer_id < 0 or peer_id == viewer_id or directory.users[peer_id].is_bot:
        return types.PeerSettings()
    if directory.is_contact(viewer_id, peer_id):
        return types.PeerSettings()
    is_blocked = directory.has_blocked(viewer_id, peer_id)
    return types.PeerSettings(add_contact=True, block_contact=not is_blocked or None, report_spam=True)


def _get_peer_settings(call: Call, request: TLObject) -> TLObject:
    viewer_id, peer_id = call.user_id, call.peer_id(request.peer)
    chats, users = call.views.chats(viewer_id, (peer_id,)), call.views.users(viewer_id, (peer_id,))
    return types.messages.PeerSettings(peer_settings(call, peer_id), chats, users)


HANDLERS: Handlers = {
    functions.users.GetUsersRequest: _get_users,
    functions.users.GetFullUserRequest: _get_full_user,
    functions.users.GetRequirementsToContactRequest: _get_requirements,
    functions.messages.GetPeerSettingsRequest: _get_peer_settings,
}
