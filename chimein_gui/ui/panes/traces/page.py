"""The open trace: head, waterfall, and details in tabs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from chimein_gui.domain.traces.steps import CallStep, StepKind
from chimein_gui.ui.panes.traces.detail.pages import PagesTab
from chimein_gui.ui.panes.traces.detail.reply import ReplyTab
from chimein_gui.ui.panes.traces.detail.step import RequestTab, StepTab
from chimein_gui.ui.panes.traces.detail.usage import UsageTab
from chimein_gui.ui.panes.traces.division import Division, TabStack
from chimein_gui.ui.panes.traces.head import TraceHead
from chimein_gui.ui.panes.traces.reason import ReasonBox
from chimein_gui.ui.panes.traces.steps_area import StepsArea
from chimein_gui.ui.panes.traces.waterfall import TimeAxis, Waterfall
from chimein_gui.ui.widgets.controls.segments import Segments
from chimein_gui.ui.widgets.surfaces.surface import Surface
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.labels import ElidedLabel
from chimein_gui.ui.widgets.theme.mirror import set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.problems.words import ProblemCommand
from chimein_gui.viewmodels.traces.reasons import Around, reason_of
from chimein_gui.viewmodels.traces.step_words import call_name, step_name, step_note, took_words
from chimein_gui.viewmodels.traces.steps import call_of_step, step_of_reason

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

_OF_CALLS = frozenset({REPLY, REQUEST, USAGE})
"""Tabs that tell of a model call."""


class TracePage(QWidget):
    """Keeps the chosen step of a trace while it changes.

    Attributes:
        left: The list shall get the focus.
        split: Steps and details.
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
        self.area = StepsArea(self.axis, self.waterfall, self.reason)
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
        self._stack = TabStack()
        self._shown: object = None
        self._step_id: int | None = None
        self._is_chosen = False
        self._call: CallId | None = None
        self._build()
        self.segments.chosen.connect(self.show_tab)
        self.waterfall.picked.connect(self._pick)
        self.waterfall.notes_turned.connect(self._say_about)
        self.waterfall.entered.connect(self.focus_detail)
        self.waterfall.left.connect(self.left)
        self.pages.picked.connect(lambda _key: self._say_about())
        model.passed.connect(self._show_time)
        context.models.clock.ticked.connect(self._tick)
        context.models.chats.feed.chats_changed.connect(self._look_at_chats)
        context.models.approvals.put.connect(self._look_at_card)
        context.models.agents.summary_changed.connect(self._look_around)
        context.models.agents.dataChanged.connect(self._look_around)
        self.show_tab(REPLY)

    def _build(self) -> None:
        below = Surface(self._context.theme, "pane", top_line="line_strong")
        row = self._row = QHBoxLayout()
        set_rtl_margins(row, 16, 8, 16, 2)
        row.setSpacing(8)
        row.addWidget(self.segments)
        row.addSpacing(4)
        self._about.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(self._about, 1)
        row.addWidget(self.pages.facts.without)
        for tab in self._tabs:
            self._stack.addWidget(tab)
        self._stack.setCurrentIndex(STEP)  # another one than that which is shown first
        under = QVBoxLayout(below)
        under.setContentsMargins(0, 0, 0, 0)
        under.setSpacing(0)
        under.addLayout(row)
        under.addWidget(self._stack, 1)
        theme = self._context.theme
        self.split = Division(self.area, below, self._wanted_height, lambda: theme.percent / 100)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(self.head)
        whole.addWidget(self.split, 1)

    def _wanted_height(self) -> int:
        """Return the height in which nothing of the tab in sight has to be scrolled, px."""
        self._stack.settle()
        tab = self._tabs[self._stack.currentIndex()]
        return self._row.sizeHint().height() + tab.wanted_height(self._stack.width())

    # --- contents -------------------------------------------------------------------------------------------------

    def show_trace(self, trace: Trace) -> None:
        """Show a trace: another one begins with what its box is about, else with its last call.

        The same one keeps its step and tab if the operator chose one of them, and else follows its box.
        """
        self.head.show_trace(trace)
        self.show_reason()
        is_other = trace.summary.trace_id != self._shown
        self._shown = trace.summary.trace_id
        if is_other:
            first = self._first_of(trace)
            self._is_chosen, self._call = self._call is not None, None
        else:
            first = self._followed(trace)
        if is_other or first is not None:
            tab = _TAB_OF.get(first.kind, STEP) if first is not None else STEP
            self._step_id = first.step_id if first is not None else None
            self._stack.turn_to(tab)
            self.segments.choose(tab)
        self.refresh()
        self.split.divide()  # before a step is chosen: the row is scrolled to where it is in sight then
        if self._step_id is not None and (is_other or first is not None or self.waterfall.current is None):
            self.waterfall.choose(self._step_id)

    def _first_of(self, trace: Trace) -> TraceStep | None:
        """Return the step to begin with: the wanted call, that of the reason box, or the last call."""
        calls = [one for one in trace.steps if one.kind is StepKind.MODEL_CALL]
        wanted = [one for one in calls if self._call is not None and _call_of(one) == self._call]
        if not wanted and self.reason.shown is not None:
            about = step_of_reason(trace, self.reason.shown.key)
            wanted = [about] if about is not None else []
        return next(reversed(wanted or calls or trace.steps), None)

    def _followed(self, trace: Trace) -> TraceStep | None:
        """Return the step that the box is about now, if that is another one and the operator has chosen none."""
        about = step_of_reason(trace, self.reason.shown.key) if self.reason.shown is not None else None
        step = self.chosen
        is_own_tab = step is None or self._stack.currentIndex() == _TAB_OF.get(step.kind, STEP)
        is_free = is_own_tab and not self._is_chosen
        return about if is_free and about is not None and about.step_id != self._step_id else None

    def show_reason(self) -> None:
        """Show why the plan failed or waits, with what can be done now."""
        trace, models = self._model.trace, self._context.models
        if trace is None:
            return
        row = trace.summary
        chat = models.chats.chat(row.chat_id)
        problem = chat.planning_problem if chat is not None else None
        self.reason.say(reason_of(trace, Around(models.clock, problem, models.agents.find(row.agent_id))))
        actions = self.reason.shown.actions if self.reason.shown is not None else ()
        self.pages.facts.leave_way(to_box=any(one.command is ProblemCommand.WITHOUT_PAGES for one in actions))

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

    def _look_around(self, *_what: object) -> None:
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
        self._say_about()

    def _tick(self) -> None:
        """Show what the plan waits for, with the time that is left."""
        if self._model.trace is not None and self.isVisible():
            self.head.show_state(self._model.trace)

    def _show_time(self) -> None:
        """Show how long what waits has waited; nothing else of the page is touched, so that it can be read on."""
        trace = self._model.trace
        if trace is not None:
            self.head.show_figures(trace)
            self._say_about()
            if self._stack.currentIndex() == STEP:
                self.step.show_trace(trace, self.chosen)

    def _say_about(self) -> None:
        """Name what the tab shows, with the note of a step where that does not stand beside the bar."""
        step = self._in_sight
        words = ""
        if step is not None:
            note = "" if self.waterfall.shows_notes else step_note(step, self._model.steps.parts_of(step))
            words = _about(step, note, self.chosen)
        self._about.setText(words)

    @property
    def _in_sight(self) -> TraceStep | None:
        """What the tab in sight tells of: the chosen step, a page, or the call that the step is about."""
        trace, tab = self._model.trace, self._stack.currentIndex()
        if trace is not None and tab in _OF_CALLS:
            return call_of_step(trace, self.chosen)
        is_page = tab == PAGES and (self.chosen is None or self.chosen.kind is not StepKind.ROUND)
        return self.pages.step if is_page else self.chosen

    def show_tab(self, place: int) -> None:
        """Show another tab."""
        is_other = self._stack.turn_to(place)
        self.segments.choose(place)
        self.refresh()
        self.split.divide(is_step=not is_other)

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
        self._step_id, self._is_chosen = step.step_id, True
        self.show_tab(_TAB_OF.get(step.kind, STEP))


def _about(step: TraceStep, note: str, chosen: TraceStep | None) -> str:
    """Return name, model, note and time of a step; of a call how it stands to the page or round that is chosen."""
    model = step.detail.call.model if isinstance(step.detail, CallStep) else ""
    name = step_name(step) if chosen is None else call_name(step, chosen)
    foreign = (foreign_text.line(name, 120), foreign_text.line(model, 60), foreign_text.line(note, 80))
    return " · ".join(part for part in (*foreign, took_words(step)) if part)


def _call_of(step: TraceStep) -> CallId | None:
    return step.detail.call_id if isinstance(step.detail, CallStep) else None
