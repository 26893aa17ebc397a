"""What can become of a page: refused by its site, too late, too large, in a loop, and in other scripts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chimein_gui import ui_driver as hand
from chimein_gui.domain.traces.summaries import TraceState
from chimein_gui.sandbox_api import FaultKind, FaultRule
from chimein_gui.tour.acts.tools.trace_stage import TraceStage
from chimein_gui.tour.driver import account_of, looks, panes_of
from chimein_gui.ui.requests import ClosePane, ShowChat

if TYPE_CHECKING:
    from chimein_gui.domain.ids import ChatId
    from chimein_gui.program import Program
    from chimein_gui.tour.report import Tour

READER, PARTNER = "Rim Saadoun", "Marta Oliveira"
SCENARIO = "pages-that-fail"
SLOW_S = 8.0
"""What the model takes for the first call: with the page that never comes the plan then takes long on any machine."""

FAST = 8.0
"""Speed from the moment on that the answers to the first question have been looked at."""


async def play_page_states(tour: Tour, program: Program) -> None:
    """Let a scenario ask for them; its plans are rejected afterwards."""
    async with tour.step("the account of the persona that looks things up is still online"):
        await hand.until(READER, lambda: hand.row_with(panes_of(program).agents.list, f"{READER}, Online"))
    stage = TraceStage(tour, program)
    async with tour.step("a chat says that its plan is being made while pages are looked up"):
        await stage.begin()
        # Not only the next call: that may be another one's, and then the plan would not be slow.
        slow = await stage.sandbox.inject(FaultRule(FaultKind.MODEL_SLOW, "generateContent", seconds=SLOW_S, times=0))
        await stage.sandbox.start_scenario(SCENARIO)
        await _running(stage)
        await stage.sandbox.remove_fault(slow)
        await stage.sandbox.pause_scenario(paused=True)
    async with tour.step("a page that its site refuses, one that never comes, and one that is too large"):
        program.window.show_pane("traces")
        await stage.look(TraceState.WAITING)
        for name, host in {"robots": "forum.example", "timeout": "slow.example", "too-large": "heavy.example"}.items():
            await _page(stage, name, host)
    async with tour.step("a plan that took long is found by that"):
        side, traces = stage.pane.side, stage.pane.traces
        side.marks.setCurrentIndex(side.marks.findData("slow"))
        await hand.until("the slow one", lambda: traces.is_loaded and traces.wanted.slow and traces.rowCount())
        await stage.picture("traces-slow")
        side.show_all()
        await stage.begin()
        await stage.sandbox.set_speed(FAST)
        await stage.sandbox.pause_scenario(paused=False)
    async with tour.step("pages from right to left, in other scripts, and one that leads to itself"):
        await hand.until("the second question", lambda: _lines(stage) > 1)
        await stage.sandbox.pause_scenario(paused=True)
        await stage.look(TraceState.WAITING)
        await stage.sandbox.stop_scenario()
        await stage.sandbox.set_speed(1.0)
        for name, host in {"rtl": "harbour.example", "cjk": "onsen.example", "loop": "trap.example"}.items():
            await _page(stage, name, host)
        await stage.reject()
        program.window.requests.send(ClosePane("traces"))


def _lines(stage: TraceStage) -> int:
    now = stage.window.models.rehearsal.state.scenario
    return now.done if now is not None else 0


async def _running(stage: TraceStage) -> None:
    """Look at the chat while a page keeps its plan waiting."""
    program = stage.program
    own = await account_of(program, READER)
    chats = (await stage.engine.queries.chats()).rows
    chat = next(one for one in chats if (one.info.title, one.info.account_id) == (PARTNER, own))
    stage.window.requests.send(ShowChat(chat.chat_id))
    await hand.until("its plan under way", lambda: _is_planned(stage, chat.chat_id))
    for look in looks(stage.tour, program):
        stage.tour.picture(stage.window, f"retrieval-running-{look}")


def _is_planned(stage: TraceStage, chat_id: ChatId) -> bool:
    found = stage.window.models.chats.chat(chat_id)
    return found is not None and found.planning


async def _page(stage: TraceStage, name: str, host: str) -> None:
    await stage.choose_page(host)
    await stage.picture(f"trace-page-{name}")
