"""A file and a port that must not be accessed; they report every access, by whatever library."""

from __future__ import annotations

import ctypes
import os
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_OPENED = 0x20
_READ = 0x01
_NON_BLOCKING = 0o4000


class Bait:
    """A file and a port.

    Attributes:
        path: The file.
        port: The port, of 127.0.0.1.
    """

    def __init__(self, path: Path, listener: socket.socket, watch: int | None) -> None:
        self.path = path
        self.port: int = listener.getsockname()[1]
        self._listener, self._watch = listener, watch

    def touched(self) -> list[str]:
        """Return the accesses since the last call."""
        found = []
        if self._watch is not None:
            try:
                if os.read(self._watch, 4096):
                    found.append("the file was opened")
            except BlockingIOError:
                pass
        try:
            self._listener.accept()[0].close()
            found.append("the port was called")
        except BlockingIOError:
            pass
        return found


@contextmanager
def laid(folder: Path) -> Iterator[Bait]:
    """Provide the file and the port; on a system without inotify only the port reports accesses."""
    path = folder / "bait.png"
    path.write_bytes(b"\x89PNG\r\n\x1a\n")
    watch = _watched(path) if sys.platform == "linux" else None
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.setblocking(False)
        try:
            yield Bait(path, listener, watch)
        finally:
            if watch is not None:
                os.close(watch)


def _watched(path: Path) -> int:
    """Watch a file at the level of the system, because Qt opens files without Python."""
    library = ctypes.CDLL(None, use_errno=True)
    watch = int(library.inotify_init1(_NON_BLOCKING))
    if watch < 0 or library.inotify_add_watch(watch, os.fsencode(path), _OPENED | _READ) < 0:
        raise OSError(ctypes.get_errno(), "inotify")
    return watch
