"""Caps on costs: 80 % of one, one that is reached, a model without a price, and the answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chimein_gui import ui_driver as hand
from chimein_gui.domain.spending.caps import EVERYTHING, STEP_USD, CapScope, cap_of_chat
from chimein_gui.domain.traces.summaries import TraceState
from chimein_gui.tour.acts.tools.trace_stage import TraceStage
from chimein_gui.tour.driver import PARTNER, chat_with, looks, panes_of, press, reject_all, speak, still
from chimein_gui.ui.panes.costs.pane import CostsPane
from chimein_gui.ui.requests import ClosePane, ShowChat, ShowCosts
from chimein_gui.viewmodels.costs.words import money

if TYPE_CHECKING:
    from chimein_gui.domain.spending.caps import CapKey
    from chimein_gui.program import Program
    from chimein_gui.tour.report import Tour


async def play_caps(tour: Tour, program: Program) -> None:
    """Set them, let a partner write, and answer; there is no cap afterwards."""
    window = program.window
    window.requests.send(ShowCosts())
    pane = window.pane("costs")
    assert isinstance(pane, CostsPane)
    spent = (await program.running.engine.costs.today()).usd
    await _reach(tour, program, pane, spent)
    await _answer(tour, program, pane, spent)
    await program.running.engine.caps.set_cap(EVERYTHING, None)


async def _reach(tour: Tour, program: Program, pane: CostsPane, spent: float) -> None:
    window, engine = program.window, program.running.engine
    async with tour.step("a chat says when 80 % of its cap are spent"):
        chat_id = (await chat_with(program, PARTNER)).chat_id
        today = (await engine.costs.today()).began_at.astimezone().date()
        of_chat = sum(one.usd for one in await engine.costs.sums(today, today) if one.chat_id == chat_id)
        await engine.caps.set_cap(cap_of_chat(chat_id), of_chat / 0.9)
        window.requests.send(ShowChat(chat_id))
        await hand.until("the mark", lambda: pane.costs.today.cap(cap_of_chat(chat_id)) is not None)
        for look in looks(tour, program):
            tour.picture(window, f"cap-marked-{look}")
        await engine.caps.set_cap(cap_of_chat(chat_id), None)
        window.requests.send(ShowCosts())
    async with tour.step("a cap that is reached asks, and what a partner has written waits"):
        await engine.caps.set_cap(EVERYTHING, spent)
        await hand.until("the question", pane.question.isVisible)
        window.requests.send(ShowChat(chat_id))
        await speak(panes_of(program), "And if it rains?")
        await hand.until("that it waits", lambda: _waits(pane, EVERYTHING))
        for look in looks(tour, program):
            tour.picture(window, f"cap-paused-{look}")
        stage = TraceStage(tour, program)
        await stage.look(TraceState.CAPPED, "Paused by a cap")
        await stage.picture("trace-capped")
        window.requests.send(ClosePane("traces"))
        window.requests.send(ShowCosts())
        for look in looks(tour, program):
            await still(pane)
            tour.picture(window, f"costs-asks-{look}")


async def _answer(tour: Tour, program: Program, pane: CostsPane, spent: float) -> None:
    window, engine = program.window, program.running.engine
    async with tour.step("a model without a price asks, too"):
        model = engine.preferences.model
        await engine.preferences_service.change(model="acme-1")
        await engine.caps.set_cap(EVERYTHING, 9 * spent)
        await hand.until("the question", lambda: _asks_for_price(pane))
        for look in looks(tour, program):
            await still(pane)
            tour.picture(window, f"costs-no-price-{look}")
        await engine.preferences_service.change(model=model)
        await engine.caps.set_cap(EVERYTHING, spent)
        await hand.until("the cap again", lambda: not _asks_for_price(pane))
    async with tour.step("$2 more are an answer, and what waited is planned"):
        await press(pane.question, f"Add {money(STEP_USD)} for today")
        await hand.until("no question", lambda: not pane.question.isVisible())
        for look in looks(tour, program):
            await still(pane)
            tour.picture(window, f"costs-raised-{look}")
        window.requests.send(ClosePane("costs"))
        await hand.until("the plan", lambda: hand.row_with(panes_of(program).approvals.list, "Waits for you"))
        await reject_all(panes_of(program))


def _waits(pane: CostsPane, key: CapKey) -> bool:
    cap = pane.costs.today.cap(key)
    return cap is not None and cap.waiting > 0


def _asks_for_price(pane: CostsPane) -> bool:
    return any(cap.key.scope is CapScope.MODEL for cap in pane.costs.asking())
