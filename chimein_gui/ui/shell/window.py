"""The main window: it holds the panes in docks, and passes every command to the part that executes it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtWidgets import QMainWindow, QTabWidget, QWidget

from chimein_gui.ui.pane import PaneContext, PaneSpec
from chimein_gui.ui.requests import ClosePane, LogOut, MaximizePane, OpenLogin, SaveDiagnostics
from chimein_gui.ui.shell.bars.status_bar import FactBar
from chimein_gui.ui.shell.bars.top_bar import TopBar
from chimein_gui.ui.shell.context import ShellContext
from chimein_gui.ui.shell.docking.dock_manager import DockManager
from chimein_gui.ui.shell.docking.docks import trailing_side
from chimein_gui.ui.shell.docking.last_places import restore_places
from chimein_gui.ui.shell.docking.layouts import Layouts
from chimein_gui.ui.shell.docking.rail import Rail
from chimein_gui.ui.shell.docking.spoken_tabs import tell_tabs
from chimein_gui.ui.shell.docking.tab_order import next_stop
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
    from chimein_gui.viewmodels.window import WindowModels

MOST_ANNOUNCED = 400
"""Most characters that are announced of what arrives."""

COMPACT_BELOW = 1320
"""Width in px below which the rail has no words, and the top bar shows neither costs nor connections."""


class MainWindow(QMainWindow):
    """Shown before the engine exists; `attach` connects it to the engine.

    What is seldom needed (menu, help, palette) is created on first use, so that the first paint does not wait for it.

    Attributes:
        memory: The settings file of the window.
        dock_manager: The panes and their docks; what is mostly asked of it is here, too.
        panes: All panes by id.
        docks: The docks of the movable panes, by pane id.
        commands: All commands.
        lazy: Parts that are created on first use.
        appearance: Colours, text size, motion and single-key shortcuts.
        layouts: Saves and restores layouts.
        close_guard: Asks the program before the window closes.
        bars: The bars at the top and the rail, in the order of reading.
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
        self.sandbox_shell: SandboxShell | None = None
        self._build_bars()
        self.dock_manager = DockManager(self, context, self._pane_specs, self.rail, self.top_bar)
        self.panes, self.docks = self.dock_manager.panes, self.dock_manager.docks
        self.pane, self.show_pane = self.dock_manager.pane, self.dock_manager.show_pane
        self.dock_manager.restored.connect(self._show_bars)
        self.layouts = Layouts(self, self.dock_manager, memory)
        self.close_guard = CloseGuard(self, self.layouts.remember)
        self.resize(1440, 900)
        if whole:
            self._make_parts()
            self.dock_manager.fill(all_of_them=True)
        self.layouts.arrange()
        self.dock_manager.follow()
        if whole:
            restore_places(self.dock_manager, self.memory)

    # --- for app.py -----------------------------------------------------------------------------------------------

    def fill(self) -> None:
        """Create what the first paint did not wait for. If the window is not whole, call it once before `attach`."""
        self.setUpdatesEnabled(False)
        self._make_parts()
        self.dock_manager.fill(all_of_them=False)
        self.layouts.restore_insides()
        self.dock_manager.follow()
        self.toast.place(self.rail.sizeHint().width(), self.facts.height())
        restore_places(self.dock_manager, self.memory)
        # Layout and paint what is new now, because what follows may block the event loop for a while.
        QCoreApplication.sendPostedEvents()
        self.panes[self.dock_manager.focus.last or "conversations"].focus_widget().setFocus()
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
        self.bars: tuple[QWidget, ...] = (self.top_bar, self.rail)
        self.facts = FactBar(self.theme, is_sandbox=self._context.is_sandbox)
        self.setStatusBar(self.facts)

    def _make_parts(self) -> None:
        """Create the models and everything that uses them; the first paint needs none of it."""
        from chimein_gui.ui.shell.appearance.appearance import Appearance
        from chimein_gui.ui.shell.bars.fault_bar import FaultBar
        from chimein_gui.ui.shell.bars.held_banner import HeldBanner
        from chimein_gui.ui.shell.bars.toast_card import ToastCard
        from chimein_gui.ui.shell.bars.toast_place import clear_place
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
        self.toast.keep_clear_of(partial(clear_place, self, self.panes))
        self.dock_manager.moved.connect(self.toast.make_way)
        models.clock.ticked.connect(self.toast.make_way)
        for spec in self._pane_specs:
            if spec.badge is not None:
                spec.badge(context, partial(self.dock_manager.show_badge, spec.pane_id))
            if spec.oldest is not None:
                spec.oldest(context, partial(self.rail.set_age, spec.pane_id))
        self._make_commands(models)
        _wire(self, self._pane_specs)
        if self.isVisible():
            models.clock.start()

    def _make_commands(self, models: WindowModels) -> None:
        from chimein_gui.ui.shell.bars.problem_commands import ProblemCommands
        from chimein_gui.ui.shell.commands.account_commands import AccountCommands
        from chimein_gui.ui.shell.commands.action_list import all_actions
        from chimein_gui.ui.shell.commands.actions import Commands
        from chimein_gui.ui.shell.commands.next_task import NextTask
        from chimein_gui.ui.shell.lazy_parts import LazyParts

        commands = self.commands = Commands(
            all_actions(self._pane_specs, self, is_sandbox=self._context.is_sandbox), self
        )
        self.action = commands.action
        models.preferences_model.appearance.changed.connect(commands.follow_states)
        shell = ShellContext(
            window=self,
            models=models,
            theme=self.theme,
            requests=self.requests,
            memory=self.memory,
            is_sandbox=self._context.is_sandbox,
            dock_manager=self.dock_manager,
            commands=commands,
        )
        AccountCommands(shell)
        self.needs = NextTask(shell, self.fault_bar)
        self.lazy = LazyParts(shell, self.layouts, self.rail.menu_button, self._logs)
        ProblemCommands(shell, self.lazy, self.fault_bar)
        if self._context.is_sandbox:
            self.sandbox_shell = _make_sandbox_shell(shell, self.top_bar)

    # --- colours --------------------------------------------------------------------------------------------------

    def set_dark(self, dark: bool) -> None:
        """Choose the dark or light scheme; the system's scheme is ignored from now on."""
        self.appearance.choose_scheme(Scheme.DARK if dark else Scheme.LIGHT)

    def follow_system(self) -> None:
        """Apply the system's colour scheme and contrast, unless the operator chose a scheme."""
        if self.dock_manager.is_filled:
            self.appearance.follow_system()

    # --- Qt -------------------------------------------------------------------------------------------------------

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Move the focus through the bars, the rail and the panes as they are read."""
        stop = next_stop(self, (*self.bars, *self.dock_manager.parts()), forward=forward)
        if stop is None:
            return False
        stop.setFocus(Qt.FocusReason.TabFocusReason if forward else Qt.FocusReason.BacktabFocusReason)
        return True

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self.dock_manager.is_filled:
            self.models.clock.start()
        if self.focusWidget() is None or self.rail.isAncestorOf(self.focusWidget()):
            self.panes["conversations"].focus_widget().setFocus()

    def hideEvent(self, event: QEvent) -> None:
        if self.dock_manager.is_filled:
            self.models.clock.stop()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        compact = self.width() < COMPACT_BELOW
        self.rail.set_compact(compact)
        self.top_bar.set_compact(compact)
        if self.sandbox_shell is not None:
            self.sandbox_shell.picker.dismiss()
        self.dock_manager.overlay.follow_width()
        if self.dock_manager.is_filled:
            self.toast.place(self.rail.sizeHint().width(), self.facts.height())

    # --- inside ---------------------------------------------------------------------------------------------------

    def _show_bars(self) -> None:
        """Show the bars that must always be visible, whatever a restored layout says."""
        for bar in (self.top_bar, self.rail):
            bar.show()
        if self.dock_manager.is_filled:
            self.held_banner.refresh()
            self.fault_bar.refresh()


def _make_sandbox_shell(shell: ShellContext, top_bar: TopBar) -> SandboxShell:
    from chimein_gui.ui.shell.sandbox.sandbox import SandboxShell

    return SandboxShell(shell, top_bar)


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
    requests.on(MaximizePane, lambda request: window.dock_manager.maximizer.toggle(request.pane_id))
    requests.on(ClosePane, lambda request: window.layouts.close_named(request.pane_id))
    requests.on(SaveDiagnostics, lambda _request: window.lazy.diagnostics.ask())
    requests.on(OpenLogin, lambda request: window.lazy.open_login(request.agent_id))
    requests.on(LogOut, lambda request: window.lazy.ask_log_out(request.agent_id))
