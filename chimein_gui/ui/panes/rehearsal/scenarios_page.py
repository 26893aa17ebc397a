"""The page of scenarios: the list, the running scenario, speed and seed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from chimein_gui.ui.panes.rehearsal.now_playing import NowPlaying
from chimein_gui.ui.panes.rehearsal.scenario_list import ScenarioList
from chimein_gui.ui.widgets.controls.action_button import ActionButton, Kind
from chimein_gui.ui.widgets.controls.form_fields import NumberField
from chimein_gui.ui.widgets.controls.segments import Segments
from chimein_gui.ui.widgets.surfaces.empty_state import EmptyState
from chimein_gui.ui.widgets.surfaces.inline_message import InlineMessage
from chimein_gui.ui.widgets.surfaces.surface import Footer
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.labels import ElidedLabel, PlainLabel
from chimein_gui.ui.widgets.theme.mirror import set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.core.numbers import short_words
from chimein_gui.viewmodels.rehearsal.commands import RehearsalCommand

if TYPE_CHECKING:
    from chimein_gui.ui.pane import PaneContext

SPEEDS = (0.5, 1.0, 2.0, 5.0, 20.0)
MOST_SEED = 2**31 - 1
LABEL = 48


class ScenariosPage(QWidget):
    """The card of the running scenario, the list, and the controls below."""

    def __init__(self, context: PaneContext) -> None:
        super().__init__()
        self._theme, self._rehearsal = context.theme, context.models.rehearsal
        self.list = ScenarioList(self._theme, self._rehearsal)
        self.now = NowPlaying(self._theme, self._rehearsal)
        words = tuple(f"{short_words(speed)}×" for speed in SPEEDS)
        self.speed = Segments(self._theme, words, self.tr("Speed"))
        self.seed = NumberField(self._theme, self.tr("Seed"), least=0, most=MOST_SEED, width=112)
        self.play = ActionButton(self._theme, self.tr("Play"), icon="play", kind=Kind.UNREAL)
        self.play.setAutoDefault(True)
        self._chosen = ElidedLabel(self._theme, "", Face.STRONG)
        self._refused = InlineMessage(self._theme)
        self._nothing = EmptyState(self._theme, "clapper", color="unreal", ground="unreal_soft")
        self._nothing.say(self.tr("Nothing to play"), self.tr("This sandbox has no scenarios."))
        self._build()
        self._wire()
        self.refresh()

    def _build(self) -> None:
        foot = Footer(self._theme)
        column = QVBoxLayout(foot)
        set_rtl_margins(column, 14, 10, 12, 10)
        column.setSpacing(8)
        hint = ElidedLabel(self._theme, self.tr("Same seed, same rehearsal"), Face.SMALL, "text3")
        for name, parts in ((self.tr("Speed"), (self.speed,)), (self.tr("Seed"), (self.seed, hint))):
            row = QHBoxLayout()
            row.setSpacing(8)
            label = PlainLabel(self._theme, name, Face.SMALL, "text2")
            label.setMinimumWidth(LABEL)
            row.addWidget(label)
            for part in parts:
                row.addWidget(part, 1 if part is hint else 0)
            if hint not in parts:
                row.addStretch(1)
            column.addLayout(row)
        column.addWidget(self._refused)
        last = QHBoxLayout()
        last.setSpacing(8)
        last.addWidget(self._chosen, 1)
        last.addWidget(self.play)
        column.addLayout(last)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        card = QVBoxLayout()
        card.setContentsMargins(10, 2, 10, 8)
        card.addWidget(self.now)
        whole.addLayout(card)
        whole.addWidget(self.list, 1)
        whole.addWidget(self._nothing, 1)
        whole.addWidget(foot)

    def _wire(self) -> None:
        self.list.current_changed.connect(self.refresh)
        self.list.play_pressed.connect(self._rehearsal.commands.play)
        self.play.clicked.connect(self._play)
        self.speed.chosen.connect(lambda place: self._rehearsal.commands.set_speed(SPEEDS[place]))
        self.seed.editingFinished.connect(self._sow)
        self._rehearsal.changed.connect(self.refresh)
        self._rehearsal.cast_changed.connect(self.refresh)

    def focus_widget(self) -> QWidget:
        """Return the widget that gets the focus when the page is entered."""
        return self.list

    def refresh(self) -> None:
        """Update the controls from the state of the sandbox."""
        rehearsal, row = self._rehearsal, self.list.chosen()
        title = foreign_text.name(row.scenario.title) if row is not None else ""
        self._chosen.setText(title)
        self.list.setVisible(row is not None)
        self._nothing.setVisible(row is None)
        busy = rehearsal.busy(RehearsalCommand.SCENARIO)
        now = rehearsal.scenario
        again = row is not None and now is not None and rehearsal.plays() and now.name == row.scenario.name
        word, icon = (self.tr("Start over"), "undo") if again else (self.tr("Play"), "play")
        self.play.set_look(word, icon="spinner" if busy else icon, kind=Kind.PLAIN if again else Kind.UNREAL)
        self.play.setAccessibleName(f"{word}: {title}" if again else self.tr("Play {title}").format(title=title))
        self.play.allow("" if row is not None else self.tr("No scenario is chosen"))
        speed = rehearsal.state.speed
        if not rehearsal.busy(RehearsalCommand.SPEED):
            self.speed.choose(SPEEDS.index(speed) if speed in SPEEDS else -1)
        if not self.seed.hasFocus() and not rehearsal.busy(RehearsalCommand.SEED):
            self.seed.setValue(min(MOST_SEED, rehearsal.state.seed))
        reasons = (
            rehearsal.refusal(command)
            for command in (RehearsalCommand.SCENARIO, RehearsalCommand.SPEED, RehearsalCommand.SEED)
        )
        self._refused.refuse(next((reason for reason in reasons if reason), ""))

    def _play(self) -> None:
        row = self.list.chosen()
        if row is not None:
            self._rehearsal.commands.play(row.scenario.name)

    def _sow(self) -> None:
        if self.seed.value() != self._rehearsal.state.seed:
            self._rehearsal.commands.set_seed(self.seed.value())
