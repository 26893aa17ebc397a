"""The page Keys: state and storage of each key; test, replace, remove. No key is ever shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QVBoxLayout, QWidget

from chimein_gui.engine.ports import SecretPlace
from chimein_gui.ui.panes.preferences.section import Section
from chimein_gui.ui.widgets.controls.action_button import ActionButton
from chimein_gui.ui.widgets.controls.model_switch import ModelSwitch
from chimein_gui.ui.widgets.surfaces.inline_message import BOX, InlineMessage
from chimein_gui.ui.widgets.surfaces.state_chip import StateChip
from chimein_gui.ui.widgets.surfaces.surface import Card
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.labels import ElidedLabel, PlainLabel
from chimein_gui.ui.widgets.text.tips import give_tip
from chimein_gui.ui.widgets.theme.marks import IconLabel
from chimein_gui.ui.widgets.theme.mirror import set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import Face, Theme
from chimein_gui.viewmodels.core.bilingual import translate
from chimein_gui.viewmodels.preferences.catalogue import Page, matches
from chimein_gui.viewmodels.preferences.keys import Key, KeyRow, KeysModel, KeyState

if TYPE_CHECKING:
    from chimein_gui.viewmodels.rehearsal.model_choice import ModelChoiceModel


def state_label(row: KeyRow) -> IconLabel:
    """Return the state of a key as icon, word and colour."""
    match row.state:
        case KeyState.WORKS:
            return IconLabel("ok-circle", translate("Keys", "Works"), "ok")
        case KeyState.REFUSED:
            return IconLabel("alert", translate("Keys", "Does not work"), "danger")
        case KeyState.CHECKING:
            return IconLabel("spinner", translate("Keys", "Checking…"), "info")
        case KeyState.STORED:
            return IconLabel("lock", translate("Keys", "Saved"), "text2")
        case _:
            return IconLabel("x-circle", translate("Keys", "Not set"), "text2")


def place_of(row: KeyRow) -> str:
    """Return where a key is stored, in words."""
    match row.place:
        case SecretPlace.ENVIRONMENT:
            return translate("Keys", "environment variable")
        case SecretPlace.KEYCHAIN:
            return translate("Keys", "keychain")
        case SecretPlace.FILE:
            return translate("Keys", "private file")
        case SecretPlace.SESSION:
            return translate("Keys", "until Chimein ends")
        case _:
            return ""


class KeyCard(Card):
    """One key. Its parts are side by side, or stacked in a narrow column.

    Attributes:
        replace_pressed: The operator wants to set or replace the key.
        remove_pressed: The operator wants to delete the key.
    """

    replace_pressed = Signal(object)
    remove_pressed = Signal(object)

    def __init__(self, theme: Theme, key: Key, title: str, words: str, keys: KeysModel) -> None:
        super().__init__(theme)
        self._key, self._keys, self._title = key, keys, title
        self.setAccessibleName(title)
        self.chip = StateChip(theme)
        self._where = ElidedLabel(theme, "", Face.SMALL, "text2")
        self.test = ActionButton(theme, translate("Keys", "Test"))
        self.replace = ActionButton(theme, "")
        self.remove = ActionButton(theme, translate("Keys", "Remove"))
        self._said = InlineMessage(theme)
        names, states = QVBoxLayout(), QVBoxLayout()
        for column, parts in (
            (names, (PlainLabel(theme, title, Face.STRONG), ElidedLabel(theme, words, Face.SMALL, "text2"))),
            (states, (self.chip, self._where)),
        ):
            column.setSpacing(3)
            for part in parts:
                column.addWidget(part)
        buttons = QHBoxLayout()
        buttons.setSpacing(6)
        for button in (self.test, self.replace, self.remove):
            buttons.addWidget(button)
        buttons.addStretch(1)
        self._line = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._line.setSpacing(10)
        self._line.addLayout(names, 5)
        self._line.addLayout(states, 4)
        self._line.addLayout(buttons)
        whole = QVBoxLayout(self)
        set_rtl_margins(whole, 14, 10, 12, 10)
        whole.setSpacing(8)
        whole.addLayout(self._line)
        whole.addWidget(self._said)
        self.test.clicked.connect(lambda _checked=False: keys.test())
        self.replace.clicked.connect(lambda _checked=False: self.replace_pressed.emit(key))
        self.remove.clicked.connect(lambda _checked=False: self.remove_pressed.emit(key))
        keys.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show the current state."""
        row = self._keys.row(self._key)
        is_set = row.state is not KeyState.NOT_SET
        self.chip.say(state_label(row))
        ending = f"•••• {foreign_text.line(row.end)}" if row.end else "••••" if is_set else ""
        place = place_of(row)
        self._where.setText(" · ".join(part for part in (ending, place) if part))
        self._where.setVisible(bool(self._where.text()))
        spoken = translate("Keys", "ends in {end}").format(end=" ".join(foreign_text.line(row.end))) if row.end else ""
        self._where.setAccessibleName(", ".join(part for part in (spoken, place) if part))
        give_tip(self._where, self._where.text())
        self.replace.set_look(translate("Keys", "Replace…") if is_set else translate("Keys", "Set…"))
        fixed = row.place is SecretPlace.ENVIRONMENT
        why_not = translate("Keys", "Set by an environment variable. Change it there") if fixed else ""
        self.replace.allow(why_not or (translate("Keys", "Busy") if row.busy else ""))
        self.remove.allow(why_not or (translate("Keys", "Busy") if row.busy else ""))
        self.remove.setVisible(is_set)
        self.test.setVisible(is_set and self._key is Key.MODEL)
        self.test.allow(translate("Keys", "Busy") if row.busy else "")
        for button in (self.test, self.replace, self.remove):
            button.setAccessibleName(f"{self._title}: {button.text()}")
        self._say(row)

    def set_narrow(self, *, narrow: bool) -> None:
        """Stack the parts, or place them side by side."""
        down, along = QBoxLayout.Direction.TopToBottom, QBoxLayout.Direction.LeftToRight
        self._line.setDirection(down if narrow else along)

    def _say(self, row: KeyRow) -> None:
        if row.refusal:
            self._said.refuse(row.refusal)
        elif row.words:
            works = row.state is KeyState.WORKS
            token = "ok" if works else "danger"
            self._said.say(IconLabel("ok-circle" if works else "alert", foreign_text.line(row.words, 300), token))
        else:
            self._said.say(None)


class KeysSection(Section):
    """The page Keys.

    Attributes:
        replace_pressed: A key shall be set or replaced; carries which.
        remove_pressed: A key shall be deleted; carries which.
    """

    replace_pressed = Signal(object)
    remove_pressed = Signal(object)

    def __init__(self, theme: Theme, keys: KeysModel, model_choice: ModelChoiceModel, *, is_sandbox: bool) -> None:
        super().__init__(theme, Page.KEYS)
        self._keys, self._choice, self._is_sandbox = keys, model_choice, is_sandbox
        self.models = ModelSwitch(theme, model_choice, self)
        self.place = InlineMessage(theme, BOX)
        self.cards = {
            Key.MODEL: KeyCard(
                theme,
                Key.MODEL,
                translate("Keys", "Gemini API"),
                translate("Keys", "plans, replies and token counts"),
                keys,
            ),
            Key.APPLICATION: KeyCard(
                theme, Key.APPLICATION, translate("Keys", "Telegram application"), "api_id, api_hash", keys
            ),
            Key.POSTGRES: KeyCard(
                theme,
                Key.POSTGRES,
                translate("Keys", "PostgreSQL"),
                translate("Keys", "the index of memories; optional"),
                keys,
            ),
        }
        self.column.addWidget(self.place)
        self.column.addWidget(self.models)
        for card in self.cards.values():
            card.replace_pressed.connect(self.replace_pressed)
            card.remove_pressed.connect(self.remove_pressed)
            self.column.addWidget(card)
        model_choice.changed.connect(self.refresh)  # emitted when keys change, too
        keys.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show where keys are stored, with a warning if that is no keychain."""
        words = foreign_text.line(self._keys.place_words(), 300)
        if self._is_sandbox:
            stays = translate("Keys", "These settings stay in the sandbox.")
            needed = translate("Keys", "Gemini answers in the sandbox, with your key")
            title = needed if self._choice.is_real else translate("Keys", "The sandbox needs no keys")
            self.place.say(IconLabel("flask", title, "unreal"), stays)
        elif not self._keys.usable:
            self.place.say(IconLabel("info", translate("Keys", "Starting…"), "text2"))
        else:
            safe = self._keys.is_safe()
            icon, token = ("lock", "ok") if safe else ("warning", "attention")
            title = (
                translate("Keys", "Keys are stored in the system keychain")
                if safe
                else translate("Keys", "No system keychain found")
            )
            self.place.say(IconLabel(icon, title, token), words)

    def set_narrow(self, *, narrow: bool) -> None:
        for card in self.cards.values():
            card.set_narrow(narrow=narrow)

    def matches(self, words: str) -> bool:
        known = translate("Keys", "gemini api key telegram application api_id api_hash keychain secret")
        return matches(words, known, "postgresql pgvector", translate("Keys", "the index of memories; optional"))

    def focus_widget(self) -> QWidget:
        return self.cards[Key.MODEL].replace
