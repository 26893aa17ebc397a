"""The violet chips of the sandbox: that nothing is real, what plays, and how much goes wrong on purpose."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from chimein_gui.ui.shell.chip import Chip
from chimein_gui.ui.widgets import foreign_text
from chimein_gui.ui.widgets.marks import Sign
from chimein_gui.ui.widgets.theme import Theme
from chimein_gui.ui.widgets.tips import give_tip
from chimein_gui.viewmodels.rehearsal import RehearsalModel

TITLE = 22
"""Most characters of a scenario's title in the bar; the pane shows it whole."""


class SandboxChips(QWidget):
    """Three chips; the last two are there only while there is something to tell.

    Attributes:
        pick_pressed: The operator wants to play something.
        playing_pressed: He wants to see what plays.
        faults_pressed: He wants to see what goes wrong on purpose.
    """

    pick_pressed = Signal()
    playing_pressed = Signal()
    faults_pressed = Signal()

    def __init__(self, theme: Theme, rehearsal: RehearsalModel) -> None:
        super().__init__()
        self._rehearsal, self._compact = rehearsal, False
        self.badge, self.playing, self.faults = Chip(theme, caret=True), Chip(theme), Chip(theme)
        self.badge.setToolTip(self.tr("Play a scenario (Ctrl+Shift+P)"))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        for chip, pressed in (
            (self.badge, self.pick_pressed),
            (self.playing, self.playing_pressed),
            (self.faults, self.faults_pressed),
        ):
            row.addWidget(chip)
            chip.clicked.connect(pressed)
        rehearsal.changed.connect(self.refresh)
        rehearsal.cast_changed.connect(self.refresh)
        self.refresh()

    def set_compact(self, compact: bool) -> None:
        """Leave out what a small window has no room for."""
        if compact != self._compact:
            self._compact = compact
            self.refresh()

    def refresh(self) -> None:
        """Tell anew what goes on."""
        real = "" if self._compact else self.tr("nothing here is real")
        self.badge.say(Sign("flask", self.tr("Sandbox"), "unreal"), real, "unreal_soft")
        self.badge.setAccessibleDescription(self.tr("Nothing here is real. Press to play a scenario."))
        now = self._rehearsal.scenario
        self.playing.setVisible(now is not None and self._rehearsal.plays())
        if now is not None and self._rehearsal.plays():
            known = self._rehearsal.scenario_named(now.name)
            of = f"{now.done}/{known.lines}" if known is not None and known.lines else str(now.done)
            title = foreign_text.name(self._rehearsal.title_of(now))
            shown = of if self._compact else foreign_text.short(title, TITLE)
            sign = Sign("pause-circle" if now.paused else "clapper", shown, "unreal")
            self.playing.say(sign, "" if self._compact else of, "unreal_soft")
            state = self.tr("Paused: {title}, {of}") if now.paused else self.tr("Rehearsing: {title}, {of}")
            self.playing.setAccessibleName(state.format(title=title, of=of))
            give_tip(self.playing, state.format(title=title, of=of))
        self._show_faults(len(self._rehearsal.state.faults))

    def _show_faults(self, number: int) -> None:
        self.faults.setVisible(number > 0)
        if not number:
            return
        words = self.tr("1 fault in force") if number == 1 else self.tr("{n} faults in force").format(n=number)
        self.faults.say(Sign("bolt", str(number) if self._compact else words, "unreal"), "", "unreal_soft")
        self.faults.setAccessibleName(words)
        self.faults.setToolTip(words)
