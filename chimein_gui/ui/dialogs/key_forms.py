"""The forms for keys, in Preferences and in the first run: they check what is typed, and can test the Gemini key."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from chimein_gui.ui.widgets.controls.action_button import ActionButton, Kind
from chimein_gui.ui.widgets.controls.form_fields import LineField
from chimein_gui.ui.widgets.controls.labelled import Labelled
from chimein_gui.ui.widgets.controls.secret_field import SecretField
from chimein_gui.ui.widgets.surfaces.inline_message import InlineMessage
from chimein_gui.ui.widgets.text import external_links, foreign_text
from chimein_gui.ui.widgets.text.labels import PlainLabel
from chimein_gui.ui.widgets.theme.marks import IconLabel
from chimein_gui.ui.widgets.theme.theme import Face, Theme
from chimein_gui.viewmodels.preferences.key_inputs import (
    api_hash_problem,
    api_id_problem,
    application_problem,
    model_key_problem,
    postgres_problem,
)
from chimein_gui.viewmodels.preferences.keys import Key, KeysModel

GEMINI_PAGE = "https://aistudio.google.com/apikey"
TELEGRAM_PAGE = "https://my.telegram.org/apps"


class ModelKeyForm(QWidget):
    """A field for the Gemini key, a button that tests it, and the result.

    Attributes:
        edited: The key was edited, or a test has ended.
    """

    edited = Signal()

    def __init__(self, theme: Theme, keys: KeysModel) -> None:
        super().__init__()
        self._keys = keys
        self.field = SecretField(theme, self.tr("Gemini API key"))
        self.check = ActionButton(theme, self.tr("Check"), icon="check")
        self.link = ActionButton(theme, self.tr("Get a key"), icon="external", kind=Kind.LINK)
        self.line = Labelled(
            theme, self.tr("Gemini API key"), self.field, hint=self.tr("from aistudio.google.com"), beside=self.check
        )
        self._verdict = InlineMessage(theme)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addWidget(self.line)
        column.addWidget(self._verdict)
        column.addWidget(self.link, 0, Qt.AlignmentFlag.AlignLeft)
        self.setFocusProxy(self.field)
        self.field.edited.connect(self._typed)
        self.check.clicked.connect(lambda _checked=False: keys.try_out(self.field.text()))
        self.link.clicked.connect(lambda _checked=False: external_links.open_link(GEMINI_PAGE))
        self.link.setAccessibleDescription(self.tr("Opens {page} in the browser").format(page="aistudio.google.com"))
        keys.tried.connect(self._show_verdict)
        keys.changed.connect(self.refresh)
        self.refresh()

    def text(self) -> str:
        """Return the key as typed."""
        return self.field.text()

    def is_usable(self) -> bool:
        """Tell whether the text has the form of a key."""
        return bool(self.text()) and not model_key_problem(self.text())

    def clear(self) -> None:
        """Empty the field and its messages."""
        self.field.clear()
        self._typed()

    def refresh(self) -> None:
        """Update the test button for the typed key and a running test."""
        trying = self._keys.trying
        words = self.tr("Checking…") if trying else self.tr("Check")
        self.check.set_look(words, icon="spinner" if trying else "check")
        why_not = "" if self.is_usable() else self.line.problem() or self.tr("No key entered yet")
        self.check.allow(self.tr("Testing…") if trying else why_not)

    def _typed(self) -> None:
        self._verdict.say(None)
        self.line.say(None)
        self._keys.forget_refusal(Key.MODEL)
        self.line.refuse(model_key_problem(self.text()))
        self.refresh()
        self.edited.emit()

    def _show_verdict(self, ok: bool, words: str) -> None:
        shown = foreign_text.line(words, 300)
        self._verdict.say(IconLabel("ok-circle" if ok else "alert", shown, "ok" if ok else "danger"))
        icon_label = (
            IconLabel("ok-circle", self.tr("Works"), "ok")
            if ok
            else IconLabel("alert", self.tr("Does not work"), "danger")
        )
        self.line.say(icon_label)
        self.edited.emit()


class ApplicationForm(QWidget):
    """Fields for api_id and api_hash of the Telegram application, which are only valid as a pair.

    Attributes:
        edited: A field was edited.
    """

    edited = Signal()

    def __init__(self, theme: Theme, keys: KeysModel) -> None:
        super().__init__()
        self._keys = keys
        self.api_id = LineField(theme, self.tr("API ID"), hint="12345678")
        self.api_id.setMaxLength(20)
        self.api_id.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self.api_id.setInputMethodHints(Qt.InputMethodHint.ImhDigitsOnly)
        self.api_hash = SecretField(theme, self.tr("API hash"), most=80)
        self.id_line = Labelled(theme, self.tr("API ID"), self.api_id, hint=self.tr("digits"))
        self.hash_line = Labelled(theme, self.tr("API hash"), self.api_hash, hint=self.tr("32 characters, 0–9 and a–f"))
        self.link = ActionButton(theme, self.tr("How do I get them?"), icon="external", kind=Kind.LINK)
        help_words = self.tr(
            "Log in at my.telegram.org, open “API development tools” and create an application; any title will do."
        )
        self._how = PlainLabel(theme, help_words, Face.SMALL, "text2")
        self._how.setWordWrap(True)
        row = QHBoxLayout()
        row.setSpacing(12)
        row.addWidget(self.id_line, 2, Qt.AlignmentFlag.AlignTop)
        row.addWidget(self.hash_line, 5, Qt.AlignmentFlag.AlignTop)
        foot = QHBoxLayout()
        foot.addWidget(self._how, 1)
        foot.addWidget(self.link)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addLayout(row)
        column.addLayout(foot)
        self.setFocusProxy(self.api_id)
        self.link.clicked.connect(lambda _checked=False: external_links.open_link(TELEGRAM_PAGE))
        self.link.setAccessibleDescription(self.tr("Opens {page} in the browser").format(page="my.telegram.org"))
        self.api_id.textEdited.connect(lambda _text: self._typed())
        self.api_hash.edited.connect(self._typed)

    def values(self) -> tuple[str, str]:
        """Return api_id and api_hash as typed."""
        return self.api_id.text().strip(), self.api_hash.text()

    def is_empty(self) -> bool:
        """Tell whether both fields are empty."""
        return not any(self.values())

    def is_usable(self) -> bool:
        """Tell whether both fields are filled and valid."""
        return all(self.values()) and not application_problem(*self.values())

    def problem(self) -> str:
        """Return why the pair is invalid; empty if it is valid."""
        return application_problem(*self.values())

    def clear(self) -> None:
        """Empty both fields."""
        self.api_id.clear()
        self.api_hash.clear()
        self._typed()

    def _typed(self) -> None:
        self._keys.forget_refusal(Key.APPLICATION)
        self.id_line.refuse(api_id_problem(self.api_id.text()))
        self.hash_line.refuse(api_hash_problem(self.api_hash.text()))
        self.edited.emit()


class PostgresForm(QWidget):
    """A field for the connection string of PostgreSQL, hidden because it holds a password.

    Attributes:
        edited: It was edited.
    """

    edited = Signal()

    def __init__(self, theme: Theme, keys: KeysModel) -> None:
        super().__init__()
        self._keys = keys
        self.field = SecretField(theme, self.tr("Connection string"), most=1_000)
        hint = "postgresql://user:password@host/database"
        self.line = Labelled(theme, self.tr("Connection string"), self.field, hint=hint)
        about = PlainLabel(
            theme,
            self.tr("All memories are copied into this database, to be searched there."),
            Face.SMALL,
            "text2",
        )
        about.setWordWrap(True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addWidget(self.line)
        column.addWidget(about)
        self.setFocusProxy(self.field)
        self.field.edited.connect(self._typed)

    def text(self) -> str:
        """Return the string as typed."""
        return self.field.text()

    def is_usable(self) -> bool:
        """Tell whether the text has the form of such a string."""
        return bool(self.text().strip()) and not postgres_problem(self.text())

    def clear(self) -> None:
        """Empty the field and its message."""
        self.field.clear()
        self._typed()

    def _typed(self) -> None:
        self._keys.forget_refusal(Key.POSTGRES)
        self.line.refuse(postgres_problem(self.text()))
        self.edited.emit()
