"""Decisions: what the tour has decided so far, a filter, and the rule that sent revoked and set again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chimein_gui import ui_driver as hand
from chimein_gui.domain.chats import TrustLevel
from chimein_gui.domain.plans.decision_log import DecisionFilter, DecisionKind
from chimein_gui.tour.driver import PARTNER, chat_with, looks, panes_of, press, speak, still
from chimein_gui.ui.panes.decisions.pane import DecisionsPane
from chimein_gui.ui.requests import ClosePane, ShowDecisions

if TYPE_CHECKING:
    from chimein_gui.program import Program
    from chimein_gui.tour.report import Tour

WORDS = "And on Mondays? 🌉"


async def play_decisions(tour: Tour, program: Program) -> None:
    """Do it step by step; the chat is at review again afterwards."""
    window = program.window
    pane = window.pane("decisions")
    assert isinstance(pane, DecisionsPane)
    chat_id = (await chat_with(program, PARTNER)).chat_id
    async with tour.step("a rule may answer the partner"):
        await program.running.engine.chat_settings.set_trust(chat_id, TrustLevel.AUTO, for_s=3600)
        await speak(panes_of(program), WORDS)
    async with tour.step("the decisions open on the chat, and the automatic send names its rule"):
        window.requests.send(ShowDecisions(chat_id))
        row = await hand.until("the rule", lambda: hand.row_with(pane.list, "Rule: trust level Auto"))
        pane.list.setCurrentIndex(row)
        await hand.until("the way to revoke it", pane.detail.revoke.isVisible)
        for look in looks(tour, program):
            await still(pane)
            tour.picture(window, f"decisions-{look}")
    async with tour.step("the rule is revoked, set again, and revoked for good"):
        await press(pane.detail, "Revoke this rule…")
        tour.picture(window, "decisions-revoke-light")
        await press(pane.detail, "Revoke")
        await press(pane.news, "Undo")
        await hand.until("the rule again", pane.detail.revoke.isVisible)
        await press(pane.detail, "Revoke this rule…")
        await press(pane.detail, "Revoke")
        await hand.until("no rule", lambda: not pane.detail.revoke.isVisible())
        assert (await chat_with(program, PARTNER)).trust is TrustLevel.REVIEW
    async with tour.step("a filter leaves the edited ones, with what was changed in each"):
        pane.filter.choose(DecisionFilter(kind=DecisionKind.EDITED))
        await hand.until("the edits", lambda: pane.detail.diff.isVisible() and pane.detail.diff.pieces)
        for look in looks(tour, program):
            await still(pane)
            tour.picture(window, f"decisions-edited-{look}")
        pane.show_all()
        window.requests.send(ClosePane("decisions"))
