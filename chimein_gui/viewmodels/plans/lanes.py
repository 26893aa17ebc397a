"""What happens next as lanes of a time line: one lane a chat, under its agent or all chats together."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from itertools import groupby
from math import inf
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from chimein_gui.viewmodels.core.sanitize import spoken
from chimein_gui.viewmodels.plans.headed_rows import HeadedRows, Row

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from PySide6.QtCore import QObject

    from chimein_gui.domain.ids import AgentId, ChatId
    from chimein_gui.viewmodels.core.clock import ClockFace
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
        count: How many chats it has here.
        is_folded: Its lanes are hidden.
    """

    agent_id: AgentId
    name: str
    count: int
    is_folded: bool = False

    @property
    def key(self) -> tuple[str, AgentId]:
        """Return what identifies the row."""
        return "agent", self.agent_id

    def sentence(self, _clock: ClockFace) -> str:
        """Return the name, and how many chats are hidden, for screen readers."""
        if not self.is_folded:
            return spoken(self.name)
        words = QCoreApplication.translate("Upcoming", "{agent}, folded, chats: {n}")
        return words.format(agent=spoken(self.name), n=self.count)


@dataclass(frozen=True, slots=True)
class Lane:
    """The entries of one chat, in the order of its steps; at least one."""

    views: tuple[UpcomingView, ...]

    @property
    def key(self) -> tuple[str, ChatId]:
        """Return what identifies the row."""
        return "chat", self.views[0].entry.chat_id

    def sentence(self, clock: ClockFace) -> str:
        """Return all its steps, for screen readers."""
        return "; ".join(view.sentence(clock) for view in self.views)


class LaneModel(HeadedRows):
    """Heads and lanes: `AgentHead` and `Lane`."""

    def __init__(self, upcoming: UpcomingModel, parent: QObject | None = None) -> None:
        super().__init__(upcoming.clock, parent)
        self._upcoming = upcoming
        self._folded: set[AgentId] = set()
        self._lanes: dict[ChatId, Lane] = {}
        self._is_used = True
        self.order = LaneOrder.BY_AGENT
        upcoming.changed.connect(self._put)
        self._put()

    def use(self, *, used: bool) -> None:
        """Keep the lanes in step, or no longer: thousands cost a frame with each change, and the list may be shown."""
        is_back, self._is_used = used and not self._is_used, used
        if is_back:
            self._put()

    def order_by(self, order: LaneOrder) -> None:
        """Order the lanes by agent or by chat."""
        if order is not self.order:
            self.order = order
            self._put()

    def fold(self, agent_id: AgentId, *, folded: bool) -> None:
        """Hide the lanes of an agent, or show them again."""
        if folded != (agent_id in self._folded):
            self._folded ^= {agent_id}
            self._put()

    def _put(self) -> None:
        if not self._is_used:
            return
        known, self._lanes = self._lanes, {}  # a lane that has not changed stays the same: there may be thousands
        for chat_id, found in groupby(self._upcoming.views, lambda view: view.entry.chat_id):
            views, lane = tuple(found), known.get(chat_id)
            self._lanes[chat_id] = lane if lane is not None and lane.views == views else Lane(views)
        lanes = tuple(self._lanes.values())
        if self.order is LaneOrder.BY_AGENT:
            self.arrange(_by_agent(lanes, self._folded))
        else:
            self.arrange(_by_time(lanes, self._clock.now()))


def _by_agent(lanes: Sequence[Lane], folded: set[AgentId]) -> list[Row]:
    of_agents: dict[AgentId, list[Lane]] = {}
    for lane in lanes:
        of_agents.setdefault(lane.views[0].entry.agent_id, []).append(lane)
    rows: list[Row] = []
    for agent_id, own in sorted(of_agents.items()):
        is_folded = agent_id in folded
        rows.append(Row((agent_id, 0, 0), AgentHead(agent_id, own[0].views[0].entry.agent_name, len(own), is_folded)))
        if not is_folded:
            rows += [Row((agent_id, 1, _chat_of(lane)), lane) for lane in own]
    return rows


def _by_time(lanes: Sequence[Lane], now: datetime) -> list[Row]:
    def first(lane: Lane) -> float:
        due = [view.entry.continues_at(now) for view in lane.views]
        return min((one.timestamp() for one in due if one is not None), default=inf)

    return sorted((Row((first(lane), _chat_of(lane)), lane) for lane in lanes), key=lambda row: row.order)


def _chat_of(lane: Lane) -> int:
    return int(lane.views[0].entry.chat_id)
