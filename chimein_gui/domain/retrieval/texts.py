"""What stands in a prompt for a page: its text, cut, or a small page that says why there is none.

These words are for the model, so they are never translated.
"""

from __future__ import annotations

from chimein_gui.domain.retrieval.refusals import FetchFault, RefusalRule

MOST_CHARACTERS = 40_000
"""Characters of a page that stand in a prompt."""

_REFUSED = "This address is not looked up from here"
_SAID = {
    RefusalRule.UNREADABLE: "This is not the address of a page",
    RefusalRule.SCHEME: "Only http and https addresses are looked up",
    RefusalRule.DENIED: "Your operator does not let you look up this host",
    RefusalRule.NOT_ALLOWED: "Your operator lets you look up other hosts only",
    RefusalRule.ROBOTS: "The host asks programs to leave this page alone",
    RefusalRule.TO_HTTP: "The page redirects from https to http",
    RefusalRule.REDIRECTS: "The page redirects too often",
    RefusalRule.TOO_MANY: "Not looked up: at most three addresses at a time",
}
_FAILED = {
    FetchFault.NO_SUCH_HOST: "There is no such host",
    FetchFault.NOT_REACHED: "The host could not be reached",
    FetchFault.TLS: "The host could not prove who it is",
    FetchFault.TIMED_OUT: "The page did not come in time",
    FetchFault.BROKEN: "The host's answer made no sense",
    FetchFault.BUSY: "The host wants to be left alone for a while",
    FetchFault.NO_TEXT: "The page has no text",
    FetchFault.UNREADABLE: "The page's text could not be read",
    FetchFault.STATUS: "The host answered with an error",
}


def cut(text: str) -> tuple[str, bool]:
    """Return what of a text stands in a prompt, and whether there was more."""
    return text[:MOST_CHARACTERS], len(text) > MOST_CHARACTERS


def refused(rule: RefusalRule) -> str:
    """Return the page for a refused address."""
    return _page("Not fetched", _SAID.get(rule, _REFUSED))


def failed(fault: FetchFault, status: int | None = None) -> str:
    """Return the page for a permitted address that brought none."""
    return _page(f"Error {status}" if fault is FetchFault.STATUS and status else "Error", _FAILED[fault])


def not_html(content_type: str) -> str:
    """Return the line for a page in another format."""
    shown = "".join(letter if letter.isprintable() else " " for letter in content_type)[:100].strip() or "(none)"
    return f"Content-Type: {shown} - not fetched (non-HTML content)"


def _page(title: str, words: str) -> str:
    return f"<html><head><title>{title}</title></head><body><p>{words}.</p></body></html>"
