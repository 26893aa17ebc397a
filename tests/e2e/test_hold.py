"""Hold everything and takeover on real parts: by the window's own switches, with the server's mailbox as witness."""

from __future__ import annotations

from pathlib import Path

import pytest

from chimein_gui import ui_driver as hand
from chimein_gui.directories import Directories
from chimein_gui.domain.settings.preferences import Preferences
from chimein_gui.program import SANDBOX, Program, live
from chimein_gui.resource_files import resource_path
from chimein_gui.tour.driver import mailbox, panes_of, press
from chimein_gui.ui.dialogs.backlog.dialog import BacklogDialog

pytestmark = pytest.mark.qt_loop

QUICK = Preferences(debounce_s=0.05, undo_s=0, typing_base_s=0, typing_s_per_60=0)


def dialog_of(program: Program) -> BacklogDialog | None:
    return next((found for found in program.window.findChildren(BacklogDialog) if found.isVisible()), None)


async def test_what_was_approved_under_hold_leaves_after_the_release_and_one_more_press(tmp_path: Path) -> None:
    async def journey(program: Program) -> int:
        agents, chats, approvals, _ = panes_of(program)
        window = program.window
        await hand.until("Nora Vale online", lambda: hand.row_with(agents.list, "Nora Vale, Online"))
        chats.tree.setCurrentIndex(await hand.until("the chat", lambda: hand.row_with(chats.tree, "Marta Oliveira")))
        composer = await hand.until("the partner's composer", lambda: hand.field(chats, "Speak as Marta"))
        composer.setPlainText("Is the bridge open again?")
        await press(chats, "Send as Marta")
        await hand.until("the draft", lambda: hand.row_with(approvals.list, "Waits for you"))
        before = await mailbox(program)
        window.action("hold").trigger()
        await hand.until("the hold", lambda: hand.button(window, "Everything held"))
        await press(approvals, "Approve")
        await hand.until("its fate", lambda: hand.row_with(approvals.list, "Approved, held"))
        window.action("hold").trigger()
        dialog = await hand.until("the backlog", lambda: dialog_of(program))
        assert await mailbox(program) == before
        dialog.accounts[0].send.click()
        await hand.until("it as sent", lambda: hand.row_with(approvals.list, "Sent"))
        assert len(await mailbox(program)) == len(before) + 1
        await hand.until("the end of the backlog", lambda: dialog_of(program) is None)
        chat = (await program.running.engine.queries.chats()).rows[0]
        await program.running.engine.composer.write(chat.chat_id, "It's me, Nora's friend", client_id="a press")
        await press(chats, "Resume")
        await hand.until("the end of the pause", lambda: hand.button(chats, "Resume") is None)
        await hand.until("his message", lambda: hand.row_with(chats.transcript, "Nora's friend"))
        assert (await mailbox(program))[-1] == "It's me, Nora's friend"
        return 0

    directories = Directories((resource_path("samples"),), tmp_path / "state")
    assert await live(SANDBOX, directories, journey, QUICK) == 0
