"""Values over a connection between two of our own processes on this machine: they cross as pickles."""

from __future__ import annotations

import asyncio
import pickle
import struct
from typing import Any

LENGTH = struct.Struct("!I")


def packed(*value: Any) -> bytes:
    """Return values as they travel."""
    data = pickle.dumps(value)
    return LENGTH.pack(len(data)) + data


class Line:
    """Both directions."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    def say(self, *value: Any) -> None:
        """Send; what was said before a kill arrives."""
        self._writer.write(packed(*value))

    async def hear(self) -> tuple[Any, ...] | None:
        """Return what comes next; None when the other side has gone."""
        try:
            (length,) = LENGTH.unpack(await self._reader.readexactly(LENGTH.size))
            value: tuple[Any, ...] = pickle.loads(await self._reader.readexactly(length))
        except (asyncio.IncompleteReadError, ConnectionError):
            return None
        return value

    async def aclose(self) -> None:
        """Hang up."""
        self._writer.close()
        try:
            await self._writer.wait_closed()
        except OSError:
            return
