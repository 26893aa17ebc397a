"""What is left to the operator beside the drafts, on real parts: a typed text whose draft is gone, an observed one."""

from __future__ import annotations

from pathlib import Path

import pytest

from chimein_gui import ui_driver as hand
from chimein_gui.directories import Directories
from chimein_gui.domain.chats import TrustLevel
from chimein_gui.domain.settings.preferences import Preferences
from chimein_gui.program import SANDBOX, Program, live
from chimein_gui.resource_files import resource_path
from chimein_gui.sandbox.seeds import people
from chimein_gui.tour.driver import Panes, mailbox, panes_of, press

pytestmark = pytest.mark.qt_loop

QUICK = Preferences(debounce_s=0.05, undo_s=0, typing_base_s=0, typing_s_per_60=0)
MINE = "My own words about the bridge."


async def open_marta(program: Program) -> Panes:
    panes = panes_of(program)
    await hand.until("Nora Vale online", lambda: hand.row_with(panes.agents.list, "Nora Vale, Online"))
    tree = panes.chats.tree
    tree.setCurrentIndex(await hand.until("the chat", lambda: hand.row_with(tree, "Marta Oliveira")))
    return panes


async def speak(panes: Panes, words: str) -> None:
    composer = await hand.until("the partner's composer", lambda: hand.field(panes.chats, "Write as Marta"))
    composer.setPlainText(words)
    await press(panes.chats, "Send as Marta")


async def test_a_typed_text_outlives_its_draft_and_goes_in_place_of_the_next_one(tmp_path: Path) -> None:
    async def journey(program: Program) -> int:
        panes = await open_marta(program)
        approvals = panes.approvals
        before = await mailbox(program)
        await speak(panes, "Is the bridge open again?")
        await hand.until("the draft", lambda: hand.row_with(approvals.list, "Waits for you"))
        await press(approvals, "Edit")
        editor = await hand.until("the editor", lambda: hand.field(approvals, "Your text"))
        editor.setPlainText(MINE)
        await hand.until("it on the card", lambda: hand.row_with(approvals.list, MINE))
        await speak(panes, "And what about the path along the river?")
        await hand.until("the kept text", lambda: hand.button(panes.chats, "Approve my text"))
        assert await mailbox(program) == before
        await press(panes.chats, "Approve my text")
        await hand.until("it in the transcript", lambda: hand.row_with(panes.chats.transcript, MINE))
        await hand.until("no saved edit", lambda: hand.button(panes.chats, "Approve my text") is None)
        assert await mailbox(program) == [*before, MINE]
        return 0

    directories = Directories((resource_path("samples"),), tmp_path / "state")
    assert await live(SANDBOX, directories, journey, QUICK) == 0


async def test_what_was_observed_is_sent_when_it_is_asked_for_and_approved(tmp_path: Path) -> None:
    async def journey(program: Program) -> int:
        panes = await open_marta(program)
        before = await mailbox(program)
        # Not by her name alone: she writes with others too, and whose chats are known first is anybody's guess.
        chats = (await program.running.engine.queries.chats()).rows
        ours = (people.MARTA, people.NORA)
        chat = next(chat for chat in chats if (chat.info.peer_id, chat.info.account_id) == ours)
        await program.running.engine.chat_settings.set_trust(chat.chat_id, TrustLevel.OBSERVE)
        await speak(panes, "Do you like rain?")
        await press(panes.chats, "Send this one")
        await hand.until("the card", lambda: hand.row_with(panes.approvals.list, "Waits for you"))
        await hand.until("no way to ask twice", lambda: hand.button(panes.chats, "Send this one") is None)
        assert await mailbox(program) == before
        await press(panes.approvals, "Approve")
        await hand.until("it as sent", lambda: hand.row_with(panes.approvals.list, "Sent"))
        assert len(await mailbox(program)) == len(before) + 1
        return 0

    directories = Directories((resource_path("samples"),), tmp_path / "state")
    assert await live(SANDBOX, directories, journey, QUICK) == 0
