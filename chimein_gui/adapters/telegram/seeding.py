"""Sessions of the sandbox's accounts: each agent finds itself logged in at first, and is not logged in again after.

Who was logged out, or was ended from elsewhere, stays so until the operator logs in: a rehearsal of that would be none
otherwise. That an agent has had a session is kept in a file beside it.
"""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable
from pathlib import Path

from chimein_gui.adapters.telegram.transport.session import SessionFile, seed_session
from chimein_gui.domain.agents import Agent

_log = logging.getLogger(__name__)

_HAD_ONE = "telegram.seeded"


class SeededSessions:
    """Gives sessions.

    Args:
        key_of: Gives the key of an agent's account in the sandbox, or None if it waits for a log-in.
        home: Data centre, address and port of the sandbox of this run.
    """

    def __init__(self, key_of: Callable[[Agent], bytes | None], home: tuple[int, str, int]) -> None:
        self._key_of = key_of
        self._home = home

    def __call__(self, agent: Agent, session: Path) -> None:
        """Give an agent its first session, or lead one that it has to this run's sandbox."""
        mark = session.with_name(_HAD_ONE)
        if session.exists():
            _lead(session, self._home)
        elif not mark.exists():
            key = self._key_of(agent)
            if key is None:
                return
            dc_id, host, port = self._home
            seed_session(session, dc_id=dc_id, host=host, port=port, auth_key=key)
        else:
            return
        mark.touch(mode=0o600)


def _lead(path: Path, home: tuple[int, str, int]) -> None:
    """Point a session at a server; what is in it stays. A damaged one is left to whoever connects with it."""
    try:
        session = SessionFile(str(path))
    except sqlite3.Error as error:
        _log.info("A session file can't be led to the sandbox: %s", error)
        return
    try:
        if (session.dc_id, session.server_address, session.port) != home:
            session.set_dc(*home)
    finally:
        session.close()
