"""Sums of costs as a table for other programs."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from chimein_gui.domain.spending.sums import CostRow

COLUMNS = (
    *("day", "agent", "chat", "purpose", "model", "calls", "prompt_tokens", "cached_tokens", "reply_tokens"),
    *("thinking_tokens", "estimated_calls", "unpriced_calls", "usd"),
)

_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def csv_of(rows: Iterable[CostRow], agent: Callable[[int], str], chat: Callable[[int], str]) -> str:
    """Return rows as CSV with a head; numbers have a point, whatever the language.

    Args:
        rows: The rows.
        agent: Returns the name of an agent.
        chat: Returns the title of a chat; both are foreign, and made harmless for spreadsheets.
    """
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(COLUMNS)
    for row in rows:
        names = (_harmless(agent(row.agent_id)), _harmless(chat(row.chat_id)) if row.chat_id else "")
        rest = (row.prompt_tokens, row.cached_tokens, row.reply_tokens, row.thinking_tokens, row.estimated)
        numbers = (row.calls, *rest, row.unpriced, f"{row.usd:.6f}")
        writer.writerow((row.day.isoformat(), *names, row.purpose, _harmless(row.model), *numbers))
    return out.getvalue()


def _harmless(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula."""
    return f"'{text}" if text.startswith(_FORMULA) else text
