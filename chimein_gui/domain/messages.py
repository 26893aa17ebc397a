"""Messages as the store keeps them."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from chimein_gui.domain.ids import AccountId, ChatId, MessageId, PeerId, UserId

SERVICE_NOTIFICATIONS = UserId(777000)
"""Telegram's own service account: never triggers a plan."""


@dataclass(frozen=True, slots=True)
class TextEntity:
    """Formatting of a stretch of text.

    Attributes:
        kind: Telegram's name in snake case, such as ``bold`` or ``text_url``.
        offset: Start in UTF-16 units.
        length: Length in UTF-16 units.
        argument: The URL of a link, the language of a code block, the user id of a ``mention_name``; else empty.
    """

    kind: str
    offset: int
    length: int
    argument: str = ""


@dataclass(frozen=True, slots=True)
class MessageKey:
    """What makes a message unique."""

    account_id: AccountId
    peer_id: PeerId
    message_id: MessageId


class FrameKind(StrEnum):
    """What an animated sticker is made of."""

    TGS = "tgs"
    WEBM = "webm"


@dataclass(frozen=True, slots=True)
class Media:
    """What is known about the file of a message before it is fetched; all of it is foreign.

    Attributes:
        file_id: Telegram's id of the photo or document, or None where there is no file (a location, a poll).
        mime_type: As the sender's app says; empty for photos.
        size: Bytes of the whole file; 0 if unknown.
        width: Pixels, of the largest size of a photo; 0 if unknown.
        height: Pixels; 0 if unknown.
        duration_s: Of video, voice and audio; 0 if unknown.
        file_name: As the sender named it, never used as a path.
        emoji: What a sticker stands for; empty for other kinds.
        set_name: Short name of a sticker's set, where Telegram tells it; else empty.
        title: Of audio the title, of a contact the name, of a poll the question, of a location its name; else empty.
        waveform: Of a voice message 0 to 31 a bar; else empty.
        has_spoiler: The sender asked to hide it until it is clicked.
    """

    file_id: int | None = None
    mime_type: str = ""
    size: int = 0
    width: int = 0
    height: int = 0
    duration_s: float = 0.0
    file_name: str = ""
    emoji: str = ""
    set_name: str = ""
    title: str = ""
    waveform: bytes = b""
    has_spoiler: bool = False


@dataclass(frozen=True, slots=True)
class Reaction:
    """One kind of reaction to a message.

    Attributes:
        emoji: The emoji, or empty for a custom one.
        count: How many gave it.
        mine: This account is among them.
    """

    emoji: str
    count: int
    mine: bool = False


@dataclass(frozen=True, slots=True)
class Forward:
    """Where a forwarded message comes from.

    Attributes:
        sender_name: Who wrote it first, foreign text; empty if hidden altogether.
        sent_at: Aware UTC, of the original.
    """

    sender_name: str
    sent_at: datetime


@dataclass(frozen=True, slots=True)
class Message:
    """One message of one chat, as one account sees it.

    Attributes:
        key: Account, peer and message id.
        sender_id: Who wrote it; None for anonymous senders.
        sender_name: The name at the time, foreign text.
        out: True when this account sent it, from whatever device.
        sent_at: Aware UTC.
        text: Foreign text, untouched.
        entities: Formatting of `text`.
        reply_to_id: The message this one answers, in the same chat.
        thread_id: Topic of a forum, or None.
        is_bot: True when the sender is a bot.
        grouped_id: Album id, or None.
        media_kind: Compact name of the media (``photo``, ``sticker`` …), or empty.
        document_id: Telegram's id of its file (`StickerRef.document_id`), or None; not stored.
        is_service: True for service messages (joined, pinned …).
        edited_at: Aware UTC of the last edit, or None.
        deleted: True once Telegram said it is gone.
        raw_json: The raw object for kinds we do not know, else empty.
        is_automatic: True when it was scheduled, or made by a bot in the sender's name; not stored.
        media: What is known about its file, or None where it has no media.
        forward: Where it comes from, or None if it was written here.
        reactions: What people gave it, most frequent first.
        mentioned: Telegram marks it as naming or answering this account.
    """

    key: MessageKey
    sender_id: UserId | None
    sender_name: str
    out: bool
    sent_at: datetime
    text: str
    entities: tuple[TextEntity, ...] = ()
    reply_to_id: MessageId | None = None
    thread_id: int | None = None
    is_bot: bool = False
    grouped_id: int | None = None
    media_kind: str = ""
    is_service: bool = False
    edited_at: datetime | None = None
    deleted: bool = False
    raw_json: str = ""
    document_id: int | None = None
    is_automatic: bool = False
    media: Media | None = None
    forward: Forward | None = None
    reactions: tuple[Reaction, ...] = ()
    mentioned: bool = False


def first_parts(messages: Iterable[Message]) -> dict[MessageId, MessageId]:
    """Return, for the parts of albums, by which id the model knows each: that of the first part that is left.

    Args:
        messages: Of one chat, oldest first.
    """
    firsts: dict[int, MessageId] = {}
    known: dict[MessageId, MessageId] = {}
    for message in messages:
        if message.grouped_id is not None and not message.deleted:
            number = message.key.message_id
            known[number] = firsts.setdefault(message.grouped_id, number)
    return known


def as_messages(numbers: Iterable[MessageId], firsts: dict[MessageId, MessageId]) -> tuple[MessageId, ...]:
    """Name each album once, where its last part stood."""
    named = [firsts.get(number, number) for number in numbers]
    return tuple(reversed(dict.fromkeys(reversed(named))))


def by_message(messages: Sequence[Message]) -> list[tuple[Message, ...]]:
    """Put the parts of each album together, where its first part stands; anything else is a message of one part."""
    found: dict[tuple[str, int], list[Message]] = {}
    for message in messages:
        place = ("message", int(message.key.message_id))
        if message.grouped_id is not None:
            place = ("album", message.grouped_id)
        found.setdefault(place, []).append(message)
    return [tuple(parts) for parts in found.values()]


_NOT_SEEN = re.compile(
    "[\\s\\x00-\\x1f\\x7f-\\x9f\\u00ad\\u030a\\u0333\\u033f\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u2064\\ufeff]+"
)


@dataclass(frozen=True, slots=True)
class FoundMessage:
    """A message that a search of several chats found, and in which chat."""

    chat_id: ChatId
    message: Message


def same_words(one: str, other: str) -> bool:
    """Tell whether two texts are one message's: servers tidy blanks, control characters and marks of direction away."""
    if one.strip() == other.strip():
        return True
    seen = _NOT_SEEN.sub("", one)
    return bool(seen) and seen == _NOT_SEEN.sub("", other)


def utf16_length(text: str) -> int:
    """Count UTF-16 units, the measure of Telegram's limits and entities."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


MAX_MESSAGE_UNITS = 4096
"""Longest text of one message, in UTF-16 units."""

LONGEST_TEXT = 10 * MAX_MESSAGE_UNITS
"""Longest text of one planned send, in characters, whoever wrote it; it leaves as several messages."""
