"""Log files: JSON lines, rotated, five kept; a foreign line break cannot forge a record."""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from logging.handlers import RotatingFileHandler
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

MAX_BYTES = 2_000_000
KEPT_FILES = 5


Clean = Callable[[str], str]
"""Takes secrets out of a text."""


def _as_it_is(text: str) -> str:
    return text


class JsonLines(logging.Formatter):
    """One JSON object a record; line breaks inside are escaped by JSON itself."""

    def __init__(self, clean: Clean = _as_it_is) -> None:
        """Take note of what takes secrets out of a text."""
        super().__init__()
        self._clean = clean

    def format(self, record: logging.LogRecord) -> str:
        """Return the record as one line."""
        at = datetime.fromtimestamp(record.created, UTC)
        fields = {
            "at": at.isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "from": record.name,
            "text": self._clean(record.getMessage()),
        }
        if record.name.startswith("chimein_gui"):
            fields["form"] = str(record.msg)  # before anything was put into it: no name, no text, no secret
        if record.exc_info:
            fields["error"] = self._clean(self.formatException(record.exc_info))
        return json.dumps(fields, ensure_ascii=False)


class OneLine(logging.Formatter):
    """What a terminal shows: one line a record."""

    def __init__(self, clean: Clean = _as_it_is) -> None:
        """Take note of what takes secrets out of a text."""
        super().__init__()
        self._clean = clean

    def format(self, record: logging.LogRecord) -> str:
        """Return the record as one line, without foreign control characters."""
        text = self._clean(f"{record.levelname.lower()}: {record.name}: {record.getMessage()}")
        return "".join(char if char.isprintable() else " " for char in text)


class LogFile(RotatingFileHandler):
    """What can't be written is left out, and said once: as logging itself says it, it would repeat what was logged."""

    is_told = False

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: ARG002, N802 - logging's name and arguments
        """Say it in one line, without the record."""
        error = sys.exc_info()[1]
        if self.is_told or sys.stderr is None:
            return
        self.is_told = True
        sys.stderr.write(
            f"warning: the log is not complete: {getattr(error, 'strerror', None) or type(error).__name__}\n"
        )


def start_logging(directory: Path, clean: Clean = _as_it_is) -> None:
    """Log INFO and above to files in `directory`, warnings to the terminal; a full disk is no reason to stop.

    Args:
        directory: Made if need be.
        clean: Takes secrets out of every text, whoever writes it.
    """
    with suppress(OSError):  # the handler tells of it when it has something to write
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    root = logging.getLogger()
    root.setLevel(logging.INFO)
    file = LogFile(
        directory / "chimein.log", maxBytes=MAX_BYTES, backupCount=KEPT_FILES - 1, encoding="utf-8", delay=True
    )
    file.setFormatter(JsonLines(clean))
    root.addHandler(file)
    if sys.stderr is not None:
        terminal = logging.StreamHandler(sys.stderr)
        terminal.setLevel(logging.WARNING)
        terminal.setFormatter(OneLine(clean))
        root.addHandler(terminal)
    for noisy in ("telethon", "httpx2", "httpcore2", "google_genai", "watchfiles"):
        logging.getLogger(noisy).setLevel(logging.WARNING)


def stop_logging() -> None:
    """Flush and close the handlers that `start_logging` made."""
    root = logging.getLogger()
    for handler in root.handlers[:]:
        if isinstance(handler.formatter, (JsonLines, OneLine)):
            root.removeHandler(handler)
            with suppress(OSError):  # what is left in it finds no room either
                handler.close()
