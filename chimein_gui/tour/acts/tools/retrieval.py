"""Web pages in a plan, and plans that failed: what the Traces pane and the Prompt pane show of them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from chimein_gui import ui_driver as hand
from chimein_gui.domain.retrieval.pages import PageFetched
from chimein_gui.domain.traces.steps import StepKind
from chimein_gui.domain.traces.summaries import PROBLEMS, TraceState
from chimein_gui.sandbox_api import FaultKind, FaultRule
from chimein_gui.tour.driver import PARTNER, account_of, looks, still
from chimein_gui.ui.panes.prompt.pane import PromptPane
from chimein_gui.ui.panes.traces.page import PAGES, REPLY, REQUEST, STEP, USAGE
from chimein_gui.ui.panes.traces.pane import TracesPane
from chimein_gui.ui.requests import ClosePane

if TYPE_CHECKING:
    from chimein_gui.domain.traces.steps import TraceStep
    from chimein_gui.program import Program
    from chimein_gui.tour.report import Tour

READER = "Rim Saadoun"
"""The persona that may look things up."""

SPEED = 4.0


async def play_retrieval(tour: Tour, program: Program) -> None:
    """Let a scenario ask for pages, then let a plan fail; both chats are as they were afterwards, but for messages."""
    window = program.window
    console, engine = program.running.sandbox, program.running.engine
    assert console is not None
    window.show_pane("traces")
    pane = window.pane("traces")
    assert isinstance(pane, TracesPane)
    partner = next(one.user_id for one in await console.partners() if one.name == PARTNER)
    account = await account_of(program, READER)
    async with tour.step("a persona looks pages up before she answers, and the trace shows each of them"):
        await console.set_speed(SPEED)
        await console.start_scenario("look-it-up")
        await hand.until("both plans", partial(_has_pages, pane, 2))
        await console.stop_scenario()
        await console.set_speed(1.0)
        await _look_at_pages(tour, program, pane)
    async with tour.step("the request of a call with pages has a row for each in the Prompt pane"):
        pane.open_prompt()
        prompt = window.pane("prompt")
        assert isinstance(prompt, PromptPane)
        await hand.until("its prompt", lambda: prompt.isVisible() and prompt.prompt.view is not None)
        for look in looks(tour, program):
            await still(prompt)
            tour.picture(window, f"prompt-pages-{look}")
        window.requests.send(ClosePane("prompt"))
        window.show_pane("traces")
    async with tour.step("a plan that the model refused says why, and what can be done"):
        await console.inject(FaultRule(FaultKind.MODEL_BLOCKED, times=0))
        await console.speak(partner, account, "Is the lamp at the pier mended?")
        await hand.until("the failed plan", lambda: _first_state(pane) in PROBLEMS)
        pane.side.list.step(-len(pane.traces.rows()))
        await hand.until("its trace", lambda: pane.shown is not None and pane.shown.state in PROBLEMS)
        for look in looks(tour, program):
            await still(pane)
            tour.picture(window, f"trace-failed-{look}")
        pane.page.show_tab(STEP)
        for look in looks(tour, program):
            await still(pane)
            tour.picture(window, f"trace-failed-step-{look}")
        await console.clear_faults()
        await engine.plans.retry(pane.traces.rows()[0].chat_id)
        await hand.until("the next plan", lambda: _first_state(pane) is TraceState.WAITING)
        window.requests.send(ClosePane("traces"))


async def _look_at_pages(tour: Tour, program: Program, pane: TracesPane) -> None:
    window = program.window
    for place, name in enumerate(("trace-retrieval", "trace-injection")):
        row = [one for one in pane.traces.rows() if one.pages or one.refused_pages][-1 - place]
        await hand.until("its row", lambda row=row: pane.side.list.choose(row.trace_id))  # type: ignore[misc]
        await hand.until("its trace", lambda row=row: pane.shown is not None and pane.shown.trace_id == row.trace_id)  # type: ignore[misc]
        steps = _pages(pane)
        shown = next((one for one in steps if "whisper" in one.name), steps[0])
        pane.page.waterfall.choose(shown.step_id)
        await hand.until("the page's text", pane.page.pages.isVisible)
        for look in looks(tour, program):
            await still(pane)
            tour.picture(window, f"{name}-{look}")
        refused = [one for one in steps if isinstance(one.detail, PageFetched) and one.detail.refusal is not None]
        if refused:
            pane.page.waterfall.choose(refused[0].step_id)
            for look in looks(tour, program):
                await still(pane)
                tour.picture(window, f"{name}-refused-{look}")
    for place, name in {REPLY: "reply", PAGES: "pages", REQUEST: "request", USAGE: "usage", STEP: "step"}.items():
        pane.page.show_tab(place)
        for look in looks(tour, program):
            await still(pane)
            tour.picture(window, f"trace-tab-{name}-{look}")


def _pages(pane: TracesPane) -> list[TraceStep]:
    trace = pane.model.trace
    return [one for one in trace.steps if one.kind is StepKind.PAGE] if trace is not None else []


def _has_pages(pane: TracesPane, number: int) -> bool:
    rows = [one for one in pane.traces.rows() if one.pages or one.refused_pages]
    return len(rows) >= number


def _first_state(pane: TracesPane) -> TraceState | None:
    rows = pane.traces.rows()
    return rows[0].state if rows else None
