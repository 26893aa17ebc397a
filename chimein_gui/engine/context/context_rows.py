"""Stored messages as the rows that the choice of context works on."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from chimein_gui.engine.triggers.mentions import MENTION_NAME, names_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from chimein_gui.domain.chats import Chat
    from chimein_gui.domain.context import HistoryRow
    from chimein_gui.domain.messages import Message
    from chimein_gui.engine.ports import Transaction

TAG = "bot"
"""What the agent is called in rows, whatever its names are: to the weights a call is ``@bot``."""

_MENTION = "mention"
"""Kind of the entity that mentions somebody by user name."""


@dataclass(frozen=True, slots=True)
class SelfIdentity:
    """Who this account is in a chat: two agents in one group see the same people, each with another self.

    Attributes:
        key: What its rows have as sender.
        names: What it is called: its user names without ``@``, its aliases, and `TAG`.
        called: Finds its names in a text.
    """

    key: str
    names: tuple[str, ...]
    called: re.Pattern[str] | None


def self_identity(tx: Transaction, chat: Chat) -> SelfIdentity:
    """Return who the agent of a chat is in it."""
    names = names_of(tx, chat)
    called = tuple(filter(None, (*names.usernames, *names.aliases)))
    return SelfIdentity(str(int(names.account_id)), (*called, TAG), _finder(called))


@lru_cache(maxsize=64)
def _finder(names: tuple[str, ...]) -> re.Pattern[str] | None:
    """Return what finds names as whole words, the longest first, with the mark before and behind them."""
    if not names:
        return None
    ordered = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    return re.compile(rf"(?<!\w)@?(?:{ordered})(?!\w)\s?[,:，：]?", re.IGNORECASE)


def rows_of(messages: Iterable[Message], me: SelfIdentity) -> list[HistoryRow]:
    """Turn messages of one chat into rows, one each."""
    from chimein_gui.domain.context import HistoryRow

    return [
        HistoryRow(
            message_id=int(message.key.message_id),
            sent_at=message.sent_at.timestamp(),
            sender=me.key if message.out else _key_of(message),
            text=message.text if message.out or me.called is None else me.called.sub(f"@{TAG}", message.text),
            sender_name=message.sender_name,
            aliases=me.names if message.out else (),
            reply_to=None if message.reply_to_id is None else int(message.reply_to_id),
            thread_id=message.thread_id,
            is_bot=message.is_bot,
            is_service=message.is_service,
            out=message.out,
            media_kind="" if message.is_service else message.media_kind,
            edited=message.edited_at is not None,
            deleted=message.deleted,
            forwarded=message.forward is not None,
            mentions=_mentions(message) if message.entities else (),
        )
        for message in messages
    ]


def _key_of(message: Message) -> str:
    """Return the user id; whoever writes without one, as an anonymous admin, is known by name only."""
    return f"name {message.sender_name}" if message.sender_id is None else str(int(message.sender_id))


def _mentions(message: Message) -> tuple[str, ...]:
    """Return whom a text mentions: user ids, or user names without ``@``."""
    found = []
    units = message.text.encode("utf-16-le", "surrogatepass")
    for entity in message.entities:
        if entity.kind == MENTION_NAME and entity.argument:
            found.append(entity.argument)
        elif entity.kind == _MENTION:
            piece = units[2 * entity.offset : 2 * (entity.offset + entity.length)]
            found.append(piece.decode("utf-16-le", "replace").lstrip("@"))
    return tuple(name for name in found if name)
