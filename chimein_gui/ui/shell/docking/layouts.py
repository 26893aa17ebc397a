"""The layout of the window: saved, named, and changed by keyboard. It never leaves the window off-screen or empty."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QObject, QRect, QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication

from chimein_gui.ui.pane import Area
from chimein_gui.ui.shell.docking.docks import trailing_side
from chimein_gui.ui.shell.docking.last_places import remember_places
from chimein_gui.ui.shell.docking.layout_memory import LAYOUT_VERSION

if TYPE_CHECKING:
    from collections.abc import Iterable

    from PySide6.QtWidgets import QMainWindow

    from chimein_gui.ui.shell.docking.dock_manager import DockManager
    from chimein_gui.ui.shell.docking.docks import PaneDock
    from chimein_gui.ui.shell.docking.layout_memory import LayoutMemory

EVERYDAY, APPROVALS = "Everyday", "Approvals"
BUILT_IN = (EVERYDAY, APPROVALS)

RIGHT_WIDTH, BOTTOM_HEIGHT = 380, 220
APPROVALS_SHARE = 0.68
"""Share of the window's width that the Approvals layout gives to the Approvals pane."""

MOST_NAMED = 20
NAME_LENGTH = 40

_AREAS = {
    "left": Qt.DockWidgetArea.LeftDockWidgetArea,
    "right": Qt.DockWidgetArea.RightDockWidgetArea,
    "bottom": Qt.DockWidgetArea.BottomDockWidgetArea,
}

SMALLEST_IN_SIGHT = QSize(160, 60)
"""Smallest part of the window that must be on a screen, logical pixels."""


class Layouts(QObject):
    """Saves and restores layouts, and moves panes.

    Attributes:
        changed: The layout or the list of named layouts has changed.
    """

    changed = Signal()

    def __init__(self, window: QMainWindow, dock_manager: DockManager, memory: LayoutMemory) -> None:
        super().__init__(window)
        self._window, self._docking, self._memory = window, dock_manager, memory
        self._plain_state = QByteArray()

    # --- at start and end -----------------------------------------------------------------------------------------

    def arrange(self) -> None:
        """Apply the default layout, then the saved one."""
        self._stack()
        self._plain_state = self._window.saveState(LAYOUT_VERSION)
        geometry = self._memory.bytes_of("geometry")
        if not geometry.isEmpty():
            self._window.restoreGeometry(geometry)
        self._come_into_sight()
        state = self._memory.bytes_of("state")
        if not state.isEmpty() and not self._take(state):
            self._take(self._plain_state)
        self.restore_insides()
        maximised = self._memory.text_of("maximised")
        if maximised:
            self._docking.maximizer.toggle(maximised)

    def fit_screen(self) -> None:
        """Shrink the window to its screen, because the default size is too large for small laptops.

        Call this once the window is shown: only then is the size of the system's window frame known.
        """
        here, room = self._window.size(), self._window.screen().availableGeometry()
        frame = self._window.frameGeometry().size() - here
        size = here.boundedTo(room.size() - frame).expandedTo(self._window.minimumSize())
        if size != here and not self._window.isMaximized() and not self._window.isFullScreen():
            self._window.resize(size)
            self._window.move(room.topLeft())

    def restore_insides(self) -> None:
        """Give every pane its own part of the saved layout."""
        for pane_id, pane in self._docking.panes.items():
            inside = self._memory.bytes_of(f"inside/{pane_id}")
            if not inside.isEmpty():
                pane.restore_layout(inside)

    def remember(self) -> None:
        """Save the layout for the next start."""
        maximizer = self._docking.maximizer
        self._memory.remember("geometry", self._window.saveGeometry())
        self._memory.remember("state", _plain_state(self._docking))
        self._memory.remember("maximised", maximizer.pane_id)
        for pane_id, pane in self._docking.panes.items():
            self._memory.remember(f"inside/{pane_id}", pane.save_layout())
        remember_places(self._docking, self._memory)
        self._memory.write()

    # --- named ones -----------------------------------------------------------------------------------------------

    def names(self) -> tuple[str, ...]:
        """Return the operator's own layouts, in the order they were saved."""
        return self._memory.words_of("layouts/names")

    def apply(self, name: str) -> None:
        """Apply a built-in or saved layout. A saved one that can't be read is replaced by the default layout."""
        _end_overlays(self._docking)
        if name in BUILT_IN:
            self._take_built_in(name)
        elif name in self.names():
            key = _key(name)
            if not self._take(self._memory.bytes_of(f"{key}/state")):
                self._take(self._plain_state)
            for pane_id, pane in self._docking.panes.items():
                inside = self._memory.bytes_of(f"{key}/inside/{pane_id}")
                if not inside.isEmpty():
                    pane.restore_layout(inside)
        self._settle()

    def save_as(self, name: str) -> bool:
        """Save the layout under a name.

        Returns:
            False if the name is empty or built in, or if there are too many layouts.
        """
        name = " ".join(name.split())[:NAME_LENGTH]
        names = self.names()
        if not name or name in BUILT_IN or (name not in names and len(names) >= MOST_NAMED):
            return False
        key = _key(name)
        self._memory.remember(f"{key}/state", _plain_state(self._docking))
        for pane_id, pane in self._docking.panes.items():
            self._memory.remember(f"{key}/inside/{pane_id}", pane.save_layout())
        self._memory.remember_words("layouts/names", (*(one for one in names if one != name), name))
        self._memory.write()
        self.changed.emit()
        return True

    def delete(self, name: str) -> None:
        """Delete one of the operator's layouts."""
        self._memory.forget(_key(name))
        self._memory.remember_words("layouts/names", tuple(one for one in self.names() if one != name))
        self._memory.write()
        self.changed.emit()

    def reset(self) -> None:
        """Apply the default layout."""
        self.apply(EVERYDAY)

    # --- one pane -------------------------------------------------------------------------------------------------

    def dock_in_use(self) -> PaneDock | None:
        """Return the dock that has the focus or had it last; None for the central pane."""
        return self._docking.docks.get(self._docking.focus.last)

    def move(self, area: str) -> None:
        """Move the pane in use to another dock area."""
        dock = self.dock_in_use()
        if dock is not None:
            _end_overlays(self._docking)
            dock.setFloating(False)
            self._window.addDockWidget(_AREAS[area], dock)
            self._bring(dock)

    def tab_with(self, pane_id: str) -> None:
        """Tab the pane in use with another pane, and raise it."""
        dock, other = self.dock_in_use(), self._docking.docks.get(pane_id)
        if dock is not None and other is not None and dock is not other:
            _end_overlays(self._docking)
            dock.setFloating(False)
            other.show()
            self._window.tabifyDockWidget(other, dock)
            self._bring(dock)

    def float_pane(self) -> None:
        """Float the pane in use, or dock it again."""
        dock = self.dock_in_use()
        if dock is not None:
            _end_overlays(self._docking)
            dock.setFloating(not dock.isFloating())
            self._bring(dock)

    def close_pane(self) -> None:
        """Close the pane in use, unless it is the central one."""
        dock = self.dock_in_use()
        if dock is not None and dock.spec.pane_id == self._docking.overlay.pane_id:
            self._docking.overlay.close_pane()
        elif dock is not None:
            self._docking.maximizer.forget()
            dock.close()
            self._settle()

    def close_named(self, pane_id: str) -> None:
        """Hide an on-demand pane, or restore a maximized one."""
        maximizer, dock = self._docking.maximizer, self._docking.docks.get(pane_id)
        if maximizer.pane_id == pane_id:
            maximizer.restore()
        elif dock is not None and dock.spec.on_demand:
            dock.close()
            self._settle()

    # --- inside ---------------------------------------------------------------------------------------------------

    def _stack(self) -> None:
        for area, side in (
            (Area.RIGHT, trailing_side(self._window)),
            (Area.BOTTOM, Qt.DockWidgetArea.BottomDockWidgetArea),
        ):
            docks = self._docks_at(area)
            for dock in docks:
                dock.setFloating(False)
                self._window.addDockWidget(side, dock)
                dock.setVisible(not dock.spec.on_demand)
            for before, dock in pairwise(docks):
                self._window.tabifyDockWidget(before, dock)
        self._show_first(RIGHT_WIDTH)

    def _docks_at(self, area: Area) -> list[PaneDock]:
        return [dock for dock in self._docking.docks.values() if dock.spec.area is area]

    def _show_first(self, width: int) -> None:
        """Show every pane that is not on demand, and raise the first one of each dock area."""
        for dock in self._docking.docks.values():
            dock.setVisible(not dock.spec.on_demand)
        for area, size, direction in (
            (Area.RIGHT, width, Qt.Orientation.Horizontal),
            (Area.BOTTOM, BOTTOM_HEIGHT, Qt.Orientation.Vertical),
        ):
            for first in self._docks_at(area)[:1]:
                first.raise_()
                self._window.resizeDocks([first], [size], direction)

    def _take_built_in(self, name: str) -> None:
        self._take(self._plain_state)
        self._show_first(round(self._window.width() * APPROVALS_SHARE) if name == APPROVALS else RIGHT_WIDTH)

    def _take(self, state: QByteArray) -> bool:
        taken = self._docking.restore(state)
        self._bring_back(self._docking.docks.values())
        return taken

    def _bring_back(self, docks: Iterable[PaneDock]) -> None:
        """Dock floating panes that are on no screen."""
        screens = [screen.availableGeometry() for screen in QGuiApplication.screens()]
        for dock in docks:
            if dock.isFloating() and not _in_sight(dock.frameGeometry(), screens):
                dock.setFloating(False)

    def _come_into_sight(self) -> None:
        """Move the window to an available screen if it was saved on one that is larger or missing now."""
        screens = [screen.availableGeometry() for screen in QGuiApplication.screens()]
        here = self._window.geometry()
        if self._window.isMaximized() or self._window.isFullScreen() or not screens:
            return
        if not _in_sight(here, screens):
            room = QGuiApplication.primaryScreen().availableGeometry()
            size = here.size().boundedTo(room.size()).expandedTo(self._window.minimumSize())
            self._window.setGeometry(QRect(room.topLeft(), size))

    def _bring(self, dock: PaneDock) -> None:
        dock.show()
        dock.raise_()
        self._docking.focus.enter(dock.spec.pane_id)
        self._settle()

    def _settle(self) -> None:
        self._docking.follow()
        self.changed.emit()


def _end_overlays(docking: DockManager) -> None:
    """End a maximization without restoring the layout, and return overlaid panes to their docks."""
    docking.maximizer.forget()
    docking.overlay.leave()


def _plain_state(docking: DockManager) -> QByteArray:
    """Return the layout that a wide window without a maximized pane would have."""
    return docking.overlay.plain_state() if docking.overlay.is_on else docking.maximizer.plain_state()


def _in_sight(frame: QRect, screens: list[QRect]) -> bool:
    """Tell whether enough of a frame's upper part is on a screen to drag it."""
    head = QRect(frame.topLeft(), QSize(frame.width(), max(SMALLEST_IN_SIGHT.height(), 1)))
    for screen in screens:
        seen = head.intersected(screen)
        if seen.width() >= SMALLEST_IN_SIGHT.width() and seen.height() >= SMALLEST_IN_SIGHT.height() // 2:
            return True
    return False


def _key(name: str) -> str:
    # A key of the file can't contain blanks, slashes or non-ASCII letters.
    return f"layouts/of/{name.encode().hex()}"
