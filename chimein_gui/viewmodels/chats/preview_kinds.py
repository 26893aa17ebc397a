"""What a chat's row may say of it, as data."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class NewsKind(StrEnum):
    """What is special about a chat, the most urgent first."""

    FAILED = "failed"
    UNKNOWN = "unknown"
    COUNTDOWN = "countdown"
    PLANNED = "planned"
    LEAVING = "leaving"
    SENDING = "sending"
    TAKEN_OVER = "taken over"
    PROBLEM = "problem"
    NOTED = "noted"
    TYPING = "typing"
    PLANNING = "planning"
    UNSENT = "unsent"
    WATCHED = "watched"
    MESSAGE = "message"


class ChatPreview(NamedTuple):
    """One line.

    Attributes:
        kind: What it is.
        words: What is special, in our words; empty for an ordinary message.
        text: Foreign text after it; may be empty.
    """

    kind: NewsKind
    words: str
    text: str = ""
