"""The menu with all commands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QMenu, QWidget

from chimein_gui.ui.widgets.surfaces.menus import make_exclusive
from chimein_gui.ui.widgets.theme import icons

if TYPE_CHECKING:
    from chimein_gui.ui.shell.commands.actions import Commands
    from chimein_gui.ui.widgets.theme.theme import Theme

_INSIDE = {"view": "", "colours": "view", "contrast": "view", "letters": "view", "motion": "view",
           "single keys": "view", "layout": "view", "help": ""}  # fmt: skip
"""Name of each menu → name of the menu that contains it."""

TAIL = 9
"""First group of the top menu's commands that stand after the submenus."""


class MainMenu(QMenu):
    """A menu made from the list of commands; the icons are drawn when it opens."""

    def __init__(self, commands: Commands, theme: Theme, window: QWidget) -> None:
        super().__init__(window)
        self._commands, self._theme = commands, theme
        self.menus: dict[str, QMenu] = {"": self}
        self._fill("", tail=False)
        for name, title in (
            ("view", self.tr("&View")),
            ("help", self.tr("&Help")),
        ):
            self.addSeparator()
            self._submenu(name, title)
        for name, title in (
            ("colours", self.tr("&Theme")),
            ("contrast", self.tr("&Contrast")),
            ("letters", self.tr("&Text size")),
            ("motion", self.tr("&Motion")),
            ("single keys", self.tr("Single &keys")),
            ("layout", self.tr("&Layout")),
        ):
            self._submenu(name, title)
        for name in ("colours", "contrast", "letters", "motion", "single keys"):
            menu = self.menus[name]
            make_exclusive(menu, [action for action in menu.actions() if action.isCheckable()])
        self._fill("", tail=True)
        self.aboutToShow.connect(self._make_ready)

    def _submenu(self, name: str, title: str) -> None:
        menu = QMenu(title, self)
        self.menus[name] = menu
        self.menus[_INSIDE[name]].addMenu(menu)
        self._fill(name)

    def _fill(self, name: str, *, tail: bool | None = None) -> None:
        """Add a menu's commands. For the top menu: those before the submenus, or those after them (`tail`)."""
        menu, group = self.menus[name], None
        for spec in self._commands.specs:
            if spec.menu != name or (tail is not None and (spec.group >= TAIL) is not tail):
                continue
            begins_anew = tail if group is None else spec.group != group
            if begins_anew:
                menu.addSeparator()
            group = spec.group
            menu.addAction(self._commands.action(spec.action_id))

    def _make_ready(self) -> None:
        self._commands.follow_states()
        color, disabled = self._theme.color("text2"), self._theme.color("text3")
        for spec in self._commands.specs:
            if spec.is_chosen is None:
                self._commands.action(spec.action_id).setIcon(icons.icon(spec.icon, color, disabled))
