"""The made-up web as a real HTTP client sees it: names above, map below."""

import socket
from contextlib import asynccontextmanager
from urllib.parse import urlsplit

import httpx2
import pytest

from chimein_gui.sandbox.web.catalogue import PAGES
from chimein_gui.sandbox.web.names import HOSTS, public_addresses
from chimein_gui.sandbox.web.server import SandboxWeb
from tests.fakes.web_transport import web_client


@asynccontextmanager
async def web(*, secure: bool = False, **options):
    server = SandboxWeb()
    await server.start("127.0.0.1")
    try:
        authority = server.authority_pem() if secure else None
        client, backend = web_client(server.resolve, server.address_map, authority, **options)
        async with client:
            yield client, backend.checked
    finally:
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
    async with web() as (client, checked):
        for page in ORDINARY:
            answer = await client.get(page.url)
            assert answer.status_code < 400, page.url
            assert SEEN.get(page.url, "") in answer.text
            assert HOSTS[urlsplit(page.url).netloc][0] in checked
    assert {page.url for page in ORDINARY} >= SEEN.keys()


async def test_a_charset_that_only_a_meta_element_tells():
    async with web() as (client, _):
        answer = await client.get("http://gazeta.example/")
        assert answer.headers["content-type"] == "text/html"
        assert "Паром снова ходит" in answer.content.decode("windows-1251")


async def test_the_search_finds_pages_that_exist():
    async with web() as (client, _):
        answer = await client.get("http://search.example/find", params={"q": "plum <b>"})
        assert 'href="http://lakeside-cafe.example/recipes/plum-cake"' in answer.text
        assert "plum &lt;b&gt;" in answer.text
        assert "forum.example" not in answer.text
        everything = await client.get("http://search.example/find?q=zzz")
        assert everything.text.count('<li class="hit">') == len(ORDINARY) - 1  # not the end of a redirect


async def test_the_same_pages_over_https_for_whoever_trusts_the_authority():
    async with web(secure=True) as (client, _):
        answer = await client.get("https://weather.example/seewalden")
        assert "Wetter für Seewalden" in answer.text
        again = await client.get("https://onsen.example/")
        assert "湯の里" in again.text


async def test_nobody_else_trusts_it():
    async with web() as (client, _):
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
    async with web() as (client, _):
        assert (await client.get("http://weather.example/tomorrow")).status_code == 404
        assert (await client.post("http://weather.example/seewalden")).status_code == 405
        assert (await client.head("http://weather.example/seewalden")).content == b""
        misdirected = await client.get("http://weather.example/", headers={"Host": "else.where"})
        assert misdirected.status_code == 421
