"""Pages of the fictitious web, and simple ways to answer with one."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from urllib.parse import urlsplit

from chimein_gui.resource_files import resource_path
from chimein_gui.sandbox.http.messages import Answer, RawAnswer, Request

Make = Callable[[Request], Answer | RawAnswer]

HTML = "text/html; charset=utf-8"
HTML_WITHOUT_CHARSET = "text/html"


@dataclass(frozen=True, slots=True)
class Page:
    """One address of the fictitious web; every page is served over http and https.

    Attributes:
        url: Stable; without the query that some pages accept.
        summary: One line that describes the page, or what is wrong with it.
        make: Answers a request for it.
        is_hostile: Whether it is meant to do harm.
    """

    url: str
    summary: str
    make: Make
    is_hostile: bool = False

    @property
    def place(self) -> tuple[str, str]:
        """Host and path, by which requests find the page."""
        parts = urlsplit(self.url)
        return parts.netloc, parts.path


def fixed(body: bytes, content_type: str = HTML, status: int = 200, headers: Iterable[tuple[str, str]] = ()) -> Make:
    """Return a handler that always gives the same answer."""
    answer = Answer(status, (("Content-Type", content_type), *headers), body)
    return lambda _request: answer


def document(title: str, body: str) -> bytes:
    """Return a small HTML page in UTF-8; `body` is HTML."""
    return (
        f"<!doctype html>\n<html><head><meta charset=utf-8><title>{title}</title></head>\n<body>{body}</body></html>\n"
    ).encode()


def from_file(name: str, content_type: str = HTML, charset: str = "utf-8") -> Make:
    """Return a handler for a file of `resources/sandbox/web`, which is stored in UTF-8 and sent in `charset`."""

    def make(_request: Request) -> Answer:
        text = resource_path("sandbox", "web", name).read_text(encoding="utf-8")
        return Answer(200, (("Content-Type", content_type),), text.encode(charset))

    return make


def redirect(location: str, status: int = 302) -> Make:
    """Return a handler that redirects."""
    return fixed(document("Moved", "<p>It is somewhere else now.</p>"), HTML, status, (("Location", location),))
