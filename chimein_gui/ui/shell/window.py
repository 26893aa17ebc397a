"""The main window: docks panes, and nothing else."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QEvent, Qt
from PySide6.QtGui import QAction, QGuiApplication, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QApplication, QTabWidget

from chimein_gui.ui.shell.actions import all_actions, make_action, make_menu
from chimein_gui.ui.shell.docks import PaneDock
from chimein_gui.ui.shell.fault_bar import FaultBar
from chimein_gui.ui.shell.layout_memory import LAYOUT_VERSION, LayoutMemory
from chimein_gui.ui.shell.lifecycle import PatientWindow
from chimein_gui.ui.shell.pane_focus import PaneFocus
from chimein_gui.ui.shell.rail import Rail
from chimein_gui.ui.shell.registry import panes_of
from chimein_gui.ui.shell.status_bar import FactBar
from chimein_gui.ui.shell.theme import apply_theme, system_scheme
from chimein_gui.ui.shell.top_bar import TopBar
from chimein_gui.ui.shell.window_faults import WindowFaults
from chimein_gui.ui.widgets.pane import Area, Pane, PaneContext
from chimein_gui.ui.widgets.theme import Scheme

if TYPE_CHECKING:
    from chimein_gui.engine.ports import Spawn
    from chimein_gui.engine.sandbox_port import SandboxConsole
    from chimein_gui.ui.shell.sandbox_shell import SandboxShell
    from chimein_gui.viewmodels.console import Console

COMPACT_BELOW = 1320
"""Narrower windows get a rail without words."""


class MainWindow(PatientWindow):
    """Shows itself before the engine exists; `attach` fills it."""

    def __init__(self, context: PaneContext, memory: LayoutMemory) -> None:
        super().__init__()
        self._context, self._memory = context, memory
        self._models, self._theme = context.models, context.theme
        self._pane_specs = panes_of(is_sandbox=context.is_sandbox)
        self.setWindowTitle(self.tr("Chimein (sandbox)") if context.is_sandbox else "Chimein")
        self.setDockNestingEnabled(True)
        self.setTabPosition(Qt.DockWidgetArea.AllDockWidgetAreas, QTabWidget.TabPosition.North)
        self.setDocumentMode(True)
        self.setMinimumSize(900, 560)
        self.panes: dict[str, Pane] = {}
        self.docks: dict[str, PaneDock] = {}
        self._build_bars()
        self._specs = all_actions(self._pane_specs, is_sandbox=context.is_sandbox)
        self._actions = {spec.action_id: make_action(spec, self) for spec in self._specs}
        self.addActions(list(self._actions.values()))
        self._menu = make_menu(self._specs, self._actions, self._theme, self)
        self._focus = PaneFocus(self.panes, self.rail, self)
        self._faults = WindowFaults(self._models, self)
        self._build_panes()
        self.sandbox_shell = self._make_sandbox_shell() if context.is_sandbox else None
        self._wire()
        self.resize(1440, 900)
        self._plain_state = QByteArray()
        self._arrange()

    # --- for app.py -----------------------------------------------------------------------------------------------

    def attach(self, console: Console, spawn: Spawn, sandbox: SandboxConsole | None = None) -> None:
        """Fill the window from the engine."""
        self._models.attach(console, spawn, sandbox)

    def detach(self) -> None:
        """Let go of the engine, before it is closed."""
        self._models.detach()

    # --- parts ----------------------------------------------------------------------------------------------------

    def _build_bars(self) -> None:
        is_sandbox = self._context.is_sandbox
        self.top_bar = TopBar(self._theme, self._models)
        self.fault_bar = FaultBar(self._theme, self._models.faults)
        self.rail = Rail(self._theme, self._pane_specs)
        self.addToolBar(Qt.ToolBarArea.TopToolBarArea, self.top_bar)
        self.addToolBarBreak(Qt.ToolBarArea.TopToolBarArea)
        self.addToolBar(Qt.ToolBarArea.TopToolBarArea, self.fault_bar)
        self.addToolBar(Qt.ToolBarArea.LeftToolBarArea, self.rail)
        self.setStatusBar(FactBar(self._theme, self._models, is_sandbox=is_sandbox))

    def _build_panes(self) -> None:
        for spec in self._pane_specs:
            pane = spec.factory(self._context)
            pane.setObjectName(spec.pane_id)
            self.panes[spec.pane_id] = pane
            button = self.rail.buttons[spec.pane_id]
            pane.badge_changed.connect(button.set_badge)
            if spec.area is Area.CENTER:
                self.setCentralWidget(pane)
                continue
            dock = PaneDock(spec, pane, self._theme, self)
            self.docks[spec.pane_id] = dock
            self.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, dock)
            dock.visibilityChanged.connect(lambda _visible: self._focus.mark())
        self._models.approvals.waiting_changed.emit()
        self._models.agents.summary_changed.emit()

    def _make_sandbox_shell(self) -> SandboxShell:
        from chimein_gui.ui.shell.sandbox_shell import SandboxShell

        return SandboxShell(self, self._context)

    def _wire(self) -> None:
        self.rail.pane_requested.connect(self.show_pane)
        self.rail.menu_requested.connect(self._pop_menu)
        self.top_bar.queue_pressed.connect(lambda: self.show_pane("approvals"))
        self.top_bar.agents_pressed.connect(lambda: self.show_pane("agents"))
        intents = self._context.intents
        intents.edit_draft.connect(lambda _id: self._raise("approvals"))
        intents.reject_draft.connect(lambda _id: self._raise("approvals"))
        intents.open_chat.connect(lambda _id: self.show_pane("conversations"))
        self._theme.changed.connect(self._repaint)

    def _arrange(self) -> None:
        docks = list(self.docks.values())
        for first, second in itertools.pairwise(docks):
            self.tabifyDockWidget(first, second)
        if docks:
            docks[0].raise_()
            self.resizeDocks([docks[0]], [380], Qt.Orientation.Horizontal)
        self._plain_state = self.saveState(LAYOUT_VERSION)
        geometry = self._memory.bytes_of("geometry")
        if not geometry.isEmpty():
            self.restoreGeometry(geometry)
        state = self._memory.bytes_of("state")
        if not state.isEmpty():
            self.restoreState(state, LAYOUT_VERSION)
        for pane_id, pane in self.panes.items():
            inside = self._memory.bytes_of(f"inside/{pane_id}")
            if not inside.isEmpty():
                pane.restore_layout(inside)
        # A layout may have been remembered while a problem was shown.
        self.fault_bar.refresh()
        self._actions["dark"].setChecked(self._theme.scheme is Scheme.DARK)
        self._follow_docks()

    # --- commands (named in actions.py) ---------------------------------------------------------------------------

    def show_pane(self, pane_id: str) -> None:
        """Show a pane, raise it and go into it."""
        self._raise(pane_id)
        self._focus.enter(pane_id)

    def focus_next_pane(self) -> None:
        """Go to the next pane in sight."""
        self._focus.step(1)

    def focus_previous_pane(self) -> None:
        """Go to the previous pane in sight."""
        self._focus.step(-1)

    def reset_layout(self) -> None:
        """Put everything where it was at first."""
        self.restoreState(self._plain_state, LAYOUT_VERSION)
        for dock in self.docks.values():
            dock.show()
        self.fault_bar.refresh()
        self._follow_docks()

    def toggle_hold(self) -> None:
        """Hold everything, or let go."""
        self.top_bar.hold.press()

    def pick_scenario(self) -> None:
        """Offer the scenarios of the sandbox."""
        self._context.intents.pick_scenario.emit()

    def set_dark(self, dark: bool) -> None:
        """Choose the colours; from now on the system's wish does not count."""
        chosen = Scheme.DARK if dark else Scheme.LIGHT
        application = QApplication.instance()
        if isinstance(application, QApplication):
            self._memory.remember("scheme", "" if chosen is system_scheme(application) else chosen.value)
        self._theme.set_scheme(chosen)

    def follow_system(self) -> None:
        """Take the system's colours, unless the operator chose others."""
        application = QApplication.instance()
        if isinstance(application, QApplication) and not self._memory.text_of("scheme"):
            self._theme.set_scheme(system_scheme(application))

    def action(self, action_id: str) -> QAction:
        """Return a command by id."""
        return self._actions[action_id]

    def before_close(self) -> None:
        self._memory.remember("geometry", self.saveGeometry())
        self._memory.remember("state", self.saveState(LAYOUT_VERSION))
        for pane_id, pane in self.panes.items():
            self._memory.remember(f"inside/{pane_id}", pane.save_layout())
        self._memory.write()

    # --- Qt -------------------------------------------------------------------------------------------------------

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._models.clock.start()
        if self.focusWidget() is None or self.rail.isAncestorOf(self.focusWidget()):
            self.panes["conversations"].focus_widget().setFocus()

    def hideEvent(self, event: QEvent) -> None:
        self._models.clock.stop()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.rail.set_compact(self.width() < COMPACT_BELOW)
        if self.sandbox_shell is not None:
            self.sandbox_shell.fit(self.width())

    # --- inside ---------------------------------------------------------------------------------------------------

    def _raise(self, pane_id: str) -> None:
        dock = self.docks.get(pane_id)
        if dock is not None:
            dock.show()
            dock.raise_()

    def _follow_docks(self) -> None:
        for dock in self.docks.values():
            dock.follow_tabs()
        self._focus.mark()

    def _pop_menu(self) -> None:
        button = self.rail.menu_button
        place = button.mapToGlobal(button.rect().topRight())
        place.setY(place.y() - self._menu.sizeHint().height() + button.height())
        self._menu.popup(place)

    def _repaint(self) -> None:
        application = QGuiApplication.instance()
        if isinstance(application, QApplication):
            apply_theme(application, self._theme)
        self._actions["dark"].setChecked(self._theme.scheme is Scheme.DARK)
