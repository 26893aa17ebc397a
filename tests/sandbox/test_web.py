"""The made-up web as a real HTTP client sees it: ordinary pages, hostile ones, and clients that are hostile to it."""

import asyncio
import ipaddress
import socket
import zlib
from contextlib import asynccontextmanager
from dataclasses import dataclass
from urllib.parse import urlsplit

import httpx2
import pytest

from chimein_gui.sandbox.web import deceptive, heavy, redirects
from chimein_gui.sandbox.web.names import HOSTS, public_addresses
from chimein_gui.sandbox.web.server import PAGES, SandboxWeb
from tests.fakes.web_transport import web_client

MIB = 1024 * 1024
PATIENCE_S = 60.0


@dataclass(frozen=True)
class Visit:
    client: httpx2.AsyncClient
    server: SandboxWeb
    checked: list[str]

    def __getattr__(self, name):
        return getattr(self.client, name)


@asynccontextmanager
async def web(*, secure: bool = False, **options):
    server = SandboxWeb()
    await server.start("127.0.0.1")
    try:
        authority = server.authority_pem() if secure else None
        client, backend = web_client(server.resolve, server.address_map, authority, **options)
        async with client:
            yield Visit(client, server, backend.checked)
            weather = await client.get("http://weather.example/seewalden")
            assert weather.status_code == 200  # it survives whatever has been done to it
        if serving := server._plain._tasks | server._secure._tasks:
            await asyncio.wait_for(asyncio.wait(serving), PATIENCE_S)  # and notices that everybody has left
    finally:
        await server.aclose()


async def taken(client, url, at_least):
    """Read a body until there is enough, then leave; return what came."""
    size = 0
    async with client.stream("GET", url) as answer:
        async for piece in answer.aiter_raw():
            size += len(piece)
            if size >= at_least:
                break
    return size


WITH_ADDRESSES = [
    ("loopback-resolved", "127.0.0.1"),
    ("private-resolved", "10.0.0.7"),
    ("metadata-resolved", "169.254.169.254"),
    ("carrier", "100.64.0.1"),
    ("zero", "0.0.0.0"),
    ("six-resolved", "::1"),
    ("six-mapped-resolved", "::ffff:127.0.0.1"),
    ("unique-local", "fd00::7"),
]


@pytest.mark.parametrize(("name", "address"), WITH_ADDRESSES, ids=[name for name, _ in WITH_ADDRESSES])
async def test_a_redirect_to_a_name_reaches_the_guard_with_a_private_address(name, address):
    async with web(follow_redirects=True) as client:
        with pytest.raises(httpx2.ConnectError):
            await client.get(f"http://trap.example/to/{name}")
        assert client.checked[-1] == address
        assert not ipaddress.ip_address(address).is_global


@pytest.mark.parametrize(("host", "later"), [("rebind", "127.0.0.1"), ("rebind-metadata", "169.254.169.254")])
async def test_a_rebinding_name_is_public_once(host, later):
    async with web() as client:
        first = client.server.resolve(f"{host}.example")
        assert first.startswith("203.0.113.")
        assert [client.server.resolve(f"{host}.example") for _ in range(2)] == [later, later]
    async with web() as client:
        answer = await client.get(f"http://{host}.example/", headers={"Connection": "close"})
        assert answer.status_code == 200
        with pytest.raises(httpx2.ConnectError):
            await client.get(f"http://{host}.example/")


async def test_loops_and_the_chain():
    async with web(follow_redirects=True) as client:
        for path in ("loop", "ping"):
            with pytest.raises(httpx2.TooManyRedirects):
                await client.get(f"http://trap.example/{path}")
        chain = await client.get("http://trap.example/chain")
        assert (len(chain.history), "a long way" in chain.text) == (20, True)
        assert "taking a cookie" in (await client.get("http://trap.example/cookies")).text
    async with web(follow_redirects=True, max_redirects=5) as client:
        with pytest.raises(httpx2.TooManyRedirects):
            await client.get("http://trap.example/chain")


@pytest.mark.parametrize(("url", "enough"), [("heavy.example/endless", 8 * MIB), ("slow.example/drip", 20)])
async def test_an_endless_body_goes_on_until_the_client_leaves(url, enough):
    async with web() as client:
        assert await taken(client, f"http://{url}", enough) >= enough


@pytest.mark.parametrize("path", ["headers", "hang", "hang-in-body"])
async def test_a_server_that_takes_its_time(path):
    async with web() as client:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(client.get(f"http://slow.example/{path}"), 0.3)


async def test_a_bomb_is_small_on_the_wire_and_large_in_memory():
    unpacked = zlib.decompressobj(zlib.MAX_WBITS | 16)
    pieces = heavy.zeros_compressed(4)
    inflated = sum(len(unpacked.decompress(piece)) for piece in pieces)
    assert inflated == 4 * MIB
    async with web() as client:
        async with client.stream("GET", "http://heavy.example/bomb") as answer:
            assert answer.headers["content-encoding"] == "gzip"
            size = sum([len(piece) async for piece in answer.aiter_raw()])
        assert MIB < size < 1.3 * MIB
        async with client.stream("GET", "http://heavy.example/nested-bomb") as answer:
            packed = b"".join([piece async for piece in answer.aiter_raw()])
        assert len(packed) < 100_000
        inner = zlib.decompress(packed, zlib.MAX_WBITS | 16)
        assert 9 * MIB < len(inner) < 12 * MIB  # which inflates to a thousand times that
        assert len(zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(inner[:20_000])) > 10 * MIB


@pytest.mark.parametrize("path", ["too-short", "no-http", "bad-chunks", "closes"])
async def test_answers_that_break_the_rules(path):
    async with web() as client:
        with pytest.raises(httpx2.RemoteProtocolError):
            await client.get(f"http://broken.example/{path}")


async def test_the_injection_speaks_the_reply_grammar_openly_and_hidden():
    async with web() as client:
        page = (await client.get("http://whisper.example/regatta")).text
        assert page.count("# «send»") >= 3
        assert "display: none" in page
        assert "keys" in page
        bidi = (await client.get("http://whisper.example/bidi")).text
        assert {"\u202e", "\u200b", "\u2066", "\ufeff"} <= set(bidi)


async def test_every_other_hostile_page_answers_something():
    special = {"slow.example", "heavy.example"}
    rude = {"too-short", "no-http", "bad-chunks", "closes", "bad-gzip"}
    async with web() as client:
        for page in (*deceptive.PAGES, *redirects.PAGES, *heavy.PAGES):
            parts = urlsplit(page.url)
            if parts.netloc in special or parts.path.strip("/") in rude or parts.netloc.startswith("rebind"):
                continue
            answer = await client.get(page.url)
            assert 200 <= answer.status_code < 600, page.url


LEAVING = {
    "before a word": b"",
    "in the middle of the head": b"GET / HTTP/1.1\r\nHost: weather.ex",
    "nonsense": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03 hello",
    "a head without end": b"GET / HTTP/1.1\r\n" + b"X-A: b\r\n" * 100_000,
    "a body without end": b"POST / HTTP/1.1\r\nHost: weather.example\r\nContent-Length: 99999999\r\n\r\n"
    + b"x" * 10_000,
    "in the middle of an endless page": b"GET /endless HTTP/1.1\r\nHost: heavy.example\r\n\r\n",
    "a page that hangs": b"GET /hang HTTP/1.1\r\nHost: slow.example\r\n\r\n",
    "no host": b"GET / HTTP/1.0\r\n\r\n",
}


@pytest.mark.parametrize("said", LEAVING.values(), ids=LEAVING)
@pytest.mark.parametrize("secure", [False, True], ids=["http", "https"])
async def test_clients_that_break_off(said, secure):
    async with web() as client:
        port = client.server.address_map[("203.0.113.10", 443 if secure else 80)][1]
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(said)
        if b"endless" in said and not secure:
            await asyncio.wait_for(reader.readexactly(MIB), PATIENCE_S)
        writer.transport.abort()


async def test_closing_breaks_off_whoever_is_still_there():
    server = SandboxWeb()
    await server.start("127.0.0.1")
    client, _ = web_client(server.resolve, server.address_map)
    async with client:
        async with client.stream("GET", "http://slow.example/drip") as answer:
            pieces = answer.aiter_raw()
            await anext(pieces)
            await server.aclose()
            with pytest.raises((httpx2.RemoteProtocolError, httpx2.ReadError)):
                async for _ in pieces:
                    pass
        with pytest.raises(httpx2.ConnectError):
            await client.get("http://weather.example/seewalden")
    await server.aclose()


ORDINARY = [page for page in PAGES if not page.is_hostile]

SEEN = {
    "http://weather.example/seewalden": "Böen bis 75 km/h",
    "http://journal.example/marche": "coupe à l'ancienne : « un peu plus ? un peu moins ? »",
    "http://onsen.example/": "湖のほとりにある小さな温泉",
    "http://harbour.example/": "مقهى",
    "http://data.example/ferries.json": "Äsche",
    "http://data.example/small-print": "This page travels compressed",
}


async def test_ordinary_pages_arrive_in_their_charset():
    async with web() as client:
        for page in ORDINARY:
            answer = await client.get(page.url)
            assert answer.status_code < 400, page.url
            assert SEEN.get(page.url, "") in answer.text
            assert HOSTS[urlsplit(page.url).netloc][0] in client.checked
    assert {page.url for page in ORDINARY} >= SEEN.keys()


async def test_a_charset_that_only_a_meta_element_tells():
    async with web() as client:
        answer = await client.get("http://gazeta.example/")
        assert answer.headers["content-type"] == "text/html"
        assert "Паром снова ходит" in answer.content.decode("windows-1251")


async def test_the_search_finds_pages_that_exist():
    async with web() as client:
        answer = await client.get("http://search.example/find", params={"q": "plum <b>"})
        assert 'href="http://lakeside-cafe.example/recipes/plum-cake"' in answer.text
        assert "plum &lt;b&gt;" in answer.text
        assert "forum.example" not in answer.text
        everything = await client.get("http://search.example/find?q=zzz")
        assert (
            everything.text.count('<li class="hit">') == len(ORDINARY) - 3
        )  # not the end of a redirect, nor what programs may not read


async def test_the_same_pages_over_https_for_whoever_trusts_the_authority():
    async with web(secure=True) as client:
        answer = await client.get("https://weather.example/seewalden")
        assert "Wetter für Seewalden" in answer.text
        again = await client.get("https://onsen.example/")
        assert "湯の里" in again.text


async def test_nobody_else_trusts_it():
    async with web() as client:
        with pytest.raises(httpx2.ConnectError, match="certificate verify failed"):
            await client.get("https://weather.example/seewalden")


async def test_every_host_has_an_address_of_its_own_and_unknown_ones_none():
    web_server = SandboxWeb()
    first = [answers[0] for answers in HOSTS.values() if answers[0].startswith("203.0.113.")]
    assert len(set(first)) == len(first) == len(public_addresses())
    assert web_server.resolve("Weather.Example.") == web_server.resolve("weather.example")
    with pytest.raises(socket.gaierror):
        web_server.resolve("no-such-host.example")
    with pytest.raises(socket.gaierror):
        web_server.resolve("localhost")


async def test_what_is_not_there():
    async with web() as client:
        assert (await client.get("http://weather.example/tomorrow")).status_code == 404
        assert (await client.post("http://weather.example/seewalden")).status_code == 405
        assert (await client.head("http://weather.example/seewalden")).content == b""
        misdirected = await client.get("http://weather.example/", headers={"Host": "else.where"})
        assert misdirected.status_code == 421
