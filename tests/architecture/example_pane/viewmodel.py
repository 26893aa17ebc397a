"""The agents and how each is, for the Overview pane."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from chimein_gui.domain.agents import Agent
from chimein_gui.domain.events import AgentChanged, AgentRemoved, EngineEvent
from chimein_gui.viewmodels.accounts.words import health_words
from chimein_gui.viewmodels.core.keyed_list import KeyedListModel
from chimein_gui.viewmodels.core.live_query import LiveQuery

if TYPE_CHECKING:
    from chimein_gui.engine.ports import Spawn
    from chimein_gui.viewmodels.core.feed import Feed
    from chimein_gui.viewmodels.engine_api.engine import DirectoryService


class OverviewApi(Protocol):
    """What the overview asks of the engine."""

    @property
    def directory(self) -> DirectoryService: ...


class OverviewModel(KeyedListModel[Agent]):
    """One row an agent, kept in step with the engine."""

    def __init__(self, feed: Feed) -> None:
        super().__init__(feed.bridge)
        self._live = LiveQuery(feed.bridge, self._apply, self)

    def attach(self, api: OverviewApi, spawn: Spawn) -> None:
        self._live.fetch(spawn, api.directory.load, self.fill, name="load overview")

    def key_of(self, item: Agent) -> int:
        return item.agent_id

    def order_of(self, item: Agent) -> int:
        return item.agent_id

    def sentence_of(self, item: Agent) -> str:
        return f"{item.spec.name}: {health_words(item.health)}"

    def _apply(self, event: EngineEvent) -> None:
        if isinstance(event, AgentChanged):
            self.upsert(event.agent)
        elif isinstance(event, AgentRemoved):
            self.remove(event.agent_id)


def make_overview(feed: Feed) -> OverviewModel:
    model = OverviewModel(feed)
    feed.register(model)
    return model
