"""The order of what a search of memories found: by words, by meaning, or by both."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from chimein_gui.domain.memory.recall import RRF

if TYPE_CHECKING:
    from collections.abc import Sequence

DEPTH = 50
"""How far down each ranking is looked at."""


class Ranked(NamedTuple):
    """An entry with its place in the common order.

    Attributes:
        key: The entry, as the rankings name it.
        score: 0 to 1: the share of what an entry gets that is first in all rankings.
    """

    key: int
    score: float


def fused(*rankings: Sequence[int]) -> list[Ranked]:
    """Return one order of several rankings, best first, by reciprocal rank fusion.

    An entry that stands in two rankings comes before one that stands in one of them at a like place. Those with the
    same score stay in the order of the first ranking that has them.

    Args:
        *rankings: Entries, best first, each at most once in a ranking.
    """
    scores: dict[int, float] = {}
    for ranking in rankings:
        for place, key in enumerate(ranking[:DEPTH], 1):
            scores[key] = scores.get(key, 0.0) + 1 / (RRF + place)
    most = len(rankings) / (RRF + 1)
    order = sorted(scores, key=scores.__getitem__, reverse=True)
    return [Ranked(key, scores[key] / most) for key in order]
