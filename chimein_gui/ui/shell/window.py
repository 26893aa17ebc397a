"""The main window: it holds the panes in docks, and passes every command to the part that executes it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QEvent, Qt, QTimer
from PySide6.QtWidgets import QTabWidget

from chimein_gui.ui.pane import Area, Pane, PaneContext, PaneSpec
from chimein_gui.ui.requests import ClosePane, LogOut, MaximizePane, OpenLogin, SaveDiagnostics
from chimein_gui.ui.shell.bars.status_bar import FactBar
from chimein_gui.ui.shell.bars.top_bar import TopBar
from chimein_gui.ui.shell.context import ShellContext
from chimein_gui.ui.shell.docking.docks import PaneDock, trailing_side
from chimein_gui.ui.shell.docking.last_places import restore_places
from chimein_gui.ui.shell.docking.layouts import Layouts
from chimein_gui.ui.shell.docking.maximize import MaximizeController
from chimein_gui.ui.shell.docking.overlay import PaneOverlay
from chimein_gui.ui.shell.docking.pane_focus import PaneFocus
from chimein_gui.ui.shell.docking.rail import Rail
from chimein_gui.ui.shell.docking.spoken_tabs import tell_tabs
from chimein_gui.ui.shell.docking.starting_pane import StartingPane
from chimein_gui.ui.shell.docking.tab_rows import TabRows
from chimein_gui.ui.shell.lifecycle import CloseGuard
from chimein_gui.ui.shell.registry import panes_of
from chimein_gui.ui.widgets.controls.spoken_role import tell_plain_widgets
from chimein_gui.ui.widgets.rows.paint_budget import FramePacer
from chimein_gui.ui.widgets.surfaces.menus import report_menus
from chimein_gui.ui.widgets.theme import icons
from chimein_gui.ui.widgets.theme.theme import Scheme

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from PySide6.QtGui import QResizeEvent, QShowEvent

    from chimein_gui.engine.ports import ModelChoice, Spawn
    from chimein_gui.sandbox_api import SandboxConsole
    from chimein_gui.ui.shell.docking.layout_memory import LayoutMemory
    from chimein_gui.ui.shell.sandbox.sandbox import SandboxShell
    from chimein_gui.viewmodels.engine_api.engine import EngineApi

MOST_ANNOUNCED = 400
"""Most characters that are announced of what arrives."""

COMPACT_BELOW = 1320
"""Width in px below which the rail has no words, and the top bar shows neither costs nor connections."""


class MainWindow(ShellContext):
    """Shown before the engine exists; `attach` connects it to the engine.

    What is seldom needed (menu, help, palette) is created on first use, so that the first paint does not wait for it.

    Attributes:
        memory: The settings file of the window.
        panes: All panes by id.
        docks: The docks of the movable panes, by pane id.
        specs: All commands.
        actions_by_id: Their QActions.
        lazy: Parts that are created on first use.
        appearance: Colours, text size, motion and single-key shortcuts.
        layouts: Saves and restores layouts.
        close_guard: Asks the program before the window closes.
        maximizer: Maximizes a pane.
        focus_of_panes: Knows which pane is in use.
        needs: Goes to the next item that waits.
    """

    def __init__(
        self, context: PaneContext, memory: LayoutMemory, logs: Path | None = None, *, whole: bool = True
    ) -> None:
        tell_plain_widgets()
        tell_tabs()
        report_menus()
        super().__init__()
        FramePacer(self)
        self._context, self.memory, self._logs = context, memory, logs
        self.is_sandbox = context.is_sandbox
        self.theme, self.requests = context.theme, context.requests
        self._pane_specs = panes_of(is_sandbox=context.is_sandbox)
        self.setWindowTitle(self.tr("Sandbox — Chimein") if context.is_sandbox else "Chimein")
        self.setDockNestingEnabled(True)
        self.setTabPosition(Qt.DockWidgetArea.AllDockWidgetAreas, QTabWidget.TabPosition.North)
        self.setDocumentMode(True)
        beside = trailing_side(self)
        is_right = beside is Qt.DockWidgetArea.RightDockWidgetArea
        self.setCorner(Qt.Corner.BottomRightCorner if is_right else Qt.Corner.BottomLeftCorner, beside)
        self.setMinimumSize(900, 560)
        self.panes: dict[str, Pane] = {}
        self.docks: dict[str, PaneDock] = {}
        self._is_filled = False
        self.sandbox_shell: SandboxShell | None = None
        self._build_bars()
        self.focus_of_panes = PaneFocus(self.panes, self.rail, self.top_bar, self)
        self._build_docks()
        self.tab_rows = TabRows(self, self.docks)
        central = next(spec.pane_id for spec in self._pane_specs if spec.area is Area.CENTER)
        self.maximizer = MaximizeController(self, self.docks, central, self.panes[central])
        self.overlay: PaneOverlay = PaneOverlay(self)
        self.layouts = Layouts(self)
        self.close_guard = CloseGuard(self, self.layouts.remember)
        self.rail.pane_requested.connect(self._toggle_pane)
        self.maximizer.changed.connect(self._follow_maximised)
        self.resize(1440, 900)
        if whole:
            self._make_parts()
            self._fill_panes(all_of_them=True)
        self.layouts.arrange()
        self.follow_docks()
        if whole:
            restore_places(self)

    # --- for app.py -----------------------------------------------------------------------------------------------

    def fill(self) -> None:
        """Create what the first paint did not wait for. If the window is not whole, call it once before `attach`."""
        self.setUpdatesEnabled(False)
        self._make_parts()
        self._fill_panes(all_of_them=False)
        self.layouts.restore_insides()
        self.follow_docks()
        self.toast.place(self.rail.sizeHint().width(), self.facts.height())
        restore_places(self)
        # Layout and paint what is new now, because what follows may block the event loop for a while.
        QCoreApplication.sendPostedEvents()
        self.panes[self.focus_of_panes.last or "conversations"].focus_widget().setFocus()
        self.setUpdatesEnabled(True)
        self.repaint()

    def attach(
        self,
        api: EngineApi,
        spawn: Spawn,
        sandbox: SandboxConsole | None = None,
        model_choice: ModelChoice | None = None,
    ) -> None:
        """Connect the models to the engine, and fetch their contents."""
        self.models.attach(api, spawn, sandbox, model_choice)
        self.lazy.warm_up.start()

    def detach(self) -> None:
        """Disconnect from the engine, before it is closed."""
        self.lazy.warm_up.stop()
        self.models.detach()

    # --- parts ----------------------------------------------------------------------------------------------------

    def _build_bars(self) -> None:
        self.top_bar, self.rail = TopBar(self.theme), Rail(self.theme, self._pane_specs)
        self.addToolBar(Qt.ToolBarArea.TopToolBarArea, self.top_bar)
        side = Qt.ToolBarArea.RightToolBarArea if self.isRightToLeft() else Qt.ToolBarArea.LeftToolBarArea
        self.addToolBar(side, self.rail)
        self.bars = (self.top_bar, self.rail)
        self.facts = FactBar(self.theme, is_sandbox=self.is_sandbox)
        self.setStatusBar(self.facts)

    def _make_parts(self) -> None:
        """Create the models and everything that uses them; the first paint needs none of it."""
        from chimein_gui.ui.shell.appearance.appearance import Appearance
        from chimein_gui.ui.shell.bars.fault_bar import FaultBar
        from chimein_gui.ui.shell.bars.held_banner import HeldBanner
        from chimein_gui.ui.shell.bars.problem_commands import ProblemCommands
        from chimein_gui.ui.shell.bars.toast_card import ToastCard
        from chimein_gui.ui.shell.bars.toast_place import clear_place
        from chimein_gui.ui.shell.commands.account_commands import AccountCommands
        from chimein_gui.ui.shell.commands.next_task import NextTask
        from chimein_gui.ui.shell.lazy_parts import LazyParts
        from chimein_gui.ui.widgets.rows.spoken_views import FocusTeller

        self.setWindowIcon(icons.app_icon())
        FocusTeller(self)  # there are no lists before
        context, theme = self._context, self.theme
        self.models = models = context.models
        models.setParent(self)
        for spec in self._pane_specs:
            if spec.models is not None:
                context.own(spec.models)
        self.appearance = Appearance(self, theme, self.memory, models.preferences_model.appearance)
        self.top_bar.follow(models)
        self.facts.follow(models)
        self.held_banner, self.fault_bar = HeldBanner(theme, models), FaultBar(theme, models.bars)
        for bar in (self.held_banner, self.fault_bar):
            self.addToolBarBreak(Qt.ToolBarArea.TopToolBarArea)
            self.addToolBar(Qt.ToolBarArea.TopToolBarArea, bar)
        self.bars = (self.top_bar, self.held_banner, self.fault_bar, self.rail)
        self.toast = ToastCard(theme, models.toasts, self)
        self.toast.keep_clear_of(partial(clear_place, self))
        models.clock.ticked.connect(self.toast.make_way)
        AccountCommands(self)
        for spec in self._pane_specs:
            if spec.badge is not None:
                spec.badge(context, partial(self._show_badge, spec.pane_id))
            if spec.oldest is not None:
                spec.oldest(context, partial(self.rail.set_age, spec.pane_id))
        self.needs, self.lazy = NextTask(self), LazyParts(self, self.layouts, self._logs)
        ProblemCommands(self, self.lazy)
        self.sandbox_shell = _make_sandbox_shell(self, context) if self.is_sandbox else None
        _make_actions(self, self._pane_specs)
        _wire(self, self._pane_specs)
        if self.isVisible():
            models.clock.start()

    def _build_docks(self) -> None:
        for spec in self._pane_specs:
            if spec.area is Area.CENTER:
                self.setCentralWidget(self._make_pane(spec))
                continue
            starting = StartingPane(self.theme, spec)
            self.panes[spec.pane_id] = starting
            dock = PaneDock(spec, starting, self.theme, self)
            self.docks[spec.pane_id] = dock
            dock.visibilityChanged.connect(partial(self._dock_shown, spec.pane_id))
            dock.maximise_pressed.connect(lambda pane_id: self.requests.send(MaximizePane(pane_id)))

    def _make_pane(self, spec: PaneSpec) -> Pane:
        pane = spec.factory(self._context)
        pane.setObjectName(spec.pane_id)
        self.panes[spec.pane_id] = pane
        return pane

    def _fill_panes(self, *, all_of_them: bool) -> None:
        """Fill the central pane, and create the visible panes, or all. Others are created when they are first shown."""
        self._is_filled = True
        for spec in self._pane_specs:
            if spec.area is Area.CENTER:
                self.panes[spec.pane_id].fill()
            elif all_of_them or self.focus_of_panes.in_sight(spec.pane_id):
                self.pane(spec.pane_id)

    def _dock_shown(self, pane_id: str, visible: bool) -> None:
        self.focus_of_panes.mark()
        self.panes[pane_id].sight_changed.emit()
        if visible and self._is_filled and isinstance(self.panes[pane_id], StartingPane):
            # Later, because Qt is laying out the docks now.
            QTimer.singleShot(0, self, lambda: self.pane(pane_id) if self.focus_of_panes.in_sight(pane_id) else None)

    def _show_badge(self, pane_id: str, number: int) -> None:
        self.rail.set_badge(pane_id, number)
        if pane_id in self.docks:
            self.docks[pane_id].show_badge(number)

    # --- commands (of action_list.py) ---------------------------------------------------------------------------

    def show_pane(self, pane_id: str) -> None:
        """Show a pane, raise it and focus it."""
        self._raise(pane_id)
        self.focus_of_panes.enter(pane_id)

    def maximise(self) -> None:
        """Maximize the pane in use, or restore it."""
        here = self.maximizer.pane_id or self.focus_of_panes.last or next(iter(self.panes))
        self.requests.send(MaximizePane(here))

    def set_dark(self, dark: bool) -> None:
        """Choose the dark or light scheme; the system's scheme is ignored from now on."""
        self.appearance.choose_scheme(Scheme.DARK if dark else Scheme.LIGHT)

    def pane(self, pane_id: str) -> Pane:
        """Return a pane; it is created if it was never shown."""
        pane = self.panes[pane_id]
        if isinstance(pane, StartingPane) and self._is_filled:
            dock, inside, place = self.docks[pane_id], pane.save_layout(), pane.save_place()
            pane = self._make_pane(dock.spec)
            pane.fill()
            dock.take(pane)
            if not inside.isEmpty():
                pane.restore_layout(inside)
            if place:
                pane.restore_place(place)
            self.models.approvals.waiting_changed.emit()
            self.models.agents.summary_changed.emit()
        return pane

    def follow_system(self) -> None:
        """Apply the system's colour scheme and contrast, unless the operator chose a scheme."""
        if self._is_filled:
            self.appearance.follow_system()

    # --- Qt -------------------------------------------------------------------------------------------------------

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._is_filled:
            self.models.clock.start()
        if self.focusWidget() is None or self.rail.isAncestorOf(self.focusWidget()):
            self.panes["conversations"].focus_widget().setFocus()

    def hideEvent(self, event: QEvent) -> None:
        if self._is_filled:
            self.models.clock.stop()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        compact = self.width() < COMPACT_BELOW
        self.rail.set_compact(compact)
        self.top_bar.set_compact(compact)
        if self.sandbox_shell is not None:
            self.sandbox_shell.picker.dismiss()
        self.overlay.follow_width()
        if self._is_filled:
            self.toast.place(self.rail.sizeHint().width(), self.facts.height())

    # --- ShellContext ---------------------------------------------------------------------------------------------

    def show_bars(self) -> None:
        """Show the bars that must always be visible, whatever a restored layout says."""
        for bar in (self.top_bar, self.rail):
            bar.show()
        if self._is_filled:
            self.held_banner.refresh()
            self.fault_bar.refresh()

    def follow_docks(self) -> None:
        """Update everything that depends on where the docks are."""
        self.overlay.follow_width()
        for dock in self.docks.values():
            dock.follow_tabs()
        self.focus_of_panes.mark()
        if self._is_filled:
            self.toast.make_way()

    # --- inside ---------------------------------------------------------------------------------------------------

    def _toggle_pane(self, pane_id: str) -> None:
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
        self.show_bars()
        self.follow_docks()
        if pane_id:
            self.focus_of_panes.enter(pane_id)


def _make_actions(window: MainWindow, panes: Iterable[PaneSpec]) -> None:
    from chimein_gui.ui.shell.commands.action_list import all_actions
    from chimein_gui.ui.shell.commands.actions import follow_states, make_action

    window.specs = all_actions(panes, window, is_sandbox=window.is_sandbox)
    window.actions_by_id = {spec.action_id: make_action(spec, window) for spec in window.specs}
    window.addActions(list(window.actions_by_id.values()))
    follow = partial(follow_states, window.specs, window.actions_by_id)
    window.models.preferences_model.appearance.changed.connect(follow)
    follow()


def _make_sandbox_shell(window: MainWindow, context: PaneContext) -> SandboxShell:
    from chimein_gui.ui.shell.sandbox.sandbox import SandboxShell

    return SandboxShell(window, context)


def _wire(window: MainWindow, panes: Iterable[PaneSpec]) -> None:
    from chimein_gui.ui.widgets.controls.spoken_role import announce
    from chimein_gui.ui.widgets.text import foreign_text
    from chimein_gui.viewmodels.notifications.spoken import SpokenNews

    window.rail.menu_requested.connect(window.lazy.pop_menu)
    window.top_bar.queue_pressed.connect(lambda: window.show_pane("approvals"))
    window.top_bar.agents_pressed.connect(lambda: window.show_pane("agents"))
    window.top_bar.costs_pressed.connect(lambda: window.show_pane("costs"))
    window.top_bar.palette_pressed.connect(window.lazy.open_palette)
    window.facts.agents_pressed.connect(lambda: window.show_pane("agents"))
    models = window.models
    news = SpokenNews(models.approvals, models.clock, window, models.chats.marks.muted)
    news.said.connect(lambda words: announce(window, foreign_text.line(words, MOST_ANNOUNCED)))
    _wire_requests(window, panes)


def _wire_requests(window: MainWindow, panes: Iterable[PaneSpec]) -> None:
    """Connect the requests that the window handles. A pane that handles a request is raised first."""

    def open_in(pane_id: str, request: object) -> None:
        window.show_pane(pane_id)
        window.pane(pane_id).open(request)

    requests = window.requests
    for spec in panes:
        for kind in spec.opens:
            requests.on(kind, partial(open_in, spec.pane_id))
    requests.on(MaximizePane, lambda request: window.maximizer.toggle(request.pane_id))
    requests.on(ClosePane, lambda request: window.layouts.close_named(request.pane_id))
    requests.on(SaveDiagnostics, lambda _request: window.lazy.diagnostics.ask())
    requests.on(OpenLogin, lambda request: window.lazy.open_login(request.agent_id))
    requests.on(LogOut, lambda request: window.lazy.ask_log_out(request.agent_id))
