"""What holds a program up besides its own work, noted beside a figure: a disk that lets commits wait, other programs.

Nothing is taken off a figure for it. It is there to tell a draft that was late because of a disk from one that was
late because of what the row is about.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from chimein_gui.adapters.store.sql import Sql

THREAD_SCHEDULE = "/proc/thread-self/schedstat"
"""Of the thread that opens it: time on a core, time it waited for one, both in ns, and how often."""


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit of the store, on the clock of `time.perf_counter`, in seconds."""

    began: float
    ended: float

    @property
    def took_ms(self) -> float:
        """How long it took."""
        return (self.ended - self.began) * 1000


def slowest_ms(commits: list[Commit], began: float = 0.0, ended: float = float("inf")) -> float:
    """Return how long the slowest of those took that ran at some time between the two; 0 if none did."""
    return max((one.took_ms for one in commits if one.ended > began and one.began < ended), default=0.0)


def how_many(commits: list[Commit], began: float) -> int:
    """Return how many of those began at that time or later: so often the disk was asked to keep something."""
    return sum(one.began >= began for one in commits)


@contextmanager
def commits_noted() -> Iterator[list[Commit]]:
    """Give a list to which every commit of every store is added."""
    commits: list[Commit] = []
    run = Sql.run

    def timed(self: Sql, statement: str, *values: Any, **more: Any) -> Any:
        if statement != "COMMIT":
            return run(self, statement, *values, **more)
        began = time.perf_counter()
        try:
            return run(self, statement, *values, **more)
        finally:
            commits.append(Commit(began, time.perf_counter()))

    Sql.run = timed  # type: ignore[method-assign]
    try:
        yield commits
    finally:
        Sql.run = run  # type: ignore[method-assign]


class CoreWait:
    """How long the thread that makes it could have run, but had to wait for a core that others used."""

    def __init__(self) -> None:
        try:
            self._file = os.open(THREAD_SCHEDULE, os.O_RDONLY)
        except OSError:  # only Linux tells
            self._file = -1

    def so_far_ms(self) -> float:
        """Return it, since the thread began; 0 where the system doesn't tell."""
        return int(os.pread(self._file, 100, 0).split()[1]) / 1e6 if self._file >= 0 else 0.0

    def close(self) -> None:
        """Close what was opened; calling it twice is harmless."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1
