"""The kinds of a chat row's preview, as data."""

from __future__ import annotations

from enum import StrEnum
from math import ceil
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from datetime import datetime

    from chimein_gui.domain.chats import Chat


def minutes_taken_over(chat: Chat, now: datetime) -> int:
    """Return the minutes left of the operator's takeover of a chat; 0 without one."""
    until = chat.takeover_until
    return max(0, ceil((until - now).total_seconds() / 60)) if until is not None else 0


class NewsKind(StrEnum):
    """What a chat's preview reports, the most urgent first."""

    FAILED = "failed"
    UNKNOWN = "unknown"
    COUNTDOWN = "countdown"
    PLANNED = "planned"
    LEAVING = "leaving"
    SENDING = "sending"
    TAKEN_OVER = "taken over"
    PROBLEM = "problem"
    PAUSED = "paused"
    NOTED = "noted"
    TYPING = "typing"
    PLANNING = "planning"
    UNSENT = "unsent"
    WATCHED = "watched"
    MESSAGE = "message"


class ChatPreview(NamedTuple):
    """The preview line of a chat's row.

    Attributes:
        kind: What it reports.
        words: Our own words; empty for an ordinary message.
        text: Foreign text after them; may be empty.
    """

    kind: NewsKind
    words: str
    text: str = ""
