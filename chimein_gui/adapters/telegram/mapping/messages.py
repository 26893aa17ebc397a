"""Maps Telethon's messages to ours; pure functions."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any

from chimein_gui.adapters.telegram.mapping.attachments import forward_of, media_of, reactions_of
from chimein_gui.adapters.telegram.mapping.media_kinds import UNKNOWN_KIND, document_id, media_kind
from chimein_gui.adapters.telegram.mapping.peers import PeerBook, peer_id_of
from chimein_gui.adapters.telegram.transport.tl import TLObject, types
from chimein_gui.domain.accounts.group_moves import GroupMoves
from chimein_gui.domain.ids import AccountId, MessageId, PeerId, UserId
from chimein_gui.domain.messages import Message, MessageKey, TextEntity

_WORD_START = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def message_of(raw: TLObject, account_id: AccountId, peers: PeerBook) -> Message | None:
    """Map one message; its ids are those of its chat, which may have two peers.

    Args:
        raw: Telethon's Message or MessageService.
        account_id: The account that sees it.
        peers: Source of names.

    Returns:
        The message, or None for an empty one (deleted before we saw it).
    """
    if raw.peer_id is None or isinstance(raw, types.MessageEmpty):
        return None
    peer_id = peer_id_of(raw.peer_id)
    moves = peers.moves
    sender = sender_of(raw, account_id, peer_id)
    service = isinstance(raw, types.MessageService)
    if service:
        peers.hear(raw)
    moves.stands_alone(peer_id)
    kind = snake_case(raw.action, "MessageAction") if service else media_kind(raw)
    reply_to_id, thread_id = reply_of(raw.reply_to, peer_id, moves)
    return Message(
        key=MessageKey(account_id, moves.chat_of(peer_id), moves.raised(peer_id, raw.id)),
        sender_id=UserId(sender) if sender > 0 else None,
        sender_name=peers.name(sender) or (getattr(raw, "post_author", None) or "" if sender < 0 else ""),
        out=bool(raw.out),
        sent_at=raw.date,
        text="" if service else raw.message or "",
        entities=() if service or not raw.entities else entities_of(raw.entities),
        reply_to_id=reply_to_id,
        thread_id=thread_id,
        is_bot=peers.is_bot(sender),
        grouped_id=None if service else raw.grouped_id,
        media_kind=kind,
        is_service=service,
        edited_at=None if service else edited_at(raw),
        raw_json=raw.to_json() if service or kind == UNKNOWN_KIND else "",
        document_id=None if service else document_id(raw.media),
        is_automatic=not service and bool(raw.from_scheduled or raw.via_bot_id or raw.via_business_bot_id),
        media=None if service else media_of(raw.media),
        forward=None if service else forward_of(raw.fwd_from, peers),
        reactions=reactions_of(raw.reactions),
        mentioned=bool(raw.mentioned),
    )


def short_message_of(raw: TLObject, account_id: AccountId) -> TLObject:
    """Expand Telegram's short form of texts in DMs and basic groups to a full message."""
    in_group = isinstance(raw, types.UpdateShortChatMessage)
    author = raw.from_id if in_group else raw.user_id
    return types.Message(
        id=raw.id,
        peer_id=types.PeerChat(raw.chat_id) if in_group else types.PeerUser(raw.user_id),
        from_id=types.PeerUser(account_id if raw.out else author),
        date=raw.date,
        message=raw.message,
        out=raw.out,
        entities=raw.entities,
        reply_to=raw.reply_to,
        mentioned=raw.mentioned,
        fwd_from=raw.fwd_from,
        via_bot_id=raw.via_bot_id,
    )


def sender_of(raw: TLObject, account_id: AccountId, peer_id: PeerId) -> PeerId:
    """Return the author of a message; it is missing in DMs and for channels, where it follows from the peer."""
    if raw.from_id is not None:
        return peer_id_of(raw.from_id)
    return PeerId(account_id) if raw.out and peer_id > 0 else peer_id


def entities_of(raw_entities: list[Any]) -> tuple[TextEntity, ...]:
    """Map formatting; offsets stay in UTF-16 units."""
    return tuple(
        TextEntity(
            snake_case(entity, "MessageEntity"),
            entity.offset,
            entity.length,
            str(getattr(entity, "url", None) or getattr(entity, "language", None) or getattr(entity, "user_id", "")),
        )
        for entity in raw_entities
    )


def reply_of(header: TLObject, peer_id: PeerId, moves: GroupMoves) -> tuple[MessageId | None, int | None]:
    """Return the answered message, in the same chat, and the forum topic (its raw id).

    Args:
        header: Telethon's MessageReplyHeader, or None.
        peer_id: Raw peer of the message.
        moves: A supergroup's message may answer one of its former basic group, which is in the same chat.
    """
    if not isinstance(header, types.MessageReplyHeader):
        return None, None
    place = peer_id if header.reply_to_peer_id is None else peer_id_of(header.reply_to_peer_id)
    target = header.reply_to_msg_id if moves.chat_of(place) == moves.chat_of(peer_id) else None
    reply_to_id = moves.raised(place, target) if target else None
    if not header.forum_topic:
        return reply_to_id, None
    if header.reply_to_top_id is None:
        return None, target  # a plain message of the topic: it "answers" the topic's first one
    return reply_to_id, header.reply_to_top_id


def edited_at(raw: TLObject) -> datetime | None:
    """Return when the text was edited; other changes such as reactions hide their date."""
    when: datetime | None = None if raw.edit_hide else raw.edit_date
    return when


def snake_case(thing: TLObject, prefix: str) -> str:
    """Convert Telegram's name of a kind to ours: ``MessageEntityTextUrl`` → ``text_url``."""
    return _WORD_START.sub("_", type(thing).__name__.removeprefix(prefix)).lower()
