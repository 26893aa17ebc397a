"""The operator writes as the agent, in the real window: identity in sight, nothing lost, every answer in place."""

from dataclasses import replace
from datetime import timedelta

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QImage, QInputMethodEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from chimein_gui.domain.approvals import Approve, RejectPlan
from chimein_gui.domain.events import UploadAdvanced
from chimein_gui.domain.plans.outgoing_files import OutgoingFile
from chimein_gui.domain.plans.stickers import StickerRef
from chimein_gui.domain.tasks import ApprovalState, Origin, TaskKind, TaskStatus
from chimein_gui.ui.dialogs.question import QuestionDialog
from chimein_gui.ui.panes.conversations.composer.attachments import FileRow
from chimein_gui.ui.panes.conversations.composer.send_as_switch import SendAs
from chimein_gui.ui.requests import DeleteSent, EditSent, ReplyTo
from tests.fakes.engine_api import BIG, NOON, agent, approval, chat

Key = Qt.Key
SHIFT = Qt.KeyboardModifier.ShiftModifier
HELD = "Held: you held everything. Press again to keep it until the release."


def plain(text):
    return text.translate({0x2068: None, 0x2069: None})


@pytest.fixture
def writer(desktop):
    desktop.open_chat()
    return desktop.conversations.writer.agent


def test_who_writes_to_whom_is_said_everywhere(desktop, writer):
    assert plain(writer.editor.field.accessibleName()) == "Write as Nora Vale to Marta Oliveira"
    assert plain(writer.send.accessibleName()) == "Send as Nora Vale to Marta Oliveira"
    assert plain(writer.editor.field.placeholderText()) == "Write as Nora Vale\u2003Nora then waits 30 min here"
    assert writer.editor.name == "Nora Vale"
    stripe = writer.grab().toImage().pixelColor(1, writer.height() // 2)
    assert stripe == desktop.window.theme.identity(0)
    desktop.api.agents[2] = agent(2, "Jonas Weidt")
    desktop.api.put_agent(desktop.api.agents[2])
    desktop.put_chat(chat(2, "Elif Kaya", 2))
    desktop.open_chat(2)
    assert plain(writer.send.accessibleName()) == "Send as Jonas Weidt to Elif Kaya"
    assert writer.grab().toImage().pixelColor(1, writer.height() // 2) == desktop.window.theme.identity(1)


def test_enter_sends_and_shift_enter_makes_a_line(desktop, writer, qtbot):
    field = writer.editor.field
    qtbot.keyClicks(field, "Hello")
    qtbot.keyClick(field, Key.Key_Return, SHIFT)
    qtbot.keyClicks(field, "there")
    desktop.strike(field, Key.Key_Return)
    assert [one.text for one in desktop.api.composer.wrote] == ["Hello\nthere"]
    assert writer.editor.text() == ""
    own = [bubble for bubble in desktop.conversations.drafts.bubbles() if "Your message" in bubble.accessibleName()]
    assert len(own) == 1
    assert desktop.conversations.takeover.isVisible()
    assert "waits here until" in writer.editor.field.placeholderText()


def test_the_button_is_off_while_there_is_nothing_to_send_and_while_it_is_on_its_way(bare, qtbot):
    bare.window.attach(bare.api, bare.errands)
    bare.settle()
    bare.open_chat()
    writer = bare.conversations.writer.agent
    qtbot.keyClicks(writer.editor.field, " ")
    bare.strike(writer.editor.field, Key.Key_Return)
    assert not writer.send.isEnabled()
    qtbot.keyClicks(writer.editor.field, "x")
    assert writer.send.isEnabled()
    writer.send.click()
    assert bare.models.composer.draft(1).sending
    assert not writer.send.isEnabled()
    bare.strike(writer.editor.field, Key.Key_Return)
    assert len(bare.api.composer.wrote) == 1


def test_under_hold_it_asks_once_in_place(desktop, writer, qtbot):
    desktop.api.composer.asks = HELD
    qtbot.keyClicks(writer.editor.field, "Hello")
    desktop.strike(writer.editor.field, Key.Key_Return)
    assert writer.note.text() == HELD
    assert writer.note.isVisible()
    assert (writer.send.text(), writer.editor.text()) == ("Press again", "Hello")
    writer.send.click()
    desktop.settle()
    assert [one.confirm for one in desktop.api.composer.wrote] == [False, True]
    assert writer.editor.text() == ""
    assert not writer.note.isVisible()


def test_a_reply_is_chosen_shown_and_taken_back(desktop, writer, qtbot):
    asked = desktop.api.messages[1][3]
    desktop.window.requests.send(ReplyTo(asked))
    assert plain(writer.chip.accessibleName()) == "Reply to Marta Oliveira: is the bridge open?"
    assert writer.chip.isVisible()
    qtbot.keyClick(writer.editor.field, Key.Key_Escape)
    assert not writer.chip.isVisible()
    desktop.window.requests.send(ReplyTo(asked))
    qtbot.keyClicks(writer.editor.field, "Yes")
    desktop.strike(writer.editor.field, Key.Key_Return)
    assert [one.reply_to_id for one in desktop.api.composer.wrote] == [3]
    assert not writer.chip.isVisible()


def test_a_sent_message_gets_another_text(desktop, writer, qtbot):
    qtbot.keyClicks(writer.editor.field, "half a thought")
    desktop.window.requests.send(EditSent(desktop.api.messages[1][1]))
    assert writer.editor.text() == "you up at five?"
    assert writer.send.text() == "Save"
    qtbot.keyClicks(writer.editor.field, " Really?")
    desktop.strike(writer.editor.field, Key.Key_Return)
    assert desktop.api.sent.edited == [(1, 1, "you up at five? Really?")]
    assert writer.editor.text() == "half a thought"
    assert desktop.models.toasts.current.text == "Changed for everyone"
    desktop.models.toasts.detach()


def test_what_is_too_old_is_not_edited(desktop, writer):
    old = replace(desktop.api.messages[1][1], sent_at=NOON - timedelta(hours=48))
    desktop.window.requests.send(EditSent(old))
    assert writer.editor.text() == ""
    assert "48 hours" in desktop.models.toasts.current.text
    desktop.models.toasts.detach()


@pytest.mark.parametrize(("read_up_to", "words"), [(1, "has read it already"), (0, "may have seen it")])
def test_before_a_message_is_deleted_it_is_said_who_has_seen_it(desktop, read_up_to, words):
    desktop.put_chat(replace(desktop.api.chats[1], partner_read_up_to=read_up_to))
    desktop.open_chat()
    desktop.window.requests.send(DeleteSent(desktop.api.messages[1][1]))
    dialog = desktop.window.findChild(QuestionDialog)
    assert words in dialog.accessibleDescription()
    assert desktop.api.sent.deleted == []
    dialog.action.click()
    desktop.settle()
    assert desktop.api.sent.deleted == [(1, 1)]
    assert desktop.models.toasts.current.text == "Deleted for everyone"
    desktop.models.toasts.detach()


# --- in the sandbox ---------------------------------------------------------------------------------------------------


def test_as_whom_one_speaks_is_chosen_and_never_both(sandbox, qtbot):
    sandbox.open_chat()
    area = sandbox.conversations.writer
    names = [plain(segment.accessibleName()) for segment in area.switch.segments.values()]
    assert names == ["as Nora Vale", "as Marta Oliveira (partner)"]
    assert [plain(segment.text()) for segment in area.switch.segments.values()] == ["Nora", "Marta"]
    area.switch.name_sides("Nora Vale", 0, "Nora Reis", group=False)
    assert [plain(segment.text()) for segment in area.switch.segments.values()] == ["Nora Vale", "Nora Reis"]
    assert (area.partner.isVisible(), area.agent.isVisible()) == (True, False)
    qtbot.mouseClick(area.switch.segments[SendAs.AGENT], Qt.MouseButton.LeftButton)
    assert (area.partner.isVisible(), area.agent.isVisible()) == (False, True)
    qtbot.keyClicks(area.agent.editor.field, "as Nora")
    sandbox.strike(area.agent.editor.field, Key.Key_Return)
    assert [one.text for one in sandbox.api.composer.wrote] == ["as Nora"]
    assert sandbox.sandbox.said == []


def test_escape_leads_from_an_empty_field_to_the_draft(sandbox, qtbot):
    sandbox.open_chat()
    area, drafts = sandbox.conversations.writer, sandbox.conversations.drafts
    field = area.partner.editor.field
    assert plain(field.placeholderText()) == "Write as Marta Oliveira\u2003Esc, then A to approve"
    area.go_in()
    qtbot.keyClicks(field, "a")
    qtbot.keyClick(field, Key.Key_Escape)
    assert field.toPlainText() == "a"  # what is typed is for the partner
    assert field.hasFocus()
    qtbot.keyClick(field, Key.Key_Backspace)
    qtbot.keyClick(field, Key.Key_Escape)
    focus = QApplication.focusWidget()
    assert drafts.bubbles()[-1].isAncestorOf(focus)
    sandbox.strike(focus, Key.Key_A)
    assert sandbox.decisions() == [(BIG + 2, Approve())]
    area.send_as(SendAs.AGENT)
    area.go_in()
    qtbot.keyClick(area.agent.editor.field, Key.Key_Escape)
    assert not area.agent.editor.field.hasFocus()
    for number in (1, 2):
        sandbox.put_approval(replace(sandbox.api.approvals[BIG + number], task_status=TaskStatus.DONE))
    assert plain(field.placeholderText()) == "Write as Marta Oliveira"


def test_a_reply_is_written_as_the_agent(sandbox):
    sandbox.open_chat()
    area = sandbox.conversations.writer
    sandbox.window.requests.send(ReplyTo(sandbox.api.messages[1][3]))
    assert area.agent.isVisible()
    assert area.switch.segments[SendAs.AGENT].isChecked()


def test_enter_belongs_to_the_input_method_while_a_word_is_composed(desktop, writer, qtbot):
    field = writer.editor.field
    qtbot.keyClicks(field, "Hello")
    QApplication.sendEvent(field, QInputMethodEvent("ni", []))
    for key in (Key.Key_Return, Key.Key_Escape):
        qtbot.keyClick(field, key)
    desktop.settle()
    assert desktop.api.composer.wrote == []
    composed = QInputMethodEvent()
    composed.setCommitString("你")
    QApplication.sendEvent(field, composed)
    desktop.strike(field, Key.Key_Return)
    assert [one.text for one in desktop.api.composer.wrote] == ["Hello你"]


def test_words_for_one_chat_never_stand_in_the_field_of_another(desktop, writer, qtbot):
    """Not even when nothing is known yet of the agent of that chat."""
    qtbot.keyClicks(writer.editor.field, "for Marta")
    writer.set_chat(chat(2, "Tiago", agent_number=9))
    assert writer.editor.text() == ""
    qtbot.keyClicks(writer.editor.field, "x")
    assert desktop.models.composer.draft(2).text == "x"
    assert desktop.models.composer.draft(1).text == "for Marta"


def picture_at(path, side=40):
    image = QImage(side, side, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.darkGreen)
    assert image.save(str(path))
    return path


def drop(field, mime):
    middle = QPointF(field.viewport().rect().center())
    buttons, none = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(middle.toPoint(), Qt.DropAction.CopyAction, mime, buttons, none)
    QApplication.sendEvent(field.viewport(), enter)
    assert enter.isAccepted()
    QApplication.sendEvent(field.viewport(), QDropEvent(middle, Qt.DropAction.CopyAction, mime, buttons, none))


def test_dropped_files_leave_one_by_one_with_the_text_below_the_first(desktop, writer, tmp_path, qtbot):
    (tmp_path / "notes.txt").write_text("some notes", encoding="utf-8")
    mime = QMimeData()
    paths = [picture_at(tmp_path / "lake.png"), tmp_path / "notes.txt", tmp_path]
    mime.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    drop(writer.editor.field, mime)
    qtbot.waitUntil(lambda: len(writer.attachments.findChildren(FileRow)) == 2)
    photo, file = writer.attachments.findChildren(FileRow)
    assert photo.accessibleName().startswith("lake.png: Photo")
    assert file.accessibleName() == "notes.txt: File · 10 bytes"
    assert "is a folder" in writer.note.accessibleName()
    writer.editor.type_in("The lake")
    writer.send.click()
    desktop.settle()
    qtbot.waitUntil(lambda: len(desktop.api.composer.wrote) == 2)
    first, second = desktop.api.composer.wrote
    assert (first.text, first.attached.file_name, first.attached.as_photo) == ("The lake", "lake.png", True)
    assert (second.text, second.attached.file_name, second.attached.as_photo) == ("", "notes.txt", False)
    qtbot.waitUntil(lambda: not writer.attachments.isVisible())


def test_a_pasted_picture_can_go_as_a_file_or_not_at_all(desktop, writer, qtbot):
    image = QImage(30, 20, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.red)
    mime = QMimeData()
    mime.setImageData(image)
    writer.editor.field.insertFromMimeData(mime)
    qtbot.waitUntil(writer.attachments.isVisible)
    assert writer.send.isEnabled()
    desktop.button("Send as file", writer.attachments).click()
    [attached] = desktop.window.models.composer.draft(1).files
    assert (attached.file.as_photo, attached.file.width, attached.file.height) == (False, 30, 20)
    assert attached.file.source.startswith(b"\x89PNG")
    desktop.press(writer.editor.field, Key.Key_Escape)
    assert desktop.window.models.composer.draft(1).files == ()
    assert not writer.attachments.isVisible()


def test_an_upload_shows_its_progress_and_can_be_cancelled(desktop, writer, qtbot):
    sent = approval(9, origin=Origin.OPERATOR, task_status=TaskStatus.APPROVED, state=ApprovalState.APPROVED)
    file = OutgoingFile("0" * 32, "film.mp4", 10, "video/mp4")
    desktop.put_approval(replace(sent, kind=TaskKind.FILE, file=file))
    desktop.api.publish(UploadAdvanced(sent.approval_id, sent.chat_id, 0.45))
    qtbot.waitUntil(writer.uploading.isVisible)
    [row] = writer.uploading.findChildren(FileRow)
    assert row.accessibleName() == "film.mp4: Uploading, 45 %"
    desktop.button("Cancel", row).click()
    qtbot.waitUntil(lambda: [type(decision) for _, decision in desktop.decisions()] == [RejectPlan])
    desktop.api.publish(UploadAdvanced(sent.approval_id, sent.chat_id, None))
    qtbot.waitUntil(lambda: not writer.uploading.isVisible())


@pytest.mark.qt_log_ignore("plugin does not support")  # a popup is a window of its own
def test_emoji_are_typed_and_stickers_sent_from_one_popup(desktop, writer):
    wave, heart = StickerRef("Otters", "👋", 91, "👋"), StickerRef("Otters", "❤", 92, "❤")
    desktop.api.stickers.known = (wave, heart)
    writer.smile.click()
    picker = writer.picker
    QTest.keyClicks(picker.search, "otter")
    QTest.keyClick(picker.search, Key.Key_Return)
    assert writer.editor.text() == "🦦"
    writer.smile.click()
    assert picker.list.item(0).data(Qt.ItemDataRole.UserRole) == "🦦"  # what was picked last stands first
    desktop.turn(picker.stickers)
    QTest.keyClick(picker.search, Key.Key_Right)
    QTest.keyClick(picker.search, Key.Key_Return)
    desktop.settle()
    [sent] = desktop.api.composer.wrote
    assert (sent.attached, sent.text) == (heart, "")
    assert writer.editor.text() == "🦦"
    assert not picker.isVisible()
