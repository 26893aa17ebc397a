"""Accounts: each is supervised on its own, connected for ever with back-off, and drops no other (SPEC §3, Failures)."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from chimein_gui.domain.agents import Agent, Health
from chimein_gui.domain.approvals import AskReason
from chimein_gui.domain.errors import GatewayError, LoggedOutError, RateLimitedError, StoreError
from chimein_gui.domain.events import AgentChanged, AgentRemoved, EngineEvent, TaskStatusChanged
from chimein_gui.domain.ids import Revision
from chimein_gui.engine.account_change import AccountChanges, bind_account
from chimein_gui.engine.account_record import AccountRecord
from chimein_gui.engine.mutes import Mutes
from chimein_gui.engine.sync import Sync

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from chimein_gui.domain.agents import AgentSpec
    from chimein_gui.domain.ids import AccountId, AgentId, MessageId, PeerId
    from chimein_gui.engine.account_change import AccountChange
    from chimein_gui.engine.event_bus import EventBus
    from chimein_gui.engine.ingest import Ingest
    from chimein_gui.engine.ports import (
        AccountIdentity,
        Clock,
        GatewayFactory,
        Spawn,
        Store,
        TelegramGateway,
        Transaction,
    )

_log = logging.getLogger(__name__)

FIRST_RETRY_S = 1.0
LONGEST_RETRY_S = 300.0
"""Back-off doubles from the first to this, and goes on for ever."""

STEADY = timedelta(seconds=60)
"""A connection that lasted longer begins the back-off anew."""

STAGGER_S = 0.1
"""Pause between the starts of two accounts."""

_NEW = "nobody has seen it yet"


class Accounts:
    """Keeps every agent's account connected and knows how each is doing."""

    def __init__(
        self,
        store: Store,
        bus: EventBus,
        clock: Clock,
        spawn: Spawn,
        factory: GatewayFactory,
        ingest: Ingest,
        on_online: Callable[[AccountId], None],
    ) -> None:
        """Wire the services; `on_online` hears of accounts that can send again."""
        self._store = store
        self._bus = bus
        self._clock = clock
        self._spawn = spawn
        self._factory = factory
        self._ingest = ingest
        self._on_online = on_online
        self._sync = Sync(store, bus, ingest)
        self._accounts: dict[AgentId, AccountRecord] = {}
        self._changes = AccountChanges(store, bus)
        self._mutes = Mutes(store, bus, clock, spawn)
        ingest.tell_of_triggers(self._mutes.look_up)
        self._revision = 0
        bus.subscribe(self._hear)

    @property
    def revision(self) -> Revision:
        """Counts changes of health; orders `AgentChanged` events."""
        return Revision(self._revision)

    def agents(self) -> tuple[Agent, ...]:
        """Return all agents as they are now."""
        return tuple(account.agent for account in self._accounts.values())

    def spec_of(self, agent_id: AgentId) -> AgentSpec:
        """Return an agent's file as it is now."""
        return self._accounts[agent_id].agent.spec

    def gateway_of(self, account_id: AccountId) -> TelegramGateway | None:
        """Return the account's connected gateway, or None."""
        for account in self._accounts.values():
            if account.agent.account_id == account_id:
                return account.gateway
        return None

    def clock_ahead_s(self, account_id: AccountId) -> float:
        """Return how far our clock was ahead of Telegram's when the account connected last; 0 where nobody knows."""
        return next((one.clock_ahead_s for one in self._accounts.values() if one.agent.account_id == account_id), 0.0)

    def take(self, agent: Agent) -> None:
        """Show an agent as its file and the database have it now; a new one, or one that was held back, is stopped."""
        account = self._accounts.setdefault(agent.agent_id, AccountRecord(agent, held_back=_NEW))
        before, held_back = account.agent, account.held_back
        account.agent = replace(before, spec=agent.spec, trust_confirmed=agent.trust_confirmed, limited=agent.limited)
        account.held_back = ""
        if held_back:
            self._show(agent.agent_id, Health.STOPPED)
        elif account.agent != before:
            self._show(agent.agent_id, before.health, before.health_note)

    async def hold_back(self, agent_id: AgentId, why: str) -> None:
        """Disconnect an agent whose file can't be used; it does not start before `take` brings a good one."""
        account = self._accounts[agent_id]
        if account.held_back != why:
            account.held_back = why
            await self.stop(agent_id)

    async def remove(self, agent_id: AgentId) -> None:
        """Disconnect an agent and forget it here; the database keeps its row."""
        await self.stop(agent_id)
        del self._accounts[agent_id]
        self._revision += 1
        self._bus.publish(AgentRemoved(agent_id, Revision(self._revision)))

    def show_proxy(self, agent_id: AgentId, shown: str) -> None:
        """Show how an account's proxy reads without its secrets; empty for none."""
        account = self._accounts[agent_id]
        if account.agent.proxy != shown:
            account.agent = replace(account.agent, proxy=shown)
            self._show(agent_id, account.agent.health, account.agent.health_note)

    def start_all(self) -> None:
        """Start all accounts, a little apart."""
        for index, agent_id in enumerate(self._accounts):
            self.start(agent_id, delay_s=index * STAGGER_S)

    def start(self, agent_id: AgentId, delay_s: float = 0.0) -> None:
        """Connect an account and keep it connected; a running one is left alone."""
        account = self._accounts[agent_id]
        if not account.held_back and (account.job is None or account.job.done()):
            self._show(agent_id, Health.CONNECTING)
            job = self._spawn(self._supervise(agent_id, delay_s), name=f"account of {account.agent.spec.name}")
            account.job = job if isinstance(job, asyncio.Task) else None

    async def stop(self, agent_id: AgentId) -> None:
        """Disconnect an account; what is approved stays approved. Until it is down it cannot be started again."""
        account = self._accounts[agent_id]
        job = account.job
        if job is not None:
            job.cancel()
            await asyncio.gather(job, return_exceptions=True)
        if account.job is job:
            account.job = None
            self._show(agent_id, Health.FAULTY_FILE if account.held_back else Health.STOPPED, account.held_back)

    def take_new_session(self, agent_id: AgentId) -> None:
        """The account was logged in anew: its place in the updates is new, too, so its chats are compared."""
        self._ingest.must_compare.add(agent_id)

    async def log_out(self, agent_id: AgentId, note: str) -> None:
        """Take the account down and show it as logged out; ending the session is the caller's."""
        await self.stop(agent_id)
        self.take_new_session(agent_id)
        self._show(agent_id, Health.LOGGED_OUT, note)

    async def reread(self, agent_id: AgentId) -> None:
        """Show an agent as the database has it by now: limited by Telegram, its trust confirmed.

        Raises:
            StoreError: It could not be read.
        """
        rows = await self._store.read(lambda tx: tx.agents.all())
        account = self._accounts[agent_id]
        stored = next((row for row in rows if row.agent_id == agent_id), account.agent)
        account.agent = replace(account.agent, limited=stored.limited, trust_confirmed=stored.trust_confirmed)
        self._show(agent_id, account.agent.health, account.agent.health_note)

    async def clear_limited(self, agent_id: AgentId) -> None:
        """The operator has seen that Telegram lets the account write again: rules may decide for it.

        Raises:
            StoreError: Nothing has changed.
        """
        account_id = self._accounts[agent_id].agent.account_id
        if account_id is not None:
            await self._store.transact(lambda tx: tx.accounts.set_limited(account_id, ""))
            await self.reread(agent_id)

    async def stop_all(self) -> None:
        """Disconnect all accounts at once."""
        await asyncio.gather(*(self.stop(agent_id) for agent_id in self._accounts))

    async def _supervise(self, agent_id: AgentId, delay_s: float) -> None:
        """Connect, and connect again, for ever: only a missing log-in ends it."""
        await self._pause(delay_s)
        retry_s = FIRST_RETRY_S
        while True:
            began = self._clock.now()
            why, wait_s = "The connection was lost", None
            try:
                await self._run_connection(agent_id)
            except LoggedOutError as error:
                # Whoever logs in again has a new place in the updates: nobody tells what happened in between.
                self._ingest.must_compare.add(agent_id)
                self._show(agent_id, Health.LOGGED_OUT, str(error))
                return
            except RateLimitedError as error:
                why, wait_s = str(error), error.retry_after_s
            except (GatewayError, StoreError) as error:
                why = str(error)
            except Exception as error:  # noqa: BLE001 - an account that nobody watches is worse than any error
                _log.exception("The account of %s failed in a way nobody foresaw", agent_id)
                why = f"{type(error).__name__}: {error}"
            if self._clock.now() - began > STEADY:
                retry_s = FIRST_RETRY_S
            await self._wait(agent_id, retry_s if wait_s is None else wait_s, why)
            retry_s = min(retry_s * 2, LONGEST_RETRY_S)

    async def _run_connection(self, agent_id: AgentId) -> None:
        """Live through one connection; returns when it is lost."""
        account = self._accounts[agent_id]
        self._show(agent_id, Health.CONNECTING)
        gateway = self._factory(account.agent)
        # Before anything new is reported: what was pushed since must not hide a gap below it.
        known = await self._sync.newest_stored(account.agent.account_id)
        first_log_in = account.agent.account_id is None
        if first_log_in:
            self._ingest.begin_quiet(agent_id)
        try:
            identity = await gateway.connect(self._ingest.listener(agent_id))
            account.clock_ahead_s = gateway.clock_ahead_s()
            if account.agent.account_id not in {None, identity.account_id}:
                first_log_in = True
                self._ingest.begin_quiet(agent_id)
            await self._changes.greet(account.agent, identity)
            self._mutes.connected(identity.account_id, gateway)
            await self._sync.run(agent_id, gateway, known, first_log_in=first_log_in)
            if agent_id in self._ingest.must_compare:
                self._ingest.must_compare.discard(agent_id)
                await self._compare(agent_id, gateway, known)
            await self._ingest.flush()
            if first_log_in:
                # Only now: a first log-in that was cut off is one again, and answers nothing old.
                await self._bind(account, identity)
            # Only now: while an account catches up, what is approved stays approved (SPEC §3a, claim).
            account.gateway = gateway
            self._show(agent_id, Health.ONLINE)
            self._on_online(identity.account_id)
            await gateway.wait_lost()
        finally:
            account.gateway = None
            self._mutes.disconnected(gateway)
            await gateway.disconnect()

    async def _bind(self, account: AccountRecord, identity: AccountIdentity) -> None:
        """The account belongs to this agent from now on, and to no other; what came meanwhile is heard."""
        agent = account.agent

        def bind(tx: Transaction) -> tuple[tuple[AccountChange, Agent], Sequence[EngineEvent]]:
            change = bind_account(tx, agent.agent_id, identity.account_id)
            return (change, tx.agents.owner_of(identity.account_id) or agent), change.events

        change, bound = await self._ingest.end_quiet(agent.agent_id, bind)
        self._changes.tell(agent, change)
        for other in self._accounts.values():
            if other is not account and other.agent.account_id == bound.account_id:
                other.agent = replace(other.agent, account_id=None)
        account.agent = replace(account.agent, account_id=bound.account_id, limited=bound.limited)

    def _hear(self, event: EngineEvent) -> None:
        """A send came back because Telegram limits its account: the account says so, too."""
        if not isinstance(event, TaskStatusChanged) or AskReason.LIMITED not in event.approval.reasons:
            return
        for agent_id, account in self._accounts.items():
            if account.agent.account_id == event.approval.account_id and not account.agent.limited:
                self._spawn(self.reread(agent_id), name=f"limited account of {account.agent.spec.name}")

    async def _compare(self, agent_id: AgentId, gateway: TelegramGateway, known: Mapping[PeerId, MessageId]) -> None:
        try:
            await self._sync.compare(agent_id, gateway, known)
        except BaseException:
            self._ingest.must_compare.add(agent_id)
            raise

    async def _wait(self, agent_id: AgentId, seconds: float, why: str) -> None:
        until = self._clock.now() + timedelta(seconds=seconds)
        account = self._accounts[agent_id]
        account.agent = replace(account.agent, next_try_at=until)
        self._show(agent_id, Health.WAITING, why)
        await self._clock.sleep_until(until)
        account.agent = replace(account.agent, next_try_at=None)

    async def _pause(self, seconds: float) -> None:
        if seconds > 0:
            await self._clock.sleep_until(self._clock.now() + timedelta(seconds=seconds))

    def _show(self, agent_id: AgentId, health: Health, note: str = "") -> None:
        account = self._accounts[agent_id]
        limited = account.agent.limited
        if health is Health.ONLINE:
            note = f"Limited by Telegram: {limited} What would leave by itself asks you." if limited else ""
        account.agent = replace(account.agent, health=health, health_note=note)
        self._revision += 1
        self._bus.publish(AgentChanged(account.agent, Revision(self._revision)))
