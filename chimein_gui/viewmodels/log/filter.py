"""The filter of the Log pane, and how it is typed."""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from chimein_gui.reporting.log_lines import part_named

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

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
        agent_id: Agent that is chosen; None for all.
        agent_ids: Agents that are typed; None for all.
        chat_ids: Chats; None for all.
        graph_id: Plan; None for all.
    """

    words: tuple[str, ...] = ()
    level: int = logging.DEBUG
    part: str = ""
    agent_id: int | None = None
    agent_ids: frozenset[int] | None = None
    chat_ids: frozenset[int] | None = None
    graph_id: int | None = None

    @property
    def is_open(self) -> bool:
        """Whether every line is shown."""
        return self == LogFilter()

    def takes(self, line: LogLine, agent_of: Callable[[LogLine], int | None]) -> bool:
        """Return whether a line is shown; `agent_of` tells its agent."""
        return line.level >= self.level and self.matches(line, agent_of)

    def matches(self, line: LogLine, agent_of: Callable[[LogLine], int | None]) -> bool:
        """Return whether a line would be shown if all levels were."""
        if self.part and line.part != self.part:
            return False
        if not self._takes_agent(line, agent_of):
            return False
        if self.chat_ids is not None and line.about.chat_id not in self.chat_ids:
            return False
        if self.graph_id is not None and line.about.graph_id != self.graph_id:
            return False
        if not self.words:
            return True
        text = f"{line.text} {line.source} {line.error}".lower()
        return all(word in text for word in self.words)

    def _takes_agent(self, line: LogLine, agent_of: Callable[[LogLine], int | None]) -> bool:
        if self.agent_id is None and self.agent_ids is None:
            return True
        agent_id = agent_of(line)
        if self.agent_id is not None and agent_id != self.agent_id:
            return False
        return self.agent_ids is None or agent_id in self.agent_ids


def typed(
    base: LogFilter,
    text: str,
    agents_named: Callable[[str], Iterable[int]],
    chats_named: Callable[[str], Iterable[int]],
) -> LogFilter:
    """Return a filter with what was typed: words, and `level:error`, `part:web`, `agent:Viktor`, `plan:312`.

    A chat has a name or a number: `chat:Marta`, `chat:7`; a number stands for exactly one. A name with blanks, or of
    digits, stands in quotation marks: `chat:"Marta Sand"`. A name stands for those who have it, or, if nobody has it,
    for all whose names begin so.

    An unknown name or number leaves nothing over, as an unknown word does.

    Args:
        base: What was chosen beside the field.
        text: What was typed.
        agents_named: Returns the agents that a text in lower case stands for.
        chats_named: Returns the chats that it stands for.
    """
    words: list[str] = []
    for piece, is_quoted in _pieces(text.lower()):
        key, colon, value = piece.partition(":")
        number = None if is_quoted else _number(value)
        level = _LEVEL_NAMES.get(value)
        if not colon or not value:
            words.append(piece)
        elif key == "level" and level is not None:
            base = replace(base, level=max(base.level, level))
        elif key == "part":
            base = replace(base, part=part_named(value))
        elif key == "agent":
            base = replace(base, agent_ids=frozenset(agents_named(value)))
        elif key == "chat":
            base = replace(base, chat_ids=frozenset(chats_named(value) if number is None else (number,)))
        elif key == "plan":
            base = replace(base, graph_id=-1 if number is None else number)
        else:
            words.append(piece)
    return replace(base, words=tuple(words))


def named(typed_name: str, names: Iterable[tuple[int, str]]) -> list[int]:
    """Return the ids of those who have a name; if nobody has it, of all whose names begin so.

    Args:
        typed_name: In lower case.
        names: Ids with names.
    """
    lower = [(one, name.lower()) for one, name in names]
    exact = [one for one, name in lower if name == typed_name]
    return exact or [one for one, name in lower if name.startswith(typed_name)]


def _pieces(text: str) -> Iterator[tuple[str, bool]]:
    """Yield what stands between blanks, and whether quotation marks behind its colon kept blanks together.

    Other quotation marks are searched for like letters.
    """
    piece, is_quoted, is_open = "", False, False
    for letter in text:
        if letter == '"' and (is_open or (piece.endswith(":") and not is_quoted)):
            is_quoted, is_open = True, not is_open
        elif letter.isspace() and not is_open:
            if piece:
                yield piece, is_quoted
            piece, is_quoted = "", False
        else:
            piece += letter
    if piece:
        yield piece.rstrip(), is_quoted


def _number(value: str) -> int | None:
    return int(value) if value.isdecimal() and len(value) < 19 else None
