"""What the operator sets for one chat, and confirms for a whole agent.

For a chat that is trust, triggers, quiet hours, and whom it may answer. Functions that take a transaction run on the
writer thread.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING

from chimein_gui.domain.chats import ChatSettings, TrustLevel
from chimein_gui.domain.errors import ConfigError
from chimein_gui.domain.events import ChatChanged, EngineEvent
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.engine.policy.timing import due_time
from chimein_gui.engine.policy.trust import SILENT, quiet_until
from chimein_gui.engine.tasks.graphs import observe_open_drafts
from chimein_gui.engine.tasks.transitions import changed

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from chimein_gui.domain.agents import Agent
    from chimein_gui.domain.approvals import Approval
    from chimein_gui.domain.chats import Chat, QuietHours, TriggerMode
    from chimein_gui.domain.ids import AgentId, ChatId
    from chimein_gui.engine.accounts.accounts import Accounts
    from chimein_gui.engine.core.commits import UnitOfWork
    from chimein_gui.engine.core.environment import TransactionEnvironment
    from chimein_gui.engine.ports import Transaction

    Change = Callable[[ChatSettings], ChatSettings]

AUTO_FOR_S = 3600.0
"""How long a time-boxed `auto` lasts."""


class ChatSettingsDesk:
    """Changes what is set for a chat; every change is one transaction and one event."""

    def __init__(
        self,
        unit: UnitOfWork,
        environment: TransactionEnvironment,
    ) -> None:
        """Wire the services."""
        self._unit = unit
        self._conditions = environment

    async def set_trust(self, chat_id: ChatId, trust: TrustLevel | None, *, for_s: float | None = None) -> None:
        """Change how much of a chat leaves without the operator; drafts that wait keep waiting.

        At `off` and `observe` they are only observed from now on.

        Args:
            chat_id: The conversation.
            trust: The level; None = as the agent says.
            for_s: For `auto`: after so many seconds it falls back to `review`; None = it stays.

        Raises:
            NotFoundError: There is no such chat.
            StoreError: Nothing has changed.
        """
        until, since = None, None if trust is None else self._conditions.now()
        if trust is TrustLevel.AUTO and for_s is not None:
            until = self._conditions.now() + timedelta(seconds=for_s)
        await self._change(
            chat_id, lambda settings: replace(settings, trust=trust, trust_until=until, trust_since=since)
        )

    async def set_triggers(self, chat_id: ChatId, triggers: TriggerMode | None) -> None:
        """Say which messages ask for a plan; None = as is usual for its kind.

        Raises:
            NotFoundError: There is no such chat.
            StoreError: Nothing has changed.
        """
        await self._change(chat_id, lambda settings: replace(settings, triggers=triggers))

    async def set_quiet_hours(self, chat_id: ChatId, quiet_hours: QuietHours | None) -> None:
        """Say when nothing leaves automatically; None = at no time.

        Raises:
            NotFoundError: There is no such chat.
            StoreError: Nothing has changed.
        """
        await self._change(chat_id, lambda settings: replace(settings, quiet_hours=quiet_hours))

    async def allow_bots(self, chat_id: ChatId, *, allowed: bool) -> None:
        """Say whether bots may ask for a plan.

        Raises:
            NotFoundError: There is no such chat.
            StoreError: Nothing has changed.
        """
        await self._change(chat_id, lambda settings: replace(settings, allow_bots=allowed))

    async def allow_agents(self, chat_id: ChatId, *, allowed: bool) -> None:
        """Say whether our own other agents may ask for a plan, at most three turns in a row.

        Raises:
            NotFoundError: There is no such chat.
            StoreError: Nothing has changed.
        """
        await self._change(chat_id, lambda settings: replace(settings, allow_agents=allowed))

    async def _change(self, chat_id: ChatId, change: Change) -> None:
        work = partial(_changed, chat_id=chat_id, change=change, environment=self._conditions)
        await self._unit.apply(work)


def _changed(
    tx: Transaction, *, chat_id: ChatId, change: Change, environment: TransactionEnvironment
) -> list[EngineEvent]:
    before = tx.chats.get(chat_id)
    tx.chats.set_settings(chat_id, change(before.settings))
    after = tx.chats.get(chat_id)
    events: list[EngineEvent] = []
    if after.trust in SILENT and before.trust not in SILENT:
        events += observe_open_drafts(tx, chat_id)
    if after.settings.quiet_hours != before.settings.quiet_hours:
        events += _date_anew(tx, before, environment)
    return [*events, ChatChanged(tx.chats.get(chat_id), tx.revision)]


def _date_anew(tx: Transaction, before: Chat, environment: TransactionEnvironment) -> list[EngineEvent]:
    """The quiet hours are others: what a rule approved leaves by the new ones."""
    events: list[EngineEvent] = []
    for approval in tx.approvals.of_chat(before.chat_id):
        if approval.task_status is not TaskStatus.APPROVED or not approval.by_rule or approval.due_at is None:
            continue
        due_at = _due_now(tx, approval, approval.due_at, before, environment)
        if due_at != approval.due_at:
            tx.approvals.save(replace(approval, due_at=due_at))
            events += changed(tx, tx.approvals.get(approval.approval_id))
    return events


def _due_now(
    tx: Transaction, approval: Approval, due_at: datetime, before: Chat, environment: TransactionEnvironment
) -> datetime:
    """What waited for the old end is typed now and leaves; everything else only where it is quiet now."""
    zone, now = environment.zone_of(approval.agent_id), environment.now()
    last_moment = due_at - timedelta(microseconds=1)
    if now < due_at and quiet_until(before.settings.quiet_hours, zone, last_moment) == due_at:
        return due_time(tx, approval, now, environment)
    hours = tx.chats.get(before.chat_id).settings.quiet_hours
    return quiet_until(hours, zone, due_at) or due_at


class AgentSettingsDesk:
    """Changes what the operator has said about an agent."""

    def __init__(self, unit: UnitOfWork, accounts: Accounts) -> None:
        """Wire the services."""
        self._unit = unit
        self._accounts = accounts

    async def confirm_trust(
        self, agent_id: AgentId, *, confirmed: bool = True, level: TrustLevel | None = None
    ) -> None:
        """Let the `auto` or `countdown` of an agent's file take effect, or no more; its chats follow at once.

        Args:
            agent_id: The agent.
            confirmed: False takes it back.
            level: What the operator has seen: the file may have changed meanwhile. None for whatever it says.

        Raises:
            ConfigError: The file says another level by now; nothing has changed.
            NotFoundError: There is no such agent.
            StoreError: Nothing has changed.
        """
        work = partial(_confirmed, agent_id=agent_id, confirmed=confirmed, level=level)
        await self._unit.run(work, committed=self._accounts.show_stored)


def _confirmed(
    tx: Transaction, *, agent_id: AgentId, confirmed: bool, level: TrustLevel | None
) -> tuple[list[EngineEvent], Agent]:
    agent = tx.agents.confirm_trust(agent_id, confirmed=confirmed)
    if level not in {None, agent.spec.trust}:
        now = agent.spec.trust or TrustLevel.REVIEW
        raise ConfigError(f"The agent's file has changed: it asks for “{now.value}” now. Nothing was confirmed.")
    if agent.account_id is None:
        return [], agent
    chats = (tx.chats.get(chat_id) for chat_id in tx.chats.of_account(agent.account_id))
    return [ChatChanged(chat, tx.revision) for chat in chats if chat.settings.trust is None], agent
