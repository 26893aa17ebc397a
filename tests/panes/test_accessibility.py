"""What a screen reader gets."""

import pytest
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QAbstractButton, QAbstractItemView, QLineEdit, QPlainTextEdit

from chimein_gui.ui.requests import MaximizePane

pytestmark = pytest.mark.whole_window


@pytest.fixture
def reading(desktop):
    QAccessible.setActive(True)
    desktop.open_chat()
    yield desktop
    QAccessible.setActive(False)


def test_every_control_has_a_name(reading):
    window = reading.window
    for kind in (QAbstractButton, QAbstractItemView, QLineEdit, QPlainTextEdit):
        for widget in window.findChildren(kind):
            if widget.isVisible() and not widget.objectName().startswith("qt_"):
                said = QAccessible.queryAccessibleInterface(widget).text(QAccessible.Text.Name)
                assert said, widget


@pytest.mark.parametrize(
    ("pane", "words"),
    [
        ("approvals", "Nora Vale to Marta Oliveira, Waits for you, First draft"),
        ("agents", "Nora Vale, Online, Idle, +9996600001"),
    ],
)
def test_rows_are_whole_sentences(reading, pane, words):
    reading.window.show_pane(pane)
    view = reading.window.panes[pane].list
    interface = QAccessible.queryAccessibleInterface(view)
    assert interface.childCount() >= 1
    assert view.model().index(0, 0).data(11) == words


def test_messages_are_read_with_author_time_and_ticks(reading):
    model = reading.models.transcript
    assert model.index(0, 0).data(11) == "Nora Vale: you up at five?, 13:30, sent"
    assert model.index(1, 0).data(11) == "Marta Oliveira: haha yes, 14:00, in reply to you up at five?"


def under(interface):
    yield interface
    for number in range(interface.childCount()):
        yield from under(interface.child(number))


def test_where_rows_are_shown_there_are_no_verbs_on_cards(reading):
    reading.window.show_pane("approvals")
    reading.window.requests.send(MaximizePane("approvals"))
    reading.settle()
    whole = QAccessible.queryAccessibleInterface(reading.window)
    assert reading.approvals.list.buttons not in [one.object() for one in under(whole) if not one.state().invisible]
