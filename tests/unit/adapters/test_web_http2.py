"""A page over HTTP/2: the connection goes to the checked address, TLS checks the name, and the limits hold."""

from __future__ import annotations

import asyncio
import contextlib
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from chimein_gui.adapters.web.fetcher import HttpPageFetcher
from chimein_gui.adapters.web.hop import MOST_BYTES
from chimein_gui.adapters.web.outside import made_up_web
from chimein_gui.domain.retrieval.pages import PageFetched
from chimein_gui.domain.retrieval.refusals import FetchFault
from chimein_gui.engine.ports import PagesWanted
from chimein_gui.sandbox.timekeeping import wall_clock
from chimein_gui.sandbox.web.certificates import make_papers

pytest.importorskip("h2")

NOW = datetime.fromtimestamp(wall_clock(), UTC)
PLACE = ("203.0.113.9", 443)


async def _serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(ConnectionError):  # the fetcher leaves when it has enough
        await _talk(reader, writer)
    writer.close()


async def _talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    from h2.config import H2Configuration
    from h2.connection import H2Connection
    from h2.events import RequestReceived, WindowUpdated

    talk = H2Connection(H2Configuration(client_side=False))
    talk.initiate_connection()
    writer.write(talk.data_to_send())
    endless: set[int] = set()
    while data := await reader.read(65_536):
        for event in talk.receive_data(data):
            if isinstance(event, RequestReceived):
                path = dict(event.headers)[b":path"]
                found = path != b"/robots.txt"
                head = [(":status", "200" if found else "404"), ("content-type", "text/html; charset=utf-8")]
                talk.send_headers(event.stream_id, head, end_stream=not found)
                if path == b"/endless":
                    endless.add(event.stream_id)
                elif found:
                    talk.send_data(event.stream_id, b"<p>Over HTTP/2.</p>", end_stream=True)
            if isinstance(event, RequestReceived | WindowUpdated):
                for stream in endless:
                    while (room := min(talk.local_flow_control_window(stream), talk.max_outbound_frame_size)) > 0:
                        talk.send_data(stream, b"<p>More.</p>" * (room // 12) or b" ")
        writer.write(talk.data_to_send())
        await writer.drain()


@asynccontextmanager
async def _fetcher(folder: Path) -> AsyncIterator[HttpPageFetcher]:
    papers = make_papers(("two.example",), NOW)
    chain = folder / "chain.pem"
    chain.write_bytes(papers.chain_pem)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(chain)
    context.set_alpn_protocols(["h2"])
    server = await asyncio.start_server(_serve, "127.0.0.1", 0, ssl=context)
    place = server.sockets[0].getsockname()[:2]
    outside = made_up_web(lambda _host: PLACE[0], lambda: {PLACE: place}, lambda: papers.authority_pem)
    fetcher = HttpPageFetcher(outside, lambda: NOW)
    try:
        yield fetcher
    finally:
        await fetcher.aclose()
        server.close()


async def _one(fetcher: HttpPageFetcher, url: str) -> PageFetched:
    (page,) = await fetcher.fetch(PagesWanted((url,), 1))
    return page


async def test_a_page_over_http_2_is_read_within_the_limits(tmp_path: Path) -> None:
    async with _fetcher(tmp_path) as fetcher:
        page = await _one(fetcher, "https://two.example/")
        assert (page.status, page.text) == (200, "Over HTTP/2.")
        endless = await _one(fetcher, "https://two.example/endless")
        assert (endless.size, endless.is_cut) == (MOST_BYTES, True)


async def test_a_host_that_cannot_prove_its_name_is_not_read(tmp_path: Path) -> None:
    async with _fetcher(tmp_path) as fetcher:
        assert (await _one(fetcher, "https://other.example/")).error is FetchFault.TLS
