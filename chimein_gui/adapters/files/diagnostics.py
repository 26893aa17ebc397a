"""The diagnostics zip. It contains only what is explicitly selected.

From logs and reports it takes only what Chimein itself produced: times, levels, the fixed texts of its records without
arguments, frames, kinds of exceptions. Content from outside is never included.
"""

from __future__ import annotations

import asyncio
import errno
import io
import json
import platform
import re
import zipfile
from collections.abc import Callable, Iterator, Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from chimein_gui import __version__
from chimein_gui.adapters.files.atomic import write_atomic
from chimein_gui.domain.errors import DiagnosticsError
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.faults import FaultReason

PACKAGES = (
    "PySide6-Essentials",
    "qasync",
    "telethon",
    "cryptg",
    "google-genai",
    "httpx2",
    "keyring",
    "numpy",
    "trafilatura",
)
MOST_LOG_BYTES = 2_000_000
"""Bytes of all logs together, newest first."""

_LARGEST = 400_000
"""Most bytes of one report."""

_LONGEST = 500
"""Most characters of a line that could be a frame."""

_WORD = re.compile(r"[\w.:+-]{1,80}")
_OURS = "chimein_gui"
_FRAME = re.compile(r'\s*File "(?:[^"\n]{0,300}\.py|<[\w .:-]{1,80}>)", line \d+(?:,? in [\w<>.]{1,120})?\s*')
_KIND = re.compile(r"\s*((?:\w+\.)*[A-Z]\w*(?:Error|Exception|Warning|Exit|Interrupt|Group))(?::.*)?")
_TELLS = re.compile(r"^(== |Fatal |Windows fatal )", re.MULTILINE)
_BETWEEN = (
    "Traceback (most recent call last):",
    "The above exception was the direct cause of the following exception:",
    "During handling of the above exception, another exception occurred:",
)

README = """Diagnostics of Chimein

In this file:
  versions.json   of Chimein, Python, its libraries and the system
  accounts.json   how each account is doing, under the id of its agent; of its number the last two digits
  settings.json   what is adjusted in Preferences
  counts.json     how many rows each table of the database has, by state
  logs/           what Chimein logged last: time, level, its own words without names and texts, frames of exceptions
  crashes/        reports of crashes: versions, times, frames and kinds of exceptions without their words

Not in it: keys, API id and hash, passwords, codes, sessions and proxies' addresses; names of agents, partners and
groups; whole phone numbers; messages, drafts, prompts, replies of the model, memories; files that were sent.
"""

Clean = Callable[[str], str]


class DiagnosticsZip:
    """Implements `engine.ports.DiagnosticsFile`."""

    def __init__(self, logs: Path, clean: Clean, count: Callable[[], Mapping[str, object]], qt: str = "") -> None:
        """Create the writer; nothing is read yet.

        Args:
            logs: The folder of logs and reports.
            clean: Removes known secrets from a text, as a second protection.
            count: Counts the rows of the database; may block.
            qt: Version of Qt, which this layer must not import.
        """
        self._logs, self._clean, self._count, self._qt = logs, clean, count, qt

    async def write(self, target: Path, facts: Mapping[str, object]) -> None:
        """Write the complete file, or nothing.

        Raises:
            DiagnosticsError: Its text says what to do.
        """
        await asyncio.to_thread(self._write, target, facts)

    def _write(self, target: Path, facts: Mapping[str, object]) -> None:
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as bundle:
            for name, text in self._entries(facts):
                bundle.writestr(name, self._cleaned(text))
        try:
            write_atomic(target, packed.getvalue())
        except OSError as error:
            raise DiagnosticsError(_failure_of(error)) from error

    def _cleaned(self, text: str) -> str:
        """Clean line by line, because one regular expression over all of it would hold the GIL for long."""
        return "\n".join(self._clean(line) for line in text.split("\n"))

    def _entries(self, facts: Mapping[str, object]) -> Iterator[tuple[str, str]]:
        yield "README.txt", README
        for name, content in {"versions": _versions(self._qt), "counts": self._count(), **facts}.items():
            yield f"{name}.json", json.dumps(content, indent=1, ensure_ascii=False) + "\n"
        left = MOST_LOG_BYTES
        for path in sorted(self._logs.glob("chimein.log*")):  # chimein.log, then .1 and so on: newest first
            text = _end_of(path, left)
            left -= len(text)
            yield f"logs/{path.name}", "".join(f"{line}\n" for line in log_lines(text))
        for path in sorted(self._logs.glob("crash-*.txt")):
            text = _end_of(path, _LARGEST)
            if _TELLS.search(text):  # that of the run that is on has nothing to tell as a rule
                yield f"crashes/{path.name}", report_lines(text)


def log_lines(text: str) -> Iterator[str]:
    """Return the parts of each record that are Chimein's own, as JSON lines; other lines are dropped."""
    for line in text.split("\n"):
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if not isinstance(record, dict):
            continue
        plain = {name: record[name] for name in ("at", "level", "from") if _is_word(record.get(name))}
        if str(plain.get("from", "")).startswith(_OURS) and isinstance(record.get("form"), str):
            plain["form"] = record["form"]
        if isinstance(record.get("error"), str):
            plain["error"] = frames_of(record["error"])
        yield json.dumps(plain, ensure_ascii=False)


def report_lines(text: str) -> str:
    """Return a report without the texts of exceptions, which are the indented lines."""
    kept = []
    for line in text.split("\n"):
        plain = frames_of(line) if line.startswith(" ") else line.replace(str(Path.home()), "~")
        if plain or not line:
            kept.append(plain)
    return "\n".join(kept)


def frames_of(trace: str) -> str:
    """Return the frames and exception kinds of a traceback, without texts and source lines."""
    kept = []
    for whole in trace.split("\n"):
        line = whole[:_LONGEST]
        if _FRAME.fullmatch(line) or line.strip() in _BETWEEN:
            kept.append(line.replace(str(Path.home()), "~"))
        elif found := _KIND.fullmatch(line):
            kept.append(found.group(1))
    return "\n".join(kept)


def _is_word(value: object) -> bool:
    return isinstance(value, str) and _WORD.fullmatch(value) is not None


def _end_of(path: Path, most: int) -> str:
    """Return the last bytes of a file, from the start of a line; empty if it can't be read."""
    try:
        with path.open("rb") as file:
            size = file.seek(0, io.SEEK_END)
            file.seek(max(0, size - most))
            content = file.read(most)
    except OSError:
        return ""
    if size > most:
        content = content.partition(b"\n")[2]
    return content.decode("utf-8", "replace")


def _versions(qt: str) -> dict[str, object]:
    packages = {}
    for name in PACKAGES:
        try:
            packages[name] = version(name)
        except PackageNotFoundError:
            packages[name] = ""
    return {
        "Chimein": __version__,
        "Python": platform.python_version(),
        "Qt": qt,
        "packages": packages,
        "system": platform.platform(),
    }


def _failure_of(error: OSError) -> Note:
    if error.errno in {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}:
        return Note(FaultReason.DIAGNOSTICS_FULL)
    return Note(FaultReason.DIAGNOSTICS_UNSAVED, str(error.strerror or error))
