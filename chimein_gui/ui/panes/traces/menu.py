"""What else can be done with a trace: keep it, write it into a file, go to its chat, plan and log lines."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QStandardPaths, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QMenu

from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.domain.traces.steps import ApprovalStep, SendStep
from chimein_gui.domain.traces.summaries import ExportFormat
from chimein_gui.ui.requests import OpenFolder, ShowChat, ShowDraft, ShowLog, ShowMessage, ShowPlan
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.theme.marks import IconLabel

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from chimein_gui.domain.traces.summaries import TraceId, TraceSummary
    from chimein_gui.ui.pane import PaneContext
    from chimein_gui.ui.widgets.surfaces.news import News
    from chimein_gui.viewmodels.traces.open_trace import NotSaved, OpenTrace

_SUFFIXES = {ExportFormat.JSON: "json", ExportFormat.OTLP: "otlp.json"}


class TraceActions(QObject):
    """Makes the menu and does what it says.

    Attributes:
        chooser: The open file dialog, or None.
    """

    def __init__(self, context: PaneContext, model: OpenTrace, news: News, parent: QWidget) -> None:
        super().__init__(parent)
        self._context, self._model, self._news, self._parent = context, model, news, parent
        self.chooser: QFileDialog | None = None
        model.saved.connect(self._tell_saved)
        model.not_saved.connect(self._tell_not_saved)
        model.failed.connect(news.fail)
        model.curl_made.connect(self._copy)

    def menu(self, row: TraceSummary) -> QMenu:
        """Return the menu for a trace; who shows it deletes it."""
        menu, send = QMenu(self._parent), self._context.requests.send
        menu.setAccessibleName(self.tr("Trace"))
        keep = menu.addAction(self.tr("Keep this trace"), lambda: self._model.keep(is_kept=not row.is_kept))
        keep.setCheckable(True)
        keep.setChecked(row.is_kept)
        menu.addSeparator()
        for form, with_content, words in (
            (ExportFormat.JSON, True, self.tr("Export as JSON, with texts…")),
            (ExportFormat.JSON, False, self.tr("Export as JSON, without texts…")),
            (ExportFormat.OTLP, True, self.tr("Export as OpenTelemetry, with texts…")),
            (ExportFormat.OTLP, False, self.tr("Export as OpenTelemetry, without texts…")),
        ):
            menu.addAction(words, partial(self.ask, row.trace_id, form, with_content=with_content))
        menu.addSeparator()
        graph_id = row.graph_id
        menu.addAction(self.tr("Open chat"), lambda: send(ShowChat(row.chat_id)))
        self._add_messages(menu, row)
        plan = menu.addAction(self.tr("Open task graph"), lambda: send(ShowPlan(row.chat_id, graph_id=graph_id)))
        plan.setEnabled(graph_id is not None)
        menu.addAction(self.tr("Show lines of the log"), lambda: send(ShowLog(chat_id=row.chat_id, graph_id=graph_id)))
        return menu

    def _add_messages(self, menu: QMenu, row: TraceSummary) -> None:
        """Offer the message that was answered, the one that was sent, and the card as long as it waits."""
        trace, send = self._model.trace, self._context.requests.send
        if trace is None or trace.summary.trace_id != row.trace_id:
            return
        if trace.trigger_ids:
            asked = ShowMessage(row.chat_id, trace.trigger_ids[-1])
            menu.addAction(self.tr("Go to the message that it answers"), lambda: send(asked))
        cards = [one.detail.approval for one in trace.steps if isinstance(one.detail, SendStep | ApprovalStep)]
        sent = next((one.message_id for one in cards if one.message_id is not None), None)
        if sent is not None:
            arrived = ShowMessage(row.chat_id, sent)
            menu.addAction(self.tr("Go to the message that was sent"), lambda: send(arrived))
        waits = next((one for one in cards if one.task_status is TaskStatus.AWAITING_DECISION), None)
        if waits is not None:
            draft = ShowDraft(waits.approval_id)
            menu.addAction(self.tr("Show in Approvals"), lambda: send(draft))

    def ask(self, trace_id: TraceId, form: ExportFormat, *, with_content: bool) -> None:
        """Ask for a file name, and write the trace into it."""
        suffix = _SUFFIXES[form]
        chooser = self.chooser = QFileDialog(self._parent, self.tr("Export trace"))
        chooser.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        chooser.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        chooser.setFileMode(QFileDialog.FileMode.AnyFile)
        chooser.setNameFilter(self.tr("JSON files (*.json)"))
        chooser.setDirectory(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation))
        chooser.selectFile(f"chimein-trace-{trace_id}.{suffix}")
        chooser.fileSelected.connect(
            lambda path: self._model.export((trace_id,), form, Path(path), with_content=with_content)
        )
        chooser.finished.connect(self._forget)
        chooser.open()

    def _forget(self) -> None:
        self.chooser = None

    def _copy(self, words: str) -> None:
        QGuiApplication.clipboard().setText(words)
        self._news.say(IconLabel("check", self.tr("Copied as curl. Put your key where the command says."), "ok"))

    def _tell_not_saved(self, lost: NotSaved) -> None:
        name = foreign_text.isolate(foreign_text.line(lost.path.name, 80))
        folder = foreign_text.isolate(foreign_text.line(str(lost.path.parent), 160))
        words = self.tr("{name} in {folder}: {why}").format(name=name, folder=folder, why=lost.why)
        again = partial(self.ask, lost.trace_id, lost.form, with_content=lost.with_content)
        self._news.fail(words, self.tr("Choose another folder…"), again)

    def _tell_saved(self, path: Path) -> None:
        name = foreign_text.isolate(foreign_text.line(path.name, 80))
        words = self.tr("Trace exported to {name}").format(name=name)
        where = OpenFolder(str(path))
        send = self._context.requests.send
        self._news.say(IconLabel("check", words, "ok"), self.tr("Open folder"), lambda: send(where))
