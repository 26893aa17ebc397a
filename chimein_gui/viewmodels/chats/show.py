"""The settings of the chat filter; in a module of its own, because the first paint needs it."""

from enum import StrEnum


class Show(StrEnum):
    """Which chats are listed."""

    ALL = "all"
    NEEDS_YOU = "needs you"
    UNREAD = "unread"
