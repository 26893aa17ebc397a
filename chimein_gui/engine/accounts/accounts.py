"""The accounts: each is supervised independently and reconnected for ever with back-off."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from chimein_gui.domain.agents import AccountEvent, Agent, Health
from chimein_gui.domain.errors import StoreError
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.connections import ConnectionReason
from chimein_gui.domain.notes.faults import FaultReason
from chimein_gui.engine.accounts.account_switch import AccountChanges
from chimein_gui.engine.accounts.connection import ConnectionSupervisor
from chimein_gui.engine.accounts.directory import AccountDirectory, AccountEntry
from chimein_gui.engine.accounts.sync import Sync
from chimein_gui.engine.core.jobs import JobKeeper
from chimein_gui.engine.ports import ServerWait

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from chimein_gui.domain.ids import AccountId, AgentId
    from chimein_gui.engine.core.commits import UnitOfWork
    from chimein_gui.engine.core.event_bus import EventBus
    from chimein_gui.engine.ingest.ingest import Ingest
    from chimein_gui.engine.ingest.mutes import Mutes
    from chimein_gui.engine.ports import GatewayFactory, Spawn

_log = logging.getLogger(__name__)

STAGGER_S = 0.1
"""Pause between the starts of two accounts."""

ALL_STARTED_S = 2.5
"""Longest time between the first and the last start in seconds; with many accounts the pauses are shorter."""

_NEW = Note(ConnectionReason.NOT_SEEN_YET)


class Accounts:
    """Keeps every agent's account connected and publishes its state."""

    def __init__(  # noqa: PLR0913 - one service each
        self,
        directory: AccountDirectory,
        unit: UnitOfWork,
        bus: EventBus,
        spawn: Spawn,
        factory: GatewayFactory,
        ingest: Ingest,
        on_online: Callable[[AccountId], None],
        *,
        mutes: Mutes,
    ) -> None:
        """`on_online` is called with accounts that can send again."""
        self._unit = unit
        self._spawn = spawn
        self._ingest = ingest
        self._keeper = JobKeeper(bus, directory.clock, spawn)
        self.directory = directory
        self.directory.waits.on_new_wait = self._keep_wait
        sync, changes = Sync(unit, ingest), AccountChanges(unit, bus)
        self._supervisor = ConnectionSupervisor(self.directory, factory, ingest, on_online, sync, changes, mutes)
        self.directory.on_limited = self._limited

    def take(self, agent: Agent) -> None:
        """Show an agent with its current file and database row; a new one, or one that was held back, is stopped."""
        account = self.directory.entries.setdefault(agent.agent_id, AccountEntry(agent, held_back=_NEW))
        before, held_back = account.agent, account.held_back
        account.agent = replace(before, spec=agent.spec, trust_confirmed=agent.trust_confirmed, limited=agent.limited)
        account.held_back = None
        if held_back is not None:
            self.directory.show(agent.agent_id, Health.STOPPED)
        elif account.agent != before:
            self.directory.publish(agent.agent_id)

    async def recall_waits(self) -> None:
        """Read the waits that Telegram had imposed on accounts before the program ended.

        Raises:
            StoreError: It could not be read.
        """
        now = self.directory.clock.now()
        for wait in await self._unit.read(lambda tx: tx.waits.of_accounts(now)):
            account = self.directory.entry_of(wait.account_id)
            if account is not None and wait.chat_id is None:
                self.directory.waits.begin(account.agent.agent_id, wait.method, wait.until)

    async def hold_back(self, agent_id: AgentId, why: Note) -> None:
        """Disconnect an agent whose file can't be used; it does not start before `take` brings a good one."""
        account = self.directory.entry(agent_id)
        if account.held_back != why:
            account.held_back = why
            await self.stop(agent_id)

    async def remove(self, agent_id: AgentId) -> None:
        """Disconnect an agent and remove it from memory; the database keeps its row."""
        await self.stop(agent_id)
        self.directory.remove(agent_id)

    def show_proxy(self, agent_id: AgentId, shown: str) -> None:
        """Show an account's proxy address without its secrets; empty for none."""
        account = self.directory.entry(agent_id)
        if account.agent.proxy != shown:
            account.agent = replace(account.agent, proxy=shown)
            self.directory.publish(agent_id)

    def start_all(self) -> None:
        """Start all accounts, with a short pause between them."""
        pause_s = min(STAGGER_S, ALL_STARTED_S / max(1, len(self.directory.entries)))
        for index, agent_id in enumerate(self.directory.entries):
            self.start(agent_id, delay_s=index * pause_s)

    def start(self, agent_id: AgentId, delay_s: float = 0.0) -> None:
        """Connect an account and keep it connected; nothing happens for a running, disabled or held-back one."""
        account = self.directory.entry(agent_id)
        if account.agent.spec.is_disabled or account.held_back:
            return
        if account.job is None or account.job.done():
            self.directory.show(agent_id, Health.CONNECTING)
            name = account.agent.spec.name
            keeping = self._keeper.keep(
                partial(self._supervisor.supervise, agent_id, delay_s),
                key=f"account job {agent_id}",
                what=Note(FaultReason.CONNECTION_STOPPED, name),
                meanwhile=FaultReason.APPROVED_WAITS,
            )
            job = self._spawn(keeping, name=f"account of {name}")
            account.job = job if isinstance(job, asyncio.Task) else None

    async def stop(self, agent_id: AgentId) -> None:
        """Disconnect an account; approved sends stay approved. It can be started again only once it is down."""
        account = self.directory.entry(agent_id)
        job = account.job
        if job is not None:
            job.cancel()
            await asyncio.gather(job, return_exceptions=True)
        account.is_leaving = False
        if account.job is job:
            account.job = None
            self.directory.show(
                agent_id, Health.FAULTY_FILE if account.held_back else Health.STOPPED, account.held_back
            )

    def take_new_session(self, agent_id: AgentId) -> None:
        """Have an account's chats compared after a new log-in, because its update state is new, too."""
        self._ingest.must_compare.add(agent_id)

    async def log_out(self, agent_id: AgentId, note: Note) -> None:
        """Disconnect the account and show it as logged out; the caller ends the session."""
        await self.stop(agent_id)
        self.take_new_session(agent_id)
        self.directory.show(agent_id, Health.LOGGED_OUT, note, event=AccountEvent.LOGGED_OUT_HERE)

    async def reread(self, agent_id: AgentId) -> None:
        """Show an agent with its current database row, such as a limit by Telegram or confirmed trust.

        Raises:
            StoreError: It could not be read.
        """
        rows = await self._unit.read(lambda tx: tx.agents.all())
        account = self.directory.entry(agent_id)
        self.show_stored(next((row for row in rows if row.agent_id == agent_id), account.agent))

    def show_stored(self, stored: Agent) -> None:
        """Show an agent with this database row, such as a limit by Telegram or confirmed trust."""
        account = self.directory.entry(stored.agent_id)
        account.agent = replace(account.agent, limited=stored.limited, trust_confirmed=stored.trust_confirmed)
        self.directory.show(stored.agent_id, account.agent.health, account.agent.health_note)

    async def clear_limited(self, agent_id: AgentId) -> None:
        """Clear the limit of an account that can write again, as the operator has seen; rules may decide for it again.

        Raises:
            StoreError: Nothing has changed.
        """
        account_id = self.directory.entry(agent_id).agent.account_id
        if account_id is not None:
            await self._unit.write(lambda tx: tx.accounts.set_limited(account_id, ""))
            await self.reread(agent_id)

    async def stop_all(self) -> None:
        """Disconnect all accounts at once."""
        await asyncio.gather(*(self.stop(agent_id) for agent_id in self.directory.entries))

    def _keep_wait(self, agent_id: AgentId, method: str, until: datetime) -> None:
        """Store the wait of a look-up; an account without a finished first log-in has no row for it."""
        account = self.directory.entries.get(agent_id)
        if account is not None and account.agent.account_id is not None:
            wait = ServerWait(account.agent.account_id, None, method, until)
            self._spawn(self._kept(wait), name=f"flood wait of account {wait.account_id}")

    async def _kept(self, wait: ServerWait) -> None:
        try:
            await self._unit.write(lambda tx: tx.waits.put(wait))
        except StoreError as error:
            _log.warning("A wait could not be kept; after a restart Telegram will tell it again: %s", error)

    def _limited(self, account_id: AccountId) -> None:
        """Show an account as limited after Telegram refused a send for that reason."""
        for agent_id, account in self.directory.entries.items():
            if account.agent.account_id == account_id and not account.agent.limited:
                self._spawn(self.reread(agent_id), name=f"limited account of {account.agent.spec.name}")
