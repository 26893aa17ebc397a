"""Stage two on vectors made by hand: they prove the mechanics, not what it is worth."""

from __future__ import annotations

import pytest

from chimein_gui.domain.context import Choice, Reason
from chimein_gui.domain.context.second_stage import MOST_CANDIDATES, candidates, second_stage

RAMEN, HEALTH = (1.0, 0.1, 0.0), (0.0, 0.1, 1.0)


def choice(number: int, probability: float, reason: Reason = Reason.LINK, *, included: bool = True) -> Choice:
    return Choice(number, included, probability, reason)


SIX = (
    choice(1, 0.9),
    choice(2, 0.6),
    choice(3, 0.9),
    choice(4, 0.6),
    choice(5, 0.9),
    choice(6, 0.3, Reason.OTHER_THREAD, included=False),
)
MEANT = {1: RAMEN, 2: HEALTH, 3: RAMEN, 4: HEALTH, 5: RAMEN, 6: RAMEN}


def test_what_means_something_else_is_pruned_and_what_means_the_same_is_rescued() -> None:
    found = second_stage(SIX, MEANT)
    assert [one.message_id for one in found if one.included] == [1, 3, 5, 6]
    assert [one.reason for one in found if one.message_id in {2, 6}] == [Reason.OTHER_THREAD, Reason.LINK]
    assert found[5].probability > SIX[5].probability


def test_what_all_texts_of_an_embedder_have_in_common_tells_nothing() -> None:
    plain = {**MEANT, 6: (0.6, 0.1, 0.4)}  # a hint of ramen
    shifted = {number: tuple(5.0 + one for one in vector) for number, vector in plain.items()}
    for one, other in zip(second_stage(SIX, plain), second_stage(SIX, shifted), strict=True):
        assert (one.included, one.reason) == (other.included, other.reason)
        assert abs(one.probability - other.probability) < 1e-3


NAN, INF = float("nan"), float("inf")
MIDDLING = tuple(choice(number, 0.3 + number / 10, included=number > 3) for number in range(1, 7))
"""Stage one took fewer of these than rows that are independent of each other would be taken."""


@pytest.mark.parametrize(
    "vector", [(0.1, 0.2, 0.7), (0.0, 0.0, 0.0), (NAN, 0.0, 1.0), (NAN,) * 3, (INF, 0.0, -INF), (1e300, 1e300, 0.0), ()]
)
def test_vectors_that_tell_nothing_leave_the_first_choice(vector: tuple[float, ...]) -> None:
    for rows in (SIX, MIDDLING):
        assert second_stage(rows, dict.fromkeys(MEANT, vector)) == rows


@pytest.mark.parametrize("broken", [(NAN, 0.1, 0.0), (INF, 0.1, 0.0), (0.0, 0.0, 0.0), (1.0, 0.1), (1.0,) * 7, ()])
def test_a_broken_vector_counts_as_none_and_spoils_no_other(broken: tuple[float, ...]) -> None:
    without = {number: vector for number, vector in MEANT.items() if number != 4}
    assert second_stage(SIX, {**without, 4: broken}) == second_stage(SIX, without) != SIX


def test_without_vectors_nothing_changes() -> None:
    assert second_stage(SIX, {}) == SIX
    assert second_stage(SIX, {1: RAMEN, 2: HEALTH}) == SIX
    assert second_stage((), {}) == ()


def test_the_anchor_and_its_chain_stay_whatever_they_mean() -> None:
    chained = (choice(1, 1.0, Reason.REPLY_CHAIN), choice(2, 1.0, Reason.ANCHOR), *SIX[2:])
    found = second_stage(chained, {**MEANT, 1: HEALTH, 2: HEALTH})
    assert found[:2] == chained[:2]


def test_what_is_gone_or_another_topic_is_no_candidate() -> None:
    rows = (
        *SIX,
        choice(7, 0.9, Reason.GONE, included=False),
        choice(8, 0.9, Reason.OTHER_TOPIC, included=False),
        choice(9, 0.01, Reason.OTHER_THREAD, included=False),
    )
    assert candidates(rows) == (1, 2, 3, 4, 5, 6)
    assert second_stage(rows, MEANT)[6:] == rows[6:]


def test_candidates_are_bounded_and_few_are_left_alone() -> None:
    many = [choice(number, 0.5 + number / 1_000) for number in range(300)]
    assert candidates(many) == tuple(range(300 - MOST_CANDIDATES, 300))
    assert candidates(SIX[:2]) == ()
