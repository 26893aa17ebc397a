"""Chooses another config directory, and shows its contents before it is used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QFileDialog

from chimein_gui.ui.dialogs.small_dialog import SmallDialog
from chimein_gui.ui.widgets.controls.action_button import ActionButton, Kind
from chimein_gui.ui.widgets.surfaces.inline_message import BOX, InlineMessage
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.path_label import PathLabel
from chimein_gui.ui.widgets.theme.marks import IconLabel
from chimein_gui.viewmodels.accounts.first_run import Found, found_words
from chimein_gui.viewmodels.preferences.preferences import DIRECTORIES

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from chimein_gui.ui.widgets.theme.theme import Theme
    from chimein_gui.viewmodels.window import WindowModels

DIALOG_WIDTH = 520

translate = QCoreApplication.translate


def choose_config_directory(theme: Theme, models: WindowModels, parent: QWidget) -> QFileDialog:
    """Open a file dialog for directories; the chosen directory opens a `ConfigDirectoryDialog`."""
    chooser = QFileDialog(parent, translate("ConfigDirectory", "Open a config folder"))
    chooser.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    chooser.setFileMode(QFileDialog.FileMode.Directory)
    chooser.setOption(QFileDialog.Option.ShowDirsOnly)
    if models.first_run.places.config:
        chooser.setDirectory(models.first_run.places.config[0])
    chooser.fileSelected.connect(lambda path: ConfigDirectoryDialog(theme, models, path, parent).open())
    chooser.open()
    return chooser


class ConfigDirectoryDialog(SmallDialog):
    """Shows what a directory contains and lets the operator use it from the next start on. Open it with open()."""

    def __init__(self, theme: Theme, models: WindowModels, path: str, parent: QWidget) -> None:
        self.use = ActionButton(theme, translate("ConfigDirectory", "Use after restart"), kind=Kind.PRIMARY)
        words = translate(
            "ConfigDirectory", "Agent files are read from its “agents” folder, role prompts from its “prompts” folder."
        )
        used = len(models.first_run.places.config)
        replaces = translate("ConfigDirectory", "It replaces the one that is in use now.") if used == 1 else ""
        if used > 1:
            replaces = translate("ConfigDirectory", "It replaces all %n that are in use now.", "", used)
        words = f"{words} {replaces}".strip()
        super().__init__(theme, translate("ConfigDirectory", "Use this folder?"), words, self.use, parent)
        self._models, self._path = models, path
        self.found = InlineMessage(theme, BOX, IconLabel("folder", translate("ConfigDirectory", "Checking…"), "text2"))
        self._refused = InlineMessage(theme)
        self.middle.setSpacing(10)
        self.middle.addWidget(PathLabel(theme, path))
        self.middle.addWidget(self.found)
        self.middle.addWidget(self._refused)
        self.use.allow(translate("ConfigDirectory", "Loading…"))
        self.use.clicked.connect(lambda _checked=False: models.preferences_model.set_directories((path,)))
        models.first_run.looked.connect(self._looked)
        models.preferences_model.taken.connect(self._taken)
        models.preferences_model.changed.connect(self._show_refusal)
        models.first_run.look_into((path,))
        self.fit(DIALOG_WIDTH)

    def _looked(self, paths: tuple[str, ...], found: Found | None, reason: str) -> None:
        if paths != (self._path,):
            return
        if found is None:
            refusal = translate("ConfigDirectory", "It can't be read")
            self.found.say(IconLabel("alert", refusal, "danger"), foreign_text.line(reason, 300))
            self.use.allow(refusal)
        else:
            title, lines, is_fine = found_words(found, foreign_text.isolated, foreign_text.line)
            icon, token = ("folder", "ok") if is_fine else ("warning", "attention")
            self.found.say(IconLabel(icon, title, token), lines)
            self.use.allow()
            self.use.setFocus()
        self.fit(DIALOG_WIDTH)

    def _taken(self, name: str) -> None:
        if name == DIRECTORIES:
            words = translate("ConfigDirectory", "Chimein uses this folder after a restart")
            self._models.toasts.show(words, detail=foreign_text.line(self._path, 300), icon="folder")
            self.accept()

    def _show_refusal(self) -> None:
        self._refused.refuse(foreign_text.line(self._models.preferences_model.refusal(DIRECTORIES), 300))
        self.fit(DIALOG_WIDTH)
