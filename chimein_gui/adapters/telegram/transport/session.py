"""The session file: the account's key, its update state, and the peers it has met.

As secret as a password: anyone with the file is logged in.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sqlite3
import threading
from pathlib import Path
from typing import Any, ClassVar

from telethon._updates.messagebox import NO_SEQ
from telethon.crypto import AuthKey
from telethon.sessions import SQLiteSession

from chimein_gui.adapters.telegram.transport.tl import TLObject

_log = logging.getLogger(__name__)

_PRIVATE = 0o600
_SUFFIX = ".session"


class SessionFile(SQLiteSession):  # type: ignore[misc]  # Telethon is untyped
    """Telethon's session with WAL, readable by this user only, and without effect once it is closed.

    Telethon commits and closes on the loop's thread. With WAL and NORMAL most commits take some 10 µs. But the first
    one after opening, and closing, wait for the disk several times, up to a second on a busy disk, during which no
    account makes progress. `lend` moves them off the loop.
    """

    synchronous: ClassVar[str] = "normal"
    _conn: Any = None

    def __init__(self, session_id: str | None = None) -> None:
        self._closed = self._is_lent = False
        self._row: tuple[Any, ...] | None = None
        self._one_at_a_time = threading.Lock()
        if session_id:
            _make_private(Path(session_id))
        try:
            super().__init__(session_id)
            self._row = self._as_row()
        except BaseException:  # nobody gets hold of it, so nobody could close it
            self._close_file()
            raise

    def lend(self) -> None:
        """Commit in a thread from now on; `close` then needs a call of `release`."""
        self._is_lent = True

    @property
    def has_key(self) -> bool:
        """Return whether there was ever a key exchange, which a log-in requires."""
        return bool(self._auth_key and self._auth_key.key)

    def known_peer(self, marked_id: int) -> tuple[int, str, str] | None:
        """Return access hash, name and user name of a peer met earlier, or None."""
        row = self._execute("select hash, name, username from entities where id = ?", marked_id)
        return None if row is None else (row[0], row[1] or "", row[2] or "")

    def process_entities(self, tlo: TLObject) -> None:
        """Store peers; ignored after the close."""
        if not self._closed:
            super().process_entities(tlo)

    def set_update_state(self, entity_id: int, state: TLObject) -> None:
        """Store the update state; ignored after the close.

        WORKAROUND Telethon: a client whose connection is refused has not read its state yet, and stores an empty one at
        its end. The next one would start at the present, and never get the edits and deletes in between.
        """
        has_place = entity_id != 0 or (state is not None and state.pts != NO_SEQ)
        if has_place and not self._closed:
            super().set_update_state(entity_id, state)

    def save(self) -> None:
        """Commit changes; in a thread once the session is lent."""
        if self._is_lent and self._conn is not None and self._conn.in_transaction:
            asyncio.get_running_loop().run_in_executor(None, self._commit_aside)
        elif not self._is_lent:
            super().save()

    def close(self) -> None:
        """Commit and close permanently; Telethon itself would reopen the file. Once lent, only ignore further calls."""
        self._closed = True
        if not self._is_lent:
            self._commit_and_close()

    def release(self) -> None:
        """Commit and close permanently, the second half of `close`; blocks, so call it in a thread.

        Raises:
            sqlite3.Error: Changes that were not committed yet are lost.
        """
        self._closed = True
        with self._one_at_a_time:
            self._commit_and_close()

    def _commit_and_close(self) -> None:
        try:
            super().close()
        finally:  # Telethon leaves the file open where the commit fails
            self._close_file()

    def _close_file(self) -> None:
        if self._conn is not None:
            self._conn.close()
            self._conn = None

    def _commit_aside(self) -> None:
        with self._one_at_a_time:
            try:
                super().save()
            except sqlite3.Error as error:
                _log.warning("A session file could not be written: %s; it is tried again in a minute", error)

    def _update_session_table(self) -> None:
        """Write changes only: at every connect Telethon sets the same key again."""
        row = self._as_row()
        if row != self._row:
            super()._update_session_table()
            self._row = row

    def _as_row(self) -> tuple[Any, ...]:
        key, temporary = self._auth_key, self._tmp_auth_key
        keys = (key and key.key, temporary and temporary.key)
        return (self._dc_id, self._server_address, self._port, self._takeout_id, *keys)

    def _cursor(self) -> sqlite3.Cursor:
        if self._closed:
            raise sqlite3.ProgrammingError("The session file is closed.")
        is_new = self._conn is None
        cursor: sqlite3.Cursor = super()._cursor()
        if is_new:
            cursor.execute(f"pragma synchronous = {self.synchronous}")
            cursor.execute("pragma journal_mode = wal")
        return cursor

    def forget_login(self) -> None:
        """Delete the data of a previous key: the peers' access hashes and the update state."""
        self._execute("delete from entities")
        self._execute("delete from update_state")


def seed_session(path: Path, *, dc_id: int, host: str, port: int, auth_key: bytes) -> None:
    """Write a session file with a key that the server already knows (sandbox and tests).

    An existing file keeps its peers and its update state if the key is the same.

    Args:
        path: The file, ending in ``.session``; its directory is made.
        dc_id: Number of the data centre.
        host: Numeric address.
        port: TCP port.
        auth_key: 256 bytes.
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    session = SessionFile(str(path))
    try:
        if session.has_key and session.auth_key.key != auth_key:
            session.forget_login()
        session.set_dc(dc_id, host, port)
        session.auth_key = AuthKey(auth_key)
    finally:
        session.close()


def _make_private(path: Path) -> None:
    if path.suffix != _SUFFIX:
        raise ValueError(f"A session file ends in {_SUFFIX}: {path}")
    try:
        descriptor = os.open(path, os.O_CREAT | os.O_RDWR, _PRIVATE)
        os.close(descriptor)
        path.chmod(_PRIVATE)
    except OSError as error:  # what SQLite would say: else it would be taken for trouble on the way to Telegram
        raise sqlite3.OperationalError(error.strerror or str(error)) from error
