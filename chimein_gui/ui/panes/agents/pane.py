"""The Agents pane: list, verbs of the chosen agent, problems in files."""

from __future__ import annotations

from collections.abc import Callable, Hashable

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtWidgets import QAbstractItemView, QHBoxLayout, QListView, QStackedWidget, QVBoxLayout, QWidget

from chimein_gui.domain.agents import Agent, Health
from chimein_gui.domain.chats import AUTOMATIC
from chimein_gui.domain.ids import AgentId
from chimein_gui.ui.panes.agents.delegate import AgentDelegate
from chimein_gui.ui.panes.agents.problems import FileProblems
from chimein_gui.ui.widgets import foreign_text
from chimein_gui.ui.widgets.clocked_rows import ClockedRows
from chimein_gui.ui.widgets.empty_state import EmptyState
from chimein_gui.ui.widgets.footer import Footer
from chimein_gui.ui.widgets.health import health_sign
from chimein_gui.ui.widgets.labels import ElidedLabel
from chimein_gui.ui.widgets.pane import Pane, PaneContext
from chimein_gui.ui.widgets.theme import Face
from chimein_gui.ui.widgets.verb_button import VerbButton
from chimein_gui.viewmodels.chat_verbs import trust_word
from chimein_gui.viewmodels.roles import ItemRole

_RUNS = frozenset({Health.CONNECTING, Health.ONLINE, Health.WAITING})


class AgentsPane(Pane):
    """Who there is and how they are."""

    def __init__(self, context: PaneContext) -> None:
        super().__init__()
        self._context, self._agents = context, context.models.agents
        self.list = QListView()
        self._empty = EmptyState(context.theme, "agents")
        self._problems = FileProblems(context.theme)
        self._start = VerbButton(context.theme, self.tr("Start"), icon="play")
        self._stop = VerbButton(context.theme, self.tr("Stop"), icon="stop")
        self._clear = VerbButton(context.theme, self.tr("Clear the limit"), icon="check")
        self._trust = VerbButton(context.theme, "", icon="bolt")
        self._name = ElidedLabel(context.theme, "", Face.SMALL_STRONG, "text2")
        self._verbs = Footer(context.theme)
        self._stack = QStackedWidget()
        self._build(context)
        self._start.clicked.connect(lambda: self._do(start=True))
        self._stop.clicked.connect(lambda: self._do(start=False))
        self._clear.clicked.connect(lambda: self._for_current(self._agents.clear_limited))
        self._trust.clicked.connect(lambda: self._for_current(self._agents.confirm_trust))
        self._agents.summary_changed.connect(self._refresh)
        self._agents.problems_changed.connect(self._show_problems)
        self.list.selectionModel().currentChanged.connect(self._refresh)
        ClockedRows(self.list, context.models.clock, self._times_of)
        context.theme.changed.connect(self.list.viewport().update)
        self._show_problems()
        self._refresh()

    def focus_widget(self) -> QWidget:
        return self.list

    def _build(self, context: PaneContext) -> None:
        view = self.list
        view.setModel(self._agents)
        view.setItemDelegate(AgentDelegate(context, view))
        view.setAccessibleName(self.tr("Agents"))
        view.setFrameShape(QListView.Shape.NoFrame)
        view.setMouseTracking(True)
        view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        view.setResizeMode(QListView.ResizeMode.Adjust)
        self._stack.addWidget(self._empty)
        self._stack.addWidget(view)
        row = QHBoxLayout(self._verbs)
        row.setContentsMargins(14, 8, 12, 8)
        row.setSpacing(8)
        row.addWidget(self._name, 1)
        row.addWidget(self._trust)
        row.addWidget(self._clear)
        row.addWidget(self._start)
        row.addWidget(self._stop)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._stack, 1)
        column.addWidget(self._problems)
        column.addWidget(self._verbs)

    def _current(self) -> Agent | None:
        agent = self.list.currentIndex().data(ItemRole) if self.list.currentIndex().isValid() else None
        return agent if isinstance(agent, Agent) else None

    def _times_of(self, index: QModelIndex) -> tuple[Hashable, Hashable]:
        agent = self._agents.item_at(index.row())
        return index.row(), health_sign(agent, self._context.models.clock) if agent is not None else None

    def _refresh(self) -> None:
        count = self._agents.rowCount()
        step = self._context.first_step
        if self._agents.loaded:
            self._empty.say(step.title, "\n".join(step.lines), step.actions)
        else:
            self._empty.say(self.tr("Starting…"), "")
        self._stack.setCurrentWidget(self.list if count else self._empty)
        if count and not self.list.currentIndex().isValid():
            self.list.setCurrentIndex(self._agents.index(0, 0))
        agent = self._current()
        runs = agent is not None and agent.health in _RUNS
        self._verbs.setVisible(agent is not None)
        self._start.setVisible(not runs)
        self._start.setEnabled(agent is not None and agent.health is not Health.FAULTY_FILE)
        self._stop.setVisible(runs)
        self._offer(agent)
        if agent is not None:
            self._name.setText(foreign_text.name(agent.spec.name))
            self._start.setAccessibleName(self.tr("Start {name}").format(name=foreign_text.name(agent.spec.name)))
            self._stop.setAccessibleName(self.tr("Stop {name}").format(name=foreign_text.name(agent.spec.name)))
        up, all_of_them = self._agents.counts()
        words = self.tr("{up} of {all} connected").format(up=up, all=all_of_them)
        self.subtitle_changed.emit(words if all_of_them else "")
        self.list.scheduleDelayedItemsLayout()

    def _offer(self, agent: Agent | None) -> None:
        """Offer what waits for a word of the operator's: a limit that is over, a trust level of the file."""
        self._clear.setVisible(agent is not None and bool(agent.limited))
        wants = agent is not None and agent.spec.trust in AUTOMATIC and not agent.trust_confirmed
        self._trust.setVisible(wants)
        if agent is None:
            return
        name = foreign_text.name(agent.spec.name)
        self._clear.setAccessibleName(self.tr("Clear the limit of {name}").format(name=name))
        if wants and agent.spec.trust is not None:
            self._trust.setText(self.tr("Confirm {level}").format(level=trust_word(agent.spec.trust)))
            self._trust.setAccessibleName(f"{self._trust.text()}: {name}")

    def _for_current(self, verb: Callable[[AgentId], None]) -> None:
        agent = self._current()
        if agent is not None:
            verb(agent.agent_id)

    def _show_problems(self) -> None:
        self._problems.set_problems(self._agents.problems)
        self.badge_changed.emit(len(self._agents.problems))

    def _do(self, *, start: bool) -> None:
        agent = self._current()
        if agent is not None:
            self._name.setText(foreign_text.name(agent.spec.name))
            (self._agents.start if start else self._agents.stop)(agent.agent_id)
