"""What a line of the log is about, and the newest lines of this run, for the Log pane."""

from __future__ import annotations

import json
import logging
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from contextvars import Token
    from pathlib import Path

MOST_LINES = 10_000
"""Lines that are kept while nobody takes them."""

MOST_EARLIER_BYTES = 600_000
"""Bytes of a log file that are read back: some 3,000 lines."""

CLEANED = "cleaned_text"
"""Attribute of a record: its text without secrets, which the first formatter has made."""

FROM_OUTSIDE = {"is_from_outside": True}
"""Passed as `extra` with warnings of what Telegram, the model's service or a key did: the program itself works."""

_OURS = "chimein_gui."
_SAME_PART = {"gemini": "llm"}
_LAYERS = frozenset({"adapters", "engine", "sandbox", "reporting", "viewmodels", "ui", "domain"})


@dataclass(frozen=True, slots=True)
class About:
    """What the running code works on; None for what is not known. Ids are row numbers of this store.

    Attributes:
        agent_id: The agent.
        chat_id: The conversation.
        graph_id: The plan.
        task_id: The step that asks for a plan: it is there before the plan is, and one plan at most comes of it.
    """

    agent_id: int | None = None
    chat_id: int | None = None
    graph_id: int | None = None
    task_id: int | None = None

    def known(self) -> dict[str, int]:
        """Return what is known, by name."""
        return {name: value for name in self.__slots__ if (value := getattr(self, name)) is not None}


NOBODY = About()

_about: ContextVar[About] = ContextVar("log_about", default=NOBODY)


class about:  # noqa: N801 - used like a function, as `contextlib.suppress`
    """Says for every record in a block, and in the jobs begun in it, what it is about; None keeps what is known.

    It is no generator: a message passes seven of these blocks, and a generator takes three times as many calls.
    """

    __slots__ = ("_inside", "_token")

    def __init__(
        self,
        *,
        agent_id: int | None = None,
        chat_id: int | None = None,
        graph_id: int | None = None,
        task_id: int | None = None,
    ) -> None:
        """Take what is known here; the block follows at once."""
        known = _about.get()
        agent_id = known.agent_id if agent_id is None else agent_id
        chat_id = known.chat_id if chat_id is None else chat_id
        graph_id = known.graph_id if graph_id is None else graph_id
        task_id = known.task_id if task_id is None else task_id
        is_new = agent_id != known.agent_id or chat_id != known.chat_id
        if is_new or graph_id != known.graph_id or task_id != known.task_id:
            known = About(agent_id, chat_id, graph_id, task_id)
        self._inside = known

    def __enter__(self) -> None:
        self._token: Token[About] = _about.set(self._inside)

    def __exit__(self, *_error: object) -> None:
        _about.reset(self._token)


def about_now() -> About:
    """Return what the running code works on."""
    return _about.get()


@dataclass(frozen=True, slots=True)
class LogLine:
    """One record, without secrets.

    Attributes:
        at: Seconds since 1970.
        level: A level of `logging`.
        source: Name of the logger.
        text: The message.
        error: The traceback; empty if there is none.
        about: What it is about.
    """

    at: float
    level: int
    source: str
    text: str
    error: str = ""
    about: About = field(default=NOBODY)

    @property
    def part(self) -> str:
        """The part of the program that wrote it: planning, telegram, store; of a library its name."""
        return _part_of(self.source)


@lru_cache(maxsize=1024)
def _part_of(source: str) -> str:
    steps = source.removeprefix(_OURS).split(".")
    return part_named(steps[1] if len(steps) > 1 and steps[0] in _LAYERS else steps[0])


def part_named(name: str) -> str:
    """Return the part that is meant by a name: a vendor's name stands for the part that it serves."""
    return _SAME_PART.get(name, name)


class RecentLines(logging.Handler):
    """Keeps the newest records as lines; any thread may write, and one reader takes them."""

    def __init__(self, clean: Callable[[str], str], most: int = MOST_LINES) -> None:
        """Keep nothing yet.

        Args:
            clean: Removes secrets from a text.
            most: Lines kept; the oldest are dropped.
        """
        super().__init__()
        self._clean = clean
        self._lines: deque[LogLine] = deque(maxlen=most)

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a record; one that can't be formatted is left out, for the log file reports it."""
        with suppress(TypeError, ValueError):
            self._lines.append(self._line_of(record))

    def take(self, most: int) -> list[LogLine]:
        """Remove and return the oldest lines, at most so many."""
        taken: list[LogLine] = []
        with suppress(IndexError):
            while len(taken) < most:
                taken.append(self._lines.popleft())
        return taken

    def put_back(self, lines: list[LogLine]) -> None:
        """Keep lines again that nobody shows any more, before those that came later."""
        room = (self._lines.maxlen or 0) - len(self._lines)
        self._lines.extendleft(reversed(lines[max(0, len(lines) - room) :] if room > 0 else []))

    def _line_of(self, record: logging.LogRecord) -> LogLine:
        text = getattr(record, CLEANED, None)
        if not isinstance(text, str):
            text = self._clean(record.getMessage())
        error = ""
        if record.exc_info and record.exc_info[0] is not None:
            error = self._clean(record.exc_text or logging.Formatter().formatException(record.exc_info))
        return LogLine(record.created, record.levelno, record.name, text, error, about_now())


def recent_lines() -> RecentLines | None:
    """Return the lines of this run; None if nothing is logged to files."""
    return next((one for one in logging.getLogger().handlers if isinstance(one, RecentLines)), None)


def earlier_lines(path: Path, before: float) -> list[LogLine]:
    """Return the last lines of a log file that are older than a moment, oldest first; blocks while it reads.

    A file that can't be read has none.

    Args:
        path: A file of JSON lines.
        before: Seconds since 1970.
    """
    try:
        with path.open("rb") as file:
            file.seek(0, 2)
            size = file.tell()
            file.seek(max(0, size - MOST_EARLIER_BYTES))
            content = file.read()
    except OSError:
        return []
    raw = content.split(b"\n")[1 if size > MOST_EARLIER_BYTES else 0 :]
    lines = (_read(one) for one in raw if one)
    first = int(before * 1000) / 1000  # the file has whole milliseconds: the line of that moment stands there earlier
    return [line for line in lines if line is not None and line.at < first]


def _read(raw: bytes) -> LogLine | None:
    """Return a line of the file; None for one that is damaged."""
    try:
        one = json.loads(raw)
        at = datetime.fromisoformat(one["at"]).timestamp()
        level = logging.getLevelNamesMapping().get(str(one["level"]), logging.INFO)
        kept = one.get("about")
        known = {name: value for name, value in kept.items() if name in About.__slots__} if kept else {}
        return LogLine(at, level, str(one["from"]), str(one["text"]), str(one.get("error", "")), About(**known))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
