"""Traces in words: what became of a plan, its key figures, and its row in the list."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import TYPE_CHECKING

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication

from chimein_gui.domain.retrieval.pages import PageFetched
from chimein_gui.domain.retrieval.refusals import FetchFault
from chimein_gui.domain.traces.steps import ApprovalStep, CallStep, StepState, is_postponed
from chimein_gui.domain.traces.summaries import TraceKind, TraceState
from chimein_gui.viewmodels.core.numbers import bytes_words, count_words, decimal_words, dollars_words, short_day_words
from chimein_gui.viewmodels.core.roles import SPOKEN
from chimein_gui.viewmodels.core.sanitize import sanitize
from chimein_gui.viewmodels.costs.words import purpose_words
from chimein_gui.viewmodels.traces.standing import WaitsFor
from chimein_gui.viewmodels.words.notes import note_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chimein_gui.domain.prompt.prompts import Usage
    from chimein_gui.domain.traces.steps import Trace
    from chimein_gui.domain.traces.summaries import TraceFilter, TraceSizes, TraceSummary
    from chimein_gui.viewmodels.core.clock import ClockFace
    from chimein_gui.viewmodels.traces.standing import Standing

translate = QCoreApplication.translate

NOTHING = "–"
"""Stands where a zero says nothing."""

LEAST_DIGITS, MOST_DIGITS = 4, 6
"""Decimals of a dollar."""

MINUTE, HOUR = 60, 3600
MOST_PLACES = 3
"""Of a mark below one second: marks are whole milliseconds."""
MB = 1_000_000

_STATES: dict[TraceState, object] = {
    TraceState.RETRYING: QT_TRANSLATE_NOOP("Traces", "Will be tried again"),
    TraceState.BEGUN_ANEW: QT_TRANSLATE_NOOP("Traces", "Started over"),
    TraceState.NO_KEY: QT_TRANSLATE_NOOP("Traces", "Waits for the key"),
    TraceState.CAPPED: QT_TRANSLATE_NOOP("Traces", "Paused by a cap"),
    TraceState.STOPPED: QT_TRANSLATE_NOOP("Traces", "Stopped"),
    TraceState.UNNEEDED: QT_TRANSLATE_NOOP("Traces", "Answered meanwhile"),
    TraceState.NO_ANSWER: QT_TRANSLATE_NOOP("Traces", "No answer"),
    TraceState.OBSERVED: QT_TRANSLATE_NOOP("Traces", "Observed"),
    TraceState.WAITING: QT_TRANSLATE_NOOP("Traces", "Waiting for you"),
    TraceState.APPROVED: QT_TRANSLATE_NOOP("Traces", "Approved"),
    TraceState.SENDING: QT_TRANSLATE_NOOP("Traces", "Sending"),
    TraceState.UNKNOWN: QT_TRANSLATE_NOOP("Traces", "Outcome unknown"),
    TraceState.SENT: QT_TRANSLATE_NOOP("Traces", "Sent"),
    TraceState.REJECTED: QT_TRANSLATE_NOOP("Traces", "Rejected"),
    TraceState.REPLACED: QT_TRANSLATE_NOOP("Traces", "Replaced"),
    TraceState.CANCELLED: QT_TRANSLATE_NOOP("Traces", "Cancelled"),
    TraceState.FAILED: QT_TRANSLATE_NOOP("Traces", "Failed"),
    TraceState.REFUSED: QT_TRANSLATE_NOOP("Traces", "Refused by the model"),
    TraceState.PARKED: QT_TRANSLATE_NOOP("Traces", "Other version"),
    TraceState.ANSWERED: QT_TRANSLATE_NOOP("Traces", "What-if"),
}


_NO_WORDS = re.compile(r"(?<!#)#+ ?«[^«»]*»(?: [0-9]+)?|\(think, [0-9]+ characters\)")
"""What stands in a reply beside what it says."""

TRACE_KEY = "T"
"""The single key that leads from a plan to its trace, wherever a plan is seen."""


def trace_action() -> str:
    """Return the one word for the way from a plan to its trace."""
    return translate("Traces", "Show trace")


_KINDS: dict[TraceKind, object] = {
    TraceKind.PLAN: QT_TRANSLATE_NOOP("Traces", "plans"),
    TraceKind.VARIANT: QT_TRANSLATE_NOOP("Traces", "other versions"),
    TraceKind.DRY_RUN: QT_TRANSLATE_NOOP("Traces", "dry runs"),
}


def span_words(wanted: TraceFilter) -> str:
    """Return the days, the kind and the calls that a filter asks for, such as 3 Nov to 9 Nov, plans; empty for all."""
    parts = []
    if wanted.since is not None and wanted.until is not None:
        first, last = wanted.since.astimezone().date(), (wanted.until - timedelta(seconds=1)).astimezone().date()
        day, end = short_day_words(first), short_day_words(last)
        parts.append(day if first == last else translate("Traces", "{first} to {last}").format(first=day, last=end))
    if wanted.kind is not None:
        parts.append(translate("Traces", str(_KINDS[wanted.kind])))
    if wanted.purpose:
        parts.append(purpose_words(wanted.purpose))
    if wanted.model:
        parts.append(sanitize(wanted.model[:SPOKEN], keep_breaks=False))
    return ", ".join(parts)


def state_word(row: TraceSummary) -> str:
    """Return what became of a plan; a dry run is always called so."""
    if row.kind is TraceKind.DRY_RUN:
        if row.state is TraceState.FAILED:
            return translate("Traces", "What-if failed")
        if row.state is TraceState.REFUSED:
            return translate("Traces", "What-if refused")
        return translate("Traces", "What-if")
    if row.state is TraceState.SENT and row.is_edited:
        return translate("Traces", "Sent, edited")
    return translate("Traces", str(_STATES[row.state]))


def standing_word(standing: Standing, clock: ClockFace) -> str:
    """Return what a plan waits for, with the time that is left of a wait that a server asked for."""
    if standing.waits_for is WaitsFor.LOG_IN:
        return translate("Traces", "Waits for the account")
    if standing.waits_for is WaitsFor.OPERATOR:
        return translate("Traces", "Postponed")
    left = clock.left(standing.until) if standing.until is not None else ""
    return translate("Traces", "Waiting {time}").format(time=left)


def first_words(row: TraceSummary) -> str:
    """Return the message that a plan answers, of a dry run its answer; without one, why it failed. Foreign text."""
    words = row.first_words
    if row.kind is TraceKind.DRY_RUN:
        words = " ".join(_NO_WORDS.sub(" ", words).split())
    return words or problem_sentence(row)


def problem_sentence(row: TraceSummary) -> str:
    """Return why a plan failed or waits, in words; empty if it does neither."""
    return note_words(row.problem) if row.problem is not None else ""


def trace_title(row: TraceSummary) -> str:
    """Return the title of a trace: that of its plan, else its own number."""
    if row.kind is TraceKind.DRY_RUN:
        return translate("Traces", "What-if {number}").format(number=row.trace_id)
    number = row.graph_id if row.graph_id is not None else row.trace_id
    words = translate("Traces", "Plan {number}") if row.graph_id is not None else translate("Traces", "Trace {number}")
    return words.format(number=number)


def seconds_words(seconds: float) -> str:
    """Return a duration, as exact as its size asks for: 4 ms, 1.42 s, 17.0 s, 4 min 12 s, 2 h 5 min."""
    if seconds < 0.9995:
        return translate("Traces", "{n} ms").format(n=round(seconds * 1000))
    if seconds < MINUTE:
        return translate("Traces", "{n} s").format(n=decimal_words(seconds, 2 if seconds < 20 else 1))
    whole = round(seconds)
    if whole < HOUR:
        return translate("Traces", "{m} min {s} s").format(m=whole // MINUTE, s=whole % MINUTE)
    return translate("Traces", "{h} h {m} min").format(h=whole // HOUR, m=whole % HOUR // MINUTE)


def mark_words(seconds: float) -> str:
    """Return a mark of the axis: 0.02 s, 5 s, or 4:30."""
    if seconds < MINUTE:
        places = range(MOST_PLACES if seconds < 1 else 1)
        digits = next((one for one in places if round(seconds, one) == round(seconds, MOST_PLACES)), len(places))
        return translate("Traces", "{n} s").format(n=decimal_words(seconds, digits))
    whole = round(seconds)
    if whole < HOUR:
        return f"{whole // MINUTE}:{whole % MINUTE:02}"
    return f"{whole // HOUR}:{whole % HOUR // MINUTE:02}:{whole % MINUTE:02}"


def dollars_exact(usd: float | None, digits: int = LEAST_DIGITS) -> str:
    """Return an amount to a hundredth of a cent or closer; a dash for nothing, empty without a price."""
    if usd is None:
        return ""
    return dollars_words(usd, digits) if usd else NOTHING


def guessed(words: str, *, is_guess: bool) -> str:
    """Return a figure, marked if it is an estimate: the service did not report it."""
    return f"≈ {words}" if words and is_guess else words


def has_estimates(trace: Trace) -> bool:
    """Return whether the service did not report what a call of a trace used."""
    return any(isinstance(one.detail, CallStep) and one.detail.call.estimated for one in trace.steps)


def cost_digits(trace: Trace) -> int:
    """Return with how many decimals the amounts of the steps add up to that of the trace, as far as any do."""
    amounts = [one.usd for one in trace.steps if one.usd]
    total = trace.summary.usd or 0.0
    fit = (
        digits
        for digits in range(LEAST_DIGITS, MOST_DIGITS)
        if round(sum(round(one, digits) for one in amounts), digits) == round(total, digits)
    )
    return next(fit, LEAST_DIGITS if not amounts else MOST_DIGITS)


def figures_of(trace: Trace) -> tuple[tuple[str, str], ...]:
    """Return the key figures, each with what it counts."""
    row = trace.summary
    found: list[tuple[str, str]] = []
    if trace.message_to_send_s is not None:
        found.append((seconds_words(trace.message_to_send_s), translate("Traces", "from message to last send")))
    is_part = trace.message_to_send_s is not None
    working = translate("Traces", "of it working") if is_part else translate("Traces", "working")
    found.append((seconds_words(row.work_s), working))
    if trace.waited_s:
        waits = [one for one in trace.steps if isinstance(one.detail, ApprovalStep) and one.state is StepState.OPEN]
        is_later = bool(waits) and all(map(is_postponed, waits))
        words = translate("Traces", "waiting, postponed by you") if is_later else translate("Traces", "waiting for you")
        found.append((seconds_words(trace.waited_s), words))
    tokens = f"{count_words(row.tokens_in)} / {count_words(row.tokens_out)}"
    is_guess = has_estimates(trace)
    tokens = guessed(tokens, is_guess=is_guess) if row.tokens_in or row.tokens_out else NOTHING
    found.append((tokens, translate("Traces", "tokens in / out")))
    cost = dollars_exact(row.usd if row.model_calls else 0.0, cost_digits(trace)) or translate("Traces", "no price")
    calls, pages, refused = row.model_calls, row.pages, row.refused_pages
    found.append((guessed(cost, is_guess=is_guess and bool(row.usd)), translate("Traces", "%n call(s)", "", calls)))
    fetched = [one.detail for one in trace.steps if isinstance(one.detail, PageFetched)]
    faults = [one.error for one in fetched if one.refusal is None and one.error is not None]
    if pages or refused or faults:
        parts = (translate("Traces", "retrieved"), *left_out_words(refused, faults))
        found.append((translate("Traces", "%n page(s)", "", pages), ", ".join(parts)))
    return tuple(found)


def left_out_words(refused: int, faults: Sequence[FetchFault]) -> tuple[str, ...]:
    """Return how many addresses brought no page, by why: refused, timed out, or another fault."""
    late = sum(one is FetchFault.TIMED_OUT for one in faults)
    other = len(faults) - late
    counts = (
        (refused, translate("TraceSteps", "%n refused", "", refused)),
        (late, translate("TraceSteps", "%n timed out", "", late)),
        (other, translate("TraceSteps", "%n not read", "", other)),
    )
    return tuple(words for count, words in counts if count)


def size_words(sizes: TraceSizes) -> str:
    """Return how much is stored; *kept* is what the operator keeps for good."""
    number = sizes.traces
    stored = translate("Traces", "%n trace(s) stored", "", number)
    return f"{stored} · {bytes_words(sizes.all_bytes)}"


def limit_words(sizes: TraceSizes) -> str:
    """Return for how long and up to which size traces are kept."""
    parts = []
    days, kept = sizes.days, sizes.kept
    if days is not None:
        parts.append(translate("Traces", "Stored for %n day(s)", "", days))
    if sizes.limit_bytes is not None:
        limit = decimal_words(sizes.limit_bytes / MB / 1000, 1)
        parts.append(translate("Traces", "at most {n} GB").format(n=limit))
    if kept:
        parts.append(translate("Traces", "%n kept for good", "", kept))
    return ", ".join(parts)


def row_sentence(row: TraceSummary, clock: ClockFace, standing: Standing | None = None) -> str:
    """Return a row as one sentence, for screen readers."""
    parts = (
        translate("Traces", "{agent} to {chat}").format(agent=_spoken(row.agent_name), chat=_spoken(row.chat_title)),
        clock.stamp(row.ended_at),
        state_word(row) if standing is None else standing_word(standing, clock),
        _spoken(first_words(row)),
        dollars_exact(row.usd) if row.usd else "",
        translate("Traces", "kept") if row.is_kept else "",
    )
    return ", ".join(part for part in parts if part)


def _spoken(text: str) -> str:
    return sanitize(text[:SPOKEN], keep_breaks=False)


def cached_words(usage: Usage) -> str:
    """Return the cached tokens of a prompt with their share."""
    if not usage.cached_tokens:
        return "0"
    percent = round(100 * usage.cached_tokens / max(1, usage.prompt_tokens))
    return translate("TraceUsage", "{n} ({percent} %)").format(n=count_words(usage.cached_tokens), percent=percent)


def usage_sum(trace: Trace) -> str:
    """Return what all calls of a trace used."""
    row = trace.summary
    calls, unpriced = row.model_calls, row.unpriced
    parts = [translate("TraceUsage", "%n call(s)", "", calls)]
    tokens = translate("TraceUsage", "{tokens_in} tokens in, {tokens_out} out")
    if row.tokens_cached:
        tokens = translate("TraceUsage", "{tokens_in} tokens in (of which {cached} cached), {tokens_out} out")
    numbers = {"tokens_in": row.tokens_in, "tokens_out": row.tokens_out, "cached": row.tokens_cached}
    tokens = tokens.format(**{name: count_words(number) for name, number in numbers.items()})
    is_guess, usd = has_estimates(trace), row.usd if calls else 0.0
    parts.append(guessed(tokens, is_guess=is_guess))
    cost = dollars_exact(usd, cost_digits(trace)) or translate("TraceUsage", "no price known")
    parts.append(guessed(cost, is_guess=is_guess and bool(usd)))
    if unpriced:
        parts.append(translate("TraceUsage", "%n without a price", "", unpriced))
    return " · ".join(parts)
