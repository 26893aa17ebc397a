"""Supervision of an account's connection: connect, catch up, and reconnect after a loss, for ever.

Functions that take a transaction run on the writer thread.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING

from chimein_gui.domain.agents import Agent, Health
from chimein_gui.domain.errors import (
    BannedError,
    GatewayError,
    LoggedOutError,
    ProxyError,
    RateLimitedError,
    RevokedError,
    StoreError,
)
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.connections import ConnectionReason
from chimein_gui.engine.accounts.account_switch import bind_account
from chimein_gui.engine.accounts.rate_limits import rate_limited_gateway
from chimein_gui.engine.core.clock import pause
from chimein_gui.reporting.log_lines import FROM_OUTSIDE, about

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import datetime

    from chimein_gui.domain.events import EngineEvent
    from chimein_gui.domain.ids import AccountId, AgentId, MessageId, PeerId
    from chimein_gui.engine.accounts.account_switch import AccountChange, AccountChanges
    from chimein_gui.engine.accounts.directory import AccountDirectory, AccountEntry
    from chimein_gui.engine.accounts.sync import Sync
    from chimein_gui.engine.ingest.ingest import Ingest
    from chimein_gui.engine.ingest.mutes import Mutes
    from chimein_gui.engine.ports import AccountIdentity, GatewayFactory, TelegramGateway, Transaction

_log = logging.getLogger(__name__)

FIRST_RETRY_S = 1.0
LONGEST_RETRY_S = 300.0
"""The back-off doubles from the first to this, and is repeated for ever."""

FROZEN_LOOK_S = 600.0
"""Pause between two checks whether a frozen account may write again."""

SPREAD = 0.2
"""Largest share by which an account's pause is shortened."""

_GOLDEN = (5**0.5 - 1) / 2

STEADY = timedelta(seconds=60)
"""After a connection that lasted longer, the back-off starts again."""


class ConnectionSupervisor:
    """Supervises each account's connection independently; failures are isolated."""

    def __init__(
        self,
        directory: AccountDirectory,
        factory: GatewayFactory,
        ingest: Ingest,
        on_online: Callable[[AccountId], None],
        sync: Sync,
        changes: AccountChanges,
        mutes: Mutes,
    ) -> None:
        """`on_online` is called with accounts that can send again."""
        self._clock = directory.clock
        self._factory = factory
        self._ingest = ingest
        self._on_online = on_online
        self._directory = directory
        self._sync = sync
        self._changes = changes
        self._mutes = mutes
        self._one_binds = asyncio.Lock()

    async def supervise(self, agent_id: AgentId, delay_s: float) -> None:
        """Connect and reconnect for ever; only a missing log-in ends it."""
        with about(agent_id=agent_id):
            await self._supervise(agent_id, delay_s)

    async def _supervise(self, agent_id: AgentId, delay_s: float) -> None:
        await pause(self._clock, delay_s)
        retry_s, reported = FIRST_RETRY_S, None
        while True:
            began = self._clock.now()
            why: Note | None
            wait_s: float | None
            why, wait_s, health = Note(ConnectionReason.CONNECTION_LOST), None, Health.WAITING
            try:
                await self._run_connection(agent_id)
            except LoggedOutError as error:
                # A new log-in has a new update state, so changes in between are not reported.
                self._ingest.must_compare.add(agent_id)
                self._directory.show(agent_id, _ended(error), error.note)
                _log_end(error)
                return
            except RateLimitedError as error:
                why, wait_s = error.note, error.retry_after_s
            except ProxyError as error:
                why, health = error.note, Health.PROXY_TROUBLE
            except (GatewayError, StoreError) as error:
                why = error.note or _unforeseen(error)
            except Exception as error:  # noqa: BLE001 - after any error the account must stay supervised
                _log.exception("The account of %s failed unexpectedly", agent_id)
                why = _unforeseen(error)
            reported = _log_loss(why, wait_s, health, reported)
            if self._clock.now() - began > STEADY:
                retry_s = FIRST_RETRY_S
            await self._wait(agent_id, self._spread(agent_id, retry_s) if wait_s is None else wait_s, why, health)
            retry_s = min(retry_s * 2, LONGEST_RETRY_S)

    async def _run_connection(self, agent_id: AgentId) -> None:
        """Run one connection; returns when it is lost."""
        account = self._directory.entries[agent_id]
        self._directory.show(agent_id, Health.CONNECTING)
        tell_frozen = partial(self._directory.freeze, agent_id)
        gateway = rate_limited_gateway(
            self._factory(account.agent), agent_id, self._directory.waits, self._clock, tell_frozen
        )
        # Read this before anything is reported: a pushed message must not hide a gap below it.
        known = await self._sync.newest_stored(account.agent.account_id)
        first_log_in = account.agent.account_id is None
        if first_log_in:
            self._ingest.quiet.add(agent_id)
        else:
            await self._ingest.forget_quiet(agent_id)
        try:
            identity = await gateway.connect(self._ingest.listener(agent_id), await self._sync.known_groups())
            account.clock_ahead_s = gateway.clock_ahead_s()
            self._directory.refuse_second(agent_id, identity.account_id)
            if account.agent.account_id not in {None, identity.account_id}:
                first_log_in, known = True, {}  # the other account's messages with the same partners do not count here
                self._ingest.quiet.add(agent_id)
            await self._changes.greet(account.agent, identity)
            self._mutes.connected(identity.account_id, gateway)
            await self._sync.run(agent_id, gateway, known, first_log_in=first_log_in)
            if agent_id in self._ingest.must_compare:
                self._ingest.must_compare.discard(agent_id)
                await self._compare(agent_id, gateway, known)
            await self._ingest.flush()
            if first_log_in:
                async with self._one_binds:  # if two accounts catch up at the same time, the second must see the first
                    self._directory.refuse_second(agent_id, identity.account_id)
                    # Bind only now: an interrupted first log-in is a first one again, and answers nothing old.
                    await self._bind(account, identity)
            # While an account catches up, approved sends stay approved.
            await self._look_whether_frozen(agent_id, gateway)
            account.gateway = gateway
            self._directory.show(agent_id, Health.ONLINE)
            _log.info("The account is online")
            self._on_online(identity.account_id)
            await self._live(agent_id, identity.account_id, gateway)
        finally:
            account.gateway = None
            self._mutes.disconnected(gateway)
            await gateway.disconnect()

    async def _live(self, agent_id: AgentId, account_id: AccountId, gateway: TelegramGateway) -> None:
        """Wait until the connection is lost; check regularly whether a frozen account may write again."""
        while True:
            try:
                async with self._clock.timeout(FROZEN_LOOK_S):
                    return await gateway.wait_lost()
            except TimeoutError:
                if self._directory.entries[agent_id].frozen:
                    await self._look_whether_frozen(agent_id, gateway)
                    self._on_online(account_id)

    async def _look_whether_frozen(self, agent_id: AgentId, gateway: TelegramGateway) -> None:
        """Ask Telegram whether an account is frozen. Without an answer the state stays until a send is refused."""
        try:
            frozen = await gateway.is_frozen()
        except GatewayError as error:
            _log.info("Could not look up whether an account is frozen: %s", error)
        else:
            self._directory.freeze(agent_id, frozen=frozen)

    async def _bind(self, account: AccountEntry, identity: AccountIdentity) -> None:
        """Bind the account to this agent alone; messages that came meanwhile may trigger."""
        agent = account.agent

        def bind(tx: Transaction) -> tuple[tuple[AccountChange, Agent], Sequence[EngineEvent]]:
            change = bind_account(tx, agent.agent_id, identity.account_id)
            return (change, tx.agents.owner_of(identity.account_id) or agent), change.events

        change, bound = await self._ingest.end_quiet(agent.agent_id, bind)
        self._changes.tell(agent, change)
        for other in self._directory.entries.values():
            if other is not account and other.agent.account_id == bound.account_id:
                other.agent = replace(other.agent, account_id=None)
        if agent.account_id is not None:
            self._directory.waits.forget(agent.agent_id)
        account.agent = replace(account.agent, account_id=bound.account_id, limited=bound.limited)

    async def _compare(self, agent_id: AgentId, gateway: TelegramGateway, known: Mapping[PeerId, MessageId]) -> None:
        try:
            await self._sync.compare(agent_id, gateway, known)
            await self._ingest.flush()
            await self._ingest.compared(agent_id)
        except BaseException:
            self._ingest.must_compare.add(agent_id)
            raise

    async def _wait(self, agent_id: AgentId, seconds: float, why: Note | None, health: Health) -> None:
        account = self._directory.entries[agent_id]

        def show(until: datetime) -> None:
            account.agent = replace(account.agent, next_try_at=until)
            self._directory.show(agent_id, health, why)

        try:
            await pause(self._clock, seconds, show)
        finally:
            account.agent = replace(account.agent, next_try_at=None)

    def _spread(self, agent_id: AgentId, seconds: float) -> float:
        """Shorten a pause by a different share for each account, because all lose their network at the same time.

        The shares are spread as evenly as possible and are always the same, so the displayed time is exact.
        """
        place = tuple(self._directory.entries).index(agent_id)
        return seconds * (1 - SPREAD * (place * _GOLDEN % 1))


def _unforeseen(error: Exception) -> Note:
    return Note(ConnectionReason.UNFORESEEN, type(error).__name__)


def _log_end(error: LoggedOutError) -> None:
    """Log that an account is no longer reconnected."""
    if isinstance(error, BannedError):
        _log.error("The account is closed by Telegram: %s", error, extra=FROM_OUTSIDE)
    elif isinstance(error, RevokedError):
        _log.error("The session was revoked: %s", error, extra=FROM_OUTSIDE)
    else:
        _log.info("The account is not logged in: %s", error)


def _log_loss(why: Note | None, wait_s: float | None, health: Health, reported: Note | None) -> Note | None:
    """Log that an account is offline; as a warning once in a row of attempts that fail for the same reason.

    Args:
        why: The reason; also a mere loss of the connection, which is no warning.
        wait_s: Seconds that Telegram told the account to wait; None if it did not.
        health: What is shown.
        reported: The reason that the last warning named; None after an attempt that was online.

    Returns:
        The reason that is reported now.
    """
    if wait_s is not None:
        _log.warning("FloodWait %d s before the account connects", wait_s, extra=FROM_OUTSIDE)
        return why
    if why is None or why.kind is ConnectionReason.CONNECTION_LOST:
        _log.info("The account is offline (connection lost)")
        return None
    if reported is not None and reported.kind is why.kind:
        _log.info("The account is offline (%s)", why.kind.value)
    elif health is Health.PROXY_TROUBLE:
        _log.warning("The account can't connect through its proxy: %s", why, extra=FROM_OUTSIDE)
    else:
        _log.warning("The account can't connect: %s", why, extra=FROM_OUTSIDE)
    return why


def _ended(error: LoggedOutError) -> Health:
    """Return the state of an account that is no longer reconnected."""
    if isinstance(error, BannedError):
        return Health.BANNED
    return Health.REVOKED if isinstance(error, RevokedError) else Health.LOGGED_OUT
