"""The mode *Diff*: what is different from another call of the chat."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from chimein_gui.ui.panes.prompt.diff_list import DiffList
from chimein_gui.ui.panes.prompt.modes import PromptMode
from chimein_gui.ui.widgets.controls.form_fields import Choice
from chimein_gui.ui.widgets.controls.icon_button import IconButton
from chimein_gui.ui.widgets.controls.segments import Segments
from chimein_gui.ui.widgets.rows.single_key_shortcuts import SingleKeyShortcuts
from chimein_gui.ui.widgets.surfaces.empty_state import EmptyState
from chimein_gui.ui.widgets.text.labels import ElidedLabel, PlainLabel
from chimein_gui.ui.widgets.theme.mirror import set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.prompt.differences import tokens_by_words

if TYPE_CHECKING:
    from collections.abc import Callable

    from chimein_gui.ui.pane import PaneContext
    from chimein_gui.ui.panes.prompt.head import PromptHead
    from chimein_gui.viewmodels.panes.prompt import PromptModels
    from chimein_gui.viewmodels.prompt.sections import PartRow


UNIFIED, BESIDE = 0, 1
"""The arrangements, in the order of the switch."""


class DiffMode(PromptMode):
    """The call to compare with, and the list of differences.

    Attributes:
        source_wanted: The source of a part is wanted; carries the `PartRow` and a line of its text, or 0.
        reached: A row of another part is current; carries the `PartRow`.
    """

    source_wanted = Signal(object, int)
    reached = Signal(object)

    def __init__(self, context: PaneContext, models: PromptModels, head: PromptHead) -> None:
        super().__init__()
        self.word, self.letter = self.tr("Diff"), "D"
        self.keys = (
            (("N",), self.tr("Next change")),
            (("⇧", "N"), self.tr("The one before")),
            (("S",), self.tr("Side by side")),
            (("Space",), self.tr("Fold")),
            (("↵",), self.tr("Open source")),
            (("Esc",), self.tr("Back to reading")),
        )
        theme = context.theme
        self._models, self._head = models, head
        self.base = Choice(theme, self.tr("Compare with"))
        self.list = DiffList(theme, models.comparison.rows)
        self._said = ElidedLabel(theme, "", Face.SMALL, "text2")
        self._by = PlainLabel(theme, "", Face.SMALL_STRONG)
        self._before = IconButton(theme, "caret-up", self.tr("Change before"))
        self._next = IconButton(theme, "caret-down", self.tr("Next change"))
        self.sides = Segments(theme, (self.tr("Unified"), self.tr("Side by side")), self.tr("Arrangement"))
        self.sides.choose(UNIFIED)
        self._empty = EmptyState(theme, "quotes")
        self._stack = QStackedWidget()
        self._build(PlainLabel(theme, self.tr("Since"), Face.SMALL, "text2"))
        self.base.currentIndexChanged.connect(lambda _place: models.comparison.choose(self.base.currentData()))
        self._before.clicked.connect(lambda _checked=False: self.list.show_change(-1))
        self._next.clicked.connect(lambda _checked=False: self.list.show_change(1))
        self.sides.chosen.connect(self.show_sides)
        self.list.entered.connect(self.source_wanted)
        self.list.reached.connect(self.reached)
        keys: dict[str, Callable[[], None]] = {
            "N": lambda: self.list.show_change(1),
            "⇧N": lambda: self.list.show_change(-1),
            "S": lambda: self.show_sides(UNIFIED if self.is_beside else BESIDE),
        }
        self._shortcuts = SingleKeyShortcuts(keys, self, context.models.single_keys)
        self._shortcuts.watch(self.list)

    def _build(self, since: QWidget) -> None:
        bar = QHBoxLayout()
        set_rtl_margins(bar, 12, 8, 12, 8)
        bar.setSpacing(8)
        bar.addWidget(since)
        bar.addWidget(self.base, 2)
        bar.addWidget(self._said, 1)
        bar.addWidget(self._by)
        bar.addWidget(self.sides)
        bar.addWidget(self._before)
        bar.addWidget(self._next)
        self._stack.addWidget(self._empty)
        self._stack.addWidget(self.list)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(bar)
        column.addWidget(self._stack, 1)

    @property
    def is_beside(self) -> bool:
        """Whether what was removed stands beside what was added."""
        return self._models.comparison.rows.is_beside

    def show_sides(self, place: int) -> None:
        """Show the differences in another arrangement."""
        self.sides.choose(place)
        self.list.show_beside(beside=place == BESIDE)

    def show_prompt(self) -> None:
        comparison = self._models.comparison
        self.base.set_entries([(self._head.when(one), one.call_id) for one in comparison.calls], comparison.base_id)
        self.base.setEnabled(bool(comparison.calls))
        diff = comparison.rows.diff
        is_shown = comparison.base_id is not None
        self._stack.setCurrentWidget(self.list if is_shown else self._empty)
        for part in (self._by, self.sides, self._before, self._next):
            part.setVisible(is_shown)
        if not is_shown:
            self._said.setText("")
            if comparison.problem:
                self._empty.say(self.tr("The prompts can't be compared"), comparison.problem)
            else:
                words = self.tr("It can be compared when another call of this chat is stored.")
                self._empty.say(self.tr("Nothing to compare with"), words)
            return
        changed = diff.changed
        self._said.setText(self.tr("%n part(s) changed", "", changed) if changed else self.tr("Nothing changed"))
        self._by.setText(tokens_by_words(diff.by))

    def show_part(self, row: PartRow | None, *, scroll: bool) -> None:
        place = self._models.comparison.rows.diff.place_of(row) if row is not None else -1
        if scroll and place >= 0:
            self.list.show_part(place)

    def enter(self, row: PartRow | None) -> None:
        self.list.setFocus()
