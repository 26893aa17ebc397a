"""Revokes and restores rules that send without the operator.

Functions that take a transaction run on the writer thread.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Protocol

from chimein_gui.domain.approvals import RevokedRule
from chimein_gui.domain.chats import AUTOMATIC, TrustLevel
from chimein_gui.domain.errors import Refusal, RefusedError
from chimein_gui.domain.events import ChatChanged, EngineEvent
from chimein_gui.engine.operator.chat_settings import change_settings
from chimein_gui.engine.policy.trust import default_trust, trust_now

if TYPE_CHECKING:
    from chimein_gui.domain.chats import Chat
    from chimein_gui.domain.ids import AgentId, ChatId
    from chimein_gui.engine.core.commits import UnitOfWork
    from chimein_gui.engine.core.environment import TransactionEnvironment
    from chimein_gui.engine.ports import Transaction


class AgentTrust(Protocol):
    """Confirms the level of an agent's file (implemented by `AgentSettings`)."""

    async def confirm_trust(self, agent_id: AgentId, *, confirmed: bool = ..., level: TrustLevel | None = ...) -> None:
        """Confirm the level of an agent's file, or take that back."""
        ...


class TrustRules:
    """Revokes the rule that decides in a chat, wherever it was set. Its unsent approvals ask the operator then."""

    def __init__(self, unit: UnitOfWork, environment: TransactionEnvironment, agents: AgentTrust) -> None:
        self._unit = unit
        self._environment = environment
        self._agents = agents

    async def revoke(self, chat_id: ChatId, level: TrustLevel) -> RevokedRule:
        """Stop the automatic sends of a chat; for an agent's rule, those of all its chats without a rule of their own.

        Args:
            chat_id: A chat in which the rule decides.
            level: The level that the operator saw there.

        Raises:
            NotFoundError: There is no such chat.
            RefusedError: The level has changed meanwhile; nothing has changed by this call.
            StoreError: Nothing has changed.
        """
        work = partial(_revoked, chat_id=chat_id, level=level, environment=self._environment)
        revoked = await self._unit.run(work)
        if not revoked.for_chat:
            await self._agents.confirm_trust(revoked.agent_id, confirmed=False, level=level)
        return revoked

    async def restore(self, revoked: RevokedRule) -> None:
        """Restore a revoked rule, with its former end.

        Raises:
            ConfigError: The agent's file says another level by now; nothing has changed.
            NotFoundError: The chat or the agent is gone.
            RefusedError: Something else was set in the meantime; nothing has changed.
            StoreError: Nothing has changed.
        """
        if revoked.for_chat:
            await self._unit.apply(partial(_restored, revoked=revoked))
        else:
            await self._agents.confirm_trust(revoked.agent_id, level=revoked.level)


def _revoked(
    tx: Transaction, *, chat_id: ChatId, level: TrustLevel, environment: TransactionEnvironment
) -> tuple[list[EngineEvent], RevokedRule]:
    chat = tx.chats.get(chat_id)
    if chat.trust is not level or trust_now(chat, environment.now()) not in AUTOMATIC:
        raise RefusedError("another level by now", Refusal.RULE_CHANGED)
    before = chat.settings
    if before.trust is None:
        return [], RevokedRule(chat_id, chat.agent_id, level, for_chat=False)
    left = _level_without(tx, chat)
    revoked = RevokedRule(chat_id, chat.agent_id, level, before.trust_until, before.trust_since, left=left)
    events = change_settings(
        tx,
        chat_id=chat_id,
        change=lambda settings: replace(settings, trust=left, trust_until=None, trust_since=None),
        environment=environment,
    )
    return events, revoked


def _level_without(tx: Transaction, chat: Chat) -> TrustLevel | None:
    """Return the new setting of a chat: the agent's level, unless that is automatic, too."""
    owner = tx.agents.owner_of(chat.info.account_id)
    return TrustLevel.REVIEW if owner is not None and default_trust(owner) in AUTOMATIC else None


def _restored(tx: Transaction, *, revoked: RevokedRule) -> list[EngineEvent]:
    chat = tx.chats.get(revoked.chat_id)
    now = chat.settings
    if now.trust is not revoked.left or now.trust_since is not None:
        raise RefusedError("set anew in the meantime", Refusal.RULE_CHANGED)
    tx.chats.set_settings(
        revoked.chat_id, replace(now, trust=revoked.level, trust_until=revoked.until, trust_since=revoked.since)
    )
    return [ChatChanged(tx.chats.get(revoked.chat_id), tx.revision)]
