"""Hold everything, takeover and observe: what keeps messages from leaving, and the way back from each."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from chimein_gui import ui_driver as hand
from chimein_gui.domain.chats import TrustLevel
from chimein_gui.tour.driver import PARTNER, chat_with, looks, mailbox, panes_of, press, reject_all, speak
from chimein_gui.ui.dialogs.backlog.dialog import BacklogDialog
from chimein_gui.viewmodels.core.roles import ItemRole

if TYPE_CHECKING:
    from chimein_gui.program import Program
    from chimein_gui.tour.report import Tour

UNDER_HOLD = "Can you send me a sticker?"
OWN_WORDS = "Me again, in person: the lamp hangs on the green hook."
WHILE_OBSERVED = "Do you like rain?"


async def play_under_hold(tour: Tour, program: Program) -> None:
    """Do it step by step."""
    await _hold(tour, program)
    await _take_over(tour, program)
    await _observe(tour, program)


async def _hold(tour: Tour, program: Program) -> None:
    window, panes = program.window, panes_of(program)
    approvals = panes.approvals
    before = await mailbox(program)
    async with tour.step("everything is held; an approved draft stays"):
        window.show_pane("approvals")
        window.action("hold").trigger()
        await hand.until("the hold", lambda: hand.button(window, "Everything held"))
        await speak(panes, UNDER_HOLD)
        index = await hand.until("the draft", lambda: hand.row_with(approvals.list, "Waits for you"))
        approvals.list.setCurrentIndex(index)
        draft = index.data(ItemRole)
        await press(approvals, "Approve")
        await hand.until("its status", lambda: hand.row_with(approvals.list, "Approved, held"))
        for look in looks(tour, program):
            tour.picture(window, f"held-{look}")
        assert await mailbox(program) == before
    async with tour.step("the release sends nothing and opens the backlog; one press confirms it"):
        window.action("hold").trigger()
        dialog = await hand.until("the backlog", lambda: _dialog(program))
        for dark in (False, True):
            window.set_dark(dark)
            tour.picture(dialog, f"backlog-{'dark' if dark else 'light'}")
        window.set_dark(False)
        assert await mailbox(program) == before
        dialog.accounts[0].send.click()
        # Not any sent row: that of the main job may still be in sight.
        rows = partial(hand.rows, approvals.list)
        await hand.until("it as sent", lambda: any(hand.says(row, "Sent, ") and draft.text in row for row in rows()))
        if dialog.isVisible():
            dialog.later.click()
        assert len(await mailbox(program)) == len(before) + 1
        await reject_all(panes)


async def _take_over(tour: Tour, program: Program) -> None:
    window, chats = program.window, panes_of(program).chats
    async with tour.step("the operator writes himself; the agent pauses, and resumes at a press"):
        chat = await chat_with(program, PARTNER)
        await program.running.engine.composer.write(chat.chat_id, OWN_WORDS, client_id="the tour's own words")
        await hand.until("the way back", lambda: hand.button(chats, "Resume"))
        await hand.until("his message", lambda: hand.row_with(chats.transcript, "green hook"))
        for look in looks(tour, program):
            tour.picture(window, f"takeover-{look}")
        await press(chats, "Resume")
        await hand.until("the end of the pause", lambda: hand.button(chats, "Resume") is None)
        assert (await mailbox(program))[-1] == OWN_WORDS


async def _observe(tour: Tour, program: Program) -> None:
    window, panes = program.window, panes_of(program)
    settings = program.running.engine.chat_settings
    async with tour.step("in a chat that is observed a plan is only shown, until it is asked for"):
        before, chat = await mailbox(program), await chat_with(program, PARTNER)
        await settings.set_trust(chat.chat_id, TrustLevel.OBSERVE)
        await hand.until("the level", lambda: hand.button(panes.chats, "Trust: Observe"))
        await speak(panes, WHILE_OBSERVED)
        await hand.until("what it would say", lambda: hand.button(panes.chats, "Send this one"))
        for look in looks(tour, program):
            tour.picture(window, f"observed-{look}")
        await press(panes.chats, "Send this one")
        await hand.until("the card", lambda: hand.row_with(panes.approvals.list, "Waits for you"))
        assert await mailbox(program) == before
        await reject_all(panes)
        await settings.set_trust(chat.chat_id, None)
        await hand.until("the level as before", lambda: hand.button(panes.chats, "Trust: Review"))


def _dialog(program: Program) -> BacklogDialog | None:
    return next((found for found in program.window.findChildren(BacklogDialog) if found.isVisible()), None)
