"""The waits between the attempts at a plan: steps of the waterfall that nobody records, as they are what is between.

Functions that take a transaction run on the reader thread.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.domain.traces.entries import AttemptEnded
from chimein_gui.domain.traces.steps import NextTry, StepKind, StepState, TraceStep, waits_for_try
from chimein_gui.domain.traces.summaries import TraceState

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from chimein_gui.domain.traces.summaries import TraceSummary
    from chimein_gui.engine.ports import TaskRow, Transaction

LEAST_WAIT_S = 0.1
"""A shorter pause between two attempts is no wait."""

_TRIED_AGAIN = frozenset({TraceState.RETRYING, TraceState.NO_KEY, TraceState.CAPPED})
"""States in which the next attempt has not ended."""


def with_waits(steps: Sequence[TraceStep], until: tuple[datetime, StepState] | None = None) -> list[TraceStep]:
    """Return recorded steps with the waits between attempts.

    Args:
        steps: In order, with their numbers.
        until: Until when the wait behind the last one lasts, and its state; None if it ends with an attempt that is
            not followed by another one.
    """
    found: list[TraceStep] = []
    for place, step in enumerate(steps):
        found.append(step)
        if isinstance(step.detail, AttemptEnded) and waits_for_try(step.detail):
            begins = next((one.began_at for one in steps[place + 1 :] if one.parent_id is None), None)
            end, state = until if begins is None and until is not None else (begins or step.began_at, StepState.DONE)
            took_s = (end - step.began_at).total_seconds()
            if took_s >= LEAST_WAIT_S or state is StepState.OPEN:
                wait = TraceStep(
                    0, StepKind.NEXT_TRY, step.began_at, max(0.0, took_s), NextTry(step.detail), state=state
                )
                found.append(wait)
    places = {step.step_id: place for place, step in enumerate(found, start=1)}
    parents = (None if step.parent_id is None else places[step.parent_id] for step in found)
    return [
        replace(step, step_id=place, parent_id=parent)
        for place, (step, parent) in enumerate(zip(found, parents, strict=True), start=1)
    ]


def end_of_wait(tx: Transaction, row: TraceSummary, now: datetime) -> tuple[datetime, StepState] | None:
    """Return until when a plan waits for its next attempt, or waited for the one that is made; None if it does not."""
    task = tx.tasks.open_received(row.chat_id) if row.state in _TRIED_AGAIN else None
    if task is None:
        return None
    return (now, StepState.OPEN) if task.status is not TaskStatus.RUNNING else (_begun_at(task, now), StepState.DONE)


def _begun_at(task: TaskRow, now: datetime) -> datetime:
    """Return when the attempt that is made was due."""
    return now if task.due_at is None else min(task.due_at, now)
