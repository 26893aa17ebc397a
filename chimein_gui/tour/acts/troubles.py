"""A run of its own for what goes wrong from the start: a broken agent file, accounts that Telegram turns away."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from chimein_gui import ui_driver as hand
from chimein_gui.domain.plans.details import PlanEnd
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.sandbox_api import FaultKind, FaultRule
from chimein_gui.tour.driver import (
    PARTNER,
    account_of,
    chat_with,
    choose_waiting,
    looks,
    panes_of,
    press,
    speak,
    still,
)
from chimein_gui.ui.panes.plans.pane import PlansPane
from chimein_gui.ui.requests import ClosePane, ShowPlan
from chimein_gui.viewmodels.core.roles import ItemRole
from chimein_gui.viewmodels.panes.plans import make_plans

if TYPE_CHECKING:
    from pathlib import Path

    from chimein_gui.domain.ids import ChatId
    from chimein_gui.program import Program
    from chimein_gui.tour.driver import Panes
    from chimein_gui.tour.report import Tour

BROKEN = {
    "Zoë 🌸 أمينة 田中さくら of the Far Too Long Name": (
        "# Agent Name\nZoë\n\n# Agent Phone\nnone yet\n\n# Agent Timezone\nEurope/Atlantis\n\n"
        "# Role Prompt\nPerson\n\n# Agent Instructions\nYou are Zoë.\n"
    ),
    "Ola Nord": "# Agent Name\nOla Nord\n\n# Agent Phone\n+9996621009\n\n# Role Prompt\nPilot\n",
}
"""File name → text; what is wrong with each stands in a line of its own."""

WAIT_S = 300
IN_VAIN = "Ahoy! Which pier was it again?"
ATTEMPTS = 10
"""So many tries has a plan."""

WORDS = "Is the ferry running today? ⛴"
LIMITED = "Telegram limits this account for now: it can't write to strangers."


def break_files(directory: Path) -> None:
    """Write agent files that cannot be used."""
    agents = directory / "agents"
    agents.mkdir(parents=True)
    for name, text in BROKEN.items():
        (agents / f"{name}.md").write_text(text, encoding="utf-8")


async def play_troubles(tour: Tour, program: Program) -> None:
    """Do it step by step; nothing is put right again, the run ends."""
    await _accounts(tour, program)
    await _failed_plan(tour, program)
    await _limited(tour, program)
    await _unknown(tour, program)


async def _accounts(tour: Tour, program: Program) -> None:
    window, pane = program.window, panes_of(program).agents
    sandbox = program.running.sandbox
    assert sandbox is not None
    async with tour.step("agent files with mistakes, an account that waits and one that is logged out"):
        for name in ("Otto Brandt", "Rim Saadoun"):
            await hand.until(name, lambda name=name: hand.row_with(pane.list, f"{name}, Online"))  # type: ignore[misc]
        waits, out = await account_of(program, "Rim Saadoun"), await account_of(program, "Otto Brandt")
        await sandbox.inject(FaultRule(FaultKind.FLOOD_WAIT, account_id=waits, seconds=WAIT_S, times=0))
        await sandbox.inject(FaultRule(FaultKind.KICK, account_id=waits))
        await sandbox.inject(FaultRule(FaultKind.REVOKE, account_id=out))
        window.show_pane("agents")
        index = await hand.until("the lost log-in", lambda: hand.row_with(pane.list, "Otto Brandt, Session ended"))
        pane.list.setCurrentIndex(index)
        await hand.until("the wait", lambda: hand.row_with(pane.list, "Rim Saadoun, Waits"))
        for look in looks(tour, program):
            tour.picture(pane, f"agents-trouble-{look}")
            tour.picture(window, f"agents-trouble-window-{look}")


async def _failed_plan(tour: Tour, program: Program) -> None:
    window, panes, sandbox = program.window, panes_of(program), program.running.sandbox
    models = window.models
    assert sandbox is not None
    async with tour.step("the model fails: a plan is tried again and again, then given up"):
        index = await hand.until("Marta's chat", lambda: hand.row_with(panes.chats.tree, PARTNER))
        panes.chats.tree.setCurrentIndex(index)
        fault = await sandbox.inject(FaultRule(FaultKind.MODEL_ERROR, "generateContent", code=500, times=0))
        await speak(panes, IN_VAIN)
        chat_id = (await chat_with(program, PARTNER)).chat_id
        for tried in range(1, ATTEMPTS):
            await hand.until("the next try", partial(_has_tried, program, chat_id, tried))
            models.waits.plan_now(chat_id)  # a try is made every ten seconds
        window.requests.send(ShowPlan(chat_id))
        pane = window.pane("plans")
        assert isinstance(pane, PlansPane)
        history = models.own(make_plans).history
        failed = await hand.until("the plan", lambda: history.rowCount() and history.index(0).data(ItemRole))
        assert failed.end is PlanEnd.FAILED
        pane.earlier.show_plan(failed.graph_id)
        await hand.until("the way to plan again", lambda: hand.button(pane, "Plan again"))
        for look in looks(tour, program):
            await still(pane)
            tour.picture(window, f"plans-failed-{look}")
        window.requests.send(ClosePane("plans"))
        await sandbox.remove_fault(fault)


def _has_tried(program: Program, chat_id: ChatId, times: int) -> bool:
    """Return whether the planning of a chat has failed so often."""
    chat = program.window.models.chats.chat(chat_id)
    problem = chat.planning_problem if chat is not None else None
    return problem is not None and problem.attempt >= times


async def _limited(tour: Tour, program: Program) -> None:
    window, panes = program.window, panes_of(program)
    sandbox = program.running.sandbox
    assert sandbox is not None
    async with tour.step("Telegram limits an account; the draft comes back and says so"):
        nora = await account_of(program, "Nora Vale")
        rule = FaultRule(FaultKind.RPC_ERROR, "messages.sendMessage", nora, 400, "PEER_FLOOD", times=0)
        fault = await sandbox.inject(rule)
        window.show_pane("approvals")
        await speak(panes, WORDS)
        await choose_waiting(panes, PARTNER)
        await press(panes.approvals, f"Approve: Nora Vale to {PARTNER}")
        await hand.until("the refusal", lambda: _row(panes, LIMITED))
        for look in looks(tour, program):
            tour.picture(window, f"limited-{look}")
        await sandbox.remove_fault(fault)


async def _unknown(tour: Tour, program: Program) -> None:
    window, panes = program.window, panes_of(program)
    sandbox = program.running.sandbox
    assert sandbox is not None
    async with tour.step("a send is never answered; nobody knows whether it was delivered"):
        rule = FaultRule(FaultKind.DROP_BEFORE, "messages.sendMessage", await account_of(program, "Nora Vale"), times=0)
        await sandbox.inject(rule)
        await choose_waiting(panes, PARTNER)
        await press(panes.approvals, f"Approve: Nora Vale to {PARTNER}")
        await hand.until("what nobody knows", lambda: _row(panes, "nknown") or _row(panes, "Delivery unknown"))
        await hand.until("the draft, a turn after the card", lambda: _is_unknown(panes))
        for look in looks(tour, program):
            tour.picture(window, f"unknown-{look}")
        window.requests.send(ShowPlan((await chat_with(program, PARTNER)).chat_id))
        pane = window.pane("plans")
        assert isinstance(pane, PlansPane)
        await hand.until("the step", lambda: any(one.step.status is TaskStatus.UNKNOWN for one in pane.plan.steps))
        for look in looks(tour, program):
            await still(pane)
            tour.picture(window, f"plans-unknown-{look}")


def _row(panes: Panes, words: str) -> bool:
    return any(hand.says(row, words) for row in hand.rows(panes.approvals.list))


def _draft_says(panes: Panes, words: str) -> bool:
    drafts = panes.chats.drafts
    fits = drafts.verticalScrollBar().maximum() == 0
    return fits and any(hand.says(bubble.accessibleName(), words) for bubble in drafts.bubbles())


def _is_unknown(panes: Panes) -> bool:
    return any(_draft_says(panes, words) for words in ("Delivery unknown", "elivery unknown"))
