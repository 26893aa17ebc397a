"""Web pages in a plan, and plans that failed: what the Traces pane and the Prompt pane show of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chimein_gui import ui_driver as hand
from chimein_gui.domain.retrieval.pages import PageFetched
from chimein_gui.domain.traces.summaries import PROBLEMS, TraceState
from chimein_gui.sandbox_api import FaultKind, FaultRule
from chimein_gui.tour.driver import PARTNER, account_of, looks, still
from chimein_gui.ui.panes.prompt.pane import PromptPane
from chimein_gui.ui.panes.traces.page import PAGES, REPLY, REQUEST, STEP, USAGE
from chimein_gui.ui.panes.traces.pane import TracesPane
from chimein_gui.ui.requests import ClosePane

if TYPE_CHECKING:
    from chimein_gui.domain.traces.summaries import TraceId, TraceSummary
    from chimein_gui.program import Program
    from chimein_gui.tour.report import Tour

READER = "Rim Saadoun"
"""The persona that may look things up."""

HURRIED = 20.0
"""How many times faster the scenario plays while nothing is looked at."""


async def play_retrieval(tour: Tour, program: Program) -> None:
    """Let a scenario ask for pages, then let a plan fail; both chats are as they were afterwards, but for messages."""
    window = program.window
    console = program.running.sandbox
    assert console is not None
    window.show_pane("traces")
    pane = window.pane("traces")
    assert isinstance(pane, TracesPane)
    partner = next(one.user_id for one in await console.partners() if one.name == PARTNER)
    account = await account_of(program, READER)
    async with tour.step("a persona looks pages up before she answers, and the trace shows each of them"):
        await console.start_scenario("look-it-up")
        await hand.until("the first plan", lambda: _with_pages(pane))
        await console.pause_scenario(paused=True)
        await _look_at_page(tour, program, pane, "trace-retrieval", "ferry.example")
        await _look_at_page(tour, program, pane, "trace-retrieval-refused", "metadata.example")
    async with tour.step("a page that gives orders changes nothing but the text that is seen"):
        first = _with_pages(pane)[0].trace_id
        await console.set_speed(HURRIED)
        await console.pause_scenario(paused=False)
        await hand.until("the second plan", lambda: _with_pages(pane)[0].trace_id != first)
        await console.stop_scenario()
        await console.set_speed(1)
        await _look_at_page(tour, program, pane, "trace-page-cached", "ferry.example")
        await _look_at_page(tour, program, pane, "trace-injection", "whisper.example")
        for place, name in {REPLY: "reply", PAGES: "pages", REQUEST: "request", USAGE: "usage", STEP: "step"}.items():
            pane.page.show_tab(place)
            for look in looks(tour, program):
                await still(pane)
                tour.picture(window, f"trace-tab-{name}-{look}")
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
    await _look_at_refusal(tour, program, pane, (partner, account))


async def _look_at_refusal(tour: Tour, program: Program, pane: TracesPane, pair: tuple[int, int]) -> None:
    """Let the model refuse a plan, and make it then; its draft is rejected."""
    window, engine, console = program.window, program.running.engine, program.running.sandbox
    assert console is not None
    async with tour.step("a plan that the model refused says why, and what can be done"):
        await console.inject(FaultRule(FaultKind.MODEL_BLOCKED, times=0))
        await console.speak(*pair, "Is the lamp at the pier mended?")
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
        graph_id = pane.traces.rows()[0].graph_id
        assert graph_id is not None
        await engine.plans.reject(graph_id)
        window.requests.send(ClosePane("traces"))


async def _look_at_page(tour: Tour, program: Program, pane: TracesPane, name: str, host: str) -> None:
    """Choose the newest trace with a page of a host, and picture that page.

    The newest with pages may be a later one: a scenario that hurries may have asked once more before it was stopped.
    """
    seen = list[str]()
    for row in _with_pages(pane):
        pages = await _pages_of(pane, row.trace_id)
        seen += pages
        found = [step_id for address, step_id in pages.items() if host in address]
        if found:
            break
    else:
        raise AssertionError(f"{host} is not among {seen}")
    pane.page.waterfall.choose(found[0])
    await hand.until("the page", pane.page.pages.isVisible)
    for look in looks(tour, program):
        await still(pane)
        tour.picture(program.window, f"{name}-{look}")


async def _pages_of(pane: TracesPane, trace_id: TraceId) -> dict[str, int]:
    """Choose a trace; return its steps by the addresses that were asked for."""
    await hand.until("its row", lambda: pane.side.list.choose(trace_id))
    await hand.until("its trace", lambda: pane.shown is not None and pane.shown.trace_id == trace_id)
    trace = pane.model.trace
    assert trace is not None
    return {one.detail.requested: one.step_id for one in trace.steps if isinstance(one.detail, PageFetched)}


def _with_pages(pane: TracesPane) -> list[TraceSummary]:
    """Return the traces with pages, the newest first."""
    return [one for one in pane.traces.rows() if one.pages or one.refused_pages]


def _first_state(pane: TracesPane) -> TraceState | None:
    rows = pane.traces.rows()
    return rows[0].state if rows else None
