"""Sends pickled values between two processes of the tests on this machine."""

from __future__ import annotations

import asyncio
import pickle
import struct
from typing import Any

LENGTH = struct.Struct("!I")


def packed(*value: Any) -> bytes:
    """Return values in their form on the wire."""
    data = pickle.dumps(value)
    return LENGTH.pack(len(data)) + data


class Line:
    """A connection with both directions."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    def say(self, *value: Any) -> None:
        """Send values; those sent before a kill arrive."""
        self._writer.write(packed(*value))

    async def hear(self) -> tuple[Any, ...] | None:
        """Return the next values; None when the other side has closed."""
        try:
            (length,) = LENGTH.unpack(await self._reader.readexactly(LENGTH.size))
            value: tuple[Any, ...] = pickle.loads(await self._reader.readexactly(length))
        except (asyncio.IncompleteReadError, ConnectionError):
            return None
        return value

    async def aclose(self) -> None:
        """Close the connection."""
        self._writer.close()
        try:
            await self._writer.wait_closed()
        except OSError:
            return
