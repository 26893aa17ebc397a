"""The Rehearsal pane: scenarios, speaking as anybody, and what a live run must not have."""

import subprocess
import sys

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QAbstractButton, QAbstractItemView, QAbstractSpinBox, QComboBox, QLineEdit, QPlainTextEdit

from chimein_gui.engine.sandbox_port import FaultKind, FaultRule, SandboxRefusedError, Scenario, ScenarioProgress
from chimein_gui.ui.panes.rehearsal.pane import FAULTS, IN_FORCE, SCENARIOS, SPEAK
from chimein_gui.ui.shell import registry
from chimein_gui.ui.shell.registry import panes_of
from tests.fakes.sandbox_console import JONAS, MARTA, NORA, TRAIL, YUKI


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


def test_only_the_sandbox_has_the_pane():
    assert panes_of(is_sandbox=False) == registry.PANES
    assert [spec.pane_id for spec in panes_of(is_sandbox=True)][-1] == "rehearsal"


def test_a_live_window_imports_nothing_of_the_rehearsal():
    """It would wait for what it never shows."""
    code = (
        "import sys; from chimein_gui.program import WindowModels, application, build_window;"
        "from chimein_gui.ui.widgets.pane import FirstStep;"
        "app = application(); window = build_window(models=WindowModels(), first_step=FirstStep('', ()));"
        "partner = 'chimein_gui.ui.panes.conversations.composer';"
        "print([name for name in sys.modules if 'chimein' in name and"
        " ('rehearsal.' in name or 'sandbox' in name or name == partner)])"
    )
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "[]"


def test_in_the_sandbox_key_menu_and_rail_show_it(stage, qtbot):
    stage.window.show_pane("approvals")
    qtbot.mouseClick(stage.window.rail.buttons["rehearsal"], Qt.MouseButton.LeftButton)
    assert stage.rehearsal.isVisible()
    stage.window.show_pane("approvals")
    stage.window.action("show_rehearsal").trigger()
    assert stage.rehearsal.isVisible()
    assert stage.window.action("show_rehearsal").shortcut().toString() == "Ctrl+Shift+R"


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


def test_progress_and_the_end_are_told_in_words(stage):
    page = stage.rehearsal.scenarios
    stage.sandbox.put(scenario=ScenarioProgress("busy-friday", 12))
    stage.settle()
    assert page.now.accessibleName() == "Busy Friday, 12 of 40, Playing at 1×"
    stage.sandbox.put(scenario=ScenarioProgress("busy-friday", 40, finished=True))
    stage.settle()
    assert page.now.accessibleName() == "Busy Friday, 40 of 40, Finished"
    stage.sandbox.put(scenario=ScenarioProgress("busy-friday", 13, problem="Line 14: nobody is called Pedro."))
    stage.settle()
    assert page.now._problem.accessibleName() == "Line 14: nobody is called Pedro."


def test_speed_and_seed_go_to_the_sandbox(stage, qtbot):
    page = stage.rehearsal.scenarios
    page.speed._group.button(page.speed.current()).setFocus()
    stage.strike(page.window().focusWidget(), Qt.Key.Key_Right)
    assert stage.sandbox.state.speed == 2
    page.seed.setFocus()
    page.seed.selectAll()
    qtbot.keyClicks(page.seed, "42")
    stage.strike(page.seed, Qt.Key.Key_Return)
    assert stage.sandbox.state.seed == 42
    stage.sandbox.put(speed=7.0)
    stage.settle()
    assert page.speed.current() == -1


def test_a_refusal_is_said_in_place(stage):
    stage.sandbox.refuse = SandboxRefusedError("There is no scenario of this name.")
    stage.models.rehearsal.play("nothing")
    stage.settle()
    assert stage.rehearsal.scenarios._refused.accessibleName() == "There is no scenario of this name."


def test_a_sandbox_that_has_gone_is_said_and_nothing_can_be_pressed(stage):
    stage.sandbox.gone = True
    stage.settle()
    assert stage.rehearsal._stack.currentWidget() is stage.rehearsal._empty
    assert "The sandbox has gone" in stage.rehearsal._empty.accessibleName()
    assert stage.rehearsal.focus_widget() is stage.rehearsal._empty


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
    assert page._answer.accessibleName() == "Delivered to Jonas Weidt"


def test_what_was_not_said_is_explained_in_place_and_stays(stage, qtbot):
    stage.rehearsal.turn_to(SPEAK)
    page = stage.rehearsal.speak
    qtbot.keyClicks(page.editor.field, "hello")
    stage.sandbox.refuse = SandboxRefusedError("He has left the group.")
    stage.click(page.send)
    assert page._answer.accessibleName() == "He has left the group."
    assert page.editor.text() == "hello"
    assert not stage.window.fault_bar.isVisible()
    assert MARTA in {one.user_id for one in stage.models.voice.members(TRAIL)}


def test_the_page_is_remembered(stage):
    stage.rehearsal.turn_to(FAULTS)
    remembered = stage.rehearsal.save_layout()
    stage.rehearsal.turn_to(SCENARIOS)
    stage.rehearsal.restore_layout(remembered)
    assert stage.rehearsal.pages.current() == FAULTS


def test_every_control_of_every_page_has_a_name(stage):
    QAccessible.setActive(True)
    stage.sandbox.put(scenario=ScenarioProgress("busy-friday", 12))
    stage.models.rehearsal.inject(FaultRule(FaultKind.SLOW))
    stage.settle()
    stage.rehearsal.faults.list.choose_first()
    kinds = (QAbstractButton, QAbstractItemView, QLineEdit, QPlainTextEdit, QComboBox, QAbstractSpinBox)
    for page in (SCENARIOS, FAULTS, IN_FORCE, SPEAK):
        stage.rehearsal.turn_to(page)
        for kind in kinds:
            for widget in stage.rehearsal.findChildren(kind):
                if widget.isVisible() and not widget.objectName().startswith("qt_"):
                    assert QAccessible.queryAccessibleInterface(widget).text(QAccessible.Text.Name), widget
    QAccessible.setActive(False)


@pytest.mark.parametrize("size", [(1440, 900), (1280, 720)])
@pytest.mark.parametrize("dark", [False, True])
def test_hostile_and_long_words_change_no_layout(make_desktop, size, dark):
    words = "\u202e<b>محادثة</b> 田辺ゆき 🙂 " * 60
    desktop = make_desktop(is_sandbox=True)
    desktop.window.resize(*size)
    desktop.window.set_dark(dark)
    scenarios = (Scenario("x", words, words, 3),)
    desktop.sandbox = type(desktop.sandbox)(scenarios=scenarios)
    desktop.furnish()
    desktop.attach(sandbox=True)
    desktop.window.show_pane("rehearsal")
    width = desktop.rehearsal.width()
    rule = FaultRule(FaultKind.RPC_ERROR, words[:200], account_id=NORA, message=words)
    desktop.models.rehearsal.inject(rule)
    desktop.settle()
    desktop.sandbox.put(scenario=ScenarioProgress("x", 1, problem=words), recent=(words,) * 50)
    desktop.settle()
    for page in (SCENARIOS, FAULTS, IN_FORCE, SPEAK):
        desktop.rehearsal.turn_to(page)
        assert not desktop.window.grab().isNull()
    assert desktop.rehearsal.width() == width
    assert (desktop.window.width(), desktop.window.height()) == size
