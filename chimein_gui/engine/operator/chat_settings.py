"""The operator's settings for one chat, and their confirmations for an agent.

A chat has settings for trust, triggers, quiet hours, and for answers to bots and other agents. Functions that take a
transaction run on the writer thread.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING

from chimein_gui.domain.chats import ChatSettings, ContextPin, TrustLevel
from chimein_gui.domain.errors import ConfigError
from chimein_gui.domain.events import ChatChanged, EngineEvent
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.configs import ConfigReason
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.engine.policy.timing import due_time, quiet_until
from chimein_gui.engine.policy.trust import SILENT
from chimein_gui.engine.tasks.graphs import observe_open_drafts
from chimein_gui.engine.tasks.transitions import changed

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from chimein_gui.domain.agents import Agent
    from chimein_gui.domain.approvals import Approval
    from chimein_gui.domain.chats import Chat, PinKind, QuietHours, TriggerMode
    from chimein_gui.domain.ids import AgentId, ChatId, MessageId
    from chimein_gui.engine.accounts.accounts import Accounts
    from chimein_gui.engine.core.commits import UnitOfWork
    from chimein_gui.engine.core.environment import TransactionEnvironment
    from chimein_gui.engine.ports import Transaction

    Change = Callable[[ChatSettings], ChatSettings]


class ChatSettingsService:
    """Changes the settings of a chat; every change is one transaction and one event."""

    def __init__(
        self,
        unit: UnitOfWork,
        environment: TransactionEnvironment,
    ) -> None:
        self._unit = unit
        self._environment = environment

    async def set_trust(self, chat_id: ChatId, trust: TrustLevel | None, *, for_s: float | None = None) -> None:
        """Change how much a chat sends without the operator; drafts that wait keep waiting.

        With `off` and `observe` they are only observed from now on.

        Args:
            chat_id: The conversation.
            trust: The level; None = the agent's level.
            for_s: For `auto`: the number of seconds after which it falls back to `review`; None = never.

        Raises:
            NotFoundError: There is no such chat.
            StoreError: Nothing has changed.
        """
        until, since = None, None if trust is None else self._environment.now()
        if trust is TrustLevel.AUTO and for_s is not None:
            until = self._environment.now() + timedelta(seconds=for_s)
        await self._change(
            chat_id, lambda settings: replace(settings, trust=trust, trust_until=until, trust_since=since)
        )

    async def set_triggers(self, chat_id: ChatId, triggers: TriggerMode | None) -> None:
        """Set which messages trigger a plan; None = the default of the chat's kind.

        Raises:
            NotFoundError: There is no such chat.
            StoreError: Nothing has changed.
        """
        await self._change(chat_id, lambda settings: replace(settings, triggers=triggers))

    async def set_quiet_hours(self, chat_id: ChatId, quiet_hours: QuietHours | None) -> None:
        """Set the hours in which nothing leaves automatically; None = no quiet hours.

        Raises:
            NotFoundError: There is no such chat.
            StoreError: Nothing has changed.
        """
        await self._change(chat_id, lambda settings: replace(settings, quiet_hours=quiet_hours))

    async def allow_bots(self, chat_id: ChatId, *, allowed: bool) -> None:
        """Set whether bots may trigger a plan.

        Raises:
            NotFoundError: There is no such chat.
            StoreError: Nothing has changed.
        """
        await self._change(chat_id, lambda settings: replace(settings, allow_bots=allowed))

    async def allow_agents(self, chat_id: ChatId, *, allowed: bool) -> None:
        """Set whether our other agents may trigger a plan, for at most three turns in a row.

        Raises:
            NotFoundError: There is no such chat.
            StoreError: Nothing has changed.
        """
        await self._change(chat_id, lambda settings: replace(settings, allow_agents=allowed))

    async def pin(self, chat_id: ChatId, message_id: MessageId, kind: PinKind | None) -> None:
        """Pin a message in or out of the context of later plans, or in for the next one; None removes the pin.

        Raises:
            NotFoundError: There is no such chat.
            StoreError: Nothing has changed.
        """

        def change(settings: ChatSettings) -> ChatSettings:
            others = [one for one in settings.pins if one.message_id != message_id]
            made = [] if kind is None else [ContextPin(message_id, kind)]
            return replace(settings, pins=tuple(sorted((*others, *made))))

        await self._change(chat_id, change)

    async def _change(self, chat_id: ChatId, change: Change) -> None:
        work = partial(change_settings, chat_id=chat_id, change=change, environment=self._environment)
        await self._unit.apply(work)


def change_settings(
    tx: Transaction, *, chat_id: ChatId, change: Change, environment: TransactionEnvironment
) -> list[EngineEvent]:
    """Change the settings of a chat; its drafts follow the level that holds then."""
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
    """Set new due times for sends that a rule approved, after the quiet hours have changed."""
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
    """Return the new due time: now plus typing after the old quiet end, or the end of new quiet hours."""
    zone, now = environment.zone_of(approval.agent_id), environment.now()
    last_moment = due_at - timedelta(microseconds=1)
    if now < due_at and quiet_until(before.settings.quiet_hours, zone, last_moment) == due_at:
        return due_time(tx, approval, now, environment)
    hours = tx.chats.get(before.chat_id).settings.quiet_hours
    return quiet_until(hours, zone, due_at) or due_at


class AgentSettings:
    """Changes the operator's confirmations for an agent."""

    def __init__(self, unit: UnitOfWork, accounts: Accounts) -> None:
        self._unit = unit
        self._accounts = accounts

    async def confirm_trust(
        self, agent_id: AgentId, *, confirmed: bool = True, level: TrustLevel | None = None
    ) -> None:
        """Confirm the `auto` or `countdown` of an agent's file, or take that back; its chats follow at once.

        Args:
            agent_id: The agent.
            confirmed: False takes it back.
            level: The level that the operator saw, because the file may have changed meanwhile; None for any level.

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
        raise ConfigError(Note(ConfigReason.OTHER_LEVEL_ASKED, (agent.spec.trust or TrustLevel.REVIEW).value))
    if agent.account_id is None:
        return [], agent
    chats = (tx.chats.get(chat_id) for chat_id in tx.chats.of_account(agent.account_id))
    return [ChatChanged(chat, tx.revision) for chat in chats if chat.settings.trust is None], agent
