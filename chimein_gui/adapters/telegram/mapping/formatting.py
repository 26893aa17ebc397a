"""Maps our formatting to Telethon's; `messages.entities_of` is the inverse."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from chimein_gui.adapters.telegram.transport.tl import TLObject, types
from chimein_gui.domain.messages import TextEntity

_Make = Callable[[TextEntity], TLObject]


def _plain(kind: type[TLObject]) -> _Make:
    return lambda entity: kind(entity.offset, entity.length)


_KINDS: dict[str, _Make] = {
    "bold": _plain(types.MessageEntityBold),
    "italic": _plain(types.MessageEntityItalic),
    "underline": _plain(types.MessageEntityUnderline),
    "strike": _plain(types.MessageEntityStrike),
    "spoiler": _plain(types.MessageEntitySpoiler),
    "code": _plain(types.MessageEntityCode),
    "blockquote": _plain(types.MessageEntityBlockquote),
    "pre": lambda entity: types.MessageEntityPre(entity.offset, entity.length, entity.argument),
    "text_url": lambda entity: types.MessageEntityTextUrl(entity.offset, entity.length, entity.argument),
}
"""Formatting that a sender can set; Telegram itself finds links, mentions and the like in the text."""


def raw_entities(entities: Sequence[TextEntity]) -> list[TLObject] | None:
    """Map formatting for a request.

    Args:
        entities: In UTF-16 units; kinds that a sender can't set are left out.

    Returns:
        The entities for a request; None for none.
    """
    said = [_KINDS[entity.kind](entity) for entity in entities if entity.kind in _KINDS and entity.length > 0]
    return said or None
