"""Sessions of the sandbox's accounts: each agent is logged in at first, but only once.

An account that was logged out stays so until the operator logs in, so that log-ins can be rehearsed. A file beside the
session records that an agent has had one.
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
    """Creates sessions.

    Args:
        key_of: Returns the key of an agent's account in the sandbox, or None if it waits for a log-in.
        home: Data centre, address and port of this run's sandbox.
    """

    def __init__(self, key_of: Callable[[Agent], bytes | None], home: tuple[int, str, int]) -> None:
        self._key_of = key_of
        self._home = home

    def __call__(self, agent: Agent, session: Path) -> None:
        """Create an agent's first session, or redirect an existing one to this run's sandbox."""
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
    """Point a session at a server; its content stays. A damaged one is left for the connect to report."""
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
