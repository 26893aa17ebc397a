"""Sockets for calls to Gemini: cut off."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable
from typing import Any

from chimein_gui.adapters.gemini.network import connected
from tests.support.local_servers import serving


async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Stay connected until the other side goes."""
    await reader.read()
    writer.close()


async def test_a_connection_that_nobody_wants_any_more_is_closed() -> None:
    """Cancelled at whatever step of the loop: a plan is, when its partner writes again."""
    loop = asyncio.get_running_loop()
    made: list[socket.socket] = []
    connect = loop.sock_connect

    def remember(sock: socket.socket, address: Any) -> Awaitable[None]:
        made.append(sock)
        return connect(sock, address)

    loop.sock_connect = remember  # type: ignore[method-assign, assignment]
    async with serving(accept) as port:
        for host in ("127.0.0.1", "localhost"):
            was_cancelled = True
            steps = 0
            while was_cancelled:
                connecting = asyncio.ensure_future(connected(host, port))  # noqa: TID251 - to cancel it
                for _ in range(steps):
                    await asyncio.sleep(0)
                connecting.cancel()
                (outcome,) = await asyncio.gather(connecting, return_exceptions=True)
                was_cancelled = isinstance(outcome, BaseException)
                if not isinstance(outcome, BaseException):
                    outcome.close()
                steps += 1
            assert steps > 2
    for _ in range(3):
        await asyncio.sleep(0)  # transports close in the loop's next step
    assert [sock for sock in made if sock.fileno() >= 0] == []
