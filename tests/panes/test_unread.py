"""What is unread to the operator: not what he has before his eyes."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication

from chimein_gui.domain.ids import MessageId
from tests.fakes.console import NOON, chat, message


@pytest.fixture
def reader(desktop, qtbot):
    """A desktop with a chat open at its foot, in a window that is in use."""
    desktop.console.chats[2] = chat(2, "Tiago Reis", unread=3)
    desktop.console.put_chat(desktop.console.chats[2])
    desktop.open_chat()
    desktop.window.activateWindow()
    qtbot.waitUntil(desktop.window.isActiveWindow)
    desktop.settle()
    return desktop


def write(desktop, number, unread):
    """Let the partner write; the account has not read it."""
    desktop.console.put_message(1, message(number, f"number {number}"))
    known = desktop.console.chats[1]
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
    row = next(row for row in range(reader.models.transcript.rowCount()) if reader.models.transcript.row_at(row).unread)
    assert reader.models.transcript.row_at(row).message.key.message_id == 5


def test_what_the_account_reads_elsewhere_counts_as_before(reader):
    write(reader, 4, 1)
    reader.open_chat(2)
    reader.put_chat(replace(reader.console.chats[1], unread=0, read_up_to=MessageId(4)))
    assert unread_of(reader) == 0
    write(reader, 5, 1)
    assert unread_of(reader) == 1
