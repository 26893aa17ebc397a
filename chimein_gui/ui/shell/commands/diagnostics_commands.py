"""The command "Save diagnostics…" of the Help menu: asks for a file name, and shows the result."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QDateTime, QObject, QStandardPaths, Qt
from PySide6.QtWidgets import QFileDialog

from chimein_gui.viewmodels.diagnostics import make_diagnostics
from chimein_gui.viewmodels.problems.faults import Fault

if TYPE_CHECKING:
    from chimein_gui.ui.shell.commands.help import Help
    from chimein_gui.ui.shell.context import ShellContext

FAULT = "window: diagnostics"


class DiagnosticsCommands(QObject):
    """Saves diagnostics without blocking: the file dialog is opened with open(), and a job writes the file."""

    def __init__(self, shell: ShellContext, help_: Help) -> None:
        super().__init__(shell.window)
        self._shell, self._help = shell, help_
        self._model = shell.models.own(make_diagnostics)
        self._progress = 0
        self._model.lasts.connect(self._show_progress)
        self._model.ended.connect(self._end_progress)
        self._model.saved.connect(self._tell_saved)
        self._model.failed.connect(self._tell_failed)
        self.chooser: QFileDialog | None = None

    def ask(self) -> None:
        """Ask for the file name; without an engine show that there is nothing to save yet."""
        if not self._model.available:
            self._shell.models.toasts.show(
                self.tr("Diagnostics can be saved once Chimein has started"),
                detail=self.tr("Logs and reports are in the log folder; Help opens it."),
            )
            return
        chooser = QFileDialog(self._shell.window, self.tr("Save diagnostics"))
        chooser.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        chooser.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        chooser.setFileMode(QFileDialog.FileMode.AnyFile)
        chooser.setNameFilter(self.tr("Zip files (*.zip)"))
        chooser.setDefaultSuffix("zip")
        chooser.setDirectory(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation))
        chooser.selectFile(f"chimein-diagnostics-{QDateTime.currentDateTime().toString('yyyyMMdd-HHmm')}.zip")
        chooser.fileSelected.connect(lambda path: self._model.save(Path(path)))
        chooser.finished.connect(self._forget)
        self.chooser = chooser
        chooser.open()

    def _forget(self) -> None:
        self.chooser = None

    def _show_progress(self) -> None:
        self._progress = self._shell.models.toasts.show(self.tr("Saving diagnostics…"), icon="hourglass")

    def _end_progress(self) -> None:
        if self._progress:
            self._shell.models.toasts.dismiss(self._progress)
            self._progress = 0

    def _tell_saved(self, path: Path) -> None:
        self._shell.models.faults.dismiss(FAULT)
        open_folder = self._help.open_folder
        self._shell.models.toasts.show(
            self.tr("Diagnostics saved"),
            self.tr("Open folder"),
            lambda: open_folder(path.parent),
            detail=path.name,
            icon="check",
            token="ok",
        )

    def _tell_failed(self, reason: str) -> None:
        remedy = self.tr("Nothing was saved there. Messages and planned messages are not affected.")
        self._shell.models.faults.report(Fault(FAULT, reason, remedy))
