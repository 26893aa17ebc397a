"""The other end of the process that draws: starts it, asks it, kills it."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from chimein_gui.adapters.frames.wire import read_message, write_message

DRAW_S = 2.0
"""Longest time for one sticker, then the process is killed."""

START_S = 20.0
"""Longest time until it is ready; a machine that just woke up may be slow."""

_FROZEN_FLAG = "--draw-frames"
"""Hidden option of the bundled program, which has no Python to start beside it."""

_KEPT_ENVIRONMENT = ("PATH", "PYTHONPATH", "PYTHONHOME", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "SYSTEMROOT", "TEMP")
"""The process that reads foreign files gets no keys and no addresses to see."""


class WorkerDiedError(Exception):
    """The process died, hung or talked nonsense; the words say which."""


class WorkerStartError(WorkerDiedError):
    """The process did not come up at all."""


def worker_command(kind: str) -> list[str]:
    """Return how the process is started, from a checkout or from the bundled program."""
    if getattr(sys, "frozen", False):
        return [sys.executable, _FROZEN_FLAG, kind]
    return [sys.executable, "-m", "chimein_gui.adapters.frames.worker", kind]


class WorkerProcess:
    """One running process; used by one thread at a time, killed from any."""

    def __init__(self, command: list[str]) -> None:
        """Start it and wait until it is ready.

        Raises:
            WorkerStartError: It did not come up.
        """
        environment = {name: os.environ[name] for name in _KEPT_ENVIRONMENT if name in os.environ}
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=environment,
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            )
        except OSError as error:
            raise WorkerStartError(f"what draws stickers could not be started ({error.strerror})") from error
        with self._killed_after(START_S):
            try:
                ready, _ = self._read()
            except (EOFError, OSError, ValueError):
                ready = {}
        if "ready" not in ready:
            self.kill()
            raise WorkerStartError("what draws stickers could not be started")

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._process.pid

    def is_alive(self) -> bool:
        """Tell whether it still runs."""
        return self._process.poll() is None

    def ask(self, request: dict[str, Any], data: bytes, limit_s: float) -> tuple[dict[str, Any], bytes]:
        """Send one request and wait for the answer.

        Raises:
            WorkerDiedError: It died or hung; it is gone now.
        """
        assert self._process.stdin is not None
        with self._killed_after(limit_s) as hung:
            try:
                write_message(self._process.stdin, request, data)
                return self._read()
            except (EOFError, OSError, ValueError) as error:
                self.kill()
                why = f"drawing it took more than {limit_s:g} s" if hung.is_set() else "the process that draws it died"
                raise WorkerDiedError(why) from error

    def kill(self) -> None:
        """End it now, and free its pipes."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                try:
                    pipe.close()
                except OSError:  # what was still to be written
                    continue

    def stop(self) -> None:
        """Let a thread that waits for an answer go; the thread frees the pipes."""
        self._process.kill()

    def _read(self) -> tuple[dict[str, Any], bytes]:
        assert self._process.stdout is not None
        return read_message(self._process.stdout)

    @contextmanager
    def _killed_after(self, limit_s: float) -> Iterator[threading.Event]:
        """Kill the process if the body takes longer; the event tells whether that happened."""
        hung = threading.Event()

        def end() -> None:
            hung.set()
            self._process.kill()

        timer = threading.Timer(limit_s, end)
        timer.daemon = True
        timer.start()
        try:
            yield hung
        finally:
            timer.cancel()
