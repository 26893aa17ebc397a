"""Makes the parts of a bubble from a row, from the top."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from chimein_gui.ui.messages.files import FilePart
from chimein_gui.ui.messages.parts import MorePart, NamePart, Part, QuotePart, ReactionsPart, TextPart
from chimein_gui.ui.messages.pictures import PicturesPart, StickerPart
from chimein_gui.ui.messages.setting import Quote, Setting
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.theme import marks
from chimein_gui.viewmodels.transcript.message_words import message_words
from chimein_gui.viewmodels.transcript.rows import Parent, TranscriptRow

if TYPE_CHECKING:
    from chimein_gui.domain.messages import Message
    from chimein_gui.ui.widgets.theme.theme import Theme
    from chimein_gui.viewmodels.media.pictures import Pictures

PICTURES = frozenset({"photo", "video", "gif", "round video"})
"""Media kinds that are shown as a picture."""

_BLEED = 16.0
_LEAST_CAPTION = 180.0

translate = QCoreApplication.translate


def parts_of(theme: Theme, row: TranscriptRow, setting: Setting, limit: float, pictures: Pictures | None) -> list[Part]:
    """Return the parts of a bubble whose contents are at most `limit` px wide."""
    message = row.message
    parts: list[Part] = [*_head(theme, row, setting)]
    shown = [one for one in row.messages if one.media_kind in PICTURES and not one.deleted]
    if shown:
        made = PicturesPart(tuple(shown), pictures, limit + _BLEED, secrets=row.opened.secrets)
        parts.append(made)
        limit = min(limit, max(made.width - _BLEED, _LEAST_CAPTION))
    elif message.media_kind == "sticker" and not message.deleted:
        parts.append(StickerPart(message, pictures))
    else:
        parts.extend(_rows(theme, row, setting, limit))
    parts.extend(_words(theme, row, limit, has_media=len(parts) > 0))
    reactions = next((one.reactions for one in row.messages if one.reactions), ())
    if reactions:
        if isinstance(parts[-1], TextPart | FilePart):
            parts[-1].gap = 5.0
        parts.append(ReactionsPart(theme, reactions, limit))
    return parts


def _head(theme: Theme, row: TranscriptRow, setting: Setting) -> list[Part]:
    """Return the parts above the contents: sender, forward header, quote."""
    message, parts = row.message, list[Part]()
    if setting.is_group and not message.out and not row.continues:
        name = foreign_text.name(message.sender_name) or translate("BubbleContents", "Someone")
        parts.append(NamePart(theme, name, marks.person_text(theme, message.sender_name)))
    if message.forward is not None:
        who = foreign_text.name(message.forward.sender_name)
        words = (
            translate("BubbleContents", "Forwarded from {who}").format(who=foreign_text.isolated(who))
            if who
            else translate("BubbleContents", "Forwarded")
        )
        parts.append(NamePart(theme, words, theme.color("text2"), "forward"))
    quote = quote_of(theme, row, setting)
    if quote is not None:
        parts.append(QuotePart(theme, quote.who, quote.text, quote.color, can_jump=row.parent is not Parent.GONE))
    return parts


def _rows(theme: Theme, row: TranscriptRow, setting: Setting, limit: float) -> list[Part]:
    """Return a part for each file of a message or album."""
    files = [one for one in row.messages if one.media_kind and is_file(one) and not one.deleted]
    return [FilePart(theme, one, limit, fetching=setting.fetching) for one in files]


def is_file(message: Message) -> bool:
    """Tell whether the media of a message has a part of its own; a link preview has none."""
    return message.media_kind != "webpage" and not message.is_service


def _words(theme: Theme, row: TranscriptRow, limit: float, *, has_media: bool) -> list[Part]:
    speaking = next((one for one in row.messages if one.text), row.message)
    opened = row.opened
    if not speaking.text:
        if has_media and not row.message.deleted:
            return []
        stands_for_it = replace(speaking, text=message_words(speaking), entities=())
        return [TextPart(theme, stands_for_it, limit, secrets=True, whole=True, faint=True)]
    faint = row.message.deleted
    made = TextPart(theme, speaking, limit, secrets=opened.secrets, whole=opened.whole, faint=faint)
    return [made, MorePart(theme, translate("BubbleContents", "Show all"))] if made.folded else [made]


def quote_of(theme: Theme, row: TranscriptRow, setting: Setting) -> Quote | None:
    """Return the message that a row replies to, as far as it is known; None if it is no reply, or not known yet."""
    answered = row.reply_to
    if answered is None:
        if row.parent is Parent.GONE:
            return Quote("", translate("BubbleContents", "Deleted message"), theme.color("text2"))
        return (
            Quote("", translate("BubbleContents", "Earlier message"), theme.color("text2"))
            if row.parent is Parent.ASKED
            else None
        )
    who = row.own_name if answered.out else answered.sender_name
    color = theme.identity_text(setting.identity) if answered.out else marks.person_text(theme, answered.sender_name)
    return Quote(foreign_text.name(who), foreign_text.line(message_words(answered)), color)
