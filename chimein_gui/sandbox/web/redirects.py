"""Hostile redirects: into private networks, to other schemes than http, in circles."""

from urllib.parse import parse_qs, urlsplit

from chimein_gui.sandbox.http.messages import Answer, Request
from chimein_gui.sandbox.web.pages import HTML, Page, document, fixed, redirect

CHAIN = 20

_TARGETS: tuple[tuple[str, str, str], ...] = (
    ("loopback", "http://127.0.0.1/admin", "127.0.0.1"),
    ("loopback-short", "http://127.1/", "127.0.0.1 in its short form"),
    ("loopback-number", "http://2130706433/", "127.0.0.1 as one number"),
    ("loopback-octal", "http://0177.0.0.1/", "127.0.0.1 in octal"),
    ("loopback-name", "http://localhost/", "localhost by its name"),
    ("loopback-resolved", "http://localhost.example/", "a name that resolves to 127.0.0.1"),
    ("private-10", "http://10.0.0.7/", "a private network"),
    ("private-192", "http://192.168.1.1/setup", "a home router"),
    ("private-resolved", "http://intranet.example/payroll", "a name that resolves to a private network"),
    ("metadata", "http://169.254.169.254/latest/meta-data/", "the metadata address"),
    ("metadata-resolved", "http://metadata.example/latest/meta-data/", "a name that resolves to the metadata address"),
    ("carrier", "http://carrier.example/", "a name in the carriers' network 100.64.0.0/10"),
    ("zero", "http://nowhere.example/", "a name that resolves to 0.0.0.0"),
    ("six", "http://[::1]/", "IPv6 loopback"),
    ("six-resolved", "http://six.example/", "a name that resolves to ::1"),
    ("six-mapped", "http://[::ffff:127.0.0.1]/", "IPv4 loopback mapped into IPv6"),
    ("six-mapped-resolved", "http://mapped.example/", "a name that resolves to mapped loopback"),
    ("unique-local", "http://unique-local.example/", "a name in fd00::/8"),
    ("rebind", "http://rebind.example/", "a name that turns private after the check"),
    ("file", "file:///etc/passwd", "a local file"),
    ("javascript", "javascript:alert(1)", "a script"),
    ("data", "data:text/html,<h1>hello</h1>", "a data address"),
    ("ftp", "ftp://trap.example/pub", "ftp"),
    ("port", "http://trap.example:22/", "another port"),
    ("user", "http://admin:admin@router.example/", "a private host with name and password"),
    ("disguised", "http://lakeside-cafe.example@127.0.0.1/", "a private host that looks like a public one"),
    ("unknown", "http://no-such-host.example/", "a host that does not exist"),
    ("nonsense", "http://[not-an-address/", "an address that is none"),
    ("nothing", "", "nothing at all"),
)


def _chain(request: Request) -> Answer:
    asked = parse_qs(urlsplit(request.target).query).get("left", [""])[0]
    left = int(asked) if asked.isdecimal() and len(asked) <= len(str(CHAIN)) else CHAIN
    if left > 0:
        return Answer(302, (("Location", f"/chain?left={left - 1}"),))
    return Answer(200, (("Content-Type", HTML),), document("The end", "<p>You have come a long way.</p>"))


def _only_with_cookie(request: Request) -> Answer:
    if "seen=yes" in request.headers.get("cookie", ""):
        return Answer(200, (("Content-Type", HTML),), document("Cookies", "<p>Thank you for taking a cookie.</p>"))
    return Answer(302, (("Location", "/cookies"), ("Set-Cookie", "seen=yes; Path=/; HttpOnly")))


_REFRESH = document(
    "Refresh", '<meta http-equiv="refresh" content="0; url=http://127.0.0.1/admin"><p>You are being taken along.</p>'
)

PAGES: tuple[Page, ...] = (
    *(
        Page(f"http://trap.example/to/{name}", f"Redirects to {what}", redirect(target), is_hostile=True)
        for name, target, what in _TARGETS
    ),
    Page("http://trap.example/loop", "Redirects to itself", redirect("/loop"), is_hostile=True),
    Page("http://trap.example/ping", "Redirects to a page that redirects back", redirect("/pong"), is_hostile=True),
    Page("http://trap.example/pong", "The other half of it", redirect("/ping"), is_hostile=True),
    Page("http://trap.example/chain", f"A chain of {CHAIN} redirects that does end", _chain, is_hostile=True),
    Page(
        "http://trap.example/cookies", "Redirects to itself until a cookie is kept", _only_with_cookie, is_hostile=True
    ),
    Page("http://trap.example/refresh", "A meta refresh to a private address", fixed(_REFRESH), is_hostile=True),
    Page(
        "http://trap.example/down",
        "https that redirects down to http",
        redirect("http://trap.example/down-here"),
        is_hostile=True,
    ),
    Page(
        "http://trap.example/down-here",
        "Where that one leads",
        fixed(document("Down here", "<p>This came without encryption.</p>")),
    ),
    Page(
        "http://rebind.example/",
        "A host that is public when asked first and 127.0.0.1 from then on",
        fixed(document("Rebind", "<p>The address of this host changes.</p>")),
        is_hostile=True,
    ),
    Page(
        "http://rebind-metadata.example/",
        "A host that is public when asked first and 169.254.169.254 from then on",
        fixed(document("Rebind", "<p>The address of this host changes.</p>")),
        is_hostile=True,
    ),
)
