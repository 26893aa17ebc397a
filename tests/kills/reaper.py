"""The `Reach` that does not let a program pass a failpoint."""

from __future__ import annotations

import contextlib
import os
import pickle
import resource
import signal
import socket
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from chimein_gui.domain.failpoints import Failpoint
from chimein_gui.sandbox_api import FaultKind, FaultRule
from tests.kills.life import Arming
from tests.support.line import LENGTH, packed

ACTIONS = ("messages.sendMessage", "messages.sendMedia", "messages.deleteHistory", "contacts.block", "contacts.unblock")
"""Methods by which the outbox acts."""

PATIENCE_S = 0.5
"""How long a written request may take to be executed; what has not been written yet is waited for elsewhere."""

_LOOK_S = 0.001


class Reaper:
    """Counts the failpoints, and ends the program at the armed one.

    "After server execution" is a place outside the program: there the request is answered by nobody (NO_ANSWER), and
    the program stands still until the server says that it has executed it.
    """

    def __init__(self, description: dict[str, Any], database: Path) -> None:
        self.reached: Counter[Failpoint] = Counter()
        self._description = description
        self._database = database
        self._arming: Arming | None = None
        self._from = 0
        self._unanswered: set[int] = set()

    def arm(self, arming: Arming | None) -> None:
        """From now on count for this."""
        self._arming = arming
        self._from = self.reached[_counted(arming.point)] if arming is not None else 0

    def __call__(self, point: Failpoint) -> None:
        """Be told that a point is reached."""
        self.reached[point] += 1
        arming = self._arming
        if arming is None:
            return
        if self._unanswered and point is Failpoint.AFTER_WRITE:
            self._die_when_executed()
        if point is not _counted(arming.point) or self.reached[point] != self._from + arming.nth:
            return
        if arming.point is Failpoint.SERVER_EXECUTED:
            with _control(self._description) as ask:
                self._unanswered = {ask("inject", FaultRule(FaultKind.NO_ANSWER, method)) for method in ACTIONS}
        elif arming.spare is not None:
            limit_log(self._database, arming.spare)
        else:
            die()

    def _die_when_executed(self) -> None:
        """Stand still until a request was executed without an answer; then end before anything else happens."""
        ends_at = time.monotonic() + PATIENCE_S
        with _control(self._description) as ask:
            while time.monotonic() < ends_at:
                in_force = {fault.fault_id for fault in ask("rehearsal").faults if not fault.hits}
                if not self._unanswered <= in_force:
                    die()
                time.sleep(_LOOK_S)


def die() -> None:
    """End like a program that is killed from outside: at once, with nothing flushed or closed."""
    os.kill(os.getpid(), signal.SIGKILL)


def limit_log(database: Path, spare: int) -> None:
    """Let the store's log grow by `spare` bytes: writing more is EFBIG, as on a file system that takes no more.

    No other file of a victim is as large.
    """
    _limit_files(database.with_name(f"{database.name}-wal").stat().st_size + spare)


def free_files() -> None:
    """Let files grow again."""
    _limit_files(resource.RLIM_INFINITY)


def _limit_files(size: int) -> None:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))


def _counted(point: Failpoint) -> Failpoint:
    """The server's place is prepared just before the request is written."""
    return Failpoint.BEFORE_WRITE if point is Failpoint.SERVER_EXECUTED else point


@contextlib.contextmanager
def _control(description: dict[str, Any]) -> Iterator[Any]:
    """Ask the sandbox without the loop, which stands still."""
    with (
        socket.create_connection(("127.0.0.1", description["control_port"])) as connection,
        connection.makefile("rwb") as stream,
    ):
        stream.write(description["token"].encode())

        def ask(method: str, *args: Any) -> Any:
            stream.write(packed(method, args, {}))
            stream.flush()
            (length,) = LENGTH.unpack(stream.read(LENGTH.size))
            return pickle.loads(stream.read(length))[0]

        yield ask
