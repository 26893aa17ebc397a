"""Sessions by gaps in time: the fallback of the selection, and the baseline of its evaluation."""

from __future__ import annotations

from collections.abc import Sequence

from chimein_gui.domain.context.rows import HistoryRow

MAX_GAP_S = 3600.0
"""A longer silence separates two sessions."""

LOOKBACK = 20
"""Most messages before the trigger that a session contains."""


def session_before(
    history: Sequence[HistoryRow], trigger_at: float, max_gap_s: float = MAX_GAP_S, lookback: int = LOOKBACK
) -> range:
    """Find the session that a trigger continues.

    Args:
        history: Oldest first.
        trigger_at: Unix seconds.
        max_gap_s: The longest gap inside a session.
        lookback: The most rows.

    Returns:
        Positions in `history`, up to its end; empty after a long silence.
    """
    start, newer_at = len(history), trigger_at
    while start > max(0, len(history) - lookback) and newer_at - history[start - 1].sent_at <= max_gap_s:
        start -= 1
        newer_at = history[start].sent_at
    return range(start, len(history))


def session_around(
    history: Sequence[HistoryRow], anchor_id: int, max_gap_s: float = MAX_GAP_S, limit: int = LOOKBACK
) -> tuple[int, ...]:
    """Find the session around a message: its neighbours without a long gap between, the nearest in time first.

    Args:
        history: Oldest first.
        anchor_id: The message in the middle.
        max_gap_s: The longest gap inside a session.
        limit: The most rows, the anchor counted.

    Returns:
        Message ids, oldest first; empty if the anchor is not in `history`.
    """
    places = [place for place, row in enumerate(history) if row.message_id == anchor_id]
    if not places or limit < 1:
        return ()
    first = last = places[-1]
    while last - first + 1 < limit:
        before = history[first].sent_at - history[first - 1].sent_at if first > 0 else float("inf")
        after = history[last + 1].sent_at - history[last].sent_at if last + 1 < len(history) else float("inf")
        if min(before, after) > max_gap_s:
            break
        if before <= after:
            first -= 1
        else:
            last += 1
    return tuple(row.message_id for row in history[first : last + 1])
