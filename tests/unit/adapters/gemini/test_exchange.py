"""How calls to Gemini travel: httpx2's requests and errors, on connections that are kept."""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import ssl
import zlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx2
import pytest

from chimein_gui.adapters.gemini import exchange
from tests.support.local_servers import certificate, serving, trusting

HEADERS = {"Content-Type": "application/json", "x-goog-api-key": "secret", "user-agent": "theirs/1"}
PLAIN = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\nok"


class Server:
    """Answers each POST with the next of its answers, the last for ever; keeps what it was asked."""

    def __init__(self, *answers: bytes) -> None:
        self.answers = list(answers) or [PLAIN]
        self.heads: list[bytes] = []
        self.bodies: list[bytes] = []
        self.writers: list[asyncio.StreamWriter] = []
        self.asked = asyncio.Event()
        self.gone = asyncio.Event()
        self.here: set[asyncio.StreamWriter] = set()

    async def __call__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.writers.append(writer)
        self.here.add(writer)
        self.gone.clear()
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                [length] = [line for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:")]
                self.heads.append(head)
                self.bodies.append(await reader.readexactly(int(length.split(b":")[1])))
                self.asked.set()
                answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
                writer.write(answer)
                if b"Content-Length" not in answer and b"chunked" not in answer and answer:
                    return
        except (asyncio.IncompleteReadError, OSError):
            pass
        finally:
            writer.close()
            self.here.discard(writer)
            if not self.here:
                self.gone.set()

    def fields(self, call: int = -1) -> dict[bytes, bytes]:
        lines = self.heads[call].split(b"\r\n")[1:-2]
        return {name.lower(): value for name, _, value in (line.partition(b": ") for line in lines)}


@asynccontextmanager
async def served(server: Server, pem: Path | None = None) -> AsyncIterator[int]:
    async with serving(server, pem) as port:
        yield port
        if server.writers:
            await server.gone.wait()


@asynccontextmanager
async def client(verify: ssl.SSLContext | None = None, most: int = 4) -> AsyncIterator[httpx2.AsyncClient]:
    context = verify or httpx2.create_ssl_context(trust_env=False)
    transport = exchange.Connections(context, most=most, keep_alive_s=30.0)
    async with httpx2.AsyncClient(trust_env=False, follow_redirects=False, transport=transport) as made:
        yield made


def kept_by(http: httpx2.AsyncClient) -> list[list[exchange.Connection]]:
    """The idle connections of a client, by origin."""
    assert isinstance(http._transport, exchange.Connections)
    return list(http._transport._idle.values())


async def post(http: httpx2.AsyncClient, port: int, content: bytes = b"{}", scheme: str = "http") -> httpx2.Response:
    host = "localhost" if scheme == "https" else "127.0.0.1"
    return await http.request("post", f"{scheme}://{host}:{port}/v1/m:do?a=b", headers=HEADERS, content=content)


async def test_the_wire_carries_what_was_given_and_nothing_comes_back_but_the_answer() -> None:
    cookie = PLAIN.replace(b"Content-Length", b"Set-Cookie: a=b\r\nContent-Length")
    server = Server(cookie)
    async with served(server) as port, client() as http:
        for content in (b"{}", b"", "später".encode(), b"x" * 300_000):
            answer = await post(http, port, content)
            assert (answer.status_code, answer.text, server.bodies[-1]) == (200, "ok", content)
            assert server.heads[-1].startswith(b"POST /v1/m:do?a=b HTTP/1.1\r\n")
            fields = server.fields()
            assert (fields[b"x-goog-api-key"], fields[b"user-agent"]) == (b"secret", b"theirs/1")
            assert b"cookie" not in fields
        assert len(http.cookies) == 0


async def test_a_get_and_a_redirect_travel_the_same_way() -> None:
    heads: list[bytes] = []

    async def moved(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for _ in range(2):
            heads.append(await reader.readuntil(b"\r\n\r\n"))
            writer.write(b"HTTP/1.1 302 Found\r\nLocation: http://b.test/\r\nContent-Length: 0\r\n\r\n")
        writer.close()

    async with serving(moved) as port, client() as http:
        for _ in range(2):
            assert (await http.get(f"http://127.0.0.1:{port}/models?pageSize=1000")).status_code == 302
    assert [head.split(b" HTTP")[0] for head in heads] == [b"GET /models?pageSize=1000"] * 2
    assert all(b"content-length" not in head.lower() for head in heads)


async def test_a_connection_is_kept_and_used_again() -> None:
    server = Server()
    async with served(server) as port, client() as http:
        for _ in range(3):
            assert (await post(http, port)).text == "ok"
    assert len(server.writers) == 1


async def test_several_calls_at_once_have_a_connection_each_and_no_more_than_allowed() -> None:
    server = Server()
    async with served(server) as port, client(most=2) as http:
        answers = await asyncio.gather(*(post(http, port, b"%d" % number) for number in range(6)))
    assert [answer.text for answer in answers] == ["ok"] * 6
    assert sorted(server.bodies) == [b"%d" % number for number in range(6)]
    assert len(server.writers) == 2


@pytest.mark.parametrize(
    "answer",
    [
        b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello",
        b"HTTP/1.0 200 OK\r\n\r\nhello",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n",
        b"HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
    ],
)
async def test_every_kind_of_end_is_understood(answer: bytes) -> None:
    server = Server(answer, PLAIN)
    async with served(server) as port, client() as http:
        assert (await post(http, port)).text == "hello"
        assert (await post(http, port)).text == "ok"


async def test_a_compressed_answer_is_unpacked() -> None:
    packed = gzip.compress("Grüße".encode())
    head = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n" % len(packed)
    async with served(Server(head + packed)) as port, client() as http:
        assert (await post(http, port)).text == "Grüße"


async def test_an_answer_without_end_is_given_up_and_the_connection_is_cut() -> None:
    sent = 0

    async def endless(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal sent
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
        with contextlib.suppress(OSError):
            while sent < 50 * exchange.MOST_BODY_BYTES:
                writer.write(b"10000\r\n" + b"x" * 0x10000 + b"\r\n")
                sent += 0x10000
                await writer.drain()
        writer.close()

    async with serving(endless) as port, client() as http:
        with pytest.raises(exchange.TooLongError):
            await post(http, port)
        assert not any(kept_by(http))
    assert exchange.MOST_BODY_BYTES < sent < 50 * exchange.MOST_BODY_BYTES


async def test_an_answer_that_announces_too_much_is_not_waited_for() -> None:
    head = b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % (exchange.MOST_BODY_BYTES + 1)
    async with served(Server(head)) as port, client() as http:
        with pytest.raises(exchange.TooLongError):
            await post(http, port)


@pytest.mark.parametrize("encoding", ["gzip", "deflate"])
async def test_an_answer_that_unpacks_to_too_much_is_not_unpacked(encoding: str) -> None:
    much = b"x" * (exchange.MOST_BODY_BYTES + 1)
    packed = gzip.compress(much) if encoding == "gzip" else zlib.compress(much)
    assert len(packed) < 0x10000
    head = b"HTTP/1.1 200 OK\r\nContent-Encoding: %s\r\nContent-Length: %d\r\n\r\n"
    async with served(Server(head % (encoding.encode(), len(packed)) + packed)) as port, client() as http:
        with pytest.raises(exchange.TooLongError):
            await post(http, port)


async def test_an_answer_packed_more_than_once_is_not_unpacked() -> None:
    packed = gzip.compress(gzip.compress(b"ok"))
    head = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip, gzip\r\nContent-Length: %d\r\n\r\n" % len(packed)
    async with served(Server(head + packed)) as port, client() as http:
        with pytest.raises(httpx2.DecodingError):
            await post(http, port)


async def test_a_connection_that_the_server_ended_is_not_used_again() -> None:
    server = Server()
    async with served(server) as port, client() as http:
        await post(http, port)
        [[kept]] = kept_by(http)
        server.writers[0].close()
        await kept.gone
        assert (await post(http, port)).text == "ok"
    assert len(server.writers) == 2


async def test_a_connection_whose_end_nobody_has_looked_at_is_not_used_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """The loop may come to the next call before it comes to the socket."""
    looked: list[object] = []

    def has_data(sock: object) -> bool:
        looked.append(sock)
        return True

    monkeypatch.setattr(exchange, "has_data", has_data)
    server = Server()
    async with served(server) as port, client() as http:
        await post(http, port)
        await post(http, port)
        assert (len(server.writers), looked) == (1, [])
        monkeypatch.setattr(exchange, "FRESH_S", -1.0)
        assert (await post(http, port)).text == "ok"
    assert (len(server.writers), len(looked)) == (2, 1)


async def test_a_connection_that_says_what_nobody_asked_for_is_not_used_again() -> None:
    server = Server(PLAIN + PLAIN, PLAIN)
    async with served(server) as port, client() as http:
        await post(http, port)
        assert (await post(http, port, b"second")).text == "ok"
        server.writers[-1].write(PLAIN)
        [[kept]] = kept_by(http)
        await kept.gone
        await post(http, port, b"third")
    assert server.bodies == [b"{}", b"second", b"third"]
    assert len(server.writers) == 3


async def test_cancelling_hangs_up_at_once() -> None:
    server = Server(b"")
    async with served(server) as port, client() as http, asyncio.TaskGroup() as group:
        call = group.create_task(post(http, port))
        await server.asked.wait()
        call.cancel()
        await server.gone.wait()
        assert not any(kept_by(http))


async def test_cancelling_in_the_moment_of_the_answer_leaves_no_connection_behind(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    server, calls, real = Server(), list[asyncio.Task[httpx2.Response]](), exchange.Connection.data_received

    def and_cancel(self: exchange.Connection, data: bytes) -> None:
        real(self, data)
        calls[0].cancel()

    monkeypatch.setattr(exchange.Connection, "data_received", and_cancel)
    async with served(server) as port, client() as http, asyncio.TaskGroup() as group:
        calls.append(group.create_task(post(http, port)))
        await server.asked.wait()
        async with asyncio.timeout(60):
            await server.gone.wait()
        assert calls[0].cancelled()
        assert not any(kept_by(http))


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (b"HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhalf", httpx2.RemoteProtocolError),
        (b"SSH-2.0-OpenSSH\r\n\r\n", httpx2.RemoteProtocolError),
        (b"HTTP/1.1 200 OK\r\nX: " + b"x" * (exchange.MOST_HEADER_BYTES + 9), httpx2.RemoteProtocolError),
    ],
)
async def test_what_is_no_whole_answer_is_an_error(answer: bytes, error: type[Exception]) -> None:
    async def rude(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(answer)
        writer.close()

    async with serving(rude) as port, client() as http:
        with pytest.raises(error):
            await post(http, port)


async def test_a_header_that_would_smuggle_a_line_is_refused() -> None:
    server = Server()
    async with served(server) as port, client() as http:
        with pytest.raises(httpx2.LocalProtocolError):
            await http.request("POST", f"http://127.0.0.1:{port}/", headers={"x": "a\r\nb: c"}, content=b"")
        assert (await post(http, port)).text == "ok"
    assert server.bodies == [b"{}"]


async def test_connecting_ends_in_time(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The other side takes the connection and never shakes hands."""
    monkeypatch.setattr(exchange, "CONNECT_S", 0.05)
    done = asyncio.Event()

    async def silent(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await done.wait()
        writer.close()

    async with serving(silent) as port, client(trusting(certificate(tmp_path))) as http:
        with pytest.raises(httpx2.ConnectTimeout):
            await post(http, port, scheme="https")
        done.set()


@pytest.mark.parametrize("qt", [False, pytest.param(True, marks=pytest.mark.qt_loop)])
async def test_tls_is_spoken_and_verified(tmp_path: Path, qt: bool) -> None:
    pem, server = certificate(tmp_path), Server()
    async with served(server, pem) as port, client(trusting(pem)) as http:
        for _ in range(2):
            assert (await post(http, port, b"x" * 100_000, scheme="https")).text == "ok"
    assert len(server.writers) == 1


async def test_a_certificate_for_somebody_else_is_refused(tmp_path: Path) -> None:
    pem = certificate(tmp_path, "elsewhere.test")
    async with served(Server(), pem) as port, client(trusting(pem)) as http:
        with pytest.raises(httpx2.ConnectError, match=r"(?i)certificate|hostname"):
            await post(http, port, scheme="https")


async def test_a_certificate_that_nobody_vouches_for_is_refused(tmp_path: Path) -> None:
    pem = certificate(tmp_path)
    async with served(Server(), pem) as port, client() as http:
        with pytest.raises(httpx2.ConnectError, match=r"(?i)certificate"):
            await post(http, port, scheme="https")
