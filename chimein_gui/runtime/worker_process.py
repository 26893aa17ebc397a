"""A process of the program's own that reads what strangers made: it is started, asked, and killed when it hangs."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from chimein_gui.runtime.worker_messages import read_message, write_message

START_S = 20.0
"""Longest time until the process is ready, in seconds; a machine that just woke up may be slow."""

_KEPT_ENVIRONMENT = ("PATH", "PYTHONPATH", "PYTHONHOME", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "SYSTEMROOT", "TEMP")
"""A process that reads what others made gets no keys or addresses in its environment."""


class WorkerDiedError(Exception):
    """The process crashed, hung or sent an invalid answer; the text says which."""


class WorkerStartError(WorkerDiedError):
    """The process did not start."""


def worker_command(module: str, flag: str, *arguments: str) -> list[str]:
    """Return the command of a process.

    Args:
        module: What a checkout runs.
        flag: The hidden option of the bundled program, which has no separate Python.
        arguments: What both pass on.
    """
    if getattr(sys, "frozen", False):
        return [sys.executable, flag, *arguments]
    return [sys.executable, "-m", module, *arguments]


class WorkerProcess:
    """One running process; used by one thread at a time, killed from any thread."""

    def __init__(self, command: list[str], name: str) -> None:
        """Start the process; `wait_ready` comes next.

        Args:
            command: What to run.
            name: The subject of the errors' texts, such as "the process that draws it".

        Raises:
            WorkerStartError: It did not start.
        """
        self._name = name
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
            raise WorkerStartError(f"{name} did not start ({error.strerror})") from error

    def wait_ready(self) -> None:
        """Wait until it takes requests.

        Raises:
            WorkerStartError: It died or took too long, and was killed.
        """
        with self._killed_after(START_S):
            try:
                ready, _ = self._read()
            except (EOFError, OSError, ValueError):
                ready = {}
        if "ready" not in ready:
            self.kill()
            raise WorkerStartError(f"{self._name} did not start")

    @property
    def pid(self) -> int:
        """Return its process id."""
        return self._process.pid

    def is_alive(self) -> bool:
        """Return whether it still runs."""
        return self._process.poll() is None

    def ask(self, request: dict[str, Any], data: bytes, limit_s: float) -> tuple[dict[str, Any], bytes]:
        """Send one request and wait for the answer.

        Raises:
            WorkerDiedError: It crashed or hung, and was killed.
        """
        assert self._process.stdin is not None
        with self._killed_after(limit_s) as hung:
            try:
                write_message(self._process.stdin, request, data)
                return self._read()
            except (EOFError, OSError, ValueError) as error:
                self.kill()
                why = f"took more than {limit_s:g} s" if hung.is_set() else "died"
                raise WorkerDiedError(f"{self._name} {why}") from error

    def kill(self) -> None:
        """Kill the process and close its pipes."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                try:
                    pipe.close()
                except OSError:  # what was still to be written
                    continue

    def stop(self) -> None:
        """Kill the process, which ends a waiting thread; that thread closes the pipes."""
        self._process.kill()

    def _read(self) -> tuple[dict[str, Any], bytes]:
        assert self._process.stdout is not None
        return read_message(self._process.stdout)

    @contextmanager
    def _killed_after(self, limit_s: float) -> Iterator[threading.Event]:
        """Kill the process if the body takes longer; the event is set in that case."""
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
