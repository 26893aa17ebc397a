"""The Rehearsal pane with a sandbox that answers late, refuses, breaks or goes."""

import pytest
from PySide6.QtCore import Qt

from chimein_gui.sandbox_api import FaultKind, SandboxRefusedError
from chimein_gui.ui.panes.rehearsal.pane import FAULTS, SPEAK
from tests.fakes.sandbox_console import MARTA, NORA, RUI


def test_a_late_answer_is_not_told_of_another_fault(stage):
    stage.rehearsal.turn_to(FAULTS)
    page, stage.sandbox.slow = stage.rehearsal.faults, True
    page.list.choose("flood")
    page.form.inject.click()
    page.form.inject.click()
    page.list.choose("lost")
    stage.settle()
    assert [rule.kind for rule in stage.sandbox.injected] == [FaultKind.FLOOD_WAIT]
    assert not page.form._answer.isVisible()


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (SandboxRefusedError("no such speed"), "no such speed"),
        (RuntimeError("it broke"), "An internal error occurred. Details are in the log."),
    ],
)
def test_a_refused_speed_goes_back(stage, expected_logs, error, words):
    if isinstance(error, RuntimeError):
        expected_logs("The sandbox failed: speed")
    page, stage.sandbox.refuse = stage.rehearsal.scenarios, error
    stage.click(page.speed._group.button(3))
    assert page.speed.current() == 1
    assert stage.sees(words, page)


def test_the_speak_page_sends_once_and_tells_to_whom(stage):
    stage.rehearsal.turn_to(SPEAK)
    page, stage.sandbox.slow = stage.rehearsal.speak, True
    page.editor.set_text("hello")
    page.send.click()
    page.send.click()
    page.who.setCurrentIndex(1)
    page.send.click()
    stage.settle()
    assert stage.sandbox.said == [(MARTA, NORA, "hello")]
    assert stage.sees("Delivered to Nora Vale", page)
    page.editor.set_text("from Rui")
    page.send.click()
    stage.settle()
    assert stage.sandbox.said[-1] == (RUI, NORA, "from Rui")


def test_the_composer_sends_once(stage, qtbot):
    stage.open_chat(1)
    composer, stage.sandbox.slow = stage.conversations.composer, True
    qtbot.keyClicks(composer.editor.field, "hello")
    for _ in range(3):
        qtbot.keyClick(composer.editor.field, Qt.Key.Key_Return)
    assert composer.send._icon == "spinner"
    stage.settle()
    assert [text for _, _, text in stage.sandbox.said] == ["hello"]
    assert composer.send._icon == "send"
    assert composer.editor.text() == ""


def test_what_plays_already_is_started_over_not_played(stage):
    page = stage.rehearsal.scenarios
    assert (page.play.text(), page.play._kind) == ("Play", "unreal")
    page.play.click()
    stage.settle()
    assert (page.play.text(), page.play._kind) == ("Start over", "plain")
    assert page.play.accessibleName() == "Start over: Busy Friday"
    page.list.choose("flood-wait")
    assert page.play.accessibleName() == "Play Flood wait"


def test_a_second_click_on_the_badge_puts_the_picker_away(stage, qtbot):
    stage.window.activateWindow()
    shell = stage.window.sandbox_shell
    for shown in (True, False, True):
        qtbot.mouseClick(shell.chips.badge, Qt.MouseButton.LeftButton)
        assert shell.picker.isVisible() is shown
    assert shell.picker.list.hasFocus()
    stage.rehearsal.scenarios.list.setFocus()
    assert not shell.picker.isVisible()
