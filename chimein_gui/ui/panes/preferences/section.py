"""A page of the pane: heading, a sentence, and rows on a card."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from chimein_gui.ui.panes.preferences.row import SIDE
from chimein_gui.ui.panes.preferences.setting_row import SettingRow
from chimein_gui.ui.panes.preferences.value_rows import ChoiceRow, FolderRow, SwitchRow
from chimein_gui.ui.widgets.controls.action_button import ActionButton, Kind
from chimein_gui.ui.widgets.surfaces.surface import Card
from chimein_gui.ui.widgets.text.labels import PlainLabel
from chimein_gui.ui.widgets.theme.theme import Face, Theme
from chimein_gui.viewmodels.preferences.catalogue import Page, Sort, introduction_of, matches, settings_of, title_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from chimein_gui.ui.panes.preferences.row import PreferenceRow
    from chimein_gui.viewmodels.preferences.preferences import PreferencesModel


class Section(QWidget):
    """Heading and contents; a search hides the rows that do not match."""

    def __init__(self, theme: Theme, page: Page) -> None:
        super().__init__()
        self._theme, self.page = theme, page
        self.rows: list[PreferenceRow] = []
        self._ways: list[tuple[str, QWidget]] = []
        self.is_whole = True
        """No rows are hidden by a search."""
        self.setAccessibleName(title_of(page))
        introduction = PlainLabel(theme, introduction_of(page), Face.SMALL, "text2")
        introduction.setWordWrap(True)
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(8)
        self.reset = ActionButton(theme, self.tr("Reset page"), icon="undo", kind=Kind.QUIET)
        self.reset.setAccessibleName(self.tr("Reset page {page}").format(page=title_of(page)))
        self.reset.hide()
        title = QHBoxLayout()
        title.addWidget(PlainLabel(theme, title_of(page), Face.TITLE), 1)
        title.addWidget(self.reset)
        head = QVBoxLayout()
        head.setSpacing(2)
        head.addLayout(title)
        head.addWidget(introduction)
        self.column.addLayout(head)

    def add_rows(self, rows: Iterable[PreferenceRow]) -> None:
        """Add rows on a card."""
        card = Card(self._theme)
        inside = QVBoxLayout(card)
        inside.setContentsMargins(0, 2, 0, 2)
        inside.setSpacing(0)
        for row in rows:
            self.rows.append(row)
            inside.addWidget(row)
        self.column.addWidget(card)

    def add_way(self, words: str, to: str, do: Callable[[], None], now: PlainLabel | None = None) -> None:
        """Add a card that leads to what is set elsewhere.

        Args:
            words: What that is.
            to: Label of the button.
            do: Leads there.
            now: What is set there, below the words.
        """
        said = PlainLabel(self._theme, words, Face.BODY)
        said.setWordWrap(True)
        button = ActionButton(self._theme, to, icon="arrow-right")
        button.clicked.connect(lambda _checked=False: do())
        card = Card(self._theme)
        row = QHBoxLayout(card)
        row.setContentsMargins(SIDE, 8, SIDE, 8)
        row.setSpacing(12)
        texts = QVBoxLayout()
        texts.setSpacing(1)
        texts.addWidget(said)
        if now is not None:
            texts.addWidget(now)
        row.addLayout(texts, 1)
        row.addWidget(button)
        self.column.addWidget(card)
        self._ways.append((f"{words} {to}", card))

    def show_matching(self, words: str) -> bool:
        """Show the rows that match, or all if the page's title matches; return whether any are visible."""
        self.is_whole = whole = not words or matches(words, title_of(self.page))
        found = [row for row in self.rows if whole or row.matches(words)]
        for row in self.rows:
            row.setVisible(row in found)
            row.set_first(first=bool(found) and row is found[0])
        led = [card for text, card in self._ways if whole or matches(words, text)]
        for _text, card in self._ways:
            card.setVisible(card in led)
        left = whole or bool(found) or bool(led) or self.matches(words)
        self.setVisible(left)
        return left

    def set_narrow(self, *, narrow: bool) -> None:
        """Adapt to a narrow or a wide column."""

    def matches(self, words: str) -> bool:
        """Tell whether contents other than rows match."""
        return False

    def focus_widget(self) -> QWidget:
        """Return the widget that gets the focus when the page is entered."""
        return self


class ValuesSection(Section):
    """A page of rows with values."""

    def __init__(self, theme: Theme, page: Page, model: PreferencesModel) -> None:
        super().__init__(theme, page)
        rows: list[SettingRow | SwitchRow | ChoiceRow | FolderRow] = []
        for setting in settings_of(page):
            if setting.sort is Sort.SWITCH:
                rows.append(SwitchRow(theme, setting, model))
            elif setting.sort is Sort.CHOICE:
                rows.append(ChoiceRow(theme, setting, model))
            elif setting.sort is Sort.FOLDER:
                rows.append(FolderRow(theme, setting, model))
            else:
                row = SettingRow(theme, setting, model)
                row.undo_pressed.connect(model.undo)
                rows.append(row)
        self._first = rows[0].field
        self.add_rows(rows)

    def focus_widget(self) -> QWidget:
        return self._first
