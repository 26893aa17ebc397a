"""The Rehearsal pane: scenarios, speaking as anybody, codes on the phone; a sandbox that is late, refuses or goes."""

from __future__ import annotations

from datetime import timedelta

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QAbstractButton

from chimein_gui.domain.accounts.sign_in import LoginState, LoginStep, QrCode
from chimein_gui.domain.events import LoginChanged
from chimein_gui.domain.ids import AgentId, Revision
from chimein_gui.sandbox_api import FaultKind, SandboxLoginCode, SandboxRefusedError, ScenarioProgress
from chimein_gui.ui.panes.rehearsal.pane import FAULTS, PHONE, SPEAK
from tests.fakes.engine_api import NOON
from tests.fakes.sandbox_console import JONAS, MARTA, NORA, RUI, TRAIL, YUKI


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


def test_a_sandbox_that_has_gone_is_said_and_nothing_can_be_pressed(stage):
    stage.sandbox.gone = True
    stage.settle()
    assert stage.sees("The sandbox has stopped", stage.rehearsal)


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
    assert MARTA in {one.user_id for one in stage.models.send_as_partner.members(TRAIL)}


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


URL = "tg://login?token=abc"
CODES = (
    SandboxLoginCode("+9996622001", "54321", "sms", int(NOON.timestamp())),
    SandboxLoginCode("+9996622002", "12345", "app", int(NOON.timestamp()) - 60),
)


@pytest.fixture
def page(stage):
    stage.rehearsal.turn_to(PHONE)
    stage.settle()
    return stage.rehearsal.phone


def show_picture(stage, *, url=URL, step=LoginStep.QR):
    picture = QrCode(url, NOON + timedelta(seconds=30)) if url else None
    state = LoginState(AgentId(1), "Nora Vale", step, "", qr=picture)
    stage.api.publish(LoginChanged(state, Revision(5)))
    stage.settle()


def test_codes_appear_by_themselves_and_can_be_copied(stage, page, qtbot):
    assert page.cards == []
    stage.sandbox.put(login_codes=CODES)
    stage.settle()
    assert page.cards[0].accessibleName().startswith("Code 5 4 3 2 1, +9996622001 · by SMS")
    qtbot.mouseClick(page.cards[1].copy, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == "12345"
    stage.sandbox.put(login_codes=())
    stage.settle()
    assert page.cards == []


def test_the_picture_of_a_log_in_is_scanned(stage, page):
    assert not page.scan.isEnabled()
    show_picture(stage)
    assert page.phone.currentText() == stage.api.agents[1].spec.phone
    page.phone.setCurrentText("+9996622001")
    page.scan.setFocus()
    stage.strike(page.scan, Qt.Key.Key_Return)
    assert stage.sandbox.scanned == [(URL, "+9996622001")]
    assert stage.sees("scanned it", page)
    show_picture(stage, url="", step=LoginStep.DONE)
    assert not page.scan.isEnabled()
