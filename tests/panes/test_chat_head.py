"""The head of the open chat: trust, takeover, hold, hidden steps; and what of it is unread to the operator."""

from dataclasses import replace
from datetime import timedelta

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QApplication, QMenu

from chimein_gui.domain.holds import Hold, HoldScope
from chimein_gui.domain.ids import MessageId
from chimein_gui.ui.panes.conversations.header.header import NAME_GAP, NAME_LEFT
from chimein_gui.ui.widgets.controls.action_button import ActionButton
from chimein_gui.ui.widgets.theme.theme import Face
from tests.fakes.engine_api import BIG, NOON, chat, message


@pytest.fixture
def head(desktop):
    desktop.open_chat()
    return desktop.conversations.header


def test_buttons_lose_their_words_before_the_name_is_cut(head, desktop):
    name = head._theme.metrics(Face.TITLE).horizontalAdvance("Marta Oliveira")
    seen = set()
    for width in range(440, 640, 7):
        head.setFixedWidth(width)
        desktop.settle()
        seen.add((bool(head.trust.text()), bool(head.take_over.text())))
        assert head.trust.x() - NAME_LEFT - 2 * NAME_GAP >= name
    assert seen == {(False, False), (True, False), (True, True)}


def test_who_takes_over_writes_at_once_and_has_one_way_back(sandbox, qtbot):
    sandbox.open_chat()
    pane, window = sandbox.conversations, sandbox.window
    qtbot.mouseClick(pane.header.take_over, Qt.MouseButton.LeftButton)
    sandbox.settle()
    assert sandbox.api.chats[1].takeover_until == NOON + timedelta(minutes=30)
    assert pane.writer.agent.editor.field.hasFocus()  # as Nora, though it was the partner who spoke before
    assert [one.text() for one in window.findChildren(ActionButton) if one.isVisible() and "Resume" in one.text()] == [
        "Resume"
    ]
    sandbox.time += timedelta(minutes=1)
    sandbox.models.clock.ticked.emit()
    assert "29:00 left" in pane.takeover.accessibleName()
    pane.takeover.button.setFocus()
    qtbot.keyClick(pane.takeover.button, Qt.Key.Key_Space)
    sandbox.settle()
    assert sandbox.api.chats[1].takeover_until is None
    assert (pane.takeover.isVisible(), pane.header.take_over.isVisible()) == (False, True)
    assert pane.transcript.hasFocus()


def test_a_takeover_that_began_elsewhere_leaves_the_focus_and_ends_by_itself(desktop, head):
    desktop.conversations.tree.setFocus()
    desktop.put_chat(replace(desktop.api.chats[1], takeover_until=NOON + timedelta(seconds=5)))
    assert not head.take_over.isVisible()
    assert desktop.conversations.tree.hasFocus()
    desktop.time += timedelta(seconds=5)
    desktop.models.clock.ticked.emit()
    assert head.take_over.isVisible()


def test_a_hold_of_the_chat_or_its_account_is_said_and_let_go(desktop, head):
    bar = desktop.conversations.held
    assert not bar.isVisible()
    desktop.api.holds.put(Hold(HoldScope.ALL, 0, "", NOON))
    desktop.settle()
    assert not bar.isVisible()  # the window says that
    desktop.api.holds.put(Hold(HoldScope.CHAT, 1, "wait for the lawyer", NOON))
    desktop.settle()
    assert bar.accessibleName() == "You hold this chat: nothing is sent, planning continues (wait for the lawyer)"
    assert head.trust.text() == "Held"
    bar.button.click()
    desktop.settle()
    assert desktop.api.holds.holds == ()
    assert not bar.isVisible()
    desktop.api.holds.put(Hold(HoldScope.ACCOUNT, BIG + 1, "", NOON))
    desktop.settle()
    assert "Nora Vale" in bar.accessibleName()


def test_the_switch_shows_and_hides_what_plans_did(desktop, head, qtbot):
    told = list[bool]()
    desktop.models.transcript.set_steps_shown(False)
    head.steps_toggled.connect(told.append)
    qtbot.mouseClick(head.steps, Qt.MouseButton.LeftButton)
    assert told == [True]
    assert head.steps.isChecked()


@pytest.mark.usefixtures("popped")
def test_the_more_button_opens_the_menu_of_the_chat(desktop, head):
    head.more.click()
    menus = [menu for menu in head.findChildren(QMenu) if menu.parent() is head]
    assert "Hold this chat" in [action.text() for action in menus[0].actions()]
    menus[0].close()


@pytest.fixture
def reader(desktop, qtbot):
    """A desktop with a chat open at its foot, in a window that is in use."""
    desktop.api.chats[2] = chat(2, "Tiago Reis", unread=3)
    desktop.api.put_chat(desktop.api.chats[2])
    desktop.open_chat()
    desktop.window.activateWindow()
    qtbot.waitUntil(desktop.window.isActiveWindow)
    desktop.settle()
    return desktop


def write(desktop, number, unread):
    """Let the partner write; the account has not read it."""
    desktop.api.put_message(1, message(number, f"number {number}"))
    known = desktop.api.chats[1]
    desktop.put_chat(replace(known, unread=unread, newest_in_id=MessageId(number), last_at=NOON))
    QApplication.processEvents()  # the list scrolls to what is new


def unread_of(desktop, number=1):
    return desktop.models.chats.chat(number).unread


def test_what_one_reads_at_the_foot_does_not_become_unread(reader):
    for number in range(4, 9):
        write(reader, number, number - 3)
    assert unread_of(reader) == 0
    assert reader.models.chats.totals()[2] == 3
    assert "unread" not in reader.models.chats.index_of_chat(1).data()


def test_what_comes_while_the_window_is_not_in_use_is_unread_until_one_is_back(reader, monkeypatch):
    write(reader, 4, 1)
    view = reader.conversations.transcript
    monkeypatch.setattr(type(view), "isActiveWindow", lambda _view: False)
    QApplication.sendEvent(view, QEvent(QEvent.Type.ActivationChange))
    write(reader, 5, 2)
    write(reader, 6, 3)
    assert unread_of(reader) == 2
    monkeypatch.undo()
    QApplication.sendEvent(view, QEvent(QEvent.Type.ActivationChange))
    reader.settle()
    assert unread_of(reader) == 0


def test_what_comes_while_one_reads_above_is_unread_until_one_is_at_the_foot(reader):
    for number in range(4, 60):
        write(reader, number, number - 3)
    view = reader.conversations.transcript
    view.verticalScrollBar().setValue(view.verticalScrollBar().maximum() - 400)
    write(reader, 60, 57)
    assert unread_of(reader) == 1
    view.go_to_foot()
    reader.settle()
    assert unread_of(reader) == 0


def test_what_was_read_stays_read_when_another_chat_is_opened(reader):
    write(reader, 4, 1)
    reader.open_chat(2)
    write(reader, 5, 2)
    assert unread_of(reader) == 1
    assert unread_of(reader, 2) == 0
    reader.open_chat(1)
    rows = reader.models.transcript.rows
    row = next(row for row in range(rows.rowCount()) if rows.row_at(row).unread)
    assert rows.row_at(row).message.key.message_id == 5


def test_what_the_account_reads_elsewhere_counts_as_before(reader):
    write(reader, 4, 1)
    reader.open_chat(2)
    reader.put_chat(replace(reader.api.chats[1], unread=0, read_up_to=MessageId(4)))
    assert unread_of(reader) == 0
    write(reader, 5, 1)
    assert unread_of(reader) == 1
