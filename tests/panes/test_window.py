import pytest
from PySide6.QtWidgets import QApplication

from chimein_gui.ui.shell.registry import PANES
from chimein_gui.ui.widgets.theme.theme import Scheme

pytestmark = pytest.mark.whole_window


def test_it_stands_before_there_is_an_engine(make_desktop):
    desktop = make_desktop()
    assert desktop.window.isVisible()
    assert not desktop.window.top_bar.queue.isVisible()
    assert desktop.window.windowTitle() == "Chimein"


def test_the_sandbox_says_that_nothing_is_real(make_desktop):
    desktop = make_desktop(is_sandbox=True)
    assert desktop.window.windowTitle() == "Chimein (sandbox)"


def test_each_pane_has_a_button_a_command_and_a_place(desktop):
    for spec in PANES:
        desktop.window.action(f"show_{spec.pane_id}").trigger()
        pane = desktop.window.panes[spec.pane_id]
        assert desktop.window.focus_of_panes.in_sight(spec.pane_id)
        assert pane.isAncestorOf(QApplication.focusWidget())
        assert desktop.window.rail.buttons[spec.pane_id]._active


def test_commands_are_unique_and_make_no_part_before_they_run(desktop):
    specs = desktop.window.specs
    shortcuts = [spec.shortcut for spec in specs if spec.shortcut]
    assert len(set(shortcuts)) == len(shortcuts)
    assert len({spec.action_id for spec in specs}) == len(specs)
    assert "help" not in vars(desktop.window.late)
    next(spec for spec in specs if spec.action_id == "about").run()
    assert "help" in vars(desktop.window.late)


def test_f6_goes_round_the_panes_in_sight(desktop):
    window = desktop.window
    window.show_pane("conversations")
    window.focus_of_panes.go_on()
    assert window.focus_of_panes.here() == "approvals"
    window.focus_of_panes.go_on()
    assert window.focus_of_panes.here() == "conversations"
    window.focus_of_panes.go_back()
    assert window.focus_of_panes.here() == "approvals"


def test_closing_asks_first(make_desktop):
    desktop = make_desktop()
    asked = []
    desktop.window.close_requested.connect(lambda: asked.append(1))
    desktop.window.close()
    assert asked == [1]
    assert desktop.window.isVisible()
    desktop.window.allow_close()
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
