"""Faults in the Rehearsal pane: chosen, set up, injected, seen to strike, undone; all by keyboard too."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt

from chimein_gui.sandbox_api import DuplicateMode, FaultKind, FaultRule, Incident
from chimein_gui.ui.panes.rehearsal.fault_form import ALWAYS, CHANCE
from chimein_gui.ui.panes.rehearsal.pane import FAULTS, IN_FORCE
from tests.fakes.sandbox_console import JONAS, NORA


@pytest.fixture
def faults(stage):
    stage.rehearsal.turn_to(FAULTS)
    return stage


def choose(stage, name):
    assert stage.rehearsal.faults.list.choose(name)
    return stage.rehearsal.faults.form


def test_a_search_and_four_keys_put_a_fault_into_force(faults, qtbot):
    page = faults.rehearsal.faults
    page.search.setFocus()
    qtbot.keyClicks(page.search, "flood wait")
    qtbot.keyClick(page.search, Qt.Key.Key_Down)
    assert page.list.hasFocus()
    assert page.form.isVisible()
    qtbot.keyClick(page.list, Qt.Key.Key_Return)
    assert page.form.account.hasFocus()
    page.form.inject.setFocus()
    faults.strike(page.form.inject, Qt.Key.Key_Return)
    assert faults.sandbox.injected == [FaultRule(FaultKind.FLOOD_WAIT, "messages.sendMessage", seconds=30)]
    assert faults.sees("Active: Flood wait of 30 s", page.form)


def test_the_fields_say_whose_calls_which_and_how_often(faults):
    form = choose(faults, "slow")
    form.account.choose(JONAS)
    form.method.setCurrentText("messages.getHistory")
    form.seconds.setValue(12.5)
    form.chance.setValue(40)  # touching the number means it
    assert form.often.checkedId() == CHANCE
    rule = FaultRule(FaultKind.SLOW, "messages.getHistory", JONAS, seconds=12.5, times=0, probability=0.4)
    assert form.rule() == rule
    form.often.button(ALWAYS).setChecked(True)
    assert form.rule() == replace(rule, probability=1.0)
    form.times.setValue(3)
    assert form.rule() == replace(rule, probability=1.0, times=3)


def test_only_fields_that_make_sense_are_shown(faults):
    form = choose(faults, "kick")
    assert form.account.isVisible()
    assert not any(field.isVisible() for field in (form.method, form.seconds, form.code, form.times))
    assert form.rule() == FaultRule(FaultKind.KICK, account_id=NORA)  # there is no "all accounts" to choose
    form = choose(faults, "quota")
    assert not form.account.isVisible()  # the model does not know whose call it answers
    assert form.code.isVisible()
    assert form.seconds.isVisible()
    form = choose(faults, "lost")
    assert not form.method.isVisible()
    assert form.times.isVisible()


def test_rules_in_force_are_counted_and_taken_back_one_by_one(stage):
    for kind in (FaultKind.SLOW, FaultKind.NO_ANSWER):
        stage.models.rehearsal.commands.inject(FaultRule(kind, account_id=NORA, seconds=5))
        stage.settle()
    slow = FaultRule(FaultKind.SLOW, seconds=5)
    stage.sandbox.strike(1, Incident(slow, "messages.sendMessage", "Nora Vale"))
    stage.settle()
    stage.rehearsal.turn_to(IN_FORCE)
    page = stage.rehearsal.active
    assert stage.sees("2 active faults", page)
    assert page.rules.cards[1].accessibleName() == ("Answer after 5 s, any call, Nora Vale, next call, triggered once")
    assert (
        page.triggered.model().index(0, 0).data(Qt.ItemDataRole.AccessibleTextRole)
        == "messages.sendMessage of Nora Vale is answered 5 s late"
    )
    page.rules.cards[1].remove_button.setFocus()
    stage.strike(page.rules.cards[1].remove_button, Qt.Key.Key_Space)
    assert list(page.rules.cards) == [2]
    assert page.rules.cards[2].remove_button.hasFocus()  # the keyboard goes on with the neighbour
    page.take_all_back.setFocus()
    stage.strike(page.take_all_back, Qt.Key.Key_Return)
    assert stage.sandbox.state.faults == ()
    assert stage.sees("No active faults", page)
    assert page.rules._none.isVisible()


def test_faults_in_force_are_never_out_of_sight(stage, qtbot):
    chip = stage.window.sandbox_shell.chips.faults
    assert not chip.isVisible()
    stage.models.rehearsal.commands.inject(FaultRule(FaultKind.SLOW))
    stage.settle()
    stage.window.show_pane("approvals")
    assert chip.isVisible()
    assert chip.accessibleName() == "1 active fault"
    qtbot.mouseClick(chip, Qt.MouseButton.LeftButton)
    assert stage.rehearsal.isVisible()
    assert stage.rehearsal.pages.current() == IN_FORCE
    stage.window.resize(1000, 700)
    assert chip.isVisible()


def test_what_a_repeated_message_gets_is_chosen_by_keyboard(stage):
    stage.rehearsal.turn_to(IN_FORCE)
    radios = stage.rehearsal.active.duplicates.radios
    assert radios[DuplicateMode.ERROR].isChecked()
    radios[DuplicateMode.ERROR].setFocus()
    stage.strike(radios[DuplicateMode.ERROR], Qt.Key.Key_Down)
    assert stage.sandbox.state.duplicate_mode is DuplicateMode.SAME
    assert radios[DuplicateMode.SAME].isChecked()
    assert "gets the id" in radios[DuplicateMode.SAME].accessibleDescription()
    stage.turn(radios[DuplicateMode.FORGOTTEN])
    assert stage.sandbox.state == replace(stage.sandbox.state, duplicate_mode=DuplicateMode.FORGOTTEN)
