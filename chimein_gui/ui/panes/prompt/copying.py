"""Copies parts of a prompt, and writes a prompt into a file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QDateTime, QObject, QStandardPaths, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QMenu

from chimein_gui.ui.requests import OpenFolder
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.viewmodels.prompt.export import markdown_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from chimein_gui.domain.prompt.sent import PromptView
    from chimein_gui.ui.pane import PaneContext
    from chimein_gui.viewmodels.panes.prompt import PromptModels
    from chimein_gui.viewmodels.prompt.sections import PartRow


def copy_text(text: str) -> None:
    """Copy a text of a prompt; half characters of UTF-16 are replaced."""
    QGuiApplication.clipboard().setText(text.encode("utf-16", "surrogatepass").decode("utf-16", "replace"))


class PromptCopies(QObject):
    """The ways out of the pane.

    Attributes:
        chooser: The open file dialog, or None.
    """

    def __init__(self, context: PaneContext, models: PromptModels, parent: QWidget) -> None:
        super().__init__(parent)
        self._context, self._models, self._parent = context, models, parent
        self.chooser: QFileDialog | None = None
        models.export.saved.connect(self._tell_saved)
        models.export.failed.connect(self._tell_failed)

    def menu(self, row: PartRow | None) -> QMenu:
        """Return the menu of what can be copied and saved.

        Args:
            row: The chosen part.
        """
        menu = QMenu(self._parent)
        view = self._models.prompt.view
        part = menu.addAction(self.tr("Copy the chosen part"), lambda: copy_text(row.text if row is not None else ""))
        part.setEnabled(row is not None and bool(row.text))
        if view is None:
            return menu
        menu.addAction(self.tr("Copy the system instruction"), lambda: copy_text(view.text.instruction))
        menu.addAction(self.tr("Copy as Markdown"), lambda: copy_text(markdown_of(view)))
        menu.addAction(self.tr("Copy the request as JSON"), lambda: copy_text(_pretty(view.body)))
        menu.addSeparator()
        export = self._models.export
        menu.addAction(
            self.tr("Save as Markdown…"), lambda: self._ask(view, "md", lambda path: export.save_text(view, path))
        )
        menu.addAction(
            self.tr("Save the request as JSON…"),
            lambda: self._ask(view, "json", lambda path: export.save_request(view, path)),
        )
        return menu

    def _ask(self, view: PromptView, ending: str, save: Callable[[Path], None]) -> None:
        chooser = QFileDialog(self._parent, self.tr("Save the prompt"))
        chooser.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        chooser.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        chooser.setFileMode(QFileDialog.FileMode.AnyFile)
        chooser.setNameFilter({"md": "Markdown (*.md)", "json": "JSON (*.json)"}[ending])
        chooser.setDefaultSuffix(ending)
        chooser.setDirectory(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation))
        sent = view.sent
        at = QDateTime.fromSecsSinceEpoch(int(sent.call.began_at.timestamp())) if sent else QDateTime.currentDateTime()
        chooser.selectFile(f"prompt-{at.toString('yyyyMMdd-HHmmss')}.{ending}")
        chooser.fileSelected.connect(lambda path: save(Path(path)))
        chooser.finished.connect(self._forget)
        self.chooser = chooser
        chooser.open()

    def _forget(self) -> None:
        self.chooser = None

    def _tell_saved(self, path: Path) -> None:
        self._context.models.toasts.show(
            self.tr("Prompt saved"),
            self.tr("Open folder"),
            lambda: self._context.requests.send(OpenFolder(str(path))),
            detail=foreign_text.isolated(path.name),
            icon="check",
            token="ok",
        )

    def _tell_failed(self, why: str) -> None:
        self._context.models.toasts.show(self.tr("The prompt was not saved: {why}").format(why=why))


def _pretty(body: bytes) -> str:
    return json.dumps(json.loads(body), ensure_ascii=False, indent=1)
