"""Exports the log to a file: asks for a file name, and shows progress and result."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QLocale, QObject, QStandardPaths, Qt
from PySide6.QtWidgets import QFileDialog, QWidget

from chimein_gui.ui.requests import OpenFolder
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.theme.marks import IconLabel

if TYPE_CHECKING:
    from chimein_gui.domain.plans.decision_log import DecisionFilter
    from chimein_gui.ui.requests import Requests
    from chimein_gui.ui.widgets.surfaces.news import News
    from chimein_gui.viewmodels.decisions.commands import LogExport

translate = QCoreApplication.translate


class DecisionExport(QObject):
    """Exports without blocking: the file dialog is opened with open(), and a job writes the file."""

    def __init__(self, pane: QWidget, export: LogExport, news: News, requests: Requests) -> None:
        super().__init__(pane)
        self._pane, self._export, self._news, self._requests = pane, export, news, requests
        self.chooser: QFileDialog | None = None
        export.progressed.connect(self._tell_progress)
        export.saved.connect(self._tell_saved)
        export.stopped.connect(lambda: news.say(None))
        export.failed.connect(news.fail)

    def ask(self, wanted: DecisionFilter, form: str) -> None:
        """Ask for a file name, and export the filtered decisions to it as ``csv`` or ``json``."""
        is_csv = form == "csv"
        chooser = self.chooser = QFileDialog(self._pane, self.tr("Export decisions"))
        chooser.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        chooser.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        chooser.setFileMode(QFileDialog.FileMode.AnyFile)
        chooser.setNameFilter(self.tr("Tables (*.csv)") if is_csv else self.tr("JSON files (*.json)"))
        chooser.setDefaultSuffix(form)
        chooser.setDirectory(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation))
        chooser.selectFile(f"chimein-decisions.{form}")
        chooser.fileSelected.connect(lambda path: self._export.save(wanted, Path(path)))
        chooser.finished.connect(self._forget)
        chooser.open()

    def _forget(self) -> None:
        self.chooser = None

    def _tell_progress(self, count: int) -> None:
        words = self.tr("Exporting… {count} written").format(count=QLocale().toString(count))
        self._news.say(IconLabel("hourglass", words, "info"), self.tr("Cancel"), self._export.stop)

    def _tell_saved(self, path: Path, number: int) -> None:
        name = foreign_text.isolate(foreign_text.line(path.name, 80))
        words = translate("DecisionExport", "%n decision(s) exported to {name}", "", number).format(name=name)
        where = OpenFolder(str(path))
        self._news.say(IconLabel("check", words, "ok"), self.tr("Open folder"), lambda: self._requests.send(where))
