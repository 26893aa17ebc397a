"""All pages of the fictitious web, by host and path."""

from collections.abc import Mapping
from types import MappingProxyType
from urllib.parse import urlsplit

from chimein_gui.sandbox.http.messages import Answer, RawAnswer, Request
from chimein_gui.sandbox.web import deceptive, heavy, ordinary, redirects
from chimein_gui.sandbox.web.names import HOSTS
from chimein_gui.sandbox.web.pages import HTML, Page, document

PAGES: tuple[Page, ...] = (*ordinary.PAGES, *redirects.PAGES, *heavy.PAGES, *deceptive.PAGES)
"""All pages, ordinary ones first; each has a stable address and a summary of one line."""

_BY_PLACE: Mapping[tuple[str, str], Page] = MappingProxyType({page.place: page for page in PAGES})

_MISSING = Answer(404, (("Content-Type", HTML),), document("Not found", "<p>There is no such page.</p>"))
_NOT_HERE = Answer(421, (("Content-Type", HTML),), document("Misdirected", "<p>There is no such host here.</p>"))
_READ_ONLY = Answer(405, (("Allow", "GET, HEAD"),), b"")


async def answer(request: Request) -> Answer | RawAnswer:
    """Answer a request as the host in its Host header."""
    host = request.headers.get("host", "").partition(":")[0].lower()
    if host not in HOSTS:
        return _NOT_HERE
    page = _BY_PLACE.get((host, urlsplit(request.target).path))
    if page is None:
        return _MISSING
    return page.make(request) if request.method in {"GET", "HEAD"} else _READ_ONLY
