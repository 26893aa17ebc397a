"""Tokens and costs of a trace in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from chimein_gui.viewmodels.core.numbers import count_words
from chimein_gui.viewmodels.traces.words import dollars_exact

if TYPE_CHECKING:
    from chimein_gui.domain.prompt.prompts import Usage
    from chimein_gui.domain.traces.summaries import TraceSummary

translate = QCoreApplication.translate


def cached_words(usage: Usage) -> str:
    """Return the cached tokens of a prompt with their share."""
    if not usage.cached_tokens:
        return "0"
    percent = round(100 * usage.cached_tokens / max(1, usage.prompt_tokens))
    return translate("TraceUsage", "{n} ({percent} %)").format(n=count_words(usage.cached_tokens), percent=percent)


def usage_sum(row: TraceSummary) -> str:
    """Return what all calls of a trace used."""
    calls, unpriced = row.model_calls, row.unpriced
    parts = [translate("TraceUsage", "%n call(s)", "", calls)]
    tokens = translate("TraceUsage", "{tokens_in} tokens in, {tokens_out} out")
    parts.append(tokens.format(tokens_in=count_words(row.tokens_in), tokens_out=count_words(row.tokens_out)))
    if row.tokens_cached:
        parts.append(translate("TraceUsage", "{n} of them cached").format(n=count_words(row.tokens_cached)))
    parts.append(dollars_exact(row.usd) or translate("TraceUsage", "no price known"))
    if unpriced:
        parts.append(translate("TraceUsage", "%n without a price", "", unpriced))
    return " · ".join(parts)
