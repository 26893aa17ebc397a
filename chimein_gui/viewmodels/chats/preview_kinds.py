"""What a chat's row may say of it, as data."""

from __future__ import annotations

from enum import StrEnum
from math import ceil
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from datetime import datetime

    from chimein_gui.domain.chats import Chat


def minutes_taken_over(chat: Chat, now: datetime) -> int:
    """Return for how many minutes the operator's takeover of a chat goes on; 0 without one."""
    until = chat.takeover_until
    return max(0, ceil((until - now).total_seconds() / 60)) if until is not None else 0


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
