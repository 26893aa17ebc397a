"""Where everything stands: remembered, named, moved by keyboard, and never off the screen or empty."""

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

    from chimein_gui.ui.shell.context import ShellContext
    from chimein_gui.ui.shell.docking.docks import PaneDock

EVERYDAY, APPROVALS = "Everyday", "Approvals"
BUILT_IN = (EVERYDAY, APPROVALS)

RIGHT_WIDTH, BOTTOM_HEIGHT = 380, 220
APPROVALS_SHARE = 0.68
"""How much of the window's width the Approvals layout gives to them."""

MOST_NAMED = 20
NAME_LENGTH = 40

_AREAS = {
    "left": Qt.DockWidgetArea.LeftDockWidgetArea,
    "right": Qt.DockWidgetArea.RightDockWidgetArea,
    "bottom": Qt.DockWidgetArea.BottomDockWidgetArea,
}

SMALLEST_IN_SIGHT = QSize(160, 60)
"""How much of the window must be on a screen, logical pixels."""


class Layouts(QObject):
    """Restores, saves, applies and moves.

    Attributes:
        changed: Panes stand elsewhere now, or the names are others.
    """

    changed = Signal()

    def __init__(self, window: ShellContext) -> None:
        super().__init__(window)
        self._window, self._memory = window, window.memory
        self._plain_state = QByteArray()

    # --- at start and end -----------------------------------------------------------------------------------------

    def arrange(self) -> None:
        """Put the panes where they stand at first, then where they stood last."""
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
            self._window.maximizer.toggle(maximised)

    def fit_screen(self) -> None:
        """Make the window no larger than its screen: the size it has at first is too much for a small laptop.

        How thick the frame is that the system draws around it is known only once it is shown.
        """
        here, room = self._window.size(), self._window.screen().availableGeometry()
        frame = self._window.frameGeometry().size() - here
        size = here.boundedTo(room.size() - frame).expandedTo(self._window.minimumSize())
        if size != here and not self._window.isMaximized() and not self._window.isFullScreen():
            self._window.resize(size)
            self._window.move(room.topLeft())

    def restore_insides(self) -> None:
        """Give every pane its own part of the remembered layout."""
        for pane_id, pane in self._window.panes.items():
            inside = self._memory.bytes_of(f"inside/{pane_id}")
            if not inside.isEmpty():
                pane.restore_layout(inside)

    def remember(self) -> None:
        """Keep how everything stands, for the next start."""
        maximizer = self._window.maximizer
        self._memory.remember("geometry", self._window.saveGeometry())
        self._memory.remember("state", _plain_state(self._window))
        self._memory.remember("maximised", maximizer.pane_id)
        for pane_id, pane in self._window.panes.items():
            self._memory.remember(f"inside/{pane_id}", pane.save_layout())
        remember_places(self._window)
        self._memory.write()

    # --- named ones -----------------------------------------------------------------------------------------------

    def names(self) -> tuple[str, ...]:
        """Return the operator's own layouts, in the order they were saved."""
        return self._memory.words_of("layouts/names")

    def apply(self, name: str) -> None:
        """Take a named layout; one that cannot be read changes nothing."""
        _let_go(self._window)
        if name in BUILT_IN:
            self._take_built_in(name)
        elif name in self.names():
            key = _key(name)
            if not self._take(self._memory.bytes_of(f"{key}/state")):
                self._take(self._plain_state)
            for pane_id, pane in self._window.panes.items():
                inside = self._memory.bytes_of(f"{key}/inside/{pane_id}")
                if not inside.isEmpty():
                    pane.restore_layout(inside)
        self._settle()

    def save_as(self, name: str) -> bool:
        """Keep how everything stands under a name; False if the name cannot be had."""
        name = " ".join(name.split())[:NAME_LENGTH]
        names = self.names()
        if not name or name in BUILT_IN or (name not in names and len(names) >= MOST_NAMED):
            return False
        key = _key(name)
        self._memory.remember(f"{key}/state", _plain_state(self._window))
        for pane_id, pane in self._window.panes.items():
            self._memory.remember(f"{key}/inside/{pane_id}", pane.save_layout())
        self._memory.remember_words("layouts/names", (*(one for one in names if one != name), name))
        self._memory.write()
        self.changed.emit()
        return True

    def delete(self, name: str) -> None:
        """Forget a layout of the operator's."""
        self._memory.forget(_key(name))
        self._memory.remember_words("layouts/names", tuple(one for one in self.names() if one != name))
        self._memory.write()
        self.changed.emit()

    def reset(self) -> None:
        """Put everything where it was at first."""
        self.apply(EVERYDAY)

    # --- one pane -------------------------------------------------------------------------------------------------

    def dock_in_use(self) -> PaneDock | None:
        """Return the dock that has the focus or had it last; None for the central pane."""
        return self._window.docks.get(self._window.focus_of_panes.last)

    def move(self, area: str) -> None:
        """Move the pane in use to another side."""
        dock = self.dock_in_use()
        if dock is not None:
            _let_go(self._window)
            dock.setFloating(False)
            self._window.addDockWidget(_AREAS[area], dock)
            self._bring(dock)

    def tab_with(self, pane_id: str) -> None:
        """Put the pane in use behind another one's tab, and in front of it."""
        dock, other = self.dock_in_use(), self._window.docks.get(pane_id)
        if dock is not None and other is not None and dock is not other:
            _let_go(self._window)
            dock.setFloating(False)
            other.show()
            self._window.tabifyDockWidget(other, dock)
            self._bring(dock)

    def float_pane(self) -> None:
        """Let the pane in use float, or dock it again."""
        dock = self.dock_in_use()
        if dock is not None:
            _let_go(self._window)
            dock.setFloating(not dock.isFloating())
            self._bring(dock)

    def close_pane(self) -> None:
        """Close the pane in use; the central one stays."""
        dock = self.dock_in_use()
        if dock is not None and dock.spec.pane_id == self._window.overlay.pane_id:
            self._window.overlay.put_away()
        elif dock is not None:
            self._window.maximizer.forget()
            dock.close()
            self._settle()

    def put_away(self, pane_id: str) -> None:
        """Let a pane that stands aside until it is asked for go there again."""
        maximizer, dock = self._window.maximizer, self._window.docks.get(pane_id)
        if maximizer.pane_id == pane_id:
            maximizer.give_back()
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
                dock.show()
            for before, dock in pairwise(docks):
                self._window.tabifyDockWidget(before, dock)
        self._show_first(RIGHT_WIDTH)

    def _docks_at(self, area: Area) -> list[PaneDock]:
        return [dock for dock in self._window.docks.values() if dock.spec.area is area]

    def _show_first(self, width: int) -> None:
        """Show every pane that is not on demand, with the first of each side in front."""
        for dock in self._window.docks.values():
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
        taken = self._window.restoreState(state, LAYOUT_VERSION)
        self._window.show_bars()
        self._window.maximizer.central.show()
        self._bring_back(self._window.docks.values())
        return taken

    def _bring_back(self, docks: Iterable[PaneDock]) -> None:
        """Dock what floats where no screen is."""
        screens = [screen.availableGeometry() for screen in QGuiApplication.screens()]
        for dock in docks:
            if dock.isFloating() and not _in_sight(dock.frameGeometry(), screens):
                dock.setFloating(False)

    def _come_into_sight(self) -> None:
        """A window from a larger screen, or from one that is gone, comes to one that is here."""
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
        self._window.focus_of_panes.enter(dock.spec.pane_id)
        self._settle()

    def _settle(self) -> None:
        self._window.follow_docks()
        self.changed.emit()


def _let_go(window: ShellContext) -> None:
    """Nothing has all the room any more, and nothing lies over the transcript."""
    window.maximizer.forget()
    window.overlay.leave()


def _plain_state(window: ShellContext) -> QByteArray:
    """Return how everything stands in a window with room for it, and where no pane has all of it."""
    return window.overlay.plain_state() if window.overlay.is_on else window.maximizer.plain_state()


def _in_sight(frame: QRect, screens: list[QRect]) -> bool:
    """Tell whether the upper part of a frame can be seen and taken hold of."""
    head = QRect(frame.topLeft(), QSize(frame.width(), max(SMALLEST_IN_SIGHT.height(), 1)))
    for screen in screens:
        seen = head.intersected(screen)
        if seen.width() >= SMALLEST_IN_SIGHT.width() and seen.height() >= SMALLEST_IN_SIGHT.height() // 2:
            return True
    return False


def _key(name: str) -> str:
    # A key of the file knows no blanks, slashes or foreign letters.
    return f"layouts/of/{name.encode().hex()}"
