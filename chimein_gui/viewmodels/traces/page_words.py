"""Fetched pages in words: status, how much is used, and further facts."""

from __future__ import annotations

from collections import Counter
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QCoreApplication

from chimein_gui.domain.prompt.foreign import count_masked
from chimein_gui.domain.replies.replies import BlockKind, parse_reply
from chimein_gui.domain.text.tokens import tokens_of
from chimein_gui.domain.traces.steps import CallStep
from chimein_gui.viewmodels.core.numbers import bytes_words, count_words
from chimein_gui.viewmodels.core.roles import SPOKEN
from chimein_gui.viewmodels.core.sanitize import sanitize
from chimein_gui.viewmodels.traces.step_words import fault_words, page_words, rule_words
from chimein_gui.viewmodels.traces.words import seconds_words

if TYPE_CHECKING:
    from chimein_gui.domain.retrieval.pages import PageFetched
    from chimein_gui.domain.traces.steps import Trace, TraceStep

translate = QCoreApplication.translate


def page_status(page: PageFetched) -> str:
    """Return the status, with those of the redirects: 200 ← 301; those of a loop are counted: 302 ← 302 × 5."""
    if page.refusal is not None:
        return translate("TracePages", "refused")
    status = str(page.status) if page.status is not None else translate("TracePages", "no answer")
    hops = ((code, len(list(same))) for (code, _url), same in groupby(reversed(page.redirects)))
    return " ← ".join((status, *(f"{code} × {times}" if times > 1 else str(code) for code, times in hops)))


def has_source(page: PageFetched) -> bool:
    """Return whether a page was read, so that there was a source of it; whether it is still kept, the store knows."""
    return page.refusal is None and page.error is None


def size_cell(page: PageFetched) -> str:
    """Return how much of a page was read, as short as it can be said; empty for nothing."""
    size = bytes_words(page.size) if page.size else ""
    return f"> {size}" if page.is_part else size


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


def page_outcome(page: PageFetched) -> str:
    """Return an address and what became of it."""
    return ", ".join((sanitize(page.requested[:SPOKEN], keep_breaks=False), page_words(page)))


def page_sentence(page: PageFetched) -> str:
    """Return a page as one sentence, for screen readers."""
    return ", ".join((page_outcome(page), seconds_words(page.took_s)))


class AskedBy(NamedTuple):
    """Where the model asked for a page.

    Attributes:
        call: Number of the call.
        block: Number of the block in its reply, from 1.
        blocks: Number of its blocks.
        is_raw: The source was asked for.
    """

    call: int
    block: int
    blocks: int
    is_raw: bool


def asked_by(trace: Trace, step: TraceStep, page: PageFetched) -> AskedBy | None:
    """Return where the model asked for a page; None if that reply is not kept."""
    call: CallStep | None = None
    for one in trace.steps:
        if one.step_id in (step.parent_id, step.step_id):
            break
        if isinstance(one.detail, CallStep) and one.detail.number:
            call = one.detail
    blocks = parse_reply(call.reply).blocks if call is not None else ()
    wanted = [block for block in blocks if block.kind is BlockKind.RETRIEVE]
    is_raw = any("raw" in block.params for block in wanted)
    for place, block in enumerate(blocks, 1):
        if block in wanted and page.requested in block.params["urls"].split("\n") and call is not None:
            return AskedBy(call.number, place, len(blocks), is_raw)
    return None


def page_facts(trace: Trace, step: TraceStep, page: PageFetched) -> tuple[tuple[str, str], ...]:
    """Return the facts of a page, each with its name, what is looked for most first; addresses are foreign."""
    facts: list[tuple[str, str]] = []
    asked = asked_by(trace, step, page)
    if asked is not None:
        words = translate("TracePages", "LLM call {n}, block {block} of {blocks}")
        words = words.format(n=asked.call, block=asked.block, blocks=asked.blocks)
        facts.append((translate("TracePages", "Requested by"), words))
    if page.address and page.refusal is None:
        words = translate("TracePages", "{address}, public").format(address=page.address)
        facts.append((translate("TracePages", "Resolved to"), words))
    if page.refusal is not None:
        facts.append((translate("TracePages", "Refused by the rule"), rule_words(page.refusal)))
    if page.error is not None:
        facts.append((translate("TracePages", "Trouble"), fault_words(page.error)))
    facts += _kept_facts(page)
    if page.final != page.requested:
        facts.append((translate("TracePages", "Answered by"), page.final))
    for (code, url), times in Counter(page.redirects).items():
        words = url if times == 1 else translate("TracePages", "{times} × {url}").format(times=times, url=url)
        facts.append((translate("TracePages", "Redirect {code}").format(code=code), words))
    if page.size:
        read = bytes_words(page.size)
        if page.is_part:
            read = translate("TracePages", "the first {size}; the page is larger, and reading stops there").format(
                size=read
            )
        facts.append((translate("TracePages", "Read"), read))
    if asked is not None and page.used_chars and page.refusal is None and page.error is None:
        form = (
            translate("TracePages", "source of the page") if asked.is_raw else translate("TracePages", "readable text")
        )
        facts.append((translate("TracePages", "Form"), form))
    facts.append((translate("TracePages", "Round"), str(page.round)))
    return tuple(facts)


def _kept_facts(page: PageFetched) -> list[tuple[str, str]]:
    """Return what of a page stands in the prompt; each fits into a line."""
    facts = []
    characters = page.used_chars
    if characters:
        used = translate("TracePages", "%Ln character(s)", "", characters)
        if page.is_cut:
            used = translate("TracePages", "cut after %Ln character(s)", "", characters)
        facts.append((translate("TracePages", "In the prompt"), used))
        count = tokens_of([page.text])
        tokens = translate("TracePages", "about %Ln, in each later call", "", count)
        facts.append((translate("TracePages", "Tokens added"), tokens))
    escaped = count_masked(page.text)
    if escaped:
        words = translate("TracePages", "%n marker(s) of the page", "", escaped)
        facts.append((translate("TracePages", "Escaped"), words))
    return facts
