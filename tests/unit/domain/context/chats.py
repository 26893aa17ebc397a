"""Small chats for the tests: lines of (seconds before the tag, sender, text, what it replies to)."""

from __future__ import annotations

from chimein_gui.domain.context import Choice, HistoryRow

NOW = 1_800_000_000.0
MINUTE, HOUR, DAY = 60.0, 3600.0, 86400.0
FIRST = 100
TAG = 900


def chat(*lines: tuple[float, str, str] | tuple[float, str, str, int]) -> list[HistoryRow]:
    """Rows with the ids 100, 101, …; the fourth of a line is the id it replies to."""
    return [
        HistoryRow(
            FIRST + number,
            NOW - line[0],
            line[1].lower(),
            line[2],
            line[1],
            reply_to=line[3] if len(line) > 3 else None,
        )
        for number, line in enumerate(lines)
    ]


def tag(sender: str, text: str = "@bot what do you think?", reply_to: int | None = None) -> HistoryRow:
    return HistoryRow(TAG, NOW, sender.lower(), text, sender, reply_to=reply_to)


def included(choices: tuple[Choice, ...]) -> list[int]:
    return [choice.message_id for choice in choices if choice.included]
