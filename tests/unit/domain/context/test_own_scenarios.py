"""The scores on our own scenarios, in ten languages, of the weights that ship."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from docs.context_model.own.adapter import select_context


def half(name: str) -> list[dict[str, Any]]:
    path = Path("docs", "context_model", "own", f"{name}.json")
    found: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    return found


def f1(chosen: set[int], gold: set[int]) -> float:
    return 2 * len(chosen & gold) / (len(chosen) + len(gold))


@pytest.mark.parametrize(("name", "score", "exact"), [("tuning", 83.5, 11), ("validation", 75.0, 6)])
def test_the_scores_of_the_weights_that_ship_hold_in_all_languages(name: str, score: float, exact: int) -> None:
    """What the README says of stage one; few scenarios, so that one that turns over shows."""
    scenarios = half(name)
    got = [f1(set(select_context(one["messages"], one["trigger"])), set(one["gold"])) for one in scenarios]
    assert 100 * sum(got) / len(got) >= score
    assert sum(one == 1.0 for one in got) >= exact
