"""Compact names for the media of a message."""

from __future__ import annotations

from typing import Any

from chimein_gui.adapters.telegram.transport.tl import TLObject, types

UNKNOWN_KIND = "unknown"
"""Stored with its raw JSON, so that nothing is lost."""

_KINDS: dict[type[Any], str] = {
    types.MessageMediaEmpty: "",
    types.MessageMediaWebPage: "",
    types.MessageMediaPhoto: "photo",
    types.MessageMediaGeo: "location",
    types.MessageMediaGeoLive: "location",
    types.MessageMediaVenue: "location",
    types.MessageMediaContact: "contact",
    types.MessageMediaPoll: "poll",
    types.MessageMediaToDo: "checklist",
    types.MessageMediaDice: "dice",
    types.MessageMediaGame: "game",
    types.MessageMediaInvoice: "invoice",
    types.MessageMediaPaidMedia: "paid media",
    types.MessageMediaStory: "story",
    types.MessageMediaGiveaway: "giveaway",
    types.MessageMediaGiveawayResults: "giveaway",
}

_DOCUMENT_KINDS: tuple[tuple[type[Any], str], ...] = (
    (types.DocumentAttributeSticker, "sticker"),
    (types.DocumentAttributeCustomEmoji, "sticker"),
    (types.DocumentAttributeAnimated, "gif"),
    (types.DocumentAttributeVideo, "video"),
)


def media_kind(raw: TLObject) -> str:
    """Name the media of a message; empty for none, `UNKNOWN_KIND` for an unknown kind.

    Args:
        raw: Telethon's Message.
    """
    media = raw.media
    if media is None:
        return UNKNOWN_KIND if raw.rich_message is not None else ""
    if isinstance(media, types.MessageMediaDocument):
        kind = _document_kind(media)
        return "round video" if kind == "video" and _is_round(media) else kind
    return _KINDS.get(type(media), UNKNOWN_KIND)


def document_id(media: TLObject) -> int | None:
    """Return the id of a message's file, such as a sticker's; None without one."""
    if not isinstance(media, types.MessageMediaDocument) or not isinstance(media.document, types.Document):
        return None
    found: int = media.document.id
    return found


def _document_kind(media: TLObject) -> str:
    attributes = getattr(media.document, "attributes", None) or ()
    for attribute_type, kind in _DOCUMENT_KINDS:
        if any(isinstance(attribute, attribute_type) for attribute in attributes):
            return kind
    for attribute in attributes:
        if isinstance(attribute, types.DocumentAttributeAudio):
            return "voice" if attribute.voice else "audio"
    return "document"


def _is_round(media: TLObject) -> bool:
    attributes = getattr(media.document, "attributes", None) or ()
    return bool(media.round) or any(getattr(attribute, "round_message", None) for attribute in attributes)
