"""What happens next as lanes of a time line: one lane a chat, under its agent or all chats together."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from itertools import groupby
from typing import TYPE_CHECKING

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, Qt

from chimein_gui.viewmodels.core.roles import Index, ItemRole, KeyRole
from chimein_gui.viewmodels.core.sanitize import spoken

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from chimein_gui.domain.ids import AgentId, ChatId
    from chimein_gui.viewmodels.plans.upcoming import UpcomingModel
    from chimein_gui.viewmodels.plans.upcoming_words import UpcomingView


class LaneOrder(Enum):
    """How the lanes are ordered."""

    BY_AGENT = 0
    BY_CHAT = 1
    """Without the agents' heads, the chat in which something happens first at the top."""


@dataclass(frozen=True, slots=True)
class AgentHead:
    """The head above the lanes of an agent.

    Attributes:
        agent_id: The agent.
        name: Its name.
        count: How many chats follow.
    """

    agent_id: AgentId
    name: str
    count: int

    @property
    def key(self) -> tuple[str, AgentId]:
        """Return what identifies the row."""
        return "agent", self.agent_id


@dataclass(frozen=True, slots=True)
class Lane:
    """The entries of one chat, in the order of its steps; at least one."""

    views: tuple[UpcomingView, ...]

    @property
    def key(self) -> tuple[str, ChatId]:
        """Return what identifies the row."""
        return "chat", self.views[0].entry.chat_id


class LaneModel(QAbstractListModel):
    """Heads and lanes. `ItemRole` is an `AgentHead` or a `Lane`; only the latter can be chosen."""

    def __init__(self, upcoming: UpcomingModel, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._upcoming = upcoming
        self._rows: tuple[AgentHead | Lane, ...] = ()
        self.order = LaneOrder.BY_AGENT
        upcoming.changed.connect(self._put)
        self._put()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid() or not 0 <= index.row() < len(self._rows):
            return None
        row = self._rows[index.row()]
        if role in {Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole}:
            if isinstance(row, AgentHead):
                return spoken(row.name)
            return "; ".join(view.sentence(self._upcoming.clock) for view in row.views)
        if role == ItemRole:
            return row
        return row.key if role == KeyRole else None

    def flags(self, index: Index) -> Qt.ItemFlag:
        if index.isValid() and isinstance(self._rows[index.row()], AgentHead):
            return Qt.ItemFlag.ItemIsEnabled
        return super().flags(index)

    def order_by(self, order: LaneOrder) -> None:
        """Order the lanes by agent or by chat."""
        if order is not self.order:
            self.order = order
            self._put()

    def row_of(self, chat_id: ChatId) -> int:
        """Return the row of a chat's lane, or -1."""
        return next((place for place, row in enumerate(self._rows) if row.key == ("chat", chat_id)), -1)

    def _put(self) -> None:
        now = self._upcoming.clock.now()
        lanes = [Lane(tuple(views)) for _, views in groupby(self._upcoming.views, lambda view: view.entry.chat_id)]
        rows = _by_agent(lanes) if self.order is LaneOrder.BY_AGENT else _by_time(lanes, now)
        if [row.key for row in rows] != [row.key for row in self._rows]:
            self.beginResetModel()
            self._rows = tuple(rows)
            self.endResetModel()
        elif rows:
            self._rows = tuple(rows)
            self.dataChanged.emit(self.index(0), self.index(len(rows) - 1))


def _by_agent(lanes: Sequence[Lane]) -> list[AgentHead | Lane]:
    of_agents: dict[AgentId, list[Lane]] = {}
    for lane in lanes:
        of_agents.setdefault(lane.views[0].entry.agent_id, []).append(lane)
    rows: list[AgentHead | Lane] = []
    for agent_id, own in sorted(of_agents.items()):
        rows.append(AgentHead(agent_id, own[0].views[0].entry.agent_name, len(own)))
        rows += own
    return rows


def _by_time(lanes: Sequence[Lane], now: datetime) -> list[AgentHead | Lane]:
    def first(lane: Lane) -> float:
        due = [view.entry.continues_at(now) for view in lane.views]
        return min((one.timestamp() for one in due if one is not None), default=float("inf"))

    return [*sorted(lanes, key=first)]
