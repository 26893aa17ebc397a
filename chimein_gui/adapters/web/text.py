"""The readable text of a page; runs in a process of its own, because hostile HTML can take any time and room."""

from __future__ import annotations

import codecs
import re
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any
from urllib.parse import urljoin

MOST_FOR_ARTICLE = 1_000_000
"""Characters of the longest page in which the article is looked for; of longer ones all words are read."""

ARTICLE_S = 2.0
"""Longest search for the article, in seconds."""

MOST_TEXT = 400_000
"""Characters at which reading ends; a prompt takes far fewer."""

MOST_STEPS = 200_000
"""Begins and ends of elements at which reading ends, too."""

LONGEST_LINK = 300
MOST_LINKS = 200
_ENOUGH = 0.4
"""Where the article is less than this part of all words, the page is a list, and all of it is read."""

_META = re.compile(rb"""<meta[^>]{0,200}?charset\s*=\s*["']?\s*([a-zA-Z0-9_:.\-]{1,40})""", re.IGNORECASE)
_MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
_FILES = (
    b"%PDF-",
    b"\x89PNG",
    b"GIF8",
    b"\xff\xd8\xff",
    b"PK\x03\x04",
    b"MZ",
    b"\x7fELF",
    b"\x1f\x8b",
    b"Rar!",
    b"7z\xbc",
)
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufdd0-\ufdef\ufffe\uffff\U000e0000-\U000e007f]+")
_BLANKS, _LINES = re.compile(r"[ \t\xa0]+"), re.compile(r"\n{3,}")
_SKIPPED = frozenset(
    {"script", "style", "noscript", "template", "svg", "iframe", "object", "head", "select", "textarea"}
)
_BLOCKS = frozenset(
    {"address", "article", "aside", "blockquote", "br", "center", "dd", "details", "div", "dl", "dt", "fieldset"}
    | {"figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "li", "main"}
    | {"nav", "ol", "p", "pre", "section", "summary", "table", "tbody", "td", "th", "tfoot", "thead", "tr", "ul"}
)


_CHARSETS = (
    *(
        "ascii",
        "utf-8",
        "utf-8-sig",
        "utf-16",
        "big5",
        "big5hkscs",
        "cp866",
        "cp874",
        "cp932",
        "cp949",
        "euc-jp",
        "euc-kr",
    ),
    *("gb2312", "gbk", "gb18030", "hz", "iso2022_jp", "iso2022_kr", "koi8-r", "koi8-u", "mac-cyrillic", "mac-roman"),
    *("shift_jis", "tis-620", "rot13", *(f"cp125{number}" for number in range(9))),
    *(f"iso8859-{number}" for number in range(1, 17) if number != 12),
)
"""The charsets of the web: nothing can be loaded later."""


class NoTextError(Exception):
    """It has no text that can be read."""


def warm_up() -> None:
    """Load everything, so that nothing has to be opened later."""
    sample = (
        "<html><head><title>a</title></head><body><article><p>" + "A sentence. " * 40 + "</p></article></body></html>"
    )
    readable(decoded(sample.encode(), ""), "http://warm-up.example/")
    for name in _CHARSETS:
        codecs.lookup(name)


def decoded(data: bytes, charset: str) -> str:
    """Return the characters of a page; its marks count first, then what the host says, then what the page says.

    Raises:
        NoTextError: It is the file of something else.
    """
    if data.startswith(_FILES):
        raise NoTextError
    named = _META.search(data[:4_096])
    said = [name for start, name in _MARKS if data.startswith(start)]
    said += [charset, named[1].decode("ascii") if named is not None else "", "utf-8"]
    for name in said:
        text = _as(data, name)
        if text is not None:
            return _CONTROL.sub("", text)
    return _CONTROL.sub("", data.decode("cp1252", "replace"))


def _as(data: bytes, name: str) -> str | None:
    """Return the text in a charset; None if it is no charset, or not that of this text. A cut end is left out."""
    try:
        known = codecs.lookup(name) if name else None
        if known is None or not known._is_text_encoding:  # noqa: SLF001 - `rot13` is a codec, too
            return None
        # Only the page's mark can say that it is UTF-16: what reads as ASCII here is none.
        decoder = codecs.getincrementaldecoder("utf-8" if known.name.startswith("utf-16-") else known.name)("strict")
        return decoder.decode(data)
    except (LookupError, UnicodeError, ValueError, TypeError, OSError):
        return None


def readable(html: str, url: str) -> str:
    """Return the text of a page that is decoded.

    Raises:
        NoTextError: There is none.
    """
    import lxml.html
    import trafilatura

    try:
        tree = lxml.html.fromstring(html.encode("utf-8", "replace"), parser=lxml.html.HTMLParser(encoding="utf-8"))
    except (lxml.etree.LxmlError, ValueError, AssertionError) as error:
        raise NoTextError from error
    title = " ".join((tree.findtext(".//title") or "").split())[:300]
    whole, article = _whole(tree, url), None
    try:
        if len(html) <= MOST_FOR_ARTICLE:
            with _at_most(ARTICLE_S):
                article = trafilatura.extract(
                    tree, output_format="txt", include_tables=True, include_comments=True, favor_recall=True, fast=True
                )
    except Exception:  # noqa: BLE001 - foreign content has endless ways to be wrong; the whole text is left
        article = None
    text = article if article and len(article) >= _ENOUGH * len(whole) else whole
    text = _LINES.sub("\n\n", text).strip()
    if not text:
        raise NoTextError
    return f"{title}\n\n{text}" if title and not text.startswith(title) else text


@contextmanager
def _at_most(seconds: float) -> Iterator[None]:
    """End the body with a TimeoutError; without such signals the other side ends the process instead."""
    if not hasattr(signal, "setitimer"):
        yield
        return

    def end(_number: int, _frame: FrameType | None) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, end)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


class _Words:
    """Collects the text of a page in its order, with the targets of its links."""

    def __init__(self, url: str) -> None:
        self.out: list[str] = []
        self.size = 0
        self._url = url
        self._links: list[Any] = []
        self._skipped = self._shown = 0

    def begin(self, element: Any, tag: str) -> None:  # noqa: ANN401 - lxml has no types
        """An element begins."""
        self._skipped += tag in _SKIPPED
        if tag in _BLOCKS:
            self.out.append("\n")
        if tag == "a":
            self._links.append(element)
        self._say(element.text)

    def end(self, element: Any, tag: str) -> None:  # noqa: ANN401 - lxml has no types
        """An element, or a comment, ends."""
        self._skipped -= tag in _SKIPPED
        link = self._links.pop() if tag == "a" and self._links else None
        if link is not None and not self._skipped and self._shown < MOST_LINKS and (target := _target(link, self._url)):
            self._shown += 1
            self.out.append(f" ({target})")
        if tag in _BLOCKS:
            self.out.append("\n")
        self._say(element.tail)

    def _say(self, text: str | None) -> None:
        if text and not self._skipped:
            self.out.append(text)
            self.size += len(text)


def _whole(tree: Any, url: str) -> str:  # noqa: ANN401 - lxml has no types
    from lxml.etree import iterwalk

    words = _Words(url)
    for step, (event, element) in enumerate(iterwalk(tree, events=("start", "end", "comment", "pi"))):
        tag = element.tag if isinstance(element.tag, str) else ""
        if event == "start":
            words.begin(element, tag)
        else:
            words.end(element, tag)
        if words.size > MOST_TEXT or step > MOST_STEPS:
            break
    lines = (_BLANKS.sub(" ", line).strip() for line in "".join(words.out).split("\n"))
    return _LINES.sub("\n\n", "\n".join(lines)).strip()


def _target(element: Any, url: str) -> str:  # noqa: ANN401 - lxml has no types
    try:
        target = urljoin(url, (element.get("href") or "").strip())
    except ValueError:
        return ""
    return target if target.startswith(("http://", "https://")) and len(target) <= LONGEST_LINK else ""
