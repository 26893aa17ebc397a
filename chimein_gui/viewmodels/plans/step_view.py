"""A step of a plan as it is shown: title, text, state in words, why it waits, and what can be done with it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from chimein_gui.domain.approvals import OPERATOR
from chimein_gui.domain.notes import Note, NoteKind, is_of
from chimein_gui.domain.notes.reasons import Reason
from chimein_gui.domain.plans.step_edits import StepAction, beside_refusal, refusal, retry_refusal
from chimein_gui.domain.tasks import FINAL, CancelReason, TaskKind, TaskStatus
from chimein_gui.viewmodels.approvals.card_words import card_text
from chimein_gui.viewmodels.decisions.words import by_rule_words
from chimein_gui.viewmodels.drafts.plan_chain import duration
from chimein_gui.viewmodels.words.notes import note_sentence

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from chimein_gui.domain.approvals import Approval
    from chimein_gui.domain.ids import TaskId
    from chimein_gui.domain.plans.details import PlanDetails
    from chimein_gui.domain.plans.graphs import PlanStep

translate = QCoreApplication.translate

MOST_ATTEMPTS = 10
"""Attempts at one plan before it is given up."""

ICONS = {
    TaskKind.RECEIVED: "planned",
    TaskKind.SEND: "send",
    TaskKind.STICKER: "sticker",
    TaskKind.FILE: "file",
    TaskKind.WAIT: "hourglass",
    TaskKind.BLOCK: "block",
    TaskKind.UNBLOCK: "person",
    TaskKind.CLEAR_CONVERSATION: "trash",
    TaskKind.SHUTDOWN: "power",
}
"""The icon of each kind of step."""

TONES = {
    TaskStatus.AWAITING_DECISION: "attention",
    TaskStatus.AWAITING_OPERATOR: "attention",
    TaskStatus.UNKNOWN: "attention",
    TaskStatus.APPROVED: "accent_text",
    TaskStatus.SENDING: "accent_text",
    TaskStatus.RUNNING: "accent_text",
    TaskStatus.WAITING: "info",
    TaskStatus.DONE: "ok",
    TaskStatus.FAILED: "danger",
}
"""The colour token of each state; others are quiet."""

STATUS_ICONS = {
    TaskStatus.PENDING: "hourglass",
    TaskStatus.READY: "hourglass",
    TaskStatus.WAITING: "hourglass",
    TaskStatus.RUNNING: "spinner",
    TaskStatus.AWAITING_OPERATOR: "hand",
    TaskStatus.AWAITING_DECISION: "hand",
    TaskStatus.APPROVED: "check",
    TaskStatus.SENDING: "send",
    TaskStatus.UNKNOWN: "warning",
    TaskStatus.DONE: "ticks",
    TaskStatus.FAILED: "x-circle",
    TaskStatus.SKIPPED: "forward",
    TaskStatus.CANCELLED: "x",
    TaskStatus.OBSERVED: "eye",
    TaskStatus.PARKED: "hourglass",
}
"""The icon of each state."""


@dataclass(frozen=True, slots=True)
class StepView:
    """One step.

    Attributes:
        step: The step.
        title: What it is, in our words.
        text: What it says, as the operator reads it; foreign, not sanitized; may be empty.
        state: Its state in words.
        why: Why it is in its state, or what it waits for, as a sentence; may be empty.
        attempts: How often it was tried, such as "3 of 10"; empty unless it was tried more than once.
        until: When it continues automatically, aware UTC; or None.
        decided: Who decided on it, in words; empty while nobody has.
        approval: Its card, for a planned send.
        refusals: The actions that are not possible now, each with its reason as a sentence.
    """

    step: PlanStep
    title: str
    text: str
    state: str
    why: str
    attempts: str
    until: datetime | None
    approval: Approval | None
    decided: str = ""
    refusals: Mapping[StepAction, str] = field(default_factory=dict)

    @property
    def task_id(self) -> TaskId:
        """Return the id of the step."""
        return self.step.task_id

    @property
    def icon(self) -> str:
        """Return the icon of its kind."""
        return ICONS[self.step.kind]

    @property
    def status_icon(self) -> str:
        """Return the icon of its state."""
        return STATUS_ICONS[self.step.status]

    @property
    def tone(self) -> str:
        """Return the colour token of its state."""
        return TONES.get(self.step.status, "text2")

    @property
    def is_over(self) -> bool:
        """Return whether its state is final."""
        return self.step.status in FINAL

    @property
    def sentence(self) -> str:
        """Return all of it in one line, for screen readers and the outline."""
        parts = [self.title, self.text, self.state, self.attempts, self.decided, self.why]
        return ", ".join(part for part in parts if part)

    @property
    def facts(self) -> str:
        """Return what is below its text in the picture: attempts, who decided, why it waits."""
        return " · ".join(part for part in (self.attempts, self.decided, self.why) if part)


def step_views(
    plan: PlanDetails, before: tuple[StepView, ...] = (), changed: frozenset[TaskId] = frozenset()
) -> tuple[StepView, ...]:
    """Return the steps of a plan, in plan order.

    Args:
        plan: The plan.
        before: The steps before some of them changed; empty makes all anew.
        changed: These; what depends on them is made anew, too.
    """
    cards = {card.task_id: card for card in plan.cards}
    over = {step.task_id: step.status in _SETTLED for step in plan.graph.steps}
    known = {view.task_id: view for view in before}
    return tuple(
        known[step.task_id]
        if step.task_id in known and step.task_id not in changed and changed.isdisjoint(step.depends_on)
        else _view(plan, step, cards.get(step.task_id), over)
        for step in plan.graph.steps
        if not is_of(step.reason, CancelReason.TAKEN_OUT)  # its insertion was undone: as if it had never been there
    )


_SETTLED = frozenset({TaskStatus.DONE, TaskStatus.SKIPPED})
_ON_THE_WAY = frozenset({TaskStatus.SENDING, TaskStatus.UNKNOWN})
"""Sends that have left: their time is past."""


def _view(plan: PlanDetails, step: PlanStep, card: Approval | None, over: Mapping[TaskId, bool]) -> StepView:
    waits_for_earlier = step.status not in FINAL and not all(over.get(one, True) for one in step.depends_on)
    attempts = ""
    if step.attempts > 1 or (step.attempts and step.status is TaskStatus.WAITING):
        attempts = translate("PlanSteps", "try {n} of {most}").format(n=step.attempts, most=MOST_ATTEMPTS)
    return StepView(
        step,
        _title(step),
        card_text(card) if card is not None else "",
        _state(step),
        _why(step, card, waits_for_earlier=waits_for_earlier),
        attempts,
        step.until or (card.due_at if card is not None and step.status not in _ON_THE_WAY else None),
        card,
        _decided(card),
        _refusals(plan, step, card),
    )


def _decided(card: Approval | None) -> str:
    if card is None or not card.decided_by or card.task_status is TaskStatus.OBSERVED:
        return ""
    if card.decided_by == OPERATOR:
        return translate("PlanSteps", "decided by you")
    return by_rule_words(card.decided_by)


def _title(step: PlanStep) -> str:
    if step.kind is TaskKind.WAIT:
        return translate("PlanSteps", "Wait {time}").format(time=_exactly(step.wait_s or 0.0))
    return {
        TaskKind.RECEIVED: translate("PlanSteps", "Plan"),
        TaskKind.SEND: translate("PlanSteps", "Message"),
        TaskKind.STICKER: translate("PlanSteps", "Sticker"),
        TaskKind.FILE: translate("PlanSteps", "File"),
        TaskKind.BLOCK: translate("PlanSteps", "Block the partner"),
        TaskKind.UNBLOCK: translate("PlanSteps", "Unblock the partner"),
        TaskKind.CLEAR_CONVERSATION: translate("PlanSteps", "Clear the conversation"),
        TaskKind.SHUTDOWN: translate("PlanSteps", "Stop the agent"),
    }[step.kind]


def _exactly(seconds: float) -> str:
    """Return a duration with its seconds, such as 1 min 30 s; from an hour on without them."""
    whole = round(seconds)
    rest = whole % 60
    if 60 < whole < 3600 and rest:
        return f"{duration(whole - rest)} {duration(rest)}"
    return duration(whole)


def _state(step: PlanStep) -> str:
    waits = step.kind is TaskKind.WAIT
    is_hidden = waits or step.kind is TaskKind.RECEIVED
    if step.status is TaskStatus.SKIPPED and waits:
        return translate("PlanSteps", "Skipped")
    return {
        TaskStatus.PENDING: translate("PlanSteps", "Later"),
        TaskStatus.READY: translate("PlanSteps", "Next"),
        TaskStatus.WAITING: translate("PlanSteps", "Running") if waits else translate("PlanSteps", "Waits"),
        TaskStatus.RUNNING: translate("PlanSteps", "Being made"),
        TaskStatus.AWAITING_OPERATOR: translate("PlanSteps", "Asks you"),
        TaskStatus.AWAITING_DECISION: translate("PlanSteps", "Asks you"),
        TaskStatus.APPROVED: translate("PlanSteps", "Approved"),
        TaskStatus.SENDING: translate("PlanSteps", "Being sent"),
        TaskStatus.UNKNOWN: translate("PlanSteps", "Perhaps sent"),
        TaskStatus.DONE: translate("PlanSteps", "Done") if is_hidden else translate("PlanSteps", "Sent"),
        TaskStatus.FAILED: translate("PlanSteps", "Failed"),
        TaskStatus.SKIPPED: translate("PlanSteps", "Rejected"),
        TaskStatus.CANCELLED: translate("PlanSteps", "Cancelled"),
        TaskStatus.OBSERVED: translate("PlanSteps", "Observed only"),
        TaskStatus.PARKED: translate("PlanSteps", "Not chosen"),
    }[step.status]


def _why(step: PlanStep, card: Approval | None, *, waits_for_earlier: bool) -> str:
    note = card.note if card is not None and card.note is not None else step.reason
    if note is None and waits_for_earlier:
        note = Note(NoteKind.PREDECESSOR)
    return note_sentence(note)


def _refusals(plan: PlanDetails, step: PlanStep, card: Approval | None) -> dict[StepAction, str]:
    if not plan.is_current:
        over = translate("PlanSteps", "Earlier plans can't be changed.")
        return dict.fromkeys(StepAction, over)
    found = {action: refusal(action, step.kind, step.status) for action in StepAction}
    found[StepAction.UNDO] = None
    if card is not None and found[StepAction.RETRY] is None:
        found[StepAction.RETRY] = retry_refusal(card)
    words = {action: note_sentence(Note(reason)) for action, reason in found.items() if reason is not None}
    if not plan.can_undo:
        words[StepAction.UNDO] = translate("PlanSteps", "There is nothing to undo in this plan.")
    return words


def move_refusal(step: StepView, other: StepView, *, is_before: bool) -> str:
    """Return why a step can't be put before or behind another one, as a sentence; empty if it can."""
    if refused := step.refusals.get(StepAction.MOVE, ""):
        return refused
    why = beside_refusal(other.step.kind, other.step.status, is_before=is_before)
    if why is None and other.task_id == step.task_id:
        why = Reason.WOULD_WAIT_FOR_ITSELF
    return note_sentence(Note(why)) if why is not None else ""
