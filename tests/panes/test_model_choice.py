"""Who answers in the sandbox: the switch in the picker and in Preferences, the badge, and the way back."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt

from chimein_gui.domain.notes import PlanningKind, PlanningProblem
from chimein_gui.domain.settings.answering import Answering
from chimein_gui.ui.panes.preferences.keys_section import KeysSection
from chimein_gui.viewmodels.preferences.keys import Key, KeyState
from tests.fakes.model_choice import FakeModelChoice


@pytest.fixture
def choice(stage):
    made = FakeModelChoice()
    stage.models.model_choice.attach(made)
    return made


def test_the_badge_says_that_the_model_is_real(stage, choice):
    badge = stage.window.sandbox_shell.chips.badge
    assert badge.accessibleName().startswith("Sandbox")
    assert "real model" not in badge.accessibleName()
    choice.choose(Answering.GEMINI)
    assert "Sandbox · real model" in badge.accessibleName()
    assert "cost money" in badge.accessibleDescription()
    assert "prompts go to Google" in stage.window.facts.real.accessibleName()
    choice.choose(Answering.WRITTEN)
    assert "Nothing here is real" in badge.accessibleDescription()


def test_the_picker_switches_by_keyboard(stage, choice, qtbot):
    shell = stage.window.sandbox_shell
    shell.toggle_picker()
    switch = shell.picker.models
    assert switch.isVisible()
    first = switch.segments.focus_widget()
    first.setFocus()
    qtbot.keyClick(first, Qt.Key.Key_Right)
    assert choice.answering is Answering.GEMINI
    assert stage.sees("costs what Google charges", switch)
    assert shell.picker.isVisible()


def test_without_a_key_the_picker_says_where_to_enter_one(stage, choice):
    choice.key = False
    choice.choose(Answering.GEMINI)
    stage.window.sandbox_shell.toggle_picker()
    assert stage.sees("There is no Gemini key here.")


def test_preferences_switch_too_and_say_whose_key_it_is(stage, choice, qtbot):
    models = stage.models
    page = KeysSection(stage.window.theme, models.keys, models.model_choice, is_sandbox=True)
    qtbot.addWidget(page)
    assert page.models.isVisibleTo(page)
    assert page.place.accessibleName().startswith("The sandbox needs no keys")
    qtbot.mouseClick(page.models.segments._group.button(1), Qt.MouseButton.LeftButton)
    assert choice.answering is Answering.GEMINI
    assert page.place.accessibleName().startswith("Gemini answers in the sandbox, with your key")


def test_a_live_window_has_no_switch(desktop, qtbot):
    models = desktop.models
    page = KeysSection(desktop.window.theme, models.keys, models.model_choice, is_sandbox=False)
    qtbot.addWidget(page)
    assert not page.models.isVisibleTo(page)


def test_a_plan_that_gemini_could_not_make_offers_the_way_back(stage, choice, qtbot):
    choice.choose(Answering.GEMINI)
    problem = PlanningProblem(PlanningKind.NO_KEY, "Gemini does not know this key.")
    stage.console.put_chat(replace(stage.console.chats[1], planning_problem=problem))
    stage.settle()
    bar = stage.window.fault_bar
    qtbot.waitUntil(bar.isVisible)
    [button] = [one for one in bar.buttons if one.text() == "Written answers"]
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert choice.answering is Answering.WRITTEN
    stage.settle()
    assert stage.console.chats[1].planning_problem is None


def test_the_cost_of_written_answers_is_said_to_be_none(stage, choice):
    stage.console.costs.book(0.02)
    stage.settle()
    assert "nothing is paid" in stage.window.top_bar.cost.toolTip()


@pytest.mark.parametrize("is_late", [False, True])
def test_what_one_model_said_of_a_key_does_not_stand_when_the_other_answers(stage, choice, is_late):
    keys = stage.models.keys
    keys.keep(Key.MODEL, "good-key-of-the-operator-7Qf2")
    stage.settle()
    keys.test()
    if not is_late:
        stage.settle()
        assert keys.row(Key.MODEL).state is KeyState.WORKS
    choice.choose(Answering.GEMINI)
    stage.settle()
    row = keys.row(Key.MODEL)
    assert (row.state, row.words, row.busy) == (KeyState.STORED, "", False)
