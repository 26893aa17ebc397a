"""The Rehearsal pane: scenarios, speaking as anybody, and what a live run must not have."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton

from chimein_gui.sandbox_api import SandboxRefusedError, ScenarioProgress
from chimein_gui.ui.panes.rehearsal.pane import SPEAK
from tests.fakes.sandbox_console import JONAS, MARTA, TRAIL, YUKI


def test_a_live_run_has_neither_pane_nor_rail_entry_nor_command(desktop):
    window = desktop.window
    assert "rehearsal" not in window.panes
    assert "rehearsal" not in window.rail.buttons
    assert window.sandbox_shell is None
    assert window.top_bar._sandbox == ()
    names = {action.objectName() for action in window.actions()}
    assert not names & {"show_rehearsal", "pick_scenario"}
    taken = {action.shortcut().toString() for action in window.actions()}
    assert not taken & {"Ctrl+Shift+R", "Ctrl+Shift+P"}
    window.show_pane("approvals")
    assert not any("scenario" in button.text().lower() for button in window.findChildren(QAbstractButton))


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Space])
def test_the_keyboard_plays_a_scenario_pauses_it_and_ends_it(stage, qtbot, key):
    page = stage.rehearsal.scenarios
    page.list.setFocus()
    qtbot.keyClick(page.list, Qt.Key.Key_Down)
    stage.strike(page.list, key)
    assert stage.sandbox.state.scenario == ScenarioProgress("flood-wait")
    assert page.now.isVisible()
    assert page.now.accessibleName() == "Flood wait, 0 of 6, Playing at 1×"
    page.now.go.setFocus()
    stage.strike(page.now.go, key)
    assert stage.sandbox.state.scenario.paused
    assert page.now.go.text() == "Resume"
    stage.strike(page.now.go, key)
    assert not stage.sandbox.state.scenario.paused
    page.now.end.setFocus()
    stage.strike(page.now.end, key)
    assert page.now.go.text() == "Play again"
    assert page.now.accessibleName() == "Flood wait, 0 of 6, Stopped by you"
    assert page.now.go.hasFocus()  # not somewhere else, now that Stop is gone


def test_a_refusal_is_said_in_place(stage):
    stage.sandbox.refuse = SandboxRefusedError("There is no scenario of this name.")
    stage.models.rehearsal.play("nothing")
    stage.settle()
    assert stage.sees("There is no scenario of this name.")


def test_a_sandbox_that_has_gone_is_said_and_nothing_can_be_pressed(stage):
    stage.sandbox.gone = True
    stage.settle()
    assert stage.sees("The sandbox has gone", stage.rehearsal)


def test_anybody_can_write_to_any_account_and_to_groups_of_their_own(stage, qtbot):
    stage.rehearsal.turn_to(SPEAK)
    page = stage.rehearsal.speak
    assert [page.peer.itemText(row) for row in range(page.peer.count())][-1] == "\u2068Trilhos do Gerês\u2069 (group)"
    page.who.setFocus()
    qtbot.keyClick(page.who, Qt.Key.Key_Down)
    qtbot.keyClick(page.who, Qt.Key.Key_Down)
    assert page.who.currentData() == YUKI
    assert page.peer.count() == 2  # she is in no group
    page.peer.setFocus()
    qtbot.keyClick(page.peer, Qt.Key.Key_Down)
    qtbot.keyClicks(page.editor.field, "we have not met")
    stage.strike(page.editor.field, Qt.Key.Key_Return)
    assert stage.sandbox.said == [(YUKI, JONAS, "we have not met")]
    assert page.editor.text() == ""
    assert stage.sees("Delivered to Jonas Weidt", page)


def test_what_was_not_said_is_explained_in_place_and_stays(stage, qtbot):
    stage.rehearsal.turn_to(SPEAK)
    page = stage.rehearsal.speak
    qtbot.keyClicks(page.editor.field, "hello")
    stage.sandbox.refuse = SandboxRefusedError("He has left the group.")
    stage.click(page.send)
    assert stage.sees("He has left the group.", page)
    assert page.editor.text() == "hello"
    assert not stage.window.fault_bar.isVisible()
    assert MARTA in {one.user_id for one in stage.models.voice.members(TRAIL)}
