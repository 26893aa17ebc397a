"""A plan in words: when it was made, what it answers, how it ended, and what became of its messages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from chimein_gui.domain.notes import is_of
from chimein_gui.domain.plans.details import PlanEnd
from chimein_gui.domain.plans.step_edits import StepAction
from chimein_gui.domain.tasks import CancelReason, TaskKind, TaskStatus
from chimein_gui.viewmodels.core.sanitize import spoken
from chimein_gui.viewmodels.words.notes import note_sentence

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from datetime import datetime

    from chimein_gui.domain.ids import TaskId
    from chimein_gui.domain.plans.details import PlanDetails
    from chimein_gui.viewmodels.core.clock import ClockFace

translate = QCoreApplication.translate

TONES = {PlanEnd.SENT: "ok", PlanEnd.FAILED: "danger", PlanEnd.REPLACED: "info"}
"""The colour token of each end; others are quiet."""

ICONS = {
    PlanEnd.OPEN: "hourglass",
    PlanEnd.SENT: "ticks",
    PlanEnd.REPLACED: "forward",
    PlanEnd.REJECTED: "x",
    PlanEnd.FAILED: "x-circle",
    PlanEnd.OBSERVED: "eye",
    PlanEnd.NO_ANSWER: "pause",
    PlanEnd.ENDED: "x",
}
"""The icon of each end."""

_LEFT = (CancelReason.SUPERSEDED, CancelReason.SUPERSEDED_AFTER_APPROVAL, CancelReason.VARIANT)


def when_words(when: datetime, clock: ClockFace) -> str:
    """Return a time in the past, with its day if that is not today."""
    stamp, time = clock.stamp(when), clock.clock(when)
    return time if stamp == time else f"{stamp} {time}"


def exact_words(when: datetime, clock: ClockFace) -> str:
    """Return a time in the past to the second: several calls are made within a minute."""
    return f"{when_words(when, clock)}:{when.astimezone():%S}"


def plan_title(plan: PlanDetails, clock: ClockFace) -> str:
    """Return the name of a plan, such as “Plan from 14:31”."""
    return translate("PlanHistory", "Plan from {time}").format(time=when_words(plan.graph.created_at, clock))


def end_word(end: PlanEnd) -> str:
    """Return how a plan ended in a word or two."""
    return {
        PlanEnd.OPEN: translate("PlanHistory", "Not over"),
        PlanEnd.SENT: translate("PlanHistory", "Sent"),
        PlanEnd.REPLACED: translate("PlanHistory", "Replaced"),
        PlanEnd.REJECTED: translate("PlanHistory", "Rejected"),
        PlanEnd.FAILED: translate("PlanHistory", "Failed"),
        PlanEnd.OBSERVED: translate("PlanHistory", "Observed"),
        PlanEnd.NO_ANSWER: translate("PlanHistory", "No answer"),
        PlanEnd.ENDED: translate("PlanHistory", "Ended"),
    }[end]


def end_sentence(plan: PlanDetails, clock: ClockFace) -> str:
    """Return how a plan ended, when and why; of a plan that has not ended, that it has not."""
    time = when_words(plan.ended_at, clock) if plan.ended_at is not None else ""
    if plan.end is PlanEnd.FAILED:
        why = _why_failed(plan)
        words = (
            translate("PlanHistory", "Failed at {time}: {why}")
            if why
            else translate("PlanHistory", "Failed at {time}.")
        )
        return words.format(time=time, why=why)
    return {
        PlanEnd.OPEN: translate("PlanHistory", "A step of it is not over yet."),
        PlanEnd.SENT: translate("PlanHistory", "Sent; the last of it at {time}."),
        PlanEnd.REPLACED: translate("PlanHistory", "Replaced at {time} by a newer plan."),
        PlanEnd.REJECTED: translate("PlanHistory", "Rejected at {time}."),
        PlanEnd.OBSERVED: translate("PlanHistory", "Only observed: nothing of it was to be sent."),
        PlanEnd.NO_ANSWER: translate("PlanHistory", "The agent had nothing to send."),
        PlanEnd.ENDED: translate("PlanHistory", "Ended at {time} before it was sent."),
    }[plan.end].format(time=time)


def edits_sentence(plan: PlanDetails) -> str:
    """Return what became of the operator's edits when a newer plan took a plan's place; empty if there were none.

    It is told of both plans.
    """
    if plan.end is PlanEnd.REPLACED and plan.edited:
        ended = translate("PlanHistory", "What you wrote is kept. Ended with the plan: {edits}.")
        return ended.format(edits=_edits(plan.edited))
    if plan.edited_before:
        ended = translate(
            "PlanHistory",
            "It took the place of a plan that you had edited. What you wrote is kept. Ended with that plan: {edits}.",
        )
        return ended.format(edits=_edits(plan.edited_before))
    return ""


def _edits(actions: Collection[StepAction]) -> str:
    a = StepAction
    words = (
        ({a.CHANGE_DELAY, a.RUN_NOW}, translate("PlanHistory", "changed waits")),
        ({a.SKIP, a.CANCEL}, translate("PlanHistory", "skipped steps")),
        ({a.MOVE, a.SPLIT_OFF, a.JOIN}, translate("PlanHistory", "your order of the steps")),
        ({a.INSERT}, translate("PlanHistory", "inserted waits, stickers and files")),
        ({a.DUPLICATE}, translate("PlanHistory", "copies of steps")),
    )
    return ", ".join(word for kinds, word in words if not kinds.isdisjoint(actions))


def trigger_words(plan: PlanDetails, clock: ClockFace) -> str:
    """Return what a plan answers; its text and names are foreign, but in one line."""
    if not plan.graph.trigger_ids:
        return translate("PlanHistory", "No message caused it.")
    if not plan.triggers:
        return translate("PlanHistory", "The message that it answers is not stored any more.")
    newest = plan.triggers[-1]
    parts = {
        "name": spoken(newest.sender_name, 60),
        "time": when_words(newest.sent_at, clock),
        "text": spoken(newest.text, 120),
        "n": len(plan.graph.trigger_ids) - 1,
    }
    if parts["n"]:
        words = translate("PlanHistory", "Answers {name}, {time}: “{text}” and {n} before it")
    elif not newest.text:
        words = translate("PlanHistory", "Answers {name}, {time}")
    else:
        words = translate("PlanHistory", "Answers {name}, {time}: “{text}”")
    return words.format(**parts)


def plan_sentence(plan: PlanDetails, clock: ClockFace) -> str:
    """Return a plan in one line, for screen readers."""
    parts = (end_sentence(plan, clock), edits_sentence(plan), trigger_words(plan, clock))
    return f"{plan_title(plan, clock)}. {' '.join(filter(None, parts))}"


@dataclass(frozen=True, slots=True)
class DraftChange:
    """A message of a replaced plan beside the message that took its place.

    Attributes:
        before: Its text when it was replaced; foreign.
        after: The text of the message at the same place in the newer plan, foreign; None if there is none.
        is_own: The operator had added it by hand, so nothing took its place.
        is_saved: It is among the saved edits, unless the operator has discarded it there.
    """

    before: str
    after: str | None
    is_own: bool = False
    is_saved: bool = False


def draft_changes(old: PlanDetails, new: PlanDetails) -> Mapping[TaskId, DraftChange]:
    """Return what took the place of each message that a newer plan replaced, by its step.

    Messages are paired by send order, as saved edits are: the second draft that was left with the second one that the
    agent wrote for the new plan. What the operator has added by hand, to either plan, takes no place.
    """
    reasons = {step.task_id: step.reason for step in old.graph.steps if step.status is TaskStatus.CANCELLED}
    left = [card for card in old.cards if card.kind is TaskKind.SEND and is_of(reasons.get(card.task_id), *_LEFT)]
    later = new.added | new.brought_back
    written = [card for card in new.cards if card.kind is TaskKind.SEND and card.task_id not in later]
    texts = [card.text for card in sorted(written, key=lambda card: card.task_id)]  # before any of them was moved
    drafts = [card for card in left if card.task_id not in old.added]
    changes = {
        card.task_id: DraftChange(card.text, texts[place] if place < len(texts) else None)
        for place, card in enumerate(drafts)
    }
    for card in left:
        if card.task_id in old.added:
            changes[card.task_id] = DraftChange(card.text, None, is_own=True, is_saved=card.is_edited)
    return changes


def _why_failed(plan: PlanDetails) -> str:
    failed = (step.reason for step in plan.graph.steps if step.status is TaskStatus.FAILED)
    card = next((one.note for one in plan.cards if one.task_status is TaskStatus.FAILED and one.note is not None), None)
    return note_sentence(plan.failed or card or next(failed, None))
