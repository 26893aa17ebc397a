"""Asks a program that `tests.e2e.bus.program` runs what is true within, beside what its window tells."""

from __future__ import annotations

import json
import socket
from pathlib import Path
from typing import Any

ANSWER_S = 60.0


class Door:
    """The other end of the socket."""

    def __init__(self, path: Path) -> None:
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.settimeout(ANSWER_S)
        self._socket.connect(str(path))
        self._lines = self._socket.makefile()

    def ask(self, question: str, **more: object) -> Any:
        """Ask one of the questions of `tests.e2e.bus.program.Door`."""
        self._socket.sendall(json.dumps({"ask": question, **more}).encode() + b"\n")
        return json.loads(self._lines.readline())

    def close(self) -> None:
        """Let the program end."""
        self.ask("end")
        self._lines.close()
        self._socket.close()
