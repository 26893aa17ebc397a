"""The Rehearsal pane with a sandbox that answers late, refuses, breaks or goes."""

import pytest
from PySide6.QtCore import Qt

from chimein_gui.engine.sandbox_port import FaultKind, FaultOffer, FaultRule, SandboxRefusedError
from chimein_gui.ui.panes.rehearsal.pane import FAULTS, IN_FORCE, SPEAK
from tests.fakes.sandbox_console import MARTA, NORA, OFFERS, RUI, FakeSandboxConsole


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


def test_a_late_answer_tells_of_what_was_injected_not_of_what_stands_there_now(stage):
    stage.rehearsal.turn_to(FAULTS)
    page, stage.sandbox.slow = stage.rehearsal.faults, True
    page.list.choose("flood")
    page.form.inject.click()
    page.form.seconds.setValue(77)
    stage.settle()
    assert page.form._answer.accessibleName() == "In force: Flood wait of 30 s"


def test_a_chosen_speed_stays_chosen_while_the_sandbox_thinks(stage, qtbot):
    page, stage.sandbox.slow = stage.rehearsal.scenarios, True
    qtbot.mouseClick(page.speed._group.button(3), Qt.MouseButton.LeftButton)
    assert page.speed.current() == 3
    stage.settle()
    assert page.speed.current() == 3
    assert stage.sandbox.state.speed == 5


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
    assert page._refused.accessibleName() == words


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
    assert page._answer.accessibleName() == "Delivered to Nora Vale"
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


def test_in_a_sandbox_that_has_gone_the_picker_says_so(stage):
    picker = stage.window.sandbox_shell.picker
    stage.window.sandbox_shell.toggle_picker()
    stage.sandbox.gone = True
    stage.settle()
    picker.list.play_pressed.emit("busy-friday")
    stage.settle()
    assert picker.isVisible()
    assert picker._refused.accessibleName() == "The sandbox has gone."


def test_what_plays_already_is_started_over_not_played(stage):
    page = stage.rehearsal.scenarios
    assert (page.play.text(), page.play._kind) == ("Play", "unreal")
    page.play.click()
    stage.settle()
    assert (page.play.text(), page.play._kind) == ("Start over", "plain")
    assert page.play.accessibleName() == "Start over: Busy Friday"
    page.list.choose("flood-wait")
    assert page.play.accessibleName() == "Play Flood wait"


def test_a_sandbox_without_scenarios_and_people_says_so(make_desktop):
    desktop = make_desktop(is_sandbox=True)
    desktop.sandbox = FakeSandboxConsole(scenarios=(), partners=())
    desktop.furnish()
    desktop.attach(sandbox=True)
    desktop.window.show_pane("rehearsal")
    page = desktop.rehearsal.scenarios
    assert page._nothing.isVisible()
    assert not page.list.isVisible()
    desktop.rehearsal.turn_to(SPEAK)
    assert desktop.rehearsal.speak._hint.text().startswith("Nobody lives")
    assert not desktop.rehearsal.speak.editor.isEnabled()


def test_in_a_low_pane_the_form_scrolls_and_is_not_squeezed(make_desktop):
    long = FaultOffer("long", "Long", "so it goes on " * 30, FaultRule(FaultKind.RPC_ERROR, "messages.sendMessage"))
    desktop = make_desktop(is_sandbox=True)
    desktop.sandbox = FakeSandboxConsole(faults=(*OFFERS, long))
    desktop.furnish()
    desktop.attach(sandbox=True)
    desktop.window.show_pane("rehearsal")
    desktop.rehearsal.turn_to(FAULTS)
    form, page = desktop.rehearsal.faults.form, desktop.rehearsal.faults
    for height in (480, 900):
        desktop.rehearsal.setFixedSize(360, height)
        page.list.choose("long")
        desktop.settle()
        radios = [form.often.button(place) for place in range(3)]
        assert all(radio.height() >= radio.sizeHint().height() for radio in radios)
        assert form.times.height() == form.times.minimumHeight()
        assert form.inject.mapTo(page, form.inject.rect().bottomLeft()).y() < page.height()
        assert form._middle.verticalScrollBar().isVisible() is (height == 480)


def test_tab_goes_through_the_rules_before_what_stands_below_them(stage):
    stage.rehearsal.turn_to(IN_FORCE)
    for offer in OFFERS[:3]:
        stage.models.rehearsal.inject(offer.rule)
    stage.settle()
    page = stage.rehearsal.in_force
    seen, widget = [], page.take_all_back
    for _ in range(400):
        widget = widget.nextInFocusChain()
        if widget in {*page.duplicates.radios.values(), *(card.take_back for card in page.rules.cards.values())}:
            seen.append(widget)
    cards = [card.take_back for card in page.rules.cards.values()]
    assert seen[: len(cards)] == cards


def test_more_rules_than_cards_are_counted(stage):
    stage.rehearsal.turn_to(IN_FORCE)
    for _ in range(42):
        stage.models.rehearsal.inject(OFFERS[0].rule)
        stage.settle()
    page = stage.rehearsal.in_force
    assert len(page.rules.cards) == 40
    assert page.rules._more.text() == "and 2 more, which Take all back takes back too"
    page.take_all_back.click()
    stage.settle()
    assert not page.rules._more.isVisible()


def test_a_second_click_on_the_badge_puts_the_picker_away(stage, qtbot):
    stage.window.activateWindow()
    shell = stage.window.sandbox_shell
    for shown in (True, False, True):
        qtbot.mouseClick(shell.chips.badge, Qt.MouseButton.LeftButton)
        assert shell.picker.isVisible() is shown
    assert shell.picker.list.hasFocus()
    stage.rehearsal.scenarios.list.setFocus()
    assert not shell.picker.isVisible()
