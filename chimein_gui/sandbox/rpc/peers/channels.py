"""channels.*: the calls about supergroups for which messages.* is not used."""

from chimein_gui.sandbox.rpc.call import Call, Handlers
from chimein_gui.sandbox.rpc.permission import check_member
from chimein_gui.sandbox.rpc.refusal import RpcFault
from chimein_gui.sandbox.wire.tl import TLObject, functions, patched, types
from chimein_gui.sandbox.world.peers import is_channel
from chimein_gui.sandbox.world.records import Group, StoredMessage


def _supergroup(call: Call, channel: TLObject) -> Group:
    peer_id = call.peer_id(channel, "CHANNEL_INVALID")
    if not is_channel(peer_id):
        raise RpcFault(400, "CHANNEL_INVALID")
    return call.world.groups.get(peer_id)


def _get_channels(call: Call, request: TLObject) -> TLObject:
    groups = [_supergroup(call, one) for one in request.id]
    return types.messages.Chats(call.views.chats(call.user_id, [group.peer_id for group in groups]))


def _get_full(call: Call, request: TLObject) -> TLObject:
    viewer_id, group = call.user_id, _supergroup(call, request.channel)
    box, thread = call.world.post.channel(group.peer_id), call.box.thread(group.peer_id)
    old_ids = call.box.thread(group.migrated_from).ids
    full = types.ChannelFull(
        id=group.group_id,
        about=group.about,
        read_inbox_max_id=thread.read_inbox,
        read_outbox_max_id=thread.read_outbox,
        unread_count=call.world.supergroups.unread(viewer_id, group.peer_id),
        chat_photo=types.PhotoEmpty(0),
        notify_settings=call.world.settings.notify(viewer_id, group.peer_id),
        bot_info=[],
        pts=box.pts,
        can_view_participants=True,
        participants_count=len(group.member_ids),
        admins_count=sum(group.is_admin(one) for one in group.member_ids),
        migrated_from_chat_id=-group.migrated_from,
        migrated_from_max_id=old_ids[-1] if old_ids else 0,
        slowmode_seconds=group.slow_mode_s or None,
    )
    chats = call.views.chats(viewer_id, (group.peer_id, group.migrated_from))
    return types.messages.ChatFull(full, chats, call.views.users(viewer_id, ()))


# -- messages ---------------------------------------------------------------------------------------------------------


def _get_messages(call: Call, request: TLObject) -> TLObject:
    group = _supergroup(call, request.channel)
    wanted = [_wanted(call, group, reference) for reference in request.id]
    found = [message for _, message in wanted if message is not None]
    rendered = [
        call.views.message(message) if message else patched.MessageEmpty(message_id, None)
        for message_id, message in wanted
    ]
    peers = (*call.views.peers_in(found), group.peer_id)
    users, chats = call.views.users(call.user_id, peers), call.views.chats(call.user_id, peers)
    return types.messages.ChannelMessages(call.box_of(group.peer_id).pts, len(rendered), rendered, [], chats, users)


def _wanted(call: Call, group: Group, reference: TLObject) -> tuple[int, StoredMessage | None]:
    """Resolve an InputMessageID, or the message that another one replies to; all others to none."""
    message_id = getattr(reference, "id", 0)
    message = call.world.live(call.user_id, group.peer_id, message_id)
    if isinstance(reference, types.InputMessageReplyTo) and message is not None:
        where = group.migrated_from if message.reply_to_uid else group.peer_id
        return message_id, call.world.live(call.user_id, where, message.reply_to_id)
    return message_id, message


def _delete_messages(call: Call, request: TLObject) -> TLObject:
    """Delete messages for all, which is the only way in a supergroup; only admins may delete those of others."""
    group = _supergroup(call, request.channel)
    check_member(call, group)
    box = call.box_of(group.peer_id)
    found = [message for message_id in request.id if (message := box.live(message_id))]
    if not group.is_admin(call.user_id) and any(one.sender_id != call.user_id for one in found):
        raise RpcFault(403, "MESSAGE_DELETE_FORBIDDEN")
    entry = call.world.delete(group.peer_id, request.id, revoke=True)
    return types.messages.AffectedMessages(box.pts, entry.pts_count if entry else 0)


def _read_history(call: Call, request: TLObject) -> TLObject:
    group = _supergroup(call, request.channel)
    call.world.read(call.user_id, group.peer_id, request.max_id)
    return True


HANDLERS: Handlers = {
    functions.channels.GetChannelsRequest: _get_channels,
    functions.channels.GetFullChannelRequest: _get_full,
    functions.channels.GetMessagesRequest: _get_messages,
    functions.channels.DeleteMessagesRequest: _delete_messages,
    functions.channels.ReadHistoryRequest: _read_history,
}
