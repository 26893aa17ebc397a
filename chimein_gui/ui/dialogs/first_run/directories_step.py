"""Step three: the config and state directories, and what the config directories contain."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QVBoxLayout

from chimein_gui.ui.dialogs.first_run.page import Step
from chimein_gui.ui.requests import OpenConfigDirectory
from chimein_gui.ui.widgets.controls.action_button import ActionButton
from chimein_gui.ui.widgets.surfaces.inline_message import BOX, InlineMessage
from chimein_gui.ui.widgets.surfaces.surface import Card
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.labels import PlainLabel
from chimein_gui.ui.widgets.text.path_label import PathLabel
from chimein_gui.ui.widgets.theme.marks import IconLabel
from chimein_gui.ui.widgets.theme.mirror import set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.accounts.first_run import Found, found_words

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from chimein_gui.ui.requests import Requests
    from chimein_gui.ui.widgets.theme.theme import Theme
    from chimein_gui.viewmodels.accounts.first_run import FirstRunModel
    from chimein_gui.viewmodels.preferences.preferences import PreferencesModel

translate = QCoreApplication.translate


class DirectoriesStep(Step):
    """Shows the directories in use; a button chooses another config directory."""

    def __init__(self, theme: Theme, model: FirstRunModel, preferences: PreferencesModel, requests: Requests) -> None:
        words = translate(
            "FirstRunDirectories",
            "Edit agent files and prompts with any editor. Chimein keeps its own data elsewhere.",
        )
        super().__init__(
            theme,
            translate("FirstRunDirectories", "Folders"),
            translate("FirstRunDirectories", "Where your files are"),
            words,
        )
        self._model, self._preferences = model, preferences
        card = Card(theme)
        inside = QVBoxLayout(card)
        set_rtl_margins(inside, 16, 12, 14, 14)
        inside.setSpacing(3)
        for title, paths in (
            (translate("FirstRunDirectories", "Agents and prompts, written by you"), model.places.config),
            (translate("FirstRunDirectories", "Database, logins and logs, written by Chimein"), (model.places.state,)),
        ):
            inside.addWidget(PlainLabel(theme, title, Face.SMALL, "text2"))
            for path in paths:
                inside.addWidget(PathLabel(theme, path))
            inside.addSpacing(8)
        self.choose = ActionButton(theme, translate("FirstRunDirectories", "Use another config folder…"), icon="folder")
        self.choose.clicked.connect(lambda _checked=False: requests.send(OpenConfigDirectory()))
        inside.addWidget(self.choose, 0, Qt.AlignmentFlag.AlignLeft)
        self._found = InlineMessage(
            theme, BOX, IconLabel("folder", translate("FirstRunDirectories", "Checking…"), "text2")
        )
        self._next = InlineMessage(theme, BOX)
        for part in (card, self._found, self._next):
            self.column.addWidget(part)
        self.column.addStretch(1)
        model.looked.connect(self._looked)
        preferences.changed.connect(self.refresh)

    def enter(self) -> None:
        self._model.look_into(self._model.places.config)
        self.choose.allow(self._why_not_another())
        self.refresh()

    def refresh(self) -> None:
        """Show which directories will be used after a restart, if others were chosen."""
        paths = self._preferences.next_directories
        title = translate("FirstRunDirectories", "Chimein uses another folder after the restart")
        lines = "\n".join(foreign_text.line(path, 400) for path in paths)
        self._next.say(IconLabel("info", title, "info") if paths else None, lines)

    def is_done(self) -> bool:
        return True

    def focus_widget(self) -> QWidget:
        return self.choose

    def _why_not_another(self) -> str:
        fixed = self._model.places.fixed_by
        if fixed:
            return translate("FirstRunDirectories", "Set by the environment variable {name}").format(name=fixed)
        if self._model.agent_id is not None:
            return translate("FirstRunDirectories", "Your persona is already in this folder")
        return ""

    def _looked(self, paths: tuple[str, ...], found: Found | None, reason: str) -> None:
        if paths != self._model.places.config:
            return
        if found is None:
            unreadable = IconLabel("alert", translate("FirstRunDirectories", "They can't be read"), "danger")
            self._found.say(unreadable, foreign_text.line(reason, 300))
            return
        title, lines, is_fine = found_words(found, foreign_text.isolated, foreign_text.line)
        icon, token = ("folder", "text2") if is_fine else ("warning", "attention")
        self._found.say(IconLabel(icon, title, token), lines)
