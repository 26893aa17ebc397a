"""Log files: JSON lines, rotated, five files kept. A line break in a message cannot forge a record."""

from __future__ import annotations

import json
import logging
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from datetime import UTC, datetime
from logging.handlers import RotatingFileHandler
from typing import TYPE_CHECKING

from chimein_gui.reporting.log_lines import CLEANED, FROM_OUTSIDE, RecentLines, about_now

if TYPE_CHECKING:
    from io import TextIOWrapper
    from pathlib import Path

MAX_BYTES = 2_000_000
KEPT_FILES = 5


Clean = Callable[[str], str]
"""Removes secrets from a text."""


def _as_it_is(text: str) -> str:
    return text


_encoded = json.JSONEncoder(ensure_ascii=False).encode


class JsonLines(logging.Formatter):
    """Formats each record as one JSON object on one line; JSON escapes line breaks."""

    def __init__(self, clean: Clean = _as_it_is) -> None:
        super().__init__()
        self._clean = clean

    def format(self, record: logging.LogRecord) -> str:
        """Return the record as one line."""
        at = datetime.fromtimestamp(record.created, UTC)
        text = self._clean(record.getMessage())
        setattr(record, CLEANED, text)  # the Log pane shows the same
        fields: dict[str, object] = {
            "at": at.isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "from": record.name,
            "text": text,
        }
        if known := about_now().known():
            fields["about"] = known
        if record.name.startswith("chimein_gui"):
            fields["form"] = str(record.msg)  # without its arguments: no names, no secrets
        if record.exc_info:
            fields["error"] = self._clean(self.formatException(record.exc_info))
        return _encoded(fields)


class OneLine(logging.Formatter):
    """Formats each record as one line for the terminal."""

    def __init__(self, clean: Clean = _as_it_is) -> None:
        super().__init__()
        self._clean = clean

    def format(self, record: logging.LogRecord) -> str:
        """Return the record as one line; unprintable characters become spaces."""
        text = self._clean(f"{record.levelname.lower()}: {record.name}: {record.getMessage()}")
        return "".join(char if char.isprintable() else " " for char in text)


class LogFile(RotatingFileHandler):
    """A rotating log file that reports only its first write error: logging's own report would repeat the message.

    It formats each record once, and knows how large the file is: logging's own formats it twice and asks the disk three
    times, while other threads wait.
    """

    is_reported = False
    size = 0
    """Bytes of the open file; any thread may read it, also while another one begins the next file."""

    def _open(self) -> TextIOWrapper:
        stream = super()._open()
        self.size = os.fstat(stream.fileno()).st_size
        return stream

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record as one line, into a new file if this one is full."""
        try:
            line = self.format(record) + self.terminator
            size = len(line.encode())
            if self.stream is None:
                self.stream = self._open()
            if self.size and 0 < self.maxBytes <= self.size + size:
                self.doRollover()
            if self.stream is None:  # as the delayed opening of logging's own leaves it
                self.stream = self._open()
            self.stream.write(line)
            self.flush()
            self.size += size
        except RecursionError:
            raise
        except Exception:  # noqa: BLE001 - as in logging's own: nothing that is logged may stop the program
            self.handleError(record)

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: ARG002, N802 - logging's name and arguments
        """Report the error in one line on standard error, without the record."""
        error = sys.exc_info()[1]
        if self.is_reported or sys.stderr is None:
            return
        self.is_reported = True
        sys.stderr.write(
            f"warning: the log is not complete: {getattr(error, 'strerror', None) or type(error).__name__}\n"
        )


def start_logging(directory: Path, clean: Clean = _as_it_is) -> None:
    """Log INFO and above to files in `directory`, and the program's own warnings to the terminal.

    What Telegram or a model's service did is told in the window. A full disk does not stop the program.

    Args:
        directory: Created if it does not exist.
        clean: Removes secrets from every text, library messages included.
    """
    with suppress(OSError):  # the handler reports it at its first write
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    root = logging.getLogger()
    root.setLevel(logging.INFO)
    file = LogFile(
        directory / "chimein.log", maxBytes=MAX_BYTES, backupCount=KEPT_FILES - 1, encoding="utf-8", delay=True
    )
    file.setFormatter(JsonLines(clean))
    root.addHandler(file)
    root.addHandler(RecentLines(clean))
    if sys.stderr is not None:
        terminal = logging.StreamHandler(sys.stderr)
        terminal.setLevel(logging.WARNING)
        terminal.addFilter(_is_own)
        terminal.setFormatter(OneLine(clean))
        root.addHandler(terminal)
    for noisy in ("telethon", "httpx2", "httpcore2", "google_genai", "watchfiles"):
        logging.getLogger(noisy).setLevel(logging.WARNING)


def _is_own(record: logging.LogRecord) -> bool:
    return not getattr(record, next(iter(FROM_OUTSIDE)), False)


def log_file() -> LogFile | None:
    """Return the log file of this run; None if nothing is logged to files."""
    return next((one for one in logging.getLogger().handlers if isinstance(one, LogFile)), None)


@contextmanager
def logs_closed() -> Iterator[None]:
    """Close the log file while its directory is changed; the next record opens it again."""
    files = [handler for handler in logging.getLogger().handlers if isinstance(handler, LogFile)]
    with ExitStack() as locks:
        for file in files:
            file.acquire()
            locks.callback(file.release)
            if file.stream is not None:
                file.stream.close()
                file.stream = None
        yield


def stop_logging() -> None:
    """Flush and close the handlers that `start_logging` made."""
    root = logging.getLogger()
    for handler in root.handlers[:]:
        if isinstance(handler.formatter, (JsonLines, OneLine)) or isinstance(handler, RecentLines):
            root.removeHandler(handler)
            with suppress(OSError):  # a full disk
                handler.close()
