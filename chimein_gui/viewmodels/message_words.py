"""A message in plain words, where there is nothing to draw but text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

if TYPE_CHECKING:
    from chimein_gui.domain.messages import Message


def _tr(text: str) -> str:
    return QCoreApplication.translate("MessageWords", text)


def media_words(kind: str) -> str:
    """Return what to call a kind of media, such as "Photo"."""
    words = {
        "photo": _tr("Photo"),
        "sticker": _tr("Sticker"),
        "video": _tr("Video"),
        "voice": _tr("Voice message"),
        "audio": _tr("Audio"),
        "document": _tr("File"),
        "gif": _tr("GIF"),
        "geo": _tr("Location"),
        "contact": _tr("Contact"),
        "poll": _tr("Poll"),
        "webpage": "",
    }
    return words.get(kind, _tr("Something this version cannot show ({kind})").format(kind=kind) if kind else "")


def service_words(message: Message) -> str:
    """Return what happened, for a message that Telegram itself wrote."""
    words = {
        "chat_create": _tr("{who} created the group"),
        "chat_edit_title": _tr("{who} changed the name of the group"),
        "chat_edit_photo": _tr("{who} changed the photo of the group"),
        "chat_delete_photo": _tr("{who} removed the photo of the group"),
        "chat_add_user": _tr("{who} brought somebody into the group"),
        "chat_joined_by_link": _tr("{who} joined by a link"),
        "chat_delete_user": _tr("{who} left, or somebody was removed by {who}"),
        "chat_migrate_to": _tr("The group became a supergroup"),
        "pin_message": _tr("{who} pinned a message"),
        "history_clear": _tr("The conversation was cleared"),
        "contact_sign_up": _tr("{who} is on Telegram now"),
        "screenshot_taken": _tr("{who} took a screenshot"),
        "phone_call": _tr("Call"),
    }
    known = words.get(message.media_kind)
    if known is None:
        kind = message.media_kind.replace("_", " ")
        return _tr("Service message: {kind}").format(kind=kind) if kind else _tr("Service message")
    return known.format(who=message.sender_name or _tr("Somebody"))


def message_words(message: Message) -> str:
    """Return the text of a message, or what stands for it."""
    if message.deleted:
        return _tr("Deleted message")
    if message.is_service:
        return message.text or service_words(message)
    media = media_words(message.media_kind)
    if media and message.text:
        return f"{media}: {message.text}"
    return message.text or media or _tr("Empty message")
