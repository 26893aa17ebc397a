"""The small scenario picker under the sandbox's badge, and the chips beside it."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton

from chimein_gui.engine.sandbox_port import SandboxRefusedError, ScenarioProgress
from tests.fakes.console import agent


def shell_of(stage):
    return stage.window.sandbox_shell


def test_a_key_opens_it_and_another_plays(stage, qtbot):
    picker = shell_of(stage).picker
    stage.approvals.list.setFocus()
    stage.window.show_pane("approvals")
    before = stage.window.focusWidget()
    qtbot.keyClick(stage.window, Qt.Key.Key_P, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    assert picker.isVisible()
    assert picker.list.hasFocus()
    qtbot.keyClick(picker.list, Qt.Key.Key_Down)
    qtbot.keyClick(picker.list, Qt.Key.Key_Return)
    stage.settle()
    assert stage.sandbox.state.scenario == ScenarioProgress("flood-wait")
    assert not picker.isVisible()
    assert stage.window.focusWidget() is before


def test_a_click_on_the_badge_opens_it_and_escape_puts_it_away(stage, qtbot):
    shell = shell_of(stage)
    qtbot.mouseClick(shell.chips.badge, Qt.MouseButton.LeftButton)
    assert shell.picker.isVisible()
    assert stage.window.rect().contains(shell.picker.geometry())
    qtbot.keyClick(shell.picker.list, Qt.Key.Key_Escape)
    assert not shell.picker.isVisible()
    assert stage.sandbox.state.scenario is None


def test_going_elsewhere_puts_it_away(stage):
    shell = shell_of(stage)
    shell.toggle_picker()
    stage.conversations.tree.setFocus()
    assert not shell.picker.isVisible()


def test_a_refusal_stays_in_sight(stage, qtbot):
    shell = shell_of(stage)
    shell.toggle_picker()
    stage.sandbox.refuse = SandboxRefusedError("Line 3 of the script is odd.")
    qtbot.keyClick(shell.picker.list, Qt.Key.Key_Return)
    stage.settle()
    assert shell.picker.isVisible()
    assert shell.picker._refused.accessibleName() == "Line 3 of the script is odd."


def test_what_plays_can_be_stopped_and_seen_whole(stage, qtbot):
    shell = shell_of(stage)
    stage.sandbox.put(scenario=ScenarioProgress("busy-friday", 12))
    stage.settle()
    assert shell.chips.playing.accessibleName() == "Rehearsing: Busy Friday, 12/40"
    stage.window.show_pane("approvals")
    shell.toggle_picker()
    qtbot.mouseClick(shell.picker.stop, Qt.MouseButton.LeftButton)
    stage.settle()
    assert not shell.chips.playing.isVisible()
    qtbot.mouseClick(shell.picker.pane, Qt.MouseButton.LeftButton)
    assert not shell.picker.isVisible()
    assert stage.rehearsal.isVisible()


def test_the_chip_leads_to_the_pane(stage, qtbot):
    stage.sandbox.put(scenario=ScenarioProgress("busy-friday", 12, paused=True))
    stage.settle()
    stage.window.show_pane("agents")
    chip = shell_of(stage).chips.playing
    assert chip.accessibleName() == "Paused: Busy Friday, 12/40"
    qtbot.mouseClick(chip, Qt.MouseButton.LeftButton)
    assert stage.rehearsal.isVisible()


def test_an_empty_window_hints_at_it(make_desktop, qtbot):
    desktop = make_desktop(is_sandbox=True)
    desktop.console.agents[1] = agent()
    desktop.attach(sandbox=True)
    hints = [
        button
        for button in desktop.window.findChildren(QAbstractButton)
        if button.isVisible() and button.text() == "Play a scenario"
    ]
    assert len(hints) == 2  # in the chats and in the approvals
    qtbot.mouseClick(hints[0], Qt.MouseButton.LeftButton)
    assert shell_of(desktop).picker.isVisible()
