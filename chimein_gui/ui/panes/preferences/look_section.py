"""How the window looks: colours, letters, motion, and whether single letters decide."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from chimein_gui.ui.panes.preferences.row import PreferenceRow
from chimein_gui.ui.panes.preferences.section import Section
from chimein_gui.ui.widgets.controls.segments import Segments
from chimein_gui.viewmodels.preferences.catalogue import Page, translated
from chimein_gui.viewmodels.preferences.look import LOOK_DEFAULTS, LookGroup

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from chimein_gui.ui.widgets.theme.theme import Theme
    from chimein_gui.viewmodels.preferences.preferences import PreferencesModel


@dataclass(frozen=True, slots=True)
class LookChoice:
    """One line of the page: English words, translated in the context ``Settings``."""

    group: LookGroup
    title: str
    words: str
    options: tuple[tuple[str, str], ...]


_SYSTEM = ("system", "As the system")

LOOKS = (
    LookChoice(LookGroup.COLOURS, "Colours", "Light, dark, or what the desktop asks for.",
               (_SYSTEM, ("light", "Light"), ("dark", "Dark"))),
    LookChoice(LookGroup.LETTERS, "Size of the letters", "Percent of the system's size.",
               tuple((str(size), f"{size} %") for size in (90, 100, 110, 125, 150))),
    LookChoice(LookGroup.MOTION, "Motion", "Whether stickers and panes move by themselves.",
               (_SYSTEM, ("on", "On"), ("off", "Off"))),
    LookChoice(LookGroup.SINGLE_KEYS, "Single keys", "A, E, R and other letters decide in the approvals.",
               (("on", "On"), ("off", "Off"))),
)  # fmt: skip


class LookRow(PreferenceRow):
    """A choice of a few."""

    def __init__(self, theme: Theme, look: LookChoice, model: PreferencesModel) -> None:
        super().__init__(theme, translated(look.title), translated(look.words), wide=True)
        self._look, self._model = look, model
        words = tuple(translated(word) for _, word in look.options)
        self.choice = Segments(theme, words, translated(look.title))
        self.place.addWidget(self.choice)
        self.place.addStretch(1)
        self.place.addWidget(self.reset)
        default = LOOK_DEFAULTS[look.group]
        self.explain(words[self._place_of(default)])
        self.choice.chosen.connect(lambda place: model.choose_look(look.group, look.options[place][0]))
        self.reset_pressed.connect(lambda: model.choose_look(look.group, default))
        model.look.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show what holds."""
        now = self._model.look.choice(self._look.group)
        self.choice.choose(self._place_of(now))
        self.reset.setVisible(now != LOOK_DEFAULTS[self._look.group])

    def _place_of(self, choice: str) -> int:
        return next((place for place, (value, _) in enumerate(self._look.options) if value == choice), -1)


class LookSection(Section):
    """The page."""

    def __init__(self, theme: Theme, model: PreferencesModel) -> None:
        super().__init__(theme, Page.LOOK)
        self.looks = [LookRow(theme, look, model) for look in LOOKS]
        self.add_rows(self.looks)

    def focus_widget(self) -> QWidget:
        return self.looks[0].choice.focus_widget()
