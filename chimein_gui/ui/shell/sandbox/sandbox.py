"""The sandbox's parts of the window: the chips in the top bar, and the scenario picker below them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint

from chimein_gui.ui.requests import PickScenario, ShowActiveFaults
from chimein_gui.ui.shell.sandbox.chips import SandboxChips
from chimein_gui.ui.shell.sandbox.scenario_picker import ScenarioPicker

if TYPE_CHECKING:
    from chimein_gui.ui.shell.bars.top_bar import TopBar
    from chimein_gui.ui.shell.context import ShellContext

REHEARSAL = "rehearsal"


class SandboxShell(QObject):
    """Created only in the sandbox; a live run never imports it."""

    def __init__(self, shell: ShellContext, top_bar: TopBar) -> None:
        super().__init__(shell.window)
        self._window = shell.window
        models = shell.models
        rehearsal = models.rehearsal
        self.chips = chips = SandboxChips(shell.theme, rehearsal, models.approvals, models.model_choice, self)
        self.picker = ScenarioPicker(shell.theme, rehearsal, models.model_choice, shell.window)
        top_bar.take_sandbox(chips.badge, chips.playing, chips.faults)
        chips.over_pressed.connect(lambda: shell.dock_manager.show_pane("approvals"))
        self.chips.pick_pressed.connect(self.toggle_picker)
        self.chips.playing_pressed.connect(lambda: shell.dock_manager.show_pane(REHEARSAL))
        self.chips.faults_pressed.connect(lambda: shell.requests.send(ShowActiveFaults()))
        shell.requests.on(PickScenario, lambda _request: self.toggle_picker())
        self.picker.pane_requested.connect(lambda: shell.dock_manager.show_pane(REHEARSAL))

    def toggle_picker(self) -> None:
        """Open the picker below the badge, or close it."""
        if self.picker.isVisible():
            self.picker.dismiss()
            return
        badge = self.chips.badge
        self.picker.open_under(badge, badge.mapTo(self._window, QPoint(0, badge.height() + 6)))
