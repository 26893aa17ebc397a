"""The facts of a page beside its text, and what can be done with its site."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from chimein_gui.ui.widgets.controls.verb_button import VerbButton
from chimein_gui.ui.widgets.rows.scroll_box import ScrollBox
from chimein_gui.ui.widgets.surfaces.surface import Card
from chimein_gui.ui.widgets.text import external_links, foreign_text
from chimein_gui.ui.widgets.text.labels import ElidedLabel, PlainLabel
from chimein_gui.ui.widgets.theme.mirror import set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.traces.page_words import page_facts
from chimein_gui.viewmodels.traces.reasons import way_without_pages
from chimein_gui.viewmodels.traces.site_rules import host_of, is_denied

if TYPE_CHECKING:
    from chimein_gui.domain.retrieval.pages import PageFetched
    from chimein_gui.domain.traces.steps import Trace, TraceStep
    from chimein_gui.ui.pane import PaneContext
    from chimein_gui.viewmodels.problems.words import ProblemAction

FACTS = 16
LEAST_HEIGHT = 28
"""Of the facts, px: the buttons below them stay in sight in a small window."""


class PageFacts(QWidget):
    """Names and values, and around them the buttons.

    Attributes:
        asked: The plan shall go on without pages; carries a `ProblemAction`.
        deny_asked: The site of the page shall be denied; carries the host.
    """

    asked = Signal(object)
    deny_asked = Signal(str)

    def __init__(self, context: PaneContext) -> None:
        super().__init__()
        self._context = context
        theme = context.theme
        self._facts = [
            (PlainLabel(theme, "", Face.SMALL, "text2"), PlainLabel(theme, "", Face.SMALL)) for _ in range(FACTS)
        ]
        self.deny = VerbButton(theme, self.tr("Deny this site"), icon="block")
        self.without = VerbButton(theme, self.tr("Go on without retrieval"), icon="refresh")
        self.link = VerbButton(theme, self.tr("Open page"), icon="external")
        self._shown: tuple[Trace, TraceStep, PageFetched] | None = None
        self._way: ProblemAction | None = None
        self._build()
        self.deny.clicked.connect(lambda _checked=False: self._deny())
        self.without.clicked.connect(lambda _checked=False: self.asked.emit(self._way))
        self.link.clicked.connect(lambda _checked=False: self._open())

    def _build(self) -> None:
        theme = self._context.theme
        inside = QWidget()
        grid = QGridLayout(inside)
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
        row = QHBoxLayout()
        row.setSpacing(6)
        row.addWidget(self.link)
        row.addWidget(self.deny)
        row.addStretch(1)
        set_rtl_margins(row, 8, 0, 8, 6)
        card = Card(theme)
        around = QVBoxLayout(card)
        around.setContentsMargins(2, 2, 2, 2)
        scrolls = ScrollBox(inside)
        scrolls.setMinimumHeight(LEAST_HEIGHT)
        around.addWidget(scrolls, 1)
        around.addLayout(row)
        column = QVBoxLayout(self)
        set_rtl_margins(column, 8, 0, 0, 0)  # its head stands beside that of the text
        column.setSpacing(4)
        head = QHBoxLayout()
        head.addWidget(ElidedLabel(theme, self.tr("This page"), Face.SMALL_STRONG, "text2"), 1)
        head.addWidget(self.without)
        column.addLayout(head)
        column.addWidget(card, 1)

    def show_page(self, trace: Trace, step: TraceStep, page: PageFetched) -> None:
        """Show another page."""
        self._shown = (trace, step, page)
        facts = page_facts(trace, step, page)
        for place, (name, value) in enumerate(self._facts):
            known = facts[place] if place < len(facts) else ("", "")
            name.setText(known[0])
            value.setText(foreign_text.body(known[1]))
            for label in (name, value):
                label.setVisible(bool(known[0]))
        self.refresh()

    def refresh(self) -> None:
        """Offer what can be done with the page now."""
        if self._shown is None:
            return
        trace, _step, page = self._shown
        agent = self._context.models.agents.find(trace.summary.agent_id)
        why = ""
        if agent is None or not agent.spec.source:
            why = self.tr("This agent has no file any more")
        elif is_denied(agent, page):
            why = self.tr("The agent's file denies it")
        self.deny.setVisible(bool(host_of(page)))
        self.deny.allow(why)
        chat = self._context.models.chats.chat(trace.summary.chat_id)
        self._way = way_without_pages(trace, chat.planning_problem if chat is not None else None)
        self.without.setVisible(self._way is not None)
        self.link.setVisible(page.refusal is None and external_links.may_open(page.final))

    def _deny(self) -> None:
        if self._shown is not None:
            self.deny_asked.emit(host_of(self._shown[2]))

    def _open(self) -> None:
        if self._shown is not None:
            external_links.open_link(self._shown[2].final)
