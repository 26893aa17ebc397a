"""The Plans pane: a plan is edited step by step, all of it is taken back, and a newer plan is compared with it.

The Context pane shows what the plan saw.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from chimein_gui import ui_driver as hand
from chimein_gui.domain.chats import ChatKind
from chimein_gui.domain.plans.planned_steps import PlannedStep, PlannedWait
from chimein_gui.domain.plans.step_edits import StepAction
from chimein_gui.domain.tasks import TaskKind, TaskStatus
from chimein_gui.tour.driver import looks, mailbox, panes_of, speak, still
from chimein_gui.ui.panes.context.pane import ContextPane
from chimein_gui.ui.panes.plans.pane import PlansPane
from chimein_gui.ui.requests import ClosePane, ShowContext, ShowPlan
from chimein_gui.viewmodels.context import NOW
from chimein_gui.viewmodels.panes.plans import make_plans

if TYPE_CHECKING:
    from collections.abc import Callable

    from chimein_gui.domain.ids import MessageId, TaskId
    from chimein_gui.program import Program
    from chimein_gui.tour.report import Tour

WORDS = "And what else should I pack?"
THEN = "So, where are you now? Is there a bus back after six?"
"""Its plan replaces the one that was edited, with other words."""

ADDED = (
    90.0,
    "A torch, and something warm for the evening.",
    "Shall I book the bus?",
    20.0,
    "There is one at nine and one at ten; I'd take the later one.",
    "Bring the small rucksack, the big one is too big for the lift.",
    45.0,
    "And sandwiches 🥪",
    "Swimming things, if you dare 😄",
    "The bakery at the bridge opens at seven.",
)
"""Texts of messages, and the seconds of waits."""

BRANCHES_AT = (1, 4)
STEPS = 12


async def play_plans(tour: Tour, program: Program) -> None:
    """Do it step by step."""
    before = await mailbox(program)
    window = program.window
    async with tour.step("a plan is shown as a picture and as a list"):
        await speak(panes_of(program), WORDS)
        chat = window.models.transcript.chat
        assert chat is not None
        window.requests.send(ShowPlan(chat.chat_id))
        pane = window.pane("plans")
        assert isinstance(pane, PlansPane)
        # An earlier draft of the chat still asks until this message is planned; its plan would end under the edits.
        await hand.until("a step that asks", lambda: _answers(pane, WORDS) and _asking(pane))
        await _picture(tour, program, "plans-small")
    async with tour.step("a plan is edited step by step, and has branches"):
        pane.choose(_asking(pane)[0])
        for added in reversed(ADDED):  # each right behind the chosen step
            new = PlannedStep(TaskKind.SEND, added) if isinstance(added, str) else PlannedWait(added)
            await _edited(pane, partial(pane.chosen.insert, new))
        for place in BRANCHES_AT:
            pane.choose(_asking(pane)[place])
            await _edited(pane, partial(pane.chosen.do, StepAction.SPLIT_OFF))
        assert len(pane.plan.steps) == STEPS
        await _picture(tour, program, "plans-edited")
    async with tour.step("the edits of a plan are taken back, and nothing of it was sent"):
        while pane.plan.plan is not None and pane.plan.plan.can_undo:
            await _edited(pane, partial(pane.chosen.do, StepAction.UNDO))
        assert await mailbox(program) == before
    await _history(tour, program, pane)
    await _context(tour, program)


async def _history(tour: Tour, program: Program, pane: PlansPane) -> None:
    window, history = program.window, program.window.models.own(make_plans).history
    async with tour.step("a newer plan takes the place of one; what it changes is shown"):
        assert pane.plan.plan is not None
        (draft,) = _asking(pane)
        replaced, chat_id = pane.plan.plan.graph_id, pane.plan.plan.chat_id
        window.requests.send(ClosePane("plans"))
        await speak(panes_of(program), THEN)
        window.requests.send(ShowPlan(chat_id))
        await hand.until("the newer plan", lambda: _answers(pane, THEN) and _asking(pane))
        await hand.until("the plan before it", lambda: history.plan(replaced) is not None)
        pane.earlier.show_plan(replaced)
        pane.choose(draft)
        await hand.until("what changed", lambda: pane.newer_draft.isVisible() and len(pane.newer_draft.diff.pieces) > 1)
        await _picture(tour, program, "plans-history")
        pane.earlier.show_now()
        window.requests.send(ClosePane("plans"))


async def _context(tour: Tour, program: Program) -> None:
    window = program.window
    chats = (await program.running.engine.queries.chats()).rows
    group = next(chat for chat in chats if chat.info.kind is not ChatKind.DM)
    async with tour.step("the messages that a plan took, and why the others were left out"):
        chat = window.models.transcript.chat
        assert chat is not None
        window.requests.send(ShowContext(chat.chat_id))
        pane = window.pane("context")
        assert isinstance(pane, ContextPane)
        await hand.until("the plan's messages", lambda: hand.row_with(pane.list, "trigger"))
        for look in looks(tour, program):
            await still(pane)
            tour.picture(window, f"context-{look}")
    async with tour.step("what would be taken of a group now"):
        window.requests.send(ShowContext(group.chat_id))
        await hand.until("the group's messages", lambda: pane.model.chat_id == group.chat_id and pane.model.trigger)
        pane.model.choose(NOW)
        await hand.until("what would be taken now", lambda: pane.model.shown == NOW)
        for look in looks(tour, program):
            await still(pane)
            tour.picture(window, f"context-now-{look}")
    async with tour.step("one of the best messages left out is included once, and not after all"):
        best = pane.model.figures.losers[0].message_id
        pane.choose(best)
        pane.details.losers[0].once.click()
        await hand.until("it would be taken now", lambda: _reason(pane, best) == "included once")
        pane.choose(best)
        for look in looks(tour, program):
            await still(pane)
            tour.picture(window, f"context-once-{look}")
        pane.details.undo.click()
        await hand.until("it would not", lambda: _reason(pane, best) not in {"included once", ""})
        window.requests.send(ClosePane("context"))


def _reason(pane: ContextPane, message_id: MessageId) -> str:
    one = pane.model.message(message_id)
    return one.reason if one is not None else ""


async def _picture(tour: Tour, program: Program, name: str) -> None:
    for look in looks(tour, program):
        await still(program.window.pane("plans"))
        tour.picture(program.window, f"{name}-{look}")


def _answers(pane: PlansPane, text: str) -> bool:
    """Return whether the shown plan answers this message."""
    plan = pane.plan.plan
    return plan is not None and any(message.text == text for message in plan.triggers)


def _asking(pane: PlansPane) -> list[TaskId]:
    """Return the messages that wait for a decision."""
    return [
        one.task_id
        for one in pane.plan.steps
        if one.step.kind is TaskKind.SEND and one.step.status is TaskStatus.AWAITING_DECISION
    ]


async def _edited(pane: PlansPane, edit: Callable[[], object]) -> None:
    """Edit the plan, and wait until the pane shows it."""
    plan = pane.plan.plan
    assert plan is not None
    edit()

    def is_shown() -> bool:
        now = pane.plan.plan
        return now is not None and now.edits == plan.edits + 1 and not pane.plan.is_editing

    await hand.until("the edited plan", is_shown)
