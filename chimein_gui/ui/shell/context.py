"""What the parts of the shell are given: they know this module, not the window, which creates them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PySide6.QtWidgets import QMainWindow

    from chimein_gui.ui.requests import Requests
    from chimein_gui.ui.shell.commands.actions import Commands
    from chimein_gui.ui.shell.docking.dock_manager import DockManager
    from chimein_gui.ui.shell.docking.layout_memory import LayoutMemory
    from chimein_gui.ui.widgets.theme.theme import Theme
    from chimein_gui.viewmodels.window import WindowModels


@dataclass(frozen=True, slots=True)
class ShellContext:
    """The parts of the window that commands and dialogs of the shell use.

    Attributes:
        window: The window, as parent of what is created.
        models: The view models that several panes or the shell use.
        theme: Colours and fonts.
        requests: Carries requests to other parts of the window.
        memory: The settings file of the window.
        is_sandbox: Partners are simulated.
        dock_manager: The panes.
        commands: All commands.
    """

    window: QMainWindow
    models: WindowModels
    theme: Theme
    requests: Requests
    memory: LayoutMemory
    is_sandbox: bool
    dock_manager: DockManager
    commands: Commands
