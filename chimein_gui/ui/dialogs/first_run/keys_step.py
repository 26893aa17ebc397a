"""Step four: the Gemini key and the Telegram application. What is typed is saved when the step is left."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout

from chimein_gui.ui.dialogs.first_run.page import Step
from chimein_gui.ui.dialogs.key_forms import ApplicationForm, ModelKeyForm
from chimein_gui.ui.widgets.surfaces.inline_message import BOX, InlineMessage
from chimein_gui.ui.widgets.surfaces.state_chip import StateChip
from chimein_gui.ui.widgets.surfaces.surface import Card
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.labels import PlainLabel
from chimein_gui.ui.widgets.theme.marks import IconLabel
from chimein_gui.ui.widgets.theme.mirror import set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.preferences.keys import Key, KeyState

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from chimein_gui.ui.widgets.theme.theme import Theme
    from chimein_gui.viewmodels.preferences.keys import KeysModel

translate = QCoreApplication.translate


class KeysStep(Step):
    """Two forms with a mark at each key that is saved already and need not be typed again."""

    def __init__(self, theme: Theme, keys: KeysModel) -> None:
        words = translate(
            "FirstRunKeys",
            "Gemini writes the replies, and Telegram needs an application ID. You can change both in"
            " Preferences at any time.",
        )
        super().__init__(
            theme,
            translate("FirstRunKeys", "Keys"),
            translate("FirstRunKeys", "Connect Gemini and Telegram"),
            words,
        )
        self._keys = keys
        self._pending: set[Key] = set()
        self.model, self.application = ModelKeyForm(theme, keys), ApplicationForm(theme, keys)
        self._kept = {Key.MODEL: StateChip(theme), Key.APPLICATION: StateChip(theme)}
        self._refused = InlineMessage(theme)
        self._place = InlineMessage(theme, BOX)
        for key, title, form in (
            (Key.MODEL, "", self.model),
            (Key.APPLICATION, translate("FirstRunKeys", "Telegram application"), self.application),
        ):
            card = Card(theme)
            inside = QVBoxLayout(card)
            set_rtl_margins(inside, 16, 12, 14, 12)
            inside.setSpacing(8)
            head = QHBoxLayout()
            if title:
                head.addWidget(PlainLabel(theme, title, Face.STRONG))
            head.addStretch(1)
            head.addWidget(self._kept[key])
            inside.addLayout(head)
            inside.addWidget(form)
            self.column.addWidget(card)
            form.edited.connect(self._edited)
        self.column.addWidget(self._refused)
        self.column.addWidget(self._place)
        self.column.addStretch(1)
        keys.changed.connect(self.refresh)
        keys.kept.connect(self._settled)
        self.refresh()

    def refresh(self) -> None:
        """Show which keys are saved, where keys are stored, and why one could not be saved."""
        safe = self._keys.is_safe()
        icon, token = ("lock", "ok") if safe else ("warning", "attention")
        title = (
            translate("FirstRunKeys", "The keys are stored in the system keychain")
            if safe
            else translate("FirstRunKeys", "No system keychain found")
        )
        self._place.say(IconLabel(icon, title, token), foreign_text.line(self._keys.place_words(), 300))
        for key, chip in self._kept.items():
            row = self._keys.row(key)
            words = translate("FirstRunKeys", "Already saved, ends in {end}").format(
                end=foreign_text.line(row.end) or "…"
            )
            chip.say(IconLabel("ok-circle", words, "ok") if row.state is not KeyState.NOT_SET else None)
        refusals = [self._keys.row(key).refusal for key in self._kept]
        self._refused.refuse(foreign_text.line(next((one for one in refusals if one), ""), 300))
        if any(refusals):
            self._pending.clear()
        self.changed.emit()

    def why_not(self) -> str:
        if self._pending:
            return translate("FirstRunKeys", "Saving the keys…")
        return ""

    def says_why(self) -> bool:
        return bool((self.model.text() and not self.model.is_usable()) or self.application.problem())

    def is_done(self) -> bool:
        return all(self._is_given(key) for key in self._kept)

    def leave(self) -> bool:
        self._pending = {key for key in self._kept if self._is_typed(key)}
        if Key.MODEL in self._pending:
            self._keys.keep(Key.MODEL, self.model.text())
        if Key.APPLICATION in self._pending:
            self._keys.keep(Key.APPLICATION, *self.application.values())
        self.changed.emit()
        return not self._pending

    def focus_widget(self) -> QWidget:
        return self.model.field.line

    def _is_typed(self, key: Key) -> bool:
        return self.model.is_usable() if key is Key.MODEL else self.application.is_usable()

    def _is_given(self, key: Key) -> bool:
        return self._is_typed(key) or self._keys.row(key).state is not KeyState.NOT_SET

    def _edited(self) -> None:
        self.changed.emit()

    def _settled(self, kept: str) -> None:
        key = Key(kept)
        if key not in self._pending:
            return
        self._pending.discard(key)
        if key is Key.MODEL:
            self.model.clear()
        else:
            self.application.clear()
        if not self._pending:
            self.finished.emit()
