"""The panes of the window, most of them in docks: each is created when it is first shown."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from chimein_gui.ui.pane import Area, Pane, PaneContext, PaneSpec
from chimein_gui.ui.requests import MaximizePane
from chimein_gui.ui.shell.docking.docks import PaneDock
from chimein_gui.ui.shell.docking.layout_memory import LAYOUT_VERSION
from chimein_gui.ui.shell.docking.maximize import MaximizeController
from chimein_gui.ui.shell.docking.overlay import PaneOverlay
from chimein_gui.ui.shell.docking.pane_focus import PaneFocus
from chimein_gui.ui.shell.docking.starting_pane import StartingPane
from chimein_gui.ui.shell.docking.tab_rows import TabRows

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from PySide6.QtCore import QByteArray
    from PySide6.QtWidgets import QMainWindow, QWidget

    from chimein_gui.ui.shell.bars.top_bar import TopBar
    from chimein_gui.ui.shell.docking.rail import Rail


class DockManager(QObject):
    """Creates, shows and focuses the panes.

    Attributes:
        restored: The layout of the window was restored, which may have hidden its bars.
        moved: The docks may be in other places now.
        panes: All panes by id.
        docks: The docks of the movable panes, by pane id.
        is_filled: Panes have their contents, once they are shown.
        focus: Knows which pane is in use.
        maximizer: Maximizes a pane.
        overlay: Shows a pane over the transcript in a narrow window.
        tab_rows: Knows what lies over the docks.
    """

    restored = Signal()
    moved = Signal()

    def __init__(
        self, window: QMainWindow, context: PaneContext, specs: Sequence[PaneSpec], rail: Rail, top_bar: TopBar
    ) -> None:
        super().__init__(window)
        self._window, self._context, self._specs, self._rail = window, context, specs, rail
        self.panes: dict[str, Pane] = {}
        self.docks: dict[str, PaneDock] = {}
        self.is_filled = False
        self.focus = PaneFocus(self.panes, rail, top_bar, window)
        self._build()
        self.tab_rows = TabRows(window, self.docks)
        central = next(spec.pane_id for spec in specs if spec.area is Area.CENTER)
        self.maximizer = MaximizeController(window, self.docks, central, self.panes[central])
        self.overlay = PaneOverlay(window, context.theme, self.panes, self.docks, self.maximizer)
        self.overlay.closed.connect(lambda: self.focus.enter(self.maximizer.central.objectName()))
        self.overlay.maximise_pressed.connect(self._request_maximise)
        rail.pane_requested.connect(self._toggle)
        self.maximizer.changed.connect(self._follow_maximised)

    def _build(self) -> None:
        for spec in self._specs:
            if spec.area is Area.CENTER:
                self._window.setCentralWidget(self._make(spec))
                continue
            starting = StartingPane(self._context.theme, spec)
            self.panes[spec.pane_id] = starting
            dock = PaneDock(spec, starting, self._context.theme, self._window)
            self.docks[spec.pane_id] = dock
            dock.visibilityChanged.connect(partial(self._dock_shown, spec.pane_id))
            dock.maximise_pressed.connect(self._request_maximise)

    def _make(self, spec: PaneSpec) -> Pane:
        pane = spec.factory(self._context)
        pane.setObjectName(spec.pane_id)
        self.panes[spec.pane_id] = pane
        return pane

    def fill(self, *, all_of_them: bool) -> None:
        """Fill the central pane, and create the visible panes, or all. Others are created when they are first shown."""
        self.is_filled = True
        for spec in self._specs:
            if spec.area is Area.CENTER:
                self.panes[spec.pane_id].fill()
            elif all_of_them or self.focus.in_sight(spec.pane_id):
                self.pane(spec.pane_id)

    def pane(self, pane_id: str) -> Pane:
        """Return a pane; it is created if it was never shown."""
        pane = self.panes[pane_id]
        if isinstance(pane, StartingPane) and self.is_filled:
            dock, inside, place = self.docks[pane_id], pane.save_layout(), pane.save_place()
            pane = self._make(dock.spec)
            pane.fill()
            dock.take(pane)
            if not inside.isEmpty():
                pane.restore_layout(inside)
            if place:
                pane.restore_place(place)
            models = self._context.models
            models.approvals.waiting_changed.emit()
            models.agents.summary_changed.emit()
        return pane

    def show_pane(self, pane_id: str) -> None:
        """Show a pane, raise it and focus it."""
        self._raise(pane_id)
        self.focus.enter(pane_id)

    def maximise(self) -> None:
        """Maximize the pane in use, or restore it."""
        self._request_maximise(self.maximizer.pane_id or self.focus.last or next(iter(self.panes)))

    def show_badge(self, pane_id: str, number: int) -> None:
        """Show on the rail and on the dock how many items of a pane wait."""
        self._rail.set_badge(pane_id, number)
        if pane_id in self.docks:
            self.docks[pane_id].show_badge(number)

    def restore(self, state: QByteArray) -> bool:
        """Restore where the docks are.

        Returns:
            False if the state can't be read.
        """
        taken = self._window.restoreState(state, LAYOUT_VERSION)
        self.restored.emit()
        self.maximizer.central.show()
        return taken

    def follow(self) -> None:
        """Update everything that depends on where the docks are."""
        self.overlay.follow_width()
        for dock in self.docks.values():
            dock.follow_tabs()
        self.focus.mark()
        self.moved.emit()

    def parts(self) -> Iterator[QWidget]:
        """Yield the parts of the panes in the order of reading, for the Tab key."""
        for pane_id, pane in self.panes.items():
            if pane_id not in self.docks:
                yield from pane.parts()
        yield self.overlay
        rtl = self._window.isRightToLeft()
        for dock in sorted(self.docks.values(), key=lambda dock: (dock.y(), dock.x() * (-1 if rtl else 1))):
            yield from self.tab_rows.parts_of(dock)

    def _dock_shown(self, pane_id: str, visible: bool) -> None:
        self.focus.mark()
        self.panes[pane_id].sight_changed.emit()
        if visible and self.is_filled and isinstance(self.panes[pane_id], StartingPane):
            # Later, because Qt is laying out the docks now.
            QTimer.singleShot(0, self, lambda: self.pane(pane_id) if self.focus.in_sight(pane_id) else None)

    def _request_maximise(self, pane_id: str) -> None:
        self._context.requests.send(MaximizePane(pane_id))

    def _toggle(self, pane_id: str) -> None:
        if pane_id == self.overlay.pane_id:
            self.overlay.close_pane()
        else:
            self.show_pane(pane_id)

    def _raise(self, pane_id: str) -> None:
        self.maximizer.make_way_for(pane_id)
        self.overlay.follow_width()
        dock = self.docks.get(pane_id)
        if self.overlay.takes(pane_id) and self.maximizer.pane_id != pane_id:
            self.pane(pane_id)
            self.overlay.open_pane(pane_id)
            return
        if dock is None:
            self.overlay.close_pane()
        if dock is not None:
            if dock.spec.on_demand and not dock.isVisible():
                self.maximizer.toggle(pane_id)
            dock.show()
            dock.raise_()
        self.pane(pane_id)

    def _follow_maximised(self, pane_id: str) -> None:
        for dock in self.docks.values():
            dock.show_maximised(maximised=dock.spec.pane_id == pane_id)
        self.restored.emit()
        self.follow()
        if pane_id:
            self.focus.enter(pane_id)
