"""Where Tab and F6 lead in the whole window."""

from itertools import pairwise

import pytest
import shiboken6
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QApplication, QLineEdit, QScrollArea, QTabBar, QWidget

from chimein_gui.ui.shell.docking import tab_order
from chimein_gui.ui.shell.docking.tab_order import next_stop

pytestmark = [pytest.mark.whole_window, pytest.mark.with_panes("agents", "approvals")]

MOST_STOPS = 120


def stops(desktop, key=Qt.Key.Key_Tab):
    """Press Tab until it comes round; returns where the focus was."""
    window, seen = desktop.window, list[QWidget | None]()
    window.top_bar.search.setFocus()
    while len(seen) < MOST_STOPS:
        seen.append(QApplication.focusWidget())
        desktop.press(seen[-1], key)
        if QApplication.focusWidget() is seen[0]:
            return seen
    raise AssertionError("Tab does not come round")


def place(parts, widget):
    return next(number for number, part in enumerate(parts) if part is widget or part.isAncestorOf(widget))


def shown_once(desktop):
    for pane_id in ("agents", "approvals"):
        desktop.window.show_pane(pane_id)
        desktop.settle()
    desktop.open_chat()


def test_tab_leads_through_the_window_as_it_is_read(desktop):
    shown_once(desktop)
    window, chats = desktop.window, desktop.conversations
    dock = window.docks["approvals"]
    order = [window.top_bar, window.rail, chats.filter, chats.tree, chats.header, chats.transcript, chats.drafts]
    order += [chats.writer, *window.dock_manager.tab_rows.parts_of(dock)]
    seen = [widget for widget in stops(desktop) if any(one is widget or one.isAncestorOf(widget) for one in order)]
    places = [place(order, widget) for widget in seen]
    assert places == sorted(places)
    assert {0, 1, 2, 3, 4, 5, 7, len(order) - 1} <= set(places)
    assert set(stops(desktop, Qt.Key.Key_Backtab)) == set(stops(desktop))


def test_what_is_behind_another_tab_is_hidden_and_takes_no_focus(desktop):
    shown_once(desktop)
    window = desktop.window
    behind = [dock for pane_id, dock in window.docks.items() if pane_id == "agents"]
    QAccessible.setActive(True)
    try:
        for dock in behind:
            assert dock.is_behind()
            assert dock.pane.isHidden()
            assert QAccessible.queryAccessibleInterface(dock).state().invisible
        assert not QAccessible.queryAccessibleInterface(window.docks["approvals"]).state().invisible
    finally:
        QAccessible.setActive(False)
    for widget in stops(desktop):
        assert not any(dock.isAncestorOf(widget) for dock in behind)
        assert window.rect().contains(widget.mapTo(window, widget.rect().center()))


def test_a_tab_that_is_chosen_shows_its_pane_and_gives_it_the_focus_that_the_other_had(desktop):
    shown_once(desktop)
    window = desktop.window
    before = window.docks["approvals"].size()
    window.pane("approvals").focus_widget().setFocus()
    window.docks["agents"].raise_()
    desktop.settle()
    assert window.panes["agents"].isVisible()
    assert window.panes["approvals"].isHidden()
    assert window.panes["agents"].isAncestorOf(QApplication.focusWidget())
    assert window.docks["agents"].size() == before


def test_a_tab_bar_that_is_gone_is_looked_up_anew(desktop):
    shown_once(desktop)
    window = desktop.window
    dock, rows = window.docks["approvals"], window.dock_manager.tab_rows
    rows.place()
    gone, buttons, _ = rows.parts_of(dock)
    place = buttons.geometry()
    shiboken6.invalidate(gone)  # as if Qt had deleted it
    buttons.move(0, 0)
    dock.moved.emit()
    assert buttons.geometry() == place
    bar = rows.parts_of(dock)[0]
    assert isinstance(bar, QTabBar)
    assert bar.isVisible()
    rows.place()
    assert rows.parts_of(dock) == (bar, buttons, dock)


def test_tab_lets_widgets_outlive_the_one_before_them(desktop):
    shown_once(desktop)
    window = desktop.window
    before, after = QWidget(window), QScrollArea(window)
    inside = after.viewport()
    next_stop(window, [], forward=True)
    before.deleteLater()
    QApplication.sendPostedEvents(before, QEvent.Type.DeferredDelete)
    assert not shiboken6.isValid(before)
    assert shiboken6.isValid(inside)


def test_tab_looks_only_at_what_is_in_sight_while_no_widget_comes_or_goes(desktop, monkeypatch):
    shown_once(desktop)
    window = desktop.window
    window.top_bar.search.setFocus()
    window.focusNextPrevChild(True)
    looked: list[QWidget] = []
    takes, chain = tab_order._takes_focus, tab_order._chain

    def counted(one):
        looked.append(one)
        return takes(one)

    def walked(one):
        looked.extend(chain(one))
        return chain(one)

    monkeypatch.setattr(tab_order, "_takes_focus", counted)
    monkeypatch.setattr(tab_order, "_chain", walked)
    window.focusNextPrevChild(True)
    shown = [one for one in window.findChildren(QWidget) if one.isVisible() and one.window() is window]
    assert 0 < len(looked) <= len(shown) < len(window.findChildren(QWidget)) / 2
    before = [one for one in stops(desktop) if one is not None]
    field = QLineEdit(window.top_bar)
    field.show()
    assert field in stops(desktop), "what came since is reached, too"
    field.deleteLater()
    QApplication.sendPostedEvents(field, QEvent.Type.DeferredDelete)
    assert stops(desktop) == before


def test_f6_reaches_the_top_bar_the_chats_the_messages_the_composer_and_the_panes(desktop):
    shown_once(desktop)
    window, chats = desktop.window, desktop.conversations
    window.top_bar.search.setFocus()
    reached = []
    for _ in range(5):
        window.dock_manager.focus.go_on()
        reached.append(QApplication.focusWidget())
    assert reached[:2] == [chats.tree, chats.transcript]
    assert chats.writer.isAncestorOf(reached[2])
    assert window.panes["approvals"].isAncestorOf(reached[3])
    assert reached[4] is window.top_bar.search
    for here, before in pairwise(reversed(reached)):
        assert QApplication.focusWidget() is here
        window.dock_manager.focus.go_back()
        assert QApplication.focusWidget() is before


@pytest.mark.with_panes("agents", "plans", "media")
@pytest.mark.parametrize("pane_id", ["agents", "plans", "media"])
def test_f6_and_tab_reach_a_pane_that_is_empty(make_desktop, qtbot, pane_id):
    desktop = make_desktop()
    desktop.attach()
    window = desktop.window
    window.show_pane(pane_id)
    desktop.settle()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    pane = window.panes[pane_id]
    for go_on in (window.dock_manager.focus.go_on, lambda: window.focusNextPrevChild(True)):
        window.top_bar.search.setFocus()
        reached = []
        for _ in range(60):
            go_on()
            reached.append(QApplication.focusWidget())
        assert pane.focus_widget() in reached
    assert "." in pane.focus_widget().accessibleName(), "a screen reader hears what stands there"
