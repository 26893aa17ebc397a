"""The head of an open trace: which plan, what became of it, key figures, and where it leads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from chimein_gui.ui.panes.traces.looks import state_label
from chimein_gui.ui.widgets.controls.action_button import ActionButton
from chimein_gui.ui.widgets.controls.icon_button import IconButton
from chimein_gui.ui.widgets.controls.spoken_role import speak_as_words
from chimein_gui.ui.widgets.surfaces.state_chip import StateChip
from chimein_gui.ui.widgets.surfaces.surface import Surface
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.labels import ElidedLabel, PlainLabel
from chimein_gui.ui.widgets.theme.mirror import set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.traces.standing import standing_in
from chimein_gui.viewmodels.traces.steps import has_prompt
from chimein_gui.viewmodels.traces.words import figures_of, trace_title

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from chimein_gui.domain.traces.steps import Trace
    from chimein_gui.ui.pane import PaneContext

FIGURES, A_ROW = 6, 3
SPACE = 26
"""Between two figures, px."""

SIDES = 28
"""Room at both sides, px."""


class _Figure(QWidget):
    """A number with what it counts."""

    def __init__(self, context: PaneContext) -> None:
        super().__init__()
        self._number = PlainLabel(context.theme, "", Face.TITLE)
        self._what = ElidedLabel(context.theme, "", Face.META, "text2")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._number)
        column.addWidget(self._what)
        speak_as_words(self)

    def say(self, number: str, what: str) -> None:
        """Show another figure."""
        self._number.setText(number)
        self._what.setText(what)
        self.setAccessibleName(f"{number} {what}")


class TraceHead(Surface):
    """Hidden while no trace is shown.

    Attributes:
        menu_asked: The menu of further actions is wanted.
    """

    menu_asked = Signal()

    def __init__(self, context: PaneContext) -> None:
        theme = context.theme
        super().__init__(theme, "pane")
        self._context = context
        self._title = PlainLabel(theme, "", Face.TITLE)
        self.chat = ActionButton(theme, "", icon="chats")
        self.chat.setToolTip(self.tr("Open chat"))
        self.chip = StateChip(theme)
        self.prompt = ActionButton(theme, self.tr("Prompt"), icon="quotes", key="P")
        self.context = ActionButton(theme, self.tr("Context"), icon="context", key="C")
        self.what_if = ActionButton(theme, self.tr("Run as what-if"), icon="flask")
        self.more = IconButton(theme, "dots", self.tr("More"), opens=True)
        self._figures = [_Figure(context) for _ in range(FIGURES)]
        self._grid = QGridLayout()
        self._shown, self._columns = 0, 0
        self._build()
        self.more.clicked.connect(lambda _checked=False: self.menu_asked.emit())

    def _build(self) -> None:
        row = self._row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self._title)
        row.addWidget(self.chat)
        row.addWidget(self.chip)
        row.addStretch(1)
        for button in (self.prompt, self.context, self.what_if, self.more):
            row.addWidget(button)
        self._grid.setHorizontalSpacing(SPACE)
        self._grid.setVerticalSpacing(4)
        self._grid.setColumnStretch(FIGURES, 1)
        self._arrange(FIGURES)
        column = QVBoxLayout(self)
        set_rtl_margins(column, 16, 8, 12, 8)
        column.setSpacing(6)
        column.addLayout(row)
        column.addLayout(self._grid)

    def show_trace(self, trace: Trace) -> None:
        """Show another trace."""
        row = trace.summary
        self._title.setText(trace_title(row))
        names = f"{foreign_text.short(row.agent_name, 18)} → {foreign_text.short(row.chat_title, 24)}"
        self.chat.set_look(names, "group" if row.is_group else "chats")
        self.chat.setAccessibleDescription(self.tr("Open chat"))
        self.show_state(trace)
        self.show_figures(trace)
        has_plan = "" if row.graph_id is not None else self.tr("It brought no plan")
        for button in (self.context, self.what_if):
            button.allow(has_plan)
        self.prompt.allow("" if has_prompt(trace) else has_plan)
        self.fit()

    def show_state(self, trace: Trace) -> None:
        """Show what became of the plan, or what it waits for now."""
        models, row = self._context.models, trace.summary
        self.chip.say(state_label(row, standing_in(models, row, trace), models.clock))

    def show_figures(self, trace: Trace) -> None:
        """Show the key figures as they are now."""
        figures = figures_of(trace)
        self._shown = len(figures)
        for figure, (number, what) in zip(self._figures, figures, strict=False):
            figure.say(number, what)
        self.fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit()

    def _arrange(self, columns: int) -> None:
        if columns != self._columns:
            self._columns = columns
            for place, figure in enumerate(self._figures):
                self._grid.addWidget(figure, place // columns, place % columns)

    def fit(self) -> None:
        """Show the figures in one row if they have room, else in rows of three, and key caps if these have room."""
        for button in (self.prompt, self.context):
            button.show_key(shown=True)
        if self._row.sizeHint().width() > self.width() - SIDES:  # names and state have more to say than key caps
            for button in (self.prompt, self.context):
                button.show_key(shown=False)
        wanted = sum(figure.sizeHint().width() + SPACE for figure in self._figures[: self._shown])
        self._arrange(FIGURES if wanted <= self.width() - SPACE else A_ROW)
        for place, figure in enumerate(self._figures):
            figure.setVisible(place < self._shown)
