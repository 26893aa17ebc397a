"""A rehearsal: a scenario is picked and played, something is broken on purpose, seen to break, and taken back."""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING

from chimein_gui import ui_driver as hand
from chimein_gui.domain.approvals import Approval
from chimein_gui.tour.driver import PARTNER, PERSONA, expect, looks, mailbox, panes_of, press, still
from chimein_gui.viewmodels.approvals.store import ApprovalStore, waits_for_operator
from chimein_gui.viewmodels.core.roles import ItemRole
from chimein_gui.viewmodels.panes.approvals import make_approvals

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from chimein_gui.program import Program
    from chimein_gui.tour.report import Tour
    from chimein_gui.ui.panes.approvals.pane import ApprovalsPane

SCENARIO = "five-accounts-at-once"
TITLE = "Five accounts at once"
PERSONAS = ("Nora Vale", "Otto Brandt", "Rim Saadoun", "Sora Kitano", "Yada Thongkam")
APPROVE = f"Approve: Nora Vale to {PARTNER}"
FAULT = "flood-wait"
FLOOD_S = 4
"""Long enough to be seen as a countdown, short enough for somebody who waits for the tour."""


async def play_rehearsal(tour: Tour, program: Program) -> None:
    """Do it step by step."""
    window, pane = program.window, panes_of(program).rehearsal
    async with tour.step("the sandbox's badge opens the scenario picker"):
        await _picture_the_picker(tour, program)
    async with tour.step("the Rehearsal pane opens"):
        await press(window, "Sandbox")
        await press(window, "Open the Rehearsal pane")
        expect(pane.scenarios.list, TITLE)
    async with tour.step("a scenario is played, five times as fast"):
        await press(pane, "Speed: 5×")
        pane.scenarios.list.choose(SCENARIO)
        await press(pane, f"Play {TITLE}")
        await hand.until("its progress", lambda: _says(pane, "Playing at 5×"))
    await _watch(tour, program)
    await _decide_together(tour, program)
    await _break_something(tour, program)


async def _picture_the_picker(tour: Tour, program: Program) -> None:
    window, shell = program.window, program.window.sandbox_shell
    assert shell is not None
    for look in looks(tour, program):
        await press(window, "Sandbox")
        await hand.until("the picker", shell.picker.isVisible)
        expect(shell.picker.list, TITLE)
        tour.picture(window, f"scenario-picker-{look}")
        await press(window, "Sandbox")
        assert not shell.picker.isVisible()


async def _watch(tour: Tour, program: Program) -> None:
    approvals, pane = panes_of(program).approvals, panes_of(program).rehearsal
    async with tour.step("five personas have a draft each"):
        await hand.until(
            "five drafts", lambda: all(hand.row_with(approvals.list, f"{name} to ") is not None for name in PERSONAS)
        )
        for look in looks(tour, program):
            tour.picture(pane, f"rehearsal-{look}")
            tour.picture(program.window, f"rehearsal-window-{look}")
    async with tour.step("the scenario is stopped"):
        await press(pane, f"Stop: {TITLE}")
        await hand.until("its end", lambda: hand.button(pane, "Play again"))


async def _decide_together(tour: Tour, program: Program) -> None:
    window, approvals = program.window, panes_of(program).approvals
    models = window.models.own(make_approvals)
    async with tour.step("three drafts are selected, to approve them with one press"):
        window.show_pane("approvals")
        chosen = set(PERSONAS) - {PERSONA, PERSONAS[-1]}
        await hand.until("the bar", lambda: _select(program, chosen) and hand.button(approvals, "Approve 3"))
        for look in looks(tour, program):
            await still(window)
            tour.picture(window, f"batch-{look}")
    async with tour.step("the letters are larger while much waits"):
        window.appearance.choose_text_size("150")
        for look in looks(tour, program):
            await still(window)
            tour.picture(window, f"letters-150-waiting-{look}")
        window.appearance.choose_text_size("100")
    async with tour.step("they come back later, each with its time, and are brought back"):
        models.batch.postpone(window.models.clock.now() + timedelta(hours=1))
        await hand.until("the list of later ones", lambda: hand.button(approvals, "Bring back now"))
        for look in looks(tour, program):
            await still(window)
            tour.picture(window, f"later-{look}")
        models.batch.undo()
        await hand.until("none of them", lambda: hand.button(approvals, "Bring back now") is None)
        models.batch.clear()
        window.show_pane("rehearsal")


def _select(program: Program, names: set[str]) -> bool:
    """Read and select a draft of each persona; tell whether all are. A newer plan may replace one meanwhile."""
    cards, models = panes_of(program).approvals.list, program.window.models.own(make_approvals)
    for name in sorted(names):
        models.queue.bring_arrivals()
        index = hand.row_with(cards, f"{name} to ")
        draft = None if index is None else index.data(ItemRole)
        if index is None or not isinstance(draft, Approval):
            return False
        if models.batch.is_selected(draft.approval_id):
            continue
        if cards.in_view.has_read((draft.approval_id, draft.version)):
            models.batch.toggle(draft)
        elif cards.currentIndex() != index:
            cards.setCurrentIndex(index)
        return False
    return models.batch.count == len(names)


async def _break_something(tour: Tour, program: Program) -> None:
    window, (_, _, approvals, pane) = program.window, panes_of(program)
    form = pane.faults.form
    async with tour.step("a flood wait is injected"):
        await press(pane, "Pages of the rehearsal: Faults")
        assert pane.faults.list.choose(FAULT)
        form.seconds.setValue(FLOOD_S)
        await press(form, "until removed")
        for look in looks(tour, program):
            tour.picture(pane, f"rehearsal-faults-{look}")
        await press(pane, "Inject")
        await hand.until("the chip that tells of it", lambda: hand.button(window, "1 active fault"))
    async with tour.step("an approved draft meets it, and waits visibly"):
        before = await mailbox(program)
        window.show_pane("approvals")
        draft = await _approve_noras_draft(program)
        await hand.until("what struck", lambda: hand.row_with(pane.active.triggered, f"FLOOD_WAIT_{FLOOD_S}"))
        await hand.until("the countdown", lambda: hand.row_with(approvals.list, "Sends in"))
        tour.picture(window, "flood-wait-light")
        assert await mailbox(program) == before
        window.show_pane("rehearsal")
        await press(pane, "Pages of the rehearsal: Active")
        for look in looks(tour, program):
            tour.picture(pane, f"rehearsal-in-force-{look}")
    async with tour.step("the fault is taken back, and after the wait the partner receives the message once"):
        await press(pane, "Remove all")
        await hand.until("nothing in force", lambda: _says(pane, "No active faults"))
        # Not any sent row: that of the main job may still be in sight.
        rows = partial(hand.rows, approvals.list)
        await hand.until("it as sent", lambda: any(hand.says(row, "Sent, ") and draft.text in row for row in rows()))
        tour.mailbox = await mailbox(program)
        assert tour.mailbox == [*before, draft.text], tour.mailbox


async def _approve_noras_draft(program: Program) -> Approval:
    """Approve it, the newer one if a plan replaces it in the very moment; returns the one that is approved."""
    approvals = panes_of(program).approvals
    model = program.window.models.approvals
    while True:
        draft = await hand.until("Nora's draft", lambda: _noras_draft(program))
        await hand.until("its button", partial(_reached, approvals, model, draft))
        if (button := hand.button(approvals, APPROVE)) is None:
            continue
        button.click()
        await hand.until("its status", partial(_is_decided, model, draft))
        if model.find(draft.approval_id) is not None:
            return draft


def _reached(approvals: ApprovalsPane, model: ApprovalStore, draft: Approval) -> bool:
    """Tell whether the draft was read and its button can be pressed, or the draft has been replaced since."""
    known = model.find(draft.approval_id)
    if known is None:
        return True
    approvals.list.select(draft.approval_id)
    was_read = approvals.list.in_view.has_read((known.approval_id, known.version))
    return was_read and hand.button(approvals, APPROVE) is not None


def _is_decided(model: ApprovalStore, draft: Approval) -> bool:
    known = model.find(draft.approval_id)
    return known is None or not waits_for_operator(known)


def _noras_draft(program: Program) -> Approval | None:
    index = hand.row_with(panes_of(program).approvals.list, f"Nora Vale to {PARTNER}, Waits for you")
    draft = None if index is None else index.data(ItemRole)
    return draft if isinstance(draft, Approval) else None


def _says(root: QWidget, words: str) -> bool:
    return any(hand.says(text, words) for text in hand.words_in_sight(root))
