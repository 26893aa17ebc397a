"""The axis of active time: long waits are cut out of it, so that the work of a plan can be seen beside them."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from chimein_gui.domain.traces.steps import WAITS, ApprovalStep, AxisCut, StepState

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from chimein_gui.domain.traces.steps import Trace, TraceStep

LONGEST_WAIT_S = 30.0
"""Longer waits are cut."""

SHOWN_S = 3.0
"""What is shown of a long wait on each side of the cut, in seconds."""


def on_axis(steps: Sequence[TraceStep]) -> tuple[tuple[TraceStep, ...], tuple[AxisCut, ...], float]:
    """Put steps on the axis.

    Args:
        steps: With their times.

    Returns:
        The steps with their places, the cuts in order, and the length of the axis in seconds.
    """
    if not steps:
        return (), (), 0.0
    start = min(step.began_at for step in steps)
    gaps = tuple(_gaps(steps))
    cuts, before = [], 0.0
    for begin, end in gaps:
        left_out_s = (end - begin).total_seconds()
        cuts.append(AxisCut((begin - start).total_seconds() - before, left_out_s))
        before += left_out_s

    def place(at: datetime) -> float:
        left_out = sum((min(at, end) - begin).total_seconds() for begin, end in gaps if at > begin)
        return max(0.0, (at - start).total_seconds() - left_out)

    placed = []
    for step in steps:
        offset_s, end_s = place(step.began_at), place(_end(step))
        is_cut = any(begin < _end(step) and end > step.began_at for begin, end in gaps)
        placed.append(replace(step, offset_s=offset_s, shown_s=end_s - offset_s, is_cut=is_cut))
    return tuple(placed), tuple(cuts), max(step.offset_s + step.shown_s for step in placed)


def time_of(steps: Iterable[TraceStep]) -> float:
    """Return for how long at least one of these steps lasted, in seconds; those at the same time count once."""
    length, until = timedelta(), None
    for begin, end in sorted((step.began_at, _end(step)) for step in steps):
        length += max(timedelta(), end - (begin if until is None else max(begin, until)))
        until = end if until is None else max(until, end)
    return length.total_seconds()


def as_of(trace: Trace, now: datetime) -> Trace:
    """Return a trace whose open waits last until now; the same object if none is open.

    Args:
        trace: As it was read.
        now: Aware UTC.
    """
    waits = [one for one in trace.steps if one.kind in WAITS and one.state is StepState.OPEN]
    longer = {one.step_id: max(one.took_s, (now - one.began_at).total_seconds()) for one in waits}
    if not waits or all(longer[one.step_id] == one.took_s for one in waits):
        return trace
    steps = [replace(one, took_s=longer.get(one.step_id, one.took_s)) for one in trace.steps]
    more_s = time_of(filter(_is_asked, steps)) - time_of(filter(_is_asked, trace.steps))
    placed, cuts, axis_s = on_axis(steps)
    return replace(trace, steps=placed, cuts=cuts, axis_s=axis_s, waited_s=trace.waited_s + more_s)


def _is_asked(step: TraceStep) -> bool:
    return isinstance(step.detail, ApprovalStep) and not step.detail.approval.by_rule


def _end(step: TraceStep) -> datetime:
    return step.began_at + timedelta(seconds=step.took_s)


def _gaps(steps: Iterable[TraceStep]) -> Iterable[tuple[datetime, datetime]]:
    """Yield the spans that are cut, in order: those in which nothing was done for longer than is shown."""
    shown, longest = timedelta(seconds=SHOWN_S), LONGEST_WAIT_S - 2 * SHOWN_S
    spans = []
    for step in steps:
        begin, end = step.began_at, _end(step)
        if step.kind in WAITS and step.took_s > LONGEST_WAIT_S:
            spans += [(begin, begin + shown), (end - shown, end)]
        else:
            spans.append((begin, end))
    until = None
    for begin, end in sorted(spans):
        if until is not None and (begin - until).total_seconds() > longest:
            yield until, begin
        until = end if until is None else max(until, end)
