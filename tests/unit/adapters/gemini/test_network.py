"""httpcore2 on asyncio's streams: encrypted, kept alive, timed out and cut off."""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest

from chimein_gui.adapters.gemini import network
from chimein_gui.adapters.gemini.network import LoopBackend, open_http_transport
from tests.support.local_servers import certificate, serving, trusting

ANSWER = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"


@asynccontextmanager
async def client(
    verify: ssl.SSLContext | None = None, patience_s: float = 60.0, silence_s: float = 60.0
) -> AsyncIterator[httpx2.AsyncClient]:
    transport = open_http_transport(httpx2.Limits(max_connections=4, max_keepalive_connections=4))
    if verify is not None:
        transport._pool._ssl_context = verify
    patience = httpx2.Timeout(patience_s, read=silence_s)
    async with httpx2.AsyncClient(transport=transport, trust_env=False, timeout=patience) as made:
        yield made


class Server:
    """Answers every request, and counts its connections."""

    def __init__(self) -> None:
        self.connections = 0
        self.writers: list[asyncio.StreamWriter] = []

    async def __call__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        self.writers.append(writer)
        try:
            while await reader.readuntil(b"\r\n\r\n"):
                writer.write(ANSWER)
                await writer.drain()
        except (asyncio.IncompleteReadError, OSError):
            writer.close()


async def test_a_connection_is_kept_and_used_again() -> None:
    server = Server()
    async with serving(server) as port, client() as http:
        for _ in range(3):
            assert (await http.get(f"http://127.0.0.1:{port}/")).text == "ok"
    assert server.connections == 1


async def test_a_connection_that_the_server_ended_is_not_used_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(network, "FRESH_S", 0.0)
    server = Server()
    async with serving(server) as port, client() as http:
        await http.get(f"http://127.0.0.1:{port}/")
        server.writers[0].close()
        await server.writers[0].wait_closed()
        assert (await http.get(f"http://127.0.0.1:{port}/")).text == "ok"
    assert server.connections == 2


@pytest.mark.parametrize("qt", [False, pytest.param(True, marks=pytest.mark.qt_loop)])
async def test_tls_is_spoken_and_verified(tmp_path: Path, qt: bool) -> None:
    pem = certificate(tmp_path)
    async with serving(Server(), pem) as port, client(trusting(pem)) as http:
        for _ in range(2):
            assert (await http.get(f"https://localhost:{port}/")).text == "ok"


async def test_a_certificate_for_somebody_else_is_refused(tmp_path: Path) -> None:
    pem = certificate(tmp_path, "elsewhere.test")
    async with serving(Server(), pem) as port, client(trusting(pem)) as http:
        with pytest.raises(httpx2.ConnectError, match=r"(?i)certificate|hostname"):
            await http.get(f"https://localhost:{port}/")


async def test_a_certificate_that_nobody_vouches_for_is_refused(tmp_path: Path) -> None:
    pem = certificate(tmp_path)
    async with serving(Server(), pem) as port, client() as http:
        with pytest.raises(httpx2.ConnectError, match=r"(?i)certificate"):
            await http.get(f"https://localhost:{port}/")


async def test_a_server_that_says_nothing_runs_into_the_time_out() -> None:
    asked = asyncio.Event()
    done = asyncio.Event()

    async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        asked.set()
        await done.wait()
        writer.close()

    async with serving(silent) as port, client(silence_s=0.05) as http:
        with pytest.raises(httpx2.ReadTimeout):
            await http.get(f"http://127.0.0.1:{port}/")
        await asked.wait()
        done.set()


async def test_a_connection_that_nobody_wants_any_more_is_closed() -> None:
    """Cancelled at whatever step of the loop: a plan is, when its partner writes again."""
    loop = asyncio.get_running_loop()
    made: list[socket.socket] = []
    connect = loop.sock_connect

    def remember(sock: socket.socket, address: Any) -> Awaitable[None]:
        made.append(sock)
        return connect(sock, address)

    loop.sock_connect = remember  # type: ignore[method-assign, assignment]
    server = Server()
    async with serving(server) as port:
        for host in ("127.0.0.1", "localhost"):
            was_cancelled = True
            steps = 0
            while was_cancelled:
                connecting = asyncio.ensure_future(LoopBackend().connect_tcp(host, port))  # noqa: TID251 - to cancel it
                for _ in range(steps):
                    await asyncio.sleep(0)
                connecting.cancel()
                (outcome,) = await asyncio.gather(connecting, return_exceptions=True)
                was_cancelled = isinstance(outcome, BaseException)
                if not isinstance(outcome, BaseException):
                    await outcome.aclose()
                steps += 1
            assert steps > 2
        for writer in server.writers:
            writer.close()
            await writer.wait_closed()
    for _ in range(3):
        await asyncio.sleep(0)  # transports close in the loop's next step
    assert [sock for sock in made if sock.fileno() >= 0] == []
