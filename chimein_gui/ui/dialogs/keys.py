"""Sets or replaces a key: the form, where the key will be stored, and two buttons."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from chimein_gui.ui.dialogs.key_forms import ApplicationForm, ModelKeyForm, PostgresForm
from chimein_gui.ui.dialogs.small_dialog import SmallDialog
from chimein_gui.ui.widgets.controls.action_button import ActionButton, Kind
from chimein_gui.ui.widgets.surfaces.inline_message import InlineMessage
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.viewmodels.preferences.keys import Key

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from chimein_gui.ui.widgets.theme.theme import Theme
    from chimein_gui.viewmodels.preferences.keys import KeysModel

DIALOG_WIDTH = 560

translate = QCoreApplication.translate


class KeyDialog(SmallDialog):
    """Closes itself when the key is stored. Open it with open()."""

    def __init__(self, theme: Theme, keys: KeysModel, key: Key, parent: QWidget) -> None:
        self.keep = ActionButton(theme, translate("KeyDialog", "Save"), kind=Kind.PRIMARY)
        titles = {
            Key.MODEL: translate("KeyDialog", "Gemini API key"),
            Key.APPLICATION: translate("KeyDialog", "Telegram application"),
            Key.POSTGRES: translate("KeyDialog", "PostgreSQL with pgvector"),
        }
        super().__init__(theme, titles[key], foreign_text.line(keys.place_words(), 300), self.keep, parent)
        self._keys, self._key = keys, key
        self.form = _form_of(theme, keys, key)
        self._refused = InlineMessage(theme)
        self.middle.setSpacing(10)
        self.middle.addWidget(self.form)
        self.middle.addWidget(self._refused)
        self.keep.setDefault(True)
        self.keep.clicked.connect(self._keep)
        self.form.edited.connect(self.refresh)
        keys.changed.connect(self.refresh)
        keys.kept.connect(self._kept)
        self.refresh()
        self.fit(DIALOG_WIDTH)
        self.form.setFocus()

    def refresh(self) -> None:
        """Update the Save button and the error message."""
        row = self._keys.row(self._key)
        self._refused.refuse(foreign_text.line(row.refusal, 300))
        usable = self.form.is_usable()
        why_not = "" if usable else translate("KeyDialog", "This doesn't look like a key yet")
        self.keep.allow(translate("KeyDialog", "Saving…") if row.busy else why_not)

    def _keep(self) -> None:
        if isinstance(self.form, ModelKeyForm | PostgresForm):
            self._keys.keep(self._key, self.form.text())
        else:
            self._keys.keep(Key.APPLICATION, *self.form.values())

    def _kept(self, key: str) -> None:
        if key == self._key.value:
            self.form.clear()
            self.accept()


def _form_of(theme: Theme, keys: KeysModel, key: Key) -> ModelKeyForm | ApplicationForm | PostgresForm:
    if key is Key.MODEL:
        return ModelKeyForm(theme, keys)
    return PostgresForm(theme, keys) if key is Key.POSTGRES else ApplicationForm(theme, keys)
