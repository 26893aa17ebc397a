"""Asks which words to use where both sides have changed the same ones; keys 1 to 3 answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout

from chimein_gui.domain.text.merge import Chunk, Side
from chimein_gui.ui.panes.approvals.card.section import Box
from chimein_gui.ui.widgets.controls.action_button import ActionButton, Kind
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.labels import ElidedLabel, PlainLabel
from chimein_gui.ui.widgets.theme.theme import Face

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent

    from chimein_gui.ui.pane import PaneContext

MOST_SHOWN = 40
SIDES = (Side.MINE, Side.THEIRS, Side.BASE)
_DIGITS = (Qt.Key.Key_1, Qt.Key.Key_2, Qt.Key.Key_3)


class Chooser(Box):
    """Three buttons for one conflict.

    Attributes:
        chosen: Use the words of this side.
    """

    chosen = Signal(object)

    def __init__(self, context: PaneContext) -> None:
        super().__init__(context.theme)
        theme = context.theme
        self._title = ElidedLabel(theme, "", Face.STRONG)
        head = QHBoxLayout()
        head.addWidget(self._title, 1)
        head.addWidget(PlainLabel(theme, self.tr("F7 next place"), Face.SMALL, "text3"))
        row = QHBoxLayout()
        row.setSpacing(7)
        self.buttons: list[ActionButton] = []
        for number, side in enumerate(SIDES, 1):
            button = ActionButton(theme, "", key=str(number), kind=Kind.PLAIN)
            button.clicked.connect(lambda _checked=False, side=side: self.chosen.emit(side))
            self.buttons.append(button)
            row.addWidget(button)
        row.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 8, 12, 10)
        column.setSpacing(8)
        column.addLayout(head)
        column.addLayout(row)
        column.addWidget(ElidedLabel(theme, self.tr("or edit the result"), Face.SMALL, "text3"))

    def ask(self, chunk: Chunk) -> None:
        """Ask about one conflict."""
        before = foreign_text.line(chunk.base, MOST_SHOWN)
        if before:
            words = foreign_text.isolate(before)
            self._title.setText(self.tr("You and the new draft both changed “{words}”").format(words=words))
        else:
            self._title.setText(self.tr("You and the new draft both added words here"))
        names = (self.tr("yours"), self.tr("new draft"), self.tr("first draft"))
        for button, side, name in zip(self.buttons, SIDES, names, strict=True):
            words = foreign_text.line(chunk.of(side), MOST_SHOWN)
            shown = foreign_text.isolate(words) if words else self.tr("nothing")
            button.setText(self.tr("{words}, {source}").format(words=shown, source=name))
            button.updateGeometry()
        self.setAccessibleName(self._title.text())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Handle the digits only while one of the buttons has the focus."""
        if event.key() in _DIGITS and not event.isAutoRepeat():
            self.buttons[_DIGITS.index(Qt.Key(event.key()))].click()
        else:
            super().keyPressEvent(event)
