"""The row of a number, a duration or a model, in its own unit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractSpinBox, QLineEdit, QWidget

from chimein_gui.domain.costs import PRICES
from chimein_gui.domain.settings.preferences import Preferences
from chimein_gui.ui.panes.preferences.row import PreferenceRow
from chimein_gui.ui.widgets.controls.form_fields import Choice, NumberField, SecondsField
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.labels import PlainLabel
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.preferences.catalogue import Setting, Sort, price_words, translated

if TYPE_CHECKING:
    from chimein_gui.ui.widgets.theme.theme import Theme
    from chimein_gui.viewmodels.preferences.preferences import PreferencesModel

_FIELD, _MODEL, _UNIT = 96, 190, 64


class SettingRow(PreferenceRow):
    """Shows the current value. A change applies on Return, with the arrow keys, or when the field loses the focus.

    Attributes:
        undo_pressed: Ctrl+Z was pressed in a field without unsaved input.
    """

    undo_pressed = Signal()

    def __init__(self, theme: Theme, setting: Setting, model: PreferencesModel) -> None:
        super().__init__(theme, translated(setting.title), translated(setting.words), wide=setting.sort is Sort.MODEL)
        self.setting, self._model = setting, model
        self._editor: QLineEdit | None = None
        self.field = self._make_field(theme)
        self.field.installEventFilter(self)
        self.unit = PlainLabel(theme, "", Face.SMALL, "text2")
        self.unit.setMinimumWidth(_UNIT)
        self.unit.setText(translated(setting.unit))
        self.place.addWidget(self.field)
        self.place.addWidget(self.unit)
        if setting.sort is Sort.MODEL:
            self.place.addStretch(1)
        self.tell_field(self.field, self.explain(setting.in_words(Preferences())))
        if isinstance(self.field, QAbstractSpinBox):
            self.unit.setBuddy(self.field)  # its name is the title with the unit
        self.reset_pressed.connect(lambda: model.reset(setting.name))
        model.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show the current value, and why the last change was refused.

        What is being typed is not overwritten.
        """
        preferences, name = self._model.current, self.setting.name
        shown = self.setting.shown(preferences)
        blocked = self.field.blockSignals(True)
        if isinstance(self.field, Choice):
            self._show_model(self.field, str(shown), preferences)
        elif isinstance(self.field, NumberField) and not _holds_typed_number(self.field):
            self.field.setValue(round(float(shown)))
        elif isinstance(self.field, SecondsField) and not _holds_typed_number(self.field):
            self.field.setValue(float(shown))
        self.field.blockSignals(blocked)
        self.field.setEnabled(self._model.usable)
        self.reset.setVisible(self._model.usable and self.is_changed())
        self.refuse(foreign_text.line(self._model.refusal(name), 300))

    def is_changed(self) -> bool:
        return not self._model.is_default(self.setting.name)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Wheel and not self.field.hasFocus():
            event.ignore()  # the wheel scrolls the page, and does not change the value
            return True
        undoes = isinstance(event, QKeyEvent) and event.matches(QKeySequence.StandardKey.Undo)
        if undoes and event.type() == QEvent.Type.KeyPress and not self._is_being_typed():
            self.undo_pressed.emit()
            return True
        return super().eventFilter(watched, event)

    def _is_being_typed(self) -> bool:
        if isinstance(self.field, QAbstractSpinBox):
            return self.field.lineEdit().isModified()
        return isinstance(self.field, Choice) and self.field.currentText() != self._model.current.model

    def _make_field(self, theme: Theme) -> QWidget:
        setting, name = self.setting, translated(self.setting.title)
        if setting.sort is Sort.MODEL:
            choice = Choice(theme, name, editable=True)
            choice.setMinimumWidth(_MODEL)
            choice.set_entries([(price.model, price.model) for price in PRICES])
            choice.activated.connect(lambda _place: self._change(choice.currentText()))
            self._editor = choice.lineEdit()
            if self._editor is not None:
                self._editor.editingFinished.connect(lambda: self._change(choice.currentText()))
                self._editor.installEventFilter(self)
            return choice
        if setting.sort is Sort.TIME:
            seconds = SecondsField(theme, name, most=setting.most, width=_FIELD)
            seconds.setSuffix("")
            seconds.valueChanged.connect(self._change)
            return seconds
        number = NumberField(theme, name, least=round(setting.least), most=round(setting.most), width=_FIELD)
        number.setGroupSeparatorShown(True)
        number.valueChanged.connect(self._change)
        return number

    def _change(self, shown: float | str) -> None:
        if isinstance(shown, str) and not shown.strip():
            self.refresh()
        else:
            self._model.change(self.setting, shown)

    def _show_model(self, choice: Choice, model: str, preferences: Preferences) -> None:
        editor = self._editor
        if editor is not None and not (editor.isModified() and editor.hasFocus()):
            choice.setCurrentText(foreign_text.line(model))
            editor.setModified(False)
        price = price_words(model, preferences)
        words = self.tr("{price} a million tokens").format(price=price) if price else self.tr("price not known")
        self.unit.setText(words)


def _holds_typed_number(field: NumberField | SecondsField) -> bool:
    """Return whether a number stands in a field that it has not taken as its value yet."""
    typed = field.hasFocus() and field.lineEdit().isModified()
    return typed and field.cleanText() != field.textFromValue(field.value())  # type: ignore[arg-type]
