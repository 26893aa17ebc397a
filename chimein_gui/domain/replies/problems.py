"""What of a model's reply was left out or changed: by name, with what belongs to it.

Nothing here is a sentence: the operator's words are made of it in the view models, those for the model in the repair
round. The values are what the database keeps, so none of them is ever changed.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class ReplyFault(StrEnum):
    """What is wrong with a reply, or was not done as it stands there; what `said` holds is named at each."""

    OTHER = "other"
    """What an earlier version wrote in its own words: the words."""

    # The grammar.
    UNKNOWN_TYPE = "unknown type"
    """The type that the model wrote."""
    NO_NUMBER = "no number"
    """What stands behind a type instead of the number of a message; the type."""
    WAIT_NEEDS_DELAY = "wait needs delay"
    STICKER_NEEDS_NAME = "sticker needs name"
    """It needs its set, too."""
    RETRIEVE_NEEDS_ADDRESS = "retrieve needs address"
    NO_PART = "no part"
    """A line that the block has no place for: the type of the block."""
    NO_PAGES = "no pages"
    """The model asks for web pages instead of answering."""

    # What the plan does not do as it stands there.
    MEMORY_CUT_OFF = "memory cut off"
    NOT_AVAILABLE = "not available"
    """The type of the block."""
    DIRECT_ONLY = "direct only"
    """The type of the block, which is for direct messages."""
    TOO_LONG = "too long"
    """`number` characters."""
    TOO_MANY_STEPS = "too many steps"
    """`number` of them were left out; how many a plan may have is said."""
    STICKER_UNKNOWN = "sticker unknown"
    """Its name; its set. It is sent as text."""
    STICKER_OFFLINE = "sticker offline"
    """Its name; its set. The account is not connected, so it is sent as text."""
    STICKER_NOT_FOUND_OUT = "sticker not found out"
    """Its name; its set; what Telegram said, or nothing where it did not answer. It is sent as text."""
    NO_MESSAGE = "no message"
    """It answers the message `number`, which is not in the chat."""

    # How the plan was made.
    HISTORY_INCOMPLETE = "history incomplete"
    """Older messages were still being fetched."""


@dataclass(frozen=True, slots=True)
class ReplyProblem:
    """Something of a reply that was left out or changed.

    Attributes:
        fault: What is wrong.
        line: Its line in the reply, from 1; 0 where it has none.
        number: What belongs to the fault, or 0.
        said: What the model or others wrote of it; foreign text, never a sentence of ours.
    """

    fault: ReplyFault
    line: int = 0
    number: int = 0
    said: tuple[str, ...] = ()
