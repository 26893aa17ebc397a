"""What can be done with the pages of a plan: read their source, deny a site, go on without retrieval."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chimein_gui import ui_driver as hand
from chimein_gui.domain.traces.summaries import TraceState
from chimein_gui.tour.acts.tools.trace_stage import TraceStage
from chimein_gui.tour.driver import panes_of
from chimein_gui.ui.panes.traces.detail.page_text import SOURCE
from chimein_gui.ui.requests import ClosePane
from chimein_gui.viewmodels.traces.open_trace import make_traces

if TYPE_CHECKING:
    from chimein_gui.program import Program
    from chimein_gui.tour.report import Tour

READER = "Rim Saadoun"
SCENARIO = "look-it-up"
HOSTS = ("ferry.example", "lakeside-cafe.example")
"""Of the scenario's first question; the third one is refused anyway."""


async def play_trace_pages(tour: Tour, program: Program) -> None:
    """Do it step by step; both sites are denied afterwards."""
    async with tour.step("the account of the persona that looks things up is online"):
        await hand.until(READER, lambda: hand.row_with(panes_of(program).agents.list, f"{READER}, Online"))
    stage = TraceStage(tour, program)
    await _source(stage)
    await _deny(stage)
    await _without_pages(stage)
    program.window.requests.send(ClosePane("traces"))


async def _ask(stage: TraceStage) -> None:
    """Let the scenario ask its first question, and open the trace of the plan."""
    await stage.begin()
    await stage.sandbox.start_scenario(SCENARIO)
    await stage.look(TraceState.WAITING)
    await stage.sandbox.stop_scenario()


async def _source(stage: TraceStage) -> None:
    async with stage.tour.step("the source of a page is read on demand"):
        await _ask(stage)
        await stage.choose_page(HOSTS[0])
        reading = stage.pane.page.pages.reading
        reading.forms.buttons()[SOURCE].click()
        await hand.until("the source", lambda: "<html" in reading.text.whole_text())
        await stage.picture("trace-source")
        reading.forms.buttons()[0].click()


async def _deny(stage: TraceStage) -> None:
    async with stage.tour.step("a site is denied in the file of the agent, and that is taken back"):
        await stage.choose_page(HOSTS[0])
        facts, news = stage.pane.page.pages.facts, stage.pane.news
        facts.deny.click()
        await hand.until("that it is denied", lambda: news.isVisible() and not facts.deny.isEnabled())
        await stage.picture("trace-denied")
        undo = await hand.until("the way back", lambda: hand.button(news, "Undo"))
        undo.click()
        await hand.until("that it is not", facts.deny.isEnabled)
        await stage.picture("trace-denied-undone")
        news.say(None)
        await stage.reject()


async def _without_pages(stage: TraceStage) -> None:
    async with stage.tour.step("a plan whose pages were all refused goes on without retrieval"):
        sites, agents = stage.window.models.own(make_traces).sites, stage.window.models.agents
        agent = next(one for one in agents.items() if one.spec.name == READER)
        for number, host in enumerate(HOSTS, 1):
            sites.deny(agent, host)
            await hand.until("that", lambda number=number: len(_denied(stage)) == number)  # type: ignore[misc]
        stage.pane.news.say(None)
        await _ask(stage)
        await hand.until("the refused ones", lambda: hand.button(stage.pane.page.reason, "Continue without retrieval"))
        await stage.choose_page(HOSTS[0])
        await stage.picture("reason-no-page")
        await stage.begin()
        stage.pane.page.reason.buttons[1].click()
        await hand.until("the draft, beside which the other version comes", lambda: not stage.pane.isVisible())
        stage.window.show_pane("traces")
        await stage.look(None)
        await stage.picture("trace-without-pages")
        await stage.reject()
    async with stage.tour.step("a plan that found no page is approved all the same"):
        await _ask(stage)
        await stage.approve()
        await stage.look(TraceState.SENT, "No page could be looked up")
        await stage.picture("reason-pages")


def _denied(stage: TraceStage) -> tuple[str, ...]:
    agents = stage.window.models.agents.items()
    return next(tuple(one.spec.denied_hosts) for one in agents if one.spec.name == READER)
