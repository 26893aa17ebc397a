"""What the calls of a plan used: tokens, cached and thinking ones apart, cost, time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QVBoxLayout, QWidget

from chimein_gui.domain.traces.steps import CallStep
from chimein_gui.ui.panes.traces.detail.cells import Cell, CellRow, CellTable, Column
from chimein_gui.ui.widgets.text.labels import PlainLabel
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.core.numbers import count_words
from chimein_gui.viewmodels.traces.step_words import step_name, step_sentence
from chimein_gui.viewmodels.traces.steps import call_of_step
from chimein_gui.viewmodels.traces.words import (
    cached_words,
    cost_digits,
    dollars_exact,
    guessed,
    seconds_words,
    usage_sum,
)

if TYPE_CHECKING:
    from chimein_gui.domain.traces.steps import Trace, TraceStep
    from chimein_gui.ui.pane import PaneContext


SIDE, TOP, BOTTOM, SPACE = 12, 6, 8, 6
"""Around the table and its sum, and between them, px."""


class UsageTab(QWidget):
    """One row a call; the sum stands below."""

    def __init__(self, context: PaneContext) -> None:
        super().__init__()
        theme = context.theme
        columns = (
            Column(self.tr("Call"), 110),
            Column(self.tr("Model")),
            Column(self.tr("Prompt"), 84, at_end=True),
            Column(self.tr("Cached"), 96, at_end=True),
            Column(self.tr("Reply"), 66, at_end=True),
            Column(self.tr("Thinking"), 72, at_end=True),
            Column(self.tr("Time"), 72, at_end=True),
            Column(self.tr("Cost"), 92, at_end=True),
        )
        self.table = CellTable(theme, self.tr("Model calls"), columns)
        self.sum = PlainLabel(theme, "", Face.SMALL, "text2")
        self.sum.setWordWrap(True)
        self.sum.setIndent(4)
        column = QVBoxLayout(self)
        column.setContentsMargins(SIDE, TOP, SIDE, BOTTOM)
        column.setSpacing(SPACE)
        column.addWidget(self.table, 100)
        column.addWidget(self.sum)
        column.addStretch(1)

    def show_trace(self, trace: Trace, step: TraceStep | None) -> None:
        """Show the calls of a trace, and choose the one that a step is about."""
        calls = [(one, one.detail) for one in trace.steps if isinstance(one.detail, CallStep)]
        digits = cost_digits(trace)
        self.table.show_rows([_row(one, detail, digits) for one, detail in calls])
        self.table.setMaximumHeight(self.table.height_of(max(1, len(calls))))  # the sum follows the last row
        call = call_of_step(trace, step)
        if call is not None:
            self.table.choose(call.step_id)
        self.sum.setText(usage_sum(trace))

    def wanted_height(self, width: int) -> int:
        """Return the height in which all calls and their sum are in sight, px."""
        table = self.table.height_of(max(1, self.table.model().rowCount()))
        return TOP + table + SPACE + self.sum.heightForWidth(width - 2 * SIDE) + BOTTOM


def _row(step: TraceStep, one: CallStep, digits: int) -> CellRow:
    usage, is_guess = one.call.usage, one.call.estimated
    cells = (
        Cell(step_name(step), strong=True),
        Cell(one.call.model, "text2"),
        Cell(guessed(count_words(usage.prompt_tokens), is_guess=is_guess)),
        Cell(cached_words(usage), "text2"),
        Cell(count_words(usage.reply_tokens)),
        Cell(count_words(usage.thinking_tokens), "text2"),
        Cell(seconds_words(one.call.latency_s), "text2"),
        Cell(guessed(dollars_exact(one.call.cost_usd, digits), is_guess=is_guess)),
    )
    return CellRow(step.step_id, cells, step_sentence(step))
