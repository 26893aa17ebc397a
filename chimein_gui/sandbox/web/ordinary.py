"""Harmless pages in several languages, formats and charsets."""

import gzip
from html import escape
from urllib.parse import parse_qs, quote, urlsplit

from chimein_gui.sandbox.http.messages import Answer, Request
from chimein_gui.sandbox.web.pages import HTML, HTML_WITHOUT_CHARSET, Page, document, fixed, from_file, redirect
from chimein_gui.sandbox.web.pdf import one_page_pdf

_CHAPTERS = 60
_SENTENCES = (
    "The ferry left the pier at {hour} past six, half empty, with the lamps still burning.",
    "Old Ilse counted the passengers twice and wrote {count} into her book both times.",
    "Nobody on deck spoke of the winter in which the lake froze to the depth of {count} hands.",
    "At the third buoy the engine coughed, and the smell of plum cake came up from the galley.",
    "A boy asked how deep the water was, and was told: deeper than {count} church towers.",
    "The timetable by the door had been corrected by hand so often that no printed figure was left.",
    "Whoever missed the boat at {hour} past six waited in the café, and most of them did so gladly.",
    "There were {count} life belts, and each had the name of a fish.",
)


def _long_article() -> bytes:
    """Return an article of well over 40,000 characters, the same at every call."""
    chapters = []
    for chapter in range(1, _CHAPTERS + 1):
        sentences = [
            _SENTENCES[(chapter + step) % len(_SENTENCES)].format(hour=(chapter * step) % 50 + 5, count=chapter + step)
            for step in range(12)
        ]
        chapters.append(f"<h2>{chapter}. Crossing</h2>\n<p>{' '.join(sentences)}</p>\n")
    return document("The ferry, a history in sixty crossings", f"<article>{''.join(chapters)}</article>")


def _search_results(request: Request) -> Answer:
    """List the ordinary pages whose summary contains a word of the query `q`; all of them if none does."""
    words = parse_qs(urlsplit(request.target).query).get("q", [""])[0].lower().split()
    hits = [page for page in PAGES if any(word in page.summary.lower() for word in words)] or PAGES
    items = "".join(
        f'<li class="hit"><a href="{escape(page.url)}">{escape(page.summary.split(":")[0])}</a>'
        f"<cite>{escape(page.url)}</cite><p>{escape(page.summary)}</p></li>\n"
        for page in hits
    )
    shown = escape(" ".join(words))
    body = (
        f'<form action="/find"><input name="q" value="{shown}"><button>Find</button></form>\n'
        f"<p>About {len(hits)} results for <b>{shown}</b></p><ol>{items}</ol>"
        f'<nav><a href="/find?q={quote(" ".join(words))}&amp;page=2">Next</a></nav>'
    )
    return Answer(200, (("Content-Type", HTML),), document("Search", body))


_COMPRESSED = fixed(
    gzip.compress(document("Small print", "<p>This page travels compressed, as most do.</p>"), mtime=0),
    headers=(("Content-Encoding", "gzip"),),
)

PAGES: tuple[Page, ...] = (
    Page(
        "http://lakeside-cafe.example/",
        "Lakeside café: an article among navigation and cookies",
        from_file("cafe.html"),
    ),
    Page(
        "http://lakeside-cafe.example/opening-hours",
        "Opening hours of the café: a table with merged cells",
        from_file("opening-hours.html"),
    ),
    Page(
        "http://lakeside-cafe.example/recipes/plum-cake",
        "Plum cake: a recipe with lists and a picture that is not there",
        from_file("plum-cake.html"),
    ),
    Page(
        "http://lakeside-cafe.example/menu.pdf",
        "The menu: a proper PDF",
        fixed(one_page_pdf("Plum cake 3.20 - Coffee 2.80 - Elderflower 2.50"), "application/pdf"),
    ),
    Page(
        "http://lakeside-cafe.example/old-hours",
        "An old address: redirects to the opening hours",
        redirect("/opening-hours", 301),
    ),
    Page(
        "http://weather.example/seewalden",
        "Wetter für Seewalden: German, a table by the day",
        from_file("weather.html"),
    ),
    Page("http://search.example/find", "Search: results for ?q=, with links to pages of this web", _search_results),
    Page(
        "http://forum.example/thread/117", "Forum: a thread in Portuguese about hiring a boat", from_file("forum.html")
    ),
    Page(
        "http://longread.example/the-ferry",
        "The ferry: an article of more than 40,000 characters",
        lambda _request: Answer(200, (("Content-Type", HTML),), _long_article()),
    ),
    Page(
        "http://journal.example/marche",
        "Le marché: French, in Latin-1 and labelled so",
        from_file("journal.html", "text/html; charset=ISO-8859-1", "iso-8859-1"),
    ),
    Page(
        "http://onsen.example/",
        "湯の里: Japanese, in Shift-JIS and labelled so",
        from_file("onsen.html", "text/html; charset=Shift_JIS", "shift_jis"),
    ),
    Page(
        "http://gazeta.example/",
        "Газета: Russian, in windows-1251, told by a meta element only",
        from_file("gazeta.html", HTML_WITHOUT_CHARSET, "windows-1251"),
    ),
    Page("http://ferry.example/timetable", "The ferry's timetable: a table by the day", from_file("ferry.html")),
    Page("http://harbour.example/", "נמל: Hebrew and Arabic, from right to left", from_file("harbour.html")),
    Page(
        "http://data.example/ferries.json",
        "Ferries: JSON",
        from_file("ferries.json", "application/json"),
    ),
    Page(
        "http://data.example/notice.txt",
        "A notice: plain text",
        from_file("notice.txt", "text/plain; charset=utf-8"),
    ),
    Page("http://data.example/small-print", "A page that travels compressed with gzip", _COMPRESSED),
)
"""All ordinary pages; the search page finds these."""
