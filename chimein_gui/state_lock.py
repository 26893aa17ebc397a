"""Who may use a state directory."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from PySide6.QtCore import QLockFile, QSysInfo

from chimein_gui.domain.errors import ChimeinError

EXIT_FAILED = 1
EXIT_IN_USE = 4
EXIT_OTHER_KIND = 5

STAMP = "chimein.kind"
KINDS = frozenset({"live", "sandbox", "first run"})
_ENOUGH = 64
"""Bytes; no kind has a longer name."""


class CannotStartError(ChimeinError):
    """The program cannot run here; the words say why and what to do.

    Attributes:
        exit_code: What the process ends with.
    """

    def __init__(self, message: str, exit_code: int) -> None:
        """Keep the exit code beside the words."""
        super().__init__(message)
        self.exit_code = exit_code


@contextmanager
def owned_state(state: Path, kind: str) -> Iterator[None]:
    """Hold the state directory: one program at a time, and never live and sandbox in the same one (SPEC §12).

    Args:
        state: Made if need be, private to the user.
        kind: ``live`` or ``sandbox``; a directory belongs to one of them for ever.

    Raises:
        CannotStartError: Its words say why and what to do.
    """
    try:
        state.mkdir(mode=0o700, parents=True, exist_ok=True)
        state.chmod(0o700)
    except OSError as error:
        words = f"The state directory {state} cannot be used: {error}. Name another one in CHIMEIN_STATE_DIR."
        raise CannotStartError(words, EXIT_FAILED) from error
    lock = QLockFile(str(state / "chimein.lock"))
    lock.setStaleLockTime(0)
    if not lock.tryLock(0):
        raise _not_had(lock, state)
    try:
        _check_kind(state, kind)
        yield
    finally:
        lock.unlock()


def _not_had(lock: QLockFile, state: Path) -> CannotStartError:
    """Tell another program from a lock that nobody holds but that cannot be had."""
    if lock.error() is not QLockFile.LockError.LockFailedError:
        words = f"The state directory {state} cannot be used: nothing can be written there. Make room on its disk."
        return CannotStartError(words, EXIT_FAILED)
    number, host, _ = lock.getLockInfo()
    words = f"Chimein is already running on {state}"
    if host == QSysInfo.machineHostName():
        return CannotStartError(f"{words} (process {number}).", EXIT_IN_USE)
    # Of another machine, or of this one under its former name, nobody can tell whether the process is there.
    remedy = f"If it is not, remove {lock.fileName()} and start again."
    return CannotStartError(f"{words} (process {number} on {host or 'an unknown machine'}). {remedy}", EXIT_IN_USE)


def _check_kind(state: Path, kind: str) -> None:
    stamp = state / STAMP
    try:
        found = _stamped(stamp)
        if not found:
            stamp.write_text(kind + "\n", encoding="utf-8")
    except OSError as error:
        words = f"{stamp} cannot be used: {error.strerror or error}. Mend it, or name another CHIMEIN_STATE_DIR."
        raise CannotStartError(words, EXIT_FAILED) from error
    if found and found != kind:
        other = f"belongs to a {found} run" if found in KINDS else f"holds a {STAMP} that Chimein did not write"
        words = f"{state} {other}, and sandbox and live never mix. Name another CHIMEIN_STATE_DIR."
        raise CannotStartError(words, EXIT_OTHER_KIND)


def _stamped(stamp: Path) -> str:
    """Return what the directory belongs to; empty where nobody has said yet."""
    try:
        with stamp.open("rb") as file:
            return file.read(_ENOUGH).decode("utf-8", "replace").strip()
    except FileNotFoundError:
        return ""
