"""The Approvals pane with all the room it wants: the card, its edit, another version of the plan, the keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtGui import QKeyEvent

from chimein_gui import ui_driver as hand
from chimein_gui.tour.driver import PARTNER, PERSONA, looks, mailbox, panes_of, press, reject, schemes, still
from chimein_gui.ui.dialogs.key_help import KeyHelp
from chimein_gui.ui.dialogs.message_details import MessageDetails
from chimein_gui.ui.requests import MaximizePane

if TYPE_CHECKING:
    from chimein_gui.program import Program
    from chimein_gui.tour.report import Tour

WORDS = "And is there a bus from Braga on Sundays? 🚌"
INSTRUCTION = "shorter, and ask when he arrives"
OTHER_INSTRUCTION = "warmer"
TALK = f"{PERSONA} to {PARTNER}, Waits for you"


async def play_wide_card(tour: Tour, program: Program) -> None:
    """Do it step by step."""
    before = await mailbox(program)
    await _card_and_edit(tour, program)
    await _versions(tour, program)
    await _rejection(tour, program)
    assert await mailbox(program) == before


async def play_high_contrast(tour: Tour, program: Program) -> None:
    """Picture the wide card and a message that is read by word in both colours with high contrast."""
    before = await mailbox(program)
    window, panes = program.window, panes_of(program)
    approvals, transcript = panes.approvals, panes.chats.transcript
    async with tour.step("the wide card has high contrast, light and dark"):
        await _draft(program)
        await hand.until("what stands beside it", lambda: window.models.card.details)
        window.appearance.choose_contrast("high")
        for scheme in schemes(tour, program, always=True):
            await still(window)
            tour.picture(window, f"high-contrast-{scheme}")
        window.requests.send(MaximizePane("approvals"))
    async with tour.step("a message is read by word"):
        transcript.setCurrentIndex(transcript.model().index(transcript.model().rowCount() - 1, 0))
        key, alt = Qt.Key.Key_Return, Qt.KeyboardModifier.AltModifier
        QCoreApplication.sendEvent(transcript, QKeyEvent(QEvent.Type.KeyPress, key, alt))
        dialog = await hand.until("the text", lambda: next(iter(window.findChildren(MessageDetails)), None))
        for scheme in schemes(tour, program, always=True):
            tour.picture(dialog, f"message-details-high-contrast-{scheme}")
        dialog.close()
    window.appearance.choose_contrast("system")
    await reject(panes)
    await hand.until("nothing that waits", lambda: not hand.row_with(approvals.list, TALK))
    assert await mailbox(program) == before


async def _draft(program: Program) -> None:
    """Let a draft arise, and give it all the room."""
    window, panes = program.window, panes_of(program)
    composer = await hand.until("the partner's composer", lambda: hand.field(panes.chats, "Write as Marta"))
    composer.setPlainText(WORDS)
    await press(panes.chats, "Send as Marta")
    index = await hand.until("the draft", lambda: hand.row_with(panes.approvals.list, "Waits for you"))
    panes.approvals.list.setCurrentIndex(index)
    window.requests.send(MaximizePane("approvals"))


async def _card_and_edit(tour: Tour, program: Program) -> None:
    window, panes = program.window, panes_of(program)
    approvals = panes.approvals
    async with tour.step("the approvals take the whole width"):
        await _draft(program)
        await hand.until("what stands beside it", lambda: program.window.models.card.details)
        for look in looks(tour, program):
            tour.picture(window, f"approvals-card-{look}")
    async with tour.step("the edit shows what was changed"):
        await press(approvals.card, "Edit")
        editor = await hand.until("the editor", lambda: hand.field(approvals, "Your text"))
        words = editor.toPlainText().split(" ")
        editor.setPlainText(" ".join([*words[:-2], "at ten", words[-1]]))
        await hand.until(
            "the changes", lambda: approvals.editor.fields.diff.isVisible() and approvals.editor.fields.diff.pieces
        )
        for look in looks(tour, program):
            tour.picture(window, f"approvals-card-edit-{look}")
        await press(approvals.editor, "Close")
        await press(approvals.card, "Discard")  # what was typed is kept as a saved edit
        await hand.until("no saved edit", lambda: hand.button(approvals.card, "Discard") is None)


async def _versions(tour: Tour, program: Program) -> None:
    window, approvals = program.window, panes_of(program).approvals
    async with tour.step("another version is asked for, looked at, and thrown away"):
        await _plan_again(program, 2, INSTRUCTION)
        for look in looks(tour, program):
            tour.picture(window, f"approvals-variant-{look}")
    async with tour.step("three versions stand side by side, two on a small screen"):
        await _plan_again(program, 3, OTHER_INSTRUCTION)
        await press(approvals.card, "Side by side")
        await hand.until("the versions", lambda: hand.button(approvals.card, "Back"))
        for look in looks(tour, program):
            await still(window)
            tour.picture(window, f"approvals-versions-{look}")
        await press(approvals.card, "Back")
        await press(approvals.card, "Discard")
        await hand.until("one other version", lambda: hand.button(approvals.card, "3  ") is None)
        await press(approvals.card, f"2  {INSTRUCTION}"[:12])
        await press(approvals.card, "Discard")
        await hand.until("the draft alone", lambda: not approvals.card.variants.isVisible())


async def _rejection(tour: Tour, program: Program) -> None:
    window, approvals = program.window, panes_of(program).approvals
    async with tour.step("the keys are told, and the draft is rejected"):
        approvals.show_help()
        dialog = await hand.until("the keys", lambda: next(iter(approvals.findChildren(KeyHelp)), None))
        for dark in (False, True):
            window.set_dark(dark)
            tour.picture(dialog, f"approvals-keys-{'dark' if dark else 'light'}")
        window.set_dark(False)
        dialog.close()
        await press(approvals.card, f"Reject: Nora Vale to {PARTNER}")
        await hand.until("the reasons", lambda: hand.button(approvals, "Reject, no reason"))
        for look in looks(tour, program):
            await still(window)
            tour.picture(window, f"approvals-reasons-{look}")
        await press(approvals, "Reject, no reason")
        await hand.until("nothing that waits", lambda: hand.button(approvals.card, "Approve") is None)
        await hand.until("it rejected", lambda: not hand.row_with(approvals.list, TALK))
        window.requests.send(MaximizePane("approvals"))


async def _plan_again(program: Program, number: int, instruction: str) -> None:
    """Ask for another version, and look at it."""
    approvals = panes_of(program).approvals
    await press(approvals.card, "Regenerate")
    field = await hand.until("the instruction", lambda: hand.field(approvals, "Plan again"))
    field.setPlainText(instruction)
    await press(approvals.editor, "Regenerate")
    await press(approvals.card, f"{number}  {instruction}"[:12])
