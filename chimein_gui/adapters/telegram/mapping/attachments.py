"""Maps attachments of messages: file, origin of a forward, reactions; pure functions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from chimein_gui.adapters.telegram.mapping.peers import MAX_NAME, PeerBook, peer_id_of
from chimein_gui.adapters.telegram.transport.tl import TLObject, types
from chimein_gui.domain.messages import Forward, Media, Reaction

_MAX_WORDS = 256
"""Longest file name, title or question that is kept, in characters; they are foreign."""
_MAX_WAVE = 100
_WAVE_BITS = 5
_MAX_SIDE = 100_000
_BY_NUMBER = types.InputStickerSetID
_STICKERS = (types.DocumentAttributeSticker, types.DocumentAttributeCustomEmoji)


def media_of(media: TLObject) -> Media | None:
    """Return the media of a message; None for none, or for a link preview.

    Args:
        media: Telethon's MessageMedia, or None.
    """
    if media is None or isinstance(media, types.MessageMediaEmpty | types.MessageMediaWebPage):
        return None
    if isinstance(media, types.MessageMediaPhoto):
        return _photo(media)
    if isinstance(media, types.MessageMediaDocument):
        return _document(media)
    return Media(title=_title(media), emoji=_words(getattr(media, "emoticon", "")))


def forward_of(header: TLObject, peers: PeerBook) -> Forward | None:
    """Return the origin of a forwarded message, or None.

    Args:
        header: Telethon's MessageFwdHeader, or None.
        peers: Source of names.
    """
    if not isinstance(header, types.MessageFwdHeader) or header.date is None:
        return None
    named = peers.name(peer_id_of(header.from_id)) if header.from_id is not None else ""
    return Forward((named or header.from_name or header.post_author or "")[:MAX_NAME], header.date)


def reactions_of(raw: TLObject) -> tuple[Reaction, ...]:
    """Return the reactions to a message, most frequent first; paid ones count as stars.

    Args:
        raw: Telethon's MessageReactions, or None.
    """
    if not isinstance(raw, types.MessageReactions):
        return ()
    found = [
        Reaction(_reaction_emoji(one.reaction), max(0, one.count), mine=one.chosen_order is not None)
        for one in raw.results
    ]
    return tuple(sorted(found, key=lambda one: -one.count))


def _photo(media: TLObject) -> Media:
    photo = media.photo
    if not isinstance(photo, types.Photo):
        return Media(has_spoiler=bool(media.spoiler))
    width, height, size = max(_photo_sizes(photo.sizes), default=(0, 0, 0))
    return Media(photo.id, size=size, width=width, height=height, has_spoiler=bool(media.spoiler))


def _photo_sizes(sizes: list[Any]) -> Iterator[tuple[int, int, int]]:
    """Yield width, height and bytes of the sizes that are complete files."""
    for one in sizes:
        if isinstance(one, types.PhotoSize):
            yield _side(one.w), _side(one.h), one.size
        elif isinstance(one, types.PhotoSizeProgressive):
            yield _side(one.w), _side(one.h), max(one.sizes, default=0)


def _document(media: TLObject) -> Media:
    document = media.document
    if not isinstance(document, types.Document):
        return Media(has_spoiler=bool(media.spoiler))
    facts: dict[str, Any] = {}
    for attribute in document.attributes:
        facts.update(_facts(attribute))
    return Media(
        file_id=document.id,
        mime_type=_words(document.mime_type),
        size=max(0, document.size),
        has_spoiler=bool(media.spoiler),
        **facts,
    )


def _facts(attribute: TLObject) -> dict[str, Any]:
    """Return the fields that one attribute of a document sets."""
    if isinstance(attribute, types.DocumentAttributeImageSize):
        return {"width": _side(attribute.w), "height": _side(attribute.h)}
    if isinstance(attribute, types.DocumentAttributeVideo):
        size = {"width": _side(attribute.w), "height": _side(attribute.h)}
        return {**size, "duration_s": max(0.0, float(attribute.duration))}
    if isinstance(attribute, types.DocumentAttributeAudio):
        title = " – ".join(part for part in (attribute.performer, attribute.title) if part)
        wave = waveform_of(attribute.waveform or b"")
        return {"duration_s": float(max(0, attribute.duration)), "title": _words(title), "waveform": wave}
    if isinstance(attribute, types.DocumentAttributeFilename):
        return {"file_name": _words(attribute.file_name)}
    if isinstance(attribute, _STICKERS):
        known = attribute.stickerset
        name = known.short_name if isinstance(known, types.InputStickerSetShortName) else ""
        numbers = {"set_id": known.id, "set_hash": known.access_hash} if isinstance(known, _BY_NUMBER) else {}
        return {"emoji": _words(attribute.alt).strip(), "set_name": _words(name), **numbers}
    return {}


def waveform_of(packed: bytes) -> bytes:
    """Unpack the bars of a voice message: 5 bits each, the low ones first."""
    number = int.from_bytes(packed, "little")
    count = min(len(packed) * 8 // _WAVE_BITS, _MAX_WAVE)
    return bytes(number >> place * _WAVE_BITS & 0b11111 for place in range(count))


def _title(media: TLObject) -> str:
    if isinstance(media, types.MessageMediaContact):
        return _words(f"{media.first_name or ''} {media.last_name or ''}".strip() or media.phone_number)
    if isinstance(media, types.MessageMediaVenue | types.MessageMediaInvoice):
        return _words(media.title)
    if isinstance(media, types.MessageMediaGame):
        return _words(media.game.title)
    if isinstance(media, types.MessageMediaPoll):
        return _words(media.poll.question.text)
    if isinstance(media, types.MessageMediaToDo):
        return _words(media.todo.title.text)
    return ""


def _reaction_emoji(reaction: TLObject) -> str:
    if isinstance(reaction, types.ReactionPaid):
        return "⭐"
    return _words(reaction.emoticon) if isinstance(reaction, types.ReactionEmoji) else ""


def _side(pixels: int) -> int:
    return min(max(0, pixels), _MAX_SIDE)


def _words(foreign: object) -> str:
    return str(foreign or "")[:_MAX_WORDS]
