"""docs/behaviour.md, "Web pages": the fetcher before the made-up web, ordinary and hostile pages, over real sockets."""

import asyncio
import time

import pytest

from chimein_gui.adapters.web.reader import PageReader
from chimein_gui.domain.retrieval.host_lists import HostLists
from chimein_gui.domain.retrieval.refusals import FetchFault, RefusalRule
from chimein_gui.domain.retrieval.sources import unpacked
from chimein_gui.domain.retrieval.texts import MOST_CHARACTERS
from tests.support.hostile_addresses import BY_NAME, BY_NUMBER, BY_TEXT
from tests.support.web_room import web_room


def loopback_only(room):
    """Return whether nothing but the served ports of the made-up web was connected, and no name was looked up."""
    served = set(room.web.address_map.values())
    return set(map(tuple, room.connected)) <= served and not room.lookups


async def test_no_hostile_address_is_ever_connected():
    async with web_room() as room:
        for text, rule in (*BY_TEXT, *BY_NUMBER, *BY_NAME):
            page = await room.one(text)
            assert (page.refusal, page.error, page.status) == (rule, None, None), text
            assert "not-an" not in page.text
        assert room.connected == []
        assert room.lookups == []


async def test_an_address_that_redirects_to_a_hostile_one_gets_no_further():
    hostile = {
        "loopback": RefusalRule.LOOPBACK,
        "loopback-short": RefusalRule.NUMBER_FORM,
        "loopback-number": RefusalRule.NUMBER_FORM,
        "loopback-octal": RefusalRule.NUMBER_FORM,
        "loopback-name": RefusalRule.LOCAL_NAME,
        "loopback-resolved": RefusalRule.LOOPBACK,
        "private-10": RefusalRule.PRIVATE,
        "private-192": RefusalRule.PRIVATE,
        "private-resolved": RefusalRule.PRIVATE,
        "metadata": RefusalRule.METADATA,
        "metadata-resolved": RefusalRule.METADATA,
        "carrier": RefusalRule.CARRIER,
        "zero": RefusalRule.UNSPECIFIED,
        "six": RefusalRule.LOOPBACK,
        "six-resolved": RefusalRule.LOOPBACK,
        "six-mapped": RefusalRule.MAPPED,
        "six-mapped-resolved": RefusalRule.MAPPED,
        "unique-local": RefusalRule.PRIVATE,
        "file": RefusalRule.SCHEME,
        "javascript": RefusalRule.SCHEME,
        "data": RefusalRule.UNREADABLE,
        "ftp": RefusalRule.SCHEME,
        "port": RefusalRule.PORT,
        "user": RefusalRule.USER_INFO,
        "disguised": RefusalRule.USER_INFO,
        "nonsense": RefusalRule.UNREADABLE,
        "nothing": RefusalRule.UNREADABLE,
    }
    async with web_room() as room:
        for name, rule in hostile.items():
            room.fetcher._rates._free_at.clear()
            page = await room.one(f"http://trap.example/to/{name}")
            assert page.refusal is rule, name
            assert page.status == 302
            assert [status for status, _ in page.redirects] == [302]
            assert (
                page.final == f"http://trap.example/to/{name}"
                or "resolved" in name
                or rule
                not in {
                    RefusalRule.SCHEME,
                    RefusalRule.USER_INFO,
                }
            )
        assert loopback_only(room)
        assert (await room.one("http://trap.example/to/unknown")).error is FetchFault.NO_SUCH_HOST


@pytest.mark.parametrize("host", ["rebind.example", "rebind-metadata.example"])
async def test_a_name_that_changes_its_address_is_connected_where_it_was_checked(host):
    async with web_room() as room:
        page = await room.one(f"http://{host}/")
        assert "address of this host changes" in page.text
        assert [answer for name, answer in room.resolved if name == host] == [
            next(answer for name, answer in room.resolved)
        ]
        assert loopback_only(room)
        connected = len(room.connected)
        room.fetcher._pages.clear()
        again = await room.one(f"http://{host}/")
        assert again.refusal in {RefusalRule.LOOPBACK, RefusalRule.METADATA}
        assert len(room.connected) == connected  # checked anew, refused, and nothing was connected


async def test_redirects_are_followed_to_a_limit_and_never_down_from_https():
    async with web_room() as room:
        assert (await room.one("http://trap.example/loop")).refusal is RefusalRule.REDIRECTS
        room.fetcher._rates._free_at.clear()
        assert (await room.one("http://trap.example/ping")).refusal is RefusalRule.REDIRECTS
        room.fetcher._rates._free_at.clear()
        chain = await room.one("http://trap.example/chain")
        assert (chain.refusal, len(chain.redirects)) == (RefusalRule.REDIRECTS, 10)
        room.fetcher._rates._free_at.clear()
        short = await room.one("http://trap.example/chain?left=10")
        assert "come a long way" in short.text
        assert short.final == "http://trap.example/chain?left=0"
        room.fetcher._rates._free_at.clear()
        assert (await room.one("http://trap.example/cookies")).refusal is RefusalRule.REDIRECTS
        room.fetcher._rates._free_at.clear()
        down = await room.one("https://trap.example/down")
        assert (down.refusal, down.final) == (RefusalRule.TO_HTTP, "https://trap.example/down")
        assert (await room.one("http://trap.example/refresh")).text.endswith("You are being taken along.")
        assert loopback_only(room)


async def test_ordinary_pages_are_read_over_http_and_https():
    async with web_room() as room:
        plain = await room.one("http://lakeside-cafe.example/old-hours")
        assert plain.final == "http://lakeside-cafe.example/opening-hours"
        assert plain.redirects == ((301, "http://lakeside-cafe.example/opening-hours"),)
        assert ("lakeside-cafe.example", plain.address) in room.resolved
        assert "| Tuesday | 10:00–18:00" in plain.text
        secure = await room.one("https://weather.example/seewalden")
        assert "Sturmwarnung für kleine Boote ab 17 Uhr." in secure.text
        assert secure.status == 200
        assert secure.content_type.startswith("text/html")
        assert "six" not in secure.text
        assert loopback_only(room)


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("http://journal.example/marche", "À côté, le fromager"),
        ("http://onsen.example/", "湖のほとりにある小さな温泉です"),
        ("http://gazeta.example/", "После ремонта причала"),
        ("http://harbour.example/", "המעבורת יוצאת"),
        ("http://broken.example/wrong-charset", "À côté, le fromager"),
        ("http://broken.example/two-charsets", "Größe: 30 m²"),
        ("http://broken.example/unknown-charset", "500 g flour"),
        ("http://broken.example/bytes-codec", "500 g flour"),
        ("http://broken.example/nul", "abc[31md"),
        ("http://forum.example/thread/117", "Este ano são 14."),
        ("http://search.example/find?q=cake", "http://lakeside-cafe.example/recipes/plum-cake"),
        ("http://data.example/small-print", "This page travels compressed"),
    ],
)
async def test_the_text_of_pages_in_any_charset(url, words):
    async with web_room() as room:
        page = await room.one(url)
        assert words in page.text
        assert page.error is None


async def test_what_is_not_html_is_named_and_not_read():
    async with web_room() as room:
        pdf = await room.one("http://lakeside-cafe.example/menu.pdf")
        assert pdf.text == "Content-Type: application/pdf - not fetched (non-HTML content)"
        assert (pdf.error, pdf.size) == (FetchFault.NOT_HTML, 0)
        assert (await room.one("http://broken.example/no-type")).text == (
            "Content-Type: (none) - not fetched (non-HTML content)"
        )
        for name in ("pdf-as-html", "picture-as-html", "empty", "unclosed"):
            assert (await room.one(f"http://broken.example/{name}")).error is FetchFault.NO_TEXT


async def test_an_error_becomes_a_small_page():
    async with web_room() as room:
        gone = await room.one("http://broken.example/gone")
        assert (gone.status, gone.error) == (410, FetchFault.STATUS)
        assert gone.text.startswith("<html><head><title>Error 410</title>")
        assert (await room.one("http://no-such-host.example/")).error is FetchFault.NO_SUCH_HOST
        busy = await room.one("http://broken.example/too-many")
        assert busy.status == 429
        assert (await room.one("http://broken.example/")).error is FetchFault.BUSY  # it asked for two minutes


async def test_a_long_page_is_cut_and_a_huge_one_is_read_to_the_limit():
    async with web_room() as room:
        long = await room.one("http://longread.example/the-ferry")
        assert (len(long.text), long.used_chars, long.is_cut) == (MOST_CHARACTERS, MOST_CHARACTERS, True)
        large = await room.one("http://heavy.example/large")
        assert large.size == 5_000_000
        assert large.is_cut
        assert (large.is_part, long.is_part) == (True, False), "the one is larger, of the other only the text is long"
        assert len(large.text) == MOST_CHARACTERS


@pytest.mark.parametrize("path", ["large-chunked", "endless", "bomb", "nested-bomb", "deep", "title", "headers"])
async def test_heavy_pages_end_within_their_limits(path):
    async with web_room() as room:
        page = await room.one(f"http://heavy.example/{path}")
        assert page.size <= 5_000_000
        assert page.used_chars <= MOST_CHARACTERS
        assert page.took_s < 10.5
        assert (await room.one("http://weather.example/seewalden")).error is None  # the process that reads lives


@pytest.mark.parametrize("path", ["drip", "headers", "hang", "hang-in-body"])
async def test_slow_pages_end_in_time(path):
    async with web_room(fetch_s=1.0) as room:
        page, other = await room.fetch(f"http://slow.example/{path}", "http://no-such-host.example/")
        assert page.error is FetchFault.TIMED_OUT
        assert page.took_s < 2.5
        assert other.error is FetchFault.NO_SUCH_HOST  # its neighbour did not wait for it


async def test_a_page_is_kept_for_a_while_and_nothing_is_sent_again():
    async with web_room() as room:
        first = await room.one("http://lakeside-cafe.example/")
        asked = len(room.connected)
        again = await room.one("http://LAKESIDE-cafe.example:80/#terrace")
        assert (again.from_cache, again.text, len(room.connected)) == (True, first.text, asked)
        other = await room.one("http://lakeside-cafe.example/", lists=HostLists(denied=("lakeside-cafe.example",)))
        assert other.refusal is RefusalRule.DENIED
        assert not (await room.one("http://lakeside-cafe.example/", raw=True)).from_cache


async def test_the_source_is_read_on_request():
    async with web_room() as room:
        page = await room.one("http://lakeside-cafe.example/", raw=True)
        assert page.text.startswith("<!doctype html>")


@pytest.mark.parametrize("raw", [False, True])
async def test_a_page_and_its_source_are_read_at_once_so_that_no_page_waits_for_the_source_of_another(monkeypatch, raw):
    asked = list[bytes]()
    ask = PageReader._ask

    def heard(reader, request, data):
        asked.append(data)
        return ask(reader, request, data)

    monkeypatch.setattr(PageReader, "_ask", heard)
    async with web_room() as room:
        page = await room.one("http://lakeside-cafe.example/", raw=raw)
        assert len(asked) == 1
        assert unpacked(page.source).startswith("<!doctype html>")
        assert unpacked(page.source) == asked[0].decode()


async def test_lists_of_the_agent_hold_on_every_redirect():
    async with web_room() as room:
        only = HostLists(allowed=("trap.example",))
        assert (await room.one("http://forum.example/thread/117", lists=only)).refusal is RefusalRule.NOT_ALLOWED
        assert room.connected == []
        page = await room.one("http://trap.example/to/private-resolved", lists=only)
        assert page.refusal is RefusalRule.NOT_ALLOWED


async def test_what_programs_may_not_read_is_not_asked_for():
    async with web_room() as room:
        page = await room.one("http://forum.example/members")
        assert (page.refusal, page.status) == (RefusalRule.ROBOTS, None)
        assert (await room.one("http://forum.example/thread/117")).error is None
        connected = len(room.connected)
        assert (await room.one("http://forum.example/members?page=2")).refusal is RefusalRule.ROBOTS
        assert len(room.connected) == connected  # the rules are kept


async def test_cancelling_closes_the_connection():
    async with web_room() as room:
        task = asyncio.get_running_loop().create_task(room.one("http://slow.example/hang"))
        while not room.connected:  # noqa: ASYNC110 - what is waited for is told by an audit hook
            await asyncio.sleep(0)
        task.cancel()
        began = time.monotonic()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert time.monotonic() - began < 1.0
        if serving := room.web._plain._tasks:
            await asyncio.wait_for(asyncio.wait(serving), 5.0)  # the host notices that nobody is there


async def test_reading_pages_never_holds_the_loop():
    async with web_room() as room:
        await room.one("http://weather.example/seewalden")
        late, stop = [0.0], asyncio.Event()

        async def watch():
            loop = asyncio.get_running_loop()
            while not stop.is_set():
                due = loop.time() + 0.005
                await asyncio.sleep(0.005)
                late.append(loop.time() - due)

        task = asyncio.get_running_loop().create_task(watch())
        await room.fetch("http://heavy.example/title", "http://longread.example/the-ferry", "http://heavy.example/deep")
        stop.set()
        await task
        assert max(late) < 0.5  # the made-up web is served by this loop, too, so the figure is not the program's
