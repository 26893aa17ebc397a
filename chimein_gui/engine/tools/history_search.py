"""Queries of the tools in one chat: a message, the messages around one, messages by their words.

They read from the store, from this chat alone, up to the newest message at the beginning of the plan: later messages
belong to the next plan. Functions that take a transaction run on the reader thread.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chimein_gui.domain.context.lexicon import KIND_BITS
from chimein_gui.domain.context.rows import HistoryRow
from chimein_gui.domain.context.time_gap import session_around
from chimein_gui.domain.ids import MessageId
from chimein_gui.domain.messages import MessageKey

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import timedelta

    from chimein_gui.domain.ids import AccountId, PeerId
    from chimein_gui.domain.messages import Message
    from chimein_gui.engine.ports import MessageQuery, Store, Transaction

    _Page = tuple[tuple[Message, ...], MessageId | None]

PAGE = 4_000
"""Messages that are searched in one transaction, so that the reader thread is not blocked for long."""

MOST_PAGES = 5

MOST_WORDS = 8
"""Most words of a query that are searched for."""

_CANDIDATES = 100
_LOOKED_AT = 100
_WORTH = 0.4
"""Smallest score of a message that is shown, relative to the best one."""

_SHORT, _STEM = 2, 5
_RUN = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]+|[^\\W_]+"
)
_UNSPACED = "\u0e00"
"""Scripts from here on have no blanks between words, as far as `_RUN` distinguishes them."""


@dataclass(frozen=True, slots=True)
class ChatScope:
    """The part of a chat in which tools may search.

    Attributes:
        account_id: The account that sees the chat.
        peer_id: The chat.
        up_to: Newest message when the plan began.
        target: The message that is answered; never a result, because it shares the most words with the query.
    """

    account_id: AccountId
    peer_id: PeerId
    up_to: MessageId
    target: MessageId


def message_at(tx: Transaction, place: ChatScope, number: int) -> Message | None:
    """Return a message, or None if there is none that may be shown."""
    if number > place.up_to:
        return None
    found = tx.messages.get(MessageKey(place.account_id, place.peer_id, MessageId(number)))
    return found if found is not None and _is_shown(found) else None


def said_around(tx: Transaction, place: ChatScope, anchor: Message, gap: timedelta, limit: int) -> list[Message]:
    """Return the messages around an anchor without a long pause, oldest first, the anchor included.

    Args:
        tx: A reading transaction.
        place: The chat.
        anchor: The message; in a forum only its topic counts.
        gap: A longer pause ends the result.
        limit: Most messages; the nearest in time are preferred.
    """
    number = anchor.key.message_id
    earlier = tx.messages.before(place.account_id, place.peer_id, before_id=number, limit=_LOOKED_AT)
    later = tx.transcripts.above(place.account_id, place.peer_id, above_id=number, limit=_LOOKED_AT)
    near = {
        int(one.key.message_id): one
        for one in (*earlier, anchor, *later)
        if one.key.message_id <= place.up_to and _is_shown(one) and one.thread_id == anchor.thread_id
    }
    rows = [HistoryRow(at, one.sent_at.timestamp(), "", "") for at, one in near.items()]
    return [near[at] for at in session_around(rows, int(number), gap.total_seconds(), limit)]


async def search(store: Store, place: ChatScope, query: MessageQuery, limit: int) -> list[Message]:
    """Return the best matches, oldest first; common words count more the rarer they are.

    Pages are read from the newest, one transaction each, until enough messages contain every word, or all is read.
    """
    found: list[Message] = []
    below: MessageId | None = MessageId(place.up_to + 1)
    for _ in range(MOST_PAGES):
        page, below = await store.read(_reading(place, query, below))
        found += [one for one in page if one.key.message_id != place.target]
        if below is None or sum(_held(one, query.words) == len(query.words) for one in found) >= limit:
            break
    return sorted(_best(found, query.words, limit), key=lambda one: one.key.message_id)


def words_of(query: str) -> tuple[str, ...]:
    """Return the search terms of a query, in any script.

    Small words such as "the" are dropped unless there are no others. Long words are cut, so that other forms of them
    match. Scripts without blanks are searched by pairs of characters.
    """
    runs = _RUN.findall(query.casefold())
    words = [run for run in runs if run < _UNSPACED and len(run) > 1]
    telling = [word for word in words if word not in KIND_BITS and len(word) > _SHORT] or words
    pieces = [word[:_STEM] for word in telling]
    pieces += [run[at : at + 2] for run in runs if run >= _UNSPACED for at in range(max(1, len(run) - 1))]
    longest_first = sorted(dict.fromkeys(pieces or runs), key=len, reverse=True)
    return tuple(longest_first[:MOST_WORDS])


def _reading(place: ChatScope, query: MessageQuery, below: MessageId | None) -> Callable[[Transaction], _Page]:
    def read(tx: Transaction) -> _Page:
        return tx.transcripts.resembling(
            place.account_id, place.peer_id, query, below_id=below, among=PAGE, limit=_CANDIDATES
        )

    return read


def _held(message: Message, words: Sequence[str]) -> int:
    folded = message.text.casefold()
    return sum(word in folded for word in words)


def _best(found: Sequence[Message], words: Sequence[str], limit: int) -> list[Message]:
    """Rank by common words, each weighted by how rare it is among the results; newer messages first."""
    if not words:
        return sorted(found, key=lambda one: -one.key.message_id)[:limit]
    folded = [one.text.casefold() for one in found]
    rarity = {word: math.log((len(folded) + 2) / (sum(word in text for text in folded) + 1)) + 0.1 for word in words}
    scored = [
        (sum(weight for word, weight in rarity.items() if word in text), one.key.message_id, one)
        for text, one in zip(folded, found, strict=True)
    ]
    scored.sort(key=lambda one: one[:2], reverse=True)
    return [one for score, _, one in scored[:limit] if score > 0 and score >= _WORTH * scored[0][0]]


def _is_shown(message: Message) -> bool:
    return not message.deleted and not message.is_service
