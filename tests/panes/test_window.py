"""The window as a whole: what stands in it, questions before it acts, and bars of what did not work."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from chimein_gui.domain.errors import StoreWriteError
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.faults import FaultReason
from chimein_gui.ui.dialogs.question import QuestionDialog
from chimein_gui.ui.shell.registry import PANES
from chimein_gui.ui.widgets.rows import paint_budget
from chimein_gui.ui.widgets.theme.theme import Scheme
from tests.fakes.engine_api import BIG

pytestmark = pytest.mark.whole_window


def test_it_stands_before_there_is_an_engine(make_desktop):
    desktop = make_desktop()
    assert desktop.window.isVisible()
    assert not desktop.window.top_bar.queue.isVisible()
    assert desktop.window.windowTitle() == "Chimein"


def test_the_title_of_the_sandbox_names_the_program_once(make_desktop):
    title = make_desktop(is_sandbox=True).window.windowTitle()
    assert title.startswith("Sandbox")
    assert title.endswith("Chimein"), "to any other title Qt adds the name of the program"


def test_each_pane_has_a_button_a_command_and_a_place(desktop):
    for spec in PANES:
        desktop.window.action(f"show_{spec.pane_id}").trigger()
        pane = desktop.window.panes[spec.pane_id]
        assert desktop.window.dock_manager.focus.in_sight(spec.pane_id)
        assert pane.isAncestorOf(QApplication.focusWidget())
        (button,) = [one for one, members in desktop.window.rail._members.items() if spec.pane_id in members]
        assert button._active


def test_commands_are_unique_and_make_no_part_before_they_run(desktop):
    specs = desktop.window.commands.specs
    shortcuts = [spec.shortcut for spec in specs if spec.shortcut]
    assert len(set(shortcuts)) == len(shortcuts)
    assert len({spec.action_id for spec in specs}) == len(specs)
    assert "help" not in vars(desktop.window.lazy)
    next(spec for spec in specs if spec.action_id == "about").run()
    assert "help" in vars(desktop.window.lazy)


def test_what_is_painted_in_a_frame_of_the_window_keeps_the_budget(make_desktop, qtbot):
    desktop = make_desktop()
    before = paint_budget.BUDGET.frame
    desktop.window.rail.update()
    qtbot.waitUntil(lambda: paint_budget.BUDGET.frame > before)


def test_closing_asks_first(make_desktop):
    desktop = make_desktop()
    asked = []
    desktop.window.close_guard.requested.connect(lambda: asked.append(1))
    desktop.window.close()
    assert asked == [1]
    assert desktop.window.isVisible()
    desktop.window.close_guard.force_close()
    assert not desktop.window.isVisible()
    assert asked == [1]


def test_the_layout_and_the_colours_are_remembered(make_desktop, tmp_path):
    path = tmp_path / "window.ini"
    first = make_desktop(settings_path=path, scheme=None)
    first.window.docks["agents"].close()
    first.window.action("dark").trigger()
    assert first.window.theme.scheme is Scheme.DARK
    first.window.close()
    second = make_desktop(settings_path=path, scheme=None)
    assert second.window.theme.scheme is Scheme.DARK
    assert second.window.action("colours_dark").isChecked()
    assert not second.window.docks["agents"].isVisible()
    assert not second.window.fault_bar.isVisible()
    second.window.layouts.reset()
    second.window.resize(1440, 900)
    assert not second.window.docks["agents"].isHidden()


async def refuse(*_args, **_more):
    raise StoreWriteError(Note(FaultReason.SYSTEM, "Disk full"))


def causes(desktop):
    desktop.settle()
    return [bar.cause for bar in desktop.models.bars.bars]


ACTIONS = {
    "stop an agent": (lambda it: (it.api.accounts, "stop"), lambda it: it.models.agents.stop(1)),
    "hold": (lambda it: (it.api.holds, "release"), lambda it: it.models.holds.release()),
    "take over": (lambda it: (it.api.takeovers, "begin"), lambda it: it.of_chats.commands.take_over(1)),
    "plan now": (lambda it: (it.api.plans, "retry"), lambda it: it.models.waits.plan_now(1)),
}


@pytest.mark.parametrize("action", ACTIONS)
def test_a_action_that_works_after_all_takes_its_bar_back(desktop, monkeypatch, action):
    where, press = ACTIONS[action]
    monkeypatch.setattr(*where(desktop), refuse)
    press(desktop)
    assert causes(desktop) == ["Disk full."]
    press(desktop)
    assert causes(desktop) == ["Disk full."]
    monkeypatch.undo()
    press(desktop)
    assert causes(desktop) == []
    assert not desktop.window.fault_bar.isVisible()


def test_a_decision_that_works_after_all_takes_its_bar_back(desktop):
    first, second = (desktop.models.approvals.find(BIG + number) for number in (1, 2))
    desktop.api.fail = StoreWriteError(Note(FaultReason.SYSTEM, "Disk full"))
    desktop.models.actions.approve(first)
    assert causes(desktop) == ["Disk full."]
    desktop.api.fail = None
    desktop.models.actions.approve(second)
    assert causes(desktop) == ["Disk full."]
    desktop.models.actions.approve(desktop.models.approvals.find(BIG + 1))
    assert causes(desktop) == []


def test_a_bar_stays_when_another_action_of_its_kind_works(desktop, monkeypatch):
    monkeypatch.setattr(desktop.api.accounts, "stop", refuse)
    desktop.models.agents.stop(1)
    monkeypatch.undo()
    desktop.models.agents.start(1)
    assert causes(desktop) == ["Disk full."]


Key = Qt.Key


@pytest.fixture
def asked(desktop):
    """A question, and what was agreed to."""
    dialog = QuestionDialog(
        desktop.window.theme, "Log out?", "It needs a code to come back.", "Log out", desktop.window
    )
    answers: list[str] = []
    dialog.agreed.connect(lambda: answers.append("agreed"))
    dialog.rejected.connect(lambda: answers.append("left"))
    dialog.open()
    return desktop, dialog, answers


@pytest.mark.parametrize("key", [Key.Key_Return, Key.Key_Enter, Key.Key_Space])
def test_the_button_with_the_focus_does_what_it_says(asked, qtbot, key):
    _, dialog, answers = asked
    dialog.action.setFocus()
    qtbot.keyClick(dialog.action, key)
    assert answers == ["agreed"]


def test_return_on_the_way_out_leaves(asked, qtbot):
    _, dialog, answers = asked
    assert dialog.focusWidget() is dialog.leave
    qtbot.keyClick(dialog.leave, Key.Key_Return)
    assert answers == ["left"]


def test_a_key_that_is_still_down_from_before_answers_nothing(asked):
    desktop, dialog, answers = asked
    dialog.action.setFocus()
    desktop.press(dialog.action, Key.Key_Return, repeated=True)
    assert answers == []
    assert dialog.isVisible()
    dialog.close()
