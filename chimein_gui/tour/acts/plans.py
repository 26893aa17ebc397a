"""The Plans pane: a plan is edited step by step, as a picture and as a list, and all of it is taken back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chimein_gui import ui_driver as hand
from chimein_gui.domain.plans.step_edits import StepAction
from chimein_gui.domain.tasks import TaskKind, TaskStatus
from chimein_gui.tour.driver import looks, mailbox, panes_of, press, still
from chimein_gui.ui.panes.plans.pane import PlansPane
from chimein_gui.ui.requests import ClosePane, ShowPlan

if TYPE_CHECKING:
    from collections.abc import Callable

    from chimein_gui.domain.ids import TaskId
    from chimein_gui.program import Program
    from chimein_gui.tour.report import Tour

WORDS = "And what else should I pack?"


async def play_plans(tour: Tour, program: Program) -> None:
    """Do it step by step."""
    before = await mailbox(program)
    window, panes = program.window, panes_of(program)
    async with tour.step("a plan is edited step by step"):
        composer = await hand.until("the partner's composer", lambda: hand.field(panes.chats, "Write as Marta"))
        composer.setPlainText(WORDS)
        await press(panes.chats, "Send as Marta")
        chat = window.models.transcript.chat
        assert chat is not None
        window.requests.send(ShowPlan(chat.chat_id))
        pane = window.pane("plans")
        assert isinstance(pane, PlansPane)
        # An earlier draft of the chat still asks until this message is planned; its plan would end under the edits.
        await hand.until("a step that asks", lambda: _answers(pane, WORDS) and _asking(pane))
        pane.choose(_asking(pane)[0])
        await _edited(pane, lambda: pane.insert_wait(90.0))
        await _edited(pane, lambda: pane.insert_message("A torch, and something warm for the evening."))
        await _edited(pane, lambda: pane.insert_message("Shall I book the bus?"))
        pane.choose(_asking(pane)[1])
        await _edited(pane, lambda: pane.do(StepAction.SPLIT_OFF))
        for look in looks(tour, program):
            await still(pane)
            tour.picture(window, f"plans-edited-{look}")
    async with tour.step("the edits of a plan are taken back, and nothing of it was sent"):
        for _ in range(4):
            await _edited(pane, lambda: pane.do(StepAction.UNDO))
        assert len(_asking(pane)) == 1
        window.requests.send(ClosePane("plans"))
        assert await mailbox(program) == before


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
