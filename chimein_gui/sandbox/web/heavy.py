"""Pages that are too large, too slow or endless; they are never in memory as a whole."""

import asyncio
import gzip
import zlib
from collections.abc import Iterator
from itertools import repeat

from chimein_gui.sandbox.http.messages import Answer, Pieces, RawAnswer, Request, in_pieces
from chimein_gui.sandbox.web.pages import HTML, Make, Page, document, fixed

_MIB = 1024 * 1024
_LARGE = 50 * _MIB
_DRIP_S = 0.1
_BOMB_MIB = 1_100
"""Size of the decompressed bomb in MiB; about 1.1 MB are sent."""

_NESTED_BOMB_MIB = 10 * 1024
"""Decompressed size in MiB of the bomb that is compressed twice; some 30 KB are sent."""

_DEPTH = 100_000
_LINE = b"<p>All work and no play makes the ferry late. </p>\n"
_BLOCK = _LINE * (64 * 1024 // len(_LINE))
_HTML = ("Content-Type", HTML)
_GZIP = ("Content-Encoding", "gzip")


def _paragraphs(size: int) -> Iterator[bytes]:
    whole, rest = divmod(size, len(_BLOCK))
    yield from repeat(_BLOCK, whole)
    yield _BLOCK[:rest]


def _large(_request: Request) -> Answer:
    return Answer(200, (_HTML, ("Content-Length", str(_LARGE))), in_pieces(_paragraphs(_LARGE)))


def _large_in_chunks(_request: Request) -> Answer:
    return Answer(200, (_HTML,), in_pieces(_paragraphs(_LARGE)))


def _endless(_request: Request) -> Answer:
    return Answer(200, (_HTML,), in_pieces(repeat(_BLOCK)))


def _drip(_request: Request) -> Answer:
    return Answer(200, (_HTML,), _dripping())


async def _dripping() -> Pieces:
    while True:
        yield b"<p>.</p>"
        await asyncio.sleep(_DRIP_S)


def _raw(*pieces: bytes, lingers: bool = True, pause_s: float = 0.0) -> Make:
    """Answer with these bytes, with a pause between them."""

    async def made() -> Pieces:
        for piece in pieces:
            yield piece
            await asyncio.sleep(pause_s)

    return lambda _request: RawAnswer(made, lingers)


def _slow_head() -> Iterator[bytes]:
    for number in range(1_000):
        yield f"X-Patience-{number}: please wait\r\n".encode()


def _bomb(_request: Request) -> Answer:
    return Answer(200, (_HTML, _GZIP), in_pieces(zeros_compressed(_BOMB_MIB)))


def _nested_bomb(_request: Request) -> Answer:
    return Answer(200, (_HTML, ("Content-Encoding", "gzip, gzip")), in_pieces(_twice(_NESTED_BOMB_MIB)))


def zeros_compressed(mebibytes: int) -> Iterator[bytes]:
    """Yield a gzip file of zeros: the same compressed block of 1 MiB repeatedly, so that it needs little work.

    It has no checksum.
    """
    yield gzip.compress(b"", mtime=0)[:10]
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    block = packer.compress(bytes(_MIB)) + packer.flush(zlib.Z_FULL_FLUSH)
    yield from repeat(block, mebibytes)


def _twice(mebibytes: int) -> Iterator[bytes]:
    packer = zlib.compressobj(9, zlib.DEFLATED, zlib.MAX_WBITS | 16)
    for block in zeros_compressed(mebibytes):
        if piece := packer.compress(block):
            yield piece
    yield packer.flush()


def _deep(_request: Request) -> Answer:
    return Answer(200, (_HTML,), in_pieces([b"<div>" * _DEPTH, b"the bottom", b"</div>" * _DEPTH]))


def _many_headers(_request: Request) -> Answer:
    headers = tuple((f"X-Header-{number}", "y" * 1_000) for number in range(1_000))
    return Answer(200, (_HTML, *headers), document("Headers", "<p>And so on.</p>"))


_OK = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n"

PAGES: tuple[Page, ...] = (
    Page("http://heavy.example/large", "50 MB, with Content-Length", _large, is_hostile=True),
    Page("http://heavy.example/large-chunked", "50 MB, without Content-Length", _large_in_chunks, is_hostile=True),
    Page("http://heavy.example/endless", "A body without end, as fast as it is taken", _endless, is_hostile=True),
    Page("http://heavy.example/bomb", "gzip: 1.1 MB that inflate to 1.1 GB", _bomb, is_hostile=True),
    Page(
        "http://heavy.example/nested-bomb", "gzip in gzip: 30 KB that inflate to 10 GB", _nested_bomb, is_hostile=True
    ),
    Page("http://heavy.example/deep", "100,000 elements in each other", _deep, is_hostile=True),
    Page(
        "http://heavy.example/title",
        "A title of 2 MB",
        lambda _request: Answer(200, (_HTML,), document("Title " * (2 * _MIB // 6), "<p>Short.</p>")),
        is_hostile=True,
    ),
    Page("http://heavy.example/headers", "A thousand headers of 1 KB", _many_headers, is_hostile=True),
    Page(
        "http://heavy.example/attributes",
        "One element with 100,000 attributes",
        lambda _request: Answer(
            200, (_HTML,), document("Attributes", "<p " + " ".join(f"a{n}=1" for n in range(_DEPTH)) + ">text</p>")
        ),
        is_hostile=True,
    ),
    Page("http://slow.example/drip", "A body without end, a few bytes at a time", _drip, is_hostile=True),
    Page(
        "http://slow.example/headers",
        "Headers that take minutes",
        _raw(_OK, *_slow_head(), pause_s=_DRIP_S),
        is_hostile=True,
    ),
    Page("http://slow.example/hang", "Takes the request and never says a word", _raw(), is_hostile=True),
    Page(
        "http://slow.example/hang-in-body",
        "Begins the body and never goes on",
        _raw(_OK + b"Content-Length: 5000\r\n\r\n<html><p>To be contin"),
        is_hostile=True,
    ),
    Page(
        "http://broken.example/too-short",
        "Content-Length promises 5,000 bytes, 30 come",
        _raw(_OK + b"Content-Length: 5000\r\n\r\n<html><p>That is all.</p></html>", lingers=False),
        is_hostile=True,
    ),
    Page(
        "http://broken.example/too-long",
        "Content-Length promises 10 bytes, many more come",
        _raw(_OK + b"Content-Length: 10\r\n\r\n" + document("Longer", "<p>than promised</p>"), lingers=False),
        is_hostile=True,
    ),
    Page(
        "http://broken.example/no-http",
        "Answers something that is no HTTP",
        _raw(b"220 trap.example ESMTP ready\r\n", lingers=False),
        is_hostile=True,
    ),
    Page(
        "http://broken.example/bad-chunks",
        "Chunks whose length is no number",
        _raw(_OK + b"Transfer-Encoding: chunked\r\n\r\nmany\r\n<p>x</p>\r\n0\r\n\r\n", lingers=False),
        is_hostile=True,
    ),
    Page(
        "http://broken.example/closes", "Closes the connection without an answer", _raw(lingers=False), is_hostile=True
    ),
    Page(
        "http://broken.example/bad-gzip",
        "Says gzip and is none",
        fixed(document("Not compressed", "<p>Not at all.</p>"), headers=(_GZIP,)),
        is_hostile=True,
    ),
)
