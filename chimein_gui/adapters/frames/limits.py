"""Limits that the rendering process sets for itself before it reads foreign data."""

from __future__ import annotations

import sys
import time

MEMORY_BYTES = 512 * 2**20
"""Memory for stickers, beyond what the libraries and their threads (one per core) already use."""

CPU_S = 5
"""Processor seconds per sticker; the last protection if the parent can't kill a process that hangs."""


def give_up_rights() -> None:
    """Limit memory to what a sticker needs, and forbid opening files and writing core files."""
    if sys.platform == "win32":
        return
    import resource

    _limit(resource.RLIMIT_CORE, 0)
    _limit(resource.RLIMIT_FSIZE, 0)
    _limit(resource.RLIMIT_AS, _address_space() + MEMORY_BYTES)
    # Pipes are open and libraries loaded, so a path in a sticker can't be opened.
    _limit(resource.RLIMIT_NOFILE, 0)


def allow_one_sticker() -> None:
    """Raise the limit of processor time for one more sticker."""
    if sys.platform == "win32":
        return
    import resource

    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    until = int(time.process_time()) + CPU_S
    resource.setrlimit(resource.RLIMIT_CPU, (until if hard == resource.RLIM_INFINITY else min(until, hard), hard))


def _address_space() -> int:
    """Return the used address space in bytes; a guess where the system does not report (or limit) it."""
    import resource

    try:
        with open("/proc/self/statm", encoding="ascii") as file:  # noqa: PTH123 - pathlib is not worth loading here
            return int(file.read().split()[0]) * resource.getpagesize()
    except (OSError, ValueError):
        return 4 * 2**30


def _limit(what: int, value: int) -> None:
    import resource

    _, hard = resource.getrlimit(what)
    allowed = value if hard == resource.RLIM_INFINITY else min(value, hard)
    resource.setrlimit(what, (allowed, allowed))
