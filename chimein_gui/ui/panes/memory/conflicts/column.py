"""One of the three contents of a conflict: the entries that are not the same everywhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout

from chimein_gui.ui.widgets.surfaces.state_chip import StateChip
from chimein_gui.ui.widgets.surfaces.surface import Surface
from chimein_gui.ui.widgets.text.labels import ElidedLabel, PlainLabel
from chimein_gui.ui.widgets.text.word_diff import WordDiff
from chimein_gui.ui.widgets.theme.marks import IconLabel
from chimein_gui.ui.widgets.theme.theme import Face

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chimein_gui.ui.widgets.theme.theme import Theme

MOST_LINES = 6


class Column(Surface):
    """Title and texts; what was changed is marked word by word."""

    def __init__(self, theme: Theme, title: str, about: str, token: str) -> None:
        super().__init__(theme, "card", frame="line", radius=8)
        self._token = token
        self._chip = StateChip(theme)
        self.texts: list[tuple[PlainLabel, WordDiff]] = []
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(PlainLabel(theme, title, Face.STRONG))
        head.addWidget(self._chip)
        head.addStretch(1)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(12, 10, 12, 10)
        self._column.setSpacing(4)
        self._column.addLayout(head)
        self._column.addWidget(ElidedLabel(theme, about, Face.SMALL, "text2"))
        self._inside = QVBoxLayout()
        self._inside.setSpacing(6)
        self._column.addLayout(self._inside)
        self._column.addStretch(1)

    def show_texts(self, texts: Sequence[tuple[str, str, int]]) -> None:
        """Show what each entry was and is here, with its line."""
        while len(self.texts) < len(texts):
            pair = PlainLabel(self._theme, "", Face.META, "text3"), WordDiff(self._theme, max_lines=MOST_LINES)
            row = QHBoxLayout()
            row.setSpacing(8)
            pair[0].setMinimumWidth(24)
            row.addWidget(pair[0], 0, Qt.AlignmentFlag.AlignTop)
            row.addWidget(pair[1], 1)
            self.texts.append(pair)
            self._inside.addLayout(row)
        for place, (label, text) in enumerate(self.texts):
            for part in (label, text):
                part.setVisible(place < len(texts))
            if place < len(texts):
                before, after, line = texts[place]
                label.setText(str(line))
                text.compare(before, after)
        changed = sum(before != after for before, after, _line in texts)
        words = self.tr("%n change(s)", "", changed) if changed else self.tr("base")
        self._chip.say(IconLabel("pencil" if changed else "clock", words, self._token if changed else "text2"))
