import subprocess
import sys

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel

from chimein_gui.domain.agents import FileProblem, Health
from chimein_gui.domain.errors import StoreWriteError
from chimein_gui.ui.shell.actions import all_actions, handler_of
from chimein_gui.ui.shell.registry import PANES
from chimein_gui.ui.widgets.theme import Scheme
from tests.fakes.console import agent

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


def test_commands_are_unique_and_their_handlers_exist(desktop):
    specs = all_actions(PANES)
    shortcuts = [spec.shortcut for spec in specs if spec.shortcut]
    assert len(set(shortcuts)) == len(shortcuts)
    assert len({spec.action_id for spec in specs}) == len(specs)
    assert all(callable(handler_of(spec, desktop.window)) for spec in specs)


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
    assert not second.window.docks["agents"].isHidden()


def test_a_fault_is_shown_until_it_is_over(desktop, qtbot):
    bar = desktop.window.fault_bar
    assert not bar.isVisible()
    desktop.put_fault("key", "Gemini refuses the key.", "Messages are stored; check the key.")
    assert bar.isVisible()
    assert bar._cause.text() == "Gemini refuses the key."
    desktop.put_fault("net", "No connection.", "")
    assert bar._number.text() == "1 of 2"
    qtbot.mouseClick(bar._close, Qt.MouseButton.LeftButton)
    desktop.put_fault("key", "")
    assert not bar.isVisible()


def test_a_decision_that_failed_is_told_in_the_bar(desktop):
    desktop.console.fail = StoreWriteError("The disk is full.")
    desktop.models.actions.approve(desktop.approvals.list.current())
    desktop.settle()
    assert desktop.window.fault_bar._cause.text() == "The disk is full."


def test_agents_are_started_and_stopped(desktop):
    pane = desktop.agents
    desktop.window.show_pane("agents")
    assert pane.verbs.stop.accessibleName() == "Stop Nora Vale"
    desktop.click(pane.verbs.stop)
    assert desktop.console.stopped == [1]
    desktop.click(pane.verbs.start)
    assert desktop.console.started == [1]
    desktop.put_agent(agent(health=Health.FAULTY_FILE))
    assert not pane.verbs.start.isEnabled()


def test_file_problems_name_file_line_and_reason(desktop):
    desktop.window.show_pane("agents")
    desktop.put_problems(FileProblem("/etc/agents/Bram.md", 16, "Unknown heading."))
    assert desktop.agents._problems._rows[0].accessibleName() == "agents/Bram.md:16: Unknown heading."
    assert desktop.window.rail.buttons["agents"].accessibleName() == "Agents, 1 waiting"


def test_small_windows_have_a_narrow_rail(desktop):
    desktop.window.resize(1280, 720)
    assert desktop.window.rail.buttons["agents"].sizeHint().width() == 48


def test_every_label_is_plain_text(desktop):
    desktop.open_chat()
    labels = desktop.window.findChildren(QLabel)
    assert labels
    assert {label.textFormat() for label in labels} == {Qt.TextFormat.PlainText}


@pytest.mark.parametrize("module", ["telethon", "google", "numpy", "asyncio", "PySide6.QtNetwork", "PySide6.QtSvg"])
def test_the_window_costs_no_vendor(module):
    code = (
        "import chimein_gui.ui.shell.start, chimein_gui.viewmodels.window_models, sys;"
        f"sys.exit({module!r} in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False, timeout=60).returncode == 0
