"""What the parts of the shell may use of the window. The window itself imports them, and they import only this."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from chimein_gui.ui.shell.lifecycle import CloseGuardWindow

if TYPE_CHECKING:
    from collections.abc import Mapping

    from PySide6.QtCore import QByteArray
    from PySide6.QtGui import QAction

    from chimein_gui.ui.pane import Pane
    from chimein_gui.ui.requests import Requests
    from chimein_gui.ui.shell.bars.fault_bar import FaultBar
    from chimein_gui.ui.shell.bars.top_bar import TopBar
    from chimein_gui.ui.shell.commands.actions import ActionSpec
    from chimein_gui.ui.shell.docking.docks import PaneDock
    from chimein_gui.ui.shell.docking.layout_memory import LayoutMemory
    from chimein_gui.ui.shell.docking.maximize import MaximizeController
    from chimein_gui.ui.shell.docking.pane_focus import PaneFocus
    from chimein_gui.ui.shell.docking.rail import Rail
    from chimein_gui.ui.widgets.theme.theme import Theme
    from chimein_gui.viewmodels.window import WindowModels


class Overlay(Protocol):
    """What lies over the transcript in a narrow window (docking/overlay.py)."""

    pane_id: str

    @property
    def is_on(self) -> bool:
        """Tell whether the window is narrow."""
        ...

    def takes(self, pane_id: str) -> bool:
        """Tell whether a pane is shown here when it is asked for."""
        ...

    def open_pane(self, pane_id: str) -> None:
        """Show a pane."""

    def put_away(self) -> None:
        """Close what is open."""

    def leave(self) -> None:
        """Put the docks back."""

    def plain_state(self) -> QByteArray:
        """Return the layout of the docks as they stand in a wide window."""
        ...


class ShellContext(CloseGuardWindow):
    """The window, as its parts know it.

    Attributes:
        models: The view models that several panes or the shell use.
        theme: Colours and fonts.
        requests: Where to ask for what another part does.
        memory: What is remembered from run to run.
        is_sandbox: Partners are simulated.
        panes: By id.
        docks: Those of the panes that can be moved, by id.
        specs: Every command.
        actions_by_id: Their actions.
        maximizer: Which pane has all the room.
        overlay: What lies over the transcript in a narrow window.
        focus_of_panes: Which pane is in use.
        rail: The buttons of the panes.
        top_bar: The bar above all.
        fault_bar: What is wrong, and what can be done about it.
    """

    models: WindowModels
    theme: Theme
    requests: Requests
    memory: LayoutMemory
    is_sandbox: bool
    panes: Mapping[str, Pane]
    docks: Mapping[str, PaneDock]
    specs: tuple[ActionSpec, ...]
    actions_by_id: dict[str, QAction]
    maximizer: MaximizeController
    overlay: Overlay
    focus_of_panes: PaneFocus
    rail: Rail
    top_bar: TopBar
    fault_bar: FaultBar

    def pane(self, pane_id: str) -> Pane:
        """Return a pane; it is made if it was never shown."""
        raise NotImplementedError

    def show_pane(self, pane_id: str) -> None:
        """Show a pane, raise it and go into it."""
        raise NotImplementedError

    def show_bars(self) -> None:
        """Show what must always be there, whatever a remembered layout says."""
        raise NotImplementedError

    def follow_docks(self) -> None:
        """Docks stand elsewhere now."""
        raise NotImplementedError

    def action(self, action_id: str) -> QAction:
        """Return a command by id."""
        return self.actions_by_id[action_id]
