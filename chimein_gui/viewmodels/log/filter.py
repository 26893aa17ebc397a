"""The filter of the Log pane, and how it is typed."""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from chimein_gui.reporting.log_lines import LogLine

LEVELS = (logging.DEBUG, logging.INFO, logging.WARNING, logging.ERROR)
"""Lowest level of each choice: everything, information, warnings, errors."""

_LEVEL_NAMES = {
    "all": logging.DEBUG,
    "debug": logging.DEBUG,
    "info": logging.INFO,
    "warn": logging.WARNING,
    "warning": logging.WARNING,
    "error": logging.ERROR,
}


@dataclass(frozen=True, slots=True)
class LogFilter:
    """Which lines are shown.

    Attributes:
        words: Each has to be in the line; lower case.
        level: Lowest level.
        part: Part of the program; empty for all.
        agent_id: Agent; None for all.
        chat_id: Chat; None for all.
        graph_id: Plan; None for all.
    """

    words: tuple[str, ...] = ()
    level: int = logging.DEBUG
    part: str = ""
    agent_id: int | None = None
    chat_id: int | None = None
    graph_id: int | None = None

    @property
    def is_open(self) -> bool:
        """Whether every line is shown."""
        return self == LogFilter()

    def takes(self, line: LogLine, agent_of: Callable[[LogLine], int | None]) -> bool:
        """Return whether a line is shown; `agent_of` tells its agent."""
        if line.level < self.level or (self.part and line.part != self.part):
            return False
        if self.agent_id is not None and agent_of(line) != self.agent_id:
            return False
        if self.chat_id is not None and line.about.chat_id != self.chat_id:
            return False
        if self.graph_id is not None and line.about.graph_id != self.graph_id:
            return False
        if not self.words:
            return True
        text = f"{line.text} {line.source} {line.error}".lower()
        return all(word in text for word in self.words)


def typed(
    base: LogFilter, text: str, agent_named: Callable[[str], int | None], chat_named: Callable[[str], int | None]
) -> LogFilter:
    """Return a filter with what was typed: words, and `level:error`, `part:web`, `agent:Viktor`, `plan:312`.

    A chat has a name or a number: `chat:Marta`, `chat:7`.

    An unknown name or number leaves nothing over, as an unknown word does.

    Args:
        base: What was chosen beside the field.
        text: What was typed.
        agent_named: Returns the agent whose name begins with a text in lower case; None if there is none.
        chat_named: The same for the name of a chat.
    """
    words: list[str] = []
    for piece in text.lower().split():
        key, colon, value = piece.partition(":")
        level = _LEVEL_NAMES.get(value)
        if not colon or not value:
            words.append(piece)
        elif key == "level" and level is not None:
            base = replace(base, level=max(base.level, level))
        elif key == "part":
            base = replace(base, part=value)
        elif key == "agent":
            found = agent_named(value)
            base = replace(base, agent_id=-1 if found is None else found)
        elif key == "chat":
            chat_id = chat_named(value) if _number(value) is None else _number(value)
            base = replace(base, chat_id=-1 if chat_id is None else chat_id)
        elif key == "plan":
            graph_id = _number(value)
            base = replace(base, graph_id=-1 if graph_id is None else graph_id)
        else:
            words.append(piece)
    return replace(base, words=tuple(words))


def _number(value: str) -> int | None:
    return int(value) if value.isdecimal() and len(value) < 19 else None
