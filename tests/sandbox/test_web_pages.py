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
    "http://lakeside-cafe.example/": "Tomek plays the accordion",
    "http://lakeside-cafe.example/opening-hours": "<td>09:00–22:00</td>",
    "http://lakeside-cafe.example/recipes/plum-cake": "1.5 kg plums",
    "http://weather.example/seewalden": "Böen bis 75 km/h",
    "http://search.example/find": "results for",
    "http://forum.example/thread/117": "capitão_duarte",
    "http://longread.example/the-ferry": "60. Crossing",
    "http://journal.example/marche": "coupe à l'ancienne : « un peu plus ? un peu moins ? »",
    "http://onsen.example/": "湖のほとりにある小さな温泉",
    "http://harbour.example/": "مقهى",
    "http://data.example/ferries.json": "Äsche",
    "http://data.example/notice.txt": "Please mind the geese",
    "http://data.example/small-print": "This page travels compressed",
    "http://trap.example/down-here": "without encryption",
}


@pytest.mark.parametrize(("url", "words"), SEEN.items(), ids=SEEN)
async def test_an_ordinary_page_arrives_in_its_charset(url, words):
    async with web() as (client, checked):
        answer = await client.get(url)
        assert answer.status_code == 200
        assert words in answer.text
        assert checked == [HOSTS[urlsplit(url).netloc][0]]


async def test_a_charset_that_only_a_meta_element_tells():
    async with web() as (client, _):
        answer = await client.get("http://gazeta.example/")
        assert answer.headers["content-type"] == "text/html"
        assert "Паром снова ходит" in answer.content.decode("windows-1251")


async def test_the_long_article_is_long_and_always_the_same():
    async with web() as (client, _):
        first, second = [await client.get("http://longread.example/the-ferry") for _ in range(2)]
        assert len(first.text) > 40_000
        assert first.text == second.text


async def test_the_search_finds_pages_that_exist():
    async with web() as (client, _):
        answer = await client.get("http://search.example/find", params={"q": "plum <b>"})
        assert 'href="http://lakeside-cafe.example/recipes/plum-cake"' in answer.text
        assert "plum &lt;b&gt;" in answer.text
        assert "forum.example" not in answer.text
        everything = await client.get("http://search.example/find?q=zzz")
        assert everything.text.count('<li class="hit">') == len(ORDINARY) - 1  # not the end of a redirect


async def test_an_old_address_leads_to_the_new_one():
    async with web(follow_redirects=True) as (client, _):
        answer = await client.get("http://lakeside-cafe.example/old-hours")
        assert [step.status_code for step in answer.history] == [301]
        assert "Opening hours" in answer.text


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


async def test_another_start_has_another_authority():
    yesterdays = SandboxWeb()
    server = SandboxWeb()
    await server.start("127.0.0.1")
    client, _ = web_client(server.resolve, server.address_map, yesterdays.authority_pem())
    async with client:
        with pytest.raises(httpx2.ConnectError, match="certificate verify failed"):
            await client.get("https://weather.example/seewalden")
    await server.aclose()


async def test_every_host_has_an_address_of_its_own_and_unknown_ones_none():
    web_server = SandboxWeb()
    first = [answers[0] for answers in HOSTS.values() if answers[0].startswith("203.0.113.")]
    assert len(set(first)) == len(first) == len(public_addresses())
    assert web_server.resolve("Weather.Example.") == web_server.resolve("weather.example")
    with pytest.raises(socket.gaierror):
        web_server.resolve("no-such-host.example")
    with pytest.raises(socket.gaierror):
        web_server.resolve("localhost")


async def test_every_page_is_on_a_host_of_its_own_web_and_listed_once():
    places = [page.place for page in PAGES]
    assert len(set(places)) == len(places)
    assert {host for host, _ in places} <= set(HOSTS)
    assert all(page.summary for page in PAGES)


async def test_what_is_not_there():
    async with web() as (client, _):
        assert (await client.get("http://weather.example/tomorrow")).status_code == 404
        assert (await client.post("http://weather.example/seewalden")).status_code == 405
        assert (await client.head("http://weather.example/seewalden")).content == b""
        misdirected = await client.get("http://weather.example/", headers={"Host": "else.where"})
        assert misdirected.status_code == 421


async def test_two_requests_share_a_connection():
    async with web() as (client, checked):
        await client.get("http://weather.example/seewalden")
        await client.get("http://weather.example/nothing")
        assert len(checked) == 1
