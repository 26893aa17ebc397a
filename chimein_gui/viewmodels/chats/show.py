"""What the filter of the chats can be set to; apart from the filter, because the first paint shows it."""

from enum import StrEnum


class Show(StrEnum):
    """Which chats."""

    ALL = "all"
    NEEDS_YOU = "needs you"
    UNREAD = "unread"
