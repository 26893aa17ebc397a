"""The pages that were fetched for a plan: what became of each address, and its text as it stands in the prompt."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QSplitter, QVBoxLayout, QWidget

from chimein_gui.domain.retrieval.pages import PageFetched
from chimein_gui.ui.panes.traces.detail.cells import Cell, CellRow, CellTable, Column
from chimein_gui.ui.panes.traces.detail.page_facts import PageFacts
from chimein_gui.ui.panes.traces.detail.page_text import PageText
from chimein_gui.ui.widgets.text.labels import PlainLabel
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.traces.page_words import cache_word, page_sentence, page_status, size_cell, used_words
from chimein_gui.viewmodels.traces.step_words import fault_words, rule_words
from chimein_gui.viewmodels.traces.words import seconds_words

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from chimein_gui.domain.traces.steps import Trace, TraceStep
    from chimein_gui.ui.pane import PaneContext


ROWS, WANTED_ROWS = 4, 3
"""Most rows of the table that are in sight, and how many the steps leave their room."""

WANTED_LINES, LEAST_LINES, MANY_LINES = 9, 4, 8
"""Lines of facts, beside so much text, that the steps leave their room, those for which a row of the table gives way,
and for which a further one does."""

SIDE, TOP, BOTTOM, SPACE = 12, 4, 8, 6
"""Around the table and what is below it, and between them, px."""


class PagesTab(QWidget):
    """A table of addresses; below it the text and the facts of the chosen one.

    Attributes:
        picked: An address was chosen; carries the id of its step.
    """

    picked = Signal(object)

    def __init__(self, context: PaneContext) -> None:
        super().__init__()
        theme = context.theme
        columns = (
            Column(self.tr("URL")),
            Column(self.tr("Status"), 96),
            Column(self.tr("Type"), 84),
            Column(self.tr("Size"), 76, at_end=True),
            Column(self.tr("Used"), 96, at_end=True),
            Column(self.tr("Cache"), 60, at_end=True),
            Column(self.tr("Time"), 62, at_end=True),
        )
        self.table = CellTable(theme, self.tr("Pages"), columns)
        self.reading = PageText(context)
        self.text, self.copy = self.reading.text, self.reading.copy
        self.facts = PageFacts(context)
        self._none = PlainLabel(theme, self.tr("Nothing was retrieved for this plan."), Face.SMALL, "text2")
        self._pages: dict[int, PageFetched] = {}
        self._steps: dict[int, TraceStep] = {}
        self._trace: Trace | None = None
        self._below = QSplitter()
        self._build()
        self.table.picked.connect(self._show_page)

    def _build(self) -> None:
        self._below.setChildrenCollapsible(False)
        self._below.addWidget(self.reading)
        self._below.addWidget(self.facts)
        self._below.setSizes([605, 345])
        whole = QVBoxLayout(self)
        whole.setContentsMargins(SIDE, TOP, SIDE, BOTTOM)
        whole.setSpacing(SPACE)
        whole.addWidget(self._none)
        whole.addWidget(self.table)
        whole.addWidget(self._below, 1)

    def show_trace(self, trace: Trace, step: TraceStep | None) -> None:
        """Show the addresses of a trace, and choose that of a step if it is one."""
        self._trace = trace
        self._steps = {one.step_id: one for one in trace.steps if isinstance(one.detail, PageFetched)}
        self._pages = {one.step_id: one.detail for one in trace.steps if isinstance(one.detail, PageFetched)}
        self.table.show_rows([_row(key, page) for key, page in self._pages.items()])
        for part in (self.table, self._below):
            part.setVisible(bool(self._pages))
        self._none.setVisible(not self._pages)
        self._fit()
        if step is not None and step.step_id in self._pages:
            self.table.choose(step.step_id)
        self._show_page(self.table.current_key)

    def wanted_height(self, _width: int) -> int:
        """Return the height in which the addresses and the beginning of the text of one are in sight, px."""
        count = len(self._pages)
        if not count:
            return TOP + self._none.sizeHint().height() + BOTTOM
        return self._height_of(min(WANTED_ROWS, count), WANTED_LINES)

    def _height_of(self, rows: int, lines: int) -> int:
        return TOP + self.table.height_of(rows) + SPACE + self.facts.height_of(lines) + BOTTOM

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Give the table room for whole rows, and leave to what is below some lines of text and facts."""
        rows = max(1, min(ROWS, len(self._pages)))
        while rows > 1 and self.height() < self._height_of(rows, LEAST_LINES if rows <= WANTED_ROWS else MANY_LINES):
            rows -= 1
        self.table.setFixedHeight(self.table.height_of(rows))

    @property
    def page(self) -> PageFetched | None:
        """The chosen page."""
        key = self.table.current_key
        return self._pages.get(key) if isinstance(key, int) else None

    @property
    def step(self) -> TraceStep | None:
        """The step of the chosen page."""
        key = self.table.current_key
        return self._steps.get(key) if isinstance(key, int) else None

    def _show_page(self, key: object) -> None:
        page, step = self.page, self._steps.get(key) if isinstance(key, int) else None
        if page is None:
            return
        if self._trace is not None and step is not None:
            self.reading.show_page(step.step_id, page)
            self.facts.show_page(self._trace, step, page)
        self.picked.emit(key)


def _between(page: PageFetched) -> tuple[Cell, ...]:
    """Return type, size, use and cache; of what was refused or failed the reason stands there."""
    if page.refusal is not None:
        return Cell(rule_words(page.refusal), "danger", span=4), Cell(""), Cell(""), Cell("")
    if page.error is not None:
        return Cell(fault_words(page.error), "danger", span=4), Cell(""), Cell(""), Cell("")
    return (
        Cell(page.content_type.partition(";")[0], "text2"),
        Cell(size_cell(page), "attention" if page.is_part else "text2"),
        Cell(used_words(page), "attention" if page.is_cut else "text2"),
        Cell(cache_word(page), "text2"),
    )


def _row(key: int, page: PageFetched) -> CellRow:
    bad = page.refusal is not None or page.error is not None
    token = "danger" if bad else "ok"
    cells = (
        Cell(page.requested, "danger" if bad else "text1"),
        Cell(page_status(page), token, strong=True),
        *_between(page),
        Cell(seconds_words(page.took_s), "text2"),
    )
    return CellRow(key, cells, page_sentence(page))
