"""Accounts: each is supervised on its own, connected for ever with back-off, and drops no other (SPEC §3, Failures)."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from chimein_gui.domain.agents import Agent, Health
from chimein_gui.domain.approvals import AskReason
from chimein_gui.domain.errors import (
    BannedError,
    GatewayError,
    LoggedOutError,
    ProxyError,
    RateLimitedError,
    RevokedError,
    StoreError,
)
from chimein_gui.domain.events import EngineEvent, TaskStatusChanged
from chimein_gui.engine.account_change import AccountChanges, bind_account
from chimein_gui.engine.account_roster import AccountEntry, AccountRoster
from chimein_gui.engine.mutes import Mutes
from chimein_gui.engine.patient_gateway import patient
from chimein_gui.engine.sync import Sync

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from chimein_gui.domain.agents import AgentSpec
    from chimein_gui.domain.ids import AccountId, AgentId, MessageId, PeerId, Revision
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
        self.roster = AccountRoster(bus, clock, spawn)
        self._changes = AccountChanges(store, bus)
        self._mutes = Mutes(store, bus, clock, spawn)
        ingest.tell_of_triggers(self._mutes.look_up)
        bus.subscribe(self._hear)

    @property
    def revision(self) -> Revision:
        """Counts changes of health; orders `AgentChanged` events."""
        return self.roster.revision

    def agents(self) -> tuple[Agent, ...]:
        """Return all agents as they are now."""
        return self.roster.agents()

    def spec_of(self, agent_id: AgentId) -> AgentSpec:
        """Return an agent's file as it is now."""
        return self.roster.entries[agent_id].agent.spec

    def gateway_of(self, account_id: AccountId) -> TelegramGateway | None:
        """Return the account's connected gateway, or None."""
        return self.roster.gateway_of(account_id)

    def clock_ahead_s(self, account_id: AccountId) -> float:
        """Return how far our clock was ahead of Telegram's when the account connected last; 0 where nobody knows."""
        return self.roster.clock_ahead_s(account_id)

    async def load(self, specs: tuple[AgentSpec, ...]) -> None:
        """Take the agents of the config directories; the store gives them their stable ids."""
        agents = await self._store.transact(lambda tx: tuple(tx.agents.upsert(spec) for spec in specs))
        for agent in agents:
            self.roster.entries[agent.agent_id] = AccountEntry(agent)
        now = self._clock.now()
        waits = await self._store.read(lambda tx: tx.waits.of_accounts(now))
        for agent in agents:
            self.roster.show(agent.agent_id, Health.STOPPED)
            for wait in waits:
                if wait.account_id == agent.account_id and wait.chat_id is None:
                    self.roster.waits.begin(agent.agent_id, wait.method, wait.until)

    def show_proxy(self, agent_id: AgentId, shown: str) -> None:
        """Show how an account's proxy reads without its secrets; empty for none."""
        account = self.roster.entries[agent_id]
        if account.agent.proxy != shown:
            account.agent = replace(account.agent, proxy=shown)
            self.roster.publish(agent_id)

    def start_all(self) -> None:
        """Start all accounts, a little apart."""
        for index, agent_id in enumerate(self.roster.entries):
            self.start(agent_id, delay_s=index * STAGGER_S)

    def start(self, agent_id: AgentId, delay_s: float = 0.0) -> None:
        """Connect an account and keep it connected; a running one is left alone."""
        account = self.roster.entries[agent_id]
        if account.job is None or account.job.done():
            self.roster.show(agent_id, Health.CONNECTING)
            job = self._spawn(self._supervise(agent_id, delay_s), name=f"account of {account.agent.spec.name}")
            account.job = job if isinstance(job, asyncio.Task) else None

    async def stop(self, agent_id: AgentId) -> None:
        """Disconnect an account; what is approved stays approved. Until it is down it cannot be started again."""
        account = self.roster.entries[agent_id]
        job = account.job
        if job is not None:
            job.cancel()
            await asyncio.gather(job, return_exceptions=True)
        if account.job is job:
            account.job = None
            self.roster.show(agent_id, Health.STOPPED)

    async def reread(self, agent_id: AgentId) -> None:
        """Show an agent as the database has it by now: limited by Telegram, its trust confirmed.

        Raises:
            StoreError: It could not be read.
        """
        rows = await self._store.read(lambda tx: tx.agents.all())
        account = self.roster.entries[agent_id]
        stored = next((row for row in rows if row.agent_id == agent_id), account.agent)
        account.agent = replace(account.agent, limited=stored.limited, trust_confirmed=stored.trust_confirmed)
        self.roster.show(agent_id, account.agent.health, account.agent.health_note)

    async def clear_limited(self, agent_id: AgentId) -> None:
        """The operator has seen that Telegram lets the account write again: rules may decide for it.

        Raises:
            StoreError: Nothing has changed.
        """
        account_id = self.roster.entries[agent_id].agent.account_id
        if account_id is not None:
            await self._store.transact(lambda tx: tx.accounts.set_limited(account_id, ""))
            await self.reread(agent_id)

    async def stop_all(self) -> None:
        """Disconnect all accounts at once."""
        await asyncio.gather(*(self.stop(agent_id) for agent_id in self.roster.entries))

    async def _supervise(self, agent_id: AgentId, delay_s: float) -> None:
        """Connect, and connect again, for ever: only a missing log-in ends it."""
        await self._pause(delay_s)
        retry_s = FIRST_RETRY_S
        while True:
            began = self._clock.now()
            why, wait_s, health = "The connection was lost", None, Health.WAITING
            try:
                await self._run_connection(agent_id)
            except LoggedOutError as error:
                # Whoever logs in again has a new place in the updates: nobody tells what happened in between.
                self._ingest.must_compare.add(agent_id)
                self.roster.show(agent_id, _ended(error), str(error))
                return
            except RateLimitedError as error:
                why, wait_s = str(error), error.retry_after_s
            except ProxyError as error:
                why, health = str(error), Health.PROXY_TROUBLE
            except (GatewayError, StoreError) as error:
                why = str(error)
            except Exception as error:  # noqa: BLE001 - an account that nobody watches is worse than any error
                _log.exception("The account of %s failed in a way nobody foresaw", agent_id)
                why = f"{type(error).__name__}: {error}"
            if self._clock.now() - began > STEADY:
                retry_s = FIRST_RETRY_S
            await self._wait(agent_id, retry_s if wait_s is None else wait_s, why, health)
            retry_s = min(retry_s * 2, LONGEST_RETRY_S)

    async def _run_connection(self, agent_id: AgentId) -> None:
        """Live through one connection; returns when it is lost."""
        account = self.roster.entries[agent_id]
        self.roster.show(agent_id, Health.CONNECTING)
        gateway = patient(self._factory(account.agent), agent_id, self.roster.waits, self._clock)
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
            self.roster.show(agent_id, Health.ONLINE)
            self._on_online(identity.account_id)
            await gateway.wait_lost()
        finally:
            account.gateway = None
            self._mutes.disconnected(gateway)
            await gateway.disconnect()

    async def _bind(self, account: AccountEntry, identity: AccountIdentity) -> None:
        """The account belongs to this agent from now on, and to no other; what came meanwhile is heard."""
        agent = account.agent

        def bind(tx: Transaction) -> tuple[tuple[AccountChange, Agent], Sequence[EngineEvent]]:
            change = bind_account(tx, agent.agent_id, identity.account_id)
            return (change, tx.agents.owner_of(identity.account_id) or agent), change.events

        change, bound = await self._ingest.end_quiet(agent.agent_id, bind)
        self._changes.tell(agent, change)
        for other in self.roster.entries.values():
            if other is not account and other.agent.account_id == bound.account_id:
                other.agent = replace(other.agent, account_id=None)
        if agent.account_id is not None:
            self.roster.waits.forget(agent.agent_id)
        account.agent = replace(account.agent, account_id=bound.account_id, limited=bound.limited)

    def _hear(self, event: EngineEvent) -> None:
        """A send came back because Telegram limits its account: the account says so, too."""
        if not isinstance(event, TaskStatusChanged) or AskReason.LIMITED not in event.approval.reasons:
            return
        for agent_id, account in self.roster.entries.items():
            if account.agent.account_id == event.approval.account_id and not account.agent.limited:
                self._spawn(self.reread(agent_id), name=f"limited account of {account.agent.spec.name}")

    async def _compare(self, agent_id: AgentId, gateway: TelegramGateway, known: Mapping[PeerId, MessageId]) -> None:
        try:
            await self._sync.compare(agent_id, gateway, known)
        except BaseException:
            self._ingest.must_compare.add(agent_id)
            raise

    async def _wait(self, agent_id: AgentId, seconds: float, why: str, health: Health) -> None:
        until = self._clock.now() + timedelta(seconds=seconds)
        account = self.roster.entries[agent_id]
        account.agent = replace(account.agent, next_try_at=until)
        self.roster.show(agent_id, health, why)
        await self._clock.sleep_until(until)
        account.agent = replace(account.agent, next_try_at=None)

    async def _pause(self, seconds: float) -> None:
        if seconds > 0:
            await self._clock.sleep_until(self._clock.now() + timedelta(seconds=seconds))


def _ended(error: LoggedOutError) -> Health:
    """Say how it stands with an account that nobody tries to connect any more."""
    if isinstance(error, BannedError):
        return Health.BANNED
    return Health.REVOKED if isinstance(error, RevokedError) else Health.LOGGED_OUT
