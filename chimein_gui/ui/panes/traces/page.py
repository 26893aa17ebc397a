"""The open trace: head, waterfall, and details in tabs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from chimein_gui.domain.traces.steps import CallStep, StepKind
from chimein_gui.ui.panes.traces.detail.pages import PagesTab
from chimein_gui.ui.panes.traces.detail.reply import ReplyTab
from chimein_gui.ui.panes.traces.detail.step import RequestTab, StepTab
from chimein_gui.ui.panes.traces.detail.usage import UsageTab
from chimein_gui.ui.panes.traces.head import TraceHead
from chimein_gui.ui.panes.traces.reason import ReasonBox
from chimein_gui.ui.panes.traces.waterfall import TimeAxis, Waterfall
from chimein_gui.ui.widgets.controls.segments import Segments
from chimein_gui.ui.widgets.surfaces.surface import Surface
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.labels import ElidedLabel
from chimein_gui.ui.widgets.theme.mirror import set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.traces.reasons import Around, reason_of
from chimein_gui.viewmodels.traces.step_words import step_name, step_note
from chimein_gui.viewmodels.traces.words import seconds_words

if TYPE_CHECKING:
    from chimein_gui.domain.approvals import Approval
    from chimein_gui.domain.ids import ChatId
    from chimein_gui.domain.prompt.sent import CallId
    from chimein_gui.domain.traces.steps import Trace, TraceStep
    from chimein_gui.ui.pane import PaneContext
    from chimein_gui.viewmodels.traces.open_trace import OpenTrace

REPLY, PAGES, REQUEST, USAGE, STEP = range(5)

_TAB_OF = {
    StepKind.MODEL_CALL: REPLY,
    StepKind.PARSE: REPLY,
    StepKind.ROUND: PAGES,
    StepKind.PAGE: PAGES,
    StepKind.PROMPT: REQUEST,
}
"""The tab that tells of a step; of all others the last one."""


class TracePage(QWidget):
    """Keeps the chosen step of a trace while it changes.

    Attributes:
        left: The list shall get the focus.
    """

    left = Signal()

    def __init__(self, context: PaneContext, model: OpenTrace) -> None:
        super().__init__()
        self._context, self._model = context, model
        theme = context.theme
        self.head = TraceHead(context)
        self.waterfall = Waterfall(context, model.steps)
        self.axis = TimeAxis(theme, model.steps, lambda: self.waterfall.lanes)
        self.reason = ReasonBox(theme)
        self.reply, self.pages = ReplyTab(context), PagesTab(context)
        self.request, self.usage, self.step = RequestTab(context), UsageTab(context), StepTab(context)
        self._tabs = (self.reply, self.pages, self.request, self.usage, self.step)
        words = (
            self.tr("Reply → tasks"),
            self.tr("Injected text"),
            self.tr("Request"),
            self.tr("Usage"),
            self.tr("Step"),
        )
        self.segments = Segments(theme, words, self.tr("Details"))
        self._about = ElidedLabel(theme, "", Face.SMALL, "text2")
        self._stack = QStackedWidget()
        self._shown: object = None
        self._step_id: int | None = None
        self._call: CallId | None = None
        self._build()
        self.segments.chosen.connect(self.show_tab)
        self.waterfall.picked.connect(self._pick)
        self.waterfall.entered.connect(self.focus_detail)
        self.waterfall.left.connect(self.left)
        model.passed.connect(self._show_time)
        context.models.clock.ticked.connect(self._tick)
        context.models.chats.chats_changed.connect(self._look_at_chats)
        context.models.approvals.put.connect(self._look_at_card)
        context.models.agents.summary_changed.connect(self._look_around)
        context.models.agents.dataChanged.connect(lambda *_rows: self._look_around())
        self.show_tab(REPLY)

    def _build(self) -> None:
        above, below = QWidget(), Surface(self._context.theme, "pane", top_line="line_strong")
        column = QVBoxLayout(above)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.axis)
        column.addWidget(self.waterfall, 1)
        column.addWidget(self.reason)
        row = QHBoxLayout()
        set_rtl_margins(row, 16, 8, 16, 2)
        row.addWidget(self.segments)
        row.addSpacing(12)
        self._about.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(self._about, 1)
        for tab in self._tabs:
            self._stack.addWidget(tab)
        under = QVBoxLayout(below)
        under.setContentsMargins(0, 0, 0, 0)
        under.setSpacing(0)
        under.addLayout(row)
        under.addWidget(self._stack, 1)
        self.split = QSplitter(Qt.Orientation.Vertical)
        self.split.setChildrenCollapsible(False)
        self.split.addWidget(above)
        self.split.addWidget(below)
        for place in range(2):
            self.split.setStretchFactor(place, 1)
        self.split.setSizes([330, 340])
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(self.head)
        whole.addWidget(self.split, 1)

    # --- contents -------------------------------------------------------------------------------------------------

    def show_trace(self, trace: Trace) -> None:
        """Show a trace; another one begins with its last call, the same one keeps its step."""
        self.head.show_trace(trace)
        self.show_reason()
        is_other = trace.summary.trace_id != self._shown
        self._shown = trace.summary.trace_id
        if is_other:
            calls = [one for one in trace.steps if one.kind is StepKind.MODEL_CALL]
            calls = [one for one in calls if self._call is not None and _call_of(one) == self._call] or calls
            self._call = None
            first = (calls or trace.steps)[-1:] if trace.steps else ()
            self._step_id = first[0].step_id if first else None
            if self._step_id is not None:
                self.waterfall.choose(self._step_id)
            self.show_tab(_TAB_OF.get(first[0].kind, STEP) if first else STEP)
        elif self._step_id is not None and self.waterfall.current is None:
            self.waterfall.choose(self._step_id)
        self.refresh()

    def set_small(self, *, small: bool) -> None:
        """Leave out what has no room in a small pane."""
        self.head.fit()
        self.waterfall.shows_notes = not small
        self.waterfall.viewport().update()
        self.refresh()

    def show_reason(self) -> None:
        """Show why the plan failed or waits, with what can be done now."""
        trace, models = self._model.trace, self._context.models
        if trace is None:
            return
        row = trace.summary
        chat = models.chats.chat(row.chat_id)
        problem = chat.planning_problem if chat is not None else None
        self.reason.say(reason_of(trace, Around(models.clock, problem, models.agents.find(row.agent_id))))

    def _look_at_chats(self, touched: frozenset[ChatId]) -> None:
        trace = self._model.trace
        if trace is not None and trace.summary.chat_id in touched:
            self._look_around()

    def _look_at_card(self, card: Approval) -> None:
        """Read the trace again if this is one of its cards: what the operator postpones is no event of the trace."""
        trace = self._model.trace
        cards = (block.approval for block in trace.blocks) if trace is not None else ()
        if trace is not None and any(one is not None and one.approval_id == card.approval_id for one in cards):
            self._model.touched(trace.summary.trace_id)

    def _look_around(self) -> None:
        """Show what can be done now: the chat or its agent changed."""
        if self._model.trace is not None:
            self.head.show_state(self._model.trace)
        self.show_reason()
        self.pages.facts.refresh()

    def want_call(self, call_id: CallId | None) -> None:
        """Begin the next trace that is shown with this call; None begins with its last one."""
        self._call, self._shown = call_id, None if call_id is not None else self._shown

    @property
    def chosen(self) -> TraceStep | None:
        """The chosen step, as it is now."""
        trace = self._model.trace
        steps = trace.steps if trace is not None else ()
        return next((one for one in steps if one.step_id == self._step_id), None)

    def refresh(self) -> None:
        """Show the details of the chosen step in the tab in sight."""
        trace, step = self._model.trace, self.chosen
        if trace is None:
            return
        self._tabs[self._stack.currentIndex()].show_trace(trace, step)
        self._say_about(step)

    def _tick(self) -> None:
        """Show what the plan waits for, with the time that is left."""
        if self._model.trace is not None and self.isVisible():
            self.head.show_state(self._model.trace)

    def _show_time(self) -> None:
        """Show how long what waits has waited; nothing else of the page is touched, so that it can be read on."""
        trace, step = self._model.trace, self.chosen
        if trace is not None:
            self.head.show_figures(trace)
            self._say_about(step)
            if self._stack.currentIndex() == STEP:
                self.step.show_trace(trace, step)

    def _say_about(self, step: TraceStep | None) -> None:
        self._about.setText(self._about_step(step) if step is not None else "")

    def _about_step(self, step: TraceStep) -> str:
        """Return name and time of a step, and its note where that does not stand beside the bar."""
        note = "" if self.waterfall.shows_notes else foreign_text.line(step_note(step), 80)
        parts = (foreign_text.line(step_name(step), 80), note, seconds_words(step.took_s))
        return " · ".join(part for part in parts if part)

    def show_tab(self, place: int) -> None:
        """Show another tab."""
        self._stack.setCurrentIndex(place)
        self.segments.choose(place)
        self.refresh()

    def focus_detail(self) -> None:
        """Focus the contents of the tab in sight."""
        tab = self._tabs[self._stack.currentIndex()]
        target: QWidget = tab
        if isinstance(tab, ReplyTab):
            target = tab.raw
        elif isinstance(tab, PagesTab | UsageTab):
            target = tab.table
        elif isinstance(tab, RequestTab):
            target = tab.prompt
        elif isinstance(tab, StepTab):
            target = tab.message if tab.message.isVisible() else self.segments.focus_widget()
        target.setFocus()

    def _pick(self, step: TraceStep | None) -> None:
        if step is None or step.step_id == self._step_id:
            return
        self._step_id = step.step_id
        self.show_tab(_TAB_OF.get(step.kind, STEP))


def _call_of(step: TraceStep) -> CallId | None:
    return step.detail.call_id if isinstance(step.detail, CallStep) else None
