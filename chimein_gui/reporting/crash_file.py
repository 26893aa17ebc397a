"""The crash file: one private file in the log folder that records fatal errors and uncaught exceptions.

It holds stack frames, versions, times and exception messages without secrets, never the values of variables.
The file stays open while the program runs, so that `faulthandler` can still write to it on a fatal error. A normal
exit removes a file without errors. After a kill or a power cut there is no error in it, and the next start removes it.
"""

from __future__ import annotations

import faulthandler
import logging
import os
import sys
import threading
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType

import PySide6
from PySide6.QtCore import QDateTime, QSysInfo, qVersion

from chimein_gui import __version__
from chimein_gui.reporting.crash_reports import ENDED, MAX_BYTES, OPEN, CrashReport, stamp, take_over
from chimein_gui.reporting.logs import start_logging, stop_logging
from chimein_gui.reporting.redaction import Redaction, without_numbers
from chimein_gui.runtime.state_lock import CannotStartError

_log = logging.getLogger(__name__)

MOST_NOTES = 12
"""Most places recorded in one run. Each place is recorded once, even if it fails with every paint."""

NOTE_CHARS = 8_000
LINE_CHARS = 300

WENT_ON = "nobody caught it, and the program went on"

_HEAD = "Chimein: what went wrong. Frames, versions and times; words of exceptions, the secrets taken out."

Hooks = tuple[
    Callable[[type[BaseException], BaseException, TracebackType | None], object],
    Callable[[threading.ExceptHookArgs], object],
    Callable[["sys.UnraisableHookArgs"], object],
]


class CrashFile:
    """The crash file of this run. Write errors are ignored: a full disk must not stop the program.

    Attributes:
        before: The report of the previous run; None where that run ended without an error.
        path: The file.
        redaction: Removes secrets from everything written here.
    """

    def __init__(self, folder: Path, redaction: Redaction) -> None:
        """Create the object; `open` creates the file.

        Args:
            folder: The log folder.
            redaction: May learn of more secrets while the program runs.
        """
        self.before: CrashReport | None = None
        self.path = folder / OPEN
        self.redaction = redaction
        self._lock = threading.RLock()  # reentrant: a collection while it is held may raise another error
        self._file = -1
        self._left = MAX_BYTES // 2
        self._noted: set[tuple[str, str, int]] = set()

    def open(self) -> None:
        """Take over the file of the previous run, create this run's file and enable `faulthandler`."""
        self.before = take_over(self.path.parent)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND
        try:
            self._file = os.open(self.path, flags, 0o600)
        except OSError as error:
            _log.warning("A crash of this run would leave no report: %s", error.strerror)
            _tell_terminal()
            return
        # Only the failing thread: the frames of others change while they are read, and that has cut off reports.
        faulthandler.enable(self._file, all_threads=False)
        system = f"{QSysInfo.prettyProductName()}, {QSysInfo.kernelType()} {QSysInfo.kernelVersion()}"
        self._write(
            f"{_HEAD}\n"
            f"Chimein {__version__}, process {os.getpid()}, started {_now()}\n"
            f"Python {sys.version.split()[0]}, Qt {qVersion()}, PySide6 {PySide6.__version__}\n"
            f"{system}, {QSysInfo.currentCpuArchitecture()}\n"
        )

    def name_libraries(self) -> None:
        """Record the versions of libraries that load after the first paint. Reads files: do not call it in the loop."""
        from importlib.metadata import PackageNotFoundError, version

        named = []
        for name, package in (("Telethon", "telethon"), ("google-genai", "google-genai"), ("qasync", "qasync")):
            with suppress(PackageNotFoundError):
                named.append(f"{name} {version(package)}")
        if named:  # a bundled program may have no package metadata
            self._write(f"{', '.join(named)}\n")

    def note(self, error: Exception, trace: TracebackType | None = None, *, has_ended: bool = False) -> None:
        """Record an uncaught exception: its frames, and its message without secrets. Never raises.

        Args:
            error: The exception.
            trace: Its traceback; None takes the one that the exception carries.
            has_ended: The exception ends the program.
        """
        with suppress(Exception):  # str(error) may raise, and reporting an error must not add one
            found = (type(error), error, trace or error.__traceback__)
            if self._is_old(_place_of(*found)) and not has_ended:
                return
            head = f"{type(error).__name__}: {ENDED if has_ended else WENT_ON}"
            description = self._described(*found)
            if self._write(f"\n== {_now()} {head}\n{description}\n"):
                _log.error("%s. See %s", head, self.path)
            else:
                _log.error("%s", head, exc_info=found)
            if sys.stderr is not None:  # the program may run in a terminal
                sys.stderr.write(f"{description}\n")

    def close(self, *, in_order: bool) -> None:
        """Close the file, and remove it where it holds no error."""
        if self._file < 0:
            return
        if in_order and self._noted:
            self._write(f"\nEnded in order {_now()}\n")
        file, self._file = self._file, -1
        faulthandler.disable()
        os.close(file)
        if not self._noted:
            with suppress(OSError):
                self.path.unlink()

    def _is_old(self, place: tuple[str, str, int]) -> bool:
        """Return whether this place was recorded before or the limit is reached; otherwise remember the place."""
        with self._lock:
            is_old = place in self._noted or len(self._noted) >= MOST_NOTES
            if not is_old:
                self._noted.add(place)
        return is_old

    def _described(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> str:
        description = traceback.TracebackException(kind, error, trace, capture_locals=False)
        text = without_numbers(self.redaction.clean("".join(description.format()))).replace(str(Path.home()), "~")
        lines = [line[:LINE_CHARS] for line in text.split("\n")]
        # Indented, so that a line break in a message cannot forge a heading of the report.
        lines = ["  " + "".join(char if char.isprintable() else " " for char in line) for line in lines]
        return _cut("\n".join(lines))

    def _write(self, text: str) -> bool:
        """Append a text. Returns False where it was not written: no file, no space left, or a write error."""
        data = text.encode("utf-8", "replace")
        with self._lock:
            if self._file < 0 or len(data) > self._left:
                return False
            self._left -= len(data)
            try:
                os.write(self._file, data)
            except OSError:
                return False
        return True


@contextmanager
def crashes_written(folder: Path, redaction: Redaction) -> Iterator[CrashFile]:
    """Record fatal errors and uncaught exceptions while the context lasts.

    An exception that ends the program is swallowed here: Python would print its message with the secrets in it.

    Args:
        folder: The log folder.
        redaction: Removes secrets from the report.
    """
    file, hooks, had_handler = CrashFile(folder, redaction), _hooks_now(), faulthandler.is_enabled()
    file.open()
    _use(_listening(file))
    in_order = True
    try:
        yield file
    except CannotStartError:
        raise  # not a crash; the caller prints its message
    except Exception as error:  # noqa: BLE001 - its message may hold secrets; the report has it without them
        in_order = False
        file.note(error, has_ended=True)
    finally:
        _use(hooks)
        file.close(in_order=in_order)
        if had_handler:
            _tell_terminal()


def _place_of(kind: type[BaseException], _error: BaseException, trace: TracebackType | None) -> tuple[str, str, int]:
    """Return what identifies an error: the exception's type, and the file and line that raised it."""
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    where = (trace.tb_frame.f_code.co_filename, trace.tb_lineno) if trace is not None else ("", 0)
    return (kind.__name__, *where)


def _cut(text: str) -> str:
    """Shorten a text to about `NOTE_CHARS` characters: its beginning and its end are kept."""
    if len(text) <= NOTE_CHARS:
        return text
    return f"{text[: NOTE_CHARS // 3]}\n  …\n{text[-2 * NOTE_CHARS // 3 :]}"


def _now() -> str:
    return stamp(datetime.fromtimestamp(QDateTime.currentMSecsSinceEpoch() / 1000, UTC))


def _tell_terminal() -> None:
    """Let `faulthandler` write fatal errors to the terminal, where there is one."""
    if sys.__stderr__ is not None:
        with suppress(OSError, ValueError):
            faulthandler.enable(sys.__stderr__)


def _hooks_now() -> Hooks:
    return sys.excepthook, threading.excepthook, sys.unraisablehook


def _use(hooks: Hooks) -> None:
    sys.excepthook, threading.excepthook, sys.unraisablehook = hooks


def _listening(file: CrashFile) -> Hooks:
    """Return the hooks that record exceptions; PySide calls the first one for what a slot raises."""

    def uncaught(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if isinstance(error, Exception):
            file.note(error, trace)
        else:
            sys.__excepthook__(kind, error, trace)

    def in_thread(found: threading.ExceptHookArgs) -> None:
        if isinstance(found.exc_value, Exception):
            file.note(found.exc_value, found.exc_traceback)

    def unraisable(found: sys.UnraisableHookArgs) -> None:
        if isinstance(found.exc_value, Exception):
            file.note(found.exc_value, found.exc_traceback)

    return uncaught, in_thread, unraisable


@contextmanager
def written_down(folder: Path, environment: Mapping[str, str]) -> Iterator[CrashFile]:
    """Write the log and the crash file to a folder, both without the known secrets.

    Args:
        folder: Created if it does not exist.
        environment: Environment variables; those named like secrets are hidden.
    """
    redaction = Redaction()
    redaction.hide_environment(environment)
    start_logging(folder, redaction.clean)
    try:
        with crashes_written(folder, redaction) as crashes:
            yield crashes
    finally:
        stop_logging()
