"""The numbers of one selection: how many were taken, why, and what the time-gap rule would have taken."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chimein_gui.domain.prompt.considered import ConsideredMessage

BINS = 10
"""Bars of the histogram."""

LOSERS = 5
"""Number of messages left out that are listed."""


@dataclass(frozen=True, slots=True)
class Figures:
    """Numbers of one selection.

    Attributes:
        considered, taken: Numbers of messages.
        by_rule: Messages that the time-gap rule would take.
        rule_only, missed: Messages that only the rule takes, and that only the selection takes.
        reasons: Number of messages taken for each reason, the most frequent first.
        bins: For each tenth of the probability, the numbers of messages taken and left out.
        threshold: Lowest percentage of a message taken for its links; None without one.
        losers: The messages left out with the highest probability, best first.
    """

    considered: int = 0
    taken: int = 0
    by_rule: int = 0
    rule_only: int = 0
    missed: int = 0
    reasons: dict[str, int] = field(default_factory=dict)
    bins: tuple[tuple[int, int], ...] = ()
    threshold: int | None = None
    losers: tuple[ConsideredMessage, ...] = ()


def figures_of(messages: Sequence[ConsideredMessage]) -> Figures:
    """Count a selection."""
    reasons: Counter[str] = Counter()
    taken_in, out_in = [0] * BINS, [0] * BINS
    threshold, by_rule, rule_only, missed = None, 0, 0, 0
    out = []
    for one in messages:
        percent = one.percent
        by_rule += one.in_session
        if one.included:
            reasons[one.reason] += 1
            missed += not one.in_session
            if one.reason == "link" and percent is not None:
                threshold = percent if threshold is None else min(threshold, percent)
        else:
            rule_only += one.in_session
            if percent:
                out.append(one)
        if percent is not None:
            (taken_in if one.included else out_in)[min(percent * BINS // 100, BINS - 1)] += 1
    out.sort(key=lambda one: -(one.percent or 0))
    return Figures(
        len(messages),
        sum(reasons.values()),
        by_rule,
        rule_only,
        missed,
        dict(reasons.most_common()),
        tuple(zip(taken_in, out_in, strict=True)) if any(taken_in) or any(out_in) else (),
        threshold,
        tuple(out[:LOSERS]),
    )
