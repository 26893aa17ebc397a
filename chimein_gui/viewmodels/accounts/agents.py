"""All agents with their health, and the agent files that could not be used."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from PySide6.QtCore import QObject, Signal

from chimein_gui.domain.agents import CONNECTED, NEEDS_LOG_IN, TRIES_AGAIN, Agent, FileProblem
from chimein_gui.domain.events import AgentChanged, AgentRemoved, FileProblemsChanged
from chimein_gui.viewmodels.accounts.activities import shown_phone
from chimein_gui.viewmodels.accounts.words import health_words, method_words
from chimein_gui.viewmodels.core.commands import CommandRunner
from chimein_gui.viewmodels.core.keyed_list import KeyedListModel
from chimein_gui.viewmodels.core.live_query import LiveQuery
from chimein_gui.viewmodels.core.sanitize import spoken
from chimein_gui.viewmodels.words.notes import note_sentence
from chimein_gui.viewmodels.words.refusals import refusal_words

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from datetime import datetime

    from chimein_gui.domain.chats import TrustLevel
    from chimein_gui.domain.events import EngineEvent
    from chimein_gui.domain.ids import AgentId
    from chimein_gui.engine.ports import Spawn
    from chimein_gui.viewmodels.core.bridge import EngineBridge
    from chimein_gui.viewmodels.engine_api.accounts import AgentFilesService
    from chimein_gui.viewmodels.engine_api.engine import AgentSettingsService, ConnectionsService, DirectoryService


class AgentsApi(Protocol):
    """What this model asks of the engine."""

    @property
    def accounts(self) -> ConnectionsService:
        """Connects accounts, and clears their limits."""
        ...

    @property
    def agent_files(self) -> AgentFilesService:
        """Agent files and their problems."""
        ...

    @property
    def agent_settings(self) -> AgentSettingsService:
        """The confirmed settings of agents."""
        ...

    @property
    def directory(self) -> DirectoryService:
        """The agents."""
        ...


class _Commands(CommandRunner[AgentsApi]):
    """Runs the commands of the list, which is no `CommandRunner` itself."""

    def run(self, command: Coroutine[Any, Any, None], name: str) -> None:
        """Run a command, unless one of this name runs."""
        self._send(command, name)


class AgentListModel(KeyedListModel[Agent]):
    """One row per agent, in the order they were first seen; the identity colours follow that order.

    Attributes:
        problems_changed: `problems` has changed.
        summary_changed: The number of connected agents may have changed.
        failed: A command or a fetch failed; the reason in words.
        recovered: The command that failed last has succeeded on a later try.
    """

    problems_changed = Signal()
    summary_changed = Signal()
    failed = Signal(str)
    recovered = Signal()

    def __init__(self, bridge: EngineBridge, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.problems: tuple[FileProblem, ...] = ()
        self.activity_of: Callable[[Agent], str] | None = None
        """Returns an agent's current activity, for the screen reader; None leaves it out."""
        self._api: AgentsApi | None = None
        self._commands = _Commands(bridge, self)
        self._commands.failed.connect(self.failed)
        self._commands.recovered.connect(self.recovered)
        self._live = LiveQuery(bridge, self._apply, self, kinds=frozenset({AgentChanged, AgentRemoved}))
        self._live_problems = LiveQuery(bridge, self._apply_problems, self, kinds=frozenset({FileProblemsChanged}))
        self._live.failed.connect(self.failed)
        self._live_problems.failed.connect(self.failed)

    @property
    def loaded(self) -> bool:
        """Whether the agents have been fetched."""
        return self._live.loaded

    def attach(self, api: AgentsApi, spawn: Spawn) -> None:
        """Fetch the agents and the file problems; the bridge must be attached before."""
        self._api = api
        self._commands.attach(api, spawn)
        self._live.fetch(spawn, api.directory.load, self._fill, name="load agents")
        self._live_problems.fetch(spawn, api.agent_files.load_problems, self._set_problems, name="load file problems")

    def key_of(self, item: Agent) -> AgentId:
        return item.agent_id

    def order_of(self, item: Agent) -> int:
        return item.agent_id

    def sentence_of(self, item: Agent) -> str:
        limited = spoken(refusal_words(item.limited)) if item.limited else ""
        does = self.activity_of(item) if self.activity_of is not None else ""
        phone = shown_phone(item.spec.phone)
        waits = [self.tr("rate limit: {what}").format(what=method_words(wait.method)) for wait in item.waits]
        parts = [
            spoken(item.spec.name),
            health_words(item.health),
            does,
            limited,
            spoken(note_sentence(item.health_note)),
            *waits,
            phone,
        ]
        return ", ".join(part for part in parts if part)

    def identity_of(self, agent_id: AgentId) -> int:
        """Return an agent's identity colour; 0 while it is not known."""
        agent = self.find(agent_id)
        return 0 if agent is None else agent.identity

    def is_online(self, agent_id: AgentId) -> bool:
        """Tell whether an agent is connected."""
        agent = self.find(agent_id)
        return agent is not None and agent.health in CONNECTED

    def needs_log_in(self, agent_id: AgentId) -> bool:
        """Tell whether nothing of an agent is sent before its account is logged in again."""
        agent = self.find(agent_id)
        return agent is not None and agent.health in NEEDS_LOG_IN

    def counts(self) -> tuple[int, int]:
        """Return the number of connected agents and the number of all agents."""
        return len([1 for agent in self._items if agent.health in CONNECTED]), len(self._items)

    def trying_again(self) -> list[Agent]:
        """Return the agents that are not connected and reconnect automatically."""
        return [agent for agent in self._items if agent.health in TRIES_AGAIN]

    def rate_limited(self, now: datetime) -> list[Agent]:
        """Return the agents of which a method waits beyond `now`, aware UTC, because Telegram asks for it."""
        return [agent for agent in self._items if any(wait.until > now for wait in agent.waits)]

    def start(self, agent_id: AgentId) -> None:
        """Ask the engine to connect an agent; the row changes when the engine reports it."""
        if self._api is not None:
            self._do(partial(_start, self._api), agent_id, "start agent")

    def stop(self, agent_id: AgentId) -> None:
        """Ask the engine to disconnect an agent."""
        if self._api is not None:
            self._do(self._api.accounts.stop, agent_id, "stop agent")

    def restart(self, agent_id: AgentId) -> None:
        """Ask the engine to disconnect an agent and to connect it again."""
        api = self._api

        async def again(agent_id: AgentId) -> None:
            if api is not None:
                await api.accounts.stop(agent_id)
                api.accounts.start(agent_id)

        self._do(again, agent_id, "restart agent")

    def clear_limited(self, agent_id: AgentId) -> None:
        """Tell the engine that the account may write again."""
        if self._api is not None:
            self._do(self._api.accounts.clear_limited, agent_id, "clear limited")

    def confirm_trust(self, agent_id: AgentId, level: TrustLevel | None) -> None:
        """Let the trust level of the agent's file take effect, if it is still the level that was shown."""
        if self._api is not None:
            self._do(partial(self._api.agent_settings.confirm_trust, level=level), agent_id, "confirm trust")

    def allow_link(self, target: str) -> None:
        """Allow prompts to be links to a file outside the config directories; the engine then removes the problem."""
        api = self._api
        if api is not None:
            self._commands.run(api.agent_files.allow_link(target), f"allow link {target}")

    def _do(self, command: Callable[[AgentId], Coroutine[Any, Any, None]], agent_id: AgentId, name: str) -> None:
        self._commands.run(command(agent_id), f"{name} {agent_id}")

    def _fill(self, agents: tuple[Agent, ...]) -> None:
        self.fill(agents)
        self.summary_changed.emit()

    def _apply(self, event: EngineEvent) -> None:
        if isinstance(event, AgentChanged):
            self.upsert(event.agent)
            self.summary_changed.emit()
        elif isinstance(event, AgentRemoved):
            self.remove(event.agent_id)
            self.summary_changed.emit()

    def _apply_problems(self, event: EngineEvent) -> None:
        if isinstance(event, FileProblemsChanged):
            self._set_problems(event.problems)

    def _set_problems(self, problems: tuple[FileProblem, ...]) -> None:
        self.problems = problems
        self.problems_changed.emit()


async def _start(api: AgentsApi, agent_id: AgentId) -> None:
    api.accounts.start(agent_id)
