"""The Traces pane: how the plans of the tour came about, what was decided, what can be kept and written into a file."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from chimein_gui import ui_driver as hand
from chimein_gui.domain.traces.steps import ApprovalStep, StepKind
from chimein_gui.domain.traces.summaries import ExportFormat
from chimein_gui.tour.driver import expect, looks, still
from chimein_gui.ui.panes.traces.pane import TracesPane
from chimein_gui.ui.requests import ClosePane

if TYPE_CHECKING:
    from chimein_gui.program import Program
    from chimein_gui.tour.report import Tour


async def play_traces(tour: Tour, program: Program) -> None:
    """Look at what the acts before have left; nothing is changed."""
    window = program.window
    window.show_pane("traces")
    pane = window.pane("traces")
    assert isinstance(pane, TracesPane)
    async with tour.step("every plan has left a trace, with its steps, its reply and what became of it"):
        await hand.until("the traces", lambda: pane.traces.rowCount() > 1)
        pane.side.marks.setCurrentIndex(pane.side.marks.findData("edited"))
        await hand.until("an edited plan", lambda: pane.traces.is_loaded and pane.traces.rowCount())
        edited = pane.traces.rows()[0].trace_id
        pane.side.show_all()
        await hand.until("all again", lambda: pane.side.list.choose(edited))
        await hand.until("its trace", lambda: pane.shown is not None and pane.shown.trace_id == edited)
        await hand.until("its reply", lambda: pane.page.reply.cards)
        expect(pane.page.waterfall, "LLM call 1")
        await _picture(tour, program, pane, "traces")
        steps = pane.model.trace.steps if pane.model.trace is not None else ()
        decided = [one for one in steps if isinstance(one.detail, ApprovalStep) and one.detail.decision is not None]
        pane.page.waterfall.choose(decided[0].step_id)
        await hand.until("the decision", pane.page.step.isVisible)
        await _picture(tour, program, pane, "trace-decision")
        sent = [one for one in steps if one.kind is StepKind.SEND]
        pane.page.waterfall.choose(sent[-1].step_id)
        await _picture(tour, program, pane, "trace-send")
    async with tour.step("a trace can be kept and written into a file"):
        pane.model.keep(is_kept=True)
        await hand.until("that its row says so", lambda: any(one.is_kept for one in pane.traces.rows()))
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "chimein-trace-1.otlp.json"
            pane.model.export((edited,), ExportFormat.OTLP, path, with_content=True)
            await hand.until("that it is written", pane.news.isVisible)
            await _picture(tour, program, pane, "trace-exported")
            pane.news.say(None)
            pane.model.export((edited,), ExportFormat.JSON, Path(folder) / "gone" / "trace.json", with_content=True)
            await hand.until("that it can't be written", pane.news.isVisible)
            await _picture(tour, program, pane, "trace-export-failed")
        pane.model.keep(is_kept=False)
        await hand.until("that it is not", lambda: pane.shown is not None and not pane.shown.is_kept)
        pane.news.say(None)
    async with tour.step("traces are looked for by words and by what became of them"):
        for place, name in enumerate(("traces-waiting", "traces-problems", "traces-what-if"), 1):
            pane.side.kinds.buttons()[place].click()
            await hand.until("the answer", lambda: pane.traces.is_loaded)
            await _picture(tour, program, pane, name)
        pane.side.show_all()
        pane.side.words.setText("nobody wrote this")
        await hand.until("no traces", lambda: pane.traces.wanted.words and pane.traces.is_loaded)
        await _picture(tour, program, pane, "traces-none")
        pane.side.show_all()
        await hand.until("all again", lambda: pane.traces.rowCount() > 1)
        window.requests.send(ClosePane("traces"))


async def play_no_traces(tour: Tour, program: Program) -> None:
    """Look at the pane before anything was planned."""
    window = program.window
    async with tour.step("before the first plan, the Traces pane says what it will show"):
        window.show_pane("traces")
        pane = window.pane("traces")
        assert isinstance(pane, TracesPane)
        await hand.until("that there are none", lambda: pane.traces.is_loaded)
        await _picture(tour, program, pane, "traces-empty")
        window.requests.send(ClosePane("traces"))


async def _picture(tour: Tour, program: Program, pane: TracesPane, name: str) -> None:
    for look in looks(tour, program):
        await still(pane)
        tour.picture(program.window, f"{name}-{look}")
