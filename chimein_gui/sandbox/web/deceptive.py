"""Pages that are wrong about their charset or media type, or that try to deceive their readers."""

from chimein_gui.sandbox.http.messages import Answer, Request
from chimein_gui.sandbox.web.pages import HTML, Page, document, fixed, from_file
from chimein_gui.sandbox.web.pdf import one_page_pdf

_BIDI = document(
    "Invoice \u202egpj.exe",
    "<p>Pay to \u2066lakeside-cafe.example\u2069, not to \u202emoc.elpmaxe-efac\u202c.</p>"
    "<p>pass\u200bword\u200d, \ufeffzero\u2060width, a\u0300\u0301\u0302\u0303\u0304\u0305\u0306\u0307\u0308 pile</p>"
    "<p>\u202d\u202e\u202d\u202e\u2067 nobody closes these</p>"
    "<p>\U000e0041\U000e0073\U000e006b tags that nobody sees</p>",
)
_UNCLOSED = (
    b"<html><head><title>Unclosed<body><p>One<p>Two<b><i>three</b></i><table><tr><td>four<div></table>five"
    b"<script>if (a < b) { document.write('<p>six</p>') }</script"
    b"><!-- a comment that does not end <p>seven</p>"
)
_TWO_CHARSETS = '<html><head><meta charset="utf-16"><title>Zwei</title></head><body><p>Größe: 30 m²</p></body></html>'
_HOSTILE_NAME = ("Content-Disposition", 'attachment; filename="../../.config/autostart/chimein.desktop"')


def _counting(request: Request) -> Answer:
    """Answer with what the request tells about its client."""
    listed = "".join(f"<li>{name}: {len(value)} characters</li>" for name, value in sorted(request.headers.items()))
    return Answer(200, (("Content-Type", HTML),), document("What you told me", f"<ul>{listed}</ul>"))


def _status(path: str, status: int, words: str, *headers: tuple[str, str]) -> Page:
    body = document(f"{status}", f"<h1>{words}</h1>")
    return Page(
        f"http://broken.example/{path}", f"{status}: {words}", fixed(body, HTML, status, headers), is_hostile=True
    )


PAGES: tuple[Page, ...] = (
    Page(
        "http://whisper.example/regatta",
        "Prompt injection: visible and hidden orders, in the reply grammar too",
        from_file("injection.html"),
        is_hostile=True,
    ),
    Page(
        "http://whisper.example/bidi",
        "Bidi overrides, zero-width characters, piled marks",
        fixed(_BIDI),
        is_hostile=True,
    ),
    Page(
        "http://forum.example/robots.txt",
        "What programs may not read of the forum",
        fixed(b"User-agent: *\nDisallow: /members\nAllow: /members/*/public$\n", "text/plain; charset=utf-8"),
    ),
    Page("http://forum.example/members", "What programs may not read", fixed(document("Members", "<p>Names.</p>"))),
    Page("http://counter.example/", "Shows which headers a client sends", _counting, is_hostile=True),
    Page(
        "http://broken.example/wrong-charset",
        "Says UTF-8 and is Latin-1",
        from_file("journal.html", HTML, "iso-8859-1"),
        is_hostile=True,
    ),
    Page(
        "http://broken.example/two-charsets",
        "Header and meta element contradict each other; the header is right",
        fixed(_TWO_CHARSETS.encode("iso-8859-15"), "text/html; charset=iso-8859-15"),
        is_hostile=True,
    ),
    Page(
        "http://broken.example/unknown-charset",
        "A charset that does not exist",
        from_file("plum-cake.html", "text/html; charset=seewald-8"),
        is_hostile=True,
    ),
    Page(
        "http://broken.example/bytes-codec",
        "A charset that names a codec of Python which is none",
        from_file("plum-cake.html", "text/html; charset=rot13"),
        is_hostile=True,
    ),
    Page("http://broken.example/unclosed", "HTML that closes nothing", fixed(_UNCLOSED), is_hostile=True),
    Page(
        "http://broken.example/nul",
        "HTML with NUL bytes and control characters",
        fixed(document("Nul\x00", "<p>a\x00b\x07c\x1b[31md</p>")),
        is_hostile=True,
    ),
    Page("http://broken.example/empty", "HTML without a single byte", fixed(b""), is_hostile=True),
    Page(
        "http://broken.example/no-type",
        "No Content-Type at all",
        lambda _request: Answer(200, (), b"<p>Guess.</p>"),
        is_hostile=True,
    ),
    Page(
        "http://broken.example/pdf-as-html",
        "A PDF that says it is HTML",
        fixed(one_page_pdf("This is not HTML."), HTML),
        is_hostile=True,
    ),
    Page(
        "http://broken.example/program",
        "A program, with a hostile file name",
        fixed(b"MZ\x90\x00" + bytes(512), "application/x-msdownload", headers=(_HOSTILE_NAME,)),
        is_hostile=True,
    ),
    Page(
        "http://broken.example/picture-as-html",
        "Bytes of a picture that say they are HTML",
        fixed(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 8, HTML),
        is_hostile=True,
    ),
    Page(
        "http://broken.example/login",
        "A login wall that answers 200",
        from_file("login-wall.html"),
        is_hostile=True,
    ),
    Page(
        "http://broken.example/robots",
        "403: are you a person?",
        lambda request: Answer(403, (("Content-Type", HTML),), from_file("robot-check.html")(request).body),  # type: ignore[union-attr]
        is_hostile=True,
    ),
    _status("missing", 404, "There is nothing here."),
    _status("gone", 410, "There was something here."),
    _status("error", 500, "Something broke."),
    _status("busy", 503, "Come back later.", ("Retry-After", "3600")),
    _status("too-many", 429, "Not so fast.", ("Retry-After", "120")),
    _status("teapot", 418, "Short and stout."),
    _status("password", 401, "Who are you?", ("WWW-Authenticate", 'Basic realm="harbour"')),
)
