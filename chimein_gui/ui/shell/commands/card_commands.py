"""The commands "Import character card…" and "Export as character card…": file dialogs, progress and results."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QStandardPaths, Qt, QTimeZone
from PySide6.QtWidgets import QFileDialog

from chimein_gui.ui.requests import OpenFolder, ShowAgent
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.viewmodels.accounts.character_cards import CardDraft, make_character_cards
from chimein_gui.viewmodels.problems.faults import Fault

if TYPE_CHECKING:
    from chimein_gui.domain.ids import AgentId
    from chimein_gui.ui.dialogs.character_cards.export_dialog import ExportCardDialog
    from chimein_gui.ui.dialogs.character_cards.import_dialog import ImportCardDialog
    from chimein_gui.ui.shell.context import ShellContext

FAULT = "window: character card"


class CardCommands(QObject):
    """Imports and exports character cards without blocking: dialogs are opened with open(), the engine reads files.

    Attributes:
        chooser: The open file dialog, or None.
    """

    def __init__(self, shell: ShellContext) -> None:
        super().__init__(shell.window)
        self._shell = shell
        self._model = model = shell.models.own(make_character_cards)
        self._progress = 0
        self.chooser: QFileDialog | None = None
        model.lasts.connect(self._show_progress)
        model.ended.connect(self._end_progress)
        model.read.connect(self._preview)
        model.created.connect(self._show_created)
        model.exported.connect(self._show_exported)
        model.failed.connect(self._show_failure)

    def ask_for_card(self) -> None:
        """Ask for the file of a card."""
        if self._is_ready():
            chooser = self._chooser(self.tr("Import character card"))
            chooser.setFileMode(QFileDialog.FileMode.ExistingFile)
            cards, everything = self.tr("Character cards"), self.tr("All files")
            chooser.setNameFilters([f"{cards} (*.png *.apng *.json *.charx)", f"{everything} (*)"])
            chooser.fileSelected.connect(self.open_card)
            chooser.open()

    def open_card(self, path: str) -> None:
        """Read a card; a preview follows, or the reason why there is none."""
        self._model.open(Path(path), bytes(QTimeZone.systemTimeZoneId().data()).decode("ascii", "replace"))

    def ask_for_agent(self, agent_id: AgentId | None) -> ExportCardDialog | None:
        """Ask which agent is exported, and which of its cards."""
        if not self._is_ready():
            return None
        from chimein_gui.ui.dialogs.character_cards.export_dialog import ExportCardDialog

        shell = self._shell
        if not shell.models.agents.rowCount():
            shell.models.toasts.show(self.tr("There is no agent to export yet"))
            return None
        dialog = ExportCardDialog(shell.theme, self._model, shell.models.agents, agent_id, shell.window)
        dialog.chosen.connect(self._ask_for_target)
        dialog.open()
        return dialog

    def _is_ready(self) -> bool:
        if not self._model.available:
            self._shell.models.toasts.show(self.tr("Character cards can be used once Chimein has started"))
        return self._model.available

    def _ask_for_target(self, agent_id: AgentId, container: str, as_imported: bool) -> None:
        agent = self._shell.models.agents.find(agent_id)
        if agent is None:
            return
        chooser = self._chooser(self.tr("Export as character card"))
        chooser.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        chooser.setFileMode(QFileDialog.FileMode.AnyFile)
        chooser.setNameFilter(f"{container.upper()} (*.{container})")
        chooser.setDefaultSuffix(container)
        chooser.selectFile(f"{agent.spec.name}.{container}")
        chooser.fileSelected.connect(partial(self._export, agent_id, as_imported))
        chooser.open()

    def _export(self, agent_id: AgentId, as_imported: bool, path: str) -> None:
        self._model.export(agent_id, Path(path), as_imported=as_imported)

    def _chooser(self, title: str) -> QFileDialog:
        chooser = QFileDialog(self._shell.window, title)
        chooser.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        chooser.setDirectory(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation))
        chooser.finished.connect(self._forget)
        self.chooser = chooser
        return chooser

    def _forget(self) -> None:
        self.chooser = None

    def _preview(self, draft: CardDraft) -> ImportCardDialog:
        from chimein_gui.ui.dialogs.character_cards.import_dialog import ImportCardDialog

        self._shell.models.faults.dismiss(FAULT)
        dialog = ImportCardDialog(self._shell.theme, self._model, draft, self._shell.window)
        dialog.open()
        return dialog

    def _show_progress(self) -> None:
        self._progress = self._shell.models.toasts.show(self.tr("Working on the character card…"), icon="hourglass")

    def _end_progress(self) -> None:
        if self._progress:
            self._shell.models.toasts.dismiss(self._progress)
            self._progress = 0

    def _show_created(self, agent_id: AgentId) -> None:
        self._shell.requests.send(ShowAgent(agent_id))
        self._shell.models.toasts.show(
            self.tr("The agent was created"),
            detail=self.tr("Log it in to start. Everything waits for you."),
            icon="check",
            token="ok",
        )

    def _show_exported(self, path: Path) -> None:
        self._shell.models.faults.dismiss(FAULT)
        self._shell.models.toasts.show(
            self.tr("Character card exported"),
            self.tr("Open folder"),
            partial(self._shell.requests.send, OpenFolder(str(path))),
            detail=foreign_text.line(path.name),
            icon="check",
            token="ok",
        )

    def _show_failure(self, reason: str) -> None:
        remedy = self.tr("Nothing was imported or exported.")
        self._shell.models.faults.report(Fault(FAULT, reason, remedy))
