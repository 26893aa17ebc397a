"""Access to the state directory: one program at a time, one user, and only regular files in it."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from chimein_gui.domain.errors import ChimeinError

if TYPE_CHECKING:
    from chimein_gui.domain.notes import Note
    from chimein_gui.domain.notes.faults import FaultReason

EXIT_FAILED = 1
EXIT_IN_USE = 4
EXIT_OTHER_KIND = 5

STAMP = "chimein.kind"
LOCK = "chimein.lock"
KINDS = frozenset({"live", "sandbox", "first run"})

_OWN_NAMES = frozenset({STAMP, LOCK, "chimein.db", "preferences.toml", "secrets.toml", "window.ini", "logs", "world"})
"""A directory that holds one of these has been a state directory before."""

_MANY_FILES = frozenset({"media", "world"})
"""Directories that may hold very many files; theirs are not checked. The others hold a handful."""

_ENOUGH = 64
"""Bytes; no kind has a longer name."""

_LONGEST_LOCK = 1_000
_PRIVATE_UMASK = 0o077


class CannotStartError(ChimeinError):
    """The program cannot run here; the note says why.

    Attributes:
        exit_code: The exit code of the process.
    """

    def __init__(self, said: str | Note, exit_code: int) -> None:
        super().__init__(said)
        self.exit_code = exit_code


@contextmanager
def owned_state(state: Path, kind: str) -> Iterator[None]:
    """Hold the state directory: one program at a time, and never live and sandbox in the same one.

    Args:
        state: Created if it does not exist, private to the user.
        kind: One of `KINDS`; the directory keeps the kind of its first run.

    Raises:
        CannotStartError: The note says why.
    """
    with ExitStack() as held:
        if os.name == "posix":
            # All files made below, those of Qt and the log included, are private to this user.
            held.callback(os.umask, os.umask(_PRIVATE_UMASK))
        try:
            state.mkdir(mode=0o700, parents=True, exist_ok=True)
            _check_owner(state)
            _check_entries(state)
        except OSError as error:
            raise _refused(_reasons().STATE_UNUSABLE, state, error.strerror or str(error)) from error
        _take(state, held)
        _check_kind(state, kind)
        yield


# ---------------------------------------------------------------- the lock


def _take(state: Path, held: ExitStack) -> None:
    """Take the lock, and write the holder's process and machine to the lock file.

    On POSIX the kernel locks the directory itself: the lock ends with the process, however it ends, and removing files
    does not release it. The lock file only names the holder. Elsewhere `QLockFile` is the lock.
    """
    try:
        import fcntl
    except ImportError:
        _take_by_file(state, held)
        return
    try:
        directory = os.open(state, os.O_RDONLY)
        held.callback(os.close, directory)
        fcntl.flock(directory, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise _in_use(state) from None
    except OSError as error:
        raise _unusable(state, error) from error
    _check_machine(state)
    try:
        (state / LOCK).write_text(f"{os.getpid()}\nchimein\n{_host()}\n", encoding="utf-8")
    except OSError as error:
        raise _unusable(state, error) from error
    held.callback(_remove, state / LOCK)


def _take_by_file(state: Path, held: ExitStack) -> None:
    from PySide6.QtCore import QLockFile

    lock = QLockFile(str(state / LOCK))
    lock.setStaleLockTime(0)
    if not lock.tryLock(0):
        if lock.error() is QLockFile.LockError.LockFailedError:
            raise _in_use(state)
        raise _refused(_reasons().STATE_UNWRITABLE, state)
    held.callback(lock.unlock)


def _in_use(state: Path) -> CannotStartError:
    number, _ = _holder(state)
    reason = _reasons().RUNNING_AS if number else _reasons().ALREADY_RUNNING
    return CannotStartError(_note(reason, str(state), int(number or 0)), EXIT_IN_USE)


def _unusable(state: Path, error: OSError) -> CannotStartError:
    return _refused(_reasons().STATE_UNWRITABLE, state, error.strerror or str(error))


def _refused(reason: FaultReason, path: str | Path, more: str = "") -> CannotStartError:
    return CannotStartError(_note(reason, str(path), more=more), EXIT_FAILED)


def _reasons() -> type[FaultReason]:
    """Return the reasons for a refusal; imported for the first one, because every start waits for this module."""
    from chimein_gui.domain.notes.faults import FaultReason

    return FaultReason


def _note(reason: FaultReason, words: str, number: int = 0, *, more: str = "") -> Note:
    from chimein_gui.domain.notes import Note

    return Note(reason, words, number, more=more)


def _host() -> str:
    """Return the name of this machine."""
    if hasattr(os, "uname"):
        return os.uname().nodename
    import socket

    return socket.gethostname()


def _check_machine(state: Path) -> None:
    """Refuse a directory that a process on another machine holds: a kernel knows the locks of its own processes only.

    Raises:
        CannotStartError: The lock file names another machine.
    """
    number, host = _holder(state)
    if number and host != _host():
        raise CannotStartError(
            _note(_reasons().RUNNING_ELSEWHERE, str(state / LOCK), int(number), more=host or "?"), EXIT_IN_USE
        )


def _holder(state: Path) -> tuple[str, str]:
    """Return the process id and the machine from the lock file; two empty texts where it has none."""
    with suppress(OSError):
        lines = _read(state / LOCK, _LONGEST_LOCK).splitlines()
        if len(lines) >= len(("process", "program", "machine")) and lines[0].isdigit():
            return lines[0], lines[2][:_ENOUGH]
    return "", ""


def _remove(path: Path) -> None:
    with suppress(OSError):
        path.unlink()


# ---------------------------------------------------------------- owner and entries of the directory


def _check_owner(state: Path) -> None:
    """Refuse a directory where other users can write, and make an own one private.

    Raises:
        OSError: From the system.
        CannotStartError: It is another user's, is shared, or holds files of something else.
    """
    if os.name != "posix":
        return
    found = state.stat()
    if found.st_uid != os.geteuid():
        raise _refused(_reasons().STATE_OF_ANOTHER, state)
    if found.st_mode & (stat.S_IWGRP | stat.S_IWOTH | stat.S_ISVTX):
        raise _refused(_reasons().STATE_SHARED, state)
    names = set(os.listdir(state))  # noqa: PTH208 - names alone
    if names and not names & _OWN_NAMES:
        raise _refused(_reasons().STATE_TAKEN, state)
    if stat.S_IMODE(found.st_mode) != stat.S_IRWXU:
        state.chmod(stat.S_IRWXU)


def _check_entries(state: Path) -> None:
    """Refuse pipes, sockets and devices, which would block the start; make files of earlier versions private.

    Raises:
        OSError: From the system.
        CannotStartError: There is one; the message names it.
    """
    if os.name != "posix":
        return
    with os.scandir(state) as entries:
        for entry in entries:
            _check_entry(entry)
            if entry.is_dir(follow_symlinks=False) and entry.name not in _MANY_FILES:
                with os.scandir(entry.path) as inner:
                    for one in inner:
                        _check_entry(one)


def _check_entry(entry: os.DirEntry[str]) -> None:
    try:
        if entry.is_dir():
            return
        mode = entry.stat().st_mode
    except FileNotFoundError:
        return  # a broken link, or removed meanwhile
    if not stat.S_ISREG(mode):
        raise _refused(_reasons().STATE_ODD_FILE, entry.path)
    if mode & _PRIVATE_UMASK and not entry.is_symlink():
        with suppress(OSError):
            Path(entry.path).chmod(stat.S_IMODE(mode) & ~_PRIVATE_UMASK)


def _check_kind(state: Path, kind: str) -> None:
    stamp = state / STAMP
    try:
        found = _stamped(stamp)
        if not found:
            stamp.write_text(kind + "\n", encoding="utf-8")
    except OSError as error:
        raise _refused(_reasons().STAMP_UNUSABLE, stamp, error.strerror or str(error)) from error
    if found and found != kind:
        reason = _state_of(found)
        raise CannotStartError(_note(reason, str(state if found in KINDS else stamp)), EXIT_OTHER_KIND)


def _state_of(kind: str) -> FaultReason:
    reasons = _reasons()
    known = {
        "live": reasons.STATE_OF_LIVE,
        "sandbox": reasons.STATE_OF_SANDBOX,
        "first run": reasons.STATE_OF_FIRST_RUN,
    }
    return known.get(kind, reasons.STAMP_FOREIGN)


def _stamped(stamp: Path) -> str:
    """Return the kind that the directory belongs to; empty where it has none yet."""
    try:
        return _read(stamp, _ENOUGH).strip()
    except FileNotFoundError:
        return ""


def _read(path: Path, most: int) -> str:
    with path.open("rb") as file:
        return file.read(most).decode("utf-8", "replace")
