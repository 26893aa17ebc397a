"""The bar above the list: filter by agent, and sort order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QWidget

from chimein_gui.ui.widgets.controls.action_button import ActionButton, Kind
from chimein_gui.ui.widgets.controls.overflow import Overflow
from chimein_gui.ui.widgets.controls.spoken_buttons import tell_menu
from chimein_gui.ui.widgets.surfaces.menus import make_exclusive, open_below
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.viewmodels.approvals.queue import CardSort
from chimein_gui.viewmodels.panes.approvals import make_approvals

if TYPE_CHECKING:
    from chimein_gui.domain.ids import AgentId
    from chimein_gui.ui.pane import PaneContext


class ListHead(QWidget):
    """Two buttons with menus, which show the current filter and order."""

    def __init__(self, context: PaneContext) -> None:
        super().__init__()
        self._context, self._queue = context, context.own(make_approvals).queue
        self._agents = ActionButton(context.theme, "", icon="filter", kind=Kind.QUIET)
        self._sort = ActionButton(context.theme, "", icon="caret-down", kind=Kind.QUIET)
        for button in (self._agents, self._sort):
            tell_menu(button)
        self._agents.clicked.connect(self._offer_agents)
        self._sort.clicked.connect(self._offer_sorts)
        self._words = "", ""
        self.setMinimumWidth(120)
        row = QHBoxLayout(self)
        row.setContentsMargins(6, 3, 6, 3)
        row.setSpacing(2)
        row.addWidget(self._agents)
        row.addWidget(self._sort)
        row.addStretch(1)
        self._queue.arranged.connect(self._refresh)
        context.models.agents.rowsInserted.connect(lambda *_rows: self._refresh())
        context.theme.fonts_changed.connect(self._fit)
        self._refresh()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _sort_words(self, sort: CardSort) -> str:
        return {
            CardSort.OLDEST: self.tr("Most urgent first"),
            CardSort.NEWEST: self.tr("Newest first"),
            CardSort.LEAVES_NEXT: self.tr("Next to be sent"),
        }[sort]

    def _name_of(self, agent_id: AgentId | None) -> str:
        names = {agent.agent_id: agent.spec.name for agent in self._context.models.agents.items()}
        return names.get(agent_id, "") if agent_id is not None else ""

    def _refresh(self) -> None:
        name = self._name_of(self._queue.agent_id)
        agents = foreign_text.short(name, 18) if name else self.tr("All agents")
        sort = self._sort_words(self._queue.sort_by)
        self._words = agents, sort
        self._agents.setAccessibleName(self.tr("Cards of: {agent}").format(agent=agents))
        self._sort.setAccessibleName(self.tr("Order: {order}").format(order=sort))
        self._agents.setVisible(len(self._context.models.agents.items()) > 1)
        self._fit()

    def _fit(self) -> None:
        """If the bar is narrow, hide the icons first, then the words of the filter."""
        agents, sort = self._words
        forms = [
            [
                *([] if self._agents.isHidden() else [self._agents.hint_for(words, first).width()]),
                self._sort.hint_for(sort, last).width(),
            ]
            for words, first, last in ((agents, "filter", "caret-down"), (agents, "", ""), ("", "filter", ""))
        ]
        form = Overflow(gap=2).fit(self.width() - 12, forms).form
        icons, fits = form == 0, form <= 1
        self._agents.set_look(agents if fits else "", icon="filter" if icons or not fits else "", kind=Kind.QUIET)
        self._agents.setToolTip("" if fits else foreign_text.tool_tip(agents))
        self._sort.set_look(sort, icon="caret-down" if icons else "", kind=Kind.QUIET)

    def _offer_agents(self) -> None:
        menu = QMenu(self)
        choices: list[tuple[str, AgentId | None]] = [(self.tr("All agents"), None)]
        agents = self._context.models.agents.items()
        choices += [(foreign_text.action(agent.spec.name), agent.agent_id) for agent in agents]
        for words, agent_id in choices:
            action = QAction(words, menu)
            action.setCheckable(True)
            action.setChecked(agent_id == self._queue.agent_id)
            action.triggered.connect(lambda _checked=False, chosen=agent_id: self._queue.arrange(agent_id=chosen))
            menu.addAction(action)
        self._pop(menu, self._agents)

    def _offer_sorts(self) -> None:
        menu = QMenu(self)
        for sort in CardSort:
            action = QAction(self._sort_words(sort), menu)
            action.setCheckable(True)
            action.setChecked(sort is self._queue.sort_by)
            action.triggered.connect(
                lambda _checked=False, chosen=sort: self._queue.arrange(sort_by=chosen, agent_id=self._queue.agent_id)
            )
            menu.addAction(action)
        self._pop(menu, self._sort)

    def _pop(self, menu: QMenu, button: ActionButton) -> None:
        menu.aboutToHide.connect(menu.deleteLater)
        make_exclusive(menu, menu.actions())
        open_below(menu, button)
