"""What may befall a draft: the conversation goes on, an edit outlives it, a rule sends the next one by itself."""

from __future__ import annotations

from datetime import time
from functools import partial
from typing import TYPE_CHECKING

from chimein_gui import ui_driver as hand
from chimein_gui.domain.chats import QuietHours, TriggerMode, TrustLevel
from chimein_gui.tour.driver import (
    PARTNER,
    account_of,
    chat_with,
    choose_waiting,
    looks,
    mailbox,
    panes_of,
    press,
    reject_all,
    speak,
    still,
)
from chimein_gui.ui.requests import MaximizePane
from chimein_gui.viewmodels.core.roles import ItemRole

if TYPE_CHECKING:
    from chimein_gui.program import Program
    from chimein_gui.tour.report import Tour

ASKED = "Shall we look at the old mill on Saturday?"
WENT_ON = ("Ah wait, my brother comes too 😅 can we start later?", "And bring the key to the boathouse 🗝")
MINE = "Saturday is good. I bring the old map and a lamp, you bring your knees 😄"
ASKED_AGAIN = "So, where are you now? What do you say about Saturday?"
"""Answered with other words than before: a saved edit is compared only with a draft that differs from its own."""

GOODBYE = "Please block me, I change my number tomorrow."
STRANGER = "Wim"
FROM_STRANGER = "Good evening, you don't know me. I found a map case on the 14 bus with your name in it. Is it yours?"
BY_RULE = "Do you like plums?"
ALWAYS_QUIET = QuietHours(time(0, 0), time(23, 59))
"""What a rule lets pass leaves at the end of them, so that it can be looked at."""


async def play_card_states(tour: Tour, program: Program) -> None:
    """Do it step by step; only the last draft reaches anybody."""
    before = await mailbox(program)
    await _stale(tour, program)
    await _kept_edit(tour, program)
    await _irreversible(tour, program)
    await _first_contact(tour, program)
    assert await mailbox(program) == before
    await _nothing_waits(tour, program)


async def _stale(tour: Tour, program: Program) -> None:
    panes = panes_of(program)
    settings, chat = program.running.engine.chat_settings, await chat_with(program, PARTNER)
    async with tour.step("the conversation goes on while a draft waits; it has to be read first"):
        program.window.show_pane("approvals")
        await speak(panes, ASKED)
        draft = (await choose_waiting(panes, PARTNER)).data(ItemRole)
        # No other plan replaces it while it is looked at.
        await settings.set_triggers(chat.chat_id, TriggerMode.NEVER)
        for words in WENT_ON:
            await speak(panes, words)
            await hand.until("it in the chat", partial(hand.row_with, panes.chats.transcript, words[:20]))
        await hand.until("what changed", lambda: hand.button(panes.approvals, "I've read the changes"))
        for look in looks(tour, program):
            await still(program.window)
            tour.picture(program.window, f"stale-{look}")
        await _picture_wide(tour, program, "approvals-stale", f"{len(WENT_ON)} changes since")
    async with tour.step("the box is ticked, and the draft is edited"):
        program.window.requests.send(MaximizePane("approvals"))
        await press(panes.approvals.card, "I've read the changes")
        await hand.until("the action", lambda: hand.button(panes.approvals.card, "Approve"))
        await still(program.window)
        for dark in (False, True):
            program.window.set_dark(dark)
            tour.picture(program.window, f"approvals-stale-read-{'dark' if dark else 'light'}")
        program.window.set_dark(False)
        program.window.requests.send(MaximizePane("approvals"))
        now = program.window.models.approvals.find(draft.approval_id)
        assert now is not None
        program.window.models.actions.keep_edit(now, MINE)
        await hand.until("the edit", lambda: hand.row_with(panes.approvals.list, MINE[:30]))
        await settings.set_triggers(chat.chat_id, None)


async def _kept_edit(tour: Tour, program: Program) -> None:
    panes = panes_of(program)
    async with tour.step("another plan comes; the edit is kept beside the new draft, in the card and in the chat"):
        await speak(panes, ASKED_AGAIN)
        await hand.until("the edit in the chat", lambda: hand.button(panes.chats, "Discard"), 30.0)
        await choose_waiting(panes, PARTNER)
        for look in looks(tour, program):
            await still(program.window)
            tour.picture(program.window, f"kept-edit-{look}")
        await _picture_wide(tour, program, "approvals-kept-edit", "Edit saved: a new plan replaced its draft")
    async with tour.step("the first draft, the edit and the new draft are compared"):
        program.window.requests.send(MaximizePane("approvals"))
        await press(panes.approvals.card, "Compare…")
        await hand.until("the result", lambda: hand.field(panes.approvals.card, "Result, sent after you approve"))
        for look in looks(tour, program):
            await still(program.window)
            tour.picture(program.window, f"approvals-three-way-{look}")
        await press(panes.approvals.card, "Back")
        program.window.requests.send(MaximizePane("approvals"))
        await press(panes.chats, "Discard")
        await hand.until("nothing kept", lambda: hand.button(panes.chats, "Discard") is None)
        await reject_all(panes)


async def _irreversible(tour: Tour, program: Program) -> None:
    panes = panes_of(program)
    async with tour.step("what cannot be taken back says so"):
        await speak(panes, GOODBYE)
        await choose_waiting(panes, PARTNER)
        for look in looks(tour, program):
            tour.picture(program.window, f"irreversible-{look}")
        await _picture_wide(tour, program, "approvals-irreversible", "Can't be undone")
        await reject_all(panes)


async def _first_contact(tour: Tour, program: Program) -> None:
    panes, sandbox = panes_of(program), program.running.sandbox
    assert sandbox is not None
    async with tour.step("a stranger writes; the first message to somebody always asks"):
        stranger = next(one for one in await sandbox.partners() if one.name == STRANGER)
        await sandbox.speak(stranger.user_id, await account_of(program, "Nora Vale"), FROM_STRANGER)
        await choose_waiting(panes, STRANGER)
        await _picture_wide(tour, program, "approvals-first-contact")
        await reject_all(panes)


async def _nothing_waits(tour: Tour, program: Program) -> None:
    window, panes = program.window, panes_of(program)
    settings, chat = program.running.engine.chat_settings, await chat_with(program, PARTNER)
    async with tour.step("nothing waits; what is sent automatically next is told"):
        await settings.set_quiet_hours(chat.chat_id, ALWAYS_QUIET)
        await settings.set_trust(chat.chat_id, TrustLevel.AUTO)
        await speak(panes, BY_RULE)
        leaving = await hand.until("what leaves next", window.models.approvals.leaving.next)
        await hand.until("an empty list", lambda: not panes.approvals.list.isVisible())
        for look in looks(tour, program):
            await still(window)
            tour.picture(window, f"nothing-waits-{look}")
    async with tour.step("the quiet hours end, and it leaves"):
        before = await mailbox(program)
        await settings.set_quiet_hours(chat.chat_id, None)
        await hand.until(
            "it in the chat", lambda: hand.row_with(panes.chats.transcript, f"Nora Vale: {leaving[0].text}")
        )
        assert await mailbox(program) == [*before, leaving[0].text]
        await settings.set_trust(chat.chat_id, None)
        await hand.until("the level as before", lambda: hand.button(panes.chats, "Trust: Review"))


async def _picture_wide(tour: Tour, program: Program, name: str, words: str = "") -> None:
    """Photograph the card with all the room it wants, once it says `words`."""
    window, card = program.window, panes_of(program).approvals.card
    window.requests.send(MaximizePane("approvals"))
    await hand.until("what stands beside it", lambda: window.models.card.details)
    await hand.until(words, lambda: any(hand.says(said, words) for said in hand.words_in_sight(card)))
    for look in looks(tour, program):
        await still(window)
        tour.picture(window, f"{name}-{look}")
    window.requests.send(MaximizePane("approvals"))
