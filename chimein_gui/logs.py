"""Log files: JSON lines, rotated, five kept; a foreign line break cannot forge a record (SPEC §10, §12)."""

from __future__ import annotations

import json
import logging
import sys
from datetime import UTC, datetime
from logging.handlers import RotatingFileHandler
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

MAX_BYTES = 2_000_000
KEPT_FILES = 5


class JsonLines(logging.Formatter):
    """One JSON object a record; line breaks inside are escaped by JSON itself."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the record as one line."""
        at = datetime.fromtimestamp(record.created, UTC)
        fields = {
            "at": at.isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "from": record.name,
            "text": record.getMessage(),
        }
        if record.exc_info:
            fields["error"] = self.formatException(record.exc_info)
        return json.dumps(fields, ensure_ascii=False)


class OneLine(logging.Formatter):
    """What a terminal shows: one line a record."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the record as one line, without foreign control characters."""
        text = f"{record.levelname.lower()}: {record.name}: {record.getMessage()}"
        return "".join(char if char.isprintable() else " " for char in text)


def start_logging(directory: Path) -> None:
    """Log INFO and above to files in `directory`, warnings to the terminal; a full disk is no reason to stop."""
    directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    root = logging.getLogger()
    root.setLevel(logging.INFO)
    file = RotatingFileHandler(
        directory / "chimein.log", maxBytes=MAX_BYTES, backupCount=KEPT_FILES - 1, encoding="utf-8", delay=True
    )
    file.setFormatter(JsonLines())
    root.addHandler(file)
    if sys.stderr is not None:
        terminal = logging.StreamHandler(sys.stderr)
        terminal.setLevel(logging.WARNING)
        terminal.setFormatter(OneLine())
        root.addHandler(terminal)
    for noisy in ("telethon", "httpx2", "httpcore2", "google_genai", "watchfiles"):
        logging.getLogger(noisy).setLevel(logging.WARNING)


def stop_logging() -> None:
    """Flush and close the handlers that `start_logging` made."""
    root = logging.getLogger()
    for handler in root.handlers[:]:
        if isinstance(handler.formatter, (JsonLines, OneLine)):
            root.removeHandler(handler)
            handler.close()
