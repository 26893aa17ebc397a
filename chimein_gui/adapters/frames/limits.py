"""What the process that draws takes away from itself before it touches a foreign byte."""

from __future__ import annotations

import sys
import time

MEMORY_BYTES = 512 * 2**20
"""Address space that stickers may take, beyond what the libraries and their threads (one for each core) have."""

CPU_S = 5
"""Processor seconds one sticker may take: the last net, where nobody is left to kill a process that hangs."""


def give_up_rights() -> None:
    """Take no more memory than a sticker needs, open nothing any more, leave no core file."""
    if sys.platform == "win32":
        return
    import resource

    _limit(resource.RLIMIT_CORE, 0)
    _limit(resource.RLIMIT_FSIZE, 0)
    _limit(resource.RLIMIT_AS, _address_space() + MEMORY_BYTES)
    # Pipes are open, libraries are loaded: whatever a sticker names cannot be opened.
    _limit(resource.RLIMIT_NOFILE, 0)


def allow_one_sticker() -> None:
    """Move the limit of processor time ahead."""
    if sys.platform == "win32":
        return
    import resource

    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    until = int(time.process_time()) + CPU_S
    resource.setrlimit(resource.RLIMIT_CPU, (until if hard == resource.RLIM_INFINITY else min(until, hard), hard))


def _address_space() -> int:
    """Return what is taken already, in bytes; a guess where the system does not tell (and does not limit it either)."""
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
