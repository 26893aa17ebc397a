"""What the operator asks for beside curating: descriptions of many files, and sticker sets that nobody met."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chimein_gui.domain.costs import cost_usd
from chimein_gui.domain.prompt.prompts import Usage

if TYPE_CHECKING:
    from chimein_gui.domain.costs import Price

ASSUMED = Usage(prompt_tokens=700, reply_tokens=90)
"""What a call that describes one file takes, until enough were measured: task, hints, a picture of up to 768 pixels."""

MEASURED_CALLS = 20
"""Calls from which on what they took is believed."""

_LINK = re.compile(
    r"(?:https?://)?(?:t\.me|telegram\.me|telegram\.dog)/add(?:stickers|emoji)/([A-Za-z0-9_]+)/?(?:\?.*)?|"
    r"tg://add(?:stickers|emoji)\?set=([A-Za-z0-9_]+).*|"
    r"([A-Za-z][A-Za-z0-9_]{0,63})",
    re.IGNORECASE,
)


def set_name_of(text: str) -> str:
    """Return the short name of a sticker set from what the operator typed: the name, or a link; empty if neither."""
    found = _LINK.fullmatch(text.strip())
    return next((name for name in found.groups() if name), "") if found is not None else ""


@dataclass(frozen=True, slots=True)
class DescriptionEstimate:
    """What describing some files would cost.

    Attributes:
        count: How many calls of a model.
        usd: US dollars; None if a model has no price in the list.
        per_tick: How many are made at most in one tick.
        tick_s: Length of a tick, in seconds.
    """

    count: int
    usd: float | None
    per_tick: int
    tick_s: float


def measured(calls: int, usage: Usage) -> Usage:
    """Return what one call takes on average, if there were enough; else what is assumed.

    Args:
        calls: How many calls there were.
        usage: The tokens of all of them.
    """
    if calls < MEASURED_CALLS:
        return ASSUMED
    return Usage(
        prompt_tokens=round(usage.prompt_tokens / calls),
        reply_tokens=round(usage.reply_tokens / calls),
        thinking_tokens=round(usage.thinking_tokens / calls),
    )


def estimate(
    count: int, model: str, prices: tuple[Price, ...], per_tick: int, tick_s: float, usage: Usage = ASSUMED
) -> DescriptionEstimate:
    """Estimate what it costs to describe so many files; other arguments as in `cost_usd`.

    Args:
        count: Files.
        model: The model that is asked.
        prices: The operator's.
        per_tick: How many are made at most in one tick.
        tick_s: Length of a tick, in seconds.
        usage: What one call takes.
    """
    one = cost_usd(model, usage, prices)
    return DescriptionEstimate(count, None if one is None else one * count, per_tick, tick_s)


@dataclass(frozen=True, slots=True)
class DescribingProgress:
    """How far the description of many files is.

    Attributes:
        done: Files that have words now.
        failed: Files for which a model had no words.
        count: All of them.
        is_waiting: The budget of this tick is spent; it goes on with the next one.
        is_over: Nothing more will be made: all are done, or it was cancelled.
    """

    done: int
    failed: int
    count: int
    is_waiting: bool = False
    is_over: bool = False
