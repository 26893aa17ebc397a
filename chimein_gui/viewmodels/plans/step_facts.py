"""What the details of a step say about it, as rows of a label and a value."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from chimein_gui.domain.tasks import FINAL
from chimein_gui.viewmodels.approvals.card_words import reason_words
from chimein_gui.viewmodels.core.sanitize import spoken

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from chimein_gui.viewmodels.core.clock import ClockFace
    from chimein_gui.viewmodels.plans.step_view import StepView

translate = QCoreApplication.translate

MOST_NAMED = 3
"""Most steps that are named in a row; more are counted."""


def step_facts(view: StepView, steps: Iterable[StepView], clock: ClockFace) -> tuple[tuple[str, str], ...]:
    """Return the rows: what it waits for, who decided, why it asks, and what comes before and after it.

    Args:
        view: The step.
        steps: All steps of its plan.
        clock: For times.
    """
    return tuple((label, value) for label, value in _rows(view, tuple(steps), clock) if value)


def _rows(view: StepView, steps: tuple[StepView, ...], clock: ClockFace) -> Iterator[tuple[str, str]]:
    card = view.approval
    if view.until is not None and not view.is_over:
        yield translate("StepFacts", "Continues"), countdown(view, clock)
    yield translate("StepFacts", "Attempts"), view.attempts
    yield translate("StepFacts", "Why"), view.why
    if card is not None:
        if card.postponed_until is not None and not view.is_over:
            yield translate("StepFacts", "Postponed"), clock.left(card.postponed_until)
        at = clock.clock(card.decided_at) if card.decided_at is not None else ""
        yield translate("StepFacts", "Decision"), " · ".join(filter(None, (view.decided, at if view.decided else "")))
        if card.task_status not in FINAL and not card.decided_by:
            asks = (reason_words(reason, card, spoken) for reason in card.shown_reasons)
            yield translate("StepFacts", "Asks because"), ", ".join(asks)
    earlier = [one for one in steps if one.task_id in view.step.depends_on]
    yield translate("StepFacts", "After"), _named(earlier)
    yield translate("StepFacts", "Then"), _named([one for one in steps if view.task_id in one.step.depends_on])


def countdown(view: StepView, clock: ClockFace) -> str:
    """Return the time until a step continues; empty if nothing is known of it, or if it is over."""
    return clock.left(view.until) if view.until is not None and not view.is_over else ""


def _named(steps: list[StepView]) -> str:
    names = [one.title for one in steps[:MOST_NAMED]]
    more = len(steps) - MOST_NAMED
    if more > 0:
        names.append(translate("StepFacts", "%n more step(s)", "", more))
    return ", ".join(names)
