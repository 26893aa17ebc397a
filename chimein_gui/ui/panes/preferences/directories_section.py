"""The page Folders: config directories, which people write, and the state directory, which the program writes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from chimein_gui.ui.panes.preferences.row import SIDE
from chimein_gui.ui.panes.preferences.section import Section
from chimein_gui.ui.requests import OpenConfigDirectory, OpenFolder
from chimein_gui.ui.widgets.controls.action_button import ActionButton
from chimein_gui.ui.widgets.surfaces.inline_message import BOX, InlineMessage
from chimein_gui.ui.widgets.surfaces.surface import Card
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.labels import PlainLabel
from chimein_gui.ui.widgets.theme.marks import IconLabel
from chimein_gui.ui.widgets.theme.mirror import set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.core.bilingual import translate
from chimein_gui.viewmodels.preferences.catalogue import Page, matches
from chimein_gui.viewmodels.preferences.preferences import DIRECTORIES

if TYPE_CHECKING:
    from chimein_gui.ui.pane import PaneContext
from chimein_gui.ui.widgets.text.path_label import PathLabel


class DirectoriesSection(Section):
    """The page Folders."""

    def __init__(self, context: PaneContext) -> None:
        super().__init__(context.theme, Page.DIRECTORIES)
        self._context, self._model = context, context.models.preferences_model
        self._places = context.models.first_run.places
        theme = context.theme
        self.choose = ActionButton(theme, self.tr("Use another folder…"), icon="folder")
        self._next = InlineMessage(theme, BOX)
        card = Card(theme)
        self._lines = QVBoxLayout(card)
        set_rtl_margins(self._lines, SIDE, 10, 10, 12)
        self._lines.setSpacing(10)
        self.buttons: list[ActionButton] = []
        for place, path in enumerate(self._places.config, 1):
            many = self.tr("Agents and prompts, number {n}").format(n=place)
            one = len(self._places.config) == 1
            self._add(self.tr("Agents and prompts") if one else many, path)
        self._add(self.tr("Database, logins and logs"), self._places.state)
        foot = QHBoxLayout()
        foot.addWidget(self.choose)
        foot.addStretch(1)
        self._lines.addLayout(foot)
        self.column.addWidget(card)
        self.column.addWidget(self._next)
        self.choose.clicked.connect(lambda _checked=False: context.requests.send(OpenConfigDirectory()))
        self._model.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show which directories will be used after a restart."""
        fixed = self._places.fixed_by
        why_not = self.tr("Set by the environment variable {name}").format(name=fixed) if fixed else ""
        if self._context.is_sandbox:
            why_not = self.tr("Start the sandbox with --config DIR to rehearse your own personas")
        self.choose.allow(why_not)
        refused = foreign_text.line(self._model.refusal(DIRECTORIES), 300)
        wanted = "\n".join(foreign_text.line(path, 400) for path in self._model.next_directories)
        if refused:
            self._next.say(IconLabel("alert", self.tr("It could not be saved"), "danger"), refused)
        else:
            self._next.say(IconLabel("info", self.tr("After restart"), "info") if wanted else None, wanted)

    def matches(self, words: str) -> bool:
        return matches(
            words,
            translate("DirectoriesSection", "directory directories folder path config state agents prompts"),
            *self._places.config,
        )

    def focus_widget(self) -> QWidget:
        return self.buttons[0] if self.buttons else self.choose

    def _add(self, title: str, path: str) -> None:
        if not path:
            return
        button = ActionButton(self._theme, self.tr("Open"))
        button.setAccessibleName(self.tr("Open the folder: {title}").format(title=title))
        button.clicked.connect(lambda _checked=False: self._context.requests.send(OpenFolder(path)))
        self.buttons.append(button)
        names = QVBoxLayout()
        names.setSpacing(1)
        names.addWidget(PlainLabel(self._theme, title, Face.SMALL, "text2"))
        names.addWidget(PathLabel(self._theme, path))
        line = QHBoxLayout()
        line.setSpacing(10)
        line.addLayout(names, 1)
        line.addWidget(button)
        self._lines.addLayout(line)
