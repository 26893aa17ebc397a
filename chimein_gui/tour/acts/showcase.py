"""A busy moment in one window: five accounts, drafts that wait, one that counts down, one that Telegram delays."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chimein_gui import ui_driver as hand
from chimein_gui.domain.chats import TrustLevel
from chimein_gui.sandbox_api import FaultKind, FaultRule
from chimein_gui.tour.driver import account_of, looks, panes_of, pictures, press
from chimein_gui.ui.panes.upcoming.pane import UpcomingPane
from chimein_gui.viewmodels.panes.approvals import make_approvals

if TYPE_CHECKING:
    from PySide6.QtCore import QModelIndex

    from chimein_gui.program import Program
    from chimein_gui.tour.report import Tour

PERSONAS = ("Nora Vale", "Otto Brandt", "Rim Saadoun", "Sora Kitano", "Yada Thongkam")
SCENARIO = "five-accounts-at-once"
IN_FRONT = ("Nora Vale", "Marta Oliveira")
COUNTS_DOWN = ("Yada Thongkam", "ปลายฟ้า ธารา")
IS_KEPT = ("Otto Brandt", "Jule Wendt")
"""Persona and partner of each moment."""

WAIT_S = 240


async def play_showcase(tour: Tour, program: Program) -> None:
    """Do it step by step; nothing is put right again, the run ends."""
    window, panes = program.window, panes_of(program)
    sandbox = program.running.sandbox
    assert sandbox is not None
    async with tour.step("five accounts are online, and one chat may send by itself"):
        for name in PERSONAS:
            await hand.until(name, lambda name=name: hand.row_with(panes.agents.list, f"{name}, Online"))  # type: ignore[misc]
        rows = (await program.running.engine.queries.chats()).rows
        yada = await account_of(program, COUNTS_DOWN[0])
        chat = next(one for one in rows if (one.info.title, one.info.account_id) == (COUNTS_DOWN[1], yada))
        await program.running.engine.chat_settings.set_trust(chat.chat_id, TrustLevel.COUNTDOWN)
        otto = await account_of(program, IS_KEPT[0])
        await sandbox.inject(FaultRule(FaultKind.FLOOD_WAIT, "messages.sendMessage", otto, seconds=WAIT_S, times=0))
    async with tour.step("five people write at once"):
        await sandbox.start_scenario(SCENARIO)
        window.show_pane("approvals")
        approvals = panes.approvals
        await hand.until("a draft of each", lambda: all(_row(program, f"{name} to ") for name in PERSONAS))
        await sandbox.stop_scenario()
    async with tour.step("one draft counts down, one is kept waiting by Telegram, the others wait for the operator"):
        await hand.until("the wait", lambda: _is_approved(program, f"{IS_KEPT[0]} to {IS_KEPT[1]}"))
        index = await hand.until("the chat", lambda: hand.row_with(panes.chats.tree, IN_FRONT[1]))
        panes.chats.tree.setCurrentIndex(index)
        index = await hand.until(
            "Nora's draft", lambda: _row(program, f"{IN_FRONT[0]} to {IN_FRONT[1]}, Waits for you")
        )
        approvals.list.setCurrentIndex(index)
        for look in looks(tour, program, always=True):
            await pictures(panes.chats.transcript)
            tour.picture(window, f"showcase-{look}")
    async with tour.step("what happens next in all chats, as a list and as a time line"):
        window.show_pane("upcoming")
        pane = window.pane("upcoming")
        assert isinstance(pane, UpcomingPane)
        await hand.until("all of them", lambda: all(hand.row_with(pane.list, name) for name in PERSONAS))
        for look in looks(tour, program):
            tour.picture(window, f"next-list-{look}")
        await press(pane, "Form: Time line")
        await hand.until("all lanes", lambda: all(hand.row_with(pane.time_line.lanes, name) for name in PERSONAS))
        for look in looks(tour, program):
            tour.picture(window, f"next-time-line-{look}")


def _is_approved(program: Program, which: str) -> bool:
    """Press Approve until it counts: it does not before what the card shows has been in sight for a moment.

    Another message may have come before the scenario was stopped. Then another draft comes, and its row is chosen anew.
    """
    approvals = panes_of(program).approvals
    if any(_row(program, f"{which}, {status}") is not None for status in ("Sends in", "Typing, sends in")):
        return True
    waits = _row(program, f"{which}, Waits for you")
    if waits is not None and waits != approvals.list.currentIndex():
        approvals.list.setCurrentIndex(waits)
    elif (button := hand.button(approvals, f"Approve: {which}")) is not None:
        button.click()
    return False


def _row(program: Program, words: str) -> QModelIndex | None:
    """Find a card; what has come under the operator's hand is let in first."""
    approvals = panes_of(program).approvals
    program.window.models.own(make_approvals).queue.bring_arrivals()
    return hand.row_with(approvals.list, words)
