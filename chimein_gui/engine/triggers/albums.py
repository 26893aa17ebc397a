"""Albums: Telegram sends them as several messages, each with an id; they are one message with parts.

Functions that take a transaction run on the writer thread or on the reader thread.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from chimein_gui.domain.ids import MessageId

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from chimein_gui.domain.messages import Message
    from chimein_gui.engine.ports import Transaction

_NEAR = 20
"""How many messages before and after a part are looked through; an album has ten parts, and others write meanwhile."""


def other_parts(tx: Transaction, message: Message) -> tuple[Message, ...]:
    """Return the other parts of a message's album that are stored, oldest first; none where it is no part of one."""
    if message.grouped_id is None:
        return ()
    key = message.key
    earlier = tx.messages.before(key.account_id, key.peer_id, before_id=key.message_id, limit=_NEAR)
    later = tx.transcripts.above(key.account_id, key.peer_id, above_id=key.message_id, limit=_NEAR)
    return tuple(one for one in (*earlier, *later) if one.grouped_id == message.grouped_id)


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
