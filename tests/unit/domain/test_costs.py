"""What a model call costs."""

from __future__ import annotations

import pytest

from chimein_gui.domain.costs import PRICES, Price, cost_usd
from chimein_gui.domain.prompt.prompts import Usage

LIST = (Price("duck", 1.0, 10.0), Price("duck-small", 0.5, 2.0))


@pytest.mark.parametrize(
    ("model", "cost"),
    [
        pytest.param("duck", 0.071, id="its own name"),
        pytest.param("models/duck", 0.071, id="as the service writes it"),
        pytest.param("duck-preview-2026", 0.071, id="a name that begins with it"),
        pytest.param("duck-small", 0.0145, id="the longest name counts"),
        pytest.param("duckling", None, id="another name"),
        pytest.param("goose", None, id="no price"),
    ],
)
def test_thinking_is_paid_like_the_reply(model: str, cost: float | None) -> None:
    assert cost_usd(model, Usage(1_000, 3_000, 4_000), LIST) == (None if cost is None else pytest.approx(cost))


def test_what_the_operator_has_set_goes_before_the_list() -> None:
    own = Price("gemini-2.5-flash", 1.0, 1.0)
    assert cost_usd("gemini-2.5-flash", Usage(1_000_000, 0, 0), (own, *PRICES)) == 1.0


def test_what_came_from_the_cache_is_cheaper_where_the_list_says_so() -> None:
    usage = Usage(1_000_000, cached_tokens=500_000)
    assert cost_usd("duck", usage, (Price("duck", 1.0, 1.0, 0.25),)) == pytest.approx(0.625)
    assert cost_usd("duck", usage, LIST) == 1.0
