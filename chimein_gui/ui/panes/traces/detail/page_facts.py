"""The facts of a page beside its text, and what can be done with its site."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from chimein_gui.ui.widgets.controls.action_button import ActionButton
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
    from collections.abc import Sequence

    from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent

    from chimein_gui.domain.retrieval.pages import PageFetched
    from chimein_gui.domain.traces.steps import Trace, TraceStep
    from chimein_gui.ui.pane import PaneContext
    from chimein_gui.viewmodels.problems.words import ProblemAction

FACTS = 16
LEAST_HEIGHT = 28
"""Of the facts, px."""

EDGE, SPACE = 6, 4
"""Above the first and below the last fact, and between two, px."""


class _WholeRows(QWidget):
    """A scroll box that ends with a whole row of its contents while it is not scrolled."""

    def __init__(self, inside: QWidget, rows: Sequence[QWidget]) -> None:
        super().__init__()
        self._inside, self._rows, self._is_fitting = inside, rows, False
        self._box = ScrollBox(inside)
        self._box.setParent(self)
        self._box.verticalScrollBar().rangeChanged.connect(lambda _least, _most: self.fit())
        self.setMinimumHeight(LEAST_HEIGHT)

    def sizeHint(self) -> QSize:
        return self._box.sizeHint()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.fit()

    def fit(self) -> None:
        """Give the box the height of the rows that are whole within it."""
        if self._is_fitting:
            return
        self._is_fitting = True
        self._box.setGeometry(self.rect())
        layout = self._inside.layout()
        if layout is not None:
            layout.activate()
        if self._inside.height() > self.height():
            ends = (row.geometry().bottom() + 1 for row in self._rows if not row.isHidden())
            whole = max((end for end in ends if end <= self.height()), default=self.height())
            self._box.setGeometry(0, 0, self.width(), whole)
        self._is_fitting = False


class PageFacts(QWidget):
    """Names and values, and above them the buttons.

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
        self.deny = ActionButton(theme, self.tr("Deny this site"), icon="block")
        # It is about the plan, so it stands beside the tabs.
        self.without = ActionButton(theme, self.tr("Continue without retrieval"), icon="refresh")
        self.without.hide()  # there it would be in sight before a page is
        self.link = ActionButton(theme, self.tr("Open page"), icon="external")
        self._shown: tuple[Trace, TraceStep, PageFetched] | None = None
        self._way: ProblemAction | None = None
        self._is_left = False
        self._build()
        self.deny.clicked.connect(lambda _checked=False: self._deny())
        self.without.clicked.connect(lambda _checked=False: self._go_on())
        self.link.clicked.connect(lambda _checked=False: self._open())

    def _build(self) -> None:
        theme = self._context.theme
        inside = QWidget()
        grid = QGridLayout(inside)
        grid.setContentsMargins(12, EDGE, 12, EDGE)
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(SPACE)
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
        self._scrolls = _WholeRows(inside, [value for _name, value in self._facts])
        around.addWidget(self._scrolls, 1)
        column = QVBoxLayout(self)
        set_rtl_margins(column, 8, 0, 0, 0)  # its head stands beside that of the text
        column.setSpacing(4)
        head = QHBoxLayout()
        head.setSpacing(6)
        head.addWidget(ElidedLabel(theme, self.tr("This page"), Face.SMALL_STRONG, "text2"), 1)
        head.addWidget(self.link)
        head.addWidget(self.deny)
        column.addLayout(head)
        column.addWidget(card, 1)

    def height_of(self, lines: int) -> int:
        """Return the height with so many lines of facts in sight, px."""
        line = round(self._context.theme.metrics(Face.SMALL).height()) + SPACE
        return self.deny.sizeHint().height() + 8 + 2 * EDGE + lines * line

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.without.hide()

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
        self._scrolls.fit()
        self.refresh()

    def leave_way(self, *, to_box: bool) -> None:
        """Leave the way on without pages to the box below the steps, if that offers it."""
        self._is_left = to_box
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
        self.without.setVisible(self._way is not None and self.isVisible() and not self._is_left)
        self.link.setVisible(page.refusal is None and external_links.may_open(page.final))

    def _go_on(self) -> None:
        if self._way is not None:
            self.asked.emit(self._way)

    def _deny(self) -> None:
        if self._shown is not None:
            self.deny_asked.emit(host_of(self._shown[2]))

    def _open(self) -> None:
        if self._shown is not None:
            external_links.open_link(self._shown[2].final)
