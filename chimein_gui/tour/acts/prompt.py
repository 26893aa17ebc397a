"""The Prompt pane: what would be sent now, and what was sent for the plan of the chat."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chimein_gui import ui_driver as hand
from chimein_gui.tour.driver import looks, mailbox, panes_of, speak, still
from chimein_gui.ui.panes.prompt.diff_mode import BESIDE, UNIFIED
from chimein_gui.ui.panes.prompt.pane import PromptPane
from chimein_gui.ui.panes.prompt.what_if.apply_dialog import ApplyDialog
from chimein_gui.ui.requests import ClosePane
from chimein_gui.viewmodels.prompt.sections import RowKind

if TYPE_CHECKING:
    from chimein_gui.program import Program
    from chimein_gui.tour.report import Tour

WORDS = "Which of your two maps shows the ferry?"
NEXT = "And when does the last one go back?"
LOOKED_FOR = "ferry"
TRIED = ("Say which way the wind blows.", "Never write more than one sentence.")


async def play_prompt(tour: Tour, program: Program) -> None:
    """Read, compare and try prompts; nothing is sent by that."""
    window = program.window
    async with tour.step("what would be sent now is shown, and what was sent for a plan"):
        await speak(panes_of(program), WORDS)
        before = await mailbox(program)
        window.show_pane("prompt")
        pane = window.pane("prompt")
        assert isinstance(pane, PromptPane)
        await hand.until("what would be sent now", lambda: WORDS in pane.reading.contents.toPlainText())
        assert not pane.prompt.parts.parts.is_exact
        await hand.until("the plan", lambda: pane.models.plans and pane.models.plans[0].is_current)
        pane.head.plan.setCurrentIndex(1)
        await hand.until("its prompt", lambda: pane.prompt.view is not None and pane.prompt.parts.parts.is_exact)
        pane.head.count.click()
        await hand.until("its parts counted", lambda: pane.prompt.parts.parts.is_counted)
        rows = [row for row in pane.prompt.parts.parts.rows if row.kind not in {RowKind.TOTAL, RowKind.LEFT_OUT}]
        assert sum(row.tokens for row in rows) == pane.prompt.parts.parts.total
        assert all(row.tokens >= 0 for row in rows)
        place = next(at for at, row in enumerate(rows) if row.title == "Instructions")
        pane.list.setCurrentIndex(pane.prompt.parts.index(place))
        pane.head.search.setText(LOOKED_FOR)
        for look in looks(tour, program):
            await still(pane)
            tour.picture(window, f"prompt-{look}")
        pane.head.search.clear()
    await _compare(tour, program, pane)
    await _try(tour, program, pane)
    assert await mailbox(program) == before
    window.requests.send(ClosePane("prompt"))


async def _compare(tour: Tour, program: Program, pane: PromptPane) -> None:
    """Compare the prompt of a plan with that of the call before it."""
    window = program.window
    async with tour.step("the prompt of a plan is compared with that of the call before it"):
        window.requests.send(ClosePane("prompt"))
        await speak(panes_of(program), NEXT)
        window.show_pane("prompt")
        pane.head.plan.setCurrentIndex(0)
        await hand.until("what would be sent now", lambda: NEXT in pane.reading.contents.toPlainText())
        await hand.until("the new plan", lambda: pane.models.plans[0].is_current)
        pane.head.plan.setCurrentIndex(1)
        await hand.until("its prompt", lambda: pane.prompt.view is not None and pane.prompt.parts.parts.is_exact)
        await hand.until("what it shares with the last call", lambda: pane.models.comparison.cut)
        for look in looks(tour, program):
            pane.head.where.click()
            await still(pane)
            tour.picture(window, f"prompt-lens-{look}")
        pane.choose_mode(pane.modes.index(pane.diff))
        pane.diff.enter(None)
        pane.diff.list.show_change(1)
        current = pane.diff.list.current
        assert current is not None
        assert current.is_change
        for look in looks(tour, program):
            await still(pane)
            tour.picture(window, f"prompt-diff-{look}")
            pane.diff.show_sides(BESIDE)
            await still(pane)
            tour.picture(window, f"prompt-diff-sides-{look}")
            pane.diff.show_sides(UNIFIED)
        pane.choose_mode(0)


async def _try(tour: Tour, program: Program, pane: PromptPane) -> None:
    """Edit a prompt, and ask the model twice."""
    window = program.window
    async with tour.step("an edited prompt is tried twice, and nothing leaves"):
        pane.choose_mode(pane.modes.index(pane.what_if))
        mode, parts = pane.what_if, pane.models.what_if.parts
        await hand.until("the parts", lambda: any(row.title == "Instructions" for row in parts.parts.rows))
        for look in looks(tour, program):
            await still(pane)
            tour.picture(window, f"what-if-empty-{look}")
        place = next(at for at, row in enumerate(parts.parts.rows) if row.title == "Instructions")
        mode.list.setCurrentIndex(parts.index(place))
        runs = pane.models.what_if
        for number, words in enumerate(TRIED, 1):
            mode.editor.appendPlainText(words)
            mode.bar.run()
            await hand.until("an answer", lambda number=number: len(runs.runs) == number)  # type: ignore[misc]
        for look in looks(tour, program):
            await still(pane)
            tour.picture(window, f"what-if-runs-{look}")
        mode.apply.click()
        dialog = await hand.until("what would be written", lambda: window.findChild(ApplyDialog))
        for look in looks(tour, program):
            await still(dialog)
            tour.picture(dialog, f"what-if-apply-{look}")
        dialog.reject()
        pane.choose_mode(0)
