"""The pages that were fetched for a plan: what became of each address, and its text as it stands in the prompt."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QSplitter, QVBoxLayout, QWidget

from chimein_gui.domain.prompt.foreign import masked_pieces
from chimein_gui.domain.retrieval.pages import PageFetched
from chimein_gui.ui.panes.traces.detail.cells import Cell, CellRow, CellTable, Column
from chimein_gui.ui.widgets.controls.verb_button import Kind, VerbButton
from chimein_gui.ui.widgets.rows.scroll_box import ScrollBox
from chimein_gui.ui.widgets.surfaces.surface import Card
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.labels import PlainLabel
from chimein_gui.ui.widgets.text.mono_text import MonoText, Run
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.traces.page_words import cache_word, page_facts, page_sentence, page_status, used_words
from chimein_gui.viewmodels.traces.step_words import fault_words, rule_words, size_words
from chimein_gui.viewmodels.traces.words import seconds_words

if TYPE_CHECKING:
    from chimein_gui.domain.traces.steps import Trace, TraceStep
    from chimein_gui.ui.pane import PaneContext

FACTS = 7


class PagesTab(QWidget):
    """A table of addresses; below it the text and the facts of the chosen one.

    Attributes:
        picked: An address was chosen; carries the id of its step.
    """

    picked = Signal(object)

    def __init__(self, context: PaneContext) -> None:
        super().__init__()
        self._context = context
        theme = context.theme
        columns = (
            Column(self.tr("URL")),
            Column(self.tr("Status"), 96),
            Column(self.tr("Type"), 84),
            Column(self.tr("Size"), 64, at_end=True),
            Column(self.tr("Used"), 96, at_end=True),
            Column(self.tr("Cache"), 52),
            Column(self.tr("Time"), 62, at_end=True),
        )
        self.table = CellTable(theme, self.tr("Pages"), columns)
        self._head = PlainLabel(theme, self.tr("Exactly what stands in the prompt"), Face.SMALL_STRONG, "text2")
        self.copy = VerbButton(theme, self.tr("Copy"), icon="copy", kind=Kind.QUIET)
        self.text = MonoText(theme, self.tr("Text of the page, as it stands in the prompt"))
        self._facts = [self._fact() for _ in range(FACTS)]
        self._none = PlainLabel(theme, self.tr("Nothing was retrieved for this plan."), Face.SMALL, "text2")
        self._pages: dict[int, PageFetched] = {}
        self._below = QSplitter()
        self._build()
        self.table.picked.connect(self._show_page)
        self.copy.clicked.connect(lambda _checked=False: QGuiApplication.clipboard().setText(self.text.whole_text()))

    def _fact(self) -> tuple[PlainLabel, PlainLabel]:
        theme = self._context.theme
        return PlainLabel(theme, "", Face.SMALL, "text2"), PlainLabel(theme, "", Face.SMALL)

    def _build(self) -> None:
        theme = self._context.theme
        left, facts = QWidget(), QWidget()
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        row = QHBoxLayout()
        row.addWidget(self._head, 1)
        row.addWidget(self.copy)
        column.addLayout(row)
        box = Card(theme)
        inside = QVBoxLayout(box)
        inside.setContentsMargins(4, 4, 4, 4)
        inside.addWidget(self.text)
        column.addWidget(box, 1)
        grid = QGridLayout(facts)
        grid.setContentsMargins(12, 8, 12, 8)
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(1, 1)
        for place, (name, value) in enumerate(self._facts):
            value.setWordWrap(True)
            value.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            grid.addWidget(name, place, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(value, place, 1)
        grid.setRowStretch(FACTS, 1)
        card = Card(theme)
        around = QVBoxLayout(card)
        around.setContentsMargins(2, 2, 2, 2)
        around.addWidget(ScrollBox(facts))
        self._below.setChildrenCollapsible(False)
        self._below.addWidget(left)
        self._below.addWidget(card)
        self._below.setSizes([620, 330])
        self.table.setMaximumHeight(132)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(12, 4, 12, 8)
        whole.setSpacing(6)
        whole.addWidget(self._none)
        whole.addWidget(self.table, 2)
        whole.addWidget(self._below, 3)

    def show_trace(self, trace: Trace, step: TraceStep | None) -> None:
        """Show the addresses of a trace, and choose that of a step if it is one."""
        self._pages = {one.step_id: one.detail for one in trace.steps if isinstance(one.detail, PageFetched)}
        self.table.show_rows([_row(key, page) for key, page in self._pages.items()])
        for part in (self.table, self._below):
            part.setVisible(bool(self._pages))
        self._none.setVisible(not self._pages)
        if step is not None and step.step_id in self._pages:
            self.table.choose(step.step_id)
        self._show_page(self.table.current_key)

    @property
    def page(self) -> PageFetched | None:
        """The chosen page."""
        key = self.table.current_key
        return self._pages.get(key) if isinstance(key, int) else None

    def _show_page(self, key: object) -> None:
        page = self.page
        if page is None:
            return
        self.copy.allow("" if page.text else self.tr("There is no text"))
        if page.text:
            pieces = masked_pieces(page.text)
            runs = (Run(one.text, *(("danger", "danger_soft") if one.is_mark else ())) for one in pieces)
            self.text.show_runs(tuple(runs))
        else:
            why = rule_words(page.refusal) if page.refusal is not None else ""
            why = why or (fault_words(page.error) if page.error is not None else "")
            self.text.show_runs((Run(self.tr("Nothing of it stands in the prompt: {why}").format(why=why), "danger"),))
        facts = page_facts(page)
        for place, (name, value) in enumerate(self._facts):
            known = facts[place] if place < len(facts) else ("", "")
            name.setText(known[0])
            value.setText(foreign_text.body(known[1]))
        self.picked.emit(key)


def _row(key: int, page: PageFetched) -> CellRow:
    bad = page.refusal is not None or page.error is not None
    token = "danger" if bad else "ok"
    cells = (
        Cell(page.requested, "danger" if page.refusal is not None else "text1"),
        Cell(page_status(page), token, strong=True),
        Cell(page.content_type.partition(";")[0], "text2"),
        Cell(size_words(page.size) if page.size else "", "text2"),
        Cell(used_words(page), "attention" if page.is_cut else "text2"),
        Cell(cache_word(page), "text2"),
        Cell(seconds_words(page.took_s), "text2"),
    )
    return CellRow(key, cells, page_sentence(page))
