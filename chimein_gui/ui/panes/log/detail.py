"""Details of one line of the log: what to do now comes first, then the line as it was written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QVBoxLayout

from chimein_gui.domain.ids import AgentId
from chimein_gui.ui.panes.log.rows import level_label
from chimein_gui.ui.requests import OpenLogin, SaveDiagnostics, ShowPreferences
from chimein_gui.ui.widgets.controls.action_button import ActionButton, Kind
from chimein_gui.ui.widgets.controls.spoken_role import speak_as_place
from chimein_gui.ui.widgets.surfaces.state_chip import StateChip
from chimein_gui.ui.widgets.surfaces.surface import Card, Surface
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.labels import ElidedLabel, PlainLabel
from chimein_gui.ui.widgets.text.mono_text import MonoText, Run
from chimein_gui.ui.widgets.text.tips import give_tip
from chimein_gui.ui.widgets.theme.marks import IconLabel
from chimein_gui.ui.widgets.theme.mirror import set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.log.export import as_report
from chimein_gui.viewmodels.log.model import chat_title, held_of
from chimein_gui.viewmodels.log.words import (
    Leads,
    Remedy,
    cause_of,
    leads_to,
    leads_words,
    remedy_of,
    remedy_words,
    same_words,
)
from chimein_gui.viewmodels.preferences.catalogue import Page
from chimein_gui.viewmodels.traces.words import TRACE_KEY, trace_action

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from chimein_gui.reporting.log_lines import LogLine
    from chimein_gui.ui.pane import PaneContext
    from chimein_gui.viewmodels.log.model import LogModel

LONGEST_CAUSE = 160
"""Characters of a cause that are shown, in two or three lines."""


def _in_short(cause: str) -> str:
    """Return as many whole words of a cause as are shown; one word that is longer than all is cut."""
    if len(cause) <= LONGEST_CAUSE:
        return cause
    words, _blank, rest = cause[:LONGEST_CAUSE].rpartition(" ")
    return f"{(words or rest).rstrip(' ,;:.…')}…"


class LogDetail(Surface):
    """Hidden while no line is chosen.

    Attributes:
        opened: What the line is about shall be shown.
        trace_asked: The trace of the plan that the line is about shall be shown.
    """

    opened = Signal()
    trace_asked = Signal()

    def __init__(self, context: PaneContext, model: LogModel) -> None:
        theme = context.theme
        super().__init__(theme, "pane", top_line="line_strong")
        self._context, self._model = context, model
        self._line: LogLine | None = None
        self.level_chip = StateChip(theme)
        self._title = ElidedLabel(theme, "", Face.STRONG)
        self._agent, self.chat = StateChip(theme), StateChip(theme)
        self.remedy = ActionButton(theme, "", kind=Kind.PRIMARY)
        self.open = ActionButton(theme, "", icon="arrow-right")
        self.trace = ActionButton(theme, trace_action(), icon="traces", key=TRACE_KEY)
        self.copy = ActionButton(theme, self.tr("Copy"), icon="copy")
        self.text = MonoText(theme, self.tr("The line as it was written"))
        self.now = PlainLabel(theme, "", Face.SMALL)
        self.cause = PlainLabel(theme, "", Face.SMALL)
        self.same = PlainLabel(theme, "", Face.SMALL)
        self._build()
        self.remedy.clicked.connect(lambda _checked=False: self._help())
        self.open.clicked.connect(lambda _checked=False: self.opened.emit())
        self.trace.clicked.connect(lambda _checked=False: self.trace_asked.emit())
        self.copy.clicked.connect(lambda _checked=False: self.copy_line())
        speak_as_place(self)
        self.setAccessibleName(self.tr("Log line"))
        self.show_line(None)

    def _build(self) -> None:
        theme = self._context.theme
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self.level_chip)
        head.addWidget(self._title, 1)
        for part in (self._agent, self.chat, self.remedy, self.open, self.trace, self.copy):
            head.addWidget(part)
        box, facts = Card(theme), Card(theme)
        self._facts = facts
        inside = QVBoxLayout(box)
        inside.setContentsMargins(4, 2, 4, 2)
        inside.addWidget(self.text)
        grid = QGridLayout(facts)
        grid.setContentsMargins(12, 8, 12, 8)
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(1, 1)
        heads = (self.tr("What now"), self.tr("Cause"), self.tr("Same line"))
        self._names = {}
        for row, (words, label) in enumerate(zip(heads, (self.now, self.cause, self.same), strict=True)):
            label.setWordWrap(True)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            name = self._names[label] = PlainLabel(theme, words, Face.SMALL, "text2")
            grid.addWidget(name, row, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(label, row, 1)
        grid.setRowStretch(len(heads), 1)
        below = QHBoxLayout()
        below.setSpacing(10)
        below.addWidget(facts, 2)
        below.addWidget(box, 3)
        column = QVBoxLayout(self)
        set_rtl_margins(column, 16, 8, 12, 10)
        column.setSpacing(8)
        column.addLayout(head)
        column.addLayout(below, 1)

    def show_line(self, line: LogLine | None) -> None:
        """Show the details of a line; None hides them."""
        if line is not None and line == self._line:
            self._say_what_now(line)  # drafts are decided meanwhile
            return
        self._line = line
        self.setVisible(line is not None)
        if line is None:
            return
        self.level_chip.say(level_label(line.level))
        self._title.setText(foreign_text.line(line.text, 300))
        agent = self._model.agent_name(line)
        self._agent.say(IconLabel("person", foreign_text.name(agent), "text2") if agent else None)
        title = foreign_text.short(chat_title(self._context.models.chats, line), 30)
        self.chat.say(IconLabel("chats", title, "text2") if title else None)
        helps = self._offer(remedy_of(line))
        self.remedy.setVisible(bool(helps))
        self.remedy.set_look(helps, kind=Kind.PRIMARY)
        leads = leads_to(line)
        self.open.setVisible(leads not in (Leads.NOWHERE, Leads.LOG_IN))  # that has its own button
        self.open.set_look(self.tr("Open {place}").format(place=leads_words(line)), "arrow-right")
        self.trace.setVisible(line.about.graph_id is not None or line.about.task_id is not None)
        self._say_what_now(line)
        cause = cause_of(line)  # all of a long one stands beside, in the line as it was written
        self.cause.setText(_in_short(foreign_text.line(cause, 400)))
        give_tip(self.cause, foreign_text.line(cause, 400))
        for part in (self.cause, self._names[self.cause]):
            part.setVisible(bool(cause))
        of_agent = self._model.agent_of(line) is not None
        self.same.setText(same_words(self._model.same_before(line), of_agent=of_agent))
        report = as_report(line)
        first, _break, rest = report.partition("\n")
        self.text.show_runs((Run(first), Run(f"\n{rest}", "text2")) if rest else (Run(first),))
        self._fit_facts()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_facts()

    def _fit_facts(self) -> None:
        """Take the height that the facts need in their width: a splitter asks wrapped texts for no height."""
        grid = self._facts.layout()
        if grid is not None:
            self._facts.setMinimumHeight(max(0, grid.heightForWidth(self._facts.width())))

    def _say_what_now(self, line: LogLine) -> None:
        remedy = remedy_of(line)
        agent_id = self._model.agent_of(line) if remedy is Remedy.LOG_IN else None
        self.now.setText(remedy_words(remedy, held_of(self._context.models.approvals, agent_id)))

    def _offer(self, remedy: Remedy) -> str:
        """Return the words of the button that helps; empty for none."""
        agent_id = self._model.agent_of(self._line) if self._line is not None else None
        if remedy is Remedy.LOG_IN and agent_id is not None:
            return self.tr("Log in again…")
        if remedy is Remedy.KEY:
            return self.tr("Open preferences")
        return self.tr("Save diagnostics…") if remedy is Remedy.REPORT else ""

    def _help(self) -> None:
        line = self._line
        agent_id = self._model.agent_of(line) if line is not None else None
        if line is None:
            return
        if remedy_of(line) is Remedy.LOG_IN and agent_id is not None:
            self._context.requests.send(OpenLogin(AgentId(agent_id)))
        elif remedy_of(line) is Remedy.KEY:
            self._context.requests.send(ShowPreferences(Page.KEYS))
        else:
            self._context.requests.send(SaveDiagnostics())

    def copy_line(self) -> None:
        """Copy the line with its traceback, without telephone numbers."""
        if self._line is not None:
            QGuiApplication.clipboard().setText(as_report(self._line))
