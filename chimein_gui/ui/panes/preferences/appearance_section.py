"""The page Appearance: theme, contrast, text size, motion, and single-key shortcuts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QT_TRANSLATE_NOOP

from chimein_gui.ui.panes.preferences.row import PreferenceRow
from chimein_gui.ui.panes.preferences.section import Section
from chimein_gui.ui.widgets.controls.segments import Segments
from chimein_gui.viewmodels.preferences.appearance import DEFAULTS, TEXT_SIZES, Look
from chimein_gui.viewmodels.preferences.catalogue import Page, translated

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from chimein_gui.ui.widgets.theme.theme import Theme
    from chimein_gui.viewmodels.preferences.preferences import PreferencesModel


@dataclass(frozen=True, slots=True)
class LookChoice:
    """One row of the page; its English texts are translated in the context ``Settings``."""

    what: Look
    title: object
    words: object
    options: tuple[tuple[str, object], ...]


_SYSTEM = ("system", QT_TRANSLATE_NOOP("Settings", "System"))

LOOKS = (
    LookChoice(
        Look.COLOURS,
        QT_TRANSLATE_NOOP("Settings", "Theme"),
        QT_TRANSLATE_NOOP("Settings", "Light, dark, or like the system."),
        (_SYSTEM, ("light", QT_TRANSLATE_NOOP("Settings", "Light")), ("dark", QT_TRANSLATE_NOOP("Settings", "Dark"))),
    ),
    LookChoice(
        Look.CONTRAST,
        QT_TRANSLATE_NOOP("Settings", "Contrast"),
        QT_TRANSLATE_NOOP("Settings", "High: stronger texts and lines, and a thick frame around what has the focus."),
        (
            _SYSTEM,
            ("usual", QT_TRANSLATE_NOOP("Settings", "Usual")),
            ("high", QT_TRANSLATE_NOOP("Settings", "High")),
        ),
    ),
    LookChoice(
        Look.TEXT_SIZE,
        QT_TRANSLATE_NOOP("Settings", "Text size"),
        QT_TRANSLATE_NOOP("Settings", "Percent of the system's size."),
        tuple((str(size), f"{size} %") for size in TEXT_SIZES),
    ),
    LookChoice(
        Look.MOTION,
        QT_TRANSLATE_NOOP("Settings", "Motion"),
        QT_TRANSLATE_NOOP("Settings", "Whether stickers and panes are animated."),
        (_SYSTEM, ("on", QT_TRANSLATE_NOOP("Settings", "On")), ("off", QT_TRANSLATE_NOOP("Settings", "Off"))),
    ),
    LookChoice(
        Look.SINGLE_KEYS,
        QT_TRANSLATE_NOOP("Settings", "Single-key shortcuts"),
        QT_TRANSLATE_NOOP("Settings", "A, E, R and other letters decide in Approvals."),
        (("on", QT_TRANSLATE_NOOP("Settings", "On")), ("off", QT_TRANSLATE_NOOP("Settings", "Off"))),
    ),
    LookChoice(
        Look.LANGUAGE,
        QT_TRANSLATE_NOOP("Settings", "Language"),
        QT_TRANSLATE_NOOP("Settings", "Takes effect at the next start."),
        (_SYSTEM, ("en", "English"), ("de", "Deutsch")),
    ),
)


class LookRow(PreferenceRow):
    """A choice of a few values."""

    def __init__(self, theme: Theme, look: LookChoice, model: PreferencesModel) -> None:
        super().__init__(theme, translated(look.title), translated(look.words), wide=True)
        self._look, self._model = look, model
        words = tuple(translated(word) for _, word in look.options)
        self.choice = Segments(theme, words, translated(look.title))
        self.place.addWidget(self.choice)
        self.place.addStretch(1)
        default = DEFAULTS[look.what]
        self.tell_field(self.choice, self.explain(words[self._place_of(default)]))
        self.choice.chosen.connect(lambda place: model.choose_look(look.what, look.options[place][0]))
        self.reset_pressed.connect(lambda: model.choose_look(look.what, default))
        model.appearance.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show the current value."""
        now = self._model.appearance.choice(self._look.what)
        self.choice.choose(self._place_of(now))
        self.reset.setVisible(self.is_changed())

    def is_changed(self) -> bool:
        return self._model.appearance.choice(self._look.what) != DEFAULTS[self._look.what]

    def _place_of(self, choice: str) -> int:
        return next((place for place, (value, _) in enumerate(self._look.options) if value == choice), -1)


class AppearanceSection(Section):
    """The page Appearance."""

    def __init__(self, theme: Theme, model: PreferencesModel) -> None:
        super().__init__(theme, Page.LOOK)
        self.looks = [LookRow(theme, look, model) for look in LOOKS]
        self.add_rows(self.looks)

    def focus_widget(self) -> QWidget:
        return self.looks[0].choice.focus_widget()
