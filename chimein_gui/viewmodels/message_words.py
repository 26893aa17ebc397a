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


def message_words(message: Message) -> str:
    """Return the text of a message, or what stands for it."""
    if message.deleted:
        return _tr("Deleted message")
    media = media_words(message.media_kind)
    if media and message.text:
        return f"{media}: {message.text}"
    if message.is_service and not message.text:
        return _tr("Service message")
    return message.text or media or _tr("Empty message")
