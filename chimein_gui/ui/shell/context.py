"""What parts of the shell may use of the window. They import this module, not the window, which imports them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMainWindow, QWidget

from chimein_gui.ui.shell.docking.tab_order import next_stop

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
    from chimein_gui.ui.shell.docking.tab_rows import TabRows
    from chimein_gui.ui.widgets.theme.theme import Theme
    from chimein_gui.viewmodels.window import WindowModels


class Overlay(Protocol):
    """The pane over the transcript in a narrow window (docking/overlay.py)."""

    pane_id: str

    @property
    def is_on(self) -> bool:
        """Whether the window is narrow, so that panes are shown in the overlay."""
        ...

    def takes(self, pane_id: str) -> bool:
        """Tell whether a pane is shown in the overlay when it is requested."""
        ...

    def open_pane(self, pane_id: str) -> None:
        """Show a pane in the overlay."""

    def close_pane(self) -> None:
        """Close the overlay."""

    def leave(self) -> None:
        """Return all panes to their docks."""

    def plain_state(self) -> QByteArray:
        """Return the layout of the docks in a wide window."""
        ...


class ShellContext(QMainWindow):
    """The main window, as its parts see it.

    Attributes:
        models: The view models that several panes or the shell use.
        theme: Colours and fonts.
        requests: Carries requests to other parts of the window.
        memory: The settings file of the window.
        is_sandbox: Partners are simulated.
        panes: All panes by id.
        docks: The docks of the movable panes, by pane id.
        specs: All commands.
        actions_by_id: Their QActions.
        maximizer: Maximizes a pane.
        overlay: Shows a pane over the transcript in a narrow window.
        focus_of_panes: Knows which pane is in use.
        rail: The pane buttons.
        top_bar: The bar at the top.
        fault_bar: The bar with the current problem.
        bars: The bars at the top and the rail, in the order of reading.
        tab_rows: Knows what lies over the docks.
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
    bars: tuple[QWidget, ...]
    tab_rows: TabRows

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Move the focus through the bars, the rail and the panes as they are read."""
        docks = sorted(self.docks.values(), key=lambda dock: (dock.y(), dock.x() * (-1 if self.isRightToLeft() else 1)))
        beside = (part for dock in docks for part in self.tab_rows.parts_of(dock))
        central = (part for pane_id, pane in self.panes.items() if pane_id not in self.docks for part in pane.parts())
        over = self.findChildren(QWidget, "overlay", Qt.FindChildOption.FindDirectChildrenOnly)
        stop = next_stop(self, (*self.bars, *central, *over, *beside), forward=forward)
        if stop is None:
            return False
        stop.setFocus(Qt.FocusReason.TabFocusReason if forward else Qt.FocusReason.BacktabFocusReason)
        return True

    def pane(self, pane_id: str) -> Pane:
        """Return a pane; it is created if it was never shown."""
        raise NotImplementedError

    def show_pane(self, pane_id: str) -> None:
        """Show a pane, raise it and focus it."""
        raise NotImplementedError

    def show_bars(self) -> None:
        """Show the bars that must always be visible, whatever a restored layout says."""
        raise NotImplementedError

    def follow_docks(self) -> None:
        """Update everything that depends on where the docks are."""
        raise NotImplementedError

    def action(self, action_id: str) -> QAction:
        """Return the QAction of a command."""
        return self.actions_by_id[action_id]
