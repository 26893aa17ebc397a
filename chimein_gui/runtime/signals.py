"""Turns SIGINT and SIGTERM into an event of the loop."""

from __future__ import annotations

import asyncio
import signal
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


@asynccontextmanager
async def signals_set(closing: asyncio.Event) -> AsyncIterator[None]:
    """Set `closing` on SIGINT or SIGTERM. Qt's loop runs no Python while it waits, so a socket wakes it.

    On Windows this does nothing.
    """
    if sys.platform == "win32":
        yield
        return
    loop = asyncio.get_running_loop()
    reading, writing = socket.socketpair()
    reading.setblocking(False)
    writing.setblocking(False)
    before = signal.set_wakeup_fd(writing.fileno(), warn_on_full_buffer=False)
    handlers = {number: signal.signal(number, lambda *_: None) for number in (signal.SIGINT, signal.SIGTERM)}

    def woken() -> None:
        reading.recv(4096)
        closing.set()

    loop.add_reader(reading.fileno(), woken)
    try:
        yield
    finally:
        loop.remove_reader(reading.fileno())
        signal.set_wakeup_fd(before)
        for number, handler in handlers.items():
            signal.signal(number, handler)
        reading.close()
        writing.close()
