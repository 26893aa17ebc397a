"""What hands do in a transcript: open, fetch, copy, search; by mouse, keys and menu."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt, QUrl
from PySide6.QtGui import QAccessible, QContextMenuEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from chimein_gui.domain.chats import ChatSettings, TrustLevel
from chimein_gui.domain.errors import MediaTrouble
from chimein_gui.domain.ids import ChatId, MessageId
from chimein_gui.domain.messages import Media, TextEntity
from chimein_gui.domain.plans.decision_log import DecisionKind
from chimein_gui.domain.plans.hidden_steps import HiddenKind, HiddenStep
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.ui.dialogs.message_details import MessageDetails
from chimein_gui.ui.dialogs.picture_viewer import PictureViewer
from chimein_gui.ui.dialogs.question import QuestionDialog
from chimein_gui.ui.messages.parts import HitKind
from chimein_gui.ui.panes.conversations.transcript.menu import open_details
from chimein_gui.ui.requests import ReplyTo, ShowMessage
from chimein_gui.viewmodels.transcript.rows import StepRow
from tests.fakes.api_history import decided
from tests.fakes.engine_api import NOON, message
from tests.support.on_screen import entries
from tests.support.transcript_room import ENTITIES, LINKS, click, many, opened, picture, shown

Key = Qt.Key


@pytest.mark.qt_log_ignore("plugin does not support")  # a menu or dialog is a window of its own
def test_a_photo_is_painted_once_it_is_there_and_opens_in_the_viewer(bare, tmp_path, qtbot):
    photo = message(1, "the lagoon", media_kind="photo", media=Media(7, width=80, height=60))
    bare.api.media_files.put(photo.key, picture(tmp_path / "7.png"))
    view = opened(bare, [photo])
    bubble, place = view._delegate.place_of(
        QRectF(view.visualRect(view.model().index(0, 0))), 0, view.model().row_at(0)
    )
    middle = (place + bubble.parts[0][1].center()).toPoint()

    def colour():
        shown(bare)
        return view.viewport().grab().toImage().pixelColor(middle).name()

    qtbot.waitUntil(lambda: colour() == "#ff3366")
    assert view.is_complete
    click(view, HitKind.MEDIA)
    viewer = view.findChild(PictureViewer)
    assert viewer.accessibleName() == "Photo from Marta Oliveira: the lagoon"
    qtbot.waitUntil(lambda: viewer.grab().toImage().pixelColor(viewer.rect().center()).name() == "#ff3366")
    captioned = viewer.grab().toImage()
    viewer._others = [replace(photo, text="")]
    qtbot.waitUntil(lambda: viewer.grab().toImage().pixelColor(viewer.rect().center()).name() == "#ff3366")
    plain, middle = viewer.grab().toImage(), viewer.width() // 2
    caption = [
        (x, y)
        for x in range(viewer.width())
        for y in range(viewer.height())
        if captioned.pixel(x, y) != plain.pixel(x, y) and captioned.pixelColor(x, y).lightness() > 150
    ]
    assert min(y for _, y in caption) > viewer.height() // 2, "the caption stands at the foot"
    assert min(x for x, _ in caption) < middle < max(x for x, _ in caption)
    QTest.keyClick(viewer, Key.Key_Escape)
    assert not viewer.isVisible()


@pytest.mark.qt_log_ignore("plugin does not support")  # a menu or dialog is a window of its own
def test_other_files_are_fetched_and_handed_over_only_after_a_question(bare, browser, tmp_path):
    path = tmp_path / "9"
    path.write_bytes(b"%PDF-")
    paper = message(1, "", media_kind="document", media=Media(9, "application/pdf", 1_250_000, file_name="map.pdf"))
    bare.api.media_files.put(paper.key, path)
    view = opened(bare, [paper])
    assert "map.pdf 1.2 MB" in view.model().index(0, 0).data()
    click(view, HitKind.MEDIA)
    shown(bare)
    question = view.findChild(QuestionDialog)
    assert question.windowTitle() == "Open with another program?"
    assert browser.opened == []
    question.action.click()
    assert browser.opened == [QUrl.fromLocalFile(str(path)).toString()]


@pytest.mark.qt_log_ignore("plugin does not support")  # a menu or dialog is a window of its own
def test_what_could_run_is_not_handed_over(bare, browser, tmp_path):
    trap = message(1, "", media_kind="document", media=Media(9, "application/pdf", 5, file_name="map.pdf.EXE"))
    bare.api.media_files.put(trap.key, tmp_path / "9")
    view = opened(bare, [trap])
    click(view, HitKind.MEDIA)
    shown(bare)
    question = view.findChild(QuestionDialog)
    assert question.windowTitle() == "This file is not opened"
    assert not question.action.isVisible()
    question.reject()
    assert browser.opened == []


def test_a_file_that_cannot_be_had_says_so(bare):
    paper = message(1, "", media_kind="document", media=Media(9, file_name="map.pdf"))
    bare.api.media_files.fail(paper.key, MediaTrouble.OFFLINE)
    view = opened(bare, [paper])
    click(view, HitKind.MEDIA)
    shown(bare)
    assert bare.models.toasts.current.text.startswith("The file cannot be opened")


def test_keys_go_from_message_to_message_open_and_copy(bare, qtbot):
    view = opened(bare, [message(1, "one"), message(2, "two", out=True), message(3, "three", reply_to_id=1)])
    view.setFocus()
    bare.press(view, Key.Key_End)
    assert view.currentIndex().row() == 2
    bare.press(view, Key.Key_Return)
    assert view.currentIndex().row() == 0
    QTest.keyClick(view, Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClick(view, Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "one\ntwo"


def menu_of(view, number=0):
    view.setCurrentIndex(view.model().index(number, 0))
    place = view.viewport().mapToGlobal(view.visualRect(view.currentIndex()).center())
    event = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, QPoint(0, 0), place)
    QApplication.sendEvent(view, event)
    menu = view.findChild(QMenu)
    return menu, entries(menu)


@pytest.mark.qt_log_ignore("plugin does not support")  # a menu or dialog is a window of its own
def test_the_menu_offers_what_can_be_done_with_a_message(bare, browser):
    view = opened(bare, [message(1, "first"), message(2, LINKS, entities=ENTITIES, reply_to_id=1, out=True)])
    heard = list[object]()
    bare.window.requests.on(object, heard.append)
    menu, offered = menu_of(view, 1)
    assert "Open https://example.org" in offered
    assert not any("javascript" in text for text in offered)
    offered["Copy link https://elsewhere.example/path"].trigger()
    assert QGuiApplication.clipboard().text() == "https://elsewhere.example/path"
    offered["Reply…"].trigger()
    assert [one.message.key.message_id for one in heard if isinstance(one, ReplyTo)] == [2]
    offered["Go to the original message"].trigger()
    assert view.currentIndex().row() == 0
    offered["Read, with details…"].trigger()
    details = view.findChild(MessageDetails)
    assert details.windowTitle() == "Message details"
    details.close()
    menu.close()
    assert browser.opened == []


@pytest.mark.qt_log_ignore("plugin does not support")  # a menu or dialog is a window of its own
def test_a_message_is_read_by_word_and_its_links_by_tab(bare, browser):
    view = opened(bare, [message(1, "first"), message(2, LINKS, entities=ENTITIES)])
    said = Qt.ItemDataRole.AccessibleDescriptionRole
    assert [view.model().index(row, 0).data(said) for row in (0, 1)] == ["", "Alt and Return: read word by word"]
    view.setFocus()
    bare.press(view, Key.Key_End)
    QTest.keyClick(view, Key.Key_Return, Qt.KeyboardModifier.AltModifier)
    details = view.findChild(MessageDetails)
    text = details.text
    assert details.focusWidget() is text
    assert (text.isReadOnly(), text.accessibleName()) == (True, "Message")
    links = Qt.TextInteractionFlag.LinksAccessibleByKeyboard | Qt.TextInteractionFlag.TextSelectableByKeyboard
    assert text.textInteractionFlags() & links == links
    read = QAccessible.queryAccessibleInterface(text).textInterface()
    whole = read.text(0, read.characterCount())
    assert LINKS.splitlines()[0].split()[0] in whole
    QTest.keyClick(text, Key.Key_Right, Qt.KeyboardModifier.ControlModifier)
    assert 0 < read.cursorPosition() < len(whole)
    QTest.keyClick(text, Key.Key_Tab)
    QTest.keyClick(text, Key.Key_Return)
    [first] = browser.opened
    assert first.startswith("https://")
    QTest.keyClick(text, Key.Key_Escape)
    assert not details.isVisible()
    assert view.currentIndex().row() == 1


@pytest.mark.qt_log_ignore("plugin does not support")  # a menu or dialog is a window of its own
def test_a_message_that_is_read_by_word_is_no_markup_and_keeps_its_secrets(bare):
    secret = TextEntity("spoiler", 0, 6)
    view = opened(bare, [message(1, "secret <img src=x> & more", entities=(secret,))])
    open_details(view._context, view.model().row_at(0), view)
    text = view.findChild(MessageDetails).text
    assert text.toPlainText() == "(hidden) <img src=x> & more"


@pytest.mark.qt_log_ignore("plugin does not support")  # a menu or dialog is a window of its own
def test_the_rule_that_sent_a_message_is_named_there_and_can_be_revoked(bare):
    bare.api.decided = [decided(1, DecisionKind.BY_RULE, message_id=MessageId(2))]
    bare.api.put_chat(replace(bare.api.chats[1], settings=ChatSettings(TrustLevel.AUTO), trust=TrustLevel.AUTO))
    view = opened(bare, [message(1, "first"), message(2, "sent", out=True)])
    ours = view.visualRect(view.model().index(1, 0)).center()
    assert view._sender_tip(ours) == ""
    bare.settle()
    assert view._sender_tip(ours) == "Sent by rule Auto"
    _menu, offered = menu_of(view, 1)
    offered["Read, with details…"].trigger()
    details = view.findChild(MessageDetails)
    assert bare.sees("Rule: trust level Auto", details)
    assert bare.sees("Auto is active in this chat.", details)
    details.revoke.click()
    question = bare.window.findChild(QuestionDialog)
    question.action.click()
    bare.settle()
    assert bare.api.chats[1].settings.trust is not TrustLevel.AUTO
    assert bare.models.toasts.current.text == "Rule revoked"
    bare.models.toasts.act()
    bare.settle()
    assert bare.api.chats[1].settings == ChatSettings(TrustLevel.AUTO)


@pytest.mark.qt_log_ignore("plugin does not support")  # a menu or dialog is a window of its own
def test_what_a_partner_ordered_is_taken_back_below_its_message(bare):
    done = HiddenStep(None, None, HiddenKind.REMEMBERED, TaskStatus.DONE, "no nuts", NOON, MessageId(1))
    undone = replace(done, status=TaskStatus.CANCELLED, after_message_id=MessageId(2))
    bare.api.transcripts.hidden[ChatId(1)] = (done, undone)
    view = opened(bare, [message(1, "remember that I eat no nuts"), message(2, "hello")])
    bare.models.transcript.set_steps_shown(True)
    bare.settle()
    first, second = (
        n for n in range(view.model().rowCount()) if isinstance(bare.models.transcript.rows.row_at(n), StepRow)
    )
    menu, offered = menu_of(view, second)
    assert "Take back the memory" not in offered
    menu.close()
    bare.settle()
    orders, told = bare.api.memories, list[str]()
    view._actions._orders.ended.connect(told.append)
    for change, words in (
        (lambda: None, "Taken back: it is no longer remembered"),
        (lambda: setattr(orders, "is_changed", True), "Its entry was changed meanwhile. Delete it in the Memory pane."),
        (lambda: setattr(orders, "error", OSError(28, "No space left")), "It cannot be taken back: No space left"),
    ):
        change()
        view.setCurrentIndex(view.model().index(first, 0))
        view._actions.undo_order(bare.models.transcript.rows.row_at(first))
        bare.settle()
        assert told[-1].startswith(words)
    assert orders.undone == [1]
    assert bare.models.toasts.current.text == told[0]
    _menu, offered = menu_of(view, first)
    assert "Take back the memory" in offered


def test_search_finds_what_is_not_in_the_window_marks_it_and_ends(bare, qtbot):
    lines = many(600)
    lines[9] = message(10, "the Lagoon at seven")
    lines[299] = message(300, "a lagoon again")
    view = opened(bare, lines)
    pane, bar = bare.conversations, bare.conversations.search_bar
    view.setFocus()
    QTest.keyClick(view, Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert bar.isVisible()
    assert bar.field.hasFocus()
    QTest.keyClicks(bar.field, "lagoon")
    QTest.keyClick(bar.field, Key.Key_Return)
    shown(bare)
    assert bar.count.text() == "1 of 2"
    assert view.currentIndex().data().startswith("Marta Oliveira: a lagoon again")
    assert view._delegate.words == ("lagoon",)
    QTest.keyClick(bar.field, Key.Key_Return)
    shown(bare)
    assert bar.count.text() == "2 of 2"
    assert view.currentIndex().data().startswith("Marta Oliveira: the Lagoon at seven")
    QTest.keyClick(bar.field, Key.Key_Down)
    shown(bare)
    assert bar.count.text() == "1 of 2"
    bar.field.setText("zebra")
    bar._ask()
    shown(bare)
    assert bar.count.text() == "Nothing found"
    assert not bar.older.isEnabled()
    QTest.keyClick(bar.field, Key.Key_Escape)
    assert not bar.isVisible()
    assert view.hasFocus()
    assert view._delegate.words == ()
    assert pane.transcript is view


def test_search_goes_on_where_the_first_hits_end(bare):
    view = opened(bare, many(130))
    search = bare.of_chats.search
    search.look_for("message")
    shown(bare)
    assert search.position == (1, 50, True)
    for _ in range(129):
        search.go_older()
        shown(bare)
    assert search.position[:2] == (130, 130)
    search.go_older()
    shown(bare)
    assert search.position == (130, 130, False)
    assert view.currentIndex().data().startswith("Marta Oliveira: message 1,")
    bare.api.chats[2] = replace(bare.api.chats[1], chat_id=2)
    bare.api.put_chat(bare.api.chats[2])
    bare.open_chat(2)
    assert search.text == ""


def test_a_message_may_be_opened_from_elsewhere_before_its_chat_is(bare):
    bare.api.approvals.clear()
    bare.api.messages[1] = {one.key.message_id: one for one in many(500)}
    bare.attach()
    view = bare.conversations.transcript
    bare.window.requests.send(ShowMessage(ChatId(1), MessageId(40)))
    shown(bare)
    assert view.currentIndex().data().startswith("Marta Oliveira: message 40,")
    bare.window.requests.send(ShowMessage(ChatId(1), MessageId(480)))
    shown(bare)
    assert view.currentIndex().data().startswith("Marta Oliveira: message 480,")


@pytest.mark.qt_log_ignore("plugin does not support")  # a menu or dialog is a window of its own
def test_the_viewer_goes_through_the_chat_zooms_and_moves(bare, tmp_path, qtbot):
    photos = [
        message(n, f"number {n}", media_kind="photo", media=Media(6 + n, width=800, height=600)) for n in (1, 2, 3)
    ]
    for photo in photos:
        bare.api.media_files.put(photo.key, picture(tmp_path / f"{photo.key.message_id}.png"))
    view = opened(bare, photos)
    view.open_media(photos[1])
    viewer = view.findChild(PictureViewer)
    assert viewer.accessibleName().endswith("2 of 3: number 2")
    QTest.keyClick(viewer, Key.Key_Left)
    QTest.keyClick(viewer, Key.Key_Left)
    assert viewer.message == photos[0]
    assert not viewer.back.isEnabled()
    viewer.ahead.click()
    assert viewer.message == photos[1]
    fitting = viewer.scale
    QTest.keyClick(viewer, Key.Key_Plus)
    assert viewer.scale == pytest.approx(fitting * 1.25)
    viewer.zoom_to(4.0)
    before = QPointF(viewer._shift)
    QTest.mousePress(viewer, Qt.MouseButton.LeftButton, pos=viewer.rect().center())
    QTest.mouseMove(viewer, viewer.rect().center() + QPoint(40, 30))
    QTest.mouseRelease(viewer, Qt.MouseButton.LeftButton, pos=viewer.rect().center() + QPoint(40, 30))
    assert viewer.isVisible()
    assert viewer._shift - before == QPointF(40, 30)
    viewer.whole.click()
    assert viewer.scale == 1.0
    QTest.keyClick(viewer, Key.Key_0)
    assert viewer.scale == fitting
    qtbot.waitUntil(lambda: viewer.grab() is not None and viewer.is_complete)
    viewer.save.click()
    view._actions._media._spawn = lambda job, name: asyncio.run(job)
    viewer.chooser.fileSelected.emit(str(tmp_path / "kept.png"))
    shown(bare)
    assert (tmp_path / "kept.png").read_bytes() == (tmp_path / "2.png").read_bytes()
    assert bare.sees("Saved as")
    viewer.chooser.close()
    QTest.keyClick(viewer, Key.Key_Escape)
    assert not viewer.isVisible()
