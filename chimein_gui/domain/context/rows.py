"""Input and output of the context selection."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

HISTORY = 300
"""Number of messages before a trigger that are candidates."""

SCRATCH = 100
"""Number of newest rows whose links are computed if nothing was prepared; older rows can still be linked to."""

MAX_TEXT = 2_000
"""Longest part of a text that is examined, in characters."""


@dataclass(frozen=True, slots=True)
class HistoryRow:
    """One message of a chat, with the fields that the selection needs.

    Attributes:
        message_id: Unique in the chat.
        sent_at: Unix seconds.
        sender: Stable key of the author, such as the user id as text; never a display name if an id is known.
        text: Foreign text, or the caption; empty for media alone.
        sender_name: Display name at the time, foreign text.
        aliases: Other names of the sender: username without ``@``, first name, the agent's aliases.
        reply_to: The message it answers, or None; may be unknown or gone.
        thread_id: Topic of a forum, or None.
        is_bot: The sender is a bot.
        is_service: A service message (joined, pinned …).
        out: This account sent it.
        media_kind: ``photo``, ``sticker`` …, or empty.
        edited: It was edited.
        deleted: Telegram reported its deletion.
        forwarded: It was forwarded from elsewhere.
        mentions: Sender keys or names in its entities, without ``@``.
    """

    message_id: int
    sent_at: float
    sender: str
    text: str
    sender_name: str = ""
    aliases: tuple[str, ...] = ()
    reply_to: int | None = None
    thread_id: int | None = None
    is_bot: bool = False
    is_service: bool = False
    out: bool = False
    media_kind: str = ""
    edited: bool = False
    deleted: bool = False
    forwarded: bool = False
    mentions: tuple[str, ...] = ()


class Reason(StrEnum):
    """Why a message was chosen or not, for the trace."""

    PINNED_IN = "pinned in"
    PINNED_OUT = "pinned out"
    INCLUDED_ONCE = "included once"
    ANCHOR = "anchor"
    REPLY_CHAIN = "reply chain"
    LINK = "link"
    SAME_SESSION = "same session"
    OTHER_THREAD = "other conversation"
    OTHER_SESSION = "other session"
    OTHER_TOPIC = "other topic"
    BEYOND_LOOKBACK = "beyond look-back"
    GONE = "deleted or service"


class Choice(NamedTuple):
    """The selection's result for one message.

    Attributes:
        message_id: The message.
        included: The prompt contains it.
        probability: Probability that it belongs to the trigger's conversation, 0 to 1; 1 for the anchor and its chain.
        reason: Why.
    """

    message_id: int
    included: bool
    probability: float
    reason: Reason


_STRONGEST_FIRST = tuple(Reason)


def union(choices: Iterable[Sequence[Choice]]) -> tuple[Choice, ...]:
    """Join the choices of several unanswered triggers: a message is included if it is for one of them.

    Args:
        choices: Results of `select_context`, one per trigger; they may cover different rows of one chat.

    Returns:
        One choice per message, ordered by message id, with the highest probability and the strongest reason.
    """
    best: dict[int, Choice] = {}
    for choice in (one for several in choices for one in several):
        old = best.get(choice.message_id)
        if old is None:
            best[choice.message_id] = choice
            continue
        probability = max(old.probability, choice.probability)
        best[choice.message_id] = min(old, choice, key=_rank)._replace(probability=probability)
    return tuple(best[message_id] for message_id in sorted(best))


def _rank(choice: Choice) -> tuple[bool, int, float]:
    return not choice.included, _STRONGEST_FIRST.index(choice.reason), -choice.probability
