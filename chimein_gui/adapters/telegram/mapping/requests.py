"""Builds Telethon requests from the engine's; pure functions."""

from __future__ import annotations

from collections.abc import Sequence

from chimein_gui.adapters.telegram.mapping.formatting import raw_entities
from chimein_gui.adapters.telegram.mapping.peers import is_channel
from chimein_gui.adapters.telegram.transport.tl import TLObject, functions, types
from chimein_gui.domain.ids import MessageId, PeerId
from chimein_gui.domain.messages import TextEntity
from chimein_gui.engine.ports import FileRequest, SendRequest, StickerRequest


def send_text(peer: TLObject, request: SendRequest, target: TLObject | None) -> TLObject:
    """Send a text, without previews of links; the cloud draft stays.

    Args:
        peer: InputPeer.
        request: What to send.
        target: Result of `reply_to` for the answered message, or None.
    """
    return functions.messages.SendMessageRequest(
        peer=peer,
        message=request.text,
        random_id=request.random_id,
        reply_to=target,
        entities=raw_entities(request.entities),
        no_webpage=True,
        clear_draft=False,
    )


def send_document(peer: TLObject, document: TLObject, request: StickerRequest, target: TLObject | None) -> TLObject:
    """Send a sticker by its document.

    Args:
        peer: InputPeer.
        document: InputDocument.
        request: The rest.
        target: Result of `reply_to` for the answered message, or None.
    """
    return functions.messages.SendMediaRequest(
        peer=peer,
        media=types.InputMediaDocument(document),
        message="",
        random_id=request.random_id,
        reply_to=target,
        clear_draft=False,
    )


def send_file(peer: TLObject, request: FileRequest, target: TLObject | None) -> TLObject:
    """Send an uploaded file.

    Args:
        peer: InputPeer.
        request: The rest.
        target: Result of `reply_to` for the answered message, or None.
    """
    file = request.file
    if file.as_photo:
        media = types.InputMediaUploadedPhoto(request.uploaded.handle)
    else:
        name = types.DocumentAttributeFilename(file.file_name)
        media = types.InputMediaUploadedDocument(request.uploaded.handle, file.mime_type, [name], force_file=True)
    return functions.messages.SendMediaRequest(
        peer=peer,
        media=media,
        message=request.caption,
        random_id=request.random_id,
        reply_to=target,
        entities=raw_entities(request.entities),
        clear_draft=False,
    )


def edit_text(peer: TLObject, message_id: MessageId, text: str, entities: Sequence[TextEntity]) -> TLObject:
    """Replace the text of a message."""
    return functions.messages.EditMessageRequest(
        peer=peer, id=message_id, message=text, entities=raw_entities(entities), no_webpage=True
    )


def delete_messages(peer_id: PeerId, peer: TLObject, ids: Sequence[MessageId], *, for_everyone: bool) -> TLObject:
    """Delete messages; in a channel always for everyone."""
    if is_channel(peer_id):
        return functions.channels.DeleteMessagesRequest(input_channel(peer), list(ids))
    return functions.messages.DeleteMessagesRequest(list(ids), revoke=for_everyone)


def clear_conversation(peer: TLObject, up_to: MessageId) -> TLObject:
    """Delete a DM up to a message; the partner keeps it."""
    return functions.messages.DeleteHistoryRequest(peer, max_id=up_to, just_clear=False, revoke=False)


def block(peer: TLObject) -> TLObject:
    """Block a user."""
    return functions.contacts.BlockRequest(peer)


def unblock(peer: TLObject) -> TLObject:
    """Unblock a user."""
    return functions.contacts.UnblockRequest(peer)


def mark_read(peer_id: PeerId, peer: TLObject, up_to: MessageId) -> TLObject:
    """Mark as read; channels need the newest id."""
    if is_channel(peer_id):
        return functions.channels.ReadHistoryRequest(channel=input_channel(peer), max_id=up_to)
    return functions.messages.ReadHistoryRequest(peer=peer, max_id=up_to)


def show_typing(peer: TLObject) -> TLObject:
    """Show "typing…"."""
    return functions.messages.SetTypingRequest(peer=peer, action=types.SendMessageTypingAction())


def about_groups(group_ids: Sequence[PeerId]) -> TLObject:
    """Request basic groups; the answer says where they have moved."""
    return functions.messages.GetChatsRequest([-group_id for group_id in group_ids])


def input_channel(peer: TLObject) -> TLObject:
    """Return a channel's InputPeer as an InputChannel."""
    return types.InputChannel(peer.channel_id, peer.access_hash)


def reply_to(message_id: MessageId, elsewhere: TLObject | None = None) -> TLObject:
    """Return the reply header of a message.

    Args:
        message_id: The answered message.
        elsewhere: InputPeer of its peer, if that is not the receiver.
    """
    return types.InputReplyToMessage(message_id, reply_to_peer_id=elsewhere)
