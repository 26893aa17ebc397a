"""What an earlier run has left to tell: it is found at the start, told once, and kept in the folder of the logs."""

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
"""The file of the run that is on, or of the last one, until the next start has told of it."""

KEPT = 5
MAX_BYTES = 200_000
"""Of one file; the other half of what a run may write of exceptions is left for a fault that stops everything."""

SHOWN_CHARS = 7_000
"""How much of a report the window shows: versions and what came first, then what came last."""

ENDED = "the program ended by it"

_FATAL = re.compile(rb"^(Fatal Python error|Windows fatal exception): |^== .*: " + ENDED.encode() + rb"$", re.MULTILINE)
_NOTED = re.compile(rb"^== ", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class CrashReport:
    """What an earlier run has left to tell.

    Attributes:
        path: The file.
        at: When it was written last, aware UTC.
        ended: The program ended by it; otherwise it went on.
        text: What the window shows of it.
    """

    path: Path
    at: datetime
    ended: bool
    text: str


def take_over(folder: Path) -> CrashReport | None:
    """Give the last run's file its lasting name if it has something to tell, and remove it otherwise.

    Returns:
        What it tells; None where the run before ended in order, was killed, or where this was done before.
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
    """Bound a file, and write down when it was written last: what stops everything has no time to tell the time."""
    with suppress(OSError):
        os.truncate(path, size)
        with path.open("a", encoding="utf-8") as file:
            file.write(f"\nWritten last {stamp(at)}\n")


def _reports(folder: Path) -> list[Path]:
    """Return the files that were told of, oldest first."""
    return sorted(path for path in folder.glob("crash-2*.txt") if path.is_file())


def _free_name(folder: Path, at: datetime) -> Path:
    name = f"crash-{at:%Y%m%dT%H%M%SZ}"
    number = len(list(folder.glob(f"{name}*")))
    return folder / (f"{name}-{number}.txt" if number else f"{name}.txt")


def stamp(at: datetime) -> str:
    """Return a time as it stands in a report."""
    return f"{at:%Y-%m-%dT%H:%M:%SZ}"
