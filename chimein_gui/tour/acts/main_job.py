"""The main job: a message comes in, a plan is made, the draft is edited and approved, and arrives exactly once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chimein_gui import ui_driver as hand
from chimein_gui.tour.driver import Panes, edit, expect, looks, mailbox, panes_of, press, reject

if TYPE_CHECKING:
    from chimein_gui.program import Program
    from chimein_gui.tour.report import Tour

FIRST_WORDS = "haha yes, and now my knees hate me. Is the Mata da Albergaria bridge open again? 🌉"
EDITED = "It opened again on 2 November, but only on foot: cars stay at Portela do Homem. Start before eight 😄"
SECOND_WORDS = "perfect! Can I bring my brother?"


async def play_main_job(tour: Tour, program: Program) -> None:
    """Do it step by step."""
    panes = panes_of(program)
    approvals = panes.approvals
    await _open(tour, panes)
    async with tour.step("a plan is made and waits"):
        await hand.until("the draft in the approvals", lambda: approvals.list.model().rowCount() == 1)
        expect(approvals.list, "Marta Oliveira")
        assert (await mailbox(program))[-1:] != [EDITED]
    await _photograph(tour, program)
    async with tour.step("the operator edits the draft"):
        editor = await edit(panes)
        editor.setPlainText(EDITED)
        for dark in (False, True):
            program.window.set_dark(dark)
            tour.picture(approvals, f"approvals-edit-{'dark' if dark else 'light'}")
        program.window.set_dark(False)
    async with tour.step("the operator approves the edited text"):
        await press(approvals, "Approve edited text")
        await hand.until("the sent message in the transcript", lambda: hand.row_with(panes.chats.transcript, "Portela"))
    async with tour.step("the partner has received exactly that text, once"):
        tour.mailbox = await mailbox(program)
        assert tour.mailbox.count(EDITED) == 1, tour.mailbox
        assert tour.mailbox[-1] == EDITED, tour.mailbox
    async with tour.step("a rejected draft sends nothing"):
        await _speak(panes, SECOND_WORDS)
        index = await hand.until("the second draft", lambda: hand.row_with(approvals.list, "Waits for you"))
        approvals.list.setCurrentIndex(index)  # the sent one stays in sight for a while
        await reject(panes)
        await hand.until("nothing that waits", lambda: hand.button(approvals, "Approve") is None)
        assert await mailbox(program) == tour.mailbox
        tour.picture(program.window, "window-after-light")


async def _open(tour: Tour, panes: Panes) -> None:
    chats = panes.chats
    async with tour.step("the account comes online"):
        await hand.until("Nora Vale online", lambda: hand.row_with(panes.agents.list, "Nora Vale, Online"))
    async with tour.step("the conversation opens"):
        index = await hand.until("the chat with Marta", lambda: hand.row_with(chats.tree, "Marta Oliveira"))
        chats.tree.setCurrentIndex(index)
        await hand.until("the history", lambda: hand.row_with(chats.transcript, "plums"))
    async with tour.step("the partner writes"):
        await _speak(panes, FIRST_WORDS)
        await hand.until("the message in the transcript", lambda: hand.row_with(chats.transcript, "Albergaria"))


async def _photograph(tour: Tour, program: Program) -> None:
    """One picture of each pane and of the window, in both colour schemes and on a small screen."""
    agents, chats, approvals, _ = panes_of(program)
    window = program.window
    async with tour.step("pictures of every pane"):
        for look in looks(tour, program, always=True):
            window.show_pane("agents")
            expect(agents.list, "Nora Vale")
            tour.picture(agents, f"agents-{look}")
            window.show_pane("approvals")
            expect(approvals.list, "Marta Oliveira")
            tour.picture(approvals, f"approvals-{look}")
            expect(chats.tree, "Marta Oliveira")
            expect(chats.transcript, "Albergaria")
            tour.picture(chats, f"conversations-{look}")
            tour.picture(window, f"window-{look}")


async def _speak(panes: Panes, words: str) -> None:
    composer = await hand.until("the partner's composer", lambda: hand.field(panes.chats, "Write as Marta"))
    composer.setPlainText(words)
    send = await hand.until("the partner's send button", lambda: hand.button(panes.chats, "Send as Marta"))
    send.click()
