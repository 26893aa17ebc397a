"""The resources of a process: memory, tasks, threads, sockets, open files; for long runs that must not leak."""

import _sqlite3
import asyncio
import ctypes
import gc
import os
import sys
import threading
from dataclasses import dataclass
from pathlib import Path

_PROC = Path("/proc/self")


@dataclass(frozen=True, slots=True)
class Vitals:
    """The resources of this process at one moment; figures that only Linux provides are 0 elsewhere.

    Attributes:
        rss: Resident memory in bytes, after a full collection and after unused heap was given back.
        sqlite: Bytes of it that SQLite holds, nearly all of it page caches: they grow with the files up to 2 MB each.
        tasks: Unfinished tasks of the running loop.
        threads: Python's threads.
        sockets: Open sockets.
        files: Other open files.
    """

    rss: int
    sqlite: int
    tasks: int
    threads: int
    sockets: int
    files: int


def take_vitals() -> Vitals:
    """Collect garbage, give memory back and measure; takes some 50 ms, and needs a running loop."""
    gc.collect()
    _trim_memory()
    targets = open_files()
    sockets = sum(target.startswith("socket:") for target in targets)
    return Vitals(
        _resident(),
        _held_by_sqlite(),
        len(asyncio.all_tasks()),
        threading.active_count(),
        sockets,
        len(targets) - sockets,
    )


def _trim_memory() -> None:
    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # glibc's; musl has none
        if trim is not None:
            trim(0)


def _held_by_sqlite() -> int:
    used = getattr(ctypes.CDLL(_sqlite3.__file__), "sqlite3_memory_used", None) if sys.platform == "linux" else None
    if used is None:
        return 0
    used.restype = ctypes.c_int64
    return int(used())


def _resident() -> int:
    if sys.platform != "linux":
        return 0
    pages = int(_PROC.joinpath("statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def open_files() -> list[str]:
    """Return the target of each open descriptor; empty outside Linux."""
    if sys.platform != "linux":
        return []
    found = []
    for entry in _PROC.joinpath("fd").iterdir():
        try:
            found.append(os.readlink(entry))  # noqa: PTH115 - sockets are no paths
        except OSError:
            continue  # the one that listed the directory
    return found
