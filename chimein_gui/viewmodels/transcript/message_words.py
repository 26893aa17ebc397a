"""Messages in plain words, for places that show only text."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication

from chimein_gui.viewmodels.core.numbers import decimal_words

if TYPE_CHECKING:
    from collections.abc import Callable

    from chimein_gui.domain.messages import Message
    from chimein_gui.viewmodels.transcript.rows import TranscriptRow

translate = QCoreApplication.translate

_MEDIA = {
    "photo": QT_TRANSLATE_NOOP("MessageWords", "Photo"),
    "sticker": QT_TRANSLATE_NOOP("MessageWords", "Sticker"),
    "video": QT_TRANSLATE_NOOP("MessageWords", "Video"),
    "voice": QT_TRANSLATE_NOOP("MessageWords", "Voice message"),
    "audio": QT_TRANSLATE_NOOP("MessageWords", "Audio"),
    "document": QT_TRANSLATE_NOOP("MessageWords", "File"),
    "gif": QT_TRANSLATE_NOOP("MessageWords", "GIF"),
    "round video": QT_TRANSLATE_NOOP("MessageWords", "Video message"),
    "location": QT_TRANSLATE_NOOP("MessageWords", "Location"),
    "contact": QT_TRANSLATE_NOOP("MessageWords", "Contact"),
    "poll": QT_TRANSLATE_NOOP("MessageWords", "Poll"),
    "checklist": QT_TRANSLATE_NOOP("MessageWords", "Checklist"),
    "dice": QT_TRANSLATE_NOOP("MessageWords", "Dice"),
    "game": QT_TRANSLATE_NOOP("MessageWords", "Game"),
    "invoice": QT_TRANSLATE_NOOP("MessageWords", "Invoice"),
    "paid media": QT_TRANSLATE_NOOP("MessageWords", "Paid media"),
    "story": QT_TRANSLATE_NOOP("MessageWords", "Story"),
    "giveaway": QT_TRANSLATE_NOOP("MessageWords", "Giveaway"),
}
"""Translated one by one: rows ask for them with every paint."""

_SAYS_NOTHING = frozenset({"", "webpage"})
"""Kinds that have no word."""


def _known_media(kind: str) -> str | None:
    if kind in _SAYS_NOTHING:
        return ""
    word = _MEDIA.get(kind)
    return None if word is None else translate("MessageWords", str(word))


def media_words(kind: str) -> str:
    """Return the label of a kind of media, such as "Photo"; empty for none."""
    known = _known_media(kind)
    return (
        translate("MessageWords", "Something this version cannot show ({kind})").format(kind=kind)
        if known is None
        else known
    )


def preview_words(text: str, kind: str) -> str:
    """Return the newest message of a chat as one line, from its text and its kind of media."""
    known = _known_media(kind)
    media = translate("MessageWords", "Service message") if known is None else known
    return f"{media}: {text}" if media and text else text or media


def service_words(message: Message, shown: Callable[[str], str] = str) -> str:
    """Return the text of a service message, which Telegram itself wrote.

    Args:
        message: The service message.
        shown: Makes the name of its author safe to show.
    """
    kind, themself = message.media_kind, _concerns_its_author(message)
    words = {
        "chat_create": translate("MessageWords", "{who} created the group"),
        "chat_edit_title": translate("MessageWords", "{who} changed the name of the group"),
        "chat_edit_photo": translate("MessageWords", "{who} changed the photo of the group"),
        "chat_delete_photo": translate("MessageWords", "{who} removed the photo of the group"),
        "chat_add_user": translate("MessageWords", "{who} joined the group")
        if themself
        else translate("MessageWords", "{who} added someone to the group"),
        "chat_joined_by_link": translate("MessageWords", "{who} joined by a link"),
        "chat_delete_user": translate("MessageWords", "{who} left the group")
        if themself
        else translate("MessageWords", "{who} removed someone from the group"),
        "chat_migrate_to": translate("MessageWords", "The group became a supergroup"),
        "channel_migrate_from": translate("MessageWords", "It is a supergroup from here on"),
        "pin_message": translate("MessageWords", "{who} pinned a message"),
        "history_clear": translate("MessageWords", "The conversation was cleared"),
        "contact_sign_up": translate("MessageWords", "{who} joined Telegram"),
        "screenshot_taken": translate("MessageWords", "{who} took a screenshot"),
        "phone_call": translate("MessageWords", "Call"),
    }
    if kind not in words:
        name = kind.replace("_", " ")
        return (
            translate("MessageWords", "Service message: {kind}").format(kind=name)
            if name
            else translate("MessageWords", "Service message")
        )
    return words[kind].format(
        who=shown(message.sender_name) if message.sender_name else translate("MessageWords", "Someone")
    )


def _concerns_its_author(message: Message) -> bool:
    """Tell whether somebody joined or left by their own action."""
    try:
        action = json.loads(message.raw_json)["action"]
        concerned = action.get("users") or [action["user_id"]]
    except (ValueError, LookupError, TypeError, AttributeError):
        return False
    return concerned == [message.sender_id]


def message_words(message: Message) -> str:
    """Return the text of a message, or a label for its content; never empty."""
    if message.deleted:
        return translate("MessageWords", "Deleted message")
    if message.is_service:
        return message.text or service_words(message)
    media = media_words(message.media_kind)
    if media and message.text:
        return f"{media}: {message.text}"
    return message.text or media or translate("MessageWords", "Empty message")


def length_words(seconds: float) -> str:
    """Return the length of a recording, such as 0:12 or 1:02:05."""
    minutes, rest = divmod(max(0, round(seconds)), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def size_words(size: int) -> str:
    """Return the size of a file, such as 640 KB or 1.2 MB."""
    if size < 1000:
        return translate("MessageWords", "%n byte(s)", "", size)
    unit, value = ("KB", size / 1000) if size < 1_000_000 else ("MB", size / 1_000_000)
    return f"{decimal_words(value, 1 if value < 10 else 0)} {unit}"


def own_words(message: Message) -> str:
    """Return the text of a message for the clipboard; the stored text of a deleted one included."""
    if message.deleted and message.text:
        return message.text
    return message_words(message)


def time_words(row: TranscriptRow) -> str:
    """Return the time of a row, and whether its message was edited or deleted."""
    if row.message.deleted:
        return translate("MessageWords", "deleted {time}").format(time=row.clock)
    return (
        translate("MessageWords", "edited {time}").format(time=row.clock)
        if row.message.edited_at is not None
        else row.clock
    )
