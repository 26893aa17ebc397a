"""One difference of a conflict: who changed what, the choice, and the text that would be written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QApplication, QHBoxLayout, QVBoxLayout

from chimein_gui.domain.memory.merging.three_way import Choice, entry_text
from chimein_gui.ui.widgets.controls.segments import Segments
from chimein_gui.ui.widgets.surfaces.state_chip import StateChip
from chimein_gui.ui.widgets.surfaces.surface import Surface
from chimein_gui.ui.widgets.text.labels import ElidedLabel, PlainLabel
from chimein_gui.ui.widgets.text.word_diff import WordDiff
from chimein_gui.ui.widgets.theme.marks import IconLabel
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.memory.conflicts import choice_words, difference_words

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent

    from chimein_gui.domain.memory.merging.three_way import Difference
    from chimein_gui.ui.widgets.theme.theme import Theme

MOST_LINES = 8

_DIGITS = (Qt.Key.Key_1, Qt.Key.Key_2, Qt.Key.Key_3)


class DifferenceBlock(Surface):
    """A difference; keys 1 to 3 choose.

    Attributes:
        chosen: A `Choice` was made.
        is_open: Nothing is decided yet.
    """

    chosen = Signal(object)

    def __init__(self, theme: Theme, number: int) -> None:
        super().__init__(theme, "card", frame="line", radius=8)
        self.is_open = False
        self._offered: tuple[Choice, ...] = ()
        self._title = ElidedLabel(theme, "", Face.SMALL_STRONG)
        name = self.tr("Difference {number}").format(number=number)
        self.choices = Segments(theme, ("", "", ""), name)
        self._chip = StateChip(theme)
        self.text = WordDiff(theme, max_lines=MOST_LINES)
        self._nothing = PlainLabel(theme, self.tr("The entry is left out."), Face.SMALL, "text2")
        head = QHBoxLayout()
        head.setSpacing(10)
        head.addWidget(PlainLabel(theme, str(number), Face.META_STRONG, "text2"))
        head.addWidget(self._title, 1)
        head.addWidget(self.choices)
        head.addWidget(self._chip)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 8, 12, 10)
        column.setSpacing(6)
        column.addLayout(head)
        column.addWidget(self.text)
        column.addWidget(self._nothing)
        self.choices.chosen.connect(self._emit)

    @property
    def has_focus(self) -> bool:
        """Whether the focus is in it."""
        return self.isAncestorOf(QApplication.focusWidget() or self.window())

    def press(self, place: int) -> None:
        """Choose by number, from 0."""
        if place < len(self._offered):
            self.chosen.emit(self._offered[place])

    def show_difference(self, one: Difference, choice: Choice | None) -> None:
        """Show a difference and what was chosen; without a choice, what both together would be."""
        words = choice_words(one)
        self._offered = tuple(each for each, _word in words)
        self.is_open = choice is None
        self._title.setText(difference_words(one))
        self.choices.offer(tuple(word for _each, word in words))
        self.choices.choose(self._offered.index(choice) if choice in self._offered else -1)
        result = entry_text(one.result(choice or Choice.BOTH))
        self.text.compare(entry_text(one.base), result)
        self.text.setVisible(bool(result))
        self._nothing.setVisible(not result)
        if self.is_open:
            self._chip.say(IconLabel("hand", self.tr("your turn"), "attention"))
            self.set_ground("card", frame="attention")
        else:
            self._chip.say(IconLabel("check", self.tr("decided"), "ok"))
            self.set_ground("card", frame="line")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _DIGITS and not event.isAutoRepeat():
            self.press(_DIGITS.index(Qt.Key(event.key())))
        else:
            super().keyPressEvent(event)

    def _emit(self, place: int) -> None:
        self.press(place)
