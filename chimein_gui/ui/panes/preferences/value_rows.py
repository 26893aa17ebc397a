"""Rows that show a current value: those with a switch, with a choice, and with a folder."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chimein_gui.domain.settings.preferences import Preferences
from chimein_gui.ui.panes.preferences.row import PreferenceRow
from chimein_gui.ui.widgets.controls.form_fields import LineField
from chimein_gui.ui.widgets.controls.segments import Segments
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.labels import PlainLabel
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.preferences.catalogue import OFF, ON, embedding_price_words, translated

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from chimein_gui.ui.widgets.theme.theme import Theme
    from chimein_gui.viewmodels.preferences.catalogue import Setting
    from chimein_gui.viewmodels.preferences.preferences import PreferencesModel

_CHOICES = (ON, OFF)


class ValueRow(PreferenceRow):
    """Base of rows with a switch or a time of day: shows the current value, and resets it to the default."""

    def __init__(
        self, theme: Theme, setting: Setting, model: PreferencesModel, field: QWidget, *, wide: bool = False
    ) -> None:
        super().__init__(theme, translated(setting.title), translated(setting.words), wide=wide)
        self.setting, self._model = setting, model
        self.place.addWidget(field)
        self.field = field
        self.tell_field(field, self.explain(setting.in_words(Preferences())))
        self.reset_pressed.connect(lambda: model.reset(setting.name))
        model.changed.connect(self.refresh)

    def refresh(self) -> None:
        """Show the current value."""
        name = self.setting.name
        self.field.setEnabled(self._model.usable)
        self.reset.setVisible(self._model.usable and self.is_changed())
        self.refuse(foreign_text.line(self._model.refusal(name), 300))

    def is_changed(self) -> bool:
        return not self._model.is_default(self.setting.name)


class SwitchRow(ValueRow):
    """A row with a switch."""

    def __init__(self, theme: Theme, setting: Setting, model: PreferencesModel) -> None:
        self.choice = Segments(theme, (translated("On"), translated("Off")), translated(setting.title))
        super().__init__(theme, setting, model, self.choice)
        self.choice.chosen.connect(lambda place: model.change(setting, _CHOICES[place]))
        self.refresh()

    def refresh(self) -> None:
        self.choice.choose(_CHOICES.index(str(self.setting.shown(self._model.current))))
        super().refresh()


class ChoiceRow(ValueRow):
    """A row with a few choices beside each other, and what the current one costs."""

    def __init__(self, theme: Theme, setting: Setting, model: PreferencesModel) -> None:
        self._values = [value for value, _title in setting.choices]
        names = tuple(translated(title) for _value, title in setting.choices)
        self.choice = Segments(theme, names, translated(setting.title))
        self.price = PlainLabel(theme, "", Face.SMALL, "text2")
        super().__init__(theme, setting, model, self.choice, wide=True)
        self.place.addWidget(self.price)
        self.place.addStretch(1)
        self.choice.chosen.connect(lambda place: model.change(setting, self._values[place]))
        self.refresh()

    def refresh(self) -> None:
        value = str(self.setting.shown(self._model.current))
        self.choice.choose(self._values.index(value))
        self.price.setText(embedding_price_words(value, self._model.current))
        super().refresh()


class FolderRow(ValueRow):
    """A row with the path of a folder, which applies on Return or when the field loses the focus."""

    def __init__(self, theme: Theme, setting: Setting, model: PreferencesModel) -> None:
        self.path = LineField(theme, translated(setting.title), hint="~/models/bge-base-en-v1.5")
        super().__init__(theme, setting, model, self.path, wide=True)
        self.path.editingFinished.connect(self._change)
        self.refresh()

    def refresh(self) -> None:
        if not (self.path.hasFocus() and self.path.isModified()):
            self.path.setText(str(self.setting.shown(self._model.current)))
        super().refresh()

    def _change(self) -> None:
        self.path.setModified(False)
        self._model.change(self.setting, self.path.text())
