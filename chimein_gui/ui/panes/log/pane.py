"""The Log pane: filter, density strip, list, and details of the chosen line."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QStandardPaths, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from chimein_gui.domain.ids import AgentId, ChatId, GraphId, TaskId
from chimein_gui.reporting.log_lines import NOBODY
from chimein_gui.ui.pane import Pane, PaneContext
from chimein_gui.ui.panes.log.columns import heads_of
from chimein_gui.ui.panes.log.detail import LogDetail
from chimein_gui.ui.panes.log.head import LogHead
from chimein_gui.ui.panes.log.list import LogList
from chimein_gui.ui.panes.log.strip import DensityStrip
from chimein_gui.ui.requests import (
    ClosePane,
    OpenAgentSource,
    OpenFolder,
    OpenLogin,
    SaveDiagnostics,
    ShowAgent,
    ShowChat,
    ShowCosts,
    ShowLog,
    ShowMedia,
    ShowMemory,
    ShowPlan,
    ShowTrace,
)
from chimein_gui.ui.widgets.controls.legend import KeyLegend
from chimein_gui.ui.widgets.rows.column_heads import ColumnHeads
from chimein_gui.ui.widgets.surfaces.empty_state import EmptyState
from chimein_gui.ui.widgets.surfaces.news import News
from chimein_gui.ui.widgets.surfaces.surface import Footer
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.labels import PlainLabel
from chimein_gui.ui.widgets.theme.marks import IconLabel
from chimein_gui.ui.widgets.theme.mirror import set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.log.export import make_log_export
from chimein_gui.viewmodels.log.filter import LogFilter
from chimein_gui.viewmodels.log.model import make_log
from chimein_gui.viewmodels.log.words import Leads, counts_words, leads_to
from chimein_gui.viewmodels.traces.words import TRACE_KEY

translate = QCoreApplication.translate

if TYPE_CHECKING:
    from PySide6.QtGui import QHideEvent, QShowEvent


_PLACES: dict[Leads, object] = {
    Leads.FILES: OpenAgentSource(),
    Leads.MEDIA: ShowMedia(),
    Leads.MEMORY: ShowMemory(),
    Leads.COSTS: ShowCosts(),
}


class LogPane(Pane):
    """It takes new lines only while it is visible; those written meanwhile are kept for it."""

    def __init__(self, context: PaneContext) -> None:
        super().__init__()
        self._context = context
        theme = context.theme
        self.model, self.exporter = context.own(make_log), context.own(make_log_export)
        self.head = LogHead(context, self.model)
        self.list = LogList(context, self.model)
        self.strip = DensityStrip(theme, self.model, self.list)
        self._heads = ColumnHeads(theme, lambda: heads_of(theme, self.list.columns))
        self.detail = LogDetail(context, self.model)
        self.news = News(theme, gap_below=8)  # the strip begins at its upper edge
        self._empty = EmptyState(theme, "log")
        self._empty.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._stack = QStackedWidget()
        self._split = QSplitter(Qt.Orientation.Vertical)
        self._counts = PlainLabel(theme, "", Face.SMALL, "text2")
        self.chooser: QFileDialog | None = None
        self._build()
        self._wire()
        self.refresh()

    def _build(self) -> None:
        theme = self._context.theme
        rows = QWidget()
        column = QVBoxLayout(rows)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._heads)
        column.addWidget(self.list, 1)
        self._stack.addWidget(self._empty)
        self._stack.addWidget(rows)
        self._split.setChildrenCollapsible(False)
        self._split.addWidget(self._stack)
        self._split.addWidget(self.detail)
        self._split.setStretchFactor(0, 1)
        self._split.setSizes([520, 140])
        foot = Footer(theme)
        row = QHBoxLayout(foot)
        set_rtl_margins(row, 0, 0, 14, 0)
        legend = (
            (("J", "K"), self.tr("line")),
            (("↵",), self.tr("open what it belongs to")),
            ((TRACE_KEY,), self.tr("trace")),
            (("F",), self.tr("follow")),
            (("/",), self.tr("filter")),
            (("E",), self.tr("next error")),
        )
        self._keys = KeyLegend(theme, legend, self)
        policy = self._keys.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self._keys.setSizePolicy(policy)
        row.addWidget(self._keys, 1)
        row.addStretch()
        row.addWidget(self._counts)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        for part in (self.head, self.news, self.strip):
            whole.addWidget(part)
        whole.addWidget(self._split, 1)
        whole.addWidget(foot)

    def _wire(self) -> None:
        self.model.changed.connect(self.refresh)
        self.model.counted.connect(self.refresh)
        self.model.grown.connect(self._show_first)
        self.model.dataChanged.connect(lambda *_rows: self._show_current())
        self.list.followed.connect(self._show_following)
        self.list.entered.connect(self.open_place)
        self.list.searched.connect(self.head.words.setFocus)
        self.list.picked.connect(self._show_current)
        self.head.follow.clicked.connect(self.list.follow)
        self.head.left.connect(self.focus_list)
        self.head.export_asked.connect(self.ask_export)
        self.head.diagnostics_asked.connect(lambda: self._context.requests.send(SaveDiagnostics()))
        self.strip.scrolled_to.connect(self.list.show_time)
        self.detail.opened.connect(self.open_place)
        self.detail.trace_asked.connect(self.open_trace)
        self.list.trace_wanted.connect(self.open_trace)
        self.exporter.saved.connect(self._tell_saved)
        self.exporter.failed.connect(self.news.fail)
        for keys, do in (
            (QKeySequence(QKeySequence.StandardKey.Find), self.head.words.setFocus),
            (QKeySequence(QKeySequence.StandardKey.Copy), self.detail.copy_line),
        ):
            shortcut = QShortcut(keys, self.list if do == self.detail.copy_line else self)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(do)

    # --- the pane -------------------------------------------------------------------------------------------------

    def open(self, request: object) -> None:
        if isinstance(request, ShowLog):
            chats = None if request.chat_id is None else frozenset((request.chat_id,))
            wanted = LogFilter(agent_id=request.agent_id, chat_ids=chats, graph_id=request.graph_id)
            self.head.show_about(wanted)
            self.focus_list()

    def focus_widget(self) -> QWidget:
        return self.list if self._stack.currentIndex() else self._empty

    def focus_list(self) -> None:
        """Focus the list, or what stands in its place."""
        self.focus_widget().setFocus()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.model.watch(watched=True)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.model.watch(watched=False)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self._context.requests.send(ClosePane("log"))
        else:
            super().keyPressEvent(event)

    # --- contents -------------------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Show what is there now, or why there is nothing."""
        model = self.model
        count = model.rowCount()
        self.head.refresh()
        self._counts.setText(counts_words(count, model.total))
        self.head.export.allow("" if count else self.tr("Nothing to export"))
        had_focus = self.list.hasFocus() or self._empty.hasFocus()
        if not count:
            self._say_why_empty()
        for part in (self.strip, self._keys):
            part.setVisible(bool(count))
        if self._stack.currentIndex() != int(bool(count)):
            self._stack.setCurrentIndex(int(bool(count)))
            if had_focus:
                self.focus_list()
        self._show_current()

    def _show_first(self) -> None:
        """Show the first lines at once; the counts of further ones follow."""
        if bool(self.model.rowCount()) is not bool(self._stack.currentIndex()):
            self.refresh()

    def _say_why_empty(self) -> None:
        if not self.model.is_kept:
            self._empty.say(self.tr("This run keeps no log"), self.tr("Lines are kept once Chimein has started."))
        elif self.model.wanted.is_open:
            self._empty.say(
                self.tr("Nothing has been logged yet"), self.tr("What Chimein does is listed here, with its problems.")
            )
        else:
            is_typed = bool(self.head.words.text())
            self._empty.say(
                self.tr("No lines match"),
                self.tr("Try other words, another level, part or agent.")
                if is_typed
                else self.tr("Try another level, part or agent."),
                ((self.tr("Show all lines"), self.show_all),),
            )

    def show_all(self) -> None:
        """Clear the filter."""
        self.head.show_about(LogFilter())
        self.focus_list()

    def open_place(self) -> None:
        """Show what the chosen line belongs to."""
        line = self.list.current
        if line is None:
            return
        about, send = line.about, self._context.requests.send
        match leads_to(line):
            case Leads.PLAN if about.chat_id is not None and about.graph_id is not None:
                send(ShowPlan(ChatId(about.chat_id), graph_id=GraphId(about.graph_id)))
            case Leads.CHAT if about.chat_id is not None:
                send(ShowChat(ChatId(about.chat_id)))
            case Leads.ACCOUNT if about.agent_id is not None:
                send(ShowAgent(AgentId(about.agent_id)))
            case Leads.LOG_IN if about.agent_id is not None:
                send(OpenLogin(AgentId(about.agent_id)))
            case leads if leads in _PLACES:
                send(_PLACES[leads])

    def open_trace(self) -> None:
        """Show the trace of the plan that the chosen line is about, or of the attempts at it, if it is about one."""
        about = NOBODY if self.list.current is None else self.list.current.about
        if about.graph_id is not None:
            self._context.requests.send(ShowTrace(GraphId(about.graph_id)))
        elif about.task_id is not None:
            self._context.requests.send(ShowTrace(task_id=TaskId(about.task_id)))

    def _show_current(self) -> None:
        self.detail.show_line(self.list.current)

    def _show_following(self, on: bool) -> None:
        self.head.follow.setChecked(on)

    # --- export ---------------------------------------------------------------------------------------------------

    def ask_export(self) -> None:
        """Ask for a file name, and write the shown lines to it."""
        chooser = self.chooser = QFileDialog(self, self.tr("Export the log"))
        chooser.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        chooser.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        chooser.setFileMode(QFileDialog.FileMode.AnyFile)
        chooser.setNameFilter(self.tr("JSON lines (*.jsonl)"))
        chooser.setDefaultSuffix("jsonl")
        chooser.setDirectory(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation))
        chooser.selectFile("chimein-log.jsonl")
        chooser.fileSelected.connect(lambda path: self.exporter.save(self.model.lines(), Path(path)))
        chooser.finished.connect(self._forget_chooser)
        chooser.open()

    def _forget_chooser(self) -> None:
        self.chooser = None

    def _tell_saved(self, path: Path, number: int) -> None:
        name = foreign_text.isolate(foreign_text.line(path.name, 80))
        words = translate("LogPane", "%n line(s) exported to {name}", "", number).format(name=name)
        where = OpenFolder(str(path))
        self.news.say(
            IconLabel("check", words, "ok"), self.tr("Open folder"), lambda: self._context.requests.send(where)
        )
