"""The Agents pane: the list, the buttons for the selected agent, and config files with errors."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, Qt, QTimer
from PySide6.QtWidgets import QAbstractItemView, QListView, QStackedWidget, QVBoxLayout, QWidget

from chimein_gui.domain.agents import Agent
from chimein_gui.ui.pane import Pane, PaneContext
from chimein_gui.ui.panes.agents.actions import AgentActions
from chimein_gui.ui.panes.agents.delegate import AgentDelegate, notes_of
from chimein_gui.ui.panes.agents.menu import open_agent_menu
from chimein_gui.ui.panes.agents.problems import FileProblems
from chimein_gui.ui.requests import ShowAgent
from chimein_gui.ui.setup_actions import show_empty_state
from chimein_gui.ui.widgets.controls.spoken_role import make_selected_current, speak_rows_only
from chimein_gui.ui.widgets.rows.clocked_rows import ClockedRows
from chimein_gui.ui.widgets.rows.spoken_views import SpokenListView
from chimein_gui.ui.widgets.surfaces.empty_state import EmptyState
from chimein_gui.ui.widgets.surfaces.health import health_label
from chimein_gui.viewmodels.core.roles import ItemRole
from chimein_gui.viewmodels.panes.agents import make_activities

_LEAST_LIST = 66
"""Least height of the list, px: it gives way to errors in files."""
_REPAINT_MS = 100
"""Minimum interval of repaints, ms, because activities may change faster than anybody can read."""


class AgentList(SpokenListView):
    """Repaints only the row that has changed. Qt would lay out all rows; the pane does that when a height changes."""

    def dataChanged(
        self,
        first: QModelIndex | QPersistentModelIndex,
        last: QModelIndex | QPersistentModelIndex,
        roles: Sequence[int] = (),
    ) -> None:
        QAbstractItemView.dataChanged(self, first, last, roles)


class AgentsPane(Pane):
    """Lists the agents with their health and current activity."""

    def __init__(self, context: PaneContext) -> None:
        super().__init__()
        self._context, self._agents = context, context.models.agents
        self.list = AgentList()
        speak_rows_only(self.list)
        self._empty = EmptyState(context.theme, "agents")
        self._empty.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._problems = FileProblems(context.theme, context.requests.send, self._agents.allow_link)
        self.agent_actions = AgentActions(context)
        self._stack = QStackedWidget()
        self._lines: tuple[int, ...] = ()
        self._build(context)
        self._repaint = QTimer(self)
        self._repaint.setSingleShot(True)
        self._repaint.setInterval(_REPAINT_MS)
        self._repaint.timeout.connect(self.list.viewport().update)
        self._wire(context)
        self._show_problems()
        self._refresh()

    def focus_widget(self) -> QWidget:
        return self.list if self._stack.currentWidget() is self.list else self._empty

    def _build(self, context: PaneContext) -> None:
        view = self.list
        view.setModel(self._agents)
        make_selected_current(view)
        view.setItemDelegate(AgentDelegate(context, view))
        view.setAccessibleName(self.tr("Agents"))
        view.setFrameShape(QListView.Shape.NoFrame)
        view.setMouseTracking(True)
        view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        view.setResizeMode(QListView.ResizeMode.Adjust)
        view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self._stack.addWidget(self._empty)
        self._stack.addWidget(view)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self._stack.setMinimumHeight(_LEAST_LIST)
        column.addWidget(self._stack, 1)
        column.addWidget(self._problems)
        column.addWidget(self.agent_actions)

    def _wire(self, context: PaneContext) -> None:
        models = context.models
        self._agents.summary_changed.connect(self._refresh)
        self._agents.problems_changed.connect(self._show_problems)
        models.holds.changed.connect(self._show_holds)
        self.agent_actions.focus_left.connect(self.list.setFocus)
        models.own(make_activities).changed.connect(self._soon)
        context.theme.changed.connect(self.list.viewport().update)
        context.theme.fonts_changed.connect(self.list.scheduleDelayedItemsLayout)
        self.list.selectionModel().currentChanged.connect(self._refresh)
        self.list.customContextMenuRequested.connect(self._show_menu)
        ClockedRows(self.list, models.clock, self._times_of)

    def _current(self) -> Agent | None:
        agent = self.list.currentIndex().data(ItemRole) if self.list.currentIndex().isValid() else None
        return agent if isinstance(agent, Agent) else None

    def open(self, request: object) -> None:
        if isinstance(request, ShowAgent):
            self._select(request.agent_id)

    def _select(self, agent_id: object) -> None:
        index = self._agents.index_of(agent_id) if isinstance(agent_id, int) else QModelIndex()
        if index.isValid():
            self.list.setCurrentIndex(index)
            self.list.scrollTo(index)

    def _show_menu(self, place: QPoint) -> None:
        """Open the context menu of the row at a position; with the menu key that of the current row."""
        pressed = self.list.indexAt(place)
        if pressed.isValid():
            self.list.setCurrentIndex(pressed)
        agent = self._current()
        if agent is None:
            return
        row = self.list.visualRect(self.list.currentIndex())
        at = place if pressed.isValid() else row.center()
        open_agent_menu(agent, self.agent_actions, self._context.requests, self, self.list.viewport().mapToGlobal(at))

    def _show_holds(self) -> None:
        """Follow the holds: rows show them, but they are no part of an agent."""
        self._refresh()
        self._soon()

    def _soon(self) -> None:
        if self.list.isVisible() and not self._repaint.isActive():
            self._repaint.start()

    def _times_of(self, index: QModelIndex) -> tuple[Hashable, Hashable]:
        agent = self._agents.item_at(index.row())
        if agent is None:
            return index.row(), None
        models = self._context.models
        waits = tuple(models.clock.left(wait.until) for wait in agent.waits)
        return index.row(), (health_label(agent, models.clock), models.own(make_activities).of(agent), waits)

    def _refresh(self) -> None:
        count = self._agents.rowCount()
        if self._agents.loaded:
            show_empty_state(self._empty, self._context)
        else:
            self._empty.say(self.tr("Starting…"), "")
        self._stack.setCurrentWidget(self.list if count else self._empty)
        if count and not self.list.currentIndex().isValid():
            self.list.setCurrentIndex(self._agents.index(0, 0))
        self.agent_actions.show_agent(self._current())
        up, all_of_them = self._agents.counts()
        words = self.tr("{up} of {all} connected").format(up=up, all=all_of_them)
        self.subtitle_changed.emit(words if all_of_them else "")
        # A changed agent repaints its own row; a layout is needed only if the row's height changes.
        lines = tuple(len(notes_of(agent, self._context)) for agent in self._agents.items())
        if lines != self._lines:
            self._lines = lines
            self.list.scheduleDelayedItemsLayout()

    def _show_problems(self) -> None:
        self._problems.set_problems(self._agents.problems)
