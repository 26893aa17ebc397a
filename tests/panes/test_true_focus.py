"""What a screen reader finds when it looks for the keyboard focus: one place, whatever rows and tabs are current."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QApplication, QLabel, QTabBar

from chimein_gui.ui.widgets.rows.spoken_views import SpokenListView
from tests.e2e.screen_reader import Role, things
from tests.fakes.engine_api import approval

pytestmark = [pytest.mark.whole_window, pytest.mark.qt_log_ignore("plugin does not support")]


@pytest.fixture
def heard(desktop):
    """The window with a list in each of several panes, and a screen reader that has been everywhere."""
    QAccessible.setActive(True)
    for pane_id in ("agents", "approvals"):
        desktop.window.show_pane(pane_id)
        desktop.settle()
    desktop.open_chat()
    for number in (1, 2, 3):
        desktop.api.put_approval(approval(number, f"Draft {number}"))
    desktop.settle()
    focused(desktop)
    desktop.settle()
    yield desktop
    QAccessible.setActive(False)


def focused(desktop):
    """The names of all that says that it has the focus."""
    QApplication.processEvents()  # timers, too
    root = QAccessible.queryAccessibleInterface(desktop.window)
    return [(one.role, one.name) for one in things(root) if one.node.state().focused]


def row_name(view):
    return view.currentIndex().data(Qt.ItemDataRole.AccessibleTextRole)


def test_the_focus_is_in_the_field_alone(heard):
    heard.conversations.writer.field().setFocus()
    heard.settle()
    assert [role for role, _name in focused(heard)] == [Role.EditableText]
    assert heard.conversations.tree.currentIndex().isValid()
    assert heard.approvals.list.currentIndex().isValid()


def test_a_list_that_gets_the_focus_tells_its_current_row(heard):
    cards = heard.approvals.list
    heard.conversations.writer.field().setFocus()
    heard.settle()
    cards.move_by(1)  # as by a single key while the focus is elsewhere
    heard.settle()
    assert [role for role, _name in focused(heard)] == [Role.EditableText]
    cards.setFocus()
    heard.settle()
    assert cards.currentIndex().row() == 1
    assert [role for role, _name in focused(heard)] == [Role.List, Role.ListItem]
    assert focused(heard)[1][1] == row_name(cards)


def test_the_event_of_a_list_is_followed_by_one_of_its_row(heard, monkeypatch):
    told = []

    def note(event):
        if event.type() is QAccessible.Event.Focus:
            told.append(event.accessibleInterface().text(QAccessible.Text.Name))

    heard.conversations.writer.field().setFocus()
    focused(heard)
    monkeypatch.setattr(QAccessible, "updateAccessibility", staticmethod(note))
    heard.approvals.list.setFocus()
    focused(heard)
    assert told == [row_name(heard.approvals.list)]


def test_the_current_row_is_told_once_more_when_another_one_is_gone(qtbot, monkeypatch):
    told = []

    def note(event):
        if event.type() is QAccessible.Event.Focus:
            told.append(event.accessibleInterface().text(QAccessible.Text.Name))

    QAccessible.setActive(True)
    view, model = SpokenListView(), QStandardItemModel()
    qtbot.addWidget(view)
    for number in range(4):
        model.appendRow(QStandardItem(f"row {number}"))
    view.setModel(model)
    view.show()
    view.activateWindow()
    view.setFocus()
    view.setCurrentIndex(model.index(1, 0))
    QApplication.processEvents()
    assert view.hasFocus()
    monkeypatch.setattr(QAccessible, "updateAccessibility", staticmethod(note))
    model.removeRow(0)
    QApplication.processEvents()
    assert told == ["row 1"]
    QAccessible.setActive(False)


def test_a_row_that_is_made_current_once_more_is_given_away_again(heard):
    heard.conversations.writer.field().setFocus()
    heard.settle()
    cards = heard.approvals.list
    cards.setCurrentIndex(cards.currentIndex())
    assert [role for role, _name in focused(heard)] == [Role.EditableText]


def test_a_screen_reader_that_comes_later_finds_one_place(heard):
    """No focus changes between its start and its first look: its first questions settle what is told."""
    heard.conversations.writer.field().setFocus()
    heard.settle()
    QAccessible.setActive(False)
    heard.conversations.tree.setFocus()
    cards = heard.approvals.list
    cards.setCurrentIndex(cards.model().index(1, 0))
    heard.settle()
    QAccessible.setActive(True)
    unknown = QLabel("It is asked what it is")
    QAccessible.queryAccessibleInterface(unknown)
    heard.settle()
    told = focused(heard)
    assert told
    assert (Role.ListItem, row_name(cards)) not in told


def test_nobody_else_notices_that_the_row_was_given_away(qapp):
    QAccessible.setActive(True)
    view, model = SpokenListView(), QStandardItemModel()
    for number in range(4):
        model.appendRow(QStandardItem(f"row {number}"))
    view.setModel(model)
    told = []
    view.selectionModel().currentChanged.connect(lambda now, before: told.append((now.row(), before.row())))
    view.setCurrentIndex(model.index(1, 0))
    row = QAccessible.queryAccessibleInterface(view).child(1)
    qapp.processEvents()
    assert not row.state().focused
    assert view.currentIndex() == model.index(1, 0)
    view.setCurrentIndex(model.index(1, 0))
    view.setCurrentIndex(model.index(2, 0))
    qapp.processEvents()
    model.removeRow(2)  # Qt goes to a neighbour
    qapp.processEvents()
    assert told == [(1, -1), (2, 1), (3, 2)]
    assert view.currentIndex() == model.index(2, 0)
    model.clear()
    assert not view.currentIndex().isValid()
    QAccessible.setActive(False)


def test_tabs_of_docks_tell_of_the_focus_only_when_they_have_it(heard):
    [bar] = [one for one in heard.window.findChildren(QTabBar) if one.isVisible()]
    told = [one for one in things(QAccessible.queryAccessibleInterface(bar)) if one.role is Role.PageTab]
    assert [one.name for one in told] == [bar.tabText(place) for place in range(bar.count())]
    assert [bool(one.node.state().selected) for one in told].count(True) == 1
    assert (Role.PageTab, told[bar.currentIndex()].name) not in focused(heard)
    other = 1 - bar.currentIndex()
    told[other].node.actionInterface().doAction("Press")
    heard.settle()
    assert bar.currentIndex() == other
    bar.setFocus()
    assert QApplication.focusWidget() is bar
    assert focused(heard) == [(Role.PageTab, told[other].name)]
