"""Crash reports of earlier runs: found at the start, shown once, and kept in the log folder."""

from __future__ import annotations

import logging
import os
import re
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

_log = logging.getLogger(__name__)

OPEN = "crash-new.txt"
"""The file of the current run, or of the last one until the next start takes it over."""

KEPT = 5
MAX_BYTES = 200_000
"""Of one file. Exceptions may fill half of it; the other half is left for a fatal error."""

SHOWN_CHARS = 7_000
"""Characters of a report that the window shows: a quarter from its beginning, the rest from its end."""

ENDED = "the program ended by it"

_FATAL = re.compile(rb"^(Fatal Python error|Windows fatal exception): |^== .*: " + ENDED.encode() + rb"$", re.MULTILINE)
_NOTED = re.compile(rb"^== ", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class CrashReport:
    """The crash report of an earlier run.

    Attributes:
        path: The file.
        at: When it was last written, aware UTC.
        ended: The error ended the program; False where the program went on.
        text: The part that the window shows.
    """

    path: Path
    at: datetime
    ended: bool
    text: str


def take_over(folder: Path) -> CrashReport | None:
    """Rename the last run's file to a permanent name if it records an error, and remove it otherwise.

    Returns:
        The report; None where the last run ended normally or was killed, or where its file was already taken over.
    """
    path = folder / OPEN
    try:
        content = path.read_bytes()[:MAX_BYTES]
        has_ended = _FATAL.search(content) is not None
        if not has_ended and _NOTED.search(content) is None:
            path.unlink()
            return None
        at = datetime.fromtimestamp(path.stat().st_mtime, UTC)
        lasting = _free_name(folder, at)
        path.rename(lasting)
        _finish(lasting, at, len(content))
        for old in _reports(folder)[:-KEPT]:
            old.unlink()
    except FileNotFoundError:
        return None
    except OSError as error:
        _log.warning("What the last run left cannot be read: %s", error.strerror)
        return None
    _log.info("The last run left %s", lasting.name)
    return CrashReport(lasting, at, has_ended, _shown(content.decode("utf-8", "replace")))


def _shown(text: str) -> str:
    if len(text) <= SHOWN_CHARS:
        return text
    return f"{text[: SHOWN_CHARS // 4]}\n…\n{text[-3 * SHOWN_CHARS // 4 :]}"


def _finish(path: Path, at: datetime, size: int) -> None:
    """Cut a file to `size` bytes and append when it was last written: a fatal error records no time itself."""
    with suppress(OSError):
        os.truncate(path, size)
        with path.open("a", encoding="utf-8") as file:
            file.write(f"\nWritten last {stamp(at)}\n")


def _reports(folder: Path) -> list[Path]:
    """Return the reports that were taken over, oldest first."""
    return sorted(path for path in folder.glob("crash-2*.txt") if path.is_file())


def _free_name(folder: Path, at: datetime) -> Path:
    name = f"crash-{at:%Y%m%dT%H%M%SZ}"
    number = len(list(folder.glob(f"{name}*")))
    return folder / (f"{name}-{number}.txt" if number else f"{name}.txt")


def stamp(at: datetime) -> str:
    """Return a UTC time in the format of a report."""
    return f"{at:%Y-%m-%dT%H:%M:%SZ}"
