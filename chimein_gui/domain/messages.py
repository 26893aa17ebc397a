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
    """The format of something that moves."""

    TGS = "tgs"
    WEBM = "webm"
    VIDEO = "video"
    """A video, or a silent one that Telegram calls GIF."""
    GIF = "gif"
    """A file in the format of that name."""


@dataclass(frozen=True, slots=True)
class Media:
    """What is known about a message's file before it is fetched; all of it is foreign.

    Attributes:
        file_id: Telegram's id of the photo or document, or None without a file (a location, a poll).
        mime_type: As the sender's app says; empty for photos.
        size: Bytes of the whole file; 0 if unknown.
        width: Pixels, of the largest size of a photo; 0 if unknown.
        height: Pixels; 0 if unknown.
        duration_s: Of video, voice and audio; 0 if unknown.
        file_name: As the sender named it, never used as a path.
        emoji: The emoji of a sticker; empty for other kinds.
        set_name: Short name of a sticker's set, if Telegram gives it; else empty.
        title: The title of audio, the name of a contact, the question of a poll, the name of a location; else empty.
        waveform: Bars of a voice message, 0 to 31 each; else empty.
        has_spoiler: The sender asked to hide it until it is clicked.
        set_id: Telegram's number of a sticker's set, if it gives that instead of the name; else 0.
        set_hash: With it, what this account must show to ask for the set.
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
    set_id: int = 0
    set_hash: int = 0


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
    """Origin of a forwarded message.

    Attributes:
        sender_name: Name of the first author, foreign text; empty if hidden.
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
    """Return for each part of an album the id under which the model knows it: that of the first part not deleted.

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
    """Return message numbers with each album named once, at the position of its last part."""
    named = [firsts.get(number, number) for number in numbers]
    return tuple(reversed(dict.fromkeys(reversed(named))))


def by_message(messages: Sequence[Message]) -> list[tuple[Message, ...]]:
    """Group the parts of each album at the place of its first part; any other message is a group of one part."""
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
    """A message found by a search over several chats, with its chat."""

    chat_id: ChatId
    message: Message


def same_words(one: str, other: str) -> bool:
    """Return whether two texts are the same message; servers strip blanks, control characters and direction marks."""
    if one.strip() == other.strip():
        return True
    seen = _NOT_SEEN.sub("", one)
    return bool(seen) and seen == _NOT_SEEN.sub("", other)


def utf16_length(text: str) -> int:
    """Count UTF-16 units, in which Telegram measures limits and entities."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


MAX_MESSAGE_UNITS = 4096
"""Longest text of one message, in UTF-16 units."""

LONGEST_TEXT = 10 * MAX_MESSAGE_UNITS
"""Longest text of one planned send, in characters, by any author; it is sent as several messages."""
