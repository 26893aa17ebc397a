"""What becomes of each part of a card: groups with a title, a sentence and the parts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from chimein_gui.domain.character_cards.contents import CardUse
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.labels import PlainLabel
from chimein_gui.ui.widgets.theme.theme import Face, Theme
from chimein_gui.viewmodels.accounts.card_words import part_words, use_words

if TYPE_CHECKING:
    from chimein_gui.viewmodels.accounts.character_cards import CardDraft

_LONGEST = 300


class ContentsList(QWidget):
    """Empty groups are left out. Names in a card are foreign, and shown as plain text."""

    def __init__(self, theme: Theme, draft: CardDraft) -> None:
        super().__init__()
        self._theme = theme
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(3)
        for use in CardUse:
            parts = draft.of_use(use)
            if parts:
                title, words = use_words(use)
                self._column.addSpacing(10 if self._column.count() else 0)
                self._add(title, Face.STRONG, "text")
                self._add(words, Face.SMALL, "text2")
                self._add(
                    "  ·  ".join(foreign_text.line(part_words(part), _LONGEST) for part in parts), Face.BODY, "text"
                )
        self._column.addStretch(1)

    def _add(self, words: str, face: Face, token: str) -> None:
        label = PlainLabel(self._theme, words, face, token)
        label.setWordWrap(True)
        label.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeading)
        self._column.addWidget(label)
