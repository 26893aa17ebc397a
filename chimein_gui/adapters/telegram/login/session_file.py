"""The session file of one log-in attempt: beside the agent's own, which it finally replaces, or deleted."""

from __future__ import annotations

import contextlib
import logging
import os
import secrets
import sqlite3
from pathlib import Path

from chimein_gui.adapters.telegram.transport.session import SessionFile

_log = logging.getLogger(__name__)

_MAKING, _ORPHAN = "login-", "orphan-"
_SESSIONS = "*.session"
_COMPANIONS = ("-wal", "-shm", "-journal")
"""Endings of files that SQLite may leave beside a database."""


class _PassingSession(SessionFile):
    """A session without waiting for the disk: it is worthless until it is kept, which flushes it in a thread."""

    synchronous = "off"


class LoginFile:
    """One attempt's session file; nothing is written before `open`.

    Args:
        place: Path of the agent's own session, existing or not.
    """

    def __init__(self, place: Path) -> None:
        self._place = place
        self._path = place.with_name(f"{_MAKING}{secrets.token_hex(8)}.session")

    def open(self) -> SessionFile:
        """Open the file, readable by this user only; created if missing.

        Raises:
            OSError, sqlite3.Error: It can't be written.
        """
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        return _PassingSession(str(self._path))

    def keep(self) -> None:
        """Replace the agent's own session; no connection may be open on either. Blocks.

        Raises:
            OSError, sqlite3.Error: It failed; the agent's own session is unchanged.
        """
        session = SessionFile(str(self._path))
        try:
            # Updates during the log-in are not needed: the account's own connection starts at the present.
            session.forget_login()
            session.save()
        finally:
            session.close()
        if any(companion.exists() for companion in _companions(self._path)[:1]):
            raise sqlite3.OperationalError("the session file is not whole")
        _fold(self._place)
        _flush(self._path)
        self._path.replace(self._place)
        with contextlib.suppress(OSError):  # not every system has it, and the file is in its place
            _flush(self._place.parent)

    def drop(self) -> None:
        """Delete the file; connections must be closed.

        Raises:
            OSError: It still exists.
        """
        with contextlib.suppress(NotADirectoryError):  # then there is none either
            remove_session(self._path)


def remove_session(path: Path) -> None:
    """Delete a session file and what SQLite left beside it.

    Raises:
        OSError: It still exists.
    """
    for file in (path, *_companions(path)):
        file.unlink(missing_ok=True)


def sweep(state: Path) -> None:
    """Delete files of interrupted attempts; a session that may be logged in is set aside. Never raises.

    After the code or the password Telegram lists it among the account's devices until it is logged out.
    """
    with contextlib.suppress(OSError):
        for file in (*state.glob(f"*/{_MAKING}{_SESSIONS}"), *state.glob(f"*/{_MAKING}{_SESSIONS}-*")):
            try:
                if file.suffix == ".session" and _has_key(file):
                    file.replace(file.with_name(_ORPHAN + file.name.removeprefix(_MAKING)))
                else:
                    file.unlink(missing_ok=True)
                _log.info("Swept up what a log-in left that was cut off")
            except OSError as error:
                _log.warning("What a cut-off log-in left can't be removed: %s", type(error).__name__)


def orphans_of(place: Path) -> list[Path]:
    """Return the sessions that `sweep` has set aside beside an agent's own. Blocks."""
    return sorted(place.parent.glob(_ORPHAN + _SESSIONS))


def _has_key(path: Path) -> bool:
    """Return whether a session file has a key; merges its WAL into the file."""
    try:
        session = _PassingSession(str(path))
    except sqlite3.Error:
        return False  # cut off before there was anything in it
    try:
        return session.has_key
    finally:
        session.close()


def _companions(path: Path) -> list[Path]:
    return [path.with_name(path.name + ending) for ending in _COMPANIONS]


def _fold(path: Path) -> None:
    """Merge a database's WAL into the file; left behind, SQLite would apply it to the next file of this name."""
    if path.exists():
        connection = sqlite3.connect(path)
        try:
            connection.execute("pragma wal_checkpoint(truncate)")
        except sqlite3.Error as error:
            _log.info("A former session file was damaged: %s", error)
        finally:
            connection.close()
    for companion in _companions(path):
        companion.unlink(missing_ok=True)


def _flush(path: Path) -> None:
    """Wait until the file is on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
