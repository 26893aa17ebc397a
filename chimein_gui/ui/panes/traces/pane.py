"""The Traces pane: the list of plans, and the trace of the chosen one."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QModelIndex, QPoint, Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication, QHBoxLayout, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from chimein_gui.domain.prompt.sent import CallId
from chimein_gui.domain.traces.summaries import TraceFilter
from chimein_gui.ui.pane import Pane, PaneContext
from chimein_gui.ui.panes.traces.chosen import ChosenByFilter
from chimein_gui.ui.panes.traces.keys import AGAIN, TraceKeys, TraceLegend
from chimein_gui.ui.panes.traces.menu import TraceActions
from chimein_gui.ui.panes.traces.page import TracePage
from chimein_gui.ui.panes.traces.page_actions import PageActions
from chimein_gui.ui.panes.traces.side import TraceSide
from chimein_gui.ui.requests import (
    ClosePane,
    RunAction,
    ShowChat,
    ShowContext,
    ShowDraft,
    ShowMessage,
    ShowPlan,
    ShowPreferences,
    ShowPrompt,
    ShowTrace,
)
from chimein_gui.ui.widgets.controls.spoken_role import announce
from chimein_gui.ui.widgets.surfaces.empty_state import EmptyState
from chimein_gui.ui.widgets.surfaces.menus import open_below
from chimein_gui.ui.widgets.surfaces.news import News
from chimein_gui.ui.widgets.surfaces.surface import Footer
from chimein_gui.ui.widgets.text.labels import ElidedLabel
from chimein_gui.ui.widgets.theme.mirror import set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.preferences.catalogue import Page
from chimein_gui.viewmodels.problems.words import ProblemCommand
from chimein_gui.viewmodels.traces.open_trace import make_traces
from chimein_gui.viewmodels.traces.steps import last_call
from chimein_gui.viewmodels.traces.words import limit_words, size_words

if TYPE_CHECKING:
    from PySide6.QtGui import QHideEvent, QKeyEvent, QResizeEvent, QShowEvent
    from PySide6.QtWidgets import QMenu

    from chimein_gui.domain.traces.summaries import TraceId, TraceSummary


SMALL_BELOW = 1240
"""Width in px below which the list is a strip of icons."""


class TracesPane(Pane):
    """It reads only while it is visible."""

    def __init__(self, context: PaneContext) -> None:
        super().__init__()
        self._context = context
        theme = context.theme
        models = context.own(make_traces)
        self.traces, self.model = models.list, models.open
        self.side = TraceSide(context, self.traces)
        self.page = TracePage(context, self.model)
        self.news = News(theme)
        self.of_page = PageActions(context, models, self.page.pages, self.news, self)
        self.trace_actions = TraceActions(context, self.model, self.news, self)
        self._empty = EmptyState(theme, "traces")
        self._stack = QStackedWidget()
        self._split = QSplitter()
        self._sizes = ElidedLabel(theme, "", Face.SMALL, "text2")
        self._keys = TraceKeys(context.models.single_keys, self)
        self._call: CallId | None = None
        self._open_limits = partial(context.requests.send, ShowPreferences(Page.LIMITS))
        self.menu: QMenu | None = None
        self._is_small, self._is_widened, self._sizes_when_wide = False, False, [340, 876]
        self._build()
        ChosenByFilter(self.side.list, self.traces, self.model)
        self._wire()
        self.refresh()

    def _build(self) -> None:
        theme = self._context.theme
        self._stack.addWidget(self._empty)
        self._stack.addWidget(self.page)
        self._split.setChildrenCollapsible(False)
        self._split.addWidget(self.side)
        self._split.addWidget(self._stack)
        self._split.setStretchFactor(1, 1)
        self._split.setSizes([340, 1036])
        foot = Footer(theme)
        row = QHBoxLayout(foot)
        set_rtl_margins(row, 0, 0, 14, 0)
        self._legend = TraceLegend(
            theme,
            self.page,
            lambda: self._stack.currentWidget() is self.page,
            lambda: bool(self.traces.rowCount()),
            self,
        )
        row.addWidget(self._legend, 3)
        self._sizes.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(self._sizes, 2)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(self.news)
        whole.addWidget(self._split, 1)
        whole.addWidget(foot)

    def _wire(self) -> None:
        side, page, send = self.side, self.page, self._context.requests.send

        def press(*commands: ProblemCommand) -> None:
            if self._stack.currentWidget() is page:  # else the box is about a trace that is not in sight
                page.reason.press(*commands)

        self._stack.currentChanged.connect(lambda _place: self._legend.refresh())
        self.traces.changed.connect(self.refresh)
        self.model.changed.connect(self.show_open)
        self.model.found.connect(self._take_found)
        self.traces.placed.connect(side.list.go_to)
        side.list.picked.connect(self._pick)
        side.list.entered.connect(page.waterfall.setFocus)
        page.left.connect(side.focus_list)
        for watched in (side.list, page.waterfall):
            self._keys.watch(watched)
        self._keys.stepped.connect(side.list.step)
        self._keys.tab_wanted.connect(page.show_tab)
        self._keys.searched.connect(side.focus_search)
        self._keys.prompt_wanted.connect(self.open_prompt)
        self._keys.context_wanted.connect(self.open_context)
        self._keys.again_wanted.connect(lambda: press(*AGAIN))
        self._keys.edit_wanted.connect(lambda: press(ProblemCommand.EDIT_FIRST))
        head = page.head
        head.prompt.clicked.connect(lambda _checked=False: self.open_prompt())
        head.context.clicked.connect(lambda _checked=False: self.open_context())
        head.what_if.clicked.connect(lambda _checked=False: self.open_prompt(what_if=True))
        head.chat.clicked.connect(lambda _checked=False: self._open_chat())
        head.menu_asked.connect(self.show_menu)
        page.reply.graph_asked.connect(self._open_graph)
        page.request.prompt_asked.connect(lambda call_id: self.open_prompt(call_id=call_id))
        page.request.curl_asked.connect(self.model.curl)
        page.step.message_asked.connect(lambda chat_id, message_id: send(ShowMessage(chat_id, message_id)))
        page.reason.asked.connect(lambda action: send(RunAction(action)))
        page.step.draft_asked.connect(lambda approval_id: send(ShowDraft(approval_id)))
        side.widened.connect(self._widen)
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._follow_focus)
        find = QShortcut(QKeySequence(QKeySequence.StandardKey.Find), self)
        find.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        find.activated.connect(side.focus_search)

    # --- the pane -------------------------------------------------------------------------------------------------

    def open(self, request: object) -> None:
        if not isinstance(request, ShowTrace):
            return
        if request.trace_id is not None:
            self._show(request.trace_id)
        elif request.graph_id is not None:
            self._call = request.call_id
            self.model.find(request.graph_id)
        elif request.task_id is not None:
            self.model.find_asked(request.task_id)
        elif request.chat_id is not None and request.message_id is not None:
            self.model.find_sent(request.chat_id, request.message_id)
        else:
            self.side.show_filter(request.wanted or TraceFilter(chat_id=request.chat_id))
        self.side.focus_list()

    def focus_widget(self) -> QWidget:
        return self.side.list if self.traces.rowCount() else self.side.instead

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.traces.watch(watched=True)
        self.model.watch(watched=True)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.traces.watch(watched=False)
        self.model.watch(watched=False)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._is_widened = self._is_widened or self.side.has_filter_focus()
        self._fit()
        self.page.head.fit()

    def _widen(self, widened: bool) -> None:
        self._is_widened = widened
        self._fit()

    def _fit(self) -> None:
        """Make a strip of the list in a small pane, unless its filters are wanted or it says why it is empty."""
        scale = self._context.theme.percent / 100
        small = self.width() < SMALL_BELOW * scale
        self._is_widened = self._is_widened and small
        is_empty = self.traces.is_loaded and not self.traces.rowCount()
        narrow = small and not self._is_widened and not is_empty and not self.traces.problem
        if narrow != self.side.is_narrow:
            if narrow:
                self._sizes_when_wide = self._split.sizes()
            self.side.set_narrow(narrow=narrow)
            sizes = [self.side.width(), self.width()] if narrow else self._sizes_when_wide
            self._split.setSizes(sizes)
        self._is_small = small
        above = self.side.empty.mapTo(self.side, QPoint(0, 0)).y() if self.side.empty.isVisible() else 0
        self._empty.setContentsMargins(0, above, 0, 0)  # what both empty places say stands at one height

    def _follow_focus(self, _old: QWidget | None, now: QWidget | None) -> None:
        """Make the list a strip again once the filters are left."""
        if now is None or now.window() is not self.window():  # the list of a combo box is a window of its own
            return
        if self._is_small and not self.side.is_narrow and not self.side.isAncestorOf(now):
            self._widen(False)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self._context.requests.send(ClosePane("traces"))
        else:
            super().keyPressEvent(event)

    def save_layout(self) -> QByteArray:
        return self.page.split.save_layout()

    def restore_layout(self, state: QByteArray) -> None:
        self.page.split.restore_layout(state)

    # --- contents -------------------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Show the list as it is now; the newest trace is opened if none is."""
        self.side.refresh()
        self._is_widened = self._is_widened or self.side.has_filter_focus()
        self._fit()
        sizes = self.traces.sizes
        self._sizes.setText(size_words(sizes))
        self._sizes.setToolTip(limit_words(sizes))
        if self.model.trace_id is None and not self.model.is_missing and self.traces.rowCount():
            self.side.list.step(0)
        elif self.model.trace_id is not None and self.side.list.current is None:
            self.side.list.choose(self.model.trace_id)
        if self.traces.problem and self.traces.rowCount():
            self.news.fail(self.traces.problem, self.tr("Try again"), self.traces.read)
        self.show_open()

    def show_open(self) -> None:
        """Show the open trace, or why there is none."""
        model = self.model
        self._legend.refresh()
        if model.trace is not None:
            self._stack.setCurrentIndex(1)
            self.page.show_trace(model.trace)
            self._legend.refresh()
            return
        is_coming = model.trace_id is not None and not model.problem and not model.is_gone
        if is_coming and self._stack.currentIndex():
            return  # the last one stays in sight until the next is there
        self._stack.setCurrentIndex(0)
        if model.problem:
            words = self.tr("This trace can't be loaded. Nothing is lost.")
            self._empty.say(words, model.problem, ((self.tr("Try again"), model.read),))
        elif model.is_gone:
            self._empty.say(
                self.tr("This trace is gone"),
                self.tr(
                    "It was deleted: for its age, because traces took up too much room, or with its chat. "
                    "Preferences set how long traces are kept. “Keep this trace” in the menu of a trace keeps it for "
                    "good."
                ),
                ((self.tr("Open preferences"), self._open_limits),),
            )
        elif model.is_missing:
            self._empty.say(
                self.tr("This plan has no trace"),
                self.tr("It has none any more, or none yet. Choose another plan in the list."),
            )
        elif model.trace_id is None and self.traces.rowCount():
            self._empty.say(self.tr("No trace is open"), self.tr("Choose a plan to see how it came about."))
        elif model.trace_id is None:
            self._empty.say(self.tr("No trace is open"), self.tr("Here you see how a plan came about."))
        else:
            self._empty.say(self.tr("Loading the trace…"), "")

    def _pick(self, row: TraceSummary | None) -> None:
        if row is not None:
            self.model.open(row.trace_id)

    def _show(self, trace_id: TraceId) -> None:
        self.model.open(trace_id)
        if not self.side.list.choose(trace_id):
            self.side.list.clearSelection()
            self.traces.look_for(trace_id)

    def _take_found(self, trace_id: TraceId | None) -> None:
        call, self._call = self._call, None
        if trace_id is not None:
            self.page.want_call(call)
            self._show(trace_id)
            self.show_open()
        else:
            self.side.list.setCurrentIndex(QModelIndex())
            announce(self._empty, self._empty.accessibleName())

    # --- ways out -------------------------------------------------------------------------------------------------

    @property
    def shown(self) -> TraceSummary | None:
        """The row of the open trace."""
        return self.model.trace.summary if self.model.trace is not None else None

    def open_prompt(self, call_id: object = None, *, what_if: bool = False) -> None:
        """Show the stored request of a call in the Prompt pane, or what another prompt would bring."""
        row = self.shown
        if row is not None and self.model.trace is not None:
            call = CallId(call_id) if isinstance(call_id, int) else None
            if row.graph_id is None and (call := call or last_call(self.model.trace)) is None:
                return
            self._context.requests.send(ShowPrompt(row.chat_id, row.graph_id, call, what_if=what_if))

    def open_context(self) -> None:
        """Show which messages the plan took."""
        row = self.shown
        if row is not None and row.graph_id is not None:
            self._context.requests.send(ShowContext(row.chat_id, row.graph_id))

    def _open_chat(self) -> None:
        row = self.shown
        if row is not None:
            self._context.requests.send(ShowChat(row.chat_id))

    def _open_graph(self) -> None:
        row = self.shown
        if row is not None and row.graph_id is not None:
            self._context.requests.send(ShowPlan(row.chat_id, graph_id=row.graph_id))

    def show_menu(self) -> None:
        """Show what else can be done with the open trace."""
        row = self.shown
        if row is not None:
            menu = self.menu = self.trace_actions.menu(row)
            menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            more = self.page.head.more
            open_below(menu, more)
