"""The Traces pane and the Log pane: how the plans of the tour came about, and what was logged meanwhile."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chimein_gui import ui_driver as hand
from chimein_gui.domain.traces.steps import ApprovalStep, StepKind
from chimein_gui.tour.driver import expect, looks, still
from chimein_gui.ui.panes.log.pane import LogPane
from chimein_gui.ui.panes.traces.page import PAGES, REQUEST, STEP, USAGE
from chimein_gui.ui.panes.traces.pane import TracesPane
from chimein_gui.ui.requests import ClosePane, ShowLog

if TYPE_CHECKING:
    from chimein_gui.program import Program
    from chimein_gui.tour.report import Tour

TABS = {PAGES: "pages", REQUEST: "request", USAGE: "usage", STEP: "step"}


async def play_traces(tour: Tour, program: Program) -> None:
    """Look at what the acts before have left; nothing is changed."""
    window = program.window
    async with tour.step("every plan has left a trace, with its steps, its reply and what became of it"):
        window.show_pane("traces")
        pane = window.pane("traces")
        assert isinstance(pane, TracesPane)
        await hand.until("the traces", lambda: pane.traces.rowCount() > 1)
        pane.side.marks.setCurrentIndex(pane.side.marks.findData("edited"))
        await hand.until("an edited plan", lambda: pane.traces.is_loaded and pane.traces.rowCount())
        edited = pane.traces.rows()[0].trace_id
        pane.side.show_all()
        await hand.until("all again", lambda: pane.side.list.choose(edited))
        await hand.until("its trace", lambda: pane.model.trace is not None and pane.page.reply.cards)
        expect(pane.page.waterfall, "LLM call 1")
        for look in looks(tour, program):
            await still(pane)
            tour.picture(window, f"traces-{look}")
        steps = pane.model.trace.steps if pane.model.trace is not None else ()
        decided = [one for one in steps if isinstance(one.detail, ApprovalStep) and one.detail.decision is not None]
        pane.page.waterfall.choose(decided[0].step_id)
        await hand.until("the decision", pane.page.step.isVisible)
        for look in looks(tour, program):
            await still(pane)
            tour.picture(window, f"trace-decision-{look}")
        calls = [one for one in steps if one.kind is StepKind.MODEL_CALL]
        pane.page.waterfall.choose(calls[-1].step_id)
        for place, name in TABS.items():
            pane.page.show_tab(place)
            await still(pane)
            tour.picture(window, f"trace-{name}")
    async with tour.step("traces of problems and traces that are not there are told apart"):
        pane.side.words.setText("nobody wrote this")
        await hand.until("no traces", lambda: hand.button(pane, "Show all traces"))
        tour.picture(window, "traces-none")
        pane.side.show_all()
        await hand.until("all again", lambda: pane.traces.rowCount() > 1)
        window.requests.send(ClosePane("traces"))
    async with tour.step("the log tells what happened, and what to do about it"):
        await _look_at_log(tour, program)


async def _look_at_log(tour: Tour, program: Program) -> None:
    window = program.window
    window.requests.send(ShowLog())
    pane = window.pane("log")
    assert isinstance(pane, LogPane)
    await hand.until("its lines", lambda: not pane.model.is_kept or pane.model.rowCount() > 1)
    if pane.model.rowCount():
        pane.list.setFocus()
        pane.list.step(1)
    for look in looks(tour, program):
        await still(pane)
        tour.picture(window, f"log-{look}")
    window.requests.send(ClosePane("log"))
