"""Traces are found by words, agent, chat and marks, in a small pane, too."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from chimein_gui import ui_driver as hand
from chimein_gui.domain.traces.steps import StepKind
from chimein_gui.domain.traces.summaries import TraceFilter, TraceId, TraceState
from chimein_gui.tour.acts.tools.trace_stage import TraceStage
from chimein_gui.tour.driver import PARTNER, PERSONA, looks, panes_of, still
from chimein_gui.ui.requests import ClosePane, ShowTrace

if TYPE_CHECKING:
    from chimein_gui.program import Program
    from chimein_gui.tour.report import Tour

GONE = TraceId(999_999)


async def play_trace_search(tour: Tour, program: Program) -> None:
    """Do it step by step; the traces of the run are as they were, but for one."""
    window = program.window
    async with tour.step("there is a trace to be found"):
        await hand.until(PERSONA, lambda: hand.row_with(panes_of(program).agents.list, f"{PERSONA}, Online"))
        stage = TraceStage(tour, program)
        await stage.speak(PARTNER, PERSONA, "Plums or pears for the picnic?")
        await stage.look(TraceState.WAITING)
        await stage.reject()
    pane = stage.pane
    side = pane.side
    async with tour.step("traces are found by a word, and by agent and mark"):
        side.words.setText("picnic")
        await hand.until("it", lambda: pane.traces.is_loaded and pane.traces.wanted.words and pane.traces.rowCount())
        await stage.picture("traces-found")
        side.show_all()
        await hand.until("all", lambda: pane.traces.is_loaded and not pane.traces.wanted.words)
        side.agent.setCurrentIndex(side.agent.findText(PERSONA))
        side.marks.setCurrentIndex(side.marks.findData("rejected"))
        await hand.until("the rejected ones", lambda: pane.traces.is_loaded and pane.traces.wanted.rejected)
        await stage.picture("traces-filtered")
        await _rejected(stage)
        now = window.models.clock.now()
        span = TraceFilter(since=now - timedelta(days=1), until=now + timedelta(days=1))
        window.requests.send(ShowTrace(wanted=span))
        await hand.until("those of the days", lambda: pane.traces.is_loaded and pane.traces.wanted.since)
        await stage.picture("traces-span")
        side.show_all()
    async with tour.step("what is kept is marked, and a trace that is gone says so"):
        pane.model.keep(is_kept=True)
        await hand.until("that it is kept", lambda: pane.shown is not None and pane.shown.is_kept)
        side.marks.setCurrentIndex(side.marks.findData("kept"))
        await hand.until("the kept one", lambda: pane.traces.is_loaded and pane.traces.wanted.kept)
        await stage.picture("traces-kept")
        side.show_all()
        pane.model.open(GONE)
        await hand.until("that it is gone", lambda: pane.model.is_gone)
        await stage.picture("trace-gone")
        side.list.step(-len(pane.traces.rows()))
    async with tour.step("in a small pane the list is a strip, until its filters are wanted"):
        window.activateWindow()  # the focus is to be seen
        for look in looks(tour, program, always=not tour.one_look):
            window.resize(1280, 720)
            await still(pane)
            tour.picture(window, f"traces-strip-{look}")
            side.focus_search()
            await hand.until("the focus of the field", side.words.hasFocus)
            await still(pane)
            tour.picture(window, f"traces-strip-search-{look}")
            side.focus_list()
            await still(pane)
        window.requests.send(ClosePane("traces"))


async def _rejected(stage: TraceStage) -> None:
    """Look at the decision that ended the shown plan."""
    page, trace = stage.pane.page, stage.pane.model.trace
    assert trace is not None
    page.waterfall.choose(next(one.step_id for one in trace.steps if one.kind is StepKind.APPROVAL))
    await hand.until("how it ended", page.step.isVisible)
    await stage.picture("trace-rejected")
