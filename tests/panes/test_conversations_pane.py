from dataclasses import replace
from datetime import timedelta

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication

from chimein_gui import ui_driver as hand
from chimein_gui.domain.approvals import Approve
from chimein_gui.domain.errors import RefusedError
from chimein_gui.domain.tasks import TaskStatus
from tests.fakes.console import BIG, agent, chat


def test_choosing_a_chat_shows_its_messages_and_drafts(desktop):
    desktop.open_chat()
    pane = desktop.conversations
    assert desktop.models.transcript.rowCount() == 3
    drafts = pane.drafts.bubbles()
    assert [draft._approval.text for draft in drafts] == ["First draft", "Second draft"]
    assert drafts[0].isVisible()
    assert "Planned, not sent, Waits for you, Nora Vale to Marta Oliveira" in drafts[0].accessibleName()
    assert drafts[0].words.row.reply_to.text == "is the bridge open?"
    assert drafts[1].words.row.reply_to is None
    assert drafts[0].words.height() > drafts[1].words.height()
    assert pane.header.accessibleName() == "Marta Oliveira, as Nora Vale, trust Review"


def test_a_draft_is_decided_in_its_place(desktop):
    desktop.open_chat()
    draft = desktop.conversations.drafts.bubbles()[0]
    desktop.click(draft.buttons.by_verb["A"])
    assert [call.decision for call in desktop.console.calls] == [Approve()]
    draft = desktop.conversations.drafts.bubbles()[0]
    assert desktop.sees("Sends in 5 s", draft)
    assert draft.buttons.by_verb["Z"].isVisible()
    desktop.time += timedelta(seconds=3)
    desktop.models.clock.ticked.emit()
    assert desktop.sees("Typing, sends in 2 s", draft)
    desktop.put_approval(replace(desktop.console.approvals[BIG + 1], task_status=TaskStatus.DONE))
    assert len(desktop.conversations.drafts.bubbles()) == 1
    desktop.models.approvals._sweeper.stop()


def test_edit_and_reject_open_in_the_approvals_pane(desktop, qtbot):
    desktop.open_chat()
    second = desktop.conversations.drafts.bubbles()[1]
    desktop.window.show_pane("agents")
    qtbot.mouseClick(second.buttons.by_verb["E"], Qt.MouseButton.LeftButton)
    assert desktop.approvals.desk.isVisible()
    assert desktop.approvals.desk.target.approval_id == BIG + 2
    qtbot.mouseClick(second.buttons.by_verb["R"], Qt.MouseButton.LeftButton)
    assert hand.button(desktop.approvals.desk, "No reason")


def test_live_runs_have_no_partner_to_speak_for(desktop):
    desktop.open_chat()
    assert desktop.conversations.composer is None
    assert desktop.conversations.writer.switch is None
    assert desktop.conversations.writer.agent.isVisible()


def test_in_the_sandbox_the_operator_speaks_as_the_partner(sandbox, qtbot):
    composer = sandbox.conversations.composer
    assert composer.isVisible()  # even before a chat is open: somebody must begin
    sandbox.open_chat()
    qtbot.keyClicks(composer.editor.field, "hello")
    qtbot.keyClick(composer.editor.field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyClicks(composer.editor.field, "there")
    sandbox.strike(composer.editor.field, Qt.Key.Key_Return)
    assert sandbox.sandbox.said == [(BIG + 1001, BIG + 1, "hello\nthere")]
    assert composer.editor.text() == ""


def test_a_conversation_begun_as_a_partner_opens_by_itself(make_desktop, qtbot):
    desktop = make_desktop(is_sandbox=True)
    desktop.console.agents[1] = agent()
    desktop.attach(sandbox=True)
    qtbot.keyClicks(desktop.conversations.composer.editor.field, "hello")
    desktop.click(desktop.conversations.composer.send)
    desktop.put_chat(chat())
    assert desktop.models.transcript.chat.chat_id == 1


def test_what_was_not_delivered_stays_in_the_composer(make_desktop, qtbot):
    desktop = make_desktop(is_sandbox=True)
    desktop.furnish()
    desktop.console.chats[9] = chat(9, "Somebody else")
    desktop.attach(sandbox=True)
    desktop.open_chat()

    async def refuse(*_args):
        raise RefusedError("The sandbox is gone")

    desktop.sandbox.speak = refuse
    composer = desktop.conversations.composer
    qtbot.keyClicks(composer.editor.field, "hello")
    desktop.strike(composer.editor.field, Qt.Key.Key_Return)
    assert composer.editor.text() == "hello"
    assert desktop.window.fault_bar.isVisible()
    desktop.open_chat(9)
    assert not composer.isVisible()
    desktop.open_chat(1)
    assert composer.editor.text() == "hello"


def test_what_is_typed_behind_a_partners_message_does_not_repeat_it(sandbox, qtbot):
    sandbox.open_chat()
    composer = sandbox.conversations.composer
    qtbot.keyClicks(composer.editor.field, "hello")
    partner, peer = composer.target
    qtbot.keyClicks(composer.editor.field, " you")
    sandbox.models.voice.delivered.emit(partner, peer, "hello")
    assert composer.editor.text() == "you"


def test_selected_messages_are_copied(desktop):
    desktop.open_chat()
    view = desktop.conversations.transcript
    view.selectAll()
    view.copy()
    assert QGuiApplication.clipboard().text() == "you up at five?\nhaha yes\nis the bridge open?"


def test_the_empty_states_tell_where_one_stands(make_desktop):
    desktop = make_desktop()
    assert desktop.sees("Starting")
    desktop.attach()
    assert desktop.sees("No agents yet. Write a file.")
    desktop.furnish()
    desktop.put_agent(desktop.console.agents[1])
    assert desktop.sees("No chats yet")
    desktop.put_chat(desktop.console.chats[1])
    assert desktop.sees("Select a chat")


def test_a_chat_may_be_asked_for_before_it_is_known(desktop):
    desktop.conversations.open_chat(5)
    desktop.put_chat(chat(5, "Late"))
    assert desktop.models.transcript.chat.chat_id == 5
