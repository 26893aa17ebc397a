"""The violet chips of the sandbox: the badge, the running scenario, and the active faults."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, Signal

from chimein_gui.ui.shell.bars.chip import Chip
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.tips import give_tip
from chimein_gui.ui.widgets.theme.marks import IconLabel
from chimein_gui.ui.widgets.theme.theme import Theme
from chimein_gui.viewmodels.rehearsal.rehearsal import RehearsalModel, is_over

if TYPE_CHECKING:
    from chimein_gui.sandbox_api import ScenarioProgress
    from chimein_gui.viewmodels.approvals.store import ApprovalStore
    from chimein_gui.viewmodels.rehearsal.model_choice import ModelChoiceModel

translate = QCoreApplication.translate

TITLE = 22
"""Most characters of a scenario's title in the bar; the pane shows all of it."""


class SandboxChips(QObject):
    """Three chips; the last two are visible only while they have something to show.

    Attributes:
        badge: Says that this is the sandbox.
        playing: The running scenario, or that it has ended.
        faults: The number of active faults.
        pick_pressed: The operator wants to choose a scenario.
        playing_pressed: The operator wants to see the running scenario.
        over_pressed: The operator wants to see what waits after a scenario.
        faults_pressed: The operator wants to see the active faults.
    """

    pick_pressed = Signal()
    playing_pressed = Signal()
    over_pressed = Signal()
    faults_pressed = Signal()

    def __init__(
        self,
        theme: Theme,
        rehearsal: RehearsalModel,
        approvals: ApprovalStore,
        model_choice: ModelChoiceModel,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._rehearsal, self._approvals, self._model_choice = rehearsal, approvals, model_choice
        self._played = ""
        """Name of the running scenario; kept after its end until the operator clicks the chip."""
        self.badge, self.playing, self.faults = Chip(theme, caret=True), Chip(theme), Chip(theme)
        give_tip(self.badge, self.tr("Play a scenario (Ctrl+Shift+P)"))
        self.badge.clicked.connect(self.pick_pressed)
        self.playing.clicked.connect(self._press_playing)
        self.faults.clicked.connect(self.faults_pressed)
        rehearsal.changed.connect(self.refresh)
        rehearsal.cast_changed.connect(self.refresh)
        approvals.waiting_changed.connect(self.refresh)
        model_choice.changed.connect(self._show_badge)
        self._show_badge()
        self.refresh()

    def refresh(self) -> None:
        """Update the chips."""
        now = self._rehearsal.scenario
        if now is not None and not is_over(now):
            self._played = now.name
            self._show_playing(now)
        elif now is not None and now.name == self._played and not now.stopped:
            self._show_over(now)
        else:
            self._played = ""
        self.playing.setVisible(bool(self._played))
        self._show_faults(len(self._rehearsal.state.faults))

    def _show_badge(self) -> None:
        """Show what is simulated, and whether the model is real, because a real one costs money."""
        if self._model_choice.is_real:
            label, words = IconLabel("flask", self.tr("Sandbox · real model"), "unreal"), self.tr("answers cost money")
            spoken = self.tr("Accounts and people are simulated. The model is real: its answers cost money.")
        else:
            label, words = IconLabel("flask", self.tr("Sandbox"), "unreal"), self.tr("nothing here is real")
            spoken = self.tr("Nothing here is real.")
        self.badge.say(label, words, "unreal_soft")
        press = self.tr("Press to play a scenario.")
        self.badge.setAccessibleDescription(f"{spoken} {press}")

    def _show_playing(self, now: ScenarioProgress) -> None:
        known = self._rehearsal.scenario_named(now.name)
        of = f"{now.done}/{known.lines}" if known is not None and known.lines else str(now.done)
        title = foreign_text.name(self._rehearsal.title_of(now))
        label = IconLabel("pause-circle" if now.paused else "clapper", foreign_text.short(title, TITLE), "unreal")
        self.playing.say(label, of, "unreal_soft", short=of)
        state = self.tr("Paused: {title}, {of}") if now.paused else self.tr("Rehearsing: {title}, {of}")
        self._name_playing(state.format(title=title, of=of))

    def _show_over(self, now: ScenarioProgress) -> None:
        """Show that the scenario has ended, and what is left to decide."""
        title = foreign_text.name(self._rehearsal.title_of(now))
        ended = self.tr("{title} stopped early") if now.problem else self.tr("{title} finished")
        number = self._approvals.waiting_count
        waits = translate("SandboxChips", "%n wait(s) for you", "", number)
        left = waits if number else self.tr("nothing to approve")
        label = IconLabel(
            "alert" if now.problem else "check", ended.format(title=foreign_text.short(title, TITLE)), "unreal"
        )
        short = self.tr("Stopped early") if now.problem else self.tr("Finished")
        self.playing.say(label, left, "unreal_soft", short=short)
        self._name_playing(f"{ended.format(title=title)}, {left}")

    def _name_playing(self, words: str) -> None:
        self.playing.setAccessibleName(words)
        give_tip(self.playing, words)

    def _press_playing(self) -> None:
        if self._rehearsal.plays():
            self.playing_pressed.emit()
            return
        self._played = ""
        self.refresh()
        self.over_pressed.emit()

    def _show_faults(self, number: int) -> None:
        self.faults.setVisible(number > 0)
        if not number:
            return
        words = translate("SandboxChips", "%n active fault(s)", "", number)
        self.faults.say(IconLabel("bolt", words, "unreal"), "", "unreal_soft", short=str(number))
        self.faults.setAccessibleName(words)
        give_tip(self.faults, words)
