"""Fetched pages in words: status, how much is used, and further facts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from chimein_gui.viewmodels.core.numbers import count_words
from chimein_gui.viewmodels.core.roles import SPOKEN
from chimein_gui.viewmodels.core.sanitize import sanitize
from chimein_gui.viewmodels.traces.step_words import fault_words, page_words, rule_words, size_words
from chimein_gui.viewmodels.traces.words import seconds_words

if TYPE_CHECKING:
    from chimein_gui.domain.retrieval.pages import PageFetched

translate = QCoreApplication.translate


def page_status(page: PageFetched) -> str:
    """Return the status, with those of the redirects: 200 ← 301."""
    if page.refusal is not None:
        return translate("TracePages", "refused")
    status = str(page.status) if page.status is not None else translate("TracePages", "none")
    return " ← ".join((status, *(str(code) for code, _url in reversed(page.redirects))))


def used_words(page: PageFetched) -> str:
    """Return how many characters stand in the prompt."""
    if not page.used_chars:
        return ""
    if page.is_cut:
        return translate("TracePages", "cut {n}").format(n=count_words(page.used_chars))
    return count_words(page.used_chars)


def cache_word(page: PageFetched) -> str:
    """Return whether the page was fetched for this plan."""
    if page.refusal is not None or page.status is None:
        return ""
    return translate("TracePages", "cache") if page.from_cache else translate("TracePages", "fresh")


def page_sentence(page: PageFetched) -> str:
    """Return a page as one sentence, for screen readers."""
    address = sanitize(page.requested[:SPOKEN], keep_breaks=False)
    return ", ".join((address, page_words(page), seconds_words(page.took_s)))


def page_facts(page: PageFetched) -> tuple[tuple[str, str], ...]:
    """Return the facts of a page, each with its name; addresses are foreign."""
    facts = [(translate("TracePages", "Requested"), page.requested)]
    if page.final != page.requested:
        facts.append((translate("TracePages", "Answered by"), page.final))
    for code, url in page.redirects:
        facts.append((translate("TracePages", "Redirect {code}").format(code=code), url))
    if page.refusal is not None:
        facts.append((translate("TracePages", "Refused by the rule"), rule_words(page.refusal)))
    if page.error is not None:
        facts.append((translate("TracePages", "Trouble"), fault_words(page.error)))
    if page.size:
        facts.append((translate("TracePages", "Read"), size_words(page.size)))
    if page.used_chars:
        number = page.used_chars
        used = translate("TracePages", "%n character(s)", "", number)
        facts.append((translate("TracePages", "In the prompt"), used))
    facts.append((translate("TracePages", "Round"), str(page.round)))
    return tuple(facts)
