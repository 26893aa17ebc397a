"""Parts of a model's reply that were left out or changed: enums with parameters.

Nothing here is a sentence: the view models make the operator's words, the repair round those for the model. The
database keeps the values, so they must never be changed.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class ReplyFault(StrEnum):
    """What is wrong with a reply, or was not done as written; each says what `said` contains."""

    OTHER = "other"
    """A sentence that an earlier version stored."""

    # The grammar.
    UNKNOWN_TYPE = "unknown type"
    """The type that the model wrote."""
    NO_NUMBER = "no number"
    """The text behind a type instead of a message number; the type."""
    WAIT_NEEDS_DELAY = "wait needs delay"
    STICKER_NEEDS_NAME = "sticker needs name"
    """It needs its set, too."""
    RETRIEVE_NEEDS_ADDRESS = "retrieve needs address"
    NO_PART = "no part"
    """The type of the block that has a line it does not use."""
    NO_PAGES = "no pages"
    """The model requests web pages instead of answering."""

    # Parts that the plan does differently or not at all.
    MEMORY_CUT_OFF = "memory cut off"
    NOT_AVAILABLE = "not available"
    """The type of the block."""
    DIRECT_ONLY = "direct only"
    """The type of the block, which is for direct messages."""
    TOO_LONG = "too long"
    """`number` characters."""
    TOO_MANY_STEPS = "too many steps"
    """`number` of them were left out; `said` is the maximum of a plan."""
    STICKER_UNKNOWN = "sticker unknown"
    """Its name; its set. It is sent as text."""
    STICKER_OFFLINE = "sticker offline"
    """Its name; its set. The account is not connected, so it is sent as text."""
    STICKER_NOT_FOUND_OUT = "sticker not found out"
    """Its name; its set; Telegram's words, or nothing if it did not answer. It is sent as text."""
    NO_MESSAGE = "no message"
    """It answers the message `number`, which is not in the chat."""

    # Planning.
    HISTORY_INCOMPLETE = "history incomplete"
    """Older messages were still being fetched."""


@dataclass(frozen=True, slots=True)
class ReplyProblem:
    """A part of a reply that was left out or changed.

    Attributes:
        fault: What is wrong.
        line: Its line in the reply, from 1; 0 for none.
        number: Number that the fault uses, or 0.
        said: Words of the model or others; foreign text, never a sentence of ours.
    """

    fault: ReplyFault
    line: int = 0
    number: int = 0
    said: tuple[str, ...] = ()
