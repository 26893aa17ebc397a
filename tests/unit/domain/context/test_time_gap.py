"""Sessions by gaps of time."""

from __future__ import annotations

from chimein_gui.domain.context import HistoryRow
from chimein_gui.domain.context.time_gap import session_around, session_before

MINUTE = 60.0


def rows(*minutes: float) -> list[HistoryRow]:
    return [HistoryRow(number, minute * MINUTE, "a", "x") for number, minute in enumerate(minutes)]


def test_a_session_ends_at_the_first_gap_above_sixty_minutes() -> None:
    assert list(session_before(rows(0, 61.1, 120, 180), 240 * MINUTE)) == [1, 2, 3]


def test_a_gap_of_just_sixty_minutes_is_inside() -> None:
    assert list(session_before(rows(0, 60, 120), 180 * MINUTE)) == [0, 1, 2]


def test_silence_before_the_trigger_leaves_nothing() -> None:
    assert not session_before(rows(0, 1, 2), 63 * MINUTE)
    assert not session_before([], 0.0)


def test_no_more_than_twenty_rows() -> None:
    history = rows(*range(50))
    assert list(session_before(history, 50 * MINUTE)) == list(range(30, 50))
    assert list(session_before(history, 50 * MINUTE, lookback=3)) == [47, 48, 49]


def test_around_a_message_takes_the_nearest_first() -> None:
    history = rows(0, 100, 110, 111, 120, 300)
    assert session_around(history, 2) == (1, 2, 3, 4)
    assert session_around(history, 2, limit=2) == (2, 3)
    assert session_around(history, 2, max_gap_s=5 * MINUTE) == (2, 3)
    assert session_around(history, 2, limit=0) == ()
    assert session_around(history, 77) == ()
