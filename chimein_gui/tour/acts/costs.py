"""Costs: what the tour has cost so far, by agent and chat, with caps, and the price list."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from chimein_gui import ui_driver as hand
from chimein_gui.domain.spending.caps import EVERYTHING, cap_of_agent
from chimein_gui.domain.spending.sums import Grouping
from chimein_gui.tour.driver import PARTNER, chat_with, looks, press, still
from chimein_gui.ui.panes.costs.pane import CostsPane
from chimein_gui.ui.requests import ClosePane, ShowCosts
from chimein_gui.viewmodels.costs.pane import Period
from chimein_gui.viewmodels.costs.prices import PROMPT

if TYPE_CHECKING:
    from chimein_gui.program import Program
    from chimein_gui.tour.report import Tour

EDITED = 1
"""The row whose price is changed: a price of one's own stands in the place of the built-in one."""


async def play_costs(tour: Tour, program: Program) -> None:
    """Do it step by step; there is no cap afterwards."""
    window = program.window
    pane = window.pane("costs")
    assert isinstance(pane, CostsPane)
    engine = program.running.engine
    agent_id = (await chat_with(program, PARTNER)).agent_id
    async with tour.step("what calls have cost is shown by day, with a cap for everything and one of an agent"):
        spent = (await engine.costs.today()).usd
        await engine.caps.set_cap(EVERYTHING, 2 * spent)
        await engine.caps.set_cap(cap_of_agent(agent_id), 1.1 * spent)
        window.requests.send(ShowCosts())
        await hand.until("the rows", pane.table.model.rowCount)
        await hand.until("the cap", lambda: pane.costs.today.cap(EVERYTHING) is not None)
        for look in looks(tour, program):
            await still(pane)
            tour.picture(window, f"costs-{look}")
    async with tour.step("by purpose, one day, while a cap is edited"):
        pane.costs.choose(grouping=Grouping.PURPOSE)
        pane.costs.step(-1)
        pane.edit_cap(EVERYTHING)
        for look in looks(tour, program):
            await still(pane)
            tour.picture(window, f"costs-cap-{look}")
        pane.editor.close_it()
        pane.costs.choose_day(None)
        pane.costs.choose(grouping=Grouping.CHAT)
    await _choices(tour, program, pane)
    async with tour.step("prices stand in a table and are edited in place"):
        pane.show_prices()
        page = pane.page
        assert page is not None
        await _picture(tour, program, pane, "costs-prices")
        page.model.setData(page.model.index(EDITED, PROMPT), "0.55")
        await hand.until("the own price", lambda: page.model.is_own(EDITED))
        page.list.setCurrentIndex(page.model.index(EDITED, PROMPT))
        await _picture(tour, program, pane, "costs-price-own")
        page.model.remove(EDITED)
        await hand.until("the built-in one", lambda: not page.model.is_own(EDITED))
        await press(pane, "Back to the costs")
        await engine.caps.set_cap(EVERYTHING, None)
        await engine.caps.set_cap(cap_of_agent(agent_id), None)
        pane.costs.choose(grouping=Grouping.AGENT)
        window.requests.send(ClosePane("costs"))


async def _choices(tour: Tour, program: Program, pane: CostsPane) -> None:
    """Look at what the choices at the top bring; they are as they were afterwards."""
    async with tour.step("tokens instead of money, by model, of today"):
        pane.costs.choose(grouping=Grouping.CHAT, is_tokens=True)
        await _picture(tour, program, pane, "costs-tokens")
        pane.costs.choose(period=Period.TODAY, grouping=Grouping.MODEL, is_tokens=False)
        await _picture(tour, program, pane, "costs-today")
        pane.costs.choose(period=Period.WEEK, grouping=Grouping.CHAT)
        await _picture(tour, program, pane, "costs-week")
        pane.costs.choose(period=Period.THIS_MONTH, grouping=Grouping.PURPOSE)
        await _picture(tour, program, pane, "costs-month")
        pane.costs.choose(period=Period.MONTH, grouping=Grouping.AGENT)
    async with tour.step("a cap is changed with a way back, and the costs are written into a file"):
        pane.costs.caps.set_cap(EVERYTHING, 2.5)
        await hand.until("that it is changed", pane.news.isVisible)
        await _picture(tour, program, pane, "costs-cap-changed")
        with tempfile.TemporaryDirectory() as folder:
            pane.costs.save(Path(folder) / "chimein-costs.csv")
            await hand.until("that it is written", lambda: hand.button(pane.news, "Open folder"))
            await _picture(tour, program, pane, "costs-exported")
        pane.news.say(None)


async def _picture(tour: Tour, program: Program, pane: CostsPane, name: str) -> None:
    for look in looks(tour, program):
        await hand.until("what single plans cost", lambda: pane.costs.plans is not None)
        await still(pane)
        tour.picture(program.window, f"{name}-{look}")


async def play_no_costs(tour: Tour, program: Program) -> None:
    """Look at the pane before any model was asked."""
    window = program.window
    async with tour.step("before the first call, the Costs pane says what it will show"):
        window.requests.send(ShowCosts())
        pane = window.pane("costs")
        assert isinstance(pane, CostsPane)
        await hand.until("that there are none", lambda: hand.button(pane, "Set the daily cap…"))
        for look in looks(tour, program):
            await still(pane)
            tour.picture(window, f"costs-empty-{look}")
        window.requests.send(ClosePane("costs"))
