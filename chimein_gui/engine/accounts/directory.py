"""The current state of every agent's account: snapshot, connection, waits, last event."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC
from typing import TYPE_CHECKING

from chimein_gui.domain.accounts.zones import zone_named
from chimein_gui.domain.agents import CONNECTED, AccountEvent, Agent, Health
from chimein_gui.domain.approvals import AskReason
from chimein_gui.domain.errors import LoggedOutError, NotFoundError, Refusal, RefusedError
from chimein_gui.domain.events import (
    AgentChanged,
    AgentRemoved,
    EngineEvent,
    MessageStored,
    ServerWaitBegan,
    TaskStatusChanged,
)
from chimein_gui.domain.ids import Revision
from chimein_gui.domain.loaded import Loaded
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.connections import ConnectionReason
from chimein_gui.engine.accounts.rate_limits import MethodWaits

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable
    from datetime import datetime, tzinfo

    from chimein_gui.domain.agents import AgentSpec
    from chimein_gui.domain.ids import AccountId, AgentId
    from chimein_gui.engine.core.event_bus import EventBus
    from chimein_gui.engine.ports import Clock, Spawn, TelegramGateway
    from chimein_gui.engine.prompt.reply_steps import FindSticker

EVENT_OF_HEALTH = {
    Health.CONNECTING: AccountEvent.CONNECTING,
    Health.ONLINE: AccountEvent.CONNECTED,
    Health.STOPPED: AccountEvent.STOPPED,
    Health.LOGGED_OUT: AccountEvent.LOGGED_OUT,
    Health.REVOKED: AccountEvent.REVOKED,
    Health.BANNED: AccountEvent.BANNED,
    Health.FROZEN: AccountEvent.FROZEN,
    Health.WAITING: AccountEvent.LOST,
    Health.PROXY_TROUBLE: AccountEvent.REFUSED_BY_PROXY,
}
"""The account event for each new health."""


@dataclass(slots=True)
class AccountEntry:
    """The state of an account in memory.

    Attributes:
        agent: The snapshot that was published last, except for `waits` and the latest message.
        gateway: The connection that can be used, or None.
        clock_ahead_s: How far our clock was ahead of Telegram's at the last connect, in seconds.
        job: The supervising job.
        heard_at: The time of the last message; published with the next change.
        held_back: Why its file can't be used, so that it must not start; otherwise None.
        frozen: Telegram has frozen it, so that nothing is sent.
        is_leaving: It is about to be logged out, so nothing more is sent.
    """

    agent: Agent
    gateway: TelegramGateway | None = None
    clock_ahead_s: float = 0.0
    job: asyncio.Task[None] | None = None
    heard_at: datetime | None = None
    held_back: Note | None = None
    frozen: bool = False
    is_leaving: bool = False


class AccountDirectory:
    """All accounts; publishes their changes. Methods for transactions are safe to call from any thread.

    Attributes:
        on_limited: Called with an account whose send Telegram refused because the account is limited.
        absent: Agents whose file is missing since the start. They are shown, and nothing is planned for them.
    """

    def __init__(self, bus: EventBus, clock: Clock, spawn: Spawn) -> None:
        self.entries: dict[AgentId, AccountEntry] = {}
        self.absent: set[AgentId] = set()
        self.waits = MethodWaits(clock, spawn, self.publish, self._wait_over)
        self._bus = bus
        self.clock = clock
        self._revision = 0
        self._model_prompt = "", ""
        self.on_limited: Callable[[AccountId], None] = lambda _account_id: None
        bus.subscribe(self._hear, MessageStored, ServerWaitBegan, TaskStatusChanged)

    def agents(self) -> tuple[Agent, ...]:
        """Return all agents as they are now."""
        return tuple(self._as_it_is(entry) for entry in self.entries.values())

    def is_known(self, agent_id: AgentId) -> bool:
        """Tell whether an agent has its file, so that its chats may plan and send; safe to call from any thread."""
        return agent_id in self.entries and agent_id not in self.absent

    def named(self, name: str) -> Agent | None:
        """Return an agent by its name, or None."""
        return next((agent for agent in self.agents() if agent.spec.name == name), None)

    async def load(self) -> Loaded[Agent]:
        """Return all agents with their health; the revision counts changes of health."""
        return Loaded(self.agents(), Revision(self._revision))

    def spec_of(self, agent_id: AgentId) -> AgentSpec:
        """Return the current contents of an agent's file; safe to call from any thread.

        Raises:
            RefusedError: Its file was missing at the start and has not come back.
        """
        account = self.entries.get(agent_id)
        if account is None:
            raise RefusedError("The file of this agent is gone: put it back first.", Refusal.FILE_GONE)
        return account.agent.spec

    def take_model_prompt(self, text: str, source: str = "") -> None:
        """Set the model-specific prompt that all agents share, and its file; empty for none."""
        self._model_prompt = text, source

    def model_prompt(self) -> tuple[str, str]:
        """Return the model-specific prompt as it is now, or empty, and its file; safe to call from any thread."""
        return self._model_prompt

    def sticker_finder(self, account_id: AccountId) -> FindSticker | None:
        """Return an account's look-up of stickers, or None while it is not connected."""
        gateway = self.gateway_of(account_id)
        return gateway.find_sticker if gateway is not None and gateway.is_up() else None

    def zone_of(self, agent_id: AgentId) -> tzinfo:
        """Return the time zone of an agent's quiet hours; safe to call from any thread."""
        try:
            return zone_named(self.spec_of(agent_id).timezone)
        except RefusedError:
            return UTC  # without the file nothing is sent; the claim checks again once it is back

    def entry(self, agent_id: AgentId) -> AccountEntry:
        """Return the entry of an agent.

        Raises:
            NotFoundError: There is no such agent, or not any more.
        """
        entry = self.entries.get(agent_id)
        if entry is None:
            raise NotFoundError(f"no agent {agent_id}")
        return entry

    def entry_of(self, account_id: AccountId) -> AccountEntry | None:
        """Return the entry of an account, or None if no agent has it; safe to call from any thread."""
        # A claim calls this on the writer thread while agents may be added or removed.
        for one in tuple(self.entries.values()):
            if one.agent.account_id == account_id:
                return one
        return None

    def refuse_second(self, agent_id: AgentId, account_id: AccountId) -> None:
        """Refuse a second agent for one account, because both would answer its messages.

        Raises:
            LoggedOutError: Another agent runs it; its note names that one.
        """
        entry = self.entry_of(account_id)
        if entry is not None and entry.agent.agent_id != agent_id and entry.job is not None and not entry.job.done():
            raise LoggedOutError(Note(ConnectionReason.SECOND_AGENT, entry.agent.spec.name))

    def gateway_of(self, account_id: AccountId) -> TelegramGateway | None:
        """Return the account's connected gateway, or None."""
        return _gateway(self.entry_of(account_id))

    def clock_ahead_s(self, account_id: AccountId) -> float:
        """Return how many seconds our clock was ahead of Telegram's at the account's last connect; 0 if unknown."""
        entry = self.entry_of(account_id)
        return 0.0 if entry is None else entry.clock_ahead_s

    def show(
        self, agent_id: AgentId, health: Health, note: Note | None = None, *, event: AccountEvent | None = None
    ) -> None:
        """Store and publish a new state of an account; `event` describes what happened in more detail than `health`."""
        entry = self.entries[agent_id]
        if health is Health.ONLINE and entry.frozen:
            health, note = Health.FROZEN, Note(ConnectionReason.ACCOUNT_FROZEN)
        if health is not entry.agent.health and health in EVENT_OF_HEALTH:
            entry.agent = replace(
                entry.agent, last_event=event or EVENT_OF_HEALTH[health], last_event_at=self.clock.now()
            )
            entry.heard_at = None
        entry.agent = replace(entry.agent, health=health, health_note=note)
        self.publish(agent_id)

    def may_send(self, account_id: AccountId) -> bool:
        """Tell whether an account is connected, has caught up and is not frozen; safe to call from any thread."""
        entry = self.entry_of(account_id)
        return entry is not None and not entry.frozen and _is_up(entry)

    def may_look(self, account_id: AccountId) -> bool:
        """Tell whether an account is connected and has caught up, even if frozen; safe to call from any thread."""
        return _is_up(self.entry_of(account_id))

    def freeze(self, agent_id: AgentId, *, frozen: bool = True) -> None:
        """Mark an account as frozen, so that nothing is claimed for it, or end that."""
        entry = self.entries.get(agent_id)
        if entry is None or entry.frozen is frozen:
            return
        entry.frozen = frozen
        if entry.agent.health in CONNECTED:
            self.show(agent_id, Health.ONLINE)

    def send_no_more(self, agent_id: AgentId, note: Note | None) -> None:
        """Stop claims for an account until it was disconnected; `note` says why it is still connected."""
        entry = self.entries[agent_id]
        entry.is_leaving = True
        if note is not None:
            entry.agent = replace(entry.agent, health_note=note)
            self.publish(agent_id)

    def remove(self, agent_id: AgentId) -> None:
        """Remove an agent from memory and publish its removal."""
        del self.entries[agent_id]
        self._revision += 1
        self._bus.publish(AgentRemoved(agent_id, Revision(self._revision)))

    def publish(self, agent_id: AgentId) -> None:
        """Publish an agent's current state."""
        if agent_id in self.entries:
            self._revision += 1
            self._bus.publish(AgentChanged(self._as_it_is(self.entries[agent_id]), Revision(self._revision)))

    def _as_it_is(self, entry: AccountEntry) -> Agent:
        agent = replace(entry.agent, waits=self.waits.of(entry.agent.agent_id))
        if entry.heard_at is not None:
            agent = replace(agent, last_event=AccountEvent.HEARD, last_event_at=entry.heard_at)
        return agent

    def _wait_over(self, agent_id: AgentId) -> None:
        entry = self.entries.get(agent_id)
        if entry is not None:
            entry.agent = replace(entry.agent, last_event=AccountEvent.WAIT_OVER, last_event_at=self.clock.now())
            entry.heard_at = None
            self.publish(agent_id)

    def _hear(self, event: EngineEvent) -> None:
        if isinstance(event, MessageStored):
            # Too frequent to publish; the next change shows it.
            entry = self.entry_of(event.message.key.account_id)
            if entry is not None:
                entry.heard_at = self.clock.now()
        elif isinstance(event, ServerWaitBegan) and event.chat_id is None:
            entry = self.entry_of(event.account_id)
            if entry is not None:
                self.waits.begin(entry.agent.agent_id, event.method, event.until)
        elif isinstance(event, TaskStatusChanged) and AskReason.LIMITED in event.approval.reasons:
            self.on_limited(event.approval.account_id)


def _gateway(entry: AccountEntry | None) -> TelegramGateway | None:
    return None if entry is None or entry.is_leaving else entry.gateway


def _is_up(entry: AccountEntry | None) -> bool:
    gateway = _gateway(entry)
    return gateway is not None and gateway.is_up()
