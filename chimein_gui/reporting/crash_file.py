"""What killed the program, or what nobody caught: one private file in the folder of the logs.

It tells where it was, never what was in its hands: frames, versions, times, and words of exceptions without secrets.
While the program runs, the file is open, so that a fault that stops everything can still be written by
`faulthandler`. An orderly end removes it; what a kill or a power cut leaves has nothing to tell, and is removed by the
next start.
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
"""Different places in one run: what fails with every paint is told once."""

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
    """The file of this run. What can't be written is left out: a full disk is no reason to stop.

    Attributes:
        before: What the run before has left to tell, once; None where it ended in order.
        path: The file.
        redaction: Knows what must not be written.
    """

    def __init__(self, folder: Path, redaction: Redaction) -> None:
        """Open nothing yet.

        Args:
            folder: That of the logs.
            redaction: Hears of more secrets as the run goes on.
        """
        self.before: CrashReport | None = None
        self.path = folder / OPEN
        self.redaction = redaction
        self._lock = threading.RLock()  # what is collected meanwhile may have something to tell, too
        self._file = -1
        self._left = MAX_BYTES // 2
        self._noted: set[tuple[str, str, int]] = set()

    def open(self) -> None:
        """Take over what the run before left, and be ready."""
        self.before = take_over(self.path.parent)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND
        try:
            self._file = os.open(self.path, flags, 0o600)
        except OSError as error:
            _log.warning("A crash of this run would leave no report: %s", error.strerror)
            _tell_terminal()
            return
        # Of the thread that fell alone: the frames of others change while they are read, and that has cut off reports.
        faulthandler.enable(self._file, all_threads=False)
        system = f"{QSysInfo.prettyProductName()}, {QSysInfo.kernelType()} {QSysInfo.kernelVersion()}"
        self._write(
            f"{_HEAD}\n"
            f"Chimein {__version__}, process {os.getpid()}, started {_now()}\n"
            f"Python {sys.version.split()[0]}, Qt {qVersion()}, PySide6 {PySide6.__version__}\n"
            f"{system}, {QSysInfo.currentCpuArchitecture()}\n"
        )

    def name_libraries(self) -> None:
        """Write down the versions of what is loaded after the first paint; takes its time, so not in the loop."""
        from importlib.metadata import PackageNotFoundError, version

        named = []
        for name, package in (("Telethon", "telethon"), ("google-genai", "google-genai"), ("qasync", "qasync")):
            with suppress(PackageNotFoundError):
                named.append(f"{name} {version(package)}")
        if named:  # a bundled program may not know
            self._write(f"{', '.join(named)}\n")

    def note(self, error: Exception, trace: TracebackType | None = None, *, has_ended: bool = False) -> None:
        """Write an exception down that nobody caught: its frames, and its words without secrets. Never raises.

        Args:
            error: The exception.
            trace: Where it was, if the exception itself does not know.
            has_ended: The program ends by it.
        """
        with suppress(Exception):  # its words come from anywhere, and whoever tells of a fault makes none
            found = (type(error), error, trace or error.__traceback__)
            if self._is_old(_place_of(*found)) and not has_ended:
                return
            head = f"{type(error).__name__}: {ENDED if has_ended else WENT_ON}"
            told = self._told(*found)
            if self._write(f"\n== {_now()} {head}\n{told}\n"):
                _log.error("%s. See %s", head, self.path)
            else:
                _log.error("%s", head, exc_info=found)
            if sys.stderr is not None:  # for whoever has started it from there
                sys.stderr.write(f"{told}\n")

    def close(self, *, in_order: bool) -> None:
        """Let go of the file; one that has nothing to tell is removed."""
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
        """Tell whether enough was told of a place, or of all of them; from now on it was told of."""
        with self._lock:
            is_old = place in self._noted or len(self._noted) >= MOST_NOTES
            if not is_old:
                self._noted.add(place)
        return is_old

    def _told(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> str:
        told = traceback.TracebackException(kind, error, trace, capture_locals=False)
        text = without_numbers(self.redaction.clean("".join(told.format()))).replace(str(Path.home()), "~")
        lines = [line[:LINE_CHARS] for line in text.split("\n")]
        # Indented, so that no foreign line break can forge what stands at the beginning of a line.
        lines = ["  " + "".join(char if char.isprintable() else " " for char in line) for line in lines]
        return _cut("\n".join(lines))

    def _write(self, text: str) -> bool:
        """Append a text; tells whether it is there."""
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
    """Write down, as long as this lasts, what kills the program and what nobody catches.

    What ends the program gets no further: Python would print its words as they are.

    Args:
        folder: That of the logs.
        redaction: Knows what must not be written.
    """
    file, hooks, had_handler = CrashFile(folder, redaction), _hooks_now(), faulthandler.is_enabled()
    file.open()
    _use(_listening(file))
    in_order = True
    try:
        yield file
    except CannotStartError:
        raise  # no fault of the program, and told by whoever has started it
    except Exception as error:  # noqa: BLE001 - its words may hold what nobody may read; the report has the others
        in_order = False
        file.note(error, has_ended=True)
    finally:
        _use(hooks)
        file.close(in_order=in_order)
        if had_handler:
            _tell_terminal()


def _place_of(kind: type[BaseException], _error: BaseException, trace: TracebackType | None) -> tuple[str, str, int]:
    """Return what tells one fault from another: its kind, and where it was raised."""
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    where = (trace.tb_frame.f_code.co_filename, trace.tb_lineno) if trace is not None else ("", 0)
    return (kind.__name__, *where)


def _cut(text: str) -> str:
    """Return beginning and end of a text that is too long: where it came from, and what it was."""
    if len(text) <= NOTE_CHARS:
        return text
    return f"{text[: NOTE_CHARS // 3]}\n  …\n{text[-2 * NOTE_CHARS // 3 :]}"


def _now() -> str:
    return stamp(datetime.fromtimestamp(QDateTime.currentMSecsSinceEpoch() / 1000, UTC))


def _tell_terminal() -> None:
    """Let a fault that stops everything be written to the terminal, where there is one."""
    if sys.__stderr__ is not None:
        with suppress(OSError, ValueError):
            faulthandler.enable(sys.__stderr__)


def _hooks_now() -> Hooks:
    return sys.excepthook, threading.excepthook, sys.unraisablehook


def _use(hooks: Hooks) -> None:
    sys.excepthook, threading.excepthook, sys.unraisablehook = hooks


def _listening(file: CrashFile) -> Hooks:
    """Return hooks that write down; PySide calls the first one for what a slot raises."""

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
    """Log into a folder, and write down there what kills the program, both without the secrets that are known.

    Args:
        folder: Made if need be.
        environment: Its variables may hold secrets.
    """
    redaction = Redaction()
    redaction.hide_environment(environment)
    start_logging(folder, redaction.clean)
    try:
        with crashes_written(folder, redaction) as crashes:
            yield crashes
    finally:
        stop_logging()
