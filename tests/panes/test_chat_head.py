"""The head of the open chat: trust, takeover, hold, hidden steps, and how it gives way."""

from dataclasses import replace
from datetime import timedelta

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu

from chimein_gui.domain.holds import Hold, HoldScope
from chimein_gui.ui.widgets.controls.verb_button import VerbButton
from tests.fakes.console import BIG, NOON


@pytest.fixture
def head(desktop):
    desktop.open_chat()
    return desktop.conversations.header


def test_who_takes_over_writes_at_once_and_has_one_way_back(sandbox, qtbot):
    sandbox.open_chat()
    pane, window = sandbox.conversations, sandbox.window
    qtbot.mouseClick(pane.header.take_over, Qt.MouseButton.LeftButton)
    sandbox.settle()
    assert sandbox.console.chats[1].takeover_until == NOON + timedelta(minutes=30)
    assert pane.writer.agent.editor.field.hasFocus()  # as Nora, though it was the partner who spoke before
    assert [one.text() for one in window.findChildren(VerbButton) if one.isVisible() and "Resume" in one.text()] == [
        "Resume"
    ]
    sandbox.time += timedelta(minutes=1)
    sandbox.models.clock.ticked.emit()
    assert "29:00 left" in pane.takeover.accessibleName()
    pane.takeover.button.setFocus()
    qtbot.keyClick(pane.takeover.button, Qt.Key.Key_Space)
    sandbox.settle()
    assert sandbox.console.chats[1].takeover_until is None
    assert (pane.takeover.isVisible(), pane.header.take_over.isVisible()) == (False, True)
    assert pane.transcript.hasFocus()


def test_a_takeover_that_began_elsewhere_leaves_the_focus_and_ends_by_itself(desktop, head):
    desktop.conversations.tree.setFocus()
    desktop.put_chat(replace(desktop.console.chats[1], takeover_until=NOON + timedelta(seconds=5)))
    assert not head.take_over.isVisible()
    assert desktop.conversations.tree.hasFocus()
    desktop.time += timedelta(seconds=5)
    desktop.models.clock.ticked.emit()
    assert head.take_over.isVisible()


def test_a_hold_of_the_chat_or_its_account_is_said_and_let_go(desktop, head):
    bar = desktop.conversations.held
    assert not bar.isVisible()
    desktop.console.holds.put(Hold(HoldScope.ALL, 0, "", NOON))
    desktop.settle()
    assert not bar.isVisible()  # the window says that
    desktop.console.holds.put(Hold(HoldScope.CHAT, 1, "wait for the lawyer", NOON))
    desktop.settle()
    assert bar.accessibleName() == "You hold this chat: nothing is sent, planning continues (wait for the lawyer)"
    assert head.trust.text() == "Held"
    bar.button.click()
    desktop.settle()
    assert desktop.console.holds.holds == ()
    assert not bar.isVisible()
    desktop.console.holds.put(Hold(HoldScope.ACCOUNT, BIG + 1, "", NOON))
    desktop.settle()
    assert "Nora Vale" in bar.accessibleName()


def test_the_switch_shows_and_hides_what_plans_did(desktop, head, qtbot):
    told = list[bool]()
    desktop.models.transcript.set_steps_shown(False)
    head.steps_toggled.connect(told.append)
    qtbot.mouseClick(head.steps, Qt.MouseButton.LeftButton)
    assert told == [True]
    assert head.steps.isChecked()


@pytest.mark.usefixtures("no_popup")
def test_the_more_button_opens_the_menu_of_the_chat(desktop, head):
    head.more.click()
    menus = [menu for menu in head.findChildren(QMenu) if menu.parent() is head]
    assert "Hold this chat" in [action.text() for action in menus[0].actions()]
    menus[0].close()
