"""What the operator confirms or clears for a whole agent."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from chimein_gui.domain.chats import TrustLevel
from chimein_gui.domain.errors import ConfigError
from chimein_gui.domain.events import ChatChanged, EngineEvent

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from chimein_gui.domain.agents import Agent
    from chimein_gui.domain.ids import AgentId
    from chimein_gui.engine.accounts.accounts import Accounts
    from chimein_gui.engine.core.commits import UnitOfWork
    from chimein_gui.engine.ports import Transaction


class AgentSettingsDesk:
    """Changes what the operator has said about an agent."""

    def __init__(self, unit: UnitOfWork, accounts: Accounts, allow_link: Callable[[str], Awaitable[None]]) -> None:
        """Wire the services."""
        self._allow_link = allow_link
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

    async def allow_link(self, target: str) -> None:
        """Let prompts be links to a file outside the config directories: the operator has seen where they lead.

        Raises:
            ConfigError: It could not be noted.
            StoreError: It is noted, and taken as soon as the database works again.
        """
        await self._allow_link(target)

    async def clear_limited(self, agent_id: AgentId) -> None:
        """The account may write again: rules decide for it as before.

        Raises:
            NotFoundError: There is no such agent.
            StoreError: Nothing has changed.
        """
        await self._accounts.clear_limited(agent_id)


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
