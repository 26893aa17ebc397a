"""The small scenario picker under the sandbox's badge, the chips beside it, and the choice of who answers."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtWidgets import QApplication

from chimein_gui.domain.notes import PlanningKind, PlanningProblem
from chimein_gui.domain.settings.answering import Answering
from chimein_gui.sandbox_api import ActiveFault, FaultKind, FaultRule, ScenarioProgress, SceneFault, SceneProblem
from chimein_gui.ui.panes.preferences.keys_section import KeysSection
from chimein_gui.viewmodels.preferences.keys import Key, KeyState
from tests.fakes.model_choice import FakeModelChoice


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
    stage.strike(picker.list, Qt.Key.Key_Return)
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


def test_what_plays_can_be_stopped_and_seen_whole(stage, qtbot):
    shell = shell_of(stage)
    stage.sandbox.put(scenario=ScenarioProgress("busy-friday", 12))
    stage.settle()
    assert shell.chips.playing.accessibleName() == "Rehearsing: Busy Friday, 12/40"
    stage.window.show_pane("approvals")
    shell.toggle_picker()
    stage.click(shell.picker.stop)
    assert not shell.chips.playing.isVisible()
    qtbot.mouseClick(shell.picker.pane, Qt.MouseButton.LeftButton)
    assert not shell.picker.isVisible()
    assert stage.rehearsal.isVisible()


def write_faults(stage, number):
    stage.sandbox.put(
        scenario=ScenarioProgress("busy-friday", 12),
        faults=tuple(ActiveFault(place, FaultRule(FaultKind.SLOW, seconds=5)) for place in range(number)),
    )
    stage.api.costs.book(1.0)
    stage.settle()
    QApplication.processEvents()


@pytest.mark.parametrize("width", [1440, 1280, 1100])
def test_the_words_of_the_search_and_the_key_of_the_hold_give_way_last(stage, width):
    stage.window.resize(width, 800)
    write_faults(stage, 1)
    bar = stage.window.top_bar
    assert bar.search.width() >= bar.search.whole_width()
    assert bar.hold.width() >= bar.hold.sizeHint().width()
    assert all(chip.width() >= chip.sizeHint().width() for chip in bar._sandbox)


def test_no_chip_is_narrower_than_its_words_in_the_first_picture_after_a_resize(stage):
    bar = stage.window.top_bar
    for width in (1440, 1280, 1440, 1024, 1280):
        stage.window.resize(width, 800)
        QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)
        stage.window.grab()
        assert [chip.width() >= chip.sizeHint().width() for chip in (*bar._sandbox, bar.queue)] == [True] * 4, width


def test_a_scenario_at_its_end_says_what_is_left_to_do(stage, qtbot):
    chip = shell_of(stage).chips.playing
    stage.sandbox.put(scenario=ScenarioProgress("busy-friday", 39))
    stage.settle()
    stage.sandbox.put(scenario=ScenarioProgress("busy-friday", 40, finished=True))
    stage.settle()
    assert chip.isVisible()
    assert chip.accessibleName() == "Busy Friday finished, 2 wait for you"
    qtbot.mouseClick(chip, Qt.MouseButton.LeftButton)
    assert stage.window.dock_manager.focus.last == "approvals"
    assert not chip.isVisible()


def test_what_was_over_before_the_window_came_says_nothing(make_desktop):
    desktop = make_desktop(is_sandbox=True)
    desktop.furnish()
    desktop.sandbox.put(scenario=ScenarioProgress("busy-friday", 40, finished=True))
    desktop.attach(sandbox=True)
    assert not shell_of(desktop).chips.playing.isVisible()


def test_a_scenario_that_breaks_off_says_so(stage):
    chip = shell_of(stage).chips.playing
    stage.sandbox.put(scenario=ScenarioProgress("busy-friday", 3))
    stage.settle()
    stage.sandbox.put(
        scenario=ScenarioProgress("busy-friday", 3, problem=SceneProblem(SceneFault.NO_SUBJECT, "x.yaml"))
    )
    stage.settle()
    assert chip.accessibleName() == "Busy Friday stopped early, 2 wait for you"


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
    stage.api.put_chat(replace(stage.api.chats[1], planning_problem=problem))
    stage.settle()
    bar = stage.window.fault_bar
    qtbot.waitUntil(bar.isVisible)
    [button] = [one for one in bar.buttons if one.text() == "Written answers"]
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert choice.answering is Answering.WRITTEN
    stage.settle()
    assert stage.api.chats[1].planning_problem is None


def test_the_cost_of_written_answers_is_said_to_be_none(stage, choice):
    stage.api.costs.book(0.02)
    stage.settle()
    assert "nothing is charged" in stage.window.top_bar.cost.toolTip()


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
