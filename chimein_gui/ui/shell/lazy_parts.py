"""Parts of the window that are created on first use, so that the first paint does not wait for them."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from chimein_gui.ui.widgets.surfaces.menus import open_menu

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtWidgets import QWidget

    from chimein_gui.domain.ids import AgentId
    from chimein_gui.ui.shell.commands.diagnostics_commands import DiagnosticsCommands
    from chimein_gui.ui.shell.commands.help import Help
    from chimein_gui.ui.shell.commands.login_commands import LoginCommands
    from chimein_gui.ui.shell.commands.menu import MainMenu
    from chimein_gui.ui.shell.context import ShellContext
    from chimein_gui.ui.shell.docking.layout_menu import LayoutMenu
    from chimein_gui.ui.shell.docking.layouts import Layouts
    from chimein_gui.ui.shell.palette.opener import PaletteOpener
    from chimein_gui.ui.shell.warm_up import WarmUp


class LazyParts(QObject):
    """Menu, help, palette, logins, diagnostics, and the warm-up of slow first operations."""

    def __init__(self, shell: ShellContext, layouts: Layouts, menu_button: QWidget, logs: Path | None) -> None:
        super().__init__(shell.window)
        self._shell, self._layouts, self._logs = shell, layouts, logs
        self._menu_button = menu_button

    @cached_property
    def menu(self) -> MainMenu:
        """The menu with all commands."""
        from chimein_gui.ui.shell.commands.menu import MainMenu

        return MainMenu(self._shell.commands, self._shell.theme, self._shell.window)

    @cached_property
    def layout_menu(self) -> LayoutMenu:
        """The dynamic part of the Layout menu."""
        from chimein_gui.ui.shell.docking.layout_menu import LayoutMenu

        return LayoutMenu(self._shell, self._layouts, self.menu.menus["layout"])

    @cached_property
    def help(self) -> Help:
        """The actions of the Help menu."""
        from chimein_gui.ui.shell.commands.help import Help

        return Help(self._shell, self._logs)

    @cached_property
    def diagnostics(self) -> DiagnosticsCommands:
        """Saves diagnostics to a file."""
        from chimein_gui.ui.shell.commands.diagnostics_commands import DiagnosticsCommands

        return DiagnosticsCommands(self._shell, self.help)

    @cached_property
    def palette(self) -> PaletteOpener:
        """Opens the command palette."""
        from chimein_gui.ui.shell.palette.opener import PaletteOpener

        return PaletteOpener(self._shell, self._layouts)

    @cached_property
    def logins(self) -> LoginCommands:
        """Opens login dialogs."""
        from chimein_gui.ui.shell.commands.login_commands import LoginCommands

        return LoginCommands(self._shell)

    @cached_property
    def warm_up(self) -> WarmUp:
        """Runs slow first operations while the program is idle."""
        from chimein_gui.ui.shell.warm_up import WarmUp

        return WarmUp(self._shell.theme, self)

    def open_palette(self) -> None:
        """Open the command palette."""
        self.palette.open()

    def open_login(self, agent_id: AgentId) -> None:
        """Open the login dialog of an agent."""
        self.logins.open(agent_id)

    def ask_log_out(self, agent_id: AgentId) -> None:
        """Log an agent's account out, after a confirmation."""
        self.logins.ask_log_out(agent_id)

    def pop_menu(self) -> None:
        """Open the menu beside its button."""
        button, menu = self._menu_button, self.menu
        _ = self.layout_menu
        place = button.mapToGlobal(button.rect().topRight())
        place.setY(place.y() - menu.sizeHint().height() + button.height())
        open_menu(menu, place, button.accessibleName())
