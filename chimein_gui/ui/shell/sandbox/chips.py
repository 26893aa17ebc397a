"""The violet chips of the sandbox: that nothing is real, what plays, and how much goes wrong on purpose."""

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
"""Most characters of a scenario's title in the bar; the pane shows it whole."""


class SandboxChips(QObject):
    """Three chips; the last two are there only while there is something to tell.

    Attributes:
        badge: That this is the sandbox.
        playing: What plays, and that it is over.
        faults: What goes wrong on purpose.
        pick_pressed: The operator wants to play something.
        playing_pressed: He wants to see what plays.
        over_pressed: He wants to see what waits after it.
        faults_pressed: He wants to see what goes wrong on purpose.
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
        """What has been seen to play and not been looked at since its end."""
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
        """Tell anew what goes on."""
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
        """Say what is not real, and what is: a model that costs money must not look like one that does not."""
        if self._model_choice.is_real:
            sign, words = IconLabel("flask", self.tr("Sandbox · real model"), "unreal"), self.tr("answers cost money")
            spoken = self.tr("Accounts and people are simulated. The model is real: its answers cost money.")
        else:
            sign, words = IconLabel("flask", self.tr("Sandbox"), "unreal"), self.tr("nothing here is real")
            spoken = self.tr("Nothing here is real.")
        self.badge.say(sign, words, "unreal_soft")
        press = self.tr("Press to play a scenario.")
        self.badge.setAccessibleDescription(f"{spoken} {press}")

    def _show_playing(self, now: ScenarioProgress) -> None:
        known = self._rehearsal.scenario_named(now.name)
        of = f"{now.done}/{known.lines}" if known is not None and known.lines else str(now.done)
        title = foreign_text.name(self._rehearsal.title_of(now))
        sign = IconLabel("pause-circle" if now.paused else "clapper", foreign_text.short(title, TITLE), "unreal")
        self.playing.say(sign, of, "unreal_soft", short=of)
        state = self.tr("Paused: {title}, {of}") if now.paused else self.tr("Rehearsing: {title}, {of}")
        self._name_playing(state.format(title=title, of=of))

    def _show_over(self, now: ScenarioProgress) -> None:
        """Say that nothing more comes, and what is left to do."""
        title = foreign_text.name(self._rehearsal.title_of(now))
        ended = self.tr("{title} stopped early") if now.problem else self.tr("{title} finished")
        number = self._approvals.waiting_count
        waits = translate("SandboxChips", "%n wait(s) for you", "", number)
        left = waits if number else self.tr("nothing waits for you")
        sign = IconLabel(
            "alert" if now.problem else "check", ended.format(title=foreign_text.short(title, TITLE)), "unreal"
        )
        short = self.tr("Stopped early") if now.problem else self.tr("Finished")
        self.playing.say(sign, left, "unreal_soft", short=short)
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
